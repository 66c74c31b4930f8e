//! Witnesses: the answers of model checkers for circuits, with the stimulus that shows a violation.
//!
//! ```text
//! 1          the property is violated (0: it holds, 2: nothing is known)
//! b0         the first bad-state property; j0 is the first justice property
//! 010        the first values of the latches
//! 11         the inputs of each step, that of the last state included
//! 00
//! .
//! ```
//!
//! The stimulus of a justice property goes once round the cycle: after the last inputs the latches are as they were in
//! some earlier state.
//!
//! # References
//! A. Biere, K. Heljanko, S. Wieringa, *AIGER 1.9 and beyond*, 2011, section 4.

use crate::Circuit;
use riata_smv::evaluate::{Concrete, State};
use riata_smv::model::Value;

/// A property of a circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// A bad state; in files without any property section an output.
    Bad(usize),
    /// A justice property.
    Justice(usize),
}

impl std::fmt::Display for Property {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Property::Bad(i) => write!(f, "b{i}"),
            Property::Justice(i) => write!(f, "j{i}"),
        }
    }
}

impl Property {
    /// By the number of its specification in the model of the circuit.
    pub fn of(circuit: &Circuit, spec: usize) -> Property {
        match spec.checked_sub(bad(circuit).len()) {
            None => Property::Bad(spec),
            Some(j) => Property::Justice(j),
        }
    }

    /// By its name, `b0` or `j0`, if there is such a property.
    pub fn from_name(circuit: &Circuit, name: &str) -> Option<Property> {
        let number = |digits: &str, most: usize| digits.parse().ok().filter(|i| *i < most);
        match name.as_bytes().first()? {
            b'b' => number(&name[1..], bad(circuit).len()).map(Property::Bad),
            b'j' => number(&name[1..], circuit.justice.len()).map(Property::Justice),
            _ => None,
        }
    }

    /// The number of its specification in the model of the circuit.
    pub fn spec(self, circuit: &Circuit) -> usize {
        match self {
            Property::Bad(i) => i,
            Property::Justice(j) => bad(circuit).len() + j,
        }
    }
}

/// The literals of bad states.
fn bad(circuit: &Circuit) -> &[u32] {
    if circuit.bad.is_empty() && circuit.justice.is_empty() { &circuit.outputs } else { &circuit.bad }
}

/// What is known of a property.
#[derive(Clone, Copy, Debug)]
pub enum Answer<'a> {
    /// It holds.
    Holds,
    /// It is violated by this run; the cycle of a lasso once.
    Violated(&'a [&'a State]),
    /// Nothing.
    Unknown,
}

/// A witness as a text.
pub fn write(circuit: &Circuit, property: Property, answer: Answer) -> String {
    let digit = match answer {
        Answer::Holds => 0,
        Answer::Violated(_) => 1,
        Answer::Unknown => 2,
    };
    let mut text = format!("{digit}\n{property}\n");
    if let Answer::Violated(states) = answer {
        let bit = |x: &Concrete| if *x == Concrete::Value(Value::Bool(true)) { '1' } else { '0' };
        let inputs = circuit.inputs.len();
        let first = states.first().map_or(&[][..], |s| &s[inputs.min(s.len())..]);
        text.extend(first.iter().map(bit));
        text.push('\n');
        for s in states {
            text.extend(s.iter().take(inputs).map(bit));
            text.push('\n');
        }
    }
    text += ".\n";
    text
}

/// Does a file look like a witness?
pub fn is_witness(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|b| *b == b'\n');
    let digit = lines.next().is_some_and(|l| matches!(l.trim_ascii(), b"0" | b"1" | b"2"));
    let property =
        lines.next().is_some_and(|l| matches!(l.trim_ascii(), [b'b' | b'j', rest @ ..] if !rest.is_empty()));
    digit && property
}

/// A witness that was followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    /// The property.
    pub property: Property,
    /// The states: inputs, then latches.
    pub states: Vec<State>,
    /// Where the cycle begins, for a justice property.
    pub back: Option<usize>,
}

/// Reads a witness and follows its stimulus: does it violate the property that it names? If not, the error tells why.
/// Constraints are not looked at.
pub fn follow(circuit: &Circuit, bytes: &[u8]) -> Result<Followed, String> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.split('\n').map(|l| l.trim_end_matches('\r'));
    match lines.next() {
        Some("1") => {}
        Some("0") => return Err("this witness says that the property holds; there is no run in it".into()),
        _ => return Err("this witness says that nothing is known; there is no run in it".into()),
    }
    let name = lines.next().unwrap_or("");
    let property =
        Property::from_name(circuit, name).ok_or_else(|| format!("the circuit has no property `{name}`"))?;
    let row = |line: Option<&str>, length: usize, what: &str| -> Result<Option<Vec<bool>>, String> {
        let Some(line) = line else { return Err("the witness has no end: a line with a dot".into()) };
        if line == "." {
            return Ok(None);
        }
        if line.len() != length || !line.bytes().all(|b| matches!(b, b'0' | b'1' | b'x')) {
            return Err(format!("`{line}` does not tell the values of {length} {what}"));
        }
        // Any value will do for an x.
        Ok(Some(line.bytes().map(|b| b == b'1').collect()))
    };
    let mut latches =
        row(lines.next(), circuit.latches.len(), "latches")?.ok_or("the witness has no stimulus")?;
    for (i, (latch, value)) in circuit.latches.iter().zip(&latches).enumerate() {
        if latch.init.is_some_and(|first| first != *value) {
            return Err(format!("state 0: latch {i} does not begin with this value"));
        }
    }
    let order = order(circuit);
    let (mut states, mut values, mut seen) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(inputs) = row(lines.next(), circuit.inputs.len(), "inputs")? {
        let now = evaluate(circuit, &order, &inputs, &latches);
        let concrete = |b: &bool| Concrete::Value(Value::Bool(*b));
        states.push(inputs.iter().chain(&latches).map(concrete).collect::<State>());
        let next = circuit.latches.iter().map(|l| literal(&now, l.next)).collect();
        seen.push(std::mem::replace(&mut latches, next));
        values.push(now);
    }
    let Some(last) = values.last() else { return Err("the witness has no stimulus".into()) };
    let back = match property {
        Property::Bad(i) if literal(last, bad(circuit)[i]) => None,
        Property::Bad(_) => return Err(format!("state {} is not bad", values.len() - 1)),
        Property::Justice(j) => {
            let wanted = || circuit.justice[j].iter().chain(&circuit.fairness);
            let cycle = |from: usize| {
                seen[from] == latches && wanted().all(|&l| values[from..].iter().any(|v| literal(v, l)))
            };
            let Some(from) = (0..seen.len()).find(|&from| cycle(from)) else {
                return Err(
                    "the stimulus does not return to a state such that all that is asked for is in the cycle"
                        .into(),
                );
            };
            Some(from)
        }
    };
    Ok(Followed { property, states, back })
}

/// The gates such that each comes after those that it reads; there is no circle.
fn order(circuit: &Circuit) -> Vec<usize> {
    let mut gate = vec![None; circuit.max as usize + 1];
    for (i, g) in circuit.gates.iter().enumerate() {
        gate[g.output as usize / 2] = Some(i);
    }
    let mut done = vec![false; circuit.gates.len()];
    let mut order = Vec::with_capacity(done.len());
    for root in 0..circuit.gates.len() {
        let mut stack = vec![root];
        while let Some(&i) = stack.last() {
            if done[i] {
                stack.pop();
                continue;
            }
            let inputs = circuit.gates[i].inputs;
            let open: Vec<usize> =
                inputs.iter().filter_map(|l| gate[*l as usize / 2]).filter(|&g| !done[g]).collect();
            if open.is_empty() {
                done[i] = true;
                order.push(i);
            }
            stack.extend(open);
        }
    }
    order
}

/// The values of all variables.
fn evaluate(circuit: &Circuit, order: &[usize], inputs: &[bool], latches: &[bool]) -> Vec<bool> {
    let mut now = vec![false; circuit.max as usize + 1];
    circuit.inputs.iter().zip(inputs).for_each(|(lit, b)| now[*lit as usize / 2] = *b);
    circuit.latches.iter().zip(latches).for_each(|(l, b)| now[l.state as usize / 2] = *b);
    for &i in order {
        let g = &circuit.gates[i];
        now[g.output as usize / 2] = literal(&now, g.inputs[0]) && literal(&now, g.inputs[1]);
    }
    now
}

fn literal(now: &[bool], lit: u32) -> bool {
    now[lit as usize / 2] != (lit % 2 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A latch that an input turns over, and one that remembers whether the first was ever on.
    const FILE: &[u8] = b"aag 7 1 2 0 4 1 0 1 0\n2\n4 11\n6 15\n12\n1\n4\n8 2 5\n10 9 13\n12 3 4\n14 7 5\n";

    fn circuit() -> Circuit {
        crate::read(FILE).expect("a circuit")
    }

    #[test]
    fn names_and_numbers() {
        let c = circuit();
        assert_eq!(Property::from_name(&c, "b0"), Some(Property::Bad(0)));
        assert_eq!(Property::from_name(&c, "j0").map(|p| p.spec(&c)), Some(1));
        for wrong in ["b1", "j1", "", "b", "bad_0", "b-1", "é"] {
            assert_eq!(Property::from_name(&c, wrong), None, "{wrong}");
        }
        assert_eq!(Property::of(&c, 1).to_string(), "j0");
    }

    #[test]
    fn a_stimulus_is_followed() {
        let c = circuit();
        // latch 0 is on after an input, so gate 12 (input off, latch on) is bad in state 1.
        let good = follow(&c, b"1\nb0\n00\n1\n0\n.\n").expect("a violation");
        assert_eq!((good.property, good.states.len(), good.back), (Property::Bad(0), 2, None));
        assert_eq!(follow(&c, b"1\nb0\n00\n0\n.\n"), Err("state 0 is not bad".into()));
        let answer = |bytes: &[u8]| follow(&c, bytes).expect_err("wrong");
        assert!(answer(b"0\nb0\n.\n").contains("holds"));
        assert!(answer(b"1\nb7\n00\n1\n.\n").contains("no property `b7`"));
        assert!(answer(b"1\nb0\n000\n1\n.\n").contains("2 latches"));
        assert!(answer(b"1\nb0\n10\n1\n.\n").contains("latch 0 does not begin"));
        assert!(
            answer(b"1\nb0\n00\n1\n").contains("does not tell") || answer(b"1\nb0\n00\n1").contains("no end")
        );
        assert!(answer(b"1\nb0\n00\n.\n").contains("no stimulus"));
        assert!(answer(b"1\nb0").contains("no end"));
    }

    #[test]
    fn what_is_written_looks_like_a_witness() {
        let c = circuit();
        let followed = follow(&c, b"1\nb0\n00\n1\n0\n.\n").expect("a violation");
        let states: Vec<&State> = followed.states.iter().collect();
        let text = write(&c, followed.property, Answer::Violated(&states));
        assert_eq!(text, "1\nb0\n00\n1\n0\n.\n");
        assert!(is_witness(text.as_bytes()) && !is_witness(b"{}") && !is_witness(b"1\n2\n"));
        assert_eq!(write(&c, Property::Justice(0), Answer::Holds), "0\nj0\n.\n");
        assert_eq!(write(&c, Property::Justice(0), Answer::Unknown), "2\nj0\n.\n");
    }
}
