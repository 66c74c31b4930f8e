//! Models that are programs, in Promela or DVE.

mod chart;
mod coverage;
mod cycles;
mod explore;
mod gpu;
mod load;
mod por;
mod portable;
mod replay;
mod safety;
mod stuck;
mod symbolic;
mod tell;
mod trail;
mod view;
mod walk;
mod written;

use crate::error::{Error, Remarks};
use crate::how::How;
use crate::infinite::{Formula, untranslated};
use crate::options::{Engine, Kind, Pass, Reading};
use crate::subject::{Out, Replayed, Stated, Subject, Walker};
use crate::written::{Wish, Written};
use cycles::{Cycles, Target};
use riata_ltl::Ltl;
use riata_program::{
    Asserts, Beside, Claim, ClaimProcess, Interpreter, Options, Passes, Prepared, ProcId, Program, Property,
    Sees,
};
use riata_promela::Define;
use riata_promela::lower::{Lowered, Numbers};
use riata_report::answer::{self, Answer, Location};
use riata_source::{Diagnostic, SourceMap, Span};
use safety::Safety;

/// A model with its texts.
pub struct Loaded {
    /// As the user named it.
    given: String,
    /// Its texts.
    sources: SourceMap,
    /// What it means, and what its language knows of it.
    language: Language,
    /// What is odd about it.
    remarks: Vec<Remarks>,
    /// The macros that formulas may use.
    defines: Vec<Define>,
    /// How many propositions the model has by itself.
    own: usize,
    /// The formulas that were given with the question.
    formulas: Vec<(String, Ltl)>,
}

/// What a model is written in.
enum Language {
    /// Promela.
    Promela(Box<Lowered>),
    /// DVE.
    Dve(Box<riata_dve::Model>),
}

/// A property to check.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wanted {
    /// Assertions hold, and there are no run-time errors.
    Assertions,
    /// Where nothing can move, every process is where it may end.
    Deadlock,
    /// One of the model's: its number.
    Stated(usize, String),
    /// A formula that was given: its number.
    Given(usize),
    /// No run passes accept labels infinitely often.
    Acceptance,
    /// Every infinite run makes progress infinitely often.
    Progress,
}

impl Wanted {
    fn name(&self) -> String {
        match self {
            Wanted::Assertions => "assertions".into(),
            Wanted::Deadlock => "deadlock".into(),
            Wanted::Stated(_, name) => name.clone(),
            Wanted::Given(i) => format!("ltl_{i}"),
            Wanted::Acceptance => "acceptance".into(),
            Wanted::Progress => "progress".into(),
        }
    }

    fn is_safety(&self) -> bool {
        matches!(self, Wanted::Assertions | Wanted::Deadlock)
    }
}

/// The native code that a search made of a program.
fn native(how: &How, interpreter: &Interpreter) -> Option<answer::Native> {
    if how.options.reducing.no_jit {
        return Some(answer::Native { off: Some("--no-jit".into()), edges: 0, left: 0 });
    }
    interpreter.native_edges().map(|made| match made {
        Ok((edges, left)) => answer::Native { off: None, edges: edges as u64, left: left as u64 },
        Err(why) => answer::Native { off: Some(why.to_owned()), edges: 0, left: 0 },
    })
}

impl Loaded {
    /// The program.
    fn program(&self) -> &Program {
        match &self.language {
            Language::Promela(lowered) => &lowered.program,
            Language::Dve(model) => model.program(),
        }
    }

    /// The program, to add to its propositions.
    fn program_mut(&mut self) -> &mut Program {
        match &mut self.language {
            Language::Promela(lowered) => &mut lowered.program,
            Language::Dve(model) => model.program_mut(),
        }
    }

    /// What it states, besides assertions and valid end states.
    fn stated(&self) -> &[Property] {
        match &self.language {
            Language::Promela(lowered) => &lowered.properties,
            Language::Dve(model) => model.property.as_slice(),
        }
    }

    /// The property process that is part of the model, and moves with every step of the others.
    fn claim(&self) -> Option<&ClaimProcess> {
        match &self.language {
            Language::Promela(_) => None,
            Language::Dve(model) => model.claim.as_ref(),
        }
    }

    /// The statements of a process type, also those that control cannot come to.
    fn statements(&self, p: ProcId) -> Vec<Span> {
        match &self.language {
            Language::Promela(lowered) => lowered.statements.get(p.index()).cloned().unwrap_or_default(),
            Language::Dve(model) => {
                model.program().processes[p.index()].edges.iter().map(|e| e.span()).collect()
            }
        }
    }

    /// Spin's numbers of the statements.
    fn numbers(&self) -> Option<&Numbers> {
        match &self.language {
            Language::Promela(lowered) => Some(&lowered.numbers),
            Language::Dve(_) => None,
        }
    }

    /// The passes that may run. The states of a DVE model are those that its text tells.
    fn passes(&self, reading: &Reading) -> Passes {
        let runs = |pass| !reading.no_optimise.contains(&pass) && !reading.no_optimise.contains(&Pass::All);
        match self.language {
            Language::Dve(_) => Passes::NONE,
            Language::Promela(_) => {
                Passes { unread: runs(Pass::Unread), merge: runs(Pass::Merge), dead: runs(Pass::Dead) }
            }
        }
    }

    /// The program, ready for a search that sees no more than `sees`.
    fn prepared(&self, how: &How, beside: Beside, sees: Sees, asserts: Asserts) -> Result<Prepared, Error> {
        let passes = (self.passes(&how.options.reading), sees);
        let prepared = self.sound(Prepared::new(self.program(), beside, passes, Options { asserts }))?;
        if how.options.reducing.no_jit {
            return Ok(prepared);
        }
        Ok(prepared.compiled_by(riata_jit::compile, how.options.reducing.jit_after))
    }

    /// What could be made of the model.
    fn sound<T>(&self, made: Result<T, Diagnostic>) -> Result<T, Error> {
        made.map_err(|d| self.wrong(vec![d]))
    }

    /// What is wrong with the model.
    fn wrong(&self, diagnostics: Vec<Diagnostic>) -> Error {
        Error::Text(Box::new(Remarks { sources: self.sources.clone(), diagnostics }))
    }

    /// The files of the model: names and texts.
    fn files(&self) -> Vec<(String, String)> {
        let file = |(name, span): (&str, Span)| (name.to_string(), self.sources.str(span).into_owned());
        self.sources.files().map(file).collect()
    }

    /// File and line.
    fn place(&self, span: Span) -> String {
        let place = self.sources.locate(span);
        let file = place.file.rsplit(['/', '\\']).next().unwrap_or_default();
        format!("{file}:{}", place.line)
    }

    /// Where something is written.
    fn location(&self, span: Span) -> Option<Location> {
        let place = self.sources.locate(span);
        (span != Span::default()).then(|| Location {
            file: place.file.to_string(),
            line: place.line,
            column: place.column,
        })
    }

    /// A piece of the text on one line.
    fn excerpt(&self, span: Span) -> String {
        self.sources.str(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// What can be asked, with what is known of it.
    fn questions(&self) -> Vec<(Wanted, Stated)> {
        let named = |w: Wanted| (w.clone(), Stated::named(w.name()));
        let mut all = vec![named(Wanted::Assertions), named(Wanted::Deadlock)];
        let mut unnamed = 0;
        for (i, property) in self.stated().iter().enumerate() {
            let name = |given: &Option<String>, usual: &str| given.clone().unwrap_or_else(|| usual.into());
            let (wanted, formula, span) = match property {
                Property::Ltl(name, f) => {
                    let name = name.clone().unwrap_or_else(|| {
                        unnamed += 1;
                        format!("ltl_{}", unnamed - 1)
                    });
                    (Wanted::Stated(i, name), Some(f.text.clone()), f.span)
                }
                Property::Never(given, _) => (Wanted::Stated(i, name(given, "claim")), None, Span::default()),
                Property::Acceptance => (Wanted::Acceptance, None, Span::default()),
                Property::Progress => (Wanted::Progress, None, Span::default()),
                Property::Trace(given, m) => {
                    let usual = if m.negated { "notrace" } else { "trace" };
                    (Wanted::Stated(i, name(given, usual)), None, m.span)
                }
            };
            let location = self.location(span);
            let stated = Stated { formula, location, ..Stated::named(wanted.name()) };
            all.push((wanted, stated));
        }
        // These make sense without labels as well.
        for also in [Wanted::Acceptance, Wanted::Progress] {
            if self.numbers().is_some() && !all.iter().any(|(w, _)| *w == also) {
                let stated = Stated { on_request: true, ..Stated::named(also.name()) };
                all.push((also, stated));
            }
        }
        all
    }

    /// A valuation tells at most 64 propositions.
    fn too_many(&self) -> Result<(), Error> {
        if self.program().propositions.len() > 64 {
            let message = "the properties have more than 64 propositions; choose some with --property";
            return Err(Error::usage(message));
        }
        Ok(())
    }

    /// What is looked for.
    fn target(&mut self, how: &How, property: &Wanted) -> Result<Option<Target>, Error> {
        self.too_many()?;
        Ok(Some(match property {
            Wanted::Given(i) => {
                let (text, ltl) = &self.formulas[*i];
                Target::Formula(Formula::translate(how, text, ltl.clone())?)
            }
            Wanted::Stated(i, _) => match &self.stated()[*i] {
                Property::Ltl(_, f) => Target::Formula(Formula::translate(how, &f.text, f.ltl.clone())?),
                Property::Never(_, Claim::Automaton(states)) => {
                    Target::Claim(self.program().automaton(states))
                }
                Property::Never(_, Claim::Process(claim)) => Target::Process(claim.clone()),
                _ => return Ok(None),
            },
            Wanted::Acceptance => Target::marked(how, self, "accept")?,
            Wanted::Progress => Target::marked(how, self, "progress")?,
            Wanted::Assertions | Wanted::Deadlock => return Ok(None),
        }))
    }

    fn chosen(&self, names: &[String]) -> Vec<Wanted> {
        let all = self.questions();
        let given = |name: &String| {
            let i = name.strip_prefix("ltl_")?.parse::<usize>().ok()?;
            (i < self.formulas.len()).then_some(Wanted::Given(i))
        };
        let one = |name: &String| {
            // A formula that was given hides one of the model's without a name.
            given(name).or_else(|| all.iter().find(|(w, _)| w.name() == *name).map(|(w, _)| w.clone()))
        };
        names.iter().filter_map(one).collect()
    }
}

impl Subject for Loaded {
    fn kind(&self) -> Kind {
        match self.language {
            Language::Promela(_) => Kind::Promela,
            Language::Dve(_) => Kind::Dve,
        }
    }

    fn name(&self) -> &str {
        &self.given
    }

    fn remarks(&self) -> &[Remarks] {
        &self.remarks
    }

    fn sources(&self) -> Vec<(String, String)> {
        self.files()
    }

    fn take(&mut self, how: &How) -> Result<Vec<Stated>, Error> {
        // What was asked before is forgotten.
        let own = self.own;
        self.program_mut().propositions.truncate(own);
        self.formulas.clear();
        for text in &how.options.ltl {
            let ltl = self.formula(how, text)?;
            self.too_many()?;
            self.formulas.push((text.clone(), ltl));
        }
        let stated = |(i, (text, _)): (usize, &(String, Ltl))| Stated {
            formula: Some(text.clone()),
            ..Stated::named(format!("ltl_{i}"))
        };
        Ok(self.formulas.iter().enumerate().map(stated).collect())
    }

    fn properties(&self) -> Vec<Stated> {
        self.questions().into_iter().map(|(_, stated)| stated).collect()
    }

    fn check(&mut self, names: &[String], out: &mut Out) -> Result<(), Error> {
        let how = out.how;
        let wanted = self.chosen(names);
        let safety: Vec<&Wanted> = wanted.iter().filter(|p| p.is_safety()).collect();
        if how.options.coverage && safety.is_empty() {
            return Err(Error::usage(
                "--coverage looks at the states of the search for assertions and deadlocks: choose one of them",
            ));
        }
        if !safety.is_empty() {
            Safety { how, loaded: self }.check(&safety, out)?;
        }
        for property in wanted.iter().filter(|p| !p.is_safety()) {
            how.prepares();
            let name = property.name();
            if let Wanted::Stated(i, _) = property
                && let Property::Trace(_, monitor) = &self.stated()[*i]
            {
                if how.is_symbolic() || how.is_gpu() {
                    return Err(Error::usage(
                        "assertions about messages are for the explicit engine; leave out --engine",
                    ));
                }
                out.answer(Safety { how, loaded: self }.monitor(&name, monitor)?);
                continue;
            }
            let target = match self.target(how, property) {
                Err(Error::Stopped(_)) => {
                    out.answer(untranslated(name, how));
                    continue;
                }
                target => target?,
            };
            let Some(target) = target else { continue };
            let cycles = Cycles { how, loaded: self };
            let done = match how.engine() {
                Engine::Symbolic => cycles.symbolic(&name, &target, out),
                Engine::Gpu => cycles.on_device(&name, &target, out),
                Engine::Explicit => cycles.check(&name, &target, out),
            };
            match done {
                Err(Error::Stopped(stop)) => out.answer(Answer {
                    property: Some(name),
                    reason: Some(format!("fairness needs the number of processes first: {stop}")),
                    ..Answer::default()
                }),
                done => done?,
            }
        }
        Ok(())
    }

    fn explore(&mut self, how: &How) -> Result<Answer, Error> {
        match how.engine() {
            Engine::Symbolic => symbolic::explore(how, self),
            Engine::Gpu => gpu::explore(how, self),
            Engine::Explicit => explore::explore(how, self),
        }
    }

    fn walk(&mut self, how: &How, walker: &mut Walker) -> Result<(), Error> {
        walker(&mut walk::Walking::new(self, how)?)
    }

    fn replay(&self, trace: (&str, &[u8]), how: &How) -> Result<Replayed, Error> {
        replay::replay(self, trace, how)
    }

    fn write_down(&mut self, wish: &Wish, how: &How) -> Result<Written, Error> {
        let Some(name) = &wish.property else { return written::space(self, how, wish.most) };
        let wanted = self.chosen(std::slice::from_ref(name));
        let target = match wanted.first() {
            Some(wanted) => self.target(how, wanted)?,
            None => None,
        };
        let Some(target) = target else {
            return Err(Error::usage(format!(
                "`{name}` is about finite runs, so there is no product to draw; leave it out to see the state space"
            )));
        };
        Cycles { how, loaded: self }.write_down(&target, wish)
    }

    fn print(&self, how: &How) -> Result<String, Error> {
        let beside = self.claim().map_or(Beside::Nothing, Beside::Claim);
        let sees = Sees { propositions: how.options.coverage, ..Sees::default() };
        let prepared = self.prepared(how, beside, sees, Asserts::Count)?;
        Ok(riata_program::print(prepared.interpreter().program()))
    }

    fn explain(&self, how: &How) -> Result<String, Error> {
        let prepared = self.prepared(how, Beside::Nothing, Sees::default(), Asserts::Count)?;
        por::explain(how, self, prepared.interpreter())
    }
}
