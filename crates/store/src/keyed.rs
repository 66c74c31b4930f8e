//! The table of keys: what varies of a state is in the line of the cache that it is looked for in.
//!
//! The other stores have an index that leads to the words of a state, so that a look-up waits for memory twice, and the words are
//! hashed, compared and copied. As long as at most 128 bits vary ([`Packed`](crate::packed)), a look-up here gathers these
//! bits, and compares them with all keys of one line at once: there is no second place to look at. Keys are also kept in a row, in order of
//! arrival, since a breadth-first search asks for the states one after the other.
//!
//! **What it does not tell** is the number of a state that was there before: nobody keeps it. A search that only wants to see each
//! state once does not need it. So this is a [`Row`], and no [`Store`](crate::Store).
//!
//! A key is the difference from one of the states, whose key is zero. In a line zero means that nobody is there, so whether that state is
//! here is noted apart. When more bits vary, or many states have lengths of their own, what there is goes on as an [`Exact`] store.

use crate::lines::{Entry, Lines, scale};
use crate::packed::{End, Packed, Unfit};
use crate::packing::Key;
use crate::sorter::{Common, Sorter};
use crate::{Exact, Full, Row, Sorted, Store, exact, hash};
use std::hint::select_unpredictable;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// States as keys. Numbers are those of arrival, and known of new states alone.
pub struct Keyed {
    form: Form,
    limit: usize,
    /// What makes the keys of several stores, if this is one of them.
    common: Option<Arc<Common>>,
}

/// How the states are kept.
enum Form {
    /// There is none.
    Empty,
    /// What varies of them.
    Keys(Box<Keys>),
    /// As they are.
    Words(Box<Exact>),
}

/// Keys in order of arrival, and in the table.
struct Keys {
    row: Packed,
    table: Table,
    /// Is the state there whose key is zero?
    zero: bool,
    /// States that came, and those of them whose length is not that of most.
    came: u64,
    odd: u64,
    /// If keys mean the same to other stores: what makes them, and how much of it is known here.
    common: Option<(Arc<Common>, u32)>,
}

/// Lines of keys.
enum Table {
    Narrow(Lines<Narrow, 8>),
    Wide(Lines<Wide, 4>),
}

/// What is kept of states on their way.
#[derive(Default)]
pub struct Coming {
    /// Of those that came first: of one word, or of two.
    narrow: Vec<Narrow>,
    wide: Vec<Wide>,
    /// One came that has no key; those after it are looked at one by one.
    unfit: bool,
    words: Vec<exact::Coming>,
}

/// A state of an unusual length costs more than its words would: they are kept if one in so many is such a state.
const ODD: u64 = 4;
/// But not before so many came.
const SEVERAL: u64 = 4096;

/// What came of a state that had no key.
enum Another {
    /// It has one now, and was added.
    Added,
    /// It has none.
    Wide,
}

impl Keyed {
    /// An empty store that holds at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Keyed { form: Form::Empty, limit, common: None }
    }

    /// The first state.
    #[cold]
    fn begin(&mut self, s: &[u32]) -> Result<(), Full> {
        if let Some(mut row) = Packed::new(s) {
            row.open(1, self.limit)?.push_if([0, 0], true);
            row.close(1);
            let keys =
                Keys { row, table: Table::Narrow(Lines::new()), zero: true, came: 1, odd: 0, common: None };
            self.form = Form::Keys(Box::new(keys));
        } else {
            let mut exact = Exact::new(self.limit);
            exact.intern(s)?;
            self.form = Form::Words(Box::new(exact));
        }
        Ok(())
    }

    /// Adds a state; its number if it is new, or if numbers are known.
    #[cold]
    fn one(&mut self, s: &[u32]) -> Result<u32, Full> {
        match &mut self.form {
            Form::Empty => {
                self.begin(s)?;
                return Ok(0);
            }
            Form::Words(exact) => return exact.intern(s),
            Form::Keys(keys) => {
                let (mut one, mut number) = (Coming::default(), 0);
                if !keys.come(std::iter::once(s), &mut one) {
                    keys.enter(&one, self.limit, &mut |n| number = n)?;
                    return Ok(number);
                }
                if let Another::Added = keys.another(s, self.limit)? {
                    return Ok(keys.row.len() - 1);
                }
            }
        }
        self.unpack()?;
        self.one(s)
    }

    /// From now on words are kept.
    #[cold]
    fn unpack(&mut self) -> Result<(), Full> {
        let Form::Keys(keys) = &self.form else { return Ok(()) };
        let mut exact = Exact::new(self.limit.saturating_sub(keys.bytes()));
        let mut state = Vec::new();
        for id in 0..keys.row.len() {
            keys.row.load(id, &mut state);
            exact.intern(&state)?;
        }
        exact.set_limit(self.limit);
        self.form = Form::Words(Box::new(exact));
        Ok(())
    }
}

impl Keyed {
    /// What makes the keys of this store, as long as they have one word, for several that begin now.
    pub fn sorter(&self) -> Option<Sorter> {
        match &self.form {
            Form::Keys(keys) if keys.row.is_narrow() => Some(Sorter::new(keys.row.packing().clone())),
            _ => None,
        }
    }

    /// An empty store that holds at most `limit` bytes, with keys that mean the same as to others with this sorter.
    pub fn sorted(limit: usize, sorter: &Sorter) -> Self {
        let (row, table) = (Packed::with(sorter.packing.clone()), Table::Narrow(Lines::new()));
        let common = Arc::clone(&sorter.common);
        let own = Some((Arc::clone(&common), sorter.version));
        let keys = Keys { row, table, zero: false, came: 0, odd: 0, common: own };
        Keyed { form: Form::Keys(Box::new(keys)), limit, common: Some(common) }
    }
}

impl Sorted for Keyed {
    type Key = u64;
    type Sorter = Sorter;

    fn add_keys(&mut self, keys: &[u64], batch: &mut Coming) -> Result<(), Full> {
        if let Form::Keys(own) = &mut self.form {
            own.learn(self.limit)?;
            match &own.table {
                Table::Narrow(table) => {
                    keys.iter().for_each(|&key| comes(table, Narrow(key), &mut batch.narrow))
                }
                Table::Wide(table) => {
                    keys.iter().for_each(|&key| comes(table, Wide(key, 0), &mut batch.wide))
                }
            }
            own.came += keys.len() as u64;
            own.enter(batch, self.limit, &mut |_| ())?;
            batch.clear();
            return Ok(());
        }
        // It keeps words now.
        let mut state = Vec::new();
        let sorter = self.common.as_ref().map(Common::packing);
        for &key in keys {
            if let Some(sorter) = &sorter {
                sorter.packing.state([key, 0], &mut state);
                self.one(&state)?;
            }
        }
        Ok(())
    }
}

impl Row for Keyed {
    fn len(&self) -> usize {
        match &self.form {
            Form::Empty => 0,
            Form::Keys(keys) => keys.row.len() as usize,
            Form::Words(exact) => exact.len(),
        }
    }

    #[inline]
    fn load(&self, id: u32, out: &mut Vec<u32>) {
        match &self.form {
            Form::Empty => out.clear(),
            Form::Keys(keys) => keys.row.load(id, out),
            Form::Words(exact) => exact.load(id, out),
        }
    }

    fn held(&self) -> usize {
        match &self.form {
            Form::Empty => 0,
            Form::Keys(keys) => keys.bytes(),
            Form::Words(exact) => exact.held(),
        }
    }

    type Batch = Coming;

    fn come<'s>(&mut self, states: impl Iterator<Item = &'s [u32]>, batch: &mut Coming) -> Result<(), Full> {
        match &mut self.form {
            Form::Keys(keys) if !batch.unfit => batch.unfit = keys.come(states, batch),
            // These are looked at one by one.
            Form::Empty | Form::Keys(_) => batch.unfit = true,
            Form::Words(exact) => return exact.come(states, &mut batch.words),
        }
        Ok(())
    }

    #[inline]
    fn come_alike(&mut self, words: &[u32], length: usize, batch: &mut Coming) -> Result<(), Full> {
        match &mut self.form {
            Form::Keys(keys) if !batch.unfit && keys.row.is_usual(length) => {
                batch.unfit = keys.come_alike(words, length, batch);
                Ok(())
            }
            _ => self.come(words.chunks_exact(length), batch),
        }
    }

    fn add<'s>(
        &mut self,
        states: impl Iterator<Item = &'s [u32]> + Clone,
        batch: &mut Coming,
        mut told: impl FnMut(u32),
    ) -> Result<(), Full> {
        match &mut self.form {
            Form::Words(exact) => return exact.add(states, &mut batch.words, told),
            Form::Keys(keys) => keys.enter(batch, self.limit, &mut told)?,
            Form::Empty => {}
        }
        if batch.unfit {
            for s in states.clone().skip(batch.len()) {
                told(self.one(s)?);
            }
        }
        batch.clear();
        match &mut self.form {
            Form::Keys(keys) if keys.is_odd() => self.unpack(),
            Form::Keys(keys) => keys.settle(states, self.limit),
            _ => Ok(()),
        }
    }
}

impl Coming {
    /// How many have keys.
    fn len(&self) -> usize {
        self.narrow.len().max(self.wide.len())
    }

    fn clear(&mut self) {
        self.narrow.clear();
        self.wide.clear();
        self.unfit = false;
    }
}

impl Keys {
    fn bytes(&self) -> usize {
        let table = match &self.table {
            Table::Narrow(table) => table.bytes(),
            Table::Wide(table) => table.bytes(),
        };
        table + self.row.bytes()
    }

    /// Do so many states have unusual lengths that words are better?
    fn is_odd(&self) -> bool {
        self.came > SEVERAL && self.odd > self.came / ODD
    }

    /// States come, up to one that has no key: true, if there is one.
    fn come<'s>(&mut self, mut states: impl Iterator<Item = &'s [u32]>, batch: &mut Coming) -> bool {
        states.any(|s| {
            self.came += 1;
            self.odd += u64::from(!self.row.is_usual(s.len()));
            match (self.row.key(s), &self.table) {
                (None, _) => return true,
                (Some(key), Table::Narrow(table)) => comes(table, Narrow::of(key), &mut batch.narrow),
                (Some(key), Table::Wide(table)) => comes(table, Wide::of(key), &mut batch.wide),
            }
            false
        })
    }

    /// The same of states of the usual length, so many words.
    #[inline]
    fn come_alike(&mut self, words: &[u32], length: usize, batch: &mut Coming) -> bool {
        let Table::Narrow(table) = &self.table else { return self.come(words.chunks_exact(length), batch) };
        let before = batch.narrow.len();
        batch.narrow.resize(before + words.len() / length, Narrow::NONE);
        let (mut free, (places, lines)) = (batch.narrow[before..].iter_mut(), table.view());
        let unfit = self.row.narrow_keys(words, length, |key| {
            let cell = Narrow(key);
            riata_memory::prefetch(places, scale(cell.home(), lines) * 8);
            if let Some(place) = free.next() {
                *place = cell;
            }
        });
        let left = free.len();
        let came = batch.narrow.len() - left;
        self.came += (came - before) as u64;
        batch.narrow.truncate(came);
        unfit
    }

    /// Adds those of these keys that are not there.
    fn enter(&mut self, batch: &Coming, limit: usize, told: &mut impl FnMut(u32)) -> Result<(), Full> {
        let held = self.make_room(batch.len(), limit)?;
        let end = self.row.open(batch.len(), limit.saturating_sub(held))?;
        // SAFETY: there are no keys where the processor has not what it takes.
        #[allow(unused_unsafe, reason = "elsewhere the functions need nothing")]
        let count = unsafe {
            match &mut self.table {
                Table::Narrow(table) => enter(table, (end, &mut self.zero), &batch.narrow, told),
                Table::Wide(table) => enter(table, (end, &mut self.zero), &batch.wide, told),
            }
        };
        self.row.close(count);
        Ok(())
    }

    /// Room for so many more in the table; tells its bytes.
    #[inline]
    fn make_room(&mut self, more: usize, limit: usize) -> Result<usize, Full> {
        match &mut self.table {
            Table::Narrow(table) => grow(table, self.row.len() as usize + more, limit, self.row.bytes()),
            Table::Wide(table) => grow(table, self.row.len() as usize + more, limit, self.row.bytes()),
        }
    }

    /// Adds a state that has no key yet: so it is new.
    #[cold]
    fn another(&mut self, s: &[u32], limit: usize) -> Result<Another, Full> {
        self.came += 1;
        let room = limit.saturating_sub(self.bytes() - self.row.bytes());
        if let Some((common, _)) = &self.common {
            if common.widen(s).is_err() {
                return Ok(Another::Wide);
            }
            self.learn(limit)?;
        }
        let key = match self.row.key(s).map_or_else(|| self.row.widen(s, room), Ok) {
            Ok(key) => key,
            Err(Unfit::Full(full)) => return Err(full),
            Err(Unfit::Wide) if self.row.turn(s, room) => {
                self.renew(limit)?;
                match self.row.key(s) {
                    Some(key) => key,
                    None => return Ok(Another::Wide),
                }
            }
            Err(Unfit::Wide) => return Ok(Another::Wide),
        };
        if !self.row.is_narrow() && matches!(self.table, Table::Narrow(_)) {
            self.renew(limit)?;
        }
        let held = self.make_room(1, limit)?;
        let mut end = self.row.open(1, limit.saturating_sub(held))?;
        end.push_if(key, true);
        let count = end.count;
        self.row.close(count);
        if key == [0, 0] {
            self.zero = true;
        } else {
            match &mut self.table {
                Table::Narrow(table) => table.put(Narrow::of(key)),
                Table::Wide(table) => table.put(Wide::of(key)),
            }
        }
        Ok(Another::Added)
    }

    /// Learns what bits vary by now, if keys mean the same to other stores.
    #[inline]
    fn learn(&mut self, limit: usize) -> Result<(), Full> {
        match &self.common {
            Some((common, version)) if common.version.load(Ordering::Acquire) != *version => {
                self.learn_now(limit)
            }
            _ => Ok(()),
        }
    }

    #[cold]
    fn learn_now(&mut self, limit: usize) -> Result<(), Full> {
        let room = limit.saturating_sub(self.bytes() - self.row.bytes());
        let Some((common, version)) = &mut self.common else { return Ok(()) };
        let sorter = Common::packing(common);
        *version = sorter.version;
        self.row.take(sorter.packing, room)?;
        if !self.row.is_narrow() && matches!(self.table, Table::Narrow(_)) {
            self.renew(limit)?;
        }
        Ok(())
    }

    /// Puts bits together that came late, if it is time for that.
    #[inline]
    fn settle<'s>(&mut self, states: impl Iterator<Item = &'s [u32]>, limit: usize) -> Result<(), Full> {
        if self.row.is_settled() {
            return Ok(());
        }
        let room = limit.saturating_sub(self.bytes() - self.row.bytes());
        if let Some(s) = states.last()
            && self.row.settle(s, room)
        {
            self.renew(limit)?;
        }
        Ok(())
    }

    /// Makes the table anew: all keys have become others, or wider.
    #[cold]
    fn renew(&mut self, limit: usize) -> Result<(), Full> {
        let count = self.row.len() as usize;
        // The old table goes first.
        self.table = Table::Narrow(Lines::new());
        let room = limit.saturating_sub(self.row.bytes());
        self.zero = (0..count).any(|id| self.row.nth(id as u32) == [0, 0]);
        self.table = if self.row.is_narrow() {
            Table::Narrow(filled(&self.row, count, room)?)
        } else {
            Table::Wide(filled(&self.row, count, room)?)
        };
        Ok(())
    }
}

/// A key comes: it is asked for its line.
#[inline]
fn comes<C: Cell<N>, const N: usize>(table: &Lines<C, N>, cell: C, coming: &mut Vec<C>) {
    table.prefetch(table.home(cell.home()));
    coming.push(cell);
}

/// A table of all keys of the row.
fn filled<C: Cell<N>, const N: usize>(row: &Packed, count: usize, room: usize) -> Result<Lines<C, N>, Full> {
    let mut table = Lines::with_room(count);
    if table.bytes() > room {
        return Err(Full::Memory);
    }
    let cells = |ids: std::ops::Range<usize>| ids.map(|id| C::of(row.nth(id as u32)));
    for first in (0..count).step_by(64) {
        let some = first..count.min(first + 64);
        cells(some.clone()).for_each(|cell| table.prefetch(table.home(cell.home())));
        cells(some).filter(|&cell| cell != C::NONE).for_each(|cell| table.put(cell));
    }
    Ok(table)
}

/// Lets the table grow until there is room for so many; tells its bytes.
#[inline]
fn grow<C: Cell<N>, const N: usize>(
    table: &mut Lines<C, N>,
    count: usize,
    limit: usize,
    others: usize,
) -> Result<usize, Full> {
    while table.is_full(count) {
        if table.next_bytes() + others > limit {
            return Err(Full::Memory);
        }
        table.grow();
    }
    Ok(table.bytes())
}

/// Enters keys, and writes those that are new to the row: there is room for all of them. Whether a key is new cannot be guessed, so there is no
/// branch on it. Tells how many there are then.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,bmi2"))]
fn enter<C: Cell<N>, const N: usize>(
    table: &mut Lines<C, N>,
    (mut end, zero): (End, &mut bool),
    cells: &[C],
    told: &mut impl FnMut(u32),
) -> u32 {
    let (places, lines) = table.open();
    let places: *mut C = places.as_mut_ptr();
    let mut nowhere = C::NONE;
    for &cell in cells {
        if cell == C::NONE {
            told(if *zero { 0 } else { end.count });
            end.push_if(cell.key(), !*zero);
            *zero = true;
            continue;
        }
        let mut line = scale(cell.home(), lines);
        let (place, new) = loop {
            // SAFETY: there are so many lines, and the processor has what it takes, since this function has.
            let (same, free) = unsafe { cell.compare(&*places.add(line * N).cast::<[C; N]>()) };
            if same | free != 0 {
                let at = (same | free).trailing_zeros() as usize / C::BITS;
                break (places.wrapping_add(line * N + at), same == 0);
            }
            line = if line + 1 == lines { 0 } else { line + 1 };
        };
        let to = select_unpredictable(new, place, &raw mut nowhere);
        // SAFETY: the place is in a line, since a bit of its line told it.
        unsafe { to.write(cell) };
        told(select_unpredictable(new, end.count, 0));
        end.push_if(cell.key(), new);
    }
    end.count
}

/// A key in a line of `N`.
trait Cell<const N: usize>: Entry {
    /// So many bits for a place.
    const BITS: usize;

    fn of(key: Key) -> Self;

    fn key(self) -> Key;

    /// For each place of a line a bit: is it this key? And for each a bit: is it free? The free ones come after all others.
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn compare(self, line: &[Self; N]) -> (u32, u32);
}

/// A key of one word.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
struct Narrow(u64);

/// A key of two words.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C, align(16))]
struct Wide(u64, u64);

impl Entry for Narrow {
    const NONE: Narrow = Narrow(0);
    const EIGHTHS: usize = 5;

    #[inline]
    fn home(self) -> u32 {
        (hash::key(self.0, 0) >> 32) as u32
    }
}

impl Entry for Wide {
    const NONE: Wide = Wide(0, 0);
    const EIGHTHS: usize = 5;

    #[inline]
    fn home(self) -> u32 {
        (hash::key(self.0, self.1) >> 32) as u32
    }
}

impl Cell<8> for Narrow {
    const BITS: usize = 1;

    #[inline]
    fn of([low, _]: Key) -> Self {
        Narrow(low)
    }

    #[inline]
    fn key(self) -> Key {
        [self.0, 0]
    }

    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2"))]
    unsafe fn compare(self, line: &[Narrow; 8]) -> (u32, u32) {
        let words = line.as_ptr().cast();
        // SAFETY: eight keys are eight words.
        unsafe { (equal(words, [self.0; 4]), equal(words, [0; 4])) }
    }
}

impl Cell<4> for Wide {
    const BITS: usize = 2;

    #[inline]
    fn of([low, high]: Key) -> Self {
        Wide(low, high)
    }

    #[inline]
    fn key(self) -> Key {
        [self.0, self.1]
    }

    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2"))]
    unsafe fn compare(self, line: &[Wide; 4]) -> (u32, u32) {
        let both = |bits: u32| bits & bits >> 1 & 0x55;
        let Wide(low, high) = self;
        let words = line.as_ptr().cast();
        // SAFETY: four keys are eight words.
        unsafe { (both(equal(words, [low, high, low, high])), both(equal(words, [0; 4]))) }
    }
}

/// Where in a line of eight words those of `wanted` are, the first of them in the first place and in every fourth after it.
///
/// # Safety
/// There are eight words.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn equal(words: *const u64, wanted: [u64; 4]) -> u32 {
    use std::arch::x86_64::{
        __m256i, _mm256_castsi256_pd, _mm256_cmpeq_epi64, _mm256_loadu_si256, _mm256_movemask_pd,
        _mm256_set_epi64x,
    };
    let [a, b, c, d] = wanted.map(u64::cast_signed);
    let wanted = _mm256_set_epi64x(d, c, b, a);
    let four = |i: usize| {
        // SAFETY: there are four more words after `i`, which is 0 or 4.
        let four = unsafe { _mm256_loadu_si256(words.add(i).cast::<__m256i>()) };
        _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(four, wanted))).cast_unsigned()
    };
    four(0) | four(4) << 4
}

/// The same, word by word.
///
/// # Safety
/// There are eight words.
#[cfg(any(test, not(target_arch = "x86_64")))]
unsafe fn equal_one_by_one(words: *const u64, wanted: [u64; 4]) -> u32 {
    // SAFETY: there are eight.
    let words = unsafe { std::slice::from_raw_parts(words, 8) };
    words.iter().enumerate().fold(0, |all, (i, &word)| all | u32::from(word == wanted[i % 4]) << i)
}

#[cfg(not(target_arch = "x86_64"))]
use equal_one_by_one as equal;

#[cfg(test)]
mod tests {
    use super::*;

    /// The instructions of the processor say what a loop says.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn lines_are_compared_as_word_by_word() {
        if !is_x86_feature_detected!("avx2") {
            return;
        }
        let mut random = 7u64;
        let mut next = |n: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % n
        };
        for _ in 0..20_000 {
            let line: [u64; 8] = std::array::from_fn(|_| [0, 1, 7, 1 << 40, u64::MAX][next(5) as usize]);
            let wanted: [u64; 4] = std::array::from_fn(|_| [0, 1, 7, 1 << 40, u64::MAX][next(5) as usize]);
            // SAFETY: the processor has the instructions, and there are eight words.
            let (a, b) = unsafe { (equal(line.as_ptr(), wanted), equal_one_by_one(line.as_ptr(), wanted)) };
            assert_eq!(a, b, "{wanted:?} in {line:?}");
        }
    }
}
