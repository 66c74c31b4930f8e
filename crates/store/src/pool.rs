//! States one after the other, in chunks that are never moved.
//!
//! While all states have the same length, the place of a state follows from its number. Once a second length has been seen,
//! each has an entry that tells where it begins. A chunk is large enough for huge pages, and only the first one grows: a
//! search of a few states takes a few pages.

use crate::Full;

/// A chunk has more words than half of this, and not more than this (32 MiB) unless one state has. What is not used of it takes
/// no memory.
const CHUNK: usize = 1 << 23;
/// Words of the first chunk when it is made.
const FIRST: usize = 1 << 12;

/// States by their numbers.
#[derive(Default)]
pub struct Pool {
    chunks: Vec<Vec<u32>>,
    count: u32,
    /// The length of all states, while they have the same.
    length: usize,
    /// The number of states in a chunk is a power of two: its exponent.
    shift: u32,
    /// Where each state is, once two lengths have been seen.
    places: Option<Vec<Place>>,
    /// How many words there are. What a chunk but the first has room for besides takes no memory.
    words: usize,
}

/// Where a state is: its chunk, its first word there, and how many it has.
#[derive(Clone, Copy)]
struct Place {
    chunk: u32,
    at: u32,
    length: u32,
}

impl Pool {
    /// How many states there are.
    #[inline]
    pub fn len(&self) -> u32 {
        self.count
    }

    pub fn bytes(&self) -> usize {
        let first = self.chunks.first().map_or(0, Vec::capacity);
        self.words.max(first) * 4 + self.places.as_ref().map_or(0, |p| p.capacity() * size_of::<Place>())
    }

    #[inline]
    fn place(&self, id: u32) -> Place {
        match &self.places {
            Some(places) => places[id as usize],
            None => self.regular(id),
        }
    }

    /// The place of a state while all have the same length.
    #[inline]
    fn regular(&self, id: u32) -> Place {
        let at = (id & ((1 << self.shift) - 1)) * self.length as u32;
        Place { chunk: id >> self.shift, at, length: self.length as u32 }
    }

    #[inline]
    pub fn get(&self, id: u32) -> &[u32] {
        let place = self.place(id);
        &self.chunks[place.chunk as usize][place.at as usize..][..place.length as usize]
    }

    /// Asks for the words of a state, if there is one with this number.
    #[inline]
    pub fn prefetch(&self, id: u32) {
        if id < self.count {
            let place = self.place(id);
            let chunk = &self.chunks[place.chunk as usize];
            riata_memory::prefetch_both(chunk, place.at as usize, place.length as usize);
        }
    }

    /// Adds a state; `room` is the bytes that the pool may come to hold.
    #[inline]
    pub fn push(&mut self, s: &[u32], room: usize) -> Result<(), Full> {
        // As most are: of the usual length, and there is room for it.
        if s.len() == self.length
            && self.places.is_none()
            && !self.ends_chunk()
            && (self.words + s.len()) * 4 <= room
            && let Some(chunk) = self.chunks.last_mut()
            && chunk.capacity() - chunk.len() >= s.len()
        {
            riata_memory::append(chunk, s);
            self.words += s.len();
            self.count += 1;
            return Ok(());
        }
        self.push_slowly(s, room)
    }

    #[inline(never)]
    fn push_slowly(&mut self, s: &[u32], room: usize) -> Result<(), Full> {
        // Room for more places, if all are taken or there are none yet.
        let more = match &self.places {
            Some(places) if places.len() < places.capacity() => 0,
            Some(places) => places.len() / 2 + 16,
            None if s.len() == self.length || self.count == 0 => 0,
            None => self.count as usize + 16,
        };
        if self.bytes() + s.len() * 4 + more * size_of::<Place>() > room {
            return Err(Full::Memory);
        }
        if self.count == 0 {
            self.length = s.len();
            self.shift = (CHUNK / s.len().max(1)).max(1).ilog2();
        }
        if s.len() != self.length && self.places.is_none() {
            let mut places = Vec::with_capacity(more);
            places.extend((0..self.count).map(|id| self.regular(id)));
            self.places = Some(places);
        }
        let full = match self.chunks.last() {
            Some(chunk) => {
                chunk.capacity() - chunk.len() < s.len() || self.places.is_none() && self.ends_chunk()
            }
            None => true,
        };
        if full {
            self.grow(s.len(), room - more * size_of::<Place>())?;
        }
        let last = self.chunks.len() - 1;
        let chunk = &mut self.chunks[last];
        if let Some(places) = &mut self.places {
            if places.len() == places.capacity() {
                places.reserve_exact(more);
            }
            places.push(Place { chunk: last as u32, at: chunk.len() as u32, length: s.len() as u32 });
        }
        chunk.extend_from_slice(s);
        self.words += s.len();
        self.count += 1;
        Ok(())
    }

    /// Is the next state the first of a chunk, while all have the same length?
    #[inline]
    fn ends_chunk(&self) -> bool {
        self.count >> self.shift == self.chunks.len() as u32
    }

    /// Makes room for a state of so many words: of the bytes that are left, at most.
    #[cold]
    fn grow(&mut self, words: usize, room: usize) -> Result<(), Full> {
        let left = room.saturating_sub(self.bytes()) / 4;
        let largest = if self.places.is_none() { self.length << self.shift } else { CHUNK }.max(words);
        // A chunk that was made smaller because of the limit cannot be followed by another.
        let short = self.places.is_none() && self.chunks.len() > 1 && !self.ends_chunk();
        if left < words || short || u32::try_from(largest).is_err() {
            return Err(Full::Memory);
        }
        let size = match &self.chunks[..] {
            [] if left < FIRST.clamp(words, largest) => return Err(Full::Memory),
            [] => FIRST.clamp(words, largest),
            [only] if only.len() + words <= largest => {
                let size =
                    (only.capacity() * 2).clamp(only.len() + words, largest).min(only.capacity() + left);
                riata_memory::reserve(&mut self.chunks[0], size);
                return Ok(());
            }
            _ => largest,
        };
        self.chunks.push(riata_memory::vector(size.min(left)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(id: u32, length: usize) -> Vec<u32> {
        (0..length as u32).map(|w| id.wrapping_mul(31) ^ w).collect()
    }

    #[test]
    fn states_stay_what_they_are() {
        type Lengths = fn(u32) -> usize;
        let cases: [(u32, Lengths); 7] = [
            (1_500_000, |_| 3),
            (100, |_| 0),
            (5_000_000, |_| 1),
            (900_000, |id| if id < 700_000 { 7 } else { 2 }),
            (600_000, |id| id as usize % 17),
            (40, |id| if id % 3 == 0 { 5 } else { 900_000 }),
            (3, |_| 3_000_000),
        ];
        for (count, length) in cases {
            let mut pool = Pool::default();
            for id in 0..count {
                pool.push(&state(id, length(id)), usize::MAX).unwrap();
            }
            assert_eq!(pool.len(), count);
            for id in (0..count).step_by(if count > 1000 { 37 } else { 1 }) {
                pool.prefetch(id);
                assert_eq!(pool.get(id), state(id, length(id)), "{count} {id}");
            }
        }
    }

    #[test]
    fn a_pool_keeps_to_its_room() {
        let mut pool = Pool::default();
        let room = 20 << 20;
        let most = (0..).take_while(|&id| pool.push(&state(id, 11), room).is_ok()).count();
        assert!(pool.bytes() <= room && most * 44 > room / 2, "{most}");
        assert_eq!(pool.get(most as u32 - 1), state(most as u32 - 1, 11));
    }
}
