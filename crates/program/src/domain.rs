//! What variables hold, and what is said about states.

use crate::ids::ExprId;

/// The most values that one message can have.
pub const MAX_MESSAGE: usize = 32;

/// The values that a variable can hold: `min..=max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Domain {
    /// The smallest.
    pub min: i32,
    /// The largest.
    pub max: i32,
}

impl Domain {
    /// `0..=255`.
    pub const BYTE: Domain = Domain { min: 0, max: 255 };
    /// 16 bits with sign.
    pub const SHORT: Domain = Domain { min: -32768, max: 32767 };

    /// `max - min`.
    pub fn extent(self) -> u32 {
        self.max.wrapping_sub(self.min) as u32
    }

    /// How many bits a value needs.
    pub fn bits(self) -> u32 {
        32 - self.extent().leading_zeros()
    }

    /// Is `v` in it?
    pub fn contains(self, v: i32) -> bool {
        self.min <= v && v <= self.max
    }

    /// Has it as many values as its bits can tell apart?
    pub fn is_full(self) -> bool {
        self.extent().wrapping_add(1).is_power_of_two() || self.extent() == u32::MAX
    }

    /// `v` wrapped into the domain, which must be full.
    pub fn wrap(self, v: i32) -> i32 {
        let raw = v.wrapping_sub(self.min) as u32 & self.extent();
        self.min.wrapping_add(raw as i32)
    }
}

/// What happens to a value outside the domain of the variable it is stored to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StoreRule {
    /// It is cut to the width of the domain, which must be full.
    Wrap,
    /// It is a fault.
    Fault,
}

/// A named expression that a property can speak about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposition {
    /// As the property writes it.
    pub name: String,
    /// True where it is not zero. Where evaluating it is a fault it is false.
    pub expr: ExprId,
}
