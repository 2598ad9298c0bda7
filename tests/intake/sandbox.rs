//! The sandbox, tried from inside: this program starts itself once more, confines that process and
//! lets it attempt what a hostile file would make a parser do.
//!
//! It has a `main` of its own, because the usual test harness starts threads, and a sandbox must be
//! entered before there are any.

use pel::intake::sandbox::{Limits, enter};
use std::{
    fs::{self, File},
    io::Read,
    net::{TcpListener, TcpStream},
    os::unix::process::ExitStatusExt as _,
    path::PathBuf,
    process::{Command, Output},
};

const ATTEMPT: &str = "PEL_TEST_ATTEMPT";
const GIVEN: &str = "PEL_TEST_GIVEN";
const OTHER: &str = "PEL_TEST_OTHER";

type Check = (&'static str, fn());

/// All checks; the sandbox exists on Linux alone.
const CHECKS: &[Check] = &[
    ("the given file can be read", the_given_file_can_be_read),
    (
        "no other file can be read or listed",
        no_other_file_can_be_read_or_listed,
    ),
    (
        "nothing can be written",
        nothing_can_be_written_made_removed_or_changed,
    ),
    (
        "no network, program or process",
        there_is_no_network_no_program_and_no_second_process,
    ),
    ("root is left behind", root_is_left_behind),
    ("memory ends at the limit", memory_ends_at_the_limit),
    (
        "processor time ends at the limit",
        processor_time_ends_at_the_limit,
    ),
    (
        "without the sandbox",
        without_the_sandbox_the_attempts_would_succeed,
    ),
];

fn main() {
    if let Ok(what) = std::env::var(ATTEMPT) {
        inside(&what);
    }
    let given: Vec<String> = std::env::args().skip(1).collect();
    let asks = |what: &str| given.iter().any(|a| a == what);
    // A runner that starts each test in a process of its own first asks which there are.
    if asks("--list") {
        if !asks("--ignored") {
            println!("the_sandbox_holds: test");
        }
        return;
    }
    if cfg!(target_os = "linux") {
        for (name, check) in CHECKS {
            check();
            println!("sandbox: {name} ... ok");
        }
    }
}

/// What the second process does.
fn inside(attempt: &str) -> ! {
    let path = |name| PathBuf::from(std::env::var_os(name).expect("set by the test"));
    let (given, other) = (path(GIVEN), path(OTHER));
    let limits = Limits {
        memory_bytes: 256 << 20,
        cpu_seconds: 1,
    };
    let report = enter(limits, std::slice::from_ref(&given)).expect("entered");
    eprintln!("report {}", serde_json::to_string(&report).expect("plain"));
    let refused: bool = match attempt {
        "read given" => File::open(given).is_err(),
        "read other" => File::open(other).is_err(),
        "read passwd" => File::open("/etc/passwd").is_err(),
        "list" => fs::read_dir("/").is_err(),
        "write given" => File::options().write(true).open(given).is_err(),
        "create" => File::create(other.with_extension("new")).is_err(),
        "remove" => fs::remove_file(&given).is_err(),
        "chmod" => {
            fs::set_permissions(&given, fs::metadata(&given).expect("seen").permissions()).is_err()
        }
        "connect" => TcpStream::connect(std::env::var("PEL_TEST_ADDRESS").expect("set")).is_err(),
        "listen" => TcpListener::bind("127.0.0.1:0").is_err(),
        "run" => Command::new("/bin/true").status().is_err(),
        "thread" => std::thread::Builder::new().spawn(|| ()).is_err(),
        "signal" => {
            use rustix::process::{Pid, test_kill_process};
            let parent = std::env::var("PEL_TEST_PARENT").expect("set");
            let parent = Pid::from_raw(parent.parse().expect("a number")).expect("not zero");
            test_kill_process(parent).is_err()
        }
        "raise limit" => {
            use rustix::process::{Resource, Rlimit, setrlimit};
            let more = Rlimit {
                current: Some(1 << 40),
                maximum: Some(1 << 40),
            };
            setrlimit(Resource::As, more).is_err()
        }
        "root" => !rustix::process::geteuid().is_root(),
        "allocate" => {
            let mut all = vec![];
            for _ in 0..1024 {
                all.push(vec![1u8; 1 << 20]);
            }
            all.len() < 1024
        }
        "loop" => loop {
            std::hint::black_box(0);
        },
        other => panic!("no attempt {other:?}"),
    };
    std::process::exit(if refused { 10 } else { 11 });
}

/// Runs one attempt in a process of its own; the files are root's alone when root runs this.
fn attempt(what: &str) -> Output {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let (given, other) = (folder.path().join("given"), folder.path().join("other"));
    for file in [&given, &other] {
        fs::write(file, "bytes").expect("written");
        fs::set_permissions(file, fs::Permissions::from_mode(0o600)).expect("set");
    }
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    Command::new(std::env::current_exe().expect("this binary"))
        .env(ATTEMPT, what)
        .env(GIVEN, &given)
        .env(OTHER, &other)
        .env("PEL_TEST_ADDRESS", address)
        .env("PEL_TEST_PARENT", std::process::id().to_string())
        .output()
        .expect("started")
}

fn talk(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Whether the kernel under this test has the measure; where it lacks one, the report must say so.
fn holds(output: &Output, measure: &str) -> bool {
    talk(output).contains(&format!("\"{measure}\":true"))
}

fn the_given_file_can_be_read() {
    let output = attempt("read given");
    assert_eq!(output.status.code(), Some(11), "{}", talk(&output));
}

fn no_other_file_can_be_read_or_listed() {
    for what in ["read other", "read passwd", "list"] {
        let output = attempt(what);
        assert!(
            holds(&output, "landlock"),
            "this kernel has no Landlock: {}",
            talk(&output)
        );
        assert_eq!(output.status.code(), Some(10), "{what}: {}", talk(&output));
    }
}

fn nothing_can_be_written_made_removed_or_changed() {
    for what in ["write given", "create", "remove", "chmod"] {
        let output = attempt(what);
        assert_eq!(output.status.code(), Some(10), "{what}: {}", talk(&output));
    }
}

fn there_is_no_network_no_program_and_no_second_process() {
    for what in [
        "connect",
        "listen",
        "run",
        "thread",
        "signal",
        "raise limit",
    ] {
        let output = attempt(what);
        assert!(holds(&output, "seccomp"), "{what}: {}", talk(&output));
        assert_eq!(output.status.code(), Some(10), "{what}: {}", talk(&output));
    }
}

fn root_is_left_behind() {
    let output = attempt("root");
    assert!(holds(&output, "user"), "{}", talk(&output));
    assert_eq!(output.status.code(), Some(10), "{}", talk(&output));
}

fn memory_ends_at_the_limit() {
    let output = attempt("allocate");
    assert!(
        talk(&output).contains("memory allocation of"),
        "{}",
        talk(&output)
    );
    assert_eq!(output.status.signal(), Some(libc::SIGABRT));
}

fn processor_time_ends_at_the_limit() {
    assert_eq!(attempt("loop").status.signal(), Some(libc::SIGXCPU));
}

fn without_the_sandbox_the_attempts_would_succeed() {
    // Guards the tests above against attempts that fail for a reason of their own.
    let mut file = File::open("/etc/passwd").expect("opened");
    assert!(file.read(&mut [0; 1]).is_ok());
    assert!(fs::read_dir("/").is_ok());
    assert!(Command::new("/bin/true").status().is_ok());
    assert!(std::thread::Builder::new().spawn(|| ()).is_ok());
}
