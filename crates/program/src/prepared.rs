//! A model made ready for the search for one kind of property: the program as it is written, the program as it is
//! searched, the interpreter of that, and the way back from a run of the one to a run of the other.

use crate::claimed::{ClaimProcess, Claimed};
use crate::condense::Condensed;
use crate::execution::Execution;
use crate::form::{Program, TraceMonitor};
use crate::interp::{Interpreter, Options};
use crate::lift::Lift;
use crate::native::Compiler;
use crate::optimise::{Passes, Sees, optimise};
use riata_source::Diagnostic;
use riata_system::Walk;
use std::sync::Arc;

/// What is part of the states because of the property.
#[derive(Clone, Copy, Debug)]
pub enum Beside<'a> {
    /// Nothing.
    Nothing,
    /// A claim with variables of its own. The program is searched as it is written.
    Claim(&'a ClaimProcess),
    /// An automaton over messages.
    Monitor(&'a TraceMonitor),
}

/// A program ready to be searched.
#[derive(Clone, Debug)]
pub struct Prepared {
    written: Arc<Program>,
    searched: Arc<Interpreter>,
}

/// A run as it is shown to people.
#[derive(Clone, Debug)]
pub struct AsWritten {
    /// What runs it.
    pub interpreter: Arc<Interpreter>,
    /// Its states and steps.
    pub run: Execution,
    /// Is it one of the program as it is written? A lasso may repeat only because some variables do not count; then it
    /// stays one of the program as it was searched.
    pub written: bool,
}

impl Prepared {
    /// The program for a property that sees no more than `sees`, after these passes.
    pub fn new(
        program: &Program,
        beside: Beside,
        (passes, sees): (Passes, Sees),
        options: Options,
    ) -> Result<Prepared, Diagnostic> {
        let (written, searched) = match beside {
            Beside::Claim(claim) => {
                let with: Arc<Program> = program.clone().claimed(claim).into();
                (with.clone(), with)
            }
            Beside::Monitor(monitor) => (
                program.clone().monitored(monitor).into(),
                optimise(program, passes, sees).monitored(monitor).into(),
            ),
            Beside::Nothing if passes == Passes::NONE => {
                let same: Arc<Program> = program.into();
                (same.clone(), same)
            }
            Beside::Nothing => (program.into(), optimise(program, passes, sees).into()),
        };
        let searched = Arc::new(Interpreter::new(searched, options)?);
        Ok(Prepared { written, searched })
    }

    /// The same, searched by native code that this compiler makes after so many states.
    pub fn compiled_by(self, compiler: Compiler, after: Option<u32>) -> Prepared {
        let searched = match Arc::try_unwrap(self.searched) {
            Ok(interpreter) => Arc::new(interpreter.compiled_by(compiler, after)),
            Err(shared) => shared,
        };
        Prepared { searched, ..self }
    }

    /// The same with other options. The two understand each other's states.
    pub fn again(&self, options: Options) -> Result<Prepared, Diagnostic> {
        let again = self.searched.again(options)?;
        let searched = Arc::new(match self.searched.compiler {
            Some((compiler, after)) => again.compiled_by(compiler, Some(after)),
            None => again,
        });
        Ok(Prepared { written: self.written.clone(), searched })
    }

    /// What a search runs on.
    pub fn interpreter(&self) -> &Interpreter {
        &self.searched
    }

    /// The run that a walk of the search tells, as one of the program as it is written if there is one. The choices of the
    /// walk are those of `system`, a system of [`Prepared::interpreter`]; `stutters` says whether a claim goes on where the
    /// others have ended.
    ///
    /// # Panics
    /// If the walk is none of the program: what a search found is replayed before anybody sees it.
    pub fn run(&self, system: &Condensed, walk: &Walk, stutters: bool) -> Result<AsWritten, Diagnostic> {
        // What native code found is followed by the interpreter alone.
        let small = &self.searched.again(self.searched.options())?;
        let run = match small.program().claim {
            Some(claim) => Claimed { interpreter: small, claim, stutters, justice: None }.unfold(walk),
            None => Execution::unfold(&system.of(small), walk),
        };
        self.lifted(run.expect("internal error: the run that was found cannot be replayed"))
    }

    /// A run of the search as one of the program as it is written.
    pub fn lifted(&self, run: Execution) -> Result<AsWritten, Diagnostic> {
        if self.searched.program().claim.is_some() || Arc::ptr_eq(self.searched.program(), &self.written) {
            // Where a claim is part of the states, they are not those of the program alone.
            let written = self.searched.program().claim.is_none();
            return Ok(AsWritten { interpreter: self.searched.clone(), run, written });
        }
        let full = Interpreter::new(self.written.clone(), self.searched.options())?;
        Ok(match Lift::new(&self.searched, &full).run(&run) {
            Some(run) => AsWritten { interpreter: Arc::new(full), run, written: true },
            None => AsWritten { interpreter: self.searched.clone(), run, written: false },
        })
    }
}
