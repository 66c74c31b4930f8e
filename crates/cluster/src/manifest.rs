//! The manifest of a checkpoint: whose it is, what is committed, and a checksum. A text, for people who wonder what it is.
//!
//! ```text
//! riata checkpoint 1
//! version 0.1.0
//! search 5e0c…
//! process 0 of 2
//! commit levels 12 bytes 4567 hash 90ab… kept 0000002a…
//! checksum 77f1…
//! ```

use crate::bfs::Found;
use crate::checkpoint::Kept;
use crate::note::Counts;
use std::fmt::Write;
use std::str::FromStr;

/// Whose a checkpoint is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whose {
    /// The version of the program that wrote it.
    pub version: String,
    /// What is searched, and for what: a hash.
    pub search: blake3::Hash,
    /// Which of the processes.
    pub process: usize,
    /// How many there are.
    pub processes: usize,
}

impl Whose {
    /// Can `now` go on with it?
    pub fn same(&self, now: &Whose) -> Result<(), String> {
        if self.version != now.version {
            return Err(format!(
                "the checkpoint was written by version {}, and this is {}",
                self.version, now.version
            ));
        }
        if self.search != now.search {
            return Err(
                "the checkpoint is one of another model, of another property, or of other options".into()
            );
        }
        if self.processes != now.processes {
            return Err(format!(
                "the checkpoint was written by {}, and there are {} now",
                counted(self.processes),
                now.processes
            ));
        }
        if self.process != now.process {
            return Err(format!("the checkpoint is that of process {}, not {}", self.process, now.process));
        }
        Ok(())
    }
}

fn counted(processes: usize) -> String {
    if processes == 1 { "1 process".into() } else { format!("{processes} processes") }
}

/// What is committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// So many levels.
    pub levels: usize,
    /// So many bytes of the file.
    pub length: u64,
    /// Their hash.
    pub hash: blake3::Hash,
    /// What else is kept.
    pub kept: Kept,
}

/// The manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// Whose it is.
    pub whose: Whose,
    /// The last commits, the last one last.
    pub commits: Vec<Commit>,
}

const TITLE: &str = "riata checkpoint 1";

impl Manifest {
    /// As text.
    pub fn text(&self) -> String {
        let w = &self.whose;
        let mut text = format!(
            "{TITLE}\nversion {}\nsearch {}\nprocess {} of {}\n",
            w.version, w.search, w.process, w.processes
        );
        for c in &self.commits {
            let kept: String = kept_words(&c.kept).iter().map(|w| format!("{w:08x}")).collect();
            let _ =
                writeln!(text, "commit levels {} bytes {} hash {} kept {kept}", c.levels, c.length, c.hash);
        }
        let checksum = blake3::hash(text.as_bytes());
        let _ = writeln!(text, "checksum {checksum}");
        text
    }

    /// Reads the text.
    pub fn read(text: &str) -> Result<Manifest, &'static str> {
        if !text.starts_with(TITLE) {
            return Err("it is no manifest");
        }
        let body = text.trim_end_matches('\n').rfind('\n').map_or("", |end| &text[..=end]);
        let checksum = text[body.len()..].strip_prefix("checksum ").ok_or("it has no checksum")?;
        if blake3::Hash::from_hex(checksum.trim()).ok() != Some(blake3::hash(body.as_bytes())) {
            return Err("its checksum is wrong");
        }
        read_body(body).ok_or("it cannot be understood")
    }
}

fn read_body(body: &str) -> Option<Manifest> {
    let mut lines = body.lines().skip(1);
    let version = lines.next()?.strip_prefix("version ")?.to_string();
    let search = blake3::Hash::from_hex(lines.next()?.strip_prefix("search ")?).ok()?;
    let (process, processes) = lines.next()?.strip_prefix("process ")?.split_once(" of ")?;
    let whose = Whose { version, search, process: process.parse().ok()?, processes: processes.parse().ok()? };
    Some(Manifest { whose, commits: lines.map(commit).collect::<Option<_>>()? })
}

fn commit(line: &str) -> Option<Commit> {
    let words: Vec<&str> = line.split(' ').collect();
    let after = |name: &str| words.iter().position(|w| *w == name).and_then(|i| words.get(i + 1).copied());
    let number = |name: &str| u64::from_str(after(name)?).ok();
    let kept = after("kept")?;
    let kept = (0..kept.len()).step_by(8).map(|i| u32::from_str_radix(kept.get(i..i + 8)?, 16).ok());
    Some(Commit {
        levels: number("levels")? as usize,
        length: number("bytes")?,
        hash: blake3::Hash::from_hex(after("hash")?).ok()?,
        kept: read_kept(&kept.collect::<Option<Vec<u32>>>()?)?,
    })
}

fn kept_words(kept: &Kept) -> Vec<u32> {
    let mut words = kept.counts.words();
    for f in &kept.found {
        words.extend([f.bit, f.level as u32, f.state.len() as u32]);
        words.extend_from_slice(&f.state);
    }
    words
}

fn read_kept(words: &[u32]) -> Option<Kept> {
    let (counts, mut rest) = Counts::read(words)?;
    let mut found = Vec::new();
    while let [bit, level, len, words @ ..] = rest {
        let (state, others) = words.split_at_checked(*len as usize)?;
        found.push(Found { bit: *bit, level: *level as usize, state: state.to_vec() });
        rest = others;
    }
    rest.is_empty().then_some(Kept { counts, found })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let whose =
            Whose { version: "0.1.0".into(), search: blake3::hash(b"search"), process: 1, processes: 3 };
        let counts = Counts { states: 7, transitions: 1 << 40, ..Counts::default() };
        let found = vec![Found { bit: 1, level: 4, state: vec![3, u32::MAX] }];
        let commit =
            Commit { levels: 5, length: 100, hash: blake3::hash(b"states"), kept: Kept { counts, found } };
        Manifest { whose, commits: vec![commit.clone(), Commit { levels: 6, length: 128, ..commit }] }
    }

    #[test]
    fn it_is_read_back() {
        let manifest = manifest();
        assert_eq!(Manifest::read(&manifest.text()), Ok(manifest));
    }

    #[test]
    fn any_byte_that_differs_is_noticed() {
        let text = manifest().text().into_bytes();
        for i in 0..text.len() - 1 {
            let mut other = text.clone();
            other[i] = if other[i] == b'a' { b'b' } else { b'a' };
            assert!(std::str::from_utf8(&other).is_ok_and(|t| Manifest::read(t).is_err()), "byte {i}");
        }
        for cut in 0..text.len() - 1 {
            assert!(std::str::from_utf8(&text[..cut]).is_ok_and(|t| Manifest::read(t).is_err()), "cut {cut}");
        }
    }

    #[test]
    fn whose_it_is_matters() {
        let whose = manifest().whose;
        assert_eq!(whose.same(&whose), Ok(()));
        let wrong = [
            (Whose { version: "0.2.0".into(), ..whose.clone() }, "version 0.1.0"),
            (Whose { search: blake3::hash(b"other"), ..whose.clone() }, "another model"),
            (Whose { processes: 1, ..whose.clone() }, "3 processes"),
            (Whose { process: 0, ..whose.clone() }, "process 1"),
        ];
        for (other, says) in wrong {
            assert!(whose.same(&other).is_err_and(|why| why.contains(says)), "{says}");
        }
    }
}
