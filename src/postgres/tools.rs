//! PostgreSQL's own client programs, told how to reach our database without showing its password
//! to whoever lists processes.

use super::binaries;
use super::error::{Error, Result};
use super::private::Private;
use sqlx::postgres::PgConnectOptions;
use std::path::Path;
use std::process::{Command, Stdio};
use url::Url;

/// A client program for the private server, from the same installation.
pub(super) fn for_private(private: &Private, name: &str) -> Result<Command> {
    let options: &PgConnectOptions = private.options();
    let mut command = Command::new(private.binaries().program(name));
    command
        .env("PGHOST", options.get_socket().cloned().unwrap_or_default())
        .env("PGPORT", options.get_port().to_string())
        .env("PGUSER", options.get_username())
        .env("PGDATABASE", options.get_database().unwrap_or_default())
        .env("PGPASSWORD", private.password()?)
        .stdin(Stdio::null());
    Ok(command)
}

/// A client program, not told of any database: from the newest server installed here, because
/// `pg_dump` must not be older than what it reads, else from the search path.
pub(super) fn program(only: Option<&Path>, name: &str) -> Command {
    let mut command = match binaries::find(only) {
        Ok(found) if found[0].program(name).is_file() => Command::new(found[0].program(name)),
        _ => Command::new(name),
    };
    command.stdin(Stdio::null());
    command
}

/// A client program for a database elsewhere.
pub(super) fn for_url(url: &str, only: Option<&Path>, name: &str) -> Result<Command> {
    let mut plain = Url::parse(url).map_err(|e| Error::BadUrl(e.to_string()))?;
    let mut command = program(only, name);
    if let Some(password) = plain.password().map(decode) {
        command.env("PGPASSWORD", password);
        // Fails only for addresses without a host, which cannot carry a password.
        let _ = plain.set_password(None);
    }
    command.arg("--dbname").arg(plain.as_str());
    Ok(command)
}

/// Undoes percent-encoding.
fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = match (first, tail) {
            (b'%', [high, low, ..]) => std::str::from_utf8(&[*high, *low])
                .ok()
                .and_then(|hex| u8::from_str_radix(hex, 16).ok()),
            _ => None,
        };
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_is_taken_out_of_the_arguments() {
        let command = for_url(
            "postgres://me:p%40ss%25@db.example/pel?sslmode=require",
            None,
            "psql",
        )
        .unwrap();
        let shown = format!("{:?}", command.get_args().collect::<Vec<_>>());
        assert!(
            shown.contains("postgres://me@db.example/pel?sslmode=require"),
            "{shown}"
        );
        let password = command.get_envs().find(|(name, _)| *name == "PGPASSWORD");
        assert_eq!(
            password.and_then(|(_, value)| value).unwrap(),
            "p@ss%",
            "{shown}"
        );
    }

    #[test]
    fn a_stray_percent_sign_stays() {
        assert_eq!(decode("100%"), "100%");
        assert_eq!(decode("%zz%41"), "%zzA");
    }
}
