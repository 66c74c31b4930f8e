//! Bytecode against the plain meaning of expressions, on random ones.

use proptest::prelude::*;
use riata_program::{
    Binary, Domain, Edge, Expr, ExprId, Exprs, Guard, Instance, Interpreter, LocId, Location, Offer, Options,
    Owner, Place, ProcId, Process, Program, Proposition, Scheduling, Statement, StoreRule, Unary, VarId,
    Variable,
};
use riata_source::Span;
use riata_system::{Choice, System};

/// An operation on a stack of expressions.
#[derive(Clone, Copy, Debug)]
enum Build {
    Const(i32),
    Scalar(u8),
    Element,
    Unary(Unary),
    Binary(Binary),
}

const VALUES: [i32; 6] = [0, 1, 255, -32768, 3, 2];

fn build() -> impl Strategy<Value = Vec<Build>> {
    use Binary::*;
    let binary = prop::sample::select(vec![
        Add, Sub, Mul, Div, Rem, BitAnd, BitOr, BitXor, Shl, Shr, Eq, Ne, Lt, Le, Gt, Ge, And, Or, Imply,
    ]);
    let one = prop_oneof![
        prop_oneof![(-3..4i32), Just(i32::MIN), Just(i32::MAX), any::<i32>()].prop_map(Build::Const),
        (0..4u8).prop_map(Build::Scalar),
        Just(Build::Element),
        prop::sample::select(vec![Unary::Neg, Unary::Complement, Unary::Not]).prop_map(Build::Unary),
        binary.prop_map(Build::Binary),
    ];
    prop::collection::vec(one, 1..40)
}

fn variable(name: &str, domain: Domain, rule: StoreRule, initial: Vec<i32>) -> Variable {
    let len = (initial.len() > 1).then_some(initial.len() as u32);
    Variable { name: name.into(), owner: None, domain, rule, len, initial, span: Span::default() }
}

fn program() -> Program {
    let mut p = Program::new(Scheduling::Interleaving);
    let fault = StoreRule::Fault;
    p.vars = vec![
        variable("a", Domain::BYTE, fault, vec![VALUES[1]]),
        variable("b", Domain::BYTE, fault, vec![VALUES[2]]),
        variable("c", Domain::SHORT, fault, vec![VALUES[3]]),
        variable("d", Domain { min: -1, max: 5 }, fault, vec![VALUES[4]]),
        variable("e", Domain { min: -2, max: 12 }, fault, vec![7, -2, 12]),
        variable("w", Domain { min: -8, max: 7 }, StoreRule::Wrap, vec![0]),
        variable("f", Domain { min: -8, max: 6 }, StoreRule::Fault, vec![0]),
        variable("v", Domain { min: -2, max: 1 }, StoreRule::Wrap, vec![0, 0, 0]),
        variable("g", Domain { min: -2, max: 0 }, StoreRule::Fault, vec![0, 0, 0]),
    ];
    let location = |name: &str| Location {
        name: name.into(),
        committed: false,
        accepting: false,
        asserts: vec![],
        span: Span::default(),
    };
    p.processes.push(Process {
        name: "P".into(),
        locations: vec![location("s"), location("t")],
        initial: LocId(0),
        edges: vec![],
        span: Span::default(),
    });
    p.instances.push(Instance { name: "P".into(), process: ProcId(0) });
    p
}

fn place(var: u32, index: Option<ExprId>) -> Place {
    Place { var: VarId(var), owner: Owner::Own, index }
}

/// Builds the expression twice: in the arena, and as its value. A fault is none.
fn both(exprs: &mut Exprs, build: &[Build]) -> (ExprId, Option<i32>) {
    let mut stack: Vec<(ExprId, Option<i32>)> = Vec::new();
    for &b in build {
        let (expr, value) = match b {
            Build::Const(k) => (Expr::Const(k), Some(k)),
            Build::Scalar(v) => {
                (Expr::Read(place(v.into(), None)), Some([1, 255, -32768, 3][usize::from(v)]))
            }
            Build::Element => {
                let Some((index, i)) = stack.pop() else { continue };
                let value = i.and_then(|i| [7, -2, 12].get(usize::try_from(i).ok()?).copied());
                (Expr::Read(place(4, Some(index))), value)
            }
            Build::Unary(op) => {
                let Some((a, x)) = stack.pop() else { continue };
                (Expr::Unary(op, a), x.map(|x| op.apply(x)))
            }
            Build::Binary(op) => {
                if stack.len() < 2 {
                    continue;
                }
                let ((b, y), (a, x)) = (stack.pop().unwrap(), stack.pop().unwrap());
                let value = match (op, x) {
                    (_, None) => None,
                    (Binary::And, Some(0)) => Some(0),
                    (Binary::Or, Some(x)) if x != 0 => Some(1),
                    (Binary::Imply, Some(0)) => Some(1),
                    (_, Some(x)) => y.and_then(|y| op.apply(x, y)),
                };
                (Expr::Binary(op, a, b), value)
            }
        };
        stack.push((exprs.add(expr, Span::default()), value));
    }
    stack.pop().unwrap_or_else(|| (exprs.add(Expr::Const(0), Span::default()), Some(0)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// As a proposition and as a guard.
    #[test]
    fn values_agree(steps in build()) {
        let mut p = program();
        let (e, value) = both(&mut p.exprs, &steps);
        p.propositions.push(Proposition { name: "p".into(), expr: e });
        p.processes[0].edges.push(Edge {
            from: LocId(0), to: LocId(1), guard: Guard::When(e), offer: Offer::None, effect: vec![],
            span: Span::default(),
        });
        prop_assert_eq!(riata_program::verify(&p), vec![]);
        let it = Interpreter::new(&p, Options::default()).unwrap();
        let mut s = vec![0; it.words()];
        it.initial(&mut Default::default(), &mut s);
        prop_assert_eq!(it.valuation(&s).0 == 1, value.is_some_and(|v| v != 0));
        let mut t = s.clone();
        let stepped = it.next(&s, &mut Default::default(), &mut t).is_some();
        prop_assert_eq!(stepped, value != Some(0));
        prop_assert_eq!(stepped && it.is_fault(&t), value.is_none());
        let failure = it.explain(&s, Choice(0)).and_then(|(_, failure)| failure);
        prop_assert_eq!(failure.is_some(), value.is_none());
        prop_assert_eq!(it.undefined(&s).0 == 1, value.is_none());
    }

    /// Stored to variables of both rules, to scalars and to elements.
    #[test]
    fn stores_agree(steps in build(), index in -1..4i32, target in 5..9u32) {
        let mut p = program();
        let (e, value) = both(&mut p.exprs, &steps);
        let array = target >= 7;
        let i = p.exprs.add(Expr::Read(place(3, None)), Span::default());
        let k = p.exprs.add(Expr::Const(3 - index), Span::default());
        // d is 3: 3 - (3 - index), which is not known to be constant.
        let i = p.exprs.add(Expr::Binary(Binary::Sub, i, k), Span::default());
        p.processes[0].edges.push(Edge {
            from: LocId(0), to: LocId(1), guard: Guard::Always, offer: Offer::None,
            effect: vec![Statement::Assign(place(target, array.then_some(i)), e)],
            span: Span::default(),
        });
        prop_assert_eq!(riata_program::verify(&p), vec![]);
        let it = Interpreter::new(&p, Options::default()).unwrap();
        let mut s = vec![0; it.words()];
        it.initial(&mut Default::default(), &mut s);
        let mut t = s.clone();
        prop_assert!(it.next(&s, &mut Default::default(), &mut t).is_some());
        let var = &p.vars[target as usize];
        let expected = value
            .filter(|_| !array || (0..3).contains(&index))
            .and_then(|v| match var.rule {
                StoreRule::Wrap => Some(var.domain.wrap(v)),
                StoreRule::Fault => var.domain.contains(v).then_some(v),
            });
        let at = if array { index.max(0) as usize } else { 0 };
        let field = it.layout().slot(VarId(target), riata_program::InstanceId(0)).fields().nth(at);
        match expected {
            None => prop_assert!(it.is_fault(&t)),
            Some(v) => {
                prop_assert!(!it.is_fault(&t));
                prop_assert_eq!(field.map(|f| f.load(&t)), Some(v));
                // Nothing else changed.
                let mut back = t.clone();
                field.unwrap().store(&mut back, field.unwrap().load(&s));
                it.layout().location(riata_program::InstanceId(0)).store(&mut back, 0);
                prop_assert_eq!(back, s);
            }
        }
    }
}
