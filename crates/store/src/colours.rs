//! What a nested search keeps of each state: a colour, or membership in a set.

use riata_memory::extend_to;

/// The colours of SE05 Figure 3, and the black of GMZ04.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Colour {
    /// Not seen.
    White = 0,
    /// The blue search of the state has not ended: it is on the call stack.
    Cyan = 1,
    /// The blue search has ended; no red search has been here.
    Blue = 2,
    /// Both searches have been here.
    Red = 3,
    /// Known to lie on no accepting run.
    Black = 4,
}

impl Colour {
    fn of(bits: u64) -> Colour {
        match bits {
            0 => Colour::White,
            1 => Colour::Cyan,
            2 => Colour::Blue,
            3 => Colour::Red,
            _ => Colour::Black,
        }
    }
}

/// Which colours a search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// White, cyan and blue.
    Three,
    /// And red: two bits a state.
    Four,
    /// And black: three bits a state, stored in four.
    Five,
}

/// A colour for each state; white until set.
pub trait Colours<Id> {
    /// The colour of `id`. With a lossy store a state may seem to have a colour that it was not given.
    fn get(&self, id: Id) -> Colour;
    /// Gives `id` a colour. A state that was not white is not made white again.
    fn set(&mut self, id: Id, colour: Colour);
    /// Bytes held.
    fn bytes(&self) -> usize;
}

/// A set of states that only grows.
pub trait StateSet<Id> {
    /// Is `id` in the set? With a lossy store, it may seem so when it is not.
    fn contains(&self, id: Id) -> bool;
    /// Puts `id` into the set.
    fn insert(&mut self, id: Id);
    /// Bytes held.
    fn bytes(&self) -> usize;
}

/// Colours of numbered states, two or four bits each.
pub struct Packed {
    cells: Vec<u64>,
    /// Bits a colour, as a shift: 1 for two bits, 2 for four.
    shift: u32,
}

impl Packed {
    /// All white.
    pub fn new(palette: Palette) -> Self {
        Packed { cells: Vec::new(), shift: if palette == Palette::Five { 2 } else { 1 } }
    }

    #[inline]
    fn place(&self, id: u32) -> (usize, u32, u64) {
        let bit = (id as usize) << self.shift;
        (bit >> 6, (bit & 63) as u32, (1 << (1 << self.shift)) - 1)
    }
}

impl Colours<u32> for Packed {
    #[inline]
    fn get(&self, id: u32) -> Colour {
        let (cell, bit, mask) = self.place(id);
        self.cells.get(cell).map_or(Colour::White, |c| Colour::of(c >> bit & mask))
    }

    #[inline]
    fn set(&mut self, id: u32, colour: Colour) {
        let (cell, bit, mask) = self.place(id);
        extend_to(&mut self.cells, cell + 1, 0);
        let c = &mut self.cells[cell];
        *c = *c & !(mask << bit) | (colour as u64) << bit;
    }

    fn bytes(&self) -> usize {
        self.cells.capacity() * 8
    }
}

/// A set of numbered states, one bit each.
#[derive(Default)]
pub struct BitSet {
    cells: Vec<u64>,
}

impl StateSet<u32> for BitSet {
    #[inline]
    fn contains(&self, id: u32) -> bool {
        self.cells.get(id as usize >> 6).is_some_and(|c| c >> (id & 63) & 1 == 1)
    }

    #[inline]
    fn insert(&mut self, id: u32) {
        let cell = id as usize >> 6;
        extend_to(&mut self.cells, cell + 1, 0);
        self.cells[cell] |= 1 << (id & 63);
    }

    fn bytes(&self) -> usize {
        self.cells.capacity() * 8
    }
}
