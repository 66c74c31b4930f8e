//! A connection as timely sees it.
//!
//! Timely's threads panic when a connection breaks, and nobody hears of it. So here a broken connection is noted, and
//! the thread that reads sleeps from then on; the search looks at the note, and ends.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use timely::communication::allocator::zero_copy::stream::Stream;

/// What is known of the connections of a process.
#[derive(Debug, Default)]
pub struct Links {
    /// Bytes that were sent, by all of them.
    sent: AtomicU64,
    /// Is one broken?
    lost: AtomicBool,
}

impl Links {
    pub fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Acquire)
    }
}

/// Timely ends a connection by a header of so many bytes, all of them zero.
const END: usize = 48;

/// A connection to one process.
pub struct Wire {
    stream: TcpStream,
    links: Arc<Links>,
    /// How many of the bytes that were read last are zero.
    zeros: usize,
}

impl Wire {
    pub fn new(stream: TcpStream, links: Arc<Links>) -> Wire {
        Wire { stream, links, zeros: 0 }
    }
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.stream.read(buffer).unwrap_or(0);
        if read > 0 {
            let zeros = buffer[..read].iter().rev().take_while(|b| **b == 0).count();
            self.zeros = if zeros == read { self.zeros.saturating_add(zeros) } else { zeros };
            return Ok(read);
        }
        self.links.lost.store(true, Ordering::Release);
        if self.zeros >= END {
            return Ok(0);
        }
        // Timely would panic now.
        loop {
            std::thread::park();
        }
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self.stream.write(bytes) {
            Ok(written) if written > 0 => {
                self.links.sent.fetch_add(written as u64, Ordering::Relaxed);
                Ok(written)
            }
            _ => {
                self.links.lost.store(true, Ordering::Release);
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Stream for Wire {
    fn try_clone(&self) -> std::io::Result<Self> {
        Ok(Wire::new(self.stream.try_clone()?, self.links.clone()))
    }

    fn set_nonblocking(&self, nonblocking: bool) -> std::io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> std::io::Result<()> {
        // What is broken is closed.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
