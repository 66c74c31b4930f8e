//! Dense newtype ids, so that a process is never mistaken for a variable.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of the element at index `i`. More than 2^32 elements are never built.
            pub fn new(i: usize) -> Self {
                $name(u32::try_from(i).expect("an arena has fewer than 2^32 elements"))
            }
        }
    )*};
}

ids! {
    /// A process type.
    ProcId,
    /// A location, counted within its process type.
    LocId,
    /// An edge, counted within its process type.
    EdgeId,
    /// An expression in the program's arena.
    ExprId,
}
