//! Specifications of synchronous models, by the symbolic engine.

use super::Source;
use super::order::Order;
use super::tell::{Telling, beside, say};
use crate::error::Error;
use crate::how::{How, Nobody};
use crate::options::Algorithms;
use crate::sets::{self, algorithms, count, inconclusive, manager, open, shape};
use crate::subject::Out;
use cpu_time::ThreadTime;
use riata_aiger::witness;
use riata_report::answer::{Answer, Verdict};
use riata_smv::Fail;
use riata_smv::check::{Answer as Decided, Automaton, Length, Method, Session};
use riata_smv::machine::Layout;
use riata_smv::model::Spec;
use riata_smv::vacuity;
use riata_source::Diagnostic;
use riata_symbolic::{Algorithm, Bdd, Strength};

/// Larger searches are not repeated for the sake of a warning.
const LARGEST: f64 = 50_000.0;
/// Nor those whose relation took more seconds to build.
const QUICK: f64 = 0.5;

/// A specification that was asked for.
struct Wanted<'m> {
    spec: &'m Spec,
    automaton: Option<Automaton>,
}

/// Decides the specifications with these names.
pub fn check(source: &Source, names: &[String], out: &mut Out) -> Result<(), Error> {
    let how = out.how;
    let algorithms = algorithms(how)?;
    let order = source.order(&how.options.symbolic)?;
    let wanted = sets::work(how, || {
        let chosen = names.iter().filter_map(|n| source.model.specs.iter().find(|s| s.name == *n));
        let one = |spec| {
            let exists = how.options.exists;
            let automaton = Automaton::new(&source.model, &source.types, spec, exists, Method::Chosen);
            Ok(Wanted { spec, automaton: automaton.map_err(|d| source.wrong(d))? })
        };
        chosen.map(one).collect::<Result<Vec<Wanted>, Error>>()
    });
    let wanted = wanted.0?;
    for algorithm in algorithms {
        let mut round = Round { source, how, wanted: &wanted, order: &order, algorithm, done: 0 };
        let (ended, _) = sets::work(how, || round.run(out));
        let done = round.done;
        match ended {
            Ok(()) => {}
            Err(Fail::Wrong(d)) => return Err(source.wrong(*d)),
            Err(Fail::Stop(stop)) => {
                // Every property that has no answer is open.
                for w in &wanted[done..] {
                    out.answer(round.witnessed(
                        w,
                        None,
                        inconclusive(&w.spec.name, algorithm, &stop.to_string()),
                    ));
                }
            }
        }
    }
    if how.algorithms() == Algorithms::All {
        agree(&out.answers);
    }
    Ok(())
}

/// Checks that contradict each other are a bug, never a verdict.
fn agree(answers: &[Answer]) {
    for a in answers.iter().filter(|a| a.verdict == Verdict::Holds) {
        let other = |b: &&Answer| b.property == a.property && b.verdict == Verdict::Violated;
        if let Some(b) = answers.iter().find(other) {
            let (h, v) = (&a.algorithm, &b.algorithm);
            panic!("internal error: {h} says that the property holds, {v} that it is violated");
        }
    }
}

/// One run of the engine, with one algorithm.
struct Round<'a> {
    source: &'a Source,
    how: &'a How<'a>,
    wanted: &'a [Wanted<'a>],
    order: &'a Order,
    algorithm: Option<Algorithm>,
    /// How many have their answers.
    done: usize,
}

impl Round<'_> {
    fn run(&mut self, out: &mut Out) -> Result<(), Fail> {
        let (source, how) = (self.source, self.how);
        let bdd = manager(how, source.bits());
        let start = ThreadTime::now();
        let fresh =
            self.wanted.iter().filter_map(|w| w.automaton.as_ref()).map(Automaton::bits).max().unwrap_or(0);
        let layout = Layout::new(&bdd, &source.model, &source.types, fresh, &self.order.variables());
        self.order.apply(&bdd, &layout);
        source.write_order(how, &layout, &bdd);
        let flags = &how.options.symbolic;
        let session = Session::new(&bdd, &source.model, &source.types, &layout, shape(flags))?;
        let setup = start.elapsed().as_secs_f64();
        if session.is_empty() {
            how.warn("there is no initial state, so every property holds");
        } else if session.has_deadlock() {
            how.warn("some reachable state has no successor; properties speak of infinite runs");
        }
        let states = session.states()?;
        let vacuous = if setup < QUICK { self.vacuous(states) } else { Vec::new() };
        for w in self.wanted {
            let start = ThreadTime::now();
            let found = session.check(w.spec, w.automaton.as_ref(), self.algorithm);
            let cpu = start.elapsed().as_secs_f64();
            let answer = match found {
                Ok(found) => {
                    let mut answer = self.answer(w, &found);
                    count(&mut answer, &found.counters, states, bdd.peak_live());
                    answer.memory_bytes = bdd.bytes() as u64;
                    // The first property pays for what all share.
                    answer.cpu_seconds = cpu;
                    if let Some(sets) = &mut answer.sets {
                        sets.setup_seconds = Some(setup);
                        sets.reorderings = Some(bdd.reorderings() as u64);
                    }
                    if found.holds {
                        let of = vacuous.iter().filter(|(name, _)| *name == w.spec.name);
                        answer.warnings.extend(of.map(|(_, warning)| warning.clone()));
                    }
                    self.witnessed(w, Some(&found), answer)
                }
                Err(Fail::Stop(stop)) => {
                    self.witnessed(w, None, inconclusive(&w.spec.name, self.algorithm, &stop.to_string()))
                }
                Err(wrong) => return Err(wrong),
            };
            self.done += 1;
            out.answer(answer);
        }
        source.write_order(how, &layout, &bdd);
        Ok(())
    }

    /// Conditions that do not matter, by specification. What cannot be found out is no reason to complain.
    fn vacuous(&self, states: f64) -> Vec<(String, String)> {
        let asks = self.source.circuit.is_none()
            && !self.how.options.exists
            && self.how.algorithms() == Algorithms::Auto
            && states <= LARGEST;
        if asks { self.stronger().unwrap_or_default() } else { Vec::new() }
    }

    fn stronger(&self) -> Result<Vec<(String, String)>, Fail> {
        let source = self.source;
        let names: Vec<&str> = self.wanted.iter().map(|w| w.spec.name.as_str()).collect();
        let Some((model, types, all)) = vacuity::stronger(&source.model, &source.types, &names) else {
            return Ok(Vec::new());
        };
        let one = |spec| Ok((spec, Automaton::new(&model, &types, spec, false, Method::Chosen)?));
        let specs = model.specs.iter().map(one).collect::<Result<Vec<_>, Diagnostic>>();
        let specs = specs.map_err(|d| Fail::Wrong(Box::new(d)))?;
        let quiet = How { listener: &Nobody, ..*self.how };
        let bdd = manager(&quiet, source.bits());
        let fresh = specs.iter().filter_map(|(_, a)| a.as_ref()).map(Automaton::bits).max().unwrap_or(0);
        let layout = Layout::new(&bdd, &model, &types, fresh, &self.order.variables());
        let session = Session::new(&bdd, &model, &types, &layout, shape(&quiet.options.symbolic))?;
        // Where nothing can happen, everything holds, and that is told.
        if session.is_empty() {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for ((spec, automaton), stronger) in specs.iter().zip(all) {
            if session.check(spec, automaton.as_ref(), None)?.holds {
                let never = if stronger.positive { "never" } else { "always" };
                let condition = source.excerpt(stronger.condition);
                let text = format!(
                    "it holds vacuously: `{condition}` does not matter, even if it were {never} true"
                );
                found.push((stronger.of, text));
            }
        }
        Ok(found)
    }

    /// With the witness of a circuit's property.
    fn witnessed(&self, w: &Wanted, found: Option<&Decided>, mut answer: Answer) -> Answer {
        if let Some((circuit, property)) = self.source.numbered(w.spec)
            && self.how.options.forms.witness
        {
            let trace = found.and_then(|f| f.trace.as_ref());
            let states: Vec<_> = trace.iter().flat_map(|t| t.stem.iter().chain(&t.cycle)).collect();
            let known = match found {
                Some(found) if found.holds => witness::Answer::Holds,
                Some(_) => witness::Answer::Violated(&states),
                None => witness::Answer::Unknown,
            };
            answer.witness = Some(witness::write(circuit, property, known));
        }
        answer
    }

    fn answer(&self, w: &Wanted, found: &Decided) -> Answer {
        let mut answer = Answer {
            verdict: if found.holds { Verdict::Holds } else { Verdict::Violated },
            exists: self.how.options.exists,
            algorithm: found.algorithm.name().into(),
            why: found.why.map(Into::into),
            strength: found.strength.map(Strength::name),
            unfair_initial_states: found.unfair,
            value: found.value.map(|length| match length {
                Length::Steps(n) => n.into(),
                other => other.to_string().into(),
            }),
            ..open(Some(&w.spec.name))
        };
        if let Some(trace) = &found.trace {
            let said = say(self.source, w.spec, w.automaton.as_ref(), trace);
            if !found.holds {
                answer.reason = said.lines.last().cloned();
            }
            answer.reasons = said.why.as_ref().map(|why| why.list());
            if self.how.options.forms.automaton {
                answer.automaton =
                    w.automaton.as_ref().and_then(|a| beside(self.source, a, trace)).map(Box::new);
            }
            let telling = Telling { source: self.source, trace, said: &said };
            answer.show(telling.tell(&w.spec.name));
        } else if answer.exists && !found.holds {
            answer.reason = Some("no run satisfies it".into());
        }
        answer
    }
}
