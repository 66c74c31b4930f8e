//! Pages in a real browser: no complaint on the console, and what a reader does has its effect.
//!
//! `RIATA_SCREENSHOTS=folder cargo test -p riata-cli --test browser` leaves pictures to look at.

mod animate;
mod devtools;
mod pages;
mod serve;

use devtools::browser;
use std::path::{Path, PathBuf};

/// The models of these tests.
fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/models")
}

/// The browser itself: a page is opened, keys and the mouse arrive, complaints are heard.
#[test]
fn the_browser_is_driven() {
    let Some(mut browser) = browser() else { return };
    let page = "data:text/html,<button id=b onclick='n.value=+n.value+1'>b</button><input id=n value=0>\
                <script>onkeydown=e=>document.title=e.key</script>";
    let mut tab = browser.open(page, (400, 300));
    tab.click("#b");
    tab.click("#b");
    assert_eq!(tab.eval("n.value"), "2");
    tab.key("ArrowRight");
    assert_eq!(tab.eval("document.title"), "ArrowRight");
    assert_eq!((tab.text("#b"), tab.count("input")), ("b".to_string(), 1));
    assert!(tab.errors().is_empty());
    tab.eval("console.error('so it is')");
    assert!(tab.errors().iter().any(|e| e.contains("so it is")));
}
