//! How far searches were, moment by moment, for plots: a recorder for listeners.

use riata_report::answer::{Answer, Engine, Sample};
use riata_symbolic::oxi::Pulse;
use riata_system::Counters;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The most samples of a search. When there are more, every other one goes, and the distance doubles.
const MOST: usize = 240;
/// The least time between two samples.
const LEAST: Duration = Duration::from_millis(20);
/// With fewer samples than this a search was too short.
const FEW: usize = 3;

/// The samples of one search.
#[derive(Clone, Debug)]
pub struct Series {
    start: Instant,
    next: Duration,
    distance: Duration,
    all: Vec<Sample>,
}

impl Series {
    fn new() -> Series {
        Series { start: Instant::now(), next: Duration::ZERO, distance: LEAST, all: Vec::new() }
    }

    /// A moment, if it is time for one.
    fn note(&mut self, elapsed: Duration, sample: Sample) {
        if elapsed < self.next {
            return;
        }
        self.all.push(Sample { seconds: elapsed.as_secs_f64(), ..sample });
        if self.all.len() >= MOST {
            let mut keep = false;
            self.all.retain(|_| {
                keep = !keep;
                keep
            });
            self.distance *= 2;
        }
        self.next = elapsed + self.distance;
    }

    /// A search that listens to itself is so far.
    pub fn tick(&mut self, counters: &Counters, depth: usize) {
        let sample = Sample {
            states: Some(counters.states),
            bytes: Some(counters.bytes),
            depth: Some(depth as u64),
            frontier: Some(counters.waiting).filter(|&n| n > 0),
            ..Sample::default()
        };
        self.note(self.start.elapsed(), sample);
    }
}

/// What is known of the searches of a call, by their names; see [`Listener::search`](crate::Listener::search).
#[derive(Debug, Default)]
pub struct Samples {
    searches: Mutex<HashMap<String, Arc<Mutex<Series>>>>,
    /// Of the symbolic engine, since the last answer.
    diagrams: Mutex<Option<Series>>,
}

impl Samples {
    /// A search of this name begins.
    pub fn begin(&self, what: &str) -> Arc<Mutex<Series>> {
        let series = Arc::new(Mutex::new(Series::new()));
        let mut searches = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
        searches.insert(what.into(), series.clone());
        series
    }

    /// The symbolic engine is so far.
    pub fn pulse(&self, pulse: Pulse) {
        let mut diagrams = self.diagrams.lock().unwrap_or_else(PoisonError::into_inner);
        let series = diagrams.get_or_insert_with(Series::new);
        let nodes = Some(pulse.nodes as u64);
        series.note(series.start.elapsed(), Sample { nodes, ..Sample::default() });
    }

    /// The samples of the search that found an answer; none if it was too short.
    pub fn of(&self, answer: &Answer) -> Vec<Sample> {
        let diagrams = self.diagrams.lock().unwrap_or_else(PoisonError::into_inner).take();
        let searches = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
        let named = answer.property.as_ref().map(|p| format!("{p}: {}", answer.algorithm));
        let names = [named, Some(format!("states: {}", answer.algorithm)), Some("explore".into())];
        let series = match answer.engine {
            Engine::Symbolic => diagrams,
            _ => names
                .iter()
                .flatten()
                .find_map(|n| searches.get(n))
                .map(|s| s.lock().unwrap_or_else(PoisonError::into_inner).clone()),
        };
        series.map(|s| s.all).filter(|all| all.len() >= FEW).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_searches_have_few_samples() {
        let mut series = Series::new();
        for ms in 0..100_000 {
            series.note(Duration::from_millis(ms), Sample { states: Some(ms), ..Sample::default() });
        }
        assert!((MOST / 4..MOST).contains(&series.all.len()), "{}", series.all.len());
        assert!(series.all.is_sorted_by(|a, b| a.seconds < b.seconds));
        assert!(series.all.last().is_some_and(|s| s.seconds > 95.0));
    }

    #[test]
    fn each_answer_has_those_of_its_own_search() {
        let samples = Samples::default();
        let answer = |property: &str, algorithm: &str| Answer {
            property: Some(property.into()),
            algorithm: algorithm.into(),
            ..Answer::default()
        };
        for (name, states) in [("p: ascc", 1), ("p: sd", 2), ("states: bfs", 3)] {
            let series = samples.begin(name);
            let mut series = series.lock().expect("nobody else");
            for s in 0..4 {
                let sample = Sample { states: Some(states), ..Sample::default() };
                series.note(Duration::from_secs(s), sample);
            }
        }
        let states = |a: &Answer| samples.of(a).first().and_then(|s| s.states);
        assert_eq!(states(&answer("p", "sd")), Some(2));
        assert_eq!(states(&answer("p", "ascc")), Some(1));
        assert_eq!(states(&answer("deadlock", "bfs")), Some(3));
        assert_eq!(states(&answer("q", "sd")), None);
        // One that is too short.
        let short = samples.begin("p: sd");
        short.lock().expect("nobody else").tick(&Counters::default(), 1);
        assert_eq!(states(&answer("p", "sd")), None);
    }
}
