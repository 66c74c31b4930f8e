//! Assertions about states: what must not be zero whenever a process is at a location.

use crate::code::Generator;
use crate::context::Context;
use crate::ids::{ExprId, LocId, ProcId};
use crate::interp::Interpreter;
use crate::machine::TooDeep;

impl Generator<'_> {
    /// The assertions at the locations of a process type, with their code.
    pub(crate) fn asserts_of(&mut self, p: ProcId) -> Result<Vec<(LocId, ExprId, u32)>, TooDeep> {
        let mut asserts = Vec::new();
        for (l, location) in self.program.processes[p.index()].locations.iter().enumerate() {
            for &e in &location.asserts {
                asserts.push((LocId::new(l), e, self.value(Some(p), e)?));
            }
        }
        Ok(asserts)
    }
}

impl Interpreter {
    /// The first assertion about the state `s` that does not hold, and the pid of the process that is where it is made. An
    /// assertion without a value does not hold. The fault state violates nothing.
    pub fn violated(&self, s: &[u32]) -> Option<(u32, ExprId)> {
        if !self.asserting || self.is_fault(s) {
            return None;
        }
        for (pid, &(of, base)) in (0u32..).zip(&self.shape(s).processes) {
            let asserts = &self.types[of as usize].asserts;
            if asserts.is_empty() {
                continue;
            }
            let at = LocId(self.at(s, of, base));
            let mut context = Context::new(self, s, pid);
            let mut here = asserts.iter().filter(|(l, ..)| *l == at);
            if let Some(&(_, e, _)) = here.find(|(.., code)| !context.value(*code).is_ok_and(|v| v != 0)) {
                return Some((pid, e));
            }
        }
        None
    }
}
