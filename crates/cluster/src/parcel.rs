//! What timely carries: words for one process, as they are.

use timely::Accountable;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};

/// What the words are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Kind {
    /// Records, each with its length before it.
    #[default]
    Records = 1,
    /// What a process says at the end of a round.
    Note = 2,
    /// What is heard at once, in whichever round.
    Urgent = 3,
}

/// Words from one process to another. Timely sees one record, whatever is in it; none, if it has no destination.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parcel {
    /// The destination and one more; 0 is nobody.
    to: u32,
    pub from: u32,
    pub kind: Kind,
    pub words: Vec<u32>,
}

impl Parcel {
    pub fn new((from, to): (usize, usize), kind: Kind, words: Vec<u32>) -> Parcel {
        Parcel { to: to as u32 + 1, from: from as u32, kind, words }
    }

    /// The records. What is cut off is none.
    pub fn records(&self) -> impl Iterator<Item = &[u32]> {
        let mut rest = &self.words[..];
        std::iter::from_fn(move || {
            let (&len, words) = rest.split_first()?;
            let (record, others) = words.split_at_checked(len as usize)?;
            rest = others;
            Some(record)
        })
    }
}

impl Accountable for Parcel {
    fn record_count(&self) -> i64 {
        i64::from(self.to > 0)
    }
}

/// Words before those of the parcel: destination, source, kind, and how many follow.
const HEAD: usize = 4;

impl ContainerBytes for Parcel {
    fn from_bytes(bytes: Bytes) -> Self {
        let (fours, _) = bytes.as_chunks::<4>();
        let word = |i: usize| fours.get(i).map_or(0, |&w| u32::from_le_bytes(w));
        let kind = match word(2) {
            2 => Kind::Note,
            3 => Kind::Urgent,
            _ => Kind::Records,
        };
        let words = fours.iter().skip(HEAD).take(word(3) as usize).map(|&w| u32::from_le_bytes(w));
        Parcel { to: word(0), from: word(1), kind, words: words.collect() }
    }

    fn length_in_bytes(&self) -> usize {
        // A multiple of eight, as timely wants it.
        (HEAD + self.words.len()).next_multiple_of(2) * 4
    }

    fn into_bytes<W: std::io::Write>(&self, writer: &mut W) {
        let mut bytes = Vec::with_capacity(self.length_in_bytes());
        let head = [self.to, self.from, self.kind as u32, self.words.len() as u32];
        head.iter().chain(&self.words).for_each(|w| bytes.extend(w.to_le_bytes()));
        bytes.resize(self.length_in_bytes(), 0);
        // Timely writes to memory that has room for it.
        let _ = writer.write_all(&bytes);
    }
}

/// Gives a parcel to whom it is for.
#[derive(Default)]
pub struct Directly;

impl Distributor<Parcel> for Directly {
    fn partition<T: Clone, P: Push<Message<T, Parcel>>>(
        &mut self,
        parcel: &mut Parcel,
        time: &T,
        pushers: &mut [P],
    ) {
        if let Some(to) = (parcel.to as usize).checked_sub(1) {
            Message::push_at(parcel, time.clone(), &mut pushers[to]);
        }
    }

    fn flush<T: Clone, P: Push<Message<T, Parcel>>>(&mut self, _: &T, _: &mut [P]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_back() {
        for n in 0..6u32 {
            let parcel = Parcel::new((1, 2), Kind::Note, (0..n).map(|w| w << 20 | 1).collect());
            let mut bytes = Vec::new();
            parcel.into_bytes(&mut bytes);
            assert_eq!((bytes.len(), bytes.len() % 8), (parcel.length_in_bytes(), 0));
            let bytes = timely::bytes::arc::BytesMut::from(bytes).freeze();
            assert_eq!(Parcel::from_bytes(bytes), parcel);
        }
    }

    #[test]
    fn what_is_cut_off_is_no_record() {
        let of = |words: &[u32]| {
            let parcel = Parcel::new((0, 0), Kind::Records, words.to_vec());
            parcel.records().map(<[u32]>::to_vec).collect::<Vec<_>>()
        };
        assert_eq!(of(&[1, 7, 0, 2, 8, 9]), [vec![7], vec![], vec![8, 9]]);
        assert_eq!(of(&[1, 7, 3, 8, 9]), [vec![7]]);
        assert_eq!(of(&[u32::MAX]), Vec::<Vec<u32>>::new());
    }
}
