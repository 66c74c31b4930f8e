//! What native code tells of the first states of a program, against what the interpreter tells. The fuzz target `native` is made of
//! this as well.

use riata_program::{Condensed, Interpreter, Options, Program, Step, print};
use riata_system::{ActionId, Successors, System};
use std::collections::{HashSet, VecDeque};

/// So many states of a program are looked at.
const STATES: usize = 150;

/// A step as a search sees it.
type Told = (Vec<u32>, ActionId, Option<Step>, u32);

/// The steps of a state, told one by one.
fn steps(i: &Interpreter, s: &[u32]) -> Vec<Told> {
    let (mut at, mut slot, mut told) = (Default::default(), vec![0; i.words()], Vec::new());
    while let Some(action) = i.next(s, &mut at, &mut slot) {
        told.push((slot[..i.len(&slot)].to_vec(), action, at.last_step(), at.violations));
    }
    told
}

/// The successors of a state, told at once, and the assertions that they violate.
fn at_once<S: System>(
    system: &S,
    s: &[u32],
    violations: impl Fn(&S::Cursor) -> u32,
) -> (Vec<(Vec<u32>, ActionId)>, u32) {
    let (mut at, mut out) = (S::Cursor::default(), Successors::default());
    let count = system.expand(s, &mut at, &mut out);
    assert_eq!(count, out.len() as u64);
    ((0..out.len()).map(|n| (out.get(n).0.to_vec(), out.get(n).1)).collect(), violations(&at))
}

/// What native code says of a state that the interpreter does not.
fn difference(plain: &Interpreter, native: &Interpreter, s: &[u32]) -> Option<String> {
    let (a, b) = (steps(plain, s), steps(native, s));
    if a != b {
        return Some(format!("steps {a:?}, native {b:?}"));
    }
    let small = (a.iter().map(|t| (t.0.clone(), t.1)).collect::<Vec<_>>(), a.iter().map(|t| t.3).sum());
    let told = at_once(native, s, |at| at.violations);
    if told != small {
        return Some(format!("steps {small:?}, natively at once {told:?}"));
    }
    let (large, other) = (Condensed::new(plain), Condensed::new(native));
    let (a, b) = (at_once(&large, s, |at| at.violations()), at_once(&other, s, |at| at.violations()));
    if a != b {
        return Some(format!("large steps {a:?}, native {b:?}"));
    }
    let (mut at, mut slot) = (Default::default(), vec![0; native.words()]);
    for (target, action) in &a.0 {
        let told = other.next(s, &mut at, &mut slot);
        if told != Some(*action) || slot[..other.len(&slot)] != target[..] {
            return Some(format!("large step {target:?}, native {:?}", told.map(|_| &slot)));
        }
    }
    if other.next(s, &mut at, &mut slot).is_some() {
        return Some("natively one large step more".into());
    }
    let (a, b) = ((plain.valuation(s), plain.undefined(s)), (native.valuation(s), native.undefined(s)));
    (a != b).then(|| format!("propositions {a:?}, native {b:?}"))
}

/// Looks at the first states of a program; tells how many edges are native.
pub fn explore(program: &Program, options: Options) -> Result<usize, String> {
    let Ok(plain) = Interpreter::new(program, options) else { return Ok(0) };
    let native = plain.again(options).map_err(|d| d.message)?.compiled(riata_jit::compile);
    let edges = match native.native_edges() {
        Some(Ok((edges, _))) => edges,
        Some(Err(why)) if why.contains("failed") => return Err(format!("{why}:\n{}", print(program))),
        _ => return Ok(0),
    };
    let mut first = vec![0; plain.words()];
    plain.initial(&mut Default::default(), &mut first);
    first.truncate(plain.len(&first));
    let mut seen = HashSet::from([first.clone()]);
    let mut todo = VecDeque::from([first]);
    while let Some(s) = todo.pop_front() {
        if let Some(text) = difference(&plain, &native, &s) {
            return Err(format!("{text}\nin {:?} {s:?} of\n{}", plain.parts(&s), print(program)));
        }
        for (to, ..) in steps(&plain, &s) {
            if seen.len() < STATES && to.len() < 1000 && seen.insert(to.clone()) {
                todo.push_back(to);
            }
        }
    }
    Ok(edges)
}
