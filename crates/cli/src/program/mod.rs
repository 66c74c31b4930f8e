//! Models that are programs, in Promela or DVE: reading them, and the commands on them.

mod chart;
mod check;
mod coverage;
mod cycles;
mod explore;
mod load;
mod replay;
mod simulate;
mod stuck;
mod symbolic;
mod tell;
mod trail;
mod vacuity;
mod view;

use crate::args::{Common, Pass, Preprocessing};
use crate::output::{Exit, eprint};
use riata_program::ProcId;
use riata_program::{ClaimProcess, Interpreter, Options, Passes, Program, Property};
use riata_promela::lower::{Lowered, Numbers};
use riata_report::diagnostics::{self, Source};
use riata_source::{Diagnostic, Severity, SourceMap, Span};

pub use check::run as check;
pub use explore::run as explore;
pub use load::load;
pub use replay::run as replay;
pub use simulate::run as simulate;

/// A model with its texts.
pub struct Loaded {
    /// As the user named it.
    pub given: String,
    /// Its texts.
    pub sources: SourceMap,
    /// What it means, and what its language knows of it.
    pub language: Language,
}

/// What a model is written in.
pub enum Language {
    /// Promela.
    Promela(Box<Lowered>),
    /// DVE.
    Dve(Box<riata_dve::Model>),
}

/// Draws diagnostics about the texts of a model.
fn diagnose(common: &Common, sources: &SourceMap, found: &[Diagnostic]) {
    let wanted: Vec<Diagnostic> =
        found.iter().filter(|d| !common.quiet || d.severity == Severity::Error).cloned().collect();
    let sources: Vec<Source> = sources
        .files()
        .map(|(path, span)| Source { path, text: sources.text(span), start: span.start })
        .collect();
    eprint(&diagnostics::render_files(&sources, &wanted, common.colour_errors()));
}

impl Preprocessing {
    /// The passes that may run.
    fn passes(&self) -> Passes {
        let runs = |pass| !self.no_optimise.contains(&pass) && !self.no_optimise.contains(&Pass::All);
        Passes { unread: runs(Pass::Unread), merge: runs(Pass::Merge), dead: runs(Pass::Dead) }
    }
}

impl Loaded {
    /// The program.
    pub fn program(&self) -> &Program {
        match &self.language {
            Language::Promela(lowered) => &lowered.program,
            Language::Dve(model) => model.program(),
        }
    }

    /// The program, to add to its propositions.
    pub fn program_mut(&mut self) -> &mut Program {
        match &mut self.language {
            Language::Promela(lowered) => &mut lowered.program,
            Language::Dve(model) => model.program_mut(),
        }
    }

    /// What it states, besides assertions and valid end states.
    pub fn properties(&self) -> &[Property] {
        match &self.language {
            Language::Promela(lowered) => &lowered.properties,
            Language::Dve(model) => model.property.as_slice(),
        }
    }

    /// The property process that is part of the model, and moves with every step of the others.
    pub fn claim(&self) -> Option<&ClaimProcess> {
        match &self.language {
            Language::Promela(_) => None,
            Language::Dve(model) => model.claim.as_ref(),
        }
    }

    /// The statements of a process type, also those that control cannot come to.
    pub fn statements(&self, p: ProcId) -> Vec<Span> {
        match &self.language {
            Language::Promela(lowered) => lowered.statements.get(p.index()).cloned().unwrap_or_default(),
            Language::Dve(model) => {
                model.program().processes[p.index()].edges.iter().map(|e| e.span()).collect()
            }
        }
    }

    /// Spin's numbers of the statements.
    pub fn numbers(&self) -> Option<&Numbers> {
        match &self.language {
            Language::Promela(lowered) => Some(&lowered.numbers),
            Language::Dve(_) => None,
        }
    }

    /// The passes that may run. The states of a DVE model are those that its text tells.
    pub fn passes(&self, pre: &Preprocessing) -> Passes {
        if let Language::Dve(_) = self.language { Passes::NONE } else { pre.passes() }
    }

    /// Makes a program of this model ready to run.
    pub fn ready(&self, common: &Common, program: &Program, options: Options) -> Result<Interpreter, Exit> {
        self.sound(common, Interpreter::new(program, options))
    }

    /// What could be made of the model; what is wrong with it is told.
    pub fn sound<T>(&self, common: &Common, made: Result<T, Diagnostic>) -> Result<T, Exit> {
        made.map_err(|d| {
            diagnose(common, &self.sources, &[d]);
            Exit::Bad
        })
    }

    /// The files of the model: names and texts.
    pub fn files(&self) -> Vec<(String, String)> {
        let file = |(name, span): (&str, Span)| (name.to_string(), self.sources.str(span).into_owned());
        self.sources.files().map(file).collect()
    }

    /// File and line.
    pub fn place(&self, span: Span) -> String {
        let place = self.sources.locate(span);
        let file = place.file.rsplit(['/', '\\']).next().unwrap_or_default();
        format!("{file}:{}", place.line)
    }

    /// A piece of the text on one line.
    pub fn excerpt(&self, span: Span) -> String {
        self.sources.str(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
