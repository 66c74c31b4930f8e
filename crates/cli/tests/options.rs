//! Every option with every kind of input: it does something that can be seen, or it is refused. Nothing is dropped in
//! silence.
//!
//! The tables below have a row for each option and the kinds for which the row is; an option that `--help` shows and that
//! has no row for some kind fails the test.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output};

/// What is to be seen of an option, compared with the same call without it.
enum Effect {
    /// Exit code 2; the message names the option and says this. With `--json` there is an object with `errors`.
    Refused(&'static str),
    /// Standard output is another one, numbers of seconds and bytes aside.
    Out,
    /// Standard output says this, and did not before.
    Says(&'static str),
    /// Standard error says this, and did not before.
    Warns(&'static str),
    /// With `--json`, standard output has this, and had not before.
    Json(&'static str),
    /// With `--json`, standard output has this; it is what is so anyway.
    Anyway(&'static str),
    /// The file `o` begins so, and was not there before.
    File(&'static str),
    /// The file `o` is another one.
    OtherFile,
    /// The exit code is this one, and was another one.
    Exit(i32),
}
use Effect::*;

/// An option with its value; kinds; what it does; the rest of the call if it is not the usual one. `{}` is the kind.
type Row = (&'static str, &'static str, Effect, &'static str);

const KINDS: &[&str] = &["pml", "dve", "hoa", "smv", "aag"];

const CHECK: &[Row] = &[
    ("--input promela", "pml", Exit(1), "pml.txt"),
    ("--input dve", "dve", Exit(1), "dve.txt --ltl 'F G {x == 7}'"),
    ("--input hoa", "hoa", Exit(1), "hoa.txt --ltl 'F G (a & b)'"),
    ("--input smv", "smv", Exit(1), "smv.txt"),
    ("--input aiger", "aag", Exit(1), "aag.txt"),
    ("--ltl 'F G {x == 7}'", "pml dve", Says("ltl_0: "), "m.{}"),
    ("--ltl 'F G (a & b)'", "hoa", Says("ltl_0: "), "m.{}"),
    ("--ltl 'F G x = 3'", "smv", Says("ltl_0: "), "m.{}"),
    ("--ltl 'F G go'", "aag", Refused("is for Promela models"), "m.{}"),
    ("--ctl 'AG x = 3'", "pml dve hoa aag", Refused("is for SMV models"), "m.{}"),
    ("--ctl 'AG x = 3'", "smv", Says("ctl_0: "), "m.{}"),
    ("--exists", "pml dve hoa smv", Json("\"exists\":true"), "m.{} --ltl 'F G {}'"),
    ("--exists", "pml dve hoa smv aag", Refused("--ltl"), "m.{}"),
    ("--property low", "pml smv", Out, "m.{}"),
    ("--property deadlock", "dve", Out, "m.{}"),
    ("--property never", "aag", Out, "two.{}"),
    ("--property low", "hoa", Refused("is for Promela models"), ""),
    ("--algorithm all", "pml dve hoa smv aag", Out, ""),
    ("--algorithm couvreur99", "pml dve hoa", Json("\"algorithm\":\"couvreur99\""), ""),
    ("--algorithm ascc", "smv aag", Refused("explicit engine"), ""),
    ("--algorithm owcty", "smv", Json("\"algorithm\":\"owcty\""), "m.smv --property low"),
    ("--algorithm owcty", "pml dve hoa", Refused("symbolic engine"), ""),
    ("--algorithm all", "pml dve", Warns("no property of infinite runs"), "m.{} -p deadlock"),
    ("--algorithm ascc", "pml dve", Warns("no property of infinite runs"), "m.{} -p deadlock"),
    ("--deadlocks ignore", "pml dve", Exit(0), "end.{} --ltl 'G F {x == 1}'"),
    ("--deadlocks ignore", "pml dve", Warns("no property of infinite runs"), "m.{} -p assertions"),
    ("--deadlocks ignore", "hoa", Exit(0), "m.hoa --ltl 'G F a'"),
    ("--deadlocks ignore", "smv aag", Refused("is for Promela models"), ""),
    ("--fairness weak", "pml dve", Exit(0), "fair.{} --ltl 'F {done == 1}'"),
    ("--fairness weak", "pml dve", Warns("no property of infinite runs"), "m.{} -p assertions"),
    ("--fairness weak", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--shortest", "pml dve hoa", Json("\"shortest\":true"), ""),
    ("--shortest", "smv aag", Refused("is for Promela models"), ""),
    ("--automaton ba", "hoa", Out, "m.{} --ltl '(F G {}) | (F G !{})' -a ascc"),
    ("--automaton ba", "pml dve", Out, "m.{} --ltl '(F G {}) | (F G !{})' -a ascc --por off"),
    ("--no-jit", "pml dve", Json("\"off\":\"--no-jit\""), ""),
    ("--no-jit", "pml dve", Refused("watches the interpreter"), "m.{} --ltl 'F G {}' --engine symbolic"),
    ("--no-jit", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--jit-after 0", "pml dve", Json("\"native\":{\"edges\""), "m.{} --ltl 'F G {}' --por off"),
    ("--jit-after 0", "pml dve", Refused("watches the interpreter"), "m.{} --ltl 'F G {}' --engine symbolic"),
    ("--jit-after 0", "pml dve", Refused("cannot be used with"), "m.{} --no-jit"),
    ("--jit-after 0", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--por off", "pml dve", Json("\"off\":\"--por off\""), ""),
    ("--por auto", "pml dve", Warns("--fairness asks"), "m.{} --ltl 'F G {}' --fairness weak"),
    ("--por auto", "pml dve", Refused("takes all steps at once"), "m.{} --ltl 'F G {}' --engine symbolic"),
    ("--por auto", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--automaton tgba", "pml dve hoa", Out, "m.{} --ltl '(F G {}) | (F G !{})' -a se05"),
    ("--automaton ba", "pml dve", Warns("no formula was checked"), "m.{} -p deadlock"),
    ("--automaton ba", "pml dve", Refused("explicit engine"), "m.{} --ltl 'F G {}' --engine symbolic"),
    ("--automaton ba", "smv aag", Refused("is for Promela models"), ""),
    // The formula is in another notation.
    ("--dialect spin", "pml dve hoa", Warns("expected an operator"), "m.{} --ltl 'F G {}'"),
    ("--dialect spin", "pml dve hoa", Refused("--ltl"), "m.{}"),
    ("--dialect spin", "smv aag", Refused("is for Promela models"), ""),
    ("--store tree", "pml dve hoa", Json("\"store\":\"tree\""), ""),
    ("--store bitstate", "pml dve", Json("\"algorithm\":\"swarm\""), "m.{} -p assertions"),
    ("--store dense", "pml dve hoa", Refused("for automata"), ""),
    ("--store tree", "pml dve", Refused("no store of states"), "m.{} --ltl 'F G {}' --engine symbolic"),
    ("--store tree", "smv aag", Refused("is for Promela models"), ""),
    ("--trace o", "pml dve hoa smv aag", File("{"), ""),
    ("--witness o", "aag", File("1\nb0"), ""),
    ("--witness o", "pml dve hoa smv", Refused("is for AIGER circuits"), ""),
    ("--coverage", "pml dve", Says("coverage: "), "m.{} -p assertions"),
    ("--coverage", "pml dve", Refused("assertions"), ""),
    ("--coverage", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--stats", "pml dve hoa", Says("hashing and store"), ""),
    ("--stats", "pml dve hoa", Json("\"stats\":{\"preparing_seconds\""), ""),
    ("--stats", "smv aag", Refused("is for Promela models"), ""),
    ("--stats", "pml dve", Refused("explicit engine"), "m.{} --engine symbolic"),
    ("--stats", "pml dve hoa", Refused("one thread"), "m.{} --threads 2"),
    ("--stats", "pml dve", Refused("several processes"), "m.{} --processes 2"),
    ("--format junit", "pml dve hoa smv aag", Says("<testsuite"), ""),
    ("--format sarif", "pml dve hoa smv aag", Says("\"2.1.0\""), ""),
    ("--format sarif", "pml dve hoa smv aag", Refused("cannot be used with"), "m.{} --json"),
    ("--memory 1KiB", "pml dve hoa smv aag", Exit(3), ""),
    ("--time 0", "pml dve hoa smv aag", Exit(3), ""),
    ("--threads 2", "pml dve hoa", Json("\"threads\":2"), ""),
    ("--threads 2", "pml dve hoa", Json("\"threads\":2"), "m.{} --ltl 'F G {}' -a ascc"),
    ("--threads 2", "smv aag", Refused("one thread"), ""),
    ("--threads 0", "pml dve hoa smv aag", Refused("from 1 to"), ""),
    ("--hashes 2", "pml dve hoa", Json("\"hashes\":2"), "m.{} --ltl 'G F {}' --store bitstate --memory 1MiB"),
    ("--hashes 2", "pml dve hoa", Refused("store bitstate"), "m.{} --ltl 'G F {}' --store compact"),
    ("--hashes 2", "smv aag", Refused("is for Promela models"), ""),
    ("--runs 2", "pml dve hoa", Json("\"runs\":2"), "m.{} --ltl '1' --store bitstate --memory 1MiB"),
    ("--runs 2", "pml dve hoa", Refused("stores bitstate and compact"), ""),
    ("--runs 2", "smv aag", Refused("is for Promela models"), ""),
    ("--seed 5", "pml dve hoa", Json("\"seed\":5"), "m.{} --ltl 'G F {}' --store bitstate --memory 1MiB"),
    ("--seed 5", "pml dve hoa", Refused("stores bitstate and compact"), ""),
    ("--seed 5", "smv aag", Refused("is for Promela models"), ""),
    ("--msc", "pml dve", Out, ""),
    ("--msc", "pml dve", Warns("no run to show"), "m.{} -p assertions"),
    ("--msc", "pml dve", Refused("cannot be used with"), "m.{} -q"),
    ("--msc", "pml dve", Refused("text for people"), "m.{} --format sarif"),
    ("--msc", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--svg o", "pml dve smv aag", File("<svg"), ""),
    ("--svg o", "hoa", Refused("is for Promela models"), ""),
    ("--html o", "pml dve hoa smv aag", File("<!DOCTYPE html>"), ""),
    ("--html o", "pml dve", File("<!DOCTYPE html>"), "m.{} -p assertions"),
    ("--trail o", "pml", File(""), ""),
    ("--trail o", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("--vcd o", "smv aag", File("$version"), ""),
    ("--vcd o", "pml dve hoa", Refused("is for SMV models"), ""),
    ("--only x", "pml dve smv", Out, ""),
    ("--only a", "hoa", Out, ""),
    ("--only go", "aag", Out, ""),
    ("--only nothing", "pml dve hoa smv aag", Warns("the run has no nothing"), ""),
    ("--only x", "pml dve", Warns("no run to show"), "m.{} -p assertions"),
    ("--only x", "pml dve hoa smv aag", Refused("cannot be used with"), "m.{} --json"),
    ("--only x", "pml dve hoa smv aag", Refused("cannot be used with"), "m.{} -q"),
    ("--only x", "pml dve hoa smv aag", Refused("text for people"), "m.{} --format junit"),
    ("--columns 1", "pml dve", Out, ""),
    ("--columns 1", "pml dve", Warns("no run to show"), "m.{} -p assertions"),
    ("--columns 1", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--define MORE", "pml", Out, ""),
    ("-D MORE", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("--undefine MORE", "pml", Out, "m.pml -D MORE"),
    ("-U MORE", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("--include parts", "pml", Exit(0), "include.pml"),
    ("-I parts", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("--cpp 'sed s/TEN/10/'", "pml", Exit(0), "ten.pml"),
    ("--cpp 'sed s/TEN/10/'", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("--no-optimise", "pml", Out, ""),
    ("--no-optimise=unread", "pml", Out, ""),
    ("--no-optimise", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("--engine symbolic", "pml dve", Json("\"engine\":\"symbolic\""), ""),
    ("--engine symbolic", "smv aag", Anyway("\"engine\":\"symbolic\""), ""),
    ("--engine symbolic", "hoa", Refused("is for Promela models"), ""),
    ("--engine explicit", "pml dve hoa", Anyway("\"engine\":\"explicit\""), ""),
    ("--engine explicit", "smv aag", Refused("is for Promela models"), ""),
    // Whether or not there is a device: formulas are not for it.
    ("--engine gpu", "pml dve", Refused("--engine gpu"), "m.{} --ltl 'F G {}'"),
    ("--engine gpu", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--order wide.order", "smv aag", OtherFile, "wide.{} --no-reorder --write-order o"),
    ("--order wide.order", "pml dve hoa", Refused("is for SMV models"), ""),
    ("--write-order o", "smv aag", File(""), ""),
    ("--write-order o", "pml dve hoa", Refused("is for SMV models"), ""),
    ("--reorder", "smv aag", OtherFile, "wide.{} --order wide.order --write-order o"),
    ("--reorder", "smv aag", Refused("cannot be used with"), "m.{} --no-reorder"),
    ("--reorder", "pml dve", Anyway("\"engine\":\"symbolic\""), "m.{} --ltl 'F G {}' --engine symbolic"),
    ("--reorder", "pml dve", Refused("symbolic engine"), ""),
    ("--reorder", "hoa", Refused("is for Promela models"), ""),
    ("--no-reorder", "smv aag", Anyway("\"engine\":\"symbolic\""), "wide.{} --order wide.order"),
    ("--no-reorder", "pml dve", Anyway("\"engine\":\"symbolic\""), "m.{} --ltl 'F G {}' --engine symbolic"),
    ("--no-reorder", "pml dve", Refused("symbolic engine"), ""),
    ("--no-reorder", "hoa", Refused("is for Promela models"), ""),
    ("--monolithic", "smv aag", Out, "wide.{} --order wide.order --json"),
    ("--monolithic", "pml dve", Anyway("\"engine\":\"symbolic\""), "m.{} --ltl 'F G {}' --engine symbolic"),
    ("--monolithic", "pml dve", Refused("symbolic engine"), ""),
    ("--monolithic", "hoa", Refused("is for Promela models"), ""),
    ("--processes 2", "pml dve", Json("\"processes\":2"), ""),
    ("--processes 2", "pml dve", Refused("--hosts tells the processes"), "m.{} --hosts none"),
    ("--threads 2", "pml dve", Refused("not for several processes"), "m.{} --processes 2"),
    ("--engine symbolic", "pml dve", Refused("not for several processes"), "m.{} --processes 2"),
    ("--processes 0", "pml dve", Refused("not in 1..=256"), ""),
    ("--processes 2", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--hosts none", "pml dve", Refused("cannot read none"), ""),
    ("--hosts m.pml", "pml dve", Refused("is no address"), ""),
    ("--hosts none", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--token t", "pml dve", Refused("it is for --hosts"), ""),
    ("--token t", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--listen 127.0.0.1:0", "pml dve", Refused("it is for --hosts"), ""),
    ("--listen 127.0.0.1:0", "hoa smv aag", Refused("is for Promela models"), ""),
    // That it is written, and goes on, is seen in tests/cmd/cluster.md.
    ("--checkpoint m.pml", "pml dve", Refused("cannot make the directory"), ""),
    ("--checkpoint kept", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--resume none", "pml dve", Refused("there is no checkpoint"), ""),
    ("--resume none", "pml dve", Refused("leave out --checkpoint"), "m.{} --checkpoint kept"),
    ("--resume none", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--commit-every 5", "pml dve", Refused("it is for --checkpoint"), ""),
    ("--commit-every 5", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--json", "pml dve hoa smv aag", Says("\"schema\":\"riata/1\""), ""),
    ("--quiet", "pml dve hoa smv aag", Out, ""),
    ("--verbose", "pml dve hoa smv aag", Says("store: "), ""),
    ("--verbose", "pml dve", Says("store: "), "m.{} -p assertions"),
    ("--verbose", "pml dve hoa smv aag", Refused("text for people"), "m.{} --format junit"),
    ("--verbose", "pml dve hoa smv aag", Refused("cannot be used with"), "m.{} -q"),
    ("--verbose", "pml dve hoa smv aag", Refused("cannot be used with"), "m.{} --json"),
    ("--color always", "pml dve hoa smv aag", Says("\u{1b}[1;31mviolated"), ""),
];

const EXPLORE: &[Row] = &[
    ("--input promela", "pml", Exit(0), "pml.txt"),
    ("--input dve", "dve", Exit(0), "dve.txt"),
    ("--input hoa", "hoa", Exit(0), "hoa.txt"),
    ("--input smv", "smv", Exit(0), "smv.txt"),
    ("--input aiger", "aag", Exit(0), "aag.txt"),
    ("--store tree", "pml dve hoa", Json("\"store\":\"tree\""), ""),
    ("--store bitstate", "pml dve hoa", Refused("exact or tree"), ""),
    ("--store tree", "smv aag", Refused("is for Promela models"), ""),
    ("--coverage", "pml dve", Says("coverage: "), ""),
    ("--coverage", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--stats", "pml dve hoa", Says("hashing and store"), ""),
    ("--stats", "pml dve hoa", Json("\"stats\":{\"preparing_seconds\""), ""),
    ("--stats", "smv aag", Refused("is for Promela models"), ""),
    ("--stats", "pml dve", Refused("explicit engine"), "m.{} --engine symbolic"),
    ("--stats", "pml dve hoa", Refused("one thread"), "m.{} --threads 2"),
    ("--stats", "pml dve", Refused("several processes"), "m.{} --processes 2"),
    ("--print program", "pml dve", Out, ""),
    ("--print program", "pml dve", Refused("cannot be used with"), "m.{} --store tree"),
    ("--print program", "pml dve", Refused("cannot be used with"), "m.{} -q"),
    ("--print program", "hoa smv aag", Refused("Promela"), ""),
    ("--explain por", "pml dve", Out, ""),
    ("--explain por", "pml dve", Refused("cannot be used with"), "m.{} --store tree"),
    ("--explain por", "pml dve", Refused("text"), "m.{} --json"),
    ("--explain por", "hoa smv aag", Refused("Promela"), ""),
    ("--no-jit", "pml dve", Json("\"off\":\"--no-jit\""), ""),
    ("--no-jit", "pml dve", Refused("watches the interpreter"), "m.{} --engine symbolic"),
    ("--no-jit", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--jit-after 0", "pml dve", Json("\"native\":{\"edges\""), ""),
    ("--jit-after 0", "pml dve", Refused("watches the interpreter"), "m.{} --engine symbolic"),
    ("--jit-after 0", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--por on", "pml dve", Json("\"reduced\":"), ""),
    ("--por off", "pml dve", Json("\"off\":"), ""),
    ("--por auto", "pml dve", Refused("takes all steps at once"), "m.{} --engine symbolic"),
    ("--por auto", "hoa smv aag", Refused("is for Promela models"), ""),
    // That it serves is seen in tests/browser.
    ("--serve", "pml dve hoa smv aag", Refused("cannot be used with"), "m.{} --time 5"),
    ("--serve", "pml dve hoa smv aag", Refused("cannot be used with"), "m.{} -q"),
    ("--port 1", "pml dve hoa smv aag", Refused("--serve"), ""),
    ("--memory 1KiB", "pml dve hoa smv aag", Exit(3), ""),
    ("--time 0", "pml", Exit(3), "long.pml --no-optimise"),
    ("--time 0", "dve hoa", Exit(3), "long.{}"),
    ("--time 0", "smv aag", Exit(3), ""),
    ("--threads 2", "pml dve hoa", Json("\"threads\":2"), ""),
    ("--threads 2", "smv aag", Refused("one thread"), ""),
    ("--define MORE", "pml", Out, ""),
    ("-D MORE", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("--undefine MORE", "pml", Out, "m.pml -D MORE"),
    ("-U MORE", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("--include parts", "pml", Exit(0), "include.pml"),
    ("-I parts", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("--cpp 'sed s/TEN/10/'", "pml", Exit(0), "ten.pml"),
    ("--cpp 'sed s/TEN/10/'", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("--no-optimise", "pml", Out, ""),
    ("--no-optimise", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("--engine symbolic", "pml dve", Json("\"engine\":\"symbolic\""), ""),
    ("--engine symbolic", "smv aag", Anyway("\"engine\":\"symbolic\""), ""),
    ("--engine symbolic", "hoa", Refused("is for Promela models"), ""),
    ("--engine explicit", "pml dve hoa", Anyway("\"engine\":\"explicit\""), ""),
    ("--engine explicit", "smv aag", Refused("is for Promela models"), ""),
    // Whether or not there is a device: it is refused before one is looked for.
    ("--engine gpu", "pml dve", Refused("takes all steps"), "m.{} --por on"),
    ("--engine gpu", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--order wide.order", "smv aag", OtherFile, "wide.{} --no-reorder --write-order o"),
    ("--order wide.order", "pml dve hoa", Refused("is for SMV models"), ""),
    ("--write-order o", "smv aag", File(""), ""),
    ("--write-order o", "pml dve hoa", Refused("is for SMV models"), ""),
    ("--reorder", "smv aag", OtherFile, "wide.{} --order wide.order --write-order o"),
    ("--reorder", "pml dve", Anyway("\"engine\":\"symbolic\""), "m.{} --engine symbolic"),
    ("--reorder", "pml dve", Refused("symbolic engine"), ""),
    ("--reorder", "hoa", Refused("is for Promela models"), ""),
    ("--no-reorder", "smv aag", Anyway("\"engine\":\"symbolic\""), "wide.{} --order wide.order"),
    ("--no-reorder", "pml dve", Anyway("\"engine\":\"symbolic\""), "m.{} --engine symbolic"),
    ("--no-reorder", "pml dve", Refused("symbolic engine"), ""),
    ("--no-reorder", "hoa", Refused("is for Promela models"), ""),
    ("--monolithic", "smv aag", Out, "wide.{} --order wide.order --json"),
    ("--monolithic", "pml dve", Anyway("\"engine\":\"symbolic\""), "m.{} --engine symbolic"),
    ("--monolithic", "pml dve", Refused("symbolic engine"), ""),
    ("--monolithic", "hoa", Refused("is for Promela models"), ""),
    ("--only x", "pml dve", Out, "end.{}"),
    ("--only a", "hoa", Out, "m.hoa"),
    ("--only x", "pml dve smv aag", Warns("no run to show"), ""),
    ("--only x", "pml dve hoa smv aag", Refused("cannot be used with"), "m.{} --json"),
    ("--columns 1", "pml dve", Out, "end.{}"),
    ("--columns 1", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--processes 2", "pml dve", Json("\"processes\":2"), ""),
    ("--processes 2", "pml dve", Refused("--hosts tells the processes"), "m.{} --hosts none"),
    ("--threads 2", "pml dve", Refused("not for several processes"), "m.{} --processes 2"),
    ("--engine symbolic", "pml dve", Refused("not for several processes"), "m.{} --processes 2"),
    ("--processes 0", "pml dve", Refused("not in 1..=256"), ""),
    ("--processes 2", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--hosts none", "pml dve", Refused("cannot read none"), ""),
    ("--hosts m.pml", "pml dve", Refused("is no address"), ""),
    ("--hosts none", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--token t", "pml dve", Refused("it is for --hosts"), ""),
    ("--token t", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--listen 127.0.0.1:0", "pml dve", Refused("it is for --hosts"), ""),
    ("--listen 127.0.0.1:0", "hoa smv aag", Refused("is for Promela models"), ""),
    // That it is written, and goes on, is seen in tests/cmd/cluster.md.
    ("--checkpoint m.pml", "pml dve", Refused("cannot make the directory"), ""),
    ("--checkpoint kept", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--resume none", "pml dve", Refused("there is no checkpoint"), ""),
    ("--resume none", "pml dve", Refused("leave out --checkpoint"), "m.{} --checkpoint kept"),
    ("--resume none", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--commit-every 5", "pml dve", Refused("it is for --checkpoint"), ""),
    ("--commit-every 5", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--json", "pml dve hoa smv aag", Says("\"schema\":\"riata/1\""), ""),
    ("--quiet", "pml dve hoa smv aag", Out, ""),
    ("--verbose", "pml dve hoa smv aag", Says("store: "), ""),
    ("--color always", "pml dve hoa smv aag", Says("\u{1b}[1;32mcomplete"), ""),
];

const COMPARE: &[Row] = &[
    ("--input promela", "pml", Exit(0), "pml.txt"),
    ("--input dve", "dve", Exit(0), "dve.txt --ltl 'F G {x == 7}'"),
    ("--input hoa", "hoa", Exit(0), "hoa.txt --ltl 'F G (a & b)'"),
    ("--input smv", "smv", Exit(0), "smv.txt"),
    ("--input aiger", "aag", Exit(0), "aag.txt"),
    ("--ltl 'F G {x == 7}'", "pml dve", Says("ltl_0"), "m.{}"),
    ("--ltl 'F G (a & b)'", "hoa", Says("ltl_0"), "m.hoa"),
    ("--ltl 'F G x = 3'", "smv", Says("ltl_0"), "m.{}"),
    ("--ltl 'F G go'", "aag", Refused("is for Promela models"), "m.{}"),
    ("--ctl 'AG x = 3'", "pml dve hoa aag", Refused("is for SMV models"), "m.{}"),
    ("--ctl 'AG x = 3'", "smv", Says("ctl_0"), "m.{}"),
    ("--property low", "pml smv", Out, "m.{}"),
    ("--property deadlock", "dve", Out, "m.{}"),
    ("--property never", "aag", Out, "two.{}"),
    ("--property low", "hoa", Refused("is for Promela models"), ""),
    ("--algorithms ascc,owcty", "pml dve", Out, ""),
    ("--algorithms ascc", "hoa", Out, ""),
    ("--algorithms ascc", "smv aag", Refused("explicit engine"), ""),
    ("--algorithms owcty", "smv", Out, ""),
    ("--algorithms owcty", "aag", Anyway("\"engine\":\"symbolic\""), ""),
    ("--algorithms owcty", "hoa", Refused("symbolic"), ""),
    ("--stores exact,tree", "pml dve hoa", Json("\"store\":\"tree\""), ""),
    ("--stores tree", "smv aag", Refused("is for Promela models"), ""),
    ("--repeat 2", "pml dve hoa smv aag", Says("from – to"), ""),
    ("--repeat 0", "pml", Refused("from 1 to"), ""),
    ("--product", "pml dve hoa", Says("of states"), ""),
    ("--product", "smv aag", Refused("is for Promela models"), ""),
    ("--exists", "pml dve hoa smv", Out, "m.{} --ltl 'F G !({})'"),
    ("--exists", "pml dve hoa smv aag", Refused("--ltl"), "m.{}"),
    ("--deadlocks ignore", "pml dve", Out, "end.{} --ltl 'G F {x == 1}'"),
    ("--deadlocks ignore", "hoa", Out, "m.hoa --ltl 'G F a'"),
    ("--deadlocks ignore", "smv aag", Refused("is for Promela models"), ""),
    ("--fairness weak", "pml dve", Out, "fair.{} --ltl 'F {done == 1}'"),
    ("--fairness weak", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--automaton ba", "pml dve hoa", Out, "m.{} --ltl '(F G {}) | (F G !{})'"),
    ("--automaton ba", "smv aag", Refused("is for Promela models"), ""),
    ("--format csv", "pml dve hoa smv aag", Says("seconds_least"), ""),
    ("--format markdown", "pml dve hoa smv aag", Says("|---|"), ""),
    ("--format csv", "pml", Refused("--json"), "m.pml --json"),
    ("--plot o", "pml dve hoa smv aag", File("<svg"), ""),
    ("--against ascc", "pml dve hoa", OtherFile, "m.{} --ltl 'F G {}' --plot o"),
    ("--against el", "smv", OtherFile, "m.smv --plot o"),
    ("--against nobody", "aag", Warns("no plot"), "m.aag --plot o"),
    ("--measure states", "pml dve smv aag", OtherFile, "m.{} --plot o"),
    ("--measure states", "hoa", OtherFile, "m.hoa --ltl 'F G a' --plot o"),
    ("--resume o", "pml dve hoa smv aag", File("{"), ""),
    ("--memory 1KiB", "pml dve hoa smv aag", Exit(3), ""),
    ("--time 0", "pml", Exit(3), "long.pml --no-optimise --ltl 'G {x < 256}'"),
    ("--time 0", "dve", Exit(3), "long.dve --ltl 'G {x < 256}'"),
    ("--time 0", "hoa", Exit(3), "long.hoa --ltl 'F G (a & !a)' -a couvreur99"),
    ("--time 0", "smv aag", Exit(3), ""),
    ("--threads 2", "pml dve hoa", Says("ufscc"), ""),
    ("--threads 2", "smv aag", Refused("one thread"), ""),
    ("--define MORE", "pml", Out, ""),
    ("-D MORE", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("--undefine MORE", "pml", Out, "m.pml -D MORE"),
    ("-U MORE", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("--include parts", "pml", Exit(0), "include.pml"),
    ("-I parts", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("--cpp 'sed s/TEN/10/'", "pml", Exit(0), "ten.pml"),
    ("--cpp 'sed s/TEN/10/'", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("--no-optimise", "pml", Out, ""),
    ("--no-optimise", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("--json", "pml dve hoa smv aag", Says("\"schema\":\"riata/1\""), ""),
    ("--quiet", "pml dve hoa smv aag", Out, ""),
    ("--verbose", "pml dve hoa smv aag", Says("bytes"), ""),
    ("--verbose", "pml", Refused("tables for people"), "m.pml --format csv"),
    ("--color always", "pml dve hoa smv aag", Warns("\u{1b}["), "wrong.{} --quiet"),
];

/// Options of `simulate` and `replay`; `M` is the model, after the trace of `replay`.
const ONE_RUN: &[Row] = &[
    ("--msc", "pml dve", Out, ""),
    ("--msc", "pml dve", Refused("cannot be used with"), "M.{} -q"),
    ("--msc", "hoa smv aag", Refused("is for Promela models"), ""),
    ("--svg o", "pml dve smv aag", File("<svg"), ""),
    ("--svg o", "hoa", Refused("is for Promela models"), ""),
    ("--html o", "pml dve hoa smv aag", File("<!DOCTYPE html>"), ""),
    ("--trail o", "pml", File(""), ""),
    ("--trail o", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("--vcd o", "smv aag", File("$version"), ""),
    ("--vcd o", "pml dve hoa", Refused("is for SMV models"), ""),
    ("--only x", "pml dve smv", Out, ""),
    ("--only a", "hoa", Out, ""),
    ("--only go", "aag", Out, ""),
    ("--only x", "pml dve hoa smv aag", Refused("cannot be used with"), "M.{} --json"),
    ("--columns 1", "pml dve", Out, ""),
    ("--columns 1", "hoa smv aag", Refused("is for Promela models"), ""),
    ("-D MORE", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("-U MORE", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("-I parts", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("--cpp 'sed s/TEN/10/'", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("--no-optimise", "pml", Refused("as it is written"), ""),
    ("--no-optimise", "dve hoa smv aag", Refused("is for Promela models"), ""),
    ("--quiet", "pml dve hoa smv aag", Out, ""),
    ("--verbose", "pml dve hoa smv aag", Out, ""),
];

const SIMULATE: &[Row] = &[
    ("--input promela", "pml", Exit(0), "pml.txt"),
    ("--input dve", "dve", Exit(0), "dve.txt"),
    ("--input hoa", "hoa", Exit(0), "hoa.txt"),
    ("--input smv", "smv", Exit(0), "smv.txt"),
    ("--input aiger", "aag", Exit(0), "aag.txt"),
    ("--steps 3", "pml dve hoa smv aag", Out, "long.{}"),
    ("--seed 9", "pml dve hoa smv aag", Out, "long.{} -n 30"),
    ("--seed 9", "pml", Refused("cannot be used with"), "m.pml --guide pml.itf"),
    ("--interactive", "pml dve hoa smv aag", Says("which step"), ""),
    ("--interactive", "pml dve hoa smv aag", Refused("cannot be used with"), "m.{} --json"),
    ("--interactive", "pml dve hoa smv aag", Refused("cannot be used with"), "m.{} -q"),
    ("--guide pml.itf", "pml", Out, ""),
    ("--guide dve.itf", "dve", Out, ""),
    ("--guide hoa.itf", "hoa", Out, ""),
    ("--guide smv.itf", "smv", Out, ""),
    ("--guide aag.itf", "aag", Out, ""),
    ("--trace o", "pml dve hoa smv aag", File("{"), ""),
    ("--define MORE", "pml", Out, ""),
    ("--undefine MORE", "pml", Out, "m.pml -D MORE"),
    ("--include parts", "pml", Exit(0), "include.pml"),
    ("--cpp 'sed s/TEN/10/'", "pml", Exit(0), "ten.pml"),
    ("--json", "pml dve hoa smv aag", Says("\"#meta\""), ""),
    ("--color always", "pml dve smv", Warns("\u{1b}["), "wrong.{}"),
    ("--color always", "hoa aag", Warns("\u{1b}["), "wrong.{}"),
];

const REPLAY: &[Row] = &[
    ("--input promela", "pml", Exit(0), "pml.itf pml.txt"),
    ("--input dve", "dve", Exit(0), "dve.itf dve.txt"),
    ("--input hoa", "hoa", Exit(0), "hoa.itf hoa.txt"),
    ("--input smv", "smv", Exit(0), "smv.itf smv.txt"),
    ("--input aiger", "aag", Exit(0), "aag.itf aag.txt"),
    ("--define MORE", "pml", Exit(1), ""),
    ("--undefine MORE", "pml", Exit(0), "pml.itf m.pml -D MORE"),
    ("--include parts", "pml", Exit(0), "include.itf include.pml"),
    ("--cpp 'sed s/TEN/10/'", "pml", Exit(0), "ten.itf ten.pml"),
    ("--json", "pml dve hoa smv aag", Says("\"confirmed\":true"), ""),
    ("--color always", "pml dve hoa smv aag", Says("\u{1b}[1;32mconfirmed"), ""),
];

const EMPTY: &[Row] = &[
    ("--algorithm all", "hoa", Out, ""),
    ("--algorithm ascc", "hoa", Says("check: ascc"), ""),
    ("--algorithm el", "hoa", Refused("symbolic engine"), ""),
    ("--algorithm ascc", "hoa", Refused("explicit engine"), "m.hoa --engine symbolic"),
    ("--store tree", "hoa", Json("\"store\":\"tree\""), ""),
    ("--store tree", "hoa", Refused("no store"), "m.hoa --engine symbolic"),
    ("--store dense", "hoa", Refused("no store"), "m.hoa --engine symbolic"),
    ("--engine symbolic", "hoa", Json("\"engine\":\"symbolic\""), ""),
    ("--engine explicit", "hoa", Anyway("\"engine\":\"explicit\""), ""),
    ("--shortest", "hoa", Json("\"shortest\":true"), ""),
    ("--shortest", "hoa", Json("\"shortest\":true"), "m.hoa --engine symbolic"),
    ("--memory 1KiB", "hoa", Exit(3), "m.hoa --store exact"),
    ("--memory 1KiB", "hoa", Exit(3), "m.hoa --engine symbolic"),
    ("--time 0", "hoa", Exit(3), "deep.hoa"),
    ("--time 0", "hoa", Exit(3), "m.hoa --engine symbolic"),
    ("--threads 2", "hoa", Json("\"threads\":2"), ""),
    ("--threads 2", "hoa", Refused("one thread"), "m.hoa --engine symbolic"),
    ("--threads 2", "hoa", Refused("cndfs"), "m.hoa -a ascc"),
    ("--hashes 2", "hoa", Json("\"hashes\":2"), "m.hoa --store bitstate --memory 1MiB"),
    ("--hashes 2", "hoa", Refused("store bitstate"), ""),
    ("--hashes 2", "hoa", Refused("store bitstate"), "m.hoa --store compact"),
    ("--hashes 2", "hoa", Refused("store bitstate"), "m.hoa --engine symbolic"),
    ("--runs 2", "hoa", Json("\"runs\":2"), "none.hoa --store bitstate --memory 1MiB"),
    ("--runs 2", "hoa", Refused("stores bitstate and compact"), ""),
    ("--runs 2", "hoa", Refused("stores bitstate and compact"), "m.hoa --engine symbolic"),
    ("--seed 5", "hoa", Json("\"seed\":5"), "m.hoa --store bitstate --memory 1MiB"),
    ("--seed 5", "hoa", Refused("stores bitstate and compact"), "m.hoa --store tree"),
    ("--json", "hoa", Says("\"schema\":\"riata/1\""), ""),
    ("--quiet", "hoa", Out, ""),
    ("--verbose", "hoa", Says("store: "), ""),
    ("--verbose", "hoa", Says("store: "), "m.hoa --engine symbolic"),
    ("--verbose", "hoa", Says("store: "), "m.hoa --algorithm all"),
    ("--color always", "hoa", Says("\u{1b}[1;31mnonempty"), ""),
];

const SCC: &[Row] = &[
    ("--algorithm se05", "hoa", Json("\"algorithm\":\"se05\""), ""),
    ("--format dot", "hoa", Says("digraph"), ""),
    ("--format dot", "hoa", Refused("--json"), "m.hoa --json"),
    ("--memory 1KiB", "hoa", Exit(3), "long.hoa"),
    ("--time 0", "hoa", Exit(3), "long.hoa"),
    ("--threads 2", "hoa", Refused("one thread"), ""),
    ("--json", "hoa", Says("\"schema\":\"riata/1\""), ""),
    ("--quiet", "hoa", Out, ""),
    ("--verbose", "hoa", Says("by tarjan"), ""),
    ("--verbose", "hoa", Refused("--format text"), "m.hoa --format dot"),
    ("--color always", "hoa", Warns("\u{1b}["), "wrong.hoa"),
];

const LTL: &[Row] = &[
    ("--file formulas", "hoa", Refused("cannot be used with"), "'F a'"),
    ("--file formulas", "hoa", Exit(0), "--negate"),
    ("--dialect spin", "hoa", Exit(2), "'F a'"),
    ("--construction gpvw96", "hoa", Json("\"construction\":\"gpvw96\""), ""),
    ("--tgba", "hoa", Anyway("\"acceptance_sets\":2"), "'G F a & G F b'"),
    ("--tgba", "hoa", Refused("cannot be used with"), "'F a' --ba"),
    ("--tgba", "hoa", Refused("never claim"), "'F a' --format never"),
    ("--tgba", "hoa", Refused("cannot be used with"), "'F a' --explain"),
    ("--ba", "hoa", Json("\"acceptance_sets\":1"), "'G F a & G F b'"),
    ("--format dot", "hoa", Says("digraph"), ""),
    ("--format never", "hoa", Says("never"), ""),
    ("--format svg", "hoa", Says("<svg"), ""),
    ("--format hoa", "hoa", Json("\"hoa\":"), ""),
    ("--format dot", "hoa", Refused("JSON"), "'F a' --json"),
    ("--format never", "hoa", Refused("JSON"), "'F a' --json"),
    ("--format svg", "hoa", Refused("JSON"), "'F a' --json"),
    ("--stats", "hoa", Says("2 states"), "'F a'"),
    ("--stats", "hoa", Refused("cannot be used with"), "'F a' --format dot"),
    ("--stats", "hoa", Refused("cannot be used with"), "'F a' --explain"),
    ("--explain", "hoa", Says("Closure"), ""),
    ("--explain", "hoa", Refused("cannot be used with"), "'F a' --json"),
    ("--explain", "hoa", Refused("cannot be used with"), "'F a' --format dot"),
    ("--explain", "hoa", Refused("cannot be used with"), "--file formulas"),
    ("--negate", "hoa", Out, ""),
    ("--without trim", "hoa", Out, "'G(a -> F b) & F G c'"),
    ("--without levels", "hoa", Refused("--ba"), ""),
    ("--without ba-simulation", "hoa", Refused("--ba"), ""),
    ("--budget 0", "hoa", Exit(3), "'G(a -> F b) & F G c'"),
    ("--containment", "hoa", Anyway("\"states\":"), ""),
    ("--max-states 1", "hoa", Exit(3), "'G(a -> F b) & F G c'"),
    ("--json", "hoa", Says("\"schema\":\"riata/1\""), ""),
    ("--quiet", "hoa", Out, ""),
    ("--verbose", "hoa", Warns("2 states"), "'F a'"),
    ("--verbose", "hoa", Refused("cannot be used with"), "'F a' --explain"),
    ("--color always", "hoa", Warns("\u{1b}["), "'F ('"),
];

const RANDOM: &[Row] = &[
    ("--states 3", "hoa", Says("States: 3"), ""),
    ("--density 1.5", "hoa", Out, ""),
    ("--sets 2", "hoa", Says("Acceptance: 2"), ""),
    ("--marks 0.9", "hoa", Out, ""),
    ("--marks 0.9", "hoa", Refused("cannot be used with"), "--terminal"),
    ("--fair 3", "hoa", Out, ""),
    ("--fair 3", "hoa", Refused("cannot be used with"), "--marks 0.2"),
    ("--state-acc", "hoa", Says("state-acc"), ""),
    ("--blocks 3", "hoa", Out, ""),
    ("--weak", "hoa", Out, ""),
    ("--weak", "hoa", Refused("cannot be used with"), "--terminal"),
    ("--terminal", "hoa", Out, ""),
    ("--empty", "hoa", Out, "--marks 0.9"),
    ("--aps 2", "hoa", Says("AP: 2"), ""),
    ("--seed 4", "hoa", Out, ""),
    ("--count 2", "hoa", Says("seed 1"), ""),
    ("--output o", "hoa", File("HOA: v1"), ""),
    ("--json", "hoa", Refused("no JSON form"), ""),
    ("--quiet", "hoa", Refused("--output"), ""),
    ("--verbose", "hoa", Warns("seed 0: 10 states"), ""),
    ("--color always", "hoa", Warns("\u{1b}["), "--density 20"),
];

const MAN: &[Row] = &[
    ("--output o", "hoa", Out, ""),
    ("--output o", "hoa", Refused("cannot be used with"), "check"),
    ("--json", "hoa", Refused("no JSON form"), ""),
    ("--quiet", "hoa", Refused("would leave nothing"), ""),
    ("--verbose", "hoa", Refused("nothing more to tell"), ""),
    ("--color always", "hoa", Warns("\u{1b}["), "nonsense"),
];

const COMPLETIONS: &[Row] = &[
    ("--json", "hoa", Refused("no JSON form"), ""),
    ("--quiet", "hoa", Refused("would leave nothing"), ""),
    ("--verbose", "hoa", Refused("nothing more to tell"), ""),
    ("--color always", "hoa", Warns("\u{1b}["), "fish --json"),
];

const REPORT: &[Row] = &[
    ("--output o", "hoa", File("<!DOCTYPE html>"), ""),
    ("--json", "hoa", Refused("no JSON form"), ""),
    ("--quiet", "hoa", Refused("--output"), ""),
    ("--verbose", "hoa", Warns("kept.json: about m.hoa"), ""),
    ("--color always", "hoa", Warns("\u{1b}["), "wrong.hoa"),
];

const M_PML: &str = "#ifdef MORE
#define TOP 2
#else
#define TOP 1
#endif
chan c = [1] of { byte };
byte x, waste;
active proctype P() {
    do
    :: x < TOP -> c!x; x++; waste = x
    :: x == TOP -> x = 0
    :: x == 9 -> waste = 3
    od
}
active proctype Q() { byte y; do :: c?y od }
ltl low { [] (x == 0) }
ltl often { []<> (x == 0) }
";
const M_DVE: &str = "byte x = 0; channel {byte} c[1];
process P { state a, b, dead; init a;
  trans a -> b { sync c!x; effect x = 1; }, b -> a { effect x = 0; }, a -> dead { guard x == 9; }; }
process Q { byte y; state s; init s; trans s -> s { sync c?y; }; }
system async;
";
const M_HOA: &str = "HOA: v1\nStates: 3\nStart: 0\nAP: 2 \"a\" \"b\"\nAcceptance: 0 t\n--BODY--
State: [0&!1] 0\n1 2\nState: [!0&1] 1\n0\nState: [!0&!1] 2\n--END--\n";
const M_SMV: &str = "MODULE main
VAR x : 0..3; y : boolean;
ASSIGN init(x) := 0; next(x) := case y : (x + 1) mod 4; TRUE : x; esac;
LTLSPEC NAME low := G x = 0
INVARSPEC NAME small := x < 4
";
const M_AAG: &str = "aag 2 1 1 0 0 1\n2\n4 2\n4\ni0 go\nl0 seen\nb0 never\n";

/// The inputs.
fn inputs() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (kind, text) in [("pml", M_PML), ("dve", M_DVE), ("hoa", M_HOA), ("smv", M_SMV), ("aag", M_AAG)] {
        all.push((format!("m.{kind}"), text.to_string()));
        all.push((format!("{kind}.txt"), text.to_string()));
        all.push((format!("wrong.{kind}"), "} nothing of the kind {".into()));
    }
    let mut add = |name: &str, text: String| all.push((name.into(), text));
    add("two.aag", "aag 2 1 1 0 0 2\n2\n4 2\n4\n2\ni0 go\nl0 seen\nb0 never\nb1 asked\n".into());
    // Runs that end.
    add("end.pml", "byte x; active proctype P() { do :: x = 1 - x :: break od; (x == 7) }".into());
    add(
        "end.dve",
        "byte x; process P { state a, b, c; init a; trans a -> b { effect x = 1; },
        b -> a { effect x = 0; }, a -> c {}; } process Q { state s; init s; } system async;"
            .into(),
    );
    add(
        "fair.pml",
        "byte x, done; active proctype P() { do :: x = 1 - x od } active proctype Q() { done = 1 }".into(),
    );
    add(
        "fair.dve",
        "byte x, done; process P { state a; init a; trans a -> a { effect x = 1 - x; }; }
        process Q { state s, t; init s; trans s -> t { effect done = 1; }; } system async;"
            .into(),
    );
    add("include.pml", "#include \"part.h\"\nactive proctype P() { byte x = PART; assert(x == 1) }".into());
    add("parts/part.h", "#define PART 1\n".into());
    add("ten.pml", "active proctype P() { byte x = TEN; assert(x == 10) }".into());
    // Long searches, with a choice in each state.
    let counters = "do :: x++ :: y++ od";
    add("long.pml", format!("byte x, y; active proctype P() {{ {counters} }}"));
    add(
        "long.dve",
        "byte x, y; process P { state a; init a; trans a -> a { effect x = x + 1; }, a -> a { effect y = y + 1; }; }
        system async;"
            .into(),
    );
    add("long.smv", M_SMV.into());
    add("long.aag", M_AAG.into());
    let n = 100_000;
    let mut chain = format!("HOA: v1\nStates: {n}\nStart: 0\nAP: 1 \"a\"\nAcceptance: 0 t\n--BODY--\n");
    for s in 0..n {
        let _ = writeln!(chain, "State: [{}0] {s}\n{} {}", ["", "!"][s % 2], (s + 1) % n, (s + 2) % n);
    }
    add("long.hoa", format!("{chain}--END--\n"));
    add(
        "none.hoa",
        "HOA: v1\nStates: 1\nStart: 0\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[t] 0\n--END--\n".into(),
    );
    // No run is accepted, and all states must be seen to know it.
    let deep = chain.replace("Acceptance: 0 t", "Acceptance: 1 Inf(0)");
    add("deep.hoa", deep + "--END--\n");
    // For interactive simulation.
    add("stdin", "0\nq\n".into());
    add("formulas", "F a\nG b\n".into());
    wide(&mut add);
    all
}

/// Pairs that want to be neighbours in the order of the variables, and are not.
fn wide(add: &mut impl FnMut(&str, String)) {
    let n = 11;
    let each = |f: &dyn Fn(usize) -> String| (0..n).map(f).collect::<String>();
    let names = each(&|i| format!("a{i}\n")) + &each(&|i| format!("b{i}\n"));
    let equal: Vec<String> = (0..n).map(|i| format!("(a{i} <-> b{i})")).collect();
    let smv = format!(
        "MODULE main\nVAR\n{}INIT {}\nASSIGN\n{}INVARSPEC a0 | !a0\n",
        names.replace('\n', " : boolean;\n"),
        equal.join(" & "),
        each(&|i| format!("next(a{i}) := a{i};\nnext(b{i}) := a{};\n", (i + 1) % n)),
    );
    add("wide.smv", smv);
    add("wide.order", names);
    // Latches a and b follow the same inputs; bad: some pair differs.
    let (input, a, b) = (|i| 2 * (i + 1), |i| 2 * (n + i + 1), |i| 2 * (2 * n + i + 1));
    let mut gates = Vec::new();
    let mut and = |x: usize, y: usize| {
        gates.push((x.max(y), x.min(y)));
        2 * (3 * n + gates.len())
    };
    let mut equal = 1;
    for i in 0..n {
        let both = and(a(i), b(i));
        let none = and(a(i) ^ 1, b(i) ^ 1);
        let same = and(both ^ 1, none ^ 1) ^ 1;
        equal = if i == 0 { same } else { and(equal, same) };
    }
    let count = gates.len();
    let mut aag = format!("aag {} {n} {} 0 {count} 1\n", 3 * n + count, 2 * n);
    aag += &each(&|i| format!("{}\n", input(i)));
    aag += &each(&|i| format!("{} {}\n", a(i), input(i)));
    aag += &each(&|i| format!("{} {}\n", b(i), input(i)));
    let _ = writeln!(aag, "{}", equal ^ 1);
    for (i, (x, y)) in gates.iter().enumerate() {
        let _ = writeln!(aag, "{} {x} {y}", 2 * (3 * n + i + 1));
    }
    aag += &each(&|i| format!("l{i} a{i}\n"));
    aag += &each(&|i| format!("l{} b{i}\n", n + i));
    add("wide.aag", aag);
}

/// A folder with the inputs, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("riata-options-{name}-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("parts")).unwrap();
        for (name, text) in inputs() {
            std::fs::write(folder.join(name), text).unwrap();
        }
        Folder(folder)
    }

    fn run(&self, arguments: &[String]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_riata"));
        command
            .current_dir(&self.0)
            .args(arguments)
            .stdin(std::fs::File::open(self.0.join("stdin")).unwrap());
        command.env_remove("CLICOLOR_FORCE").output().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Words, as a shell would divide them.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, piece) in text.split('\'').enumerate() {
        match i % 2 {
            0 => words.extend(piece.split_whitespace().map(String::from)),
            _ => words.push(piece.into()),
        }
    }
    words
}

/// What a call gave.
struct Seen {
    exit: Option<i32>,
    out: String,
    err: String,
    file: Option<String>,
}

fn call(folder: &Folder, arguments: &[String]) -> Seen {
    let file = folder.0.join("o");
    let _ = std::fs::remove_file(&file);
    let output = folder.run(arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Seen {
        exit: output.status.code(),
        out: text(&output.stdout),
        err: text(&output.stderr),
        file: std::fs::read_to_string(file).ok(),
    }
}

/// Numbers that are never the same twice are left out.
fn steady(text: &str) -> String {
    let mut kept = String::new();
    for part in text.split_inclusive([',', '\n', ' ']) {
        let times = ["\"cpu_seconds\"", "\"seconds\"", "\"resident_bytes\"", "\"memory_bytes\""];
        if !times.iter().any(|t| part.starts_with(t)) && !part.contains('.') {
            kept += part;
        }
    }
    kept
}

/// Why an option does not do what its row says; nothing if it does.
fn wrong(folder: &Folder, without: &[String], option: &[String], effect: &Effect) -> Option<String> {
    let with: Vec<String> = without.iter().chain(option).cloned().collect();
    let json = |arguments: &[String]| {
        let mut all = arguments.to_vec();
        if !all.iter().any(|a| a == "--json") {
            all.push("--json".into());
        }
        call(folder, &all)
    };
    let seen = call(folder, &with);
    let say = |what: &str| Some(format!("{what}\n    exit {:?}, {}{}", seen.exit, seen.out, seen.err));
    if let Refused(needle) = effect {
        // A value that is not for everybody is named itself.
        let names =
            [option[0].split('=').next().unwrap_or_default(), option.get(1).map_or("nothing else", |v| v)];
        if seen.exit != Some(2) {
            return say("is not refused");
        }
        if !names.iter().any(|n| seen.err.contains(n)) || !seen.err.contains(needle) {
            return say("the refusal does not name the option, or does not say for what it is");
        }
        let object: Option<serde_json::Value> = serde_json::from_str(&json(&with).out).ok();
        let errors = object.and_then(|o| Some(o.get("errors")?.as_array()?.len()));
        return if errors.unwrap_or(0) == 0 {
            say("there are no errors in the JSON of the refusal")
        } else {
            None
        };
    }
    let bad_exit = !matches!(seen.exit, Some(0 | 1 | 3));
    if bad_exit && !matches!(effect, Warns(_) | Exit(2)) {
        return say("fails");
    }
    let before = call(folder, without);
    let done = match effect {
        Refused(_) => unreachable!(),
        Out => steady(&before.out) != steady(&seen.out),
        Says(text) => seen.out.contains(text) && !before.out.contains(text),
        Warns(text) => seen.err.contains(text) && !before.err.contains(text),
        Json(text) => json(&with).out.contains(text) && !json(without).out.contains(text),
        Anyway(text) => json(&with).out.contains(text),
        File(start) => seen.file.is_some_and(|f| f.starts_with(start)) && before.file.is_none(),
        OtherFile => {
            return if call(folder, &with).file == before.file { say("writes the same file") } else { None };
        }
        Exit(code) => seen.exit == Some(*code) && before.exit != Some(*code),
    };
    if done { None } else { Some(format!("nothing is seen of it; before: exit {:?}", before.exit)) }
}

/// The long names of the options of a command, as its help tells.
fn options(folder: &Folder, command: &str) -> BTreeSet<String> {
    let help = call(folder, &[command.into(), "--help".into()]).out;
    let mut all = BTreeSet::new();
    for line in help.lines().map(str::trim_start).filter(|l| l.starts_with('-')) {
        let long = line.split([' ', ',', '=', '[', '<']).find(|w| w.starts_with("--"));
        all.extend(long.map(String::from));
    }
    assert!(all.len() > 3, "{help}");
    all.remove("--help");
    all
}

/// A formula for the kind of model, with the same operators.
fn formula(kind: &str) -> &'static str {
    match kind {
        "pml" | "dve" => "{x == 7}",
        "hoa" => "(a & b)",
        "smv" => "x = 3",
        _ => "go",
    }
}

fn usual(command: &str, kind: &str) -> String {
    match (command, kind) {
        ("check" | "compare", "smv" | "aag") | ("explore" | "simulate", _) => format!("m.{kind}"),
        ("check" | "compare", _) => format!("m.{kind} --ltl 'F G {}'", formula(kind)),
        ("replay", _) => format!("{kind}.itf m.{kind}"),
        ("empty" | "scc", _) => "m.hoa".into(),
        ("graph", _) => format!("m.{kind} --format dot"),
        ("animate", "smv" | "aag") => format!("m.{kind}"),
        ("animate", _) => format!("m.{kind} --ltl 'F G {}'", formula(kind)),
        ("ltl", _) => "'G F a'".into(),
        ("completions", _) => "fish".into(),
        ("report", _) => "kept.json".into(),
        _ => String::new(),
    }
}

/// Walks through the cells of a command.
fn cells(folder: &Folder, command: &str, kinds: &[&str], tables: &[&[Row]]) {
    let mut known: BTreeSet<(String, &str)> = BTreeSet::new();
    let mut failures = String::new();
    let short = |name: &str| match name {
        "-D" => "--define".into(),
        "-U" => "--undefine".into(),
        "-I" => "--include".into(),
        name => name.split('=').next().unwrap_or_default().to_string(),
    };
    let all = options(folder, command);
    for (option, of, effect, rest) in tables.iter().flat_map(|t| t.iter()) {
        let option = words(option);
        let name = short(&option[0]);
        if !all.contains(&name) {
            let _ = writeln!(failures, "{command} has no {name}");
        }
        for kind in of.split_whitespace() {
            known.insert((name.clone(), kinds.iter().find(|k| **k == kind).unwrap()));
            let rest = match *rest {
                "" => usual(command, kind),
                rest => {
                    let model = rest.split(' ').next().unwrap_or_default().replace("{}", kind);
                    let model = match (command, model.strip_prefix("M.")) {
                        ("replay", Some(_)) => format!("{kind}.itf m.{kind}"),
                        (_, Some(_)) => format!("m.{kind}"),
                        _ => model,
                    };
                    let more = rest.split_once(' ').map_or("", |(_, more)| more);
                    let formula =
                        if more.contains("{x == ") || more.contains("{done") { "{}" } else { formula(kind) };
                    format!("{model} {}", more.replace("{}", formula))
                }
            };
            let without: Vec<String> = std::iter::once(command.to_string()).chain(words(&rest)).collect();
            if let Some(why) = wrong(folder, &without, &option, effect) {
                let _ = writeln!(failures, "{} {}: {why}", without.join(" "), option.join(" "));
            }
        }
    }
    for name in &all {
        for kind in kinds.iter().filter(|k| !known.contains(&(name.clone(), *k))) {
            let _ = writeln!(failures, "{command} {name} with {kind}: there is no row");
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn check() {
    cells(&Folder::new("check"), "check", KINDS, &[CHECK]);
}

#[test]
fn explore() {
    cells(&Folder::new("explore"), "explore", KINDS, &[EXPLORE]);
}

#[test]
fn compare() {
    cells(&Folder::new("compare"), "compare", KINDS, &[COMPARE]);
}

/// Saves a run of each model.
fn with_runs(name: &str) -> Folder {
    let folder = Folder::new(name);
    for kind in KINDS {
        let rest = format!("check {} --trace {kind}.itf", usual("check", kind));
        assert_eq!(folder.run(&words(&rest)).status.code(), Some(1), "{rest}");
    }
    for rest in ["include.pml -I parts --trace include.itf", "ten.pml --cpp 'sed s/TEN/10/' --trace ten.itf"]
    {
        let rest = format!("simulate {rest}");
        assert_eq!(folder.run(&words(&rest)).status.code(), Some(0), "{rest}");
    }
    folder
}

#[test]
fn simulate() {
    cells(&with_runs("simulate"), "simulate", KINDS, &[SIMULATE, ONE_RUN]);
}

#[test]
fn replay() {
    cells(&with_runs("replay"), "replay", KINDS, &[REPLAY, ONE_RUN]);
}

#[test]
fn about_riata() {
    let folder = Folder::new("about");
    for (command, table) in [("man", MAN), ("completions", COMPLETIONS)] {
        cells(&folder, command, &["hoa"], &[table]);
    }
}

#[test]
fn automata() {
    let folder = Folder::new("automata");
    let kept = folder.run(&words("check m.hoa --ltl 'F a' --json"));
    std::fs::write(folder.0.join("kept.json"), kept.stdout).unwrap();
    for (command, table) in
        [("empty", EMPTY), ("scc", SCC), ("ltl", LTL), ("random", RANDOM), ("report", REPORT)]
    {
        cells(&folder, command, &["hoa"], &[table]);
    }
}

/// Options of `graph` and `animate`.
const DRAWN: &[Row] = &[
    ("--ltl 'F G {x == 7}'", "pml dve", Out, "m.{} --scc tarjan"),
    ("--ltl 'F G go'", "aag", Refused("is for Promela models"), "m.{}"),
    ("--ltl 'G F a'", "hoa", Refused("one formula at a time"), "m.hoa --ltl 'F G a'"),
    ("--property low", "hoa", Refused("is for Promela models"), "m.{}"),
    ("--property never", "aag", Refused("not of LTL"), "m.{}"),
    ("--property assertions", "pml dve", Refused("finite runs"), "m.{}"),
    ("--exists", "pml dve hoa smv", Out, "m.{} --ltl 'F G {}'"),
    ("--exists", "aag", Refused("--ltl"), "m.{}"),
    ("--deadlocks ignore", "pml dve", Out, "end.{} --ltl 'G F {x == 1}'"),
    ("--deadlocks ignore", "hoa", Out, "m.hoa --ltl 'G F a'"),
    ("--deadlocks ignore", "pml dve hoa smv aag", Refused("--ltl or --property"), "m.{}"),
    ("--fairness weak", "pml dve", Out, "fair.{} --ltl 'F {done == 1}'"),
    ("--fairness strong", "pml dve", Refused("Streett"), "fair.{} --ltl 'F {done == 1}'"),
    ("--fairness weak", "pml dve hoa smv aag", Refused("--ltl or --property"), "m.{}"),
    ("--dialect spin", "pml dve hoa", Warns("expected an operator"), "m.{} --ltl 'F G {}'"),
    ("--dialect spin", "pml dve hoa", Refused("--ltl"), "m.{}"),
    ("--dialect spin", "smv aag", Refused("is for Promela models"), "m.{}"),
    ("--max-states 1", "pml dve hoa smv aag", Exit(3), ""),
    ("--memory 1", "pml dve hoa smv aag", Exit(3), ""),
    ("--time 0", "pml dve hoa smv aag", Exit(3), ""),
    ("--threads 2", "pml dve hoa smv aag", Refused("one thread"), ""),
    ("-U MORE", "dve hoa smv aag", Refused("is for Promela models"), "m.{}"),
    ("-I parts", "dve hoa smv aag", Refused("is for Promela models"), "m.{}"),
    ("-D MORE", "dve hoa smv aag", Refused("is for Promela models"), "m.{}"),
    ("--cpp 'sed s/TEN/10/'", "dve hoa smv aag", Refused("is for Promela models"), "m.{}"),
    ("--no-optimise", "dve hoa smv aag", Refused("is for Promela models"), "m.{}"),
    ("--json", "pml dve hoa smv aag", Refused("--output"), "m.{}"),
    ("--quiet", "pml dve hoa smv aag", Refused("--output"), "m.{}"),
    ("--color always", "pml dve hoa smv aag", Warns("\u{1b}["), "wrong.{}"),
];

const GRAPH: &[Row] = &[
    ("--input promela", "pml", Exit(0), "pml.txt"),
    ("--input dve", "dve", Exit(0), "dve.txt"),
    ("--input hoa", "hoa", Exit(0), "hoa.txt"),
    ("--input smv", "smv", Exit(0), "smv.txt"),
    ("--input aiger", "aag", Exit(0), "aag.txt"),
    ("--format dot", "pml dve hoa smv aag", Says("digraph"), "m.{}"),
    ("--format hoa", "pml dve hoa smv aag", Says("HOA: v1"), "m.{}"),
    ("--ltl 'F G {x == 7}'", "pml dve", Out, "m.{}"),
    ("--ltl 'F G (a & b)'", "hoa", Out, "m.{}"),
    ("--ltl 'F G x = 3'", "smv", Out, "m.{}"),
    ("--property low", "pml smv", Out, "m.{}"),
    ("--output o", "pml dve hoa smv aag", File("digraph"), ""),
    ("--define MORE", "pml", Out, ""),
    ("--undefine MORE", "pml", Out, "m.pml -D MORE"),
    ("--include parts", "pml", Exit(0), "include.pml"),
    ("--cpp 'sed s/TEN/10/'", "pml", Exit(0), "ten.pml"),
    ("--no-optimise", "pml", Out, ""),
    ("--json", "pml dve hoa smv aag", Says("\"schema\":\"riata/1\""), "m.{} -o o"),
    ("--quiet", "pml dve hoa smv aag", Out, "m.{} -o o"),
    ("--verbose", "pml dve hoa smv aag", Says("acceptance sets"), "m.{} -o o"),
    ("--verbose", "pml dve hoa smv aag", Warns("acceptance sets"), ""),
];

const ANIMATE: &[Row] = &[
    ("--input promela", "pml", Exit(0), "pml.txt -p low"),
    ("--input dve", "dve", Exit(0), "dve.txt --ltl 'F G {x == 7}'"),
    ("--input hoa", "hoa", Exit(0), "hoa.txt"),
    ("--input smv", "smv", Exit(0), "smv.txt"),
    ("--input aiger", "aag", Exit(0), "aag.txt"),
    ("--ltl 'F G (a & b)'", "hoa", Out, "m.{}"),
    ("--ltl 'F G x = 3'", "smv", Out, "m.{}"),
    ("--property low", "pml smv", Out, "m.{} --scc tarjan"),
    ("--algorithm couvreur99", "pml dve hoa smv aag", Says("procedure cow_dfs"), ""),
    ("--algorithm el", "pml dve hoa", Says("b := invariant"), ""),
    ("--algorithm cty", "smv aag", Says("E[true U"), ""),
    ("--algorithm all", "pml dve hoa smv aag", Refused("one algorithm"), ""),
    ("--algorithm sd", "hoa", Refused("weak automata"), "general.hoa"),
    ("--scc se05", "pml dve hoa smv aag", Says("procedure cow_dfs"), ""),
    ("--scc tarjan", "pml", Refused("cannot be used with"), "m.pml -a se05"),
    ("--formula 'p U q'", "pml dve hoa smv aag", Refused("cannot be used with"), "m.{}"),
    ("--formula 'p U q'", "hoa", Exit(0), "--max-states 30"),
    ("--construction closure", "pml dve hoa smv aag", Refused("--formula"), "m.{}"),
    ("--construction closure", "hoa", Says("legal subsets"), "--formula 'p U q'"),
    ("--output o", "pml dve hoa smv aag", File("<!DOCTYPE html>"), ""),
    ("--define MORE", "pml", Out, ""),
    ("--undefine MORE", "pml", Out, "m.pml -D MORE -p low"),
    ("--include parts", "pml", Exit(0), "include.pml --scc tarjan"),
    ("--cpp 'sed s/TEN/10/'", "pml", Exit(0), "ten.pml --scc tarjan"),
    ("--no-optimise", "pml", Out, ""),
    ("--json", "pml dve hoa smv aag", Says("\"schema\":\"riata/1\""), "m.{} --scc tarjan -o o"),
    ("--quiet", "pml dve hoa smv aag", Out, "m.{} --scc tarjan -o o"),
    ("--verbose", "pml dve hoa smv aag", Says("transitions: "), "m.{} --scc tarjan -o o"),
    ("--verbose", "pml dve hoa smv aag", Warns("transitions: "), "m.{} --scc tarjan"),
];

#[test]
fn drawn() {
    let folder = Folder::new("drawn");
    let general = "HOA: v1\nStates: 2\nStart: 0\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0 {0}\n[t] 1\nState: 1\n[t] 0\n--END--\n";
    std::fs::write(folder.0.join("general.hoa"), general).unwrap();
    cells(&folder, "graph", KINDS, &[GRAPH, &DRAWN[1..]]);
    cells(&folder, "animate", KINDS, &[ANIMATE, DRAWN]);
}
