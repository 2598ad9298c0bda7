//! One upload of 1 GB to a running `pel serve`, over HTTP as a browser sends it, against a plain
//! synced copy and `sha256sum` of the same file: whichever of the two is slower is the reference,
//! because an upload that is kept has to do both.

use crate::measure::{forget_high_water, high_water, line, median, spent};
use crate::report::{Line, Unit};
use crate::seed::{self, Ready};
use anyhow::{Context as _, ensure};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const BOUNDARY: &str = "--------------------------a-bound-measured";

pub fn run(quick: bool) -> anyhow::Result<Vec<Line>> {
    let (bytes, rounds) = if quick {
        (100_000_000, 1)
    } else {
        (1_000_000_000, 5)
    };
    let folder = seed::folder()?;
    let file = folder.path().join("upload.bin");
    write_noise(&file, bytes)?;
    let data = folder.path().join("data");
    let server = Server::start(&data)?;
    let ready = seed::runtime()?.block_on(seed::upload(&data))?;
    let copy = folder.path().join("copy.bin");
    let words = ["sh", "-c", "cp \"$1\" \"$2\" && sync \"$2\"", "sh"].map(OsStr::new);
    let copying = line([
        words[0],
        words[1],
        words[2],
        words[3],
        file.as_os_str(),
        copy.as_os_str(),
    ]);
    let hashing = line([OsStr::new("sha256sum"), file.as_os_str()]);
    let (mut ours, mut copies, mut hashes) = (Vec::new(), Vec::new(), Vec::new());
    let mut memory = 0.0f64;
    for round in 0..rounds {
        change(&file, round)?;
        forget_high_water(server.child.id())?;
        let taken = send(&server.address, &ready, &file)?;
        memory = memory.max(high_water(server.child.id()).context("the server is gone")?);
        remove_blobs(&data.join("blobs"))?;
        let copied = spent(&copying, None)?.real;
        fs::remove_file(&copy)?;
        let hashed = spent(&hashing, None)?.real;
        eprintln!(
            "round {round}: upload {taken:.2} s, copy {copied:.2} s, sha256sum {hashed:.2} s"
        );
        ours.push(taken);
        copies.push(copied);
        hashes.push(hashed);
    }
    let reference = median(&copies).max(median(&hashes));
    Ok(vec![
        Line::at_most(
            "upload of 1 GB, time",
            median(&ours),
            reference,
            1.3,
            Unit::Seconds,
        ),
        Line::limit("  memory of the server", memory, 150e6, Unit::Bytes),
    ])
}

/// Bytes that no disk or file system makes shorter.
fn write_noise(path: &Path, bytes: u64) -> anyhow::Result<()> {
    let mut out = io::BufWriter::with_capacity(1 << 20, File::create(path)?);
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    for _ in 0..bytes / 8 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        out.write_all(&state.to_le_bytes())?;
    }
    out.into_inner()?.sync_all()?;
    Ok(())
}

/// Bytes that are known already are not written again, so every round sends others.
fn change(path: &Path, round: u64) -> anyhow::Result<()> {
    let mut file = File::options().write(true).open(path)?;
    file.rewind()?;
    file.write_all(&round.to_le_bytes())?;
    file.sync_all()?;
    Ok(())
}

/// Sends the file as a form; seconds until the answer is there.
fn send(address: &str, ready: &Ready, path: &Path) -> anyhow::Result<f64> {
    let mut file = File::open(path)?;
    let before = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"files\"; filename=\"trace.bin\"\r\n\
         Content-Type: application/octet-stream\r\n\r\n"
    );
    let after = format!("\r\n--{BOUNDARY}--\r\n");
    let length = before.len() as u64 + file.metadata()?.len() + after.len() as u64;
    let head = format!(
        "POST {}/evidence HTTP/1.1\r\nHost: {address}\r\nCookie: pel={}\r\nSec-Fetch-Site: same-origin\r\n\
         Content-Type: multipart/form-data; boundary={BOUNDARY}\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n",
        ready.run_path, ready.token
    );
    let begun = Instant::now();
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(head.as_bytes())?;
    stream.write_all(before.as_bytes())?;
    // The kernel sends the file by itself: the client takes next to nothing.
    io::copy(&mut file, &mut stream).context("the server broke the upload off")?;
    stream.write_all(after.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let taken = begun.elapsed().as_secs_f64();
    ensure!(
        answer.starts_with("HTTP/1.1 303 "),
        "the upload was not kept: {answer}"
    );
    Ok(taken)
}

fn remove_blobs(root: &Path) -> anyhow::Result<()> {
    let mut removed = 0;
    for shelf in fs::read_dir(root)? {
        for blob in fs::read_dir(shelf?.path())? {
            fs::remove_file(blob?.path())?;
            removed += 1;
        }
    }
    ensure!(removed == 1, "{removed} blobs after one upload");
    Ok(())
}

/// A running `pel serve`, asked to stop when dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(data: &Path) -> anyhow::Result<Self> {
        let mut child = Command::new(crate::measure::pel())
            .args([
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--workers",
                "0",
                "--log",
                "warn",
                "--data-dir",
            ])
            .arg(data)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let out = child.stdout.take().context("no standard output")?;
        let mut server = Self {
            child,
            address: String::new(),
        };
        let mut lines = BufReader::new(out).lines();
        let first = lines
            .next()
            .context("pel serve ended before it was ready")??;
        let address = first
            .rsplit("http://")
            .next()
            .filter(|a| first.contains("http://") && !a.is_empty());
        server.address = address
            .with_context(|| format!("no address in {first:?}"))?
            .to_owned();
        // What it says later is taken away, so that it never waits for us.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let pid = rustix::process::Pid::from_child(&self.child);
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        for _ in 0..300 {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
