//! Shapes: which processes a state has, and so where everything in it is.
//!
//! Only the youngest process can die, so the processes of a state are a stack of types, and all stacks that occur are
//! the nodes of a tree: creating a process leads to a child, its death to the parent. A state keeps the number of its
//! node in its head. Whoever reads a state finds all places with one look at the node; nothing is computed per state.
//!
//! Nodes are made when they are first needed and never change, so that they can be read without locks.

use crate::frame::{Frames, MAX_CHANNELS, MAX_PROCESSES, MAX_WORDS};
use crate::machine::Fault;
use std::sync::{Mutex, OnceLock};

/// How many shapes there can be: what the head of a state can tell.
const MAX_SHAPES: u32 = (1 << 24) - 2;
/// The first chunk has so many nodes, each further one twice as many.
const FIRST: u32 = 64;
const CHUNKS: usize = 19;

/// A stack of process types.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub parent: u32,
    /// For each process its type and the first word of its frame.
    pub processes: Vec<(u32, u32)>,
    /// For each channel its kind and its first word; channel `i` has the number `i + 1`.
    pub channels: Vec<(u32, u32)>,
    /// The same, for native code.
    pub doors: Vec<[u32; 2]>,
    pub words: u32,
    /// For each process type, the shape with one more process of this type.
    children: Box<[OnceLock<u32>]>,
}

/// All shapes that occurred.
#[derive(Debug)]
pub(crate) struct Shapes {
    chunks: [OnceLock<Box<[OnceLock<Shape>]>>; CHUNKS],
    count: Mutex<u32>,
}

fn place(id: u32) -> (usize, usize) {
    let chunk = ((id + FIRST) / FIRST).ilog2();
    (chunk as usize, (id + FIRST - (FIRST << chunk)) as usize)
}

impl Shapes {
    /// Only the shape without processes: number 0.
    pub fn new(frames: &Frames) -> Shapes {
        let shapes = Shapes { chunks: Default::default(), count: Mutex::new(0) };
        shapes.add(Shape {
            parent: 0,
            processes: Vec::new(),
            doors: doors(&frames.channels),
            channels: frames.channels.clone(),
            words: frames.base,
            children: empty(frames.types.len()),
        });
        shapes
    }

    /// The shape with this number, which must have occurred.
    #[inline]
    pub fn get(&self, id: u32) -> &Shape {
        let (chunk, i) = place(id);
        self.chunks[chunk].get().and_then(|c| c[i].get()).expect("a state's shape has occurred")
    }

    fn add(&self, shape: Shape) -> u32 {
        let mut count = self.count.lock().expect("nobody panics while adding a shape");
        let id = *count;
        let (chunk, i) = place(id);
        let nodes = self.chunks[chunk].get_or_init(|| (0..FIRST << chunk).map(|_| OnceLock::new()).collect());
        let _ = nodes[i].set(shape);
        *count += 1;
        id
    }

    /// The shape with one more process of type `of`.
    pub fn child(&self, id: u32, of: u32, frames: &Frames) -> Result<u32, Fault> {
        let shape = self.get(id);
        if let Some(&child) = shape.children[of as usize].get() {
            return Ok(child);
        }
        let frame = &frames.types[of as usize];
        if shape.processes.len() >= MAX_PROCESSES {
            return Err(Fault::TooManyProcesses);
        }
        if shape.channels.len() + frame.channels.len() > MAX_CHANNELS {
            return Err(Fault::TooManyChannels);
        }
        let full = *self.count.lock().expect("nobody panics while adding a shape") >= MAX_SHAPES;
        if full || shape.words + frame.words > MAX_WORDS {
            return Err(Fault::StateTooLarge);
        }
        let mut processes = shape.processes.clone();
        // Where a frame has one place only, its fields know it.
        let base = if frame.fixed { 0 } else { shape.words };
        processes.push((of, base));
        let mut channels = shape.channels.clone();
        channels.extend(frame.channels.iter().map(|&(kind, at)| (kind, base + at)));
        let make = || {
            self.add(Shape {
                parent: id,
                processes,
                doors: doors(&channels),
                channels,
                words: shape.words + frame.words,
                children: empty(frames.types.len()),
            })
        };
        Ok(*shape.children[of as usize].get_or_init(make))
    }
}

fn doors(channels: &[(u32, u32)]) -> Vec<[u32; 2]> {
    channels.iter().map(|&(kind, at)| [kind, at]).collect()
}

fn empty(types: usize) -> Box<[OnceLock<u32>]> {
    (0..types).map(|_| OnceLock::new()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_follow_each_other() {
        let mut expected = (0, 0);
        for id in 0..100_000 {
            assert_eq!(place(id), expected, "{id}");
            expected.1 += 1;
            if expected.1 == (FIRST << expected.0) as usize {
                expected = (expected.0 + 1, 0);
            }
        }
        assert!(place(MAX_SHAPES).0 < CHUNKS);
    }
}
