//! Secrets: random tokens of which only a digest is stored, and passwords as argon2id strings.
//!
//! Nothing here touches the database; hashing a password takes a core for tens of milliseconds
//! and belongs on a blocking thread, outside any transaction.

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _, phc::PasswordHash};
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// Least length of a password, in characters.
pub const PASSWORD_LEAST: usize = 10;
/// Greatest length of a password, in bytes; more would be a way to burn our time.
pub const PASSWORD_MOST: usize = 1024;

/// Passwords (in lower case) that head every list of guesses and are long enough to pass.
const COMMON: &[&str] = &[
    "1234567890",
    "0123456789",
    "0987654321",
    "12345678910",
    "123456789a",
    "1q2w3e4r5t",
    "1q2w3e4r5t6y",
    "1qaz2wsx3edc",
    "qwertyuiop",
    "qwerty1234",
    "qwerty12345",
    "qwerty123456",
    "asdfghjkl;",
    "password12",
    "password123",
    "password1234",
    "passw0rd123",
    "letmein123",
    "iloveyou123",
    "welcome123",
    "administrator",
    "admin12345",
    "admin123456",
    "changeme123",
    "abcdefghij",
    "abc1234567",
    "1234qwerasdf",
    "senha12345",
    "senha123456",
    "mudar12345",
    "flamengo123",
    "brasil2014",
];

/// What is wrong with a chosen password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasswordFault {
    /// Fewer than [`PASSWORD_LEAST`] characters.
    Short,
    /// More than [`PASSWORD_MOST`] bytes.
    Long,
    /// The login, or built from nothing else.
    Login,
    /// On every list of guesses, or one character over and over.
    Common,
}

/// Checks a chosen password; composition is nobody's business, length and guessability are.
///
/// # Errors
/// The first rule it breaks.
pub fn check_password(password: &str, login: &str) -> Result<(), PasswordFault> {
    if password.chars().count() < PASSWORD_LEAST {
        return Err(PasswordFault::Short);
    }
    if password.len() > PASSWORD_MOST {
        return Err(PasswordFault::Long);
    }
    let lower = password.to_lowercase();
    let login = login.to_lowercase();
    let local = login.split('@').next().unwrap_or_default();
    let rest = |part: &str| lower.strip_prefix(part).map(|r| r.chars().count() <= 3);
    if [login.as_str(), local].into_iter().any(|part| {
        part.chars().count() >= 3
            && (rest(part) == Some(true) || lower.replace(part, "").is_empty())
    }) {
        return Err(PasswordFault::Login);
    }
    let mut chars = lower.chars();
    let first = chars.next();
    if chars.all(|c| Some(c) == first) || COMMON.contains(&lower.as_str()) {
        return Err(PasswordFault::Common);
    }
    Ok(())
}

/// The argon2id string of a password (19 MiB, two passes, a fresh salt).
///
/// # Errors
/// When the machine gives no random bytes.
pub fn hash_password(password: &str) -> Result<String, argon2::password_hash::Error> {
    Ok(Argon2::default()
        .hash_password(password.as_bytes())?
        .to_string())
}

/// Whether `password` is the one behind `phc`. Without one the same work is done against a
/// stand-in, so that the time taken does not tell whether the account exists.
pub fn verify_password(password: &str, phc: Option<&str>) -> bool {
    static STAND_IN: LazyLock<Option<String>> =
        LazyLock::new(|| hash_password("no account has this password").ok());
    let (hash, real) = match phc {
        Some(phc) => (phc, true),
        None => (STAND_IN.as_deref().unwrap_or_default(), false),
    };
    let Ok(parsed) = PasswordHash::new(hash) else {
        return false;
    };
    let same = password.len() <= PASSWORD_MOST
        && Argon2::default()
            .verify_password(password.as_bytes(), &parsed)
            .is_ok();
    same && real
}

/// A fresh secret of 256 bits in hex, for cookies and links.
///
/// # Errors
/// When the machine gives no random bytes.
pub fn token() -> Result<String, getrandom::Error> {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes)?;
    Ok(hex::encode(bytes))
}

/// A fresh code of 80 bits that a person can type: four groups of four, without I, L, O and U.
///
/// # Errors
/// When the machine gives no random bytes.
pub fn code() -> Result<String, getrandom::Error> {
    const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes)?;
    let letters: Vec<char> = bytes
        .iter()
        .map(|b| char::from(LETTERS[usize::from(b & 31)]))
        .collect();
    Ok(letters
        .chunks(4)
        .map(|group| group.iter().collect::<String>())
        .collect::<Vec<_>>()
        .join("-"))
}

/// A typed code as it was made: case, spaces and dashes do not matter, O is 0, I and L are 1.
pub fn normal_code(typed: &str) -> String {
    let letters: Vec<char> = typed
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| match c.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            other => other,
        })
        .collect();
    letters
        .chunks(4)
        .map(|group| group.iter().collect::<String>())
        .collect::<Vec<_>>()
        .join("-")
}

/// The digest under which a token or code is stored.
pub fn digest(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_judged_by_length_and_guessability_only() {
        assert_eq!(check_password("short", "ana"), Err(PasswordFault::Short));
        assert_eq!(
            check_password("aaaaaaaaaaaa", "ana"),
            Err(PasswordFault::Common)
        );
        assert_eq!(
            check_password("Password123", "ana"),
            Err(PasswordFault::Common)
        );
        assert_eq!(
            check_password("ana.lima@example.org", "ana.lima@example.org"),
            Err(PasswordFault::Login)
        );
        assert_eq!(
            check_password("Ana.Lima@Example.org1", "ana.lima@example.org"),
            Err(PasswordFault::Login)
        );
        assert_eq!(
            check_password("anaanaanaana", "ana"),
            Err(PasswordFault::Login)
        );
        assert_eq!(
            check_password(&"é".repeat(600), "ana"),
            Err(PasswordFault::Long)
        );
        assert_eq!(check_password("correct horse battery", "ana"), Ok(()));
        assert_eq!(check_password("dez letras aqui", "ana"), Ok(()));
    }

    #[test]
    fn only_the_right_password_of_a_real_account_passes() {
        let phc = hash_password("correct horse battery").unwrap();
        assert!(phc.starts_with("$argon2id$"));
        assert!(verify_password("correct horse battery", Some(&phc)));
        assert!(!verify_password("correct horse batterz", Some(&phc)));
        assert!(!verify_password("no account has this password", None));
        assert!(!verify_password("x", Some("not a hash")));
    }

    #[test]
    fn a_code_survives_being_typed_by_hand() {
        let code = code().unwrap();
        assert_eq!(code.len(), 19);
        assert_eq!(normal_code(&code), code);
        assert_eq!(normal_code(&code.to_lowercase().replace('-', " ")), code);
        assert_eq!(normal_code("oil0-0000"), "0110-0000");
        assert_ne!(token().unwrap(), token().unwrap());
    }
}
