//! The exact table: states in order of arrival, and an index over them.
//!
//! As long as at most 128 bits vary, a state is kept as these bits alone ([`Packed`](crate::packed)): 4 to 16 bytes, and
//! not the 20 to 100 of its words. Else its words are kept as they are ([`Pool`]). Numbers are the same.

use crate::index::{Index, There};
use crate::packed::{Growth, Packed as Keys, Unfit};
use crate::packing::Key;
use crate::pool::Pool;
use crate::{BitSet, ForNumbered, Full, Numbered, Packed, Palette, Recall, Store, hash};
use riata_memory::{append, same};

/// All states. Identities are numbers in order of arrival.
pub struct Exact {
    index: Index,
    form: Form,
    /// How often all hashes have become others.
    age: u32,
    limit: usize,
}

/// How the states are kept.
enum Form {
    /// There is none.
    Empty,
    /// What varies of them.
    Keys(Box<Keys>),
    /// As they are.
    Words(Pool),
}

impl Exact {
    /// An empty store that holds at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Exact { index: Index::new(), form: Form::Empty, age: 0, limit }
    }
}

/// A state on its way into the store: its key, or its hash, and what is there.
#[derive(Clone, Copy)]
pub struct Coming {
    key: Key,
    there: There,
    age: u32,
}

impl Coming {
    /// The hash, if states are kept as they are.
    fn hash(&self) -> u64 {
        self.key[0]
    }
}

impl Store for Exact {
    type Id = u32;
    type Set = BitSet;
    type Colours = Packed;

    fn is_exact(&self) -> bool {
        true
    }

    #[inline]
    fn intern(&mut self, s: &[u32]) -> Result<u32, Full> {
        let coming = self.coming(s)?;
        self.arrives(s, coming)
    }

    fn bytes(&self) -> usize {
        self.index.bytes() + self.form.bytes()
    }

    fn sets<const N: usize>(&self) -> [BitSet; N] {
        std::array::from_fn(|_| BitSet::default())
    }

    fn colours(&self, palette: Palette) -> Packed {
        Packed::new(palette)
    }

    fn if_numbered<W: ForNumbered>(&mut self, work: W) -> Result<W::Output, W> {
        Ok(work.with(self))
    }
}

impl Numbered for Exact {
    fn find(&self, s: &[u32]) -> Option<u32> {
        match &self.form {
            Form::Empty => None,
            Form::Keys(keys) => {
                let key = keys.key(s)?;
                self.index.locate(Keys::hash(key), |id| keys.has(id, key)).ok()
            }
            Form::Words(pool) => self.index.locate(hash::words(s, 0), |id| same(pool.get(id), s)).ok(),
        }
    }
}

impl Recall for Exact {
    fn len(&self) -> usize {
        match &self.form {
            Form::Empty => 0,
            Form::Keys(keys) => keys.len() as usize,
            Form::Words(pool) => pool.len() as usize,
        }
    }

    fn load(&self, id: u32, out: &mut Vec<u32>) {
        match &self.form {
            Form::Empty => out.clear(),
            Form::Keys(keys) => keys.load(id, out),
            Form::Words(pool) => {
                out.clear();
                append(out, pool.get(id));
            }
        }
    }

    type Coming = Coming;

    #[inline]
    fn comes(&mut self, s: &[u32]) -> Result<Coming, Full> {
        let coming = self.coming(s)?;
        self.index.prefetch(self.hash(&coming));
        Ok(coming)
    }

    #[inline]
    fn nears(&self, coming: &mut Coming) {
        coming.there = self.index.there(self.hash(coming));
        let id = coming.there.likely_or_first();
        match &self.form {
            Form::Empty => {}
            Form::Keys(keys) => keys.prefetch(id),
            Form::Words(pool) => pool.prefetch(id),
        }
    }

    #[inline]
    fn arrives(&mut self, s: &[u32], coming: Coming) -> Result<u32, Full> {
        if coming.age != self.age {
            return self.arrives_late(s);
        }
        let (key, hash) = (coming.key, self.hash(&coming));
        let located = match &self.form {
            Form::Empty => unreachable!("a state that comes decides how states are kept"),
            Form::Keys(keys) => self.index.locate_again(coming.there, hash, |id| keys.has(id, key)),
            Form::Words(pool) => self.index.locate_again(coming.there, hash, |id| same(pool.get(id), s)),
        };
        match located {
            Ok(id) => Ok(id),
            Err(slot) => self.add(s, coming, slot),
        }
    }
}

impl Form {
    fn bytes(&self) -> usize {
        match self {
            Form::Empty => 0,
            Form::Keys(keys) => keys.bytes(),
            Form::Words(pool) => pool.bytes(),
        }
    }
}

impl Exact {
    #[inline]
    fn hash(&self, coming: &Coming) -> u64 {
        if let Form::Keys(_) = self.form { Keys::hash(coming.key) } else { coming.hash() }
    }

    /// A state comes: what it is looked up by.
    #[inline]
    fn coming(&mut self, s: &[u32]) -> Result<Coming, Full> {
        let key = match &self.form {
            Form::Keys(keys) => keys.key(s),
            Form::Words(_) => Some([hash::words(s, 0), 0]),
            Form::Empty => None,
        };
        let key = match key {
            Some(key) => key,
            None => self.key_of_another(s)?,
        };
        Ok(Coming { key, there: There::UNKNOWN, age: self.age })
    }

    /// The first state comes, or one of which bits are different that have always been the same.
    #[cold]
    #[inline(never)]
    fn key_of_another(&mut self, s: &[u32]) -> Result<Key, Full> {
        let room = self.limit.saturating_sub(self.index.bytes());
        match &mut self.form {
            Form::Empty => {
                self.form = match Keys::new(s, 2, Growth::Fast) {
                    Some(keys) => Form::Keys(Box::new(keys)),
                    None => Form::Words(Pool::default()),
                };
            }
            Form::Words(_) => {}
            Form::Keys(keys) => {
                match keys.widen(s, room) {
                    Ok(key) => return Ok(key),
                    Err(Unfit::Full(full)) => return Err(full),
                    Err(Unfit::Wide) => {}
                }
                if keys.turn(s, room) {
                    self.index.renew(|id| keys.hash_of(id));
                    self.age += 1;
                    return self.key_of_another(s);
                }
                // Too many bits vary: from now on states are kept as they are.
                let (mut pool, mut state) = (Pool::default(), Vec::new());
                for id in 0..keys.len() {
                    keys.load(id, &mut state);
                    pool.push(&state, room.saturating_sub(keys.bytes()))?;
                }
                self.index.renew(|id| hash::words(pool.get(id), 0));
                self.form = Form::Words(pool);
                self.age += 1;
            }
        }
        self.coming(s).map(|coming| coming.key)
    }

    /// States have got other hashes since this one came.
    #[cold]
    #[inline(never)]
    fn arrives_late(&mut self, s: &[u32]) -> Result<u32, Full> {
        self.intern(s)
    }

    /// Adds `s`, which belongs into a free slot.
    #[inline]
    fn add(&mut self, s: &[u32], coming: Coming, slot: usize) -> Result<u32, Full> {
        let room = self.limit.saturating_sub(self.index.bytes());
        match &mut self.form {
            Form::Empty => unreachable!("a state that comes decides how states are kept"),
            Form::Keys(keys) => {
                let new = keys.len();
                keys.push(coming.key, room)?;
                let room = self.limit.saturating_sub(keys.bytes());
                self.index.enter(slot, Keys::hash(coming.key), new, room)?;
                if keys.settle(s, self.limit.saturating_sub(self.index.bytes())) {
                    self.index.renew(|id| keys.hash_of(id));
                    self.age += 1;
                }
                Ok(new)
            }
            Form::Words(pool) => {
                let new = pool.len();
                pool.push(s, room)?;
                self.index.enter(slot, coming.hash(), new, self.limit.saturating_sub(pool.bytes()))?;
                Ok(new)
            }
        }
    }
}
