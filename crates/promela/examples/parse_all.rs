//! Parses every model in the given directories and says which fail, and how long the slowest took.
//!
//! `cargo run -p riata-promela --example parse_all -- DIR…`; `--print` before a file prints its tree instead.

use riata_promela::{NoFiles, Options, Parsed, parse, print};
use std::path::{Path, PathBuf};
use std::time::Instant;

fn models(place: &Path) -> std::io::Result<Vec<PathBuf>> {
    if place.is_file() {
        return Ok(vec![place.to_path_buf()]);
    }
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(place)?.filter_map(|e| e.ok().map(|e| e.path())).collect();
    let known = |p: &PathBuf| {
        p.extension().and_then(|e| e.to_str()).is_some_and(|e| ["pml", "promela", "prom", "pm"].contains(&e))
    };
    files.retain(known);
    files.sort();
    Ok(files)
}

fn tell(path: &Path, parsed: &Parsed) {
    for d in &parsed.diagnostics {
        let place = parsed.sources.locate(d.span);
        println!(
            "{}: {}:{}:{}: {:?}: {}",
            path.display(),
            place.file,
            place.line,
            place.column,
            d.severity,
            d.message
        );
    }
}

fn main() -> std::io::Result<()> {
    let (mut total, mut failed, mut slowest) = (0, 0, (0.0, PathBuf::new()));
    let mut printing = false;
    for place in std::env::args().skip(1) {
        if place == "--print" {
            printing = true;
            continue;
        }
        for path in models(Path::new(&place))? {
            let text = std::fs::read(&path)?;
            let begin = Instant::now();
            let mut files = |path: &str| std::fs::read(path);
            let parsed = parse(&path.to_string_lossy(), &text, &Options::default(), &mut files);
            let seconds = begin.elapsed().as_secs_f64();
            if seconds > slowest.0 {
                slowest = (seconds, path.clone());
            }
            let text = print(&parsed.model);
            if printing {
                print!("{text}");
                std::process::exit(i32::from(parsed.failed()));
            }
            if !parsed.failed() {
                let again = parse("printed", text.as_bytes(), &Options::default(), &mut NoFiles);
                if again.failed() || print(&again.model) != text {
                    println!("{}: printing does not give the same tree", path.display());
                    tell(&path, &again);
                    failed += 1;
                }
            }
            total += 1;
            failed += usize::from(parsed.failed());
            tell(&path, &parsed);
        }
    }
    println!(
        "{total} models, {failed} with errors; slowest {:.1} ms: {}",
        slowest.0 * 1e3,
        slowest.1.display()
    );
    std::process::exit(i32::from(failed > 0));
}
