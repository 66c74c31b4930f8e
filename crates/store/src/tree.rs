//! The compressed table: lossless, a few bytes a state.
//!
//! As long as at most 128 bits vary, a state is kept as these bits alone ([`Packed`](crate::packed)), beside an index of
//! identities. That takes about as many bytes as a tree and half of the time. When more bits vary, what there is becomes a tree
//! ([`Parts`](crate::parts)), in which states share what is the same in them. Numbers are the same.

use crate::index::{SlimIndex, There};
use crate::packed::{Packed as Keys, Unfit};
use crate::packing::Key;
use crate::parts::{self, Parts};
use crate::{BitSet, ForNumbered, Full, Numbered, Packed, Palette, Recall, Row, Store, all_arrive, all_come};

/// All states, compressed. Identities are numbers in order of arrival.
pub struct Tree {
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
    Keys(SlimIndex, Box<Keys>),
    /// As trees.
    Parts(Box<Parts>),
}

/// A state on its way into the store.
#[derive(Clone, Copy)]
pub enum Coming {
    /// Its key, and what is there; and of what age they are.
    Key(Key, There, u32),
    /// Its parts.
    Parts(parts::Coming),
}

impl Tree {
    /// An empty store that holds at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Tree { form: Form::Empty, age: 0, limit }
    }

    /// The key of a state that comes; none if states are kept as trees.
    #[inline]
    fn key(&mut self, s: &[u32]) -> Result<Option<Key>, Full> {
        match &self.form {
            Form::Keys(_, keys) => match keys.key(s) {
                Some(key) => Ok(Some(key)),
                None => self.key_of_another(s),
            },
            Form::Parts(_) => Ok(None),
            Form::Empty => self.key_of_another(s),
        }
    }

    /// The first state comes, or one of which bits are different that have always been the same.
    #[cold]
    #[inline(never)]
    fn key_of_another(&mut self, s: &[u32]) -> Result<Option<Key>, Full> {
        match &mut self.form {
            Form::Empty => {
                self.form = match Keys::new(s) {
                    Some(keys) => Form::Keys(SlimIndex::new(), Box::new(keys)),
                    None => Form::Parts(Box::new(Parts::new(self.limit))),
                };
            }
            Form::Parts(_) => {}
            Form::Keys(index, keys) => {
                let room = self.limit.saturating_sub(index.bytes());
                match keys.widen(s, room) {
                    Ok(key) => return Ok(Some(key)),
                    Err(Unfit::Full(full)) => return Err(full),
                    Err(Unfit::Wide) => {}
                }
                if keys.turn(s, room) {
                    index.renew(keys.len(), |id| keys.hash_of(id));
                    self.age += 1;
                    return self.key_of_another(s);
                }
                let (mut parts, mut state) = (Parts::new(room.saturating_sub(keys.bytes())), Vec::new());
                for id in 0..keys.len() {
                    keys.load(id, &mut state);
                    parts.intern(&state)?;
                }
                parts.set_limit(self.limit);
                self.form = Form::Parts(Box::new(parts));
                self.age += 1;
            }
        }
        self.key(s)
    }

    /// States have got other hashes since this one came.
    #[cold]
    #[inline(never)]
    fn arrives_late(&mut self, s: &[u32]) -> Result<u32, Full> {
        self.intern(s)
    }
}

impl Store for Tree {
    type Id = u32;
    type Set = BitSet;
    type Colours = Packed;

    fn is_exact(&self) -> bool {
        true
    }

    #[inline]
    fn intern(&mut self, s: &[u32]) -> Result<u32, Full> {
        if let Some(key) = self.key(s)? {
            return self.arrives(s, Coming::Key(key, There::UNKNOWN, self.age));
        }
        match &mut self.form {
            Form::Parts(parts) => parts.intern(s),
            _ => unreachable!("what has no key is a tree"),
        }
    }

    fn bytes(&self) -> usize {
        match &self.form {
            Form::Empty => 0,
            Form::Keys(index, keys) => index.bytes() + keys.bytes(),
            Form::Parts(parts) => parts.bytes(),
        }
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

impl Numbered for Tree {
    fn find(&self, s: &[u32]) -> Option<u32> {
        match &self.form {
            Form::Empty => None,
            Form::Keys(index, keys) => {
                let key = keys.key(s)?;
                index.locate(Keys::hash(key), |id| keys.has(id, key)).ok()
            }
            Form::Parts(parts) => parts.find(s),
        }
    }
}

impl Row for Tree {
    fn len(&self) -> usize {
        match &self.form {
            Form::Empty => 0,
            Form::Keys(_, keys) => keys.len() as usize,
            Form::Parts(parts) => parts.len(),
        }
    }

    fn load(&self, id: u32, out: &mut Vec<u32>) {
        match &self.form {
            Form::Empty => out.clear(),
            Form::Keys(_, keys) => keys.load(id, out),
            Form::Parts(parts) => parts.load(id, out),
        }
    }

    fn held(&self) -> usize {
        self.bytes()
    }

    type Batch = Vec<Coming>;

    #[inline]
    fn come<'s>(
        &mut self,
        states: impl Iterator<Item = &'s [u32]>,
        batch: &mut Vec<Coming>,
    ) -> Result<(), Full> {
        all_come(self, states, batch)
    }

    #[inline]
    fn add<'s>(
        &mut self,
        states: impl Iterator<Item = &'s [u32]> + Clone,
        batch: &mut Vec<Coming>,
        told: impl FnMut(u32),
    ) -> Result<(), Full> {
        all_arrive(self, states, batch, told)
    }
}

impl Recall for Tree {
    type Coming = Coming;

    #[inline]
    fn comes(&mut self, s: &[u32]) -> Result<Coming, Full> {
        let key = self.key(s)?;
        match (&mut self.form, key) {
            (Form::Keys(index, _), Some(key)) => {
                index.prefetch(Keys::hash(key));
                Ok(Coming::Key(key, There::UNKNOWN, self.age))
            }
            (Form::Parts(parts), _) => parts.comes(s).map(Coming::Parts),
            _ => unreachable!("what has no key is a tree"),
        }
    }

    #[inline]
    fn nears(&self, coming: &mut Coming) {
        match (&self.form, coming) {
            (Form::Keys(index, keys), Coming::Key(key, there, _)) => {
                *there = index.there(Keys::hash(*key));
                keys.prefetch(there.likely_or_first());
            }
            (Form::Parts(parts), Coming::Parts(coming)) => parts.nears(coming),
            // It became a tree in the meantime.
            _ => {}
        }
    }

    #[inline]
    fn arrives(&mut self, s: &[u32], coming: Coming) -> Result<u32, Full> {
        let (index, keys, key, there) = match (&mut self.form, coming) {
            (Form::Keys(index, keys), Coming::Key(key, there, age)) if age == self.age => {
                (index, keys, key, there)
            }
            (Form::Parts(parts), Coming::Parts(coming)) => return parts.arrives(s, coming),
            _ => return self.arrives_late(s),
        };
        let slot = match index.locate_again(there, Keys::hash(key), |id| keys.has(id, key)) {
            Ok(id) => return Ok(id),
            Err(slot) => slot,
        };
        let new = keys.len();
        let room = self.limit.saturating_sub(index.bytes());
        keys.push(key, room)?;
        index.enter(slot, new, self.limit.saturating_sub(keys.bytes()), |id| keys.hash_of(id))?;
        if keys.settle(s, self.limit.saturating_sub(index.bytes())) {
            index.renew(keys.len(), |id| keys.hash_of(id));
            self.age += 1;
        }
        Ok(new)
    }
}
