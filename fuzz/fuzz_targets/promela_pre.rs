//! Any files: preprocessing them ends, with messages that have places; and reading the preprocessed text gives the
//! tree that reading the files gives. The files are the parts of the input between zero bytes: the model, then
//! those that it can include as "0", "1" and so on.
//!
//! `cargo +nightly fuzz run promela_pre -- -dict=fuzz_targets/promela.dict`

#![no_main]

use libfuzzer_sys::fuzz_target;
use riata_promela::{Define, NoFiles, Options, parse, preprocess, print};

fuzz_target!(|data: &[u8]| {
    let mut parts = data.split(|&b| b == 0);
    let model = parts.next().unwrap_or_default();
    let included: Vec<&[u8]> = parts.collect();
    let mut files = |path: &str| {
        let number: Option<usize> = path.rsplit('/').next().and_then(|n| n.parse().ok());
        match number.and_then(|n| included.get(n)) {
            Some(text) => Ok(text.to_vec()),
            None => Err(std::io::ErrorKind::NotFound.into()),
        }
    };
    let options = Options { defines: vec![Define::Define("N=3".into())], includes: vec!["inc".into()] };
    let (text, wrong) = preprocess("m", model, &options, &mut files);
    assert!(wrong.iter().all(|d| !d.message.is_empty()));
    let parsed = parse("m", model, &options, &mut files);
    if parsed.failed() || text.lines().any(|line| line.trim_start().starts_with('#')) {
        return;
    }
    let again = parse("preprocessed", text.as_bytes(), &Options::default(), &mut NoFiles);
    assert!(!again.failed(), "{:?} in\n{text}", again.diagnostics);
    assert_eq!(print(&again.model), print(&parsed.model));
});
