//! Models and the trees they give, written as text with all brackets.

use proptest::prelude::*;
use riata_promela::ast::{FormulaNode, StatementKind, Unit};
use riata_promela::{NoFiles, Options, Parsed, parse, parse_formula, print};

fn read(text: &str) -> Parsed {
    parse("m", text.as_bytes(), &Options::default(), &mut NoFiles)
}

/// The tree as text, white space made one space.
fn tree(text: &str) -> String {
    let parsed = read(text);
    assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
    let printed = print(&parsed.model);
    let again = read(&printed);
    assert!(again.diagnostics.is_empty(), "{printed}: {:?}", again.diagnostics);
    assert_eq!(print(&again.model), printed, "printed twice");
    printed.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The statements of `init`.
#[track_caller]
fn body(text: &str, wanted: &str) {
    assert_eq!(
        tree(&format!("proctype P(byte a) {{ skip }} init {{ {text} }}")),
        format!("proctype P(byte a) {{ skip; }} init {{ {wanted} }}")
    );
}

#[track_caller]
fn expression(text: &str, wanted: &str) {
    body(&format!("x = {text}"), &format!("x = {wanted};"));
}

#[test]
fn operators_bind_as_in_spin() {
    expression("a || b && c | d ^ e & f", "(a || (b && (c | (d ^ (e & f)))))");
    expression("a == b < c << d + e * f", "(a == (b < (c << (d + (e * f)))))");
    expression("a - b - c % d / e", "((a - b) - ((c % d) / e))");
    expression("!a == b", "((!a) == b)");
    expression("-a * ~b", "((-a) * (~b))");
    expression("!(a == -1) && !!b", "((!(a == (-1))) && (!(!b)))");
    expression("(a -> b : c)", "(a -> b : c)");
    expression("(a > 1 -> (b -> 1 : 2) : c + 1)", "((a > 1) -> (b -> 1 : 2) : (c + 1))");
}

#[test]
fn operands() {
    expression("a[i + 1].b.c[j]", "a[(i + 1)].b.c[j]");
    expression(
        "'a' + '\\n' + '\\'' + true + false + skip",
        "((((('a' + '\\n') + '\\'') + true) + false) + skip)",
    );
    expression("len(q) + len(q[2].x)", "(len(q) + len(q[2].x))");
    expression(
        "empty(q) && nempty(q) && full(q) && nfull(q)",
        "(((empty(q) && nempty(q)) && full(q)) && nfull(q))",
    );
    expression("q?[a, -1, eval(b + 1), _] || q??[m]", "(q?[a, -1, eval((b + 1)), _] || q??[m])");
    expression("run P(1, 2) priority 3", "run P(1, 2) priority 3");
    expression("timeout + np_ + _pid + _nr_pr + _last", "((((timeout + np_) + _pid) + _nr_pr) + _last)");
    expression(
        "enabled(1) + pc_value(_pid) + get_priority(p)",
        "((enabled(1) + pc_value(_pid)) + get_priority(p))",
    );
    expression("P[0]@l + P@l + P[i + 1]:x[2] + P:x", "(((P[0]@l + P@l) + P[(i + 1)]:x[2]) + P:x)");
    expression("c_expr { x->y == \"}\" }", "c_expr { x->y == \"}\" }");
    expression("(a[1] -> b[2] : c)", "(a[1] -> b[2] : c)");
}

#[test]
fn statements() {
    body("x++; a[1].b--; x = run P()", "x++; a[1].b--; x = run P();");
    body(
        "assert(x > 1); assert x; printf(\"a\\n%d\", x); printm(m)",
        "assert((x > 1)); assert(x); printf(\"a\\n%d\", x); printm(m);",
    );
    body("q!a,b; q!!a(b,c); q[1]!m; q!-1", "q!a, b; q!!a, b, c; q[1]!m; q!(-1);");
    body(
        "q?a,b; q??m(a,b); q?<a>; q??<m,_>; q?eval(x),-1; q?m(a(b)); q?(a)",
        "q?a, b; q??m, a, b; q?<a>; q??<m, _>; q?eval(x), -1; q?m, a, b; q?a;",
    );
    body("q?[a] -> skip", "q?[a]; skip;");
    body("if :: a -> b :: else -> break fi", "if :: a; b; :: else; break; fi;");
    body("if :: x fi; do :: x od; x unless y", "if :: x; fi; do :: x; od; x unless y;");
    body("do :: a :: atomic { else -> b } od", "do :: a; :: atomic { else; b; }; od;");
    body(
        "L: M: x = 1; goto L; N: }  active proctype Q() { skip",
        "L: M: x = 1; goto L; N: skip; } active proctype Q() { skip;",
    );
    body("atomic { a } d_step { b } { c } d", "atomic { a; }; d_step { b; }; { c; }; d;");
    body("L: { a } unless M: { b }; x = 1 unless y", "L: { a; } unless M: { b; }; x = 1 unless y;");
    body(
        "for (i : 0 .. n - 1) { a } for (i in b) { a }",
        "for (i : 0 .. (n - 1)) { a; }; for (i in b) { a; };",
    );
    body("select (i : 0 .. 3); select(i:1..N)", "select (i : 0 .. 3); select (i : 1 .. N);");
    body("xr q, r; xs q[1]; set_priority(1, 2)", "xr q, r; xs q[1]; set_priority(1, 2);");
    body(
        "byte x = 1, y[2]; T t; hidden chan q = [2] of { mtype, T }",
        "byte x = 1, y[2]; T t; hidden chan q = [2] of { mtype, T };",
    );
    body("c_code [x] { a->b; }; P[0]:x == 1", "c_code [x] { a->b; }; (P[0]:x == 1);");
    body("x = 1; ; -> ; y = 2;;", "x = 1; y = 2;");
}

#[test]
fn new_lines_end_statements() {
    body(
        "x = 1\ny = 2\nx++\nbreak\ngoto L\nskip\nL: timeout\nif\n:: a\n-> b\n:: else\nc\nfi\nd",
        "x = 1; y = 2; x++; break; goto L; skip; L: timeout; if :: a; b; :: else; c; fi; d;",
    );
    body("x = (1\n+ 2)\ny = a[\n1]\nx =\n3", "x = (1 + 2); y = a[1]; x = 3;");
    body(
        "{ a }\nunless { b }\natomic\n{ c }\nfor (i : 0 .. 1)\n{ d }",
        "{ a; } unless { b; }; atomic { c; }; for (i : 0 .. 1) { d; };",
    );
    body(
        "chan in = [1] of { byte }\nout!in\nin?x\nfor (in in in) { skip }",
        "chan in = [1] of { byte }; out!in; in?x; for (in in in) { skip; };",
    );
    body("run P\n(1)\nx = P\n[0]@l", "run P(1); x = P[0]@l;");
    body("x = 1 /* a\n */ y = 2 // b\nz", "x = 1; y = 2; z;");
    assert_eq!(
        tree("byte\nx\n=\n1\n;typedef T { byte a\n byte b }"),
        "byte x = 1; typedef T { byte a; byte b; }"
    );
}

#[test]
fn parts_of_a_model() {
    let all = "mtype = { a, b } mtype:f = { c d } typedef T { byte x; short y[3] }\n\
        hidden int i = -1; unsigned u : 5 = 3; local bit z, w[2] = { 1, 0 }; mtype:f k = c; T t[2]\n\
        active [2] proctype P(byte m; chan n, o) priority 2 provided (i > 0 && x) { skip }\n\
        D_proctype Q() { skip } init priority 3 { skip } never { skip } never n { skip }\n\
        trace { q!a } notrace { q?b } c_decl { int x; } c_state \"int y\" \"Global\" c_code { f(); }";
    let wanted = "mtype = { a, b } mtype:f = { c, d } typedef T { byte x; short y[3]; } \
        hidden int i = (-1); unsigned u : 5 = 3; local bit z, w[2] = { 1, 0 }; mtype:f k = c; T t[2]; \
        active [2] proctype P(byte m; chan n, o) priority 2 provided (((i > 0) && x)) { skip; } \
        D_proctype Q() { skip; } init priority 3 { skip; } never { skip; } never n { skip; } \
        trace { q!a; } notrace { q?b; } c_decl { int x; } c_state \"int y\" \"Global\" c_code { f(); }";
    assert_eq!(tree(all), wanted);
}

#[test]
fn inlines_are_expanded() {
    let text = "inline f(a, b) { byte t; t = a\n a = b; b = t }\n\
        inline g(x) { f(x, q[x, 1]); L: x++ }\ninline one() { return 1 }\n\
        init { g(y); M: f(u, v) unless { skip }; z = one() }";
    assert_eq!(
        tree(&text.replace("q[x, 1]", "q[(x + 1)]")),
        "init { { { byte t; t = y; y = q[(y + 1)]; q[(y + 1)] = t; }; L: y++; }; \
         M: { byte t; t = u; u = v; v = t; } unless { skip; }; { z = 1; }; }"
    );
    let parsed = read(&text.replace("q[x, 1]", "q[(x + 1)]"));
    let Some(Unit::Init(init)) = parsed.model.units.last() else { panic!("no init") };
    assert!(matches!(&init.body.statements[0].kind, StatementKind::Call(c) if &*c.name.text == "g"));
    let calls: Vec<usize> = parsed
        .model
        .units
        .iter()
        .filter_map(|u| if let Unit::Inline(i) = u { Some(i.calls) } else { None })
        .collect();
    assert_eq!(calls, [2, 1, 1]);
}

#[test]
fn formulas() {
    let formula = |text: &str| {
        let printed = tree(&format!("ltl p {{ {text} }} init {{ skip }}"));
        let inside = printed.strip_prefix("ltl p { ").unwrap().strip_suffix(" } init { skip; }").unwrap();
        inside.to_string()
    };
    assert_eq!(formula("[] (a -> <> b)"), "([] (a -> (<> b)))");
    assert_eq!(formula("[]<>a && b U c U d"), "(([] (<> a)) && ((b U c) U d))");
    assert_eq!(formula("always eventually a implies not_b until c"), "(([] (<> a)) -> (not_b U c))");
    assert_eq!(formula("a W b V c <-> X d"), "(((a W b) V c) <-> (X d))");
    assert_eq!(formula("a weakuntil b || c release d equivalent next e"), "(((a W b) || (c V d)) <-> (X e))");
    assert_eq!(formula("!<>(x + 1 > 3 && y < 2 || !z)"), "(! (<> ((((x + 1) > 3) && (y < 2)) || (!z))))");
    assert_eq!(formula("a stronguntil b /\\ c \\/ d"), "(((a U b) && c) || d)");
    assert_eq!(formula("[] P[0]@cs -> P[1]:x == 2"), "(([] P[0]@cs) -> (P[1]:x == 2))");
    assert_eq!(formula("a <-1 && q?[x]"), "((a < (-1)) && q?[x])");
}

#[test]
fn propositions_are_as_large_as_possible() {
    let nodes = |text: &str| {
        let (parsed, formula) = parse_formula("formula", text.as_bytes(), &Options::default());
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        formula.nodes
    };
    assert!(matches!(nodes("x > 3 && !y || P:z == 1")[..], [FormulaNode::Proposition(_)]));
    assert_eq!(nodes("(x && y) U (y && z)").len(), 3);
    assert_eq!(nodes("x -> y").len(), 3);
    assert_eq!(nodes("x && y && <> z").len(), 4);
    let (parsed, formula) = parse_formula("formula", b"x + ", &Options::default());
    assert!(parsed.failed() && formula.nodes.is_empty());
    let (parsed, _) = parse_formula("formula", b"x y", &Options::default());
    assert!(parsed.failed());
}

#[test]
fn nodes_of_an_expression_lie_side_by_side() {
    let parsed = read("init { x = a[i + 1].b * (c -> run P(1, d) : q?[eval(e + f), m[2]]) - len(r[g]) }");
    let Some(Unit::Init(init)) = parsed.model.units.last() else { panic!("no init") };
    let StatementKind::Assign(_, e) = init.body.statements[0].kind else { panic!("no assignment") };
    let exprs = &parsed.model.exprs;
    assert_eq!(exprs.range(e), 0..exprs.nodes.len());
    for (i, &start) in exprs.starts.iter().enumerate() {
        assert!(start as usize <= i);
    }
}

#[test]
fn places_and_origins() {
    let text = "#define INC x++\ninline f(a) { a = 1; INC }\ninit {\n  f(y)\n}\n";
    let parsed = read(text);
    let Some(Unit::Init(init)) = parsed.model.units.last() else { panic!("no init") };
    let place = |s: &riata_promela::ast::Statement| {
        let chain: Vec<String> = parsed.origins.chain(s.origin).map(|o| o.name.to_string()).collect();
        (parsed.sources.str(s.span).into_owned(), chain.join(" "))
    };
    assert_eq!(place(&init.body.statements[0]), ("f(y)".into(), String::new()));
    let StatementKind::Call(call) = &init.body.statements[0].kind else { panic!("no call") };
    assert_eq!(place(&call.body.statements[0]), ("a = 1".into(), "f".into()));
    assert_eq!(place(&call.body.statements[1]), ("INC".into(), "INC f".into()));
    assert_eq!(parsed.sources.locate(call.body.statements[1].span).line, 2);
}

#[test]
fn depth_and_length_are_no_danger() {
    let n = 100_000;
    let deep = |open: &str, close: &str| format!("init {{ x = {}1{} }}", open.repeat(n), close.repeat(n));
    for text in [deep("(", ")"), deep("!", ""), deep("-(", ")"), deep("(1 -> 2 : ", ")")] {
        let parsed = read(&text);
        assert!(parsed.diagnostics.is_empty());
        assert!(read(&print(&parsed.model)).diagnostics.is_empty());
    }
    for text in [deep("a[", "]"), deep("len(a[", "])"), deep("run P(", ")"), deep("(", "")] {
        assert_eq!(read(&text).diagnostics.len(), 1, "{}", &text[..30]);
    }
    for (open, close) in
        [("{", "}"), ("if :: ", " fi"), ("do :: atomic { ", " } od"), ("for (i : 0 .. 1) {", "}")]
    {
        let text = format!("init {{ {}skip{} }}", open.repeat(n), close.repeat(n));
        assert_eq!(read(&text).diagnostics.len(), 1, "{open}");
    }
    let long = format!("init {{ {} }}", "x = x + 1; if :: a -> b :: else fi\n".repeat(n));
    assert!(read(&long).diagnostics.is_empty());
    let wrong = format!("init {{ {} }}", "x = ; ".repeat(n));
    let told = read(&wrong).diagnostics.len();
    assert!((1_000..1_010).contains(&told), "{told}");
    let sum = format!("init {{ x = 1{} }} ltl {{ p{} }}", " + 1".repeat(n), " U p".repeat(n));
    assert!(read(&sum).diagnostics.is_empty());
}

const WORDS: &[&str] = &[
    "init",
    "proctype",
    "active",
    "P",
    "x",
    "y",
    "q",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    "->",
    "::",
    ":",
    "if",
    "fi",
    "do",
    "od",
    "atomic",
    "d_step",
    "unless",
    "else",
    "break",
    "goto",
    "L",
    "L:",
    "byte",
    "chan",
    "mtype",
    "=",
    "==",
    "!",
    "!!",
    "?",
    "??",
    "<",
    ">",
    "+",
    "-",
    "++",
    ",",
    "..",
    ".",
    "@",
    "1",
    "'a'",
    "\"s\"",
    "run",
    "len",
    "eval",
    "_",
    "for",
    "select",
    "in",
    "inline",
    "f",
    "f(x)",
    "inline f(x) {",
    "init {",
    "ltl",
    "ltl {",
    "[]",
    "<>",
    "U",
    "never",
    "typedef",
    "T",
    "printf",
    "assert",
    "c_code",
    "c_code {",
    "return",
    "skip",
    "\n",
    "#define x ",
    "\n#define f(x) x",
    "\n#if",
    "\n#endif",
    "\n#else\n",
    "#",
    "##",
    "timeout",
    "xr",
    "of",
    "priority",
    "provided",
    "$",
    "\\",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_words_can_be_read(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        let text = words.join(" ");
        let parsed = read(&text);
        if !parsed.failed() {
            let printed = print(&parsed.model);
            let again = read(&printed);
            prop_assert!(!again.failed(), "{text}\n{printed}\n{:?}", again.diagnostics);
            prop_assert_eq!(print(&again.model), printed);
        }
        for d in &parsed.diagnostics {
            prop_assert!(d.span.end <= parsed.sources.len());
        }
    }

    #[test]
    fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        parse("m", &bytes, &Options::default(), &mut NoFiles);
    }
}
