//! `riata check STRUCTURE.hoa --ltl F`: formulas on Kripke structures.

use crate::args::{CheckArgs, Common};
use crate::check::{Answer, text};
use crate::dispatch::Search;
use crate::empty::resident;
use crate::input::Input;
use crate::output::{Exit, complain, print};
use crate::property::{Formula, agree, entry_of, search_all, untranslated};
use crate::stream;
use crate::watch::Interrupt;
use riata_automata::Label;
use riata_automata::hoa::Automaton;
use riata_explore::lowered;
use riata_report::json::{Document, Entry, Lasso, Skipped};
use riata_system::{Degeneralised, Graph, Kripke, Path, Product, Progress, Verdict};
use serde_json::{Map, Value, json};

/// Runs the command.
pub fn run(args: &CheckArgs, common: &Common, interrupt: &Interrupt) -> Exit {
    if args.ltl.is_empty() {
        return complain("a Kripke structure states no properties: give some with --ltl");
    }
    if let Some(name) = args.property.first() {
        return complain(&format!("a Kripke structure has no property `{name}`"));
    }
    let input = match Input::read(&args.model) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let mut doc: Document<Entry> = Document::new("check", &input.given);
    let (mut results, mut skipped) = (Vec::new(), Vec::new());
    let (exit, problems) = stream::for_each(&input, common, interrupt, |index, automaton| {
        let job = Job { args, common, interrupt, automaton, index };
        let mut exit = Exit::Holds;
        for (number, formula) in args.ltl.iter().enumerate() {
            let (answers, left_out) = match job.check(number, formula) {
                Ok(done) => done,
                Err(bad) => return bad,
            };
            for answer in answers {
                exit = exit.and(match answer.entry.verdict {
                    "holds" => Exit::Holds,
                    "violated" => Exit::Violated,
                    _ => Exit::Inconclusive,
                });
                if !common.json && !common.quiet {
                    print(&text(&answer, common));
                }
                results.push(answer.entry);
            }
            for s in left_out {
                if !common.json && !common.quiet {
                    print(&format!("skipped {}: {}\n", s.algorithm, s.reason));
                }
                skipped.push(s);
            }
        }
        exit
    });
    (doc.results, doc.skipped, doc.errors) = (results, skipped, problems);
    if common.json {
        doc.resident_bytes = resident();
        print(&doc.to_text());
    }
    exit
}

struct Job<'a> {
    args: &'a CheckArgs,
    common: &'a Common,
    interrupt: &'a Interrupt,
    automaton: &'a Automaton,
    index: usize,
}

impl Job<'_> {
    /// One formula, by all checks that were asked for.
    fn check(&self, number: usize, text: &str) -> Result<(Vec<Answer>, Vec<Skipped>), Exit> {
        let ltl = riata_ltl::parse(text, self.args.dialect).map_err(|d| {
            self.common.diagnose("formula", text.as_bytes(), &[d]);
            Exit::Bad
        })?;
        let names: Vec<String> =
            ltl.arena.ap_numbers(ltl.root).iter().map(|&i| ltl.arena.aps()[i as usize].clone()).collect();
        if names.len() > 64 {
            return Err(complain("the formula has more than 64 propositions"));
        }
        let kripke = Kripke::new(self.automaton, &names).map_err(|e| self.complain(&e.to_string()))?;
        let formula = match Formula::translate(self.args, text, ltl) {
            Err(Exit::Inconclusive) => return Ok((vec![untranslated(format!("ltl_{number}"))], Vec::new())),
            formula => formula?,
        };
        let product = |(automaton, strength)| {
            let product = Product::new(&kripke, &names, automaton, self.args.deadlocks.into());
            product.map(|p| p.with_strength(strength)).map_err(|e| self.complain(&e.to_string()))
        };
        let on_edges = product((&formula.tgba.0, formula.tgba.1))?;
        let on_states = match &formula.ba {
            Some((ba, strength)) => product((ba, *strength))?.on_states().ok(),
            None => None,
        };
        let one_set = Degeneralised::new(&on_edges);
        let run = |search: &Search, progress: &mut dyn Progress| match &on_states {
            _ if !search.algorithm.needs_one_set() => {
                search.refuses(on_edges.strength())?;
                search.on_edges(&on_edges, progress)
            }
            Some(g) => {
                search.refuses(g.strength())?;
                search.on_states(g, formula.tgba.0.sets > 1, |verdict| verdict, progress)
            }
            // A structure with fairness of its own.
            None => {
                search.refuses(one_set.strength())?;
                search.on_states(&one_set, true, |v| lowered(&on_edges, &one_set, v), progress)
            }
        };
        let strength = on_edges.strength();
        let (outcomes, skipped) = search_all(self.args, self.common, self.interrupt, strength, &run)?;
        let mut answers = Vec::new();
        for done in outcomes {
            let mut entry = entry_of(format!("ltl_{number}"), self.args.exists, &done.outcome);
            entry.index = Some(self.index);
            entry.name = self.automaton.name.clone();
            entry.algorithm = done.algorithm.name().into();
            entry.strength = Some(strength.name());
            entry.why = done.why.map(Into::into);
            let mut shown = String::new();
            if let Verdict::Accepting(lasso) = &done.outcome.verdict {
                let states = |path: &Path| path.iter().map(|s| self.state(s[0])).collect();
                entry.lasso = Some(Lasso { stem: states(&lasso.stem), cycle: states(&lasso.cycle) });
                if answers.iter().all(|a: &Answer| a.shown.is_empty()) {
                    shown = self.trace(&lasso.stem, &lasso.cycle);
                }
                if !self.args.exists {
                    let why = formula.asked.why(&kripke, &names, lasso);
                    entry.more.insert("reasons".into(), why.to_json());
                    if !shown.is_empty() {
                        shown += &why.to_text(|i| format!("step {i}"));
                    }
                }
            }
            answers.push(Answer { entry, shown, ..Answer::default() });
        }
        agree(&answers);
        Ok((answers, skipped))
    }

    fn complain(&self, message: &str) -> Exit {
        match &self.automaton.name {
            Some(name) => complain(&format!("automaton {} ({name}): {message}", self.index)),
            None => complain(&format!("automaton {}: {message}", self.index)),
        }
    }

    /// What the label of a state says of each proposition; those that it leaves open are left out.
    fn label(&self, s: u32) -> Vec<(&str, bool)> {
        let Some(labels) = &self.automaton.state_labels else { return Vec::new() };
        let (tgba, label) = (&self.automaton.tgba, labels[s as usize]);
        let mut functions = tgba.labels.clone();
        let mut values = Vec::new();
        for (i, name) in tgba.aps.iter().enumerate() {
            let p = functions.var(i as u32);
            if functions.implies(label, p) {
                values.push((name.as_str(), true));
            } else if functions.and(label, p) == Label::FALSE {
                values.push((name.as_str(), false));
            }
        }
        values
    }

    fn name(&self, s: u32) -> Option<&str> {
        self.automaton.state_names.get(s as usize)?.as_deref()
    }

    /// A state for scripts.
    fn state(&self, s: u32) -> Value {
        let label: Map<String, Value> =
            self.label(s).into_iter().map(|(n, v)| (n.into(), v.into())).collect();
        let mut state = json!({ "state": s, "label": label });
        if let Some(name) = self.name(s) {
            state["name"] = name.into();
        }
        state
    }

    /// A lasso for people: one numbered state a line, with what holds there, the cycle in a bracket.
    fn trace(&self, stem: &Path, cycle: &Path) -> String {
        let line = |margin: &str, i: usize, s: u32| {
            let holds: Vec<&str> = self.label(s).into_iter().filter(|(_, v)| *v).map(|(n, _)| n).collect();
            let name = self.name(s).map_or(String::new(), |n| format!(" \"{n}\""));
            format!("  {margin} {i:>3}  {s}{name}  {{{}}}\n", holds.join(", "))
        };
        let mut text: String = stem.iter().enumerate().map(|(i, s)| line(" ", i, s[0])).collect();
        for (i, s) in cycle.iter().enumerate() {
            let margin = match (i, cycle.len()) {
                (0, 1) => "↻",
                (0, _) => "┌",
                (i, n) if i + 1 == n => "└",
                _ => "│",
            };
            text += &line(margin, stem.len() + i, s[0]);
        }
        text
    }
}
