//! Programs as machine code.
//!
//! The bytecode of a program becomes one function for all processes, or one for each process type, made by Cranelift in a
//! few milliseconds: guards, effects and messages in queues, over the words of a state. What is not compiled (faults, rendezvous, processes that
//! are created or end) the function leaves to the interpreter, edge by edge; `riata_program::native` has the contract. So
//! native code has no meaning of its own: it is the interpreter's, sooner.
//!
//! * `chain`: sequences without choices in which control is kept.
//! * `copy`: a successor begins as a copy of the state.
//! * `expression`: a piece of bytecode as values and blocks.
//! * `meet`: rendezvous.
//! * `queue`: messages in channels that keep them.
//! * `row`: what a function has: all processes one after the other, or one type.
//! * `steps`: the edges of a process type.

mod chain;
mod copy;
mod expression;
mod meet;
mod queue;
mod row;
mod steps;

use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{AbiParam, FuncRef, Function, Signature, UserFuncName};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{Context, isa::CallConv};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};
use riata_program::Interpreter;
use riata_program::native::{MOST, Native, Steps, Type, Valuations};
use row::Row;
use std::panic::AssertUnwindSafe;

/// The most bytecode of a program: more would take longer to compile than it saves.
const LARGEST: usize = 400_000;

/// Why there is no native code.
#[derive(Clone, Debug, PartialEq, Eq)]
enum NotCompiled {
    /// Something of the program is scheduled by the interpreter alone.
    Scheduling,
    /// The program is too large.
    TooLarge,
    /// This machine is not known, or the compiler refuses.
    Refused(String),
}

impl std::fmt::Display for NotCompiled {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            NotCompiled::Scheduling => {
                write!(f, "priorities, provided, _last, traces and lockstep are run by the interpreter")
            }
            NotCompiled::TooLarge => write!(f, "the program is too large"),
            NotCompiled::Refused(why) => write!(f, "{why}"),
        }
    }
}

/// What was compiled: edges that are native code, and those left to the interpreter (not those that only a partner can
/// take).
#[derive(Clone, Copy, Debug, Default)]
struct Compiled {
    native: usize,
    left: usize,
}

/// The functions that were made.
struct Functions {
    /// For each process type its function, the number of its first edge there, and the most successors.
    types: Vec<Option<(FuncId, u32, usize)>>,
    /// That of all processes.
    all: Option<(FuncId, Row)>,
    valuation: Option<FuncId>,
}

/// The pages that the code is on.
struct Pages(Option<JITModule>);

impl Drop for Pages {
    fn drop(&mut self) {
        if let Some(module) = self.0.take() {
            // SAFETY: the functions are reachable through the `Native` alone that owns this.
            unsafe { module.free_memory() };
        }
    }
}

// SAFETY: after it has been made nobody uses the module until it is dropped.
unsafe impl Send for Pages {}
// SAFETY: as above; there is nothing to do with a shared reference.
unsafe impl Sync for Pages {}

/// Native code for the program of an interpreter: a [`Compiler`](riata_program::native::Compiler).
pub fn compile(interpreter: &Interpreter) -> Result<Native, String> {
    // Should the compiler fail, the interpreter does not.
    let made = std::panic::catch_unwind(AssertUnwindSafe(|| native(interpreter)));
    // The compiler needs a few megabytes, and never again.
    riata_memory::trim();
    made.unwrap_or_else(|_| Err(NotCompiled::Refused("the compiler failed".into())))
        .map_err(|why| why.to_string())
}

fn native(interpreter: &Interpreter) -> Result<Native, NotCompiled> {
    let listing = interpreter.listing().ok_or(NotCompiled::Scheduling)?;
    if listing.code.len() > LARGEST {
        return Err(NotCompiled::TooLarge);
    }
    let mut maker = Maker::new()?;
    let mut compiled = Compiled::default();
    let copier = if copy::has_copier(listing) {
        Some(maker.function(&[I64, I64, I64], None, |b, _| copy::define_copier(b, listing))?)
    } else {
        None
    };
    let most: Vec<usize> = (0..listing.types.len()).map(|of| steps::most(listing, of)).collect();
    let mut function = |row: &Row| {
        let define = |b: &mut FunctionBuilder, copier| row::define(b, listing, row, copier, &mut compiled);
        maker.function(&[I64, I64, I64, I32, I64], copier, define)
    };
    // Edges that hide others are left to the interpreter.
    let hides = |of: usize| listing.types[of].edges.iter().any(|e| e.rank > 0) || most[of] > MOST;
    let mut types = vec![None; most.len()];
    let mut all = None;
    if let Some(row) = Row::of_all(listing, &most).filter(|row| !row.types.iter().any(|&of| hides(of))) {
        let id = function(&row)?;
        for (&of, &first) in row.types.iter().zip(&row.first) {
            types[of] = Some((id, first, most[of]));
        }
        all = Some((id, row));
    } else {
        for of in (0..most.len()).filter(|&of| !hides(of)) {
            types[of] = Some((function(&Row::of_type(listing, (of, most[of])))?, 0, most[of]));
        }
    }
    let valuation = if steps::evaluates(listing) {
        Some(maker.function(&[I64, I64], None, |b, _| steps::valuation(b, listing))?)
    } else {
        None
    };
    maker.finish(Functions { types, all, valuation }, compiled)
}

struct Maker {
    module: JITModule,
    context: Context,
    builder: FunctionBuilderContext,
    call: CallConv,
}

fn refused(e: impl std::fmt::Display) -> NotCompiled {
    NotCompiled::Refused(e.to_string())
}

fn machine() -> Result<OwnedTargetIsa, NotCompiled> {
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", "none"),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
        ("unwind_info", "false"),
        ("enable_probestack", "false"),
    ] {
        flags.set(name, value).map_err(refused)?;
    }
    let builder = cranelift_native::builder().map_err(refused)?;
    builder.finish(settings::Flags::new(flags)).map_err(refused)
}

impl Maker {
    fn new() -> Result<Self, NotCompiled> {
        let isa = machine()?;
        let call = isa.default_call_conv();
        let module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let context = module.make_context();
        Ok(Maker { module, context, builder: FunctionBuilderContext::new(), call })
    }

    /// A function of these arguments that returns an `i32`, and may call another.
    fn function(
        &mut self,
        parameters: &[cranelift_codegen::ir::Type],
        callee: Option<FuncId>,
        define: impl FnOnce(&mut FunctionBuilder, Option<FuncRef>),
    ) -> Result<FuncId, NotCompiled> {
        let mut signature = Signature::new(self.call);
        signature.params.extend(parameters.iter().map(|&t| AbiParam::new(t)));
        signature.returns.push(AbiParam::new(I32));
        let id = self.module.declare_anonymous_function(&signature).map_err(refused)?;
        self.context.func = Function::with_name_signature(UserFuncName::user(0, id.as_u32()), signature);
        let callee = callee.map(|id| self.module.declare_func_in_func(id, &mut self.context.func));
        let mut b = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
        define(&mut b, callee);
        b.seal_all_blocks();
        b.finalize();
        self.module.define_function(id, &mut self.context).map_err(refused)?;
        self.module.clear_context(&mut self.context);
        Ok(id)
    }

    fn finish(
        mut self,
        Functions { types, all, valuation }: Functions,
        compiled: Compiled,
    ) -> Result<Native, NotCompiled> {
        self.module.finalize_definitions().map_err(refused)?;
        let at = |id: FuncId| self.module.get_finalized_function(id);
        // SAFETY: the function was made with this signature.
        let steps = |id: FuncId| unsafe { std::mem::transmute::<*const u8, Steps>(at(id)) };
        let types = types
            .into_iter()
            .map(|found| found.map(|(id, first, most)| Type { steps: steps(id), first, most }))
            .collect();
        let all = all.map(|(id, row)| riata_program::native::Row {
            steps: steps(id),
            edges: row.edges,
            processes: row.processes(),
            most: row.most,
        });
        // SAFETY: as above.
        let valuation = valuation.map(|id| unsafe { std::mem::transmute::<*const u8, Valuations>(at(id)) });
        let edges = (compiled.native, compiled.left);
        // SAFETY: the functions keep to the contract, and the pages live as long as the code is used.
        Ok(unsafe { Native::new((types, all), valuation, edges, Box::new(Pages(Some(self.module)))) })
    }
}
