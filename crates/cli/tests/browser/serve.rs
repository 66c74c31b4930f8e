//! `riata explore --serve`: a model is walked by hand on a local page, and nobody else comes in.

use crate::devtools::browser;
use crate::models;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A server that runs, and its address.
struct Served {
    child: Child,
    /// `http://127.0.0.1:PORT/TOKEN/`
    url: String,
}

impl Served {
    fn start(args: &[&str]) -> Served {
        let mut riata = Command::new(env!("CARGO_BIN_EXE_riata"));
        riata.current_dir(models()).arg("explore").args(args).arg("--serve").stdout(Stdio::piped());
        let mut child = riata.spawn().expect("riata");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("an address");
        let url = line.split_whitespace().find(|w| w.starts_with("http://")).expect("an address").to_string();
        Served { child, url }
    }

    /// `127.0.0.1:PORT` and `/TOKEN/`.
    fn parts(&self) -> (&str, &str) {
        let rest = self.url.strip_prefix("http://").expect("an address");
        rest.split_at(rest.find('/').expect("a path"))
    }

    /// The first line of the answer to a request, and its body.
    fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> (String, String) {
        let mut stream = TcpStream::connect(self.parts().0).expect("somebody who listens");
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        (head.lines().next().unwrap_or_default().to_string(), body.to_string())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn who_has_no_token_is_refused() {
    let served = Served::start(&["post.pml"]);
    let (host, path) = served.parts();
    assert!(host.starts_with("127.0.0.1:") && path.len() == 34, "{}", served.url);
    let named = format!("Host: {host}\r\n");
    let status = |method: &str, path: &str, headers: &str| served.ask(method, path, headers, "{}").0;
    assert!(status("GET", path, &named).contains(" 200 "));
    let wrong = format!("/{}/", "0".repeat(32));
    for other in ["/", "/act", &wrong, &format!("{wrong}act"), "/favicon.ico"] {
        assert!(status("GET", other, &named).contains(" 403 "), "{other}");
        assert!(status("POST", other, &named).contains(" 403 "), "{other}");
    }
    let act = format!("{path}act");
    assert!(status("POST", &act, &named).contains(" 200 "));
    assert!(status("POST", &act, "Host: evil.example\r\n").contains(" 421 "));
    assert!(status("GET", path, "Host: evil.example:80\r\n").contains(" 421 "));
    let foreign = format!("{named}Origin: http://evil.example\r\n");
    assert!(status("POST", &act, &foreign).contains(" 403 "));
    // What is no wish is told, and nothing ends.
    for bad in ["", "[", "[]", r#"{"take":99,"at":0}"#, r#"{"take":-1,"at":0}"#, r#"{"until":"((","at":0}"#] {
        let (status, body) = served.ask("POST", &act, &named, bad);
        assert!(status.contains(" 200 ") && body.contains("\"error\""), "{bad}: {status} {body}");
    }
    // An act of somebody who has seen less does nothing.
    let moved = served.ask("POST", &act, &named, r#"{"take":0,"at":0}"#).1;
    assert!(moved.contains("\"steps\":1"), "{moved}");
    let late = served.ask("POST", &act, &named, r#"{"take":0,"at":0}"#).1;
    assert!(late.contains("\"steps\":1") && late.contains("had gone on"), "{late}");
}

#[test]
fn a_model_is_walked_by_hand() {
    let Some(mut browser) = browser() else { return };
    let mut served = Served::start(&["post.pml"]);
    let mut tab = browser.open(&served.url, (1280, 900));
    tab.wait("document.querySelectorAll('.choice').length > 0");
    let at = "document.querySelector('#where').dataset.at";
    tab.click(".choice[data-choice='0']");
    tab.wait(&format!("{at} === '1'"));
    let first = tab.text("#steps .step[data-row='1'] .statement");
    tab.key("0");
    tab.wait(&format!("{at} === '2'"));
    // Back, and the same again.
    let before = tab.text("#state");
    tab.key("Backspace");
    tab.wait(&format!("{at} === '1'"));
    tab.key("0");
    tab.wait(&format!("{at} === '2'"));
    assert_eq!(tab.text("#state"), before);
    assert_eq!(tab.text("#steps .step[data-row='1'] .statement"), first);
    // By chance, until something holds, and back to a state.
    tab.click("#random");
    tab.wait(&format!("{at} === '12'"));
    tab.screenshot("walk-1280-light");
    tab.eval("document.querySelector('#until').value = 'passed == 2'; 0");
    tab.click("#rununtil");
    tab.wait(&format!("Number({at}) > 12"));
    tab.wait("document.querySelector('#state [data-name=passed] .value').firstChild.textContent === '2'");
    tab.eval("document.querySelector('#until').value = '((('; 0");
    tab.click("#rununtil");
    tab.wait("document.querySelector('#says').textContent !== ''");
    tab.click("#goto");
    tab.wait(&format!("{at} === '10'"));
    tab.click("#restart");
    tab.wait(&format!("{at} === '0'"));
    tab.size(400, 800);
    tab.dark(true);
    tab.screenshot("walk-400-dark");
    assert!(tab.eval("document.documentElement.scrollWidth").as_u64().is_some_and(|w| w <= 400));
    let errors = tab.errors();
    assert!(errors.is_empty(), "{errors:?}");
    // Ctrl-C ends it, and that is how it is meant.
    let pid = served.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill").success());
    assert_eq!(served.child.wait().expect("an end").code(), Some(0));
    tab.key("0");
    tab.wait("document.querySelector('#says').textContent.includes('has ended')");
}

#[test]
fn models_of_every_kind_are_walked() {
    let Some(mut browser) = browser() else { return };
    for model in ["lift.dve", "lock.smv", "toggle.aag", "light.hoa"] {
        let served = Served::start(&[model]);
        let mut tab = browser.open(&served.url, (1280, 900));
        // Some begin before the first state.
        for _ in 0..3 {
            tab.wait("document.querySelectorAll('.choice').length > 0");
            let old = tab.eval("String(document.querySelector('#where').dataset.at)");
            tab.click(".choice[data-choice='0']");
            tab.wait(&format!(
                "String(document.querySelector('#where').dataset.at) !== '{}'",
                old.as_str().unwrap_or("")
            ));
        }
        assert!(tab.count("#state .variable") > 0, "{model}");
        tab.screenshot(&format!("walk-{}-1280-light", model.replace('.', "-")));
        let errors = tab.errors();
        assert!(errors.is_empty(), "{model}: {errors:?}");
    }
}
