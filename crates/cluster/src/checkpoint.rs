//! Checkpoints: what a process needs to go on with a search from the last level that was committed.
//!
//! A process has a directory with two files. `states` is its states in portable words, level after level, and only grows.
//! `manifest` tells how much of that is committed: a text of few lines, which is replaced as a whole.
//!
//! ```text
//! to commit a level:
//!   append its states to `states`; fsync;
//!   write `manifest.new`, with the length and the hash of `states` and what was counted; fsync;
//!   rename it to `manifest`; fsync the directory;
//! ```
//!
//! After a crash `manifest` is the old one or the new one, never a mixture, and what is behind its length in `states` does
//! not count. A process commits a level before it expands it, and no process is more than a round ahead of another. So
//! the last two commits of every process have one in common: all go on from the smallest level that is the last of some.

use crate::bfs::Found;
use crate::manifest::{Commit, Manifest};
use crate::mesh::{Lost, Mesh};
use crate::note::Counts;
use riata_system::Stop;
use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use crate::manifest::Whose;

/// What is kept besides the states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// What was counted before this level.
    pub counts: Counts,
    /// What was found before this level.
    pub found: Vec<Found>,
}

/// A piece of the log.
pub enum Record<'a> {
    /// A level begins.
    Level,
    /// A state of it, in portable words.
    State(&'a [u32]),
}

/// Written where the length of a state would be.
const LEVEL: u32 = u32::MAX;
/// So many bytes are gathered before they are written.
const PAGE: usize = 1 << 20;

/// The checkpoint of one process of one search.
pub struct Log {
    folder: PathBuf,
    whose: Whose,
    every: Duration,
    file: File,
    /// Of all that was given to the file.
    hash: blake3::Hasher,
    length: u64,
    levels: usize,
    waiting: Vec<u8>,
    wrong: Option<std::io::Error>,
    commits: Vec<Commit>,
    last: Option<Instant>,
}

/// What is wrong with a file, in words.
fn about(what: &str, path: &Path, why: impl std::fmt::Display) -> String {
    format!("cannot {what} {}: {why}", path.display())
}

/// Makes the entries of a folder last.
fn sync(folder: &Path) -> std::io::Result<()> {
    File::open(folder)?.sync_all()
}

impl Log {
    /// An empty one.
    ///
    /// # Errors
    /// In words, if the folder cannot be had, or is used.
    pub fn create(folder: &Path, whose: Whose, every: Duration) -> Result<Log, String> {
        let manifest = folder.join("manifest");
        if manifest.exists() {
            return Err(format!(
                "there is a checkpoint in {} already: go on with --resume, or take another directory",
                folder.display()
            ));
        }
        fs::create_dir_all(folder).map_err(|e| about("make the directory", folder, e))?;
        let path = folder.join("states");
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path);
        let file = options.map_err(|e| about("write", &path, e))?;
        // The folders above are new, too, perhaps.
        folder
            .ancestors()
            .take(3)
            .filter(|f| !f.as_os_str().is_empty())
            .try_for_each(|f| sync(f).map_err(|e| about("write", f, e)))?;
        Ok(Log::with((folder, whose, every), file, Vec::new()))
    }

    /// The one that is there; an empty one if nothing was committed.
    ///
    /// # Errors
    /// In words, if it is damaged, or one of another search.
    pub fn resume(folder: &Path, whose: Whose, every: Duration) -> Result<Log, String> {
        let path = folder.join("manifest");
        let text = match fs::read_to_string(&path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Log::create(folder, whose, every),
            text => text.map_err(|e| about("read", &path, e))?,
        };
        let manifest = Manifest::read(&text).map_err(|why| damaged(&path, why))?;
        manifest.whose.same(&whose).map_err(|why| format!("{}: {why}", path.display()))?;
        let states = folder.join("states");
        let file = OpenOptions::new().read(true).write(true).open(&states);
        let mut file = file.map_err(|e| about("read", &states, e))?;
        verify(&mut file, &manifest.commits).map_err(|why| damaged(&states, &why))?;
        Ok(Log::with((folder, whose, every), file, manifest.commits))
    }

    fn with((folder, whose, every): (&Path, Whose, Duration), file: File, commits: Vec<Commit>) -> Log {
        Log {
            folder: folder.into(),
            whose,
            every,
            file,
            hash: blake3::Hasher::new(),
            length: 0,
            levels: 0,
            waiting: Vec::new(),
            wrong: None,
            commits,
            last: None,
        }
    }

    /// The levels of the commits that there are, the last one first.
    pub fn committed(&self) -> Vec<usize> {
        self.commits.iter().rev().map(|c| c.levels).collect()
    }

    /// Goes back to the commit of so many levels; with none of them, to the beginning.
    ///
    /// # Errors
    /// In words, if there is no such commit.
    pub fn back_to(&mut self, levels: usize) -> Result<(), String> {
        let before = self.commits.len();
        self.commits.retain(|c| c.levels <= levels);
        let last = self.commits.last().map_or(0, |c| c.levels);
        if last != levels {
            let why = format!("level {levels} is the last that all processes have, and this one has it not");
            return Err(damaged(&self.folder, &why));
        }
        // First the manifest, then the file: whatever happens in between, what is committed is there.
        if self.commits.len() < before {
            let manifest = Manifest { whose: self.whose.clone(), commits: self.commits.clone() };
            let path = self.folder.join("manifest");
            self.replace(&path, &manifest.text()).map_err(|e| about("write", &path, e))?;
        }
        let length = self.commits.last().map_or(0, |c| c.length);
        let cut = self.file.set_len(length).and_then(|()| self.file.seek(SeekFrom::Start(length)));
        cut.map(|_| ()).map_err(|e| about("write", &self.folder.join("states"), e))
    }

    /// What was kept with the last commit, if there is one.
    pub fn kept(&mut self) -> Option<Kept> {
        self.commits.last().map(|c| c.kept.clone())
    }

    /// Tells all records of the last commit, and is then ready to grow.
    ///
    /// # Errors
    /// What `each` says, or that the file cannot be read.
    pub fn replay(&mut self, each: &mut dyn FnMut(Record) -> Result<(), Stop>) -> Result<(), Stop> {
        let Some(last) = self.commits.last() else { return Ok(()) };
        self.file.seek(SeekFrom::Start(0)).map_err(|_| Stop::Disk)?;
        let mut reader = BufReader::with_capacity(PAGE, (&self.file).take(last.length));
        let (mut word, mut state, mut bytes) = ([0; 4], Vec::new(), Vec::new());
        while self.length < last.length {
            reader.read_exact(&mut word).map_err(|_| Stop::Disk)?;
            self.hash.update(&word);
            self.length += 4;
            let len = u32::from_le_bytes(word);
            if len == LEVEL {
                self.levels += 1;
                each(Record::Level)?;
                continue;
            }
            if u64::from(len) * 4 > last.length - self.length {
                return Err(Stop::Disk);
            }
            bytes.resize(len as usize * 4, 0);
            reader.read_exact(&mut bytes).map_err(|_| Stop::Disk)?;
            self.hash.update(&bytes);
            self.length += bytes.len() as u64;
            state.clear();
            state.extend(bytes.as_chunks::<4>().0.iter().map(|&w| u32::from_le_bytes(w)));
            each(Record::State(&state))?;
        }
        let same = self.hash.finalize() == last.hash && self.levels == last.levels;
        self.file.seek(SeekFrom::Start(last.length)).map_err(|_| Stop::Disk)?;
        self.last = Some(Instant::now());
        if same { Ok(()) } else { Err(Stop::Disk) }
    }

    /// How many levels it has.
    pub fn levels(&self) -> usize {
        self.levels
    }

    /// Is it time to commit?
    pub fn is_due(&self) -> bool {
        self.last.is_none_or(|last| last.elapsed() >= self.every)
    }

    /// A level begins.
    pub fn level(&mut self) {
        self.levels += 1;
        self.waiting.extend(LEVEL.to_le_bytes());
    }

    /// A state of it.
    pub fn state(&mut self, words: &[u32]) {
        self.waiting.extend((words.len() as u32).to_le_bytes());
        words.iter().for_each(|w| self.waiting.extend(w.to_le_bytes()));
        if self.waiting.len() >= PAGE {
            self.write();
        }
    }

    /// Gives what waits to the file. What goes wrong is told when it is committed.
    fn write(&mut self) {
        self.hash.update(&self.waiting);
        self.length += self.waiting.len() as u64;
        if self.wrong.is_none() {
            self.wrong = self.file.write_all(&self.waiting).err();
        }
        self.waiting.clear();
    }

    /// Commits what was written.
    ///
    /// # Errors
    /// In words, if it cannot be. Then what was committed before stays so; nothing can be committed any more.
    pub fn commit(&mut self, kept: Kept) -> Result<(), String> {
        if self.commits.last().is_some_and(|c| c.levels == self.levels) {
            return Ok(());
        }
        self.write();
        let done = self.wrong.take().map_or(Ok(()), Err).and_then(|()| self.file.sync_data());
        let states = self.folder.join("states");
        done.map_err(|e| self.failed(about("write", &states, e)))?;
        let hash = self.hash.finalize();
        let mut commits = self.commits.clone();
        commits.push(Commit { levels: self.levels, length: self.length, hash, kept });
        if commits.len() > 2 {
            commits.remove(0);
        }
        let manifest = Manifest { whose: self.whose.clone(), commits };
        let path = self.folder.join("manifest");
        self.replace(&path, &manifest.text()).map_err(|e| self.failed(about("write", &path, e)))?;
        self.commits = manifest.commits;
        self.last = Some(Instant::now());
        Ok(())
    }

    /// Replaces a file as a whole.
    fn replace(&self, path: &Path, text: &str) -> std::io::Result<()> {
        let new = path.with_extension("new");
        let mut file = File::create(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        sync(&self.folder)
    }

    /// What goes wrong once goes wrong for good: the file may have a hole now.
    fn failed(&mut self, why: String) -> String {
        self.wrong = Some(std::io::Error::other(why.clone()));
        why
    }

    /// Why nothing can be committed any more, and what to do.
    pub fn trouble(&self) -> Option<String> {
        let why = self.wrong.as_ref()?;
        let last = self.commits.last().map_or(0, |c| c.levels.saturating_sub(1));
        Some(format!("{why}; level {last} is the last that was committed, and --resume goes on from there"))
    }
}

fn damaged(path: &Path, why: &str) -> String {
    format!("the checkpoint {} is damaged: {why}", path.display())
}

/// Is the file what the commits say?
fn verify(file: &mut File, commits: &[Commit]) -> Result<(), String> {
    let (mut hash, mut at) = (blake3::Hasher::new(), 0);
    let mut page = vec![0; PAGE];
    for commit in commits {
        while at < commit.length {
            let some = PAGE.min((commit.length - at) as usize);
            let read = file.read(&mut page[..some]).map_err(|e| e.to_string())?;
            if read == 0 {
                return Err(format!("it ends after {at} bytes, and {} are committed", commit.length));
            }
            hash.update(&page[..read]);
            at += read as u64;
        }
        if hash.finalize() != commit.hash {
            return Err("its content is not what was committed".into());
        }
    }
    Ok(())
}

/// All processes go back to the last level that every one of them has committed.
///
/// # Errors
/// In words, if one of them has no such commit, or is gone.
pub fn agree(log: &mut Log, mesh: &mut Mesh) -> Result<(), String> {
    let last = log.committed().first().map_or(0, |&l| l as u32);
    mesh.close(&[last]);
    while !mesh.wait().map_err(|Lost| "a process was lost before the search began")? {}
    let smallest = mesh.notes().iter().filter_map(|n| n.first().copied()).min().unwrap_or(0);
    log.back_to(smallest as usize)
}
