//! What browser tests stand on: the program as people start it, a browser of their own, and words
//! for what a person does with a page.

use fantoccini::{Client, ClientBuilder, Locator, elements::Element};
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// How long a page may take to show what is waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// A process that ends with this value.
pub struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Asked first, so that the private server stops as well.
        let _ = Command::new("kill")
            .args(["-TERM", &self.0.id().to_string()])
            .status();
        for _ in 0..100 {
            if matches!(self.0.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// `pel serve` on its own data folder.
pub struct Service {
    /// Address it answers at.
    pub url: String,
    /// Everything it printed until it was ready.
    pub printed: Vec<String>,
    /// Its data folder.
    pub data: PathBuf,
    _process: Running,
    _folder: TempDir,
}

impl Service {
    /// Starts it with further arguments and waits until it says where it is.
    pub fn start(more: &[&str]) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("pel-browser-")
            .tempdir_in("/tmp")
            .unwrap();
        let data = folder.path().join("data");
        // Started as root, the private server runs as somebody else and must get to its folder.
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(folder.path(), mode).unwrap();
        let log = std::fs::File::create(folder.path().join("log")).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_pel"))
            .arg("serve")
            .args(["--listen", "127.0.0.1:0", "--data-dir"])
            .arg(&data)
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let process = Running(child);
        let mut printed = Vec::new();
        let url = loop {
            let Some(Ok(line)) = lines.next() else {
                let log = std::fs::read_to_string(folder.path().join("log")).unwrap_or_default();
                panic!("pel did not start: {printed:?}\n{log}");
            };
            printed.push(line.clone());
            if let Some(url) = line.strip_prefix("pel is ready at ") {
                break url.to_owned();
            }
        };
        // What follows the address on the same print.
        let (tell, hear) = std::sync::mpsc::channel();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|l| tell.send(l)));
        while let Ok(line) = hear.recv_timeout(Duration::from_millis(700)) {
            printed.push(line);
        }
        Self {
            url,
            printed,
            data,
            _process: process,
            _folder: folder,
        }
    }

    /// The one-time code for the first administrator.
    pub fn setup_code(&self) -> String {
        let line = self
            .printed
            .iter()
            .find(|l| l.contains("one-time code: "))
            .expect("a code is printed");
        line.rsplit(' ').next().unwrap().to_owned()
    }
}

/// chromedriver on a port of its own; one serves all the browsers of a test.
pub struct Driver {
    url: String,
    _process: Running,
}

impl Driver {
    pub async fn start() -> Self {
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let child = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed (scripts/test installs it)");
        let driver = Self {
            url: format!("http://127.0.0.1:{port}"),
            _process: Running(child),
        };
        for _ in 0..100 {
            if tokio::net::TcpStream::connect(("127.0.0.1", port))
                .await
                .is_ok()
            {
                return driver;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("chromedriver did not start");
    }

    /// A browser with nothing in it, speaking English.
    pub async fn browser(&self, service: &Service) -> Browser {
        let profile = tempfile::tempdir().unwrap();
        let args = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            // A page that glides under the pointer cannot be clicked.
            "--force-prefers-reduced-motion",
            "--window-size=1360,1800",
            "--lang=en-US",
            &format!("--user-data-dir={}", profile.path().display()),
        ];
        let wanted = serde_json::json!({ "goog:chromeOptions": { "args": args } });
        let serde_json::Value::Object(wanted) = wanted else {
            unreachable!("an object was written")
        };
        let client = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new())
            .capabilities(wanted)
            .connect(&self.url)
            .await
            .expect("chromium starts");
        Browser {
            client,
            base: service.url.clone(),
            _profile: profile,
        }
    }
}

/// A person at a browser.
pub struct Browser {
    pub client: Client,
    base: String,
    _profile: TempDir,
}

impl Browser {
    /// Opens a path of the service.
    pub async fn open(&self, path: &str) {
        let url = if path.starts_with("http") {
            path.to_owned()
        } else {
            format!("{}{path}", self.base)
        };
        self.client.goto(&url).await.unwrap();
    }

    /// The path that is open.
    pub async fn path(&self) -> String {
        let url = self.client.current_url().await.unwrap();
        url.path().to_owned()
    }

    /// The element, as soon as it is there.
    pub async fn find(&self, css: &str) -> Element {
        match self
            .client
            .wait()
            .at_most(PATIENCE)
            .for_element(Locator::Css(css))
            .await
        {
            Ok(element) => element,
            Err(error) => panic!(
                "{css} is not on {}: {error}\n{}",
                self.path().await,
                self.text().await
            ),
        }
    }

    /// Types into a field, in place of what stood there.
    pub async fn fill(&self, css: &str, text: &str) {
        let field = self.find(css).await;
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    /// Sets a field whose typing depends on the browser's locale, such as a date.
    pub async fn set(&self, css: &str, value: &str) {
        let script = "document.querySelector(arguments[0]).value = arguments[1]";
        self.find(css).await;
        self.client
            .execute(script, vec![css.into(), value.into()])
            .await
            .unwrap();
    }

    /// Chooses an option of a select by its value.
    pub async fn choose(&self, css: &str, value: &str) {
        self.find(css).await.select_by_value(value).await.unwrap();
    }

    /// Ticks a box, if it is not ticked.
    pub async fn tick(&self, css: &str) {
        let field = self.find(css).await;
        if !field.is_selected().await.unwrap() {
            self.click_on(field).await;
        }
    }

    /// Clicks.
    pub async fn click(&self, css: &str) {
        let element = self.find(css).await;
        self.click_on(element).await;
    }

    async fn click_on(&self, element: Element) {
        element.click().await.unwrap();
    }

    /// Waits until the page is another than `path`: a click returns before its form is answered, and
    /// what is opened meanwhile would be overtaken by the answer.
    pub async fn leave(&self, path: &str) {
        let end = std::time::Instant::now() + PATIENCE;
        while self.path().await == path {
            assert!(
                std::time::Instant::now() < end,
                "still on {path}:\n{}",
                self.text().await
            );
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }

    /// Clicks the link or button with these words.
    pub async fn press(&self, words: &str) {
        let quoted = format!("'{words}'");
        let xpath = format!(
            "//button[contains(normalize-space(.), {quoted}) and not(@aria-hidden)] | //a[contains(normalize-space(.), {quoted})]"
        );
        let found = self
            .client
            .wait()
            .at_most(PATIENCE)
            .for_element(Locator::XPath(&xpath))
            .await;
        let Ok(element) = found else {
            panic!(
                "nothing to press says {words:?} on {}:\n{}",
                self.path().await,
                self.text().await
            )
        };
        self.click_on(element).await;
    }

    /// The words on the page; none while it gives way to the next one.
    pub async fn text(&self) -> String {
        match self.client.find(Locator::Css("body")).await {
            Ok(body) => body.text().await.unwrap_or_default(),
            Err(_) => String::new(),
        }
    }

    /// Waits until the page says this, reloading nothing.
    pub async fn wait_for(&self, words: &str) {
        let begun = std::time::Instant::now();
        while begun.elapsed() < PATIENCE {
            if self.text().await.contains(words) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(150)).await;
        }
        panic!(
            "{} never says {words:?}:\n{}",
            self.path().await,
            self.text().await
        );
    }

    /// Hands files to a file field, as a person chooses them.
    pub async fn hand_in(&self, css: &str, files: &[&Path]) {
        let names: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
        self.find(css)
            .await
            .send_keys(&names.join("\n"))
            .await
            .unwrap();
    }

    async fn xfind(&self, xpath: &str) -> Element {
        match self
            .client
            .wait()
            .at_most(PATIENCE)
            .for_element(Locator::XPath(xpath))
            .await
        {
            Ok(element) => element,
            Err(error) => panic!(
                "{xpath} is not on {}: {error}\n{}",
                self.path().await,
                self.text().await
            ),
        }
    }

    /// Clicks what the path through the page leads to.
    pub async fn xclick(&self, xpath: &str) {
        let element = self.xfind(xpath).await;
        self.click_on(element).await;
    }

    /// Ticks the box that the path through the page leads to, if it is not ticked.
    pub async fn xtick(&self, xpath: &str) {
        let element = self.xfind(xpath).await;
        if !element.is_selected().await.unwrap() {
            self.click_on(element).await;
        }
    }

    /// Unfolds what the path through the page leads to, if it is folded.
    pub async fn xopen(&self, xpath: &str) {
        let element = self.xfind(xpath).await;
        if element.attr("open").await.unwrap().is_none() {
            self.xclick(&format!("{xpath}/summary")).await;
        }
    }

    /// Chooses the option of a select that begins with these words.
    pub async fn press_option(&self, css: &str, words: &str) {
        let select = self.find(css).await;
        let options = select.find_all(Locator::Css("option")).await.unwrap();
        for option in options {
            if option.text().await.unwrap().trim().starts_with(words) {
                let value = option.prop("value").await.unwrap().unwrap_or_default();
                select.select_by_value(&value).await.unwrap();
                return;
            }
        }
        panic!(
            "{css} on {} offers nothing called {words:?}",
            self.path().await
        );
    }

    /// Opens a page and counts such elements on it.
    pub async fn count(&self, path: &str, css: &str) -> usize {
        self.open(path).await;
        self.client.find_all(Locator::Css(css)).await.unwrap().len()
    }

    /// Waits until this path is open.
    pub async fn wait_for_path(&self, path: &str) {
        let begun = std::time::Instant::now();
        while self.path().await != path {
            assert!(
                begun.elapsed() < PATIENCE,
                "still at {}:\n{}",
                self.path().await,
                self.text().await
            );
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Waits on the open case page, reloading nothing, until this many items are there and none
    /// is being read any more.
    pub async fn wait_until_read(&self, items: usize) {
        let script =
            "return [...document.querySelectorAll('article.card > header')].map(h => h.innerText)";
        let begun = std::time::Instant::now();
        loop {
            let heads: Vec<String> =
                serde_json::from_value(self.client.execute(script, vec![]).await.unwrap()).unwrap();
            let done = heads.iter().all(|h| h.contains("usable"));
            if heads.len() >= items && done {
                return;
            }
            assert!(begun.elapsed() < PATIENCE * 2, "not all read: {heads:?}");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// Signs in.
    pub async fn sign_in(&self, login: &str, password: &str) {
        self.open("/signin").await;
        self.fill("#login", login).await;
        self.fill("#password", password).await;
        self.click("form button.first").await;
        self.find("header.top").await;
    }

    /// Keeps a picture of the page when `PEL_SCREENS` names a folder for them.
    pub async fn picture(&self, name: &str) {
        if let Some(folder) = std::env::var_os("PEL_SCREENS") {
            std::fs::create_dir_all(&folder).unwrap();
            let picture = self.client.screenshot().await.unwrap();
            std::fs::write(Path::new(&folder).join(format!("{name}.png")), picture).unwrap();
        }
    }

    /// Closes the browser.
    pub async fn close(self) {
        self.client.close().await.unwrap();
    }
}
