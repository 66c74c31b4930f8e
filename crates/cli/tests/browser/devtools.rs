//! A browser without a window, driven through its DevTools protocol.
//!
//! Messages are JSON objects, each ended by a zero byte, on two pipes (`--remote-debugging-pipe`): the browser reads file
//! descriptor 3 and writes 4, which a shell connects to its standard input and output. So there is no port, no socket and
//! no crate, and the browser ends when the pipe is closed, however the test ends.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How long the browser may take for anything before the test fails: long, for machines are busy.
const PATIENCE: Duration = Duration::from_secs(90);

/// Names under which the browser may be installed; `RIATA_BROWSER` comes before them.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// A browser that runs.
pub struct Browser {
    input: ChildStdin,
    messages: Receiver<Value>,
    /// The number of the last call.
    last: u64,
    /// What came while something else was awaited.
    events: Vec<Value>,
}

/// The browser of all tests of this binary: they take turns. `None` if there is none on this machine, which is said
/// loudly, and is a failure where `CI` is `true`.
pub fn browser() -> Option<MutexGuard<'static, Browser>> {
    static ONE: OnceLock<Option<Mutex<Browser>>> = OnceLock::new();
    let one = ONE.get_or_init(|| Some(Mutex::new(Browser::start(&installed()?))));
    if one.is_none() {
        let message = "NOT RUN: there is no browser. Install chromium, or set RIATA_BROWSER to one like it.";
        assert!(std::env::var("CI").as_deref() != Ok("true"), "{message}");
        // Written past the test harness, which keeps what `eprintln!` says of a test that passes.
        let _ = writeln!(std::io::stderr().lock(), "\n*** {message}\n");
    }
    one.as_ref().map(|b| b.lock().unwrap_or_else(PoisonError::into_inner))
}

fn installed() -> Option<PathBuf> {
    if let Some(given) = std::env::var_os("RIATA_BROWSER") {
        return Some(given.into());
    }
    let path = std::env::var_os("PATH")?;
    let found = |name: &str| std::env::split_paths(&path).map(|p| p.join(name)).find(|p| p.is_file());
    NAMES.into_iter().find_map(found)
}

/// A folder for what the browser writes. Those of earlier runs are removed.
fn profile() -> PathBuf {
    let all = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for entry in std::fs::read_dir(all).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let owner = name.strip_prefix("browser-");
        if owner.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
    all.join(format!("browser-{}", std::process::id()))
}

impl Browser {
    fn start(program: &Path) -> Browser {
        let mut shell = Command::new("sh");
        shell.args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#]).arg(program);
        shell.args(["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu"]);
        shell.args([
            "--no-first-run",
            "--disable-dev-shm-usage",
            "--disable-extensions",
            "--hide-scrollbars",
        ]);
        shell.args(["--disable-background-networking", "--disable-component-update", "--mute-audio"]);
        shell.arg(format!("--user-data-dir={}", profile().display()));
        let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a shell");
        let (input, output) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let (send, messages) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut bytes = Vec::new();
            while output.read_until(0, &mut bytes).is_ok_and(|n| n > 0) {
                bytes.pop();
                let Ok(message) = serde_json::from_slice(&bytes) else { break };
                if send.send(message).is_err() {
                    break;
                }
                bytes.clear();
            }
            let _ = child.wait();
        });
        let mut browser = Browser { input, messages, last: 0, events: Vec::new() };
        let version = browser.call(None, "Browser.getVersion", &json!({}));
        eprintln!("browser: {}", version["product"].as_str().unwrap_or("?"));
        browser
    }

    /// The next message, if one comes in time.
    fn receive(&mut self, until: Instant) -> Option<Value> {
        self.messages.recv_timeout(until.saturating_duration_since(Instant::now())).ok()
    }

    /// Calls a method of the protocol, and waits for what it returns.
    fn call(&mut self, session: Option<&str>, method: &str, params: &Value) -> Value {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.input.write_all(&bytes).and_then(|()| self.input.flush()).expect("the browser listens");
        let until = Instant::now() + PATIENCE;
        loop {
            let Some(message) = self.receive(until) else { panic!("{method}: the browser does not answer") };
            if message["id"] != self.last {
                self.events.push(message);
                continue;
            }
            assert!(message["error"].is_null(), "{method}: {}", message["error"]);
            return message["result"].clone();
        }
    }

    /// Opens a page of this size in pixels, and waits until it is loaded.
    pub fn open(&mut self, url: &str, (width, height): (u32, u32)) -> Tab<'_> {
        self.events.clear();
        let target = self.call(None, "Target.createTarget", &json!({ "url": "about:blank" }));
        let target = target["targetId"].as_str().unwrap_or_default().to_string();
        let attached =
            self.call(None, "Target.attachToTarget", &json!({ "targetId": target, "flatten": true }));
        let session = attached["sessionId"].as_str().unwrap_or_default().to_string();
        let mut tab = Tab { browser: self, session, target, seen: Vec::new() };
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            tab.call(domain, &json!({}));
        }
        tab.size(width, height);
        tab.go(url);
        tab
    }
}

/// An open page.
pub struct Tab<'b> {
    browser: &'b mut Browser,
    session: String,
    target: String,
    /// Events so far.
    seen: Vec<Value>,
}

impl Tab<'_> {
    fn call(&mut self, method: &str, params: &Value) -> Value {
        let session = self.session.clone();
        let result = self.browser.call(Some(&session), method, params);
        self.seen.append(&mut self.browser.events);
        result
    }

    /// Goes to another page, and waits until it is loaded.
    pub fn go(&mut self, url: &str) {
        self.seen.retain(|e| e["method"] != "Page.loadEventFired");
        let went = self.call("Page.navigate", &json!({ "url": url }));
        assert!(went["errorText"].is_null(), "{url}: {}", went["errorText"]);
        let until = Instant::now() + PATIENCE;
        while !self.seen.iter().any(|e| e["method"] == "Page.loadEventFired") {
            let Some(event) = self.browser.receive(until) else { panic!("{url} is not loaded") };
            self.seen.push(event);
        }
    }

    /// Changes the size of the page.
    pub fn size(&mut self, width: u32, height: u32) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", &metrics);
    }

    /// Says whether the reader likes dark pages.
    pub fn dark(&mut self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": value }]);
        self.call("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    /// The value of an expression in the page, promises awaited.
    pub fn eval(&mut self, expression: &str) -> Value {
        let what = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let done = self.call("Runtime.evaluate", &what);
        let thrown = &done["exceptionDetails"];
        assert!(thrown.is_null(), "{expression}: {thrown}");
        done["result"]["value"].clone()
    }

    /// The text of an element as it is seen; the selector is CSS.
    pub fn text(&mut self, selector: &str) -> String {
        let found = self.eval(&format!("document.querySelector({selector:?})?.innerText"));
        found.as_str().unwrap_or_else(|| panic!("there is no {selector}")).to_string()
    }

    /// How many elements there are.
    pub fn count(&mut self, selector: &str) -> u64 {
        self.eval(&format!("document.querySelectorAll({selector:?}).length")).as_u64().unwrap_or(0)
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, expression: &str) {
        let until = Instant::now() + PATIENCE;
        while self.eval(expression) != true {
            assert!(Instant::now() < until, "{expression} does not come true; {:?}", self.errors());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until what was asked for is drawn. What a key or a click does in the page itself is done without it.
    pub fn settle(&mut self) {
        self.eval("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r))).then(() => true)");
    }

    /// Presses a key: its name in the DOM, such as `ArrowRight` or `n`.
    pub fn key(&mut self, key: &str) {
        let mut down = json!({ "type": "keyDown", "key": key });
        if key.chars().count() == 1 {
            down["text"] = key.into();
        }
        self.call("Input.dispatchKeyEvent", &down);
        self.call("Input.dispatchKeyEvent", &json!({ "type": "keyUp", "key": key }));
    }

    /// Types a text where the focus is.
    pub fn type_text(&mut self, text: &str) {
        self.call("Input.insertText", &json!({ "text": text }));
    }

    /// Clicks with the mouse on the middle of an element.
    pub fn click(&mut self, selector: &str) {
        let place = self.eval(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); if (!e) return null; \
             e.scrollIntoView({{ block: 'nearest' }}); const r = e.getBoundingClientRect(); \
             return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        ));
        assert!(place.is_array(), "there is no {selector}");
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", &event);
        }
    }

    /// What the page complained of: exceptions, errors and warnings on the console, what was refused.
    pub fn errors(&mut self) -> Vec<String> {
        // What is under way comes before the answer to this.
        self.eval("0");
        let complaint = |e: &Value| {
            let p = &e["params"];
            match e["method"].as_str()? {
                "Runtime.exceptionThrown" => Some(p["exceptionDetails"].to_string()),
                "Runtime.consoleAPICalled" => {
                    matches!(p["type"].as_str(), Some("error" | "warning" | "assert"))
                        .then(|| p["args"].to_string())
                }
                "Log.entryAdded" => {
                    let entry = &p["entry"];
                    matches!(entry["level"].as_str(), Some("error" | "warning")).then(|| entry.to_string())
                }
                _ => None,
            }
        };
        self.seen.iter().filter_map(complaint).collect()
    }

    /// Writes a picture of what is seen to the folder that `RIATA_SCREENSHOTS` names; nothing without it.
    pub fn screenshot(&mut self, name: &str) {
        let Some(folder) = std::env::var_os("RIATA_SCREENSHOTS") else { return };
        self.settle();
        let picture = self.call("Page.captureScreenshot", &json!({ "format": "png" }));
        let bytes = base64(picture["data"].as_str().unwrap_or_default());
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(Path::new(&folder).join(format!("{name}.png")), bytes).expect("a picture");
    }
}

impl Drop for Tab<'_> {
    fn drop(&mut self) {
        // A test that fails has other things to say.
        if !std::thread::panicking() {
            let target = self.target.clone();
            self.browser.call(None, "Target.closeTarget", &json!({ "targetId": target }));
        }
    }
}

/// The bytes of a text in base 64.
fn base64(text: &str) -> Vec<u8> {
    let digit = |b: u8| match b {
        b'A'..=b'Z' => Some(u32::from(b - b'A')),
        b'a'..=b'z' => Some(u32::from(b - b'a') + 26),
        b'0'..=b'9' => Some(u32::from(b - b'0') + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let (mut bytes, mut held, mut bits) = (Vec::with_capacity(text.len() * 3 / 4), 0u32, 0);
    for d in text.bytes().filter_map(digit) {
        (held, bits) = (held << 6 | d, bits + 6);
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    bytes
}
