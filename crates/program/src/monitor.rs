//! Assertions about messages: an automaton that watches what is sent and received.
//!
//! The events that it watches are the sends to a channel, or the receives from it, that occur in it somewhere. Each of
//! them must be one that it can take, and takes it on. One that asserts what must *not* be stops watching at the first
//! event that it cannot take, and is violated when it comes to its end. A rendezvous is a send, then a receive. As in Spin,
//! a run may end before the monitor does.

use crate::context::ContextMut;
use crate::form::TraceMonitor;
use crate::interp::Interpreter;
use crate::layout::Field;
use crate::machine::{Fault, Trap};
use crate::memory::{Reader, Writer};
use riata_source::Span;

impl Interpreter {
    /// Tells the monitor, if there is one, that a message was sent or received.
    #[inline]
    pub(crate) fn observe<T: Writer + ?Sized>(
        &self,
        sends: bool,
        channel: i32,
        message: &[i32; crate::domain::MAX_MESSAGE],
        to: &mut ContextMut<'_, '_, T>,
    ) -> Result<(), Trap> {
        match (&self.program.monitor, self.monitor) {
            (Some(monitor), Some(at)) => self.event((monitor, at), sends, channel, message, to),
            _ => Ok(()),
        }
    }

    fn event<T: Writer + ?Sized>(
        &self,
        (monitor, at): (&TraceMonitor, Field),
        sends: bool,
        channel: i32,
        message: &[i32; crate::domain::MAX_MESSAGE],
        to: &mut ContextMut<'_, '_, T>,
    ) -> Result<(), Trap> {
        let mut now = to.now();
        let mut concerns = |r: u32| match &self.receives[r as usize] {
            Some(receive) => Ok(self.channel_of(&mut now, receive.channel)? == channel),
            None => Ok(false),
        };
        let mut watched = false;
        for event in monitor.locations.iter().flatten().filter(|e| e.sends == sends) {
            watched = watched || concerns(event.receive)?;
        }
        if !watched {
            return Ok(());
        }
        let location = to.s.now().raw(at, 0) as usize;
        let mut next = None;
        for event in monitor.locations[location].iter().filter(|e| e.sends == sends) {
            let mut now = to.now();
            let Some(receive) = &self.receives[event.receive as usize] else { continue };
            if self.channel_of(&mut now, receive.channel)? == channel && now.fits(receive, message)? {
                if next.is_some() {
                    return Err(Trap { fault: Fault::EventAmbiguous, span: receive.span });
                }
                next = Some(event.to);
            }
        }
        match next {
            Some(l) if monitor.negated && l == monitor.last => {
                Err(Trap { fault: Fault::EventsMatched, span: monitor.span })
            }
            Some(l) => {
                to.s.store(at, 0, l as i32);
                Ok(())
            }
            // One that is not to be matched has failed for good.
            None if monitor.negated => {
                to.s.store(at, 0, monitor.last as i32);
                Ok(())
            }
            None => Err(Trap { fault: Fault::EventUnexpected, span: self.expected(location) }),
        }
    }

    /// Where the monitor has an event to offer, or where it is.
    fn expected(&self, location: usize) -> Span {
        let Some(monitor) = &self.program.monitor else { return Span::default() };
        let first = monitor.locations[location].first();
        let receive = first.and_then(|e| self.receives[e.receive as usize].as_ref());
        receive.map_or(monitor.span, |r| r.span)
    }
}
