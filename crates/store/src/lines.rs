//! Tables of lines: entries that come from memory together, and are compared together.
//!
//! An entry has a home, a line that follows from 32 bits of a hash, scaled to the number of lines: the table may have any size,
//! and entries keep their order when it grows. It grows where it is. In a line the first places are taken; when all are, the
//! next line follows.

use std::hint::select_unpredictable;

/// Growth: twice while small, then by half, so that the transient of a large table stays bearable.
fn larger(entries: usize) -> usize {
    if entries < 1 << 22 { entries * 2 } else { entries + entries / 2 }
}

/// Entries of a new table.
const FIRST: usize = 64;

/// `hash` scaled to `0..slots`.
#[inline]
pub fn scale(hash: u32, slots: usize) -> usize {
    ((u64::from(hash) * slots as u64) >> 32) as usize
}

/// What is in a table.
pub trait Entry: Copy + Eq {
    /// Nobody. All of its bits are zero.
    const NONE: Self;
    /// So many eighths of a table may be taken. A line that is full costs another access.
    const EIGHTHS: usize;
    /// What its home follows from.
    fn home(self) -> u32;
}

/// A table whose lines have `N` entries, which fill a line of the cache.
pub struct Lines<E, const N: usize> {
    /// Before the first line there may be places that nobody uses.
    entries: Vec<E>,
    /// The first place of the first line.
    first: usize,
    lines: usize,
    /// How often the table has grown.
    pub grown: u32,
}

/// How many places before the first line: lines of this array are then lines of the cache.
fn before_lines<E>(entries: &[E]) -> usize {
    let size = size_of::<E>();
    (entries.as_ptr() as usize).wrapping_neg() / size % (64 / size)
}

impl<E: Entry, const N: usize> Lines<E, N> {
    pub fn new() -> Self {
        let entries = vec![E::NONE; FIRST + N];
        let first = before_lines(&entries);
        Lines { entries, first, lines: FIRST / N, grown: 0 }
    }

    /// A table with room for so many entries.
    pub fn with_room(count: usize) -> Self {
        let mut places = FIRST;
        while count * 8 > places * E::EIGHTHS {
            places = larger(places).next_multiple_of(N);
        }
        let entries = riata_memory::filled(places + N, E::NONE);
        let first = before_lines(&entries);
        Lines { entries, first, lines: places / N, grown: 0 }
    }

    pub fn bytes(&self) -> usize {
        self.entries.len() * size_of::<E>()
    }

    /// How many entries there is room for.
    #[inline]
    pub fn places(&self) -> usize {
        self.lines * N
    }

    /// Is it time to grow, with so many entries?
    #[inline]
    pub fn is_full(&self, used: usize) -> bool {
        used * 8 > self.lines * N * E::EIGHTHS
    }

    /// The line where somebody is at home.
    #[inline]
    pub fn home(&self, hash: u32) -> usize {
        scale(hash, self.lines)
    }

    /// The first place of a line.
    #[inline]
    pub fn start(&self, line: usize) -> usize {
        self.first + line * N
    }

    #[inline]
    pub fn line(&self, line: usize) -> &[E; N] {
        self.entries[self.start(line)..].first_chunk().expect("a line is whole")
    }

    #[inline]
    pub fn next(&self, line: usize) -> usize {
        if line + 1 == self.lines { 0 } else { line + 1 }
    }

    /// What is at a place.
    #[inline]
    pub fn at(&self, place: usize) -> E {
        self.entries[place]
    }

    /// Writes to a place.
    #[inline]
    pub fn write(&mut self, place: usize, entry: E) {
        self.entries[place] = entry;
    }

    /// The lines: their first place, and how many there are.
    #[inline]
    pub fn view(&self) -> (&[E], usize) {
        (&self.entries[self.first..self.first + self.lines * N], self.lines)
    }

    /// The lines, to be written to: their first place, and how many there are.
    #[inline]
    pub fn open(&mut self) -> (&mut [E], usize) {
        let (first, lines) = (self.first, self.lines);
        (&mut self.entries[first..first + lines * N], lines)
    }

    /// Asks for a line.
    #[inline]
    pub fn prefetch(&self, line: usize) {
        riata_memory::prefetch(&self.entries, self.start(line));
    }

    /// The bytes of the next table.
    pub fn next_bytes(&self) -> usize {
        (larger(self.places()).next_multiple_of(N) + N) * size_of::<E>()
    }

    /// The table becomes larger where it is. A run is as many full lines as follow each other, and the line after them: no entry
    /// belongs before the run that it is in, and none moves down. So runs are taken out from the last to the first, and put back
    /// into what is above all that is still to come.
    #[cold]
    pub fn grow(&mut self) {
        let lines = larger(self.places()).div_ceil(N);
        riata_memory::grows(self.bytes(), self.next_bytes());
        self.grown += 1;
        let (old, was_first) = (self.lines, self.first);
        let has_room = |line: &[E; N]| line[N - 1] == E::NONE;
        let gap = (0..old).position(|l| has_room(self.line(l))).expect("a table is never full");
        riata_memory::extend_exactly(&mut self.entries, (lines + 1) * N, E::NONE);
        (self.lines, self.first) = (lines, before_lines(&self.entries));
        if self.first != was_first {
            // The allocator has moved it to another place in a line.
            self.entries.copy_within(was_first..was_first + old * N, self.first);
            let (from, to) = (was_first.min(self.first), was_first.max(self.first));
            let rest = if self.first > was_first { from..to } else { from + old * N..to + old * N };
            self.entries[rest].fill(E::NONE);
        }
        // What came round from the end to the beginning belongs to the last run, but for those who were there anyway.
        let of = |line: usize| self.first + line * N..self.first + (line + 1) * N;
        let (bottom, all) = (of(0).start..of(gap).end, of(0).start..of(old - 1).end);
        let beginning: Vec<E> = self.entries[bottom.clone()].to_vec();
        self.entries[bottom.clone()].fill(E::NONE);
        let is_at_home = |entry: E| scale(entry.home(), old) <= gap;
        let entries = || beginning.iter().copied().filter(|&e| e != E::NONE);
        let mut run: Vec<E> = Vec::with_capacity(64);
        run.extend(entries().filter(|&e| !is_at_home(e)));
        for start in (bottom.end..all.end).step_by(N).rev() {
            let line = &mut self.entries[start..start + N];
            // A line that has room ends the run before it; what was found so far begins after it.
            if line[N - 1] == E::NONE {
                run.drain(..).for_each(|entry| self.put(entry));
            }
            let line = &mut self.entries[start..start + N];
            run.extend(line.iter().copied().filter(|&e| e != E::NONE));
            line.fill(E::NONE);
        }
        run.into_iter().for_each(|entry| self.put(entry));
        entries().filter(|&e| is_at_home(e)).for_each(|entry| self.put(entry));
    }

    /// Puts an entry that is not there where it belongs.
    #[inline]
    pub fn put(&mut self, entry: E) {
        let mut line = self.home(entry.home());
        loop {
            let start = self.start(line);
            let places: &mut [E; N] = self.entries[start..].first_chunk_mut().expect("a line is whole");
            if places[N - 1] == E::NONE {
                // How many are taken cannot be guessed: a search by halves, without a branch.
                let (mut taken, mut half) = (0, N / 2);
                while half > 0 {
                    let more = places[taken + half - 1] != E::NONE;
                    taken = select_unpredictable(more, taken + half, taken);
                    half /= 2;
                }
                places[taken] = entry;
                return;
            }
            line = self.next(line);
        }
    }
}
