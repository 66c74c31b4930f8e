//! A shortest path to a state that was found.
//!
//! Nothing about it was kept but the levels. From the state backwards, on each level one of the states with a step to the
//! last one is looked for, by the device, or among those that the interpreter expanded.
//!
//! The way back has some seconds even if the search has used up all time: what it found is worth little without it.

use crate::device::Device;
use crate::search::{Place, Search, Wrong};
use crate::space::Space;
use riata_system::{Path, Stop};
use std::time::{Duration, Instant};

/// The time that the way back has in any case.
const GRACE: Duration = Duration::from_secs(10);

impl<D: Device, S: Space> Search<'_, D, S> {
    /// The states from the first one to a place, with what comes after a failure if that was found; nothing if there is no time left,
    /// or if a step is missing, which cannot be.
    pub fn path(&mut self, place: &Place) -> Result<Option<Path>, Wrong> {
        let mut back = vec![place.state.clone()];
        let start = Instant::now();
        for level in (0..place.level).rev() {
            let late = |stop| stop == Stop::Interrupted || start.elapsed() > GRACE;
            if self.stops().is_some_and(late) {
                return Ok(None);
            }
            let target = back[back.len() - 1].clone();
            let Some(before) = self.before(level, &target)? else { return Ok(None) };
            back.push(before);
        }
        let mut path = Path::new();
        back.iter().rev().for_each(|s| path.push(s));
        if place.fault {
            self.space.failure(&place.state, &mut path);
        }
        Ok(Some(path))
    }

    /// A state of a level with a step to the target.
    fn before(&mut self, level: usize, target: &[u32]) -> Result<Option<Vec<u32>>, Wrong> {
        let (lo, hi) = self.levels[level];
        let mut key = Vec::new();
        self.pack(target, &mut key)?;
        let chunk = self.device.usual().1;
        for from in (lo..hi).step_by(chunk as usize) {
            let found = self.device.expand(from, hi.min(from + chunk), Some(&key))?.found;
            if found != u64::MAX {
                let key = self.device.state(found)?;
                return Ok(Some(self.unpacked(&key)));
            }
        }
        for key in self.asked[level].chunks(self.plan.packing.packed) {
            let s = self.unpacked(key);
            if self.space.leads(&s, target) {
                return Ok(Some(s));
            }
        }
        Ok(None)
    }
}
