//! Wrong models, and what is said about them: `wrong.txt` has the models, `wrong.expected` the messages.
//!
//! `RIATA_BLESS=1 cargo test -p riata-smv --test wrong` writes the messages anew; read them before they are committed.

use riata_smv::check::{Automaton, Method, Session};
use riata_smv::machine::Layout;
use riata_smv::{Fail, parse};
use riata_source::{Diagnostic, line_column};
use riata_symbolic::Oxi;
use riata_symbolic::relation::Shape;
use riata_system::Limits;

fn wrong(text: &str) -> Vec<Diagnostic> {
    let (model, types) = match parse(text) {
        Ok(parsed) => parsed,
        Err(wrong) => return wrong,
    };
    // Ranges, cases and divisions are checked when the expressions become functions.
    let bdd = Oxi::new(Limits { memory: Some(16 << 20), ..Limits::default() });
    let mut automata = Vec::new();
    for spec in &model.specs {
        match Automaton::new(&model, &types, spec, false, Method::Chosen) {
            Ok(automaton) => automata.push(automaton),
            Err(d) => return vec![d],
        }
    }
    let fresh = automata.iter().flatten().map(Automaton::bits).max().unwrap_or(0);
    let layout = Layout::new(&bdd, &model, &types, fresh, &[]);
    let session = match Session::new(&bdd, &model, &types, &layout, Shape::default()) {
        Ok(session) => session,
        Err(Fail::Wrong(d)) => return vec![*d],
        Err(Fail::Stop(_)) => return model.warnings.clone(),
    };
    for (spec, automaton) in model.specs.iter().zip(&automata) {
        if let Err(Fail::Wrong(d)) = session.check(spec, automaton.as_ref(), None) {
            return vec![*d];
        }
    }
    model.warnings.clone()
}

#[test]
fn every_wrong_model_gets_its_message() {
    let cases = include_str!("wrong.txt");
    let mut found = String::new();
    let mut count = 0;
    for case in cases.split("=== ").skip(1) {
        let (name, text) = case.split_once('\n').unwrap_or((case, ""));
        found += &format!("=== {name}\n");
        let diagnostics = wrong(text);
        assert!(!diagnostics.is_empty(), "nothing is said about: {name}");
        for d in &diagnostics {
            let (line, column) = line_column(text, d.span.start);
            found += &format!("{line}:{column}: {}\n", d.message);
            d.help.iter().for_each(|h| found += &format!("  help: {h}\n"));
            for n in &d.notes {
                let (line, column) = line_column(text, n.span.start);
                found += &format!("  {line}:{column}: {}\n", n.message);
            }
        }
        count += 1;
    }
    assert!(count >= 100, "there are {count}");
    if std::env::var_os("RIATA_BLESS").is_some() {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong.expected");
        std::fs::write(file, &found).expect("the messages can be written");
        return;
    }
    let expected = include_str!("wrong.expected");
    for (a, b) in found.lines().zip(expected.lines()) {
        assert_eq!(a, b);
    }
    assert_eq!(found.lines().count(), expected.lines().count());
}

#[test]
fn depth_costs_no_stack() {
    let deep = |open: &str, middle: &str, close: &str| {
        format!(
            "MODULE main\nVAR x : boolean;\nDEFINE d := {}{middle}{};\nSPEC AG d\n",
            open.repeat(20_000),
            close.repeat(20_000)
        )
    };
    for text in [
        deep("(", "x", ")"),
        deep("!", "x", ""),
        deep("x & (", "x", ")"),
        deep("case x : ", "x", "; TRUE : x; esac"),
    ] {
        assert!(wrong(&text).is_empty(), "{}", &text[..60]);
    }
    let chain: String = (1..5_000).map(|i| format!("d{i} := !d{};\n", i - 1)).collect();
    assert!(wrong(&format!("MODULE main\nVAR d0 : boolean;\nDEFINE {chain}SPEC AG d4999\n")).is_empty());
    assert!(!wrong(&deep("(", "x", "")).is_empty());
}

#[test]
fn properties_and_arrays_may_be_deep() {
    let psl = |open: &str, close: &str| {
        let (open, close) = (open.repeat(20_000), close.repeat(20_000));
        parse(&format!("MODULE main\nVAR x : boolean;\nPSLSPEC {open}x{close};\n"))
    };
    for (open, close) in
        [("(", ")"), ("next ", ""), ("!", ""), ("x until (", ")"), ("[x U ", "]"), ("next_event(x)(", ")")]
    {
        assert!(psl(open, close).is_ok(), "{open}");
    }
    assert!(psl("(", "").is_err());
    assert!(psl("next_event(", "").is_err());
    // Arrays that are defined by each other, the last one first.
    let chain: String = (0..1_000).map(|i| format!("d{i} := [d{}[0], TRUE];\n", i + 1)).collect();
    let text = format!("MODULE main\nDEFINE {chain}d1000 := [TRUE];\nSPEC d0[0]\n");
    assert!(parse(&text).is_err_and(|wrong| wrong.iter().any(|d| d.message.contains("600 deep"))));
    let nested = format!("MODULE main\nDEFINE a := {}TRUE{};\n", "[".repeat(5_000), "]".repeat(5_000));
    assert!(parse(&nested).is_err_and(|wrong| wrong[0].message.contains("nested too deeply")));
}

#[test]
fn modules_that_double_are_refused() {
    let mut text = String::from("MODULE main\nVAR a : m0; b : m0;\n");
    for i in 0..40 {
        text += &format!("MODULE m{i}\nVAR a : m{}; b : m{};\n", i + 1, i + 1);
    }
    text += "MODULE m40\nVAR x : boolean;\n";
    assert!(wrong(&text)[0].message.contains("parts"));
}
