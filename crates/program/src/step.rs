//! One step after another: which edges of a state can be taken, and what taking them does.

use crate::ids::{ChanId, InstanceId};
use crate::interp::{CLAIM, Compiled, Cursor, Ends, Interpreter, Kind, Message};
use crate::lockstep;
use crate::machine::Trap;
use crate::program::{MAX_MESSAGE, Scheduling};
use riata_system::ActionId;

impl Interpreter<'_> {
    pub(crate) fn start(&self, src: &[u32], at: &mut Cursor) {
        at.started = true;
        at.committed = self.commits.iter().any(|&i| {
            let table = &self.tables[i as usize];
            table.committed[table.location.raw(src) as usize]
        });
    }

    /// The next step of the system, the claim left aside. `src` is not the fault state.
    pub(crate) fn system(&self, src: &[u32], at: &mut Cursor, dst: &mut [u32]) -> Option<ActionId> {
        if self.program.scheduling == Scheduling::Lockstep {
            return lockstep::next(self, src, at, dst);
        }
        let dst = &mut dst[..self.layout.words()];
        let src = &src[..dst.len()];
        while let Some(table) = self.tables.get(at.instance as usize) {
            let location = table.location.raw(src) as usize;
            let (lo, hi) = table.ranges[location];
            let skip = !table.takes_part || (at.committed && !table.committed[location]);
            if !skip {
                while lo + at.edge < hi {
                    if let Some(action) = self.edge(&self.edges[(lo + at.edge) as usize], src, at, dst) {
                        return Some(action);
                    }
                }
            }
            at.instance += 1;
            at.edge = 0;
        }
        None
    }

    /// Tries one edge of the system: its step, or none and the cursor advanced to the next edge.
    #[inline]
    fn edge(&self, edge: &Compiled, src: &[u32], at: &mut Cursor, dst: &mut [u32]) -> Option<ActionId> {
        let action = ActionId(edge.action);
        if edge.kind != Kind::Alone {
            return self.communicate(edge, src, at, dst);
        }
        at.edge += 1;
        match self.guard(edge, src) {
            Ok(false) => return None,
            Ok(true) => {
                dst.copy_from_slice(src);
                let r = self.exec(edge.effect, dst, &mut []);
                self.settle(r, at, dst);
            }
            Err(trap) => self.settle(Err(trap), at, dst),
        }
        Some(action)
    }

    fn communicate(
        &self,
        edge: &Compiled,
        src: &[u32],
        at: &mut Cursor,
        dst: &mut [u32],
    ) -> Option<ActionId> {
        let first = at.partner == 0;
        // A sender that has met someone has passed its guard.
        if first {
            match self.guard(edge, src) {
                Ok(true) => {}
                Ok(false) => {
                    at.edge += 1;
                    return None;
                }
                Err(trap) => {
                    at.edge += 1;
                    self.settle(Err(trap), at, dst);
                    return Some(ActionId(edge.action));
                }
            }
        }
        match edge.kind {
            Kind::Meet(c) => {
                let receivers = &self.receivers[c as usize];
                while let Some(receiver) = receivers.get(at.partner as usize) {
                    let action = ActionId(edge.action + at.partner);
                    at.partner += 1;
                    if receiver.instance == edge.instance {
                        continue;
                    }
                    let table = &self.tables[receiver.instance as usize];
                    let ready = table.location.raw(src) == receiver.from
                        && table.takes_part
                        && (!at.committed || table.committed[receiver.from as usize]);
                    if !ready {
                        continue;
                    }
                    let r = match self.guard(receiver, src) {
                        Ok(false) => continue,
                        Ok(true) => self.meet(edge, receiver, src, dst),
                        Err(trap) => Err(trap),
                    };
                    self.settle(r, at, dst);
                    return Some(action);
                }
                at.partner = 0;
                at.edge += 1;
                None
            }
            Kind::Push(c) => {
                at.edge += 1;
                let r = self.push(edge, ChanId(c), src, dst)?;
                self.settle(r, at, dst);
                Some(ActionId(edge.action))
            }
            Kind::Pull(c) => {
                at.edge += 1;
                let r = self.pull(edge, ChanId(c), src, dst)?;
                self.settle(r, at, dst);
                Some(ActionId(edge.action))
            }
            Kind::Alone => None,
        }
    }

    fn meet(&self, sender: &Compiled, receiver: &Compiled, src: &[u32], dst: &mut [u32]) -> Result<(), Trap> {
        let mut message: Message = [0; MAX_MESSAGE];
        self.eval_message(sender.message, src, &mut message)?;
        dst.copy_from_slice(src);
        self.exec(receiver.effect, dst, &mut message)?;
        self.exec(sender.effect, dst, &mut [])
    }

    fn push(&self, edge: &Compiled, c: ChanId, src: &[u32], dst: &mut [u32]) -> Option<Result<(), Trap>> {
        let layout = self.layout.channel(c)?;
        let count = layout.count.raw(src);
        if count >= self.program.channels[c.index()].capacity {
            return None;
        }
        let mut message: Message = [0; MAX_MESSAGE];
        if let Err(trap) = self.eval_message(edge.message, src, &mut message) {
            return Some(Err(trap));
        }
        dst.copy_from_slice(src);
        layout.count.store(dst, count as i32 + 1);
        for (field, &value) in layout.fields.iter().zip(&message) {
            field.element(count).store(dst, value);
        }
        Some(self.exec(edge.effect, dst, &mut []))
    }

    fn pull(&self, edge: &Compiled, c: ChanId, src: &[u32], dst: &mut [u32]) -> Option<Result<(), Trap>> {
        let layout = self.layout.channel(c)?;
        let count = layout.count.raw(src);
        if count == 0 {
            return None;
        }
        let mut message: Message = [0; MAX_MESSAGE];
        dst.copy_from_slice(src);
        layout.count.store(dst, count as i32 - 1);
        for (field, value) in layout.fields.iter().zip(&mut message) {
            *value = field.element(0).load(src);
            for i in 1..count {
                field.element(i - 1).store(dst, field.element(i).load(src));
            }
            field.element(count - 1).store(dst, field.min);
        }
        Some(self.exec(edge.effect, dst, &mut message))
    }

    /// Moves `at.claim` to the next edge of the claim whose guard holds or faults.
    fn claim_edge(&self, claim: InstanceId, src: &[u32], at: &mut Cursor) -> Option<()> {
        let table = &self.tables[claim.index()];
        let (lo, hi) = table.ranges[table.location.raw(src) as usize];
        while lo + at.claim < hi {
            let edge = &self.edges[(lo + at.claim) as usize];
            at.claim += 1;
            if !matches!(self.guard(edge, src), Ok(false)) {
                return Some(());
            }
        }
        None
    }

    /// Steps of system and claim together: for each enabled edge of the claim, each step of the system.
    pub(crate) fn watched(
        &self,
        claim: InstanceId,
        src: &[u32],
        at: &mut Cursor,
        dst: &mut [u32],
    ) -> Option<ActionId> {
        let table = &self.tables[claim.index()];
        let (lo, _) = table.ranges[table.location.raw(src) as usize];
        loop {
            if at.claim > 0 && !(at.started && at.instance == u32::MAX) {
                let edge = &self.edges[(lo + at.claim - 1) as usize];
                if let Some(action) = self.system(src, at, dst) {
                    at.moved = true;
                    if self.layout.is_fault(dst) {
                        // The claim sees the fault and goes on.
                        let frame = self.layout.frame(claim);
                        dst[frame.clone()].copy_from_slice(&src[frame]);
                    }
                    self.claim_step(claim, edge, src, at, dst);
                    return Some(action);
                }
                // The system has no further step. If it had none at all, the claim moves alone.
                at.instance = u32::MAX;
                if !at.moved && self.options.ends == Ends::Stutter {
                    dst[..src.len()].copy_from_slice(src);
                    self.claim_step(claim, edge, src, at, dst);
                    return Some(CLAIM);
                }
            }
            self.claim_edge(claim, src, at)?;
            at.instance = 0;
            at.edge = 0;
            at.partner = 0;
        }
    }

    /// Takes `edge` of the claim, in `dst`; where its guard or effect is a fault, so is the step.
    fn claim_step(&self, claim: InstanceId, edge: &Compiled, src: &[u32], at: &mut Cursor, dst: &mut [u32]) {
        let r = self.guard(edge, src).and_then(|_| self.exec(edge.effect, dst, &mut []));
        if r.is_err() {
            self.settle(r, at, dst);
            let frame = self.layout.frame(claim);
            dst[frame.clone()].copy_from_slice(&src[frame]);
        }
    }

    /// The claim's next step from the fault state, where nothing else moves.
    pub(crate) fn alone(
        &self,
        claim: InstanceId,
        src: &[u32],
        at: &mut Cursor,
        dst: &mut [u32],
    ) -> Option<ActionId> {
        self.claim_edge(claim, src, at)?;
        let table = &self.tables[claim.index()];
        let (lo, _) = table.ranges[table.location.raw(src) as usize];
        let words = self.layout.words();
        dst[..words].copy_from_slice(&src[..words]);
        self.claim_step(claim, &self.edges[(lo + at.claim - 1) as usize], src, at, dst);
        Some(CLAIM)
    }
}
