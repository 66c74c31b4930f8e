//! Reading files, ascii and binary.
//!
//! # References
//! A. Biere, K. Heljanko, S. Wieringa, *AIGER 1.9 and beyond*, 2011.

use riata_source::{Diagnostic, Span};

/// A latch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latch {
    /// Its literal, not negated.
    pub state: u32,
    /// Its next value.
    pub next: u32,
    /// Its first value, if it has one.
    pub init: Option<bool>,
}

/// A gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct And {
    /// Its literal, not negated.
    pub output: u32,
    /// What it is the conjunction of.
    pub inputs: [u32; 2],
}

/// A circuit. A literal is twice the number of a variable, plus one if it is negated; 0 is false.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Circuit {
    /// The largest number of a variable.
    pub max: u32,
    /// The inputs.
    pub inputs: Vec<u32>,
    /// The latches.
    pub latches: Vec<Latch>,
    /// The outputs.
    pub outputs: Vec<u32>,
    /// Bad states.
    pub bad: Vec<u32>,
    /// Invariants of runs.
    pub constraints: Vec<u32>,
    /// Justice properties.
    pub justice: Vec<Vec<u32>>,
    /// Fairness of runs.
    pub fairness: Vec<u32>,
    /// The gates.
    pub gates: Vec<And>,
    /// Names: the letter of the kind, the place in its list, the name.
    pub symbols: Vec<(u8, usize, String)>,
}

struct Reader<'t> {
    bytes: &'t [u8],
    at: usize,
    max: u32,
}

type Read<T> = Result<T, Diagnostic>;

/// Inputs of a circuit. Those of a binary file take no bytes, so nothing else bounds them.
const MOST_INPUTS: u32 = 1 << 16;
/// Numbers of variables that are left out.
const MOST_GAPS: u32 = 1 << 20;

/// Reads a file.
pub fn read(bytes: &[u8]) -> Read<Circuit> {
    let mut r = Reader { bytes, at: 0, max: 0 };
    let binary = match bytes.get(..4) {
        Some(b"aag ") => false,
        Some(b"aig ") => true,
        _ => {
            let help = "an AIGER file begins with `aag` (ascii) or `aig` (binary) and five to nine numbers";
            return Err(Diagnostic::error(Span::at(0), "this is not an AIGER file").help(help));
        }
    };
    r.at = 4;
    let header_start = r.at;
    let mut header = [0u32; 9];
    let mut fields = 0;
    loop {
        if fields == 9 {
            return r.fail("the header has more than nine numbers");
        }
        header[fields] = r.number("a number")?;
        fields += 1;
        if r.take(b'\n') {
            break;
        }
        r.space()?;
    }
    let header_span = Span::new(header_start, r.at - 1);
    if fields < 5 {
        return Err(Diagnostic::error(header_span, "the header has fewer than five numbers"));
    }
    let [max, inputs, latches, outputs, gates, bad, constraints, justice, fairness] = header;
    r.max = max;
    let variables = u64::from(inputs) + u64::from(latches) + u64::from(gates);
    if variables > u64::from(max) || binary && variables != u64::from(max) || max > (u32::MAX - 1) / 2 {
        return Err(Diagnostic::error(header_span, "the numbers of the header do not fit together").help(
            "the first is the largest variable: inputs, latches and gates at most, in binary files exactly",
        ));
    }
    // Every entry takes a byte at least; inputs of binary files take none, but are no more than the variables.
    let announced = [latches, outputs, gates, bad, constraints, justice, fairness]
        .iter()
        .map(|&n| n as usize)
        .sum::<usize>();
    let announced = announced + if binary { 0 } else { inputs as usize };
    if announced > bytes.len() {
        return Err(Diagnostic::error(header_span, "the header announces more than the file holds"));
    }
    if inputs > MOST_INPUTS {
        let message = format!("there are {inputs} inputs; riata takes at most {MOST_INPUTS}");
        return Err(Diagnostic::error(header_span, message));
    }
    if u64::from(max) > variables + u64::from(MOST_GAPS) {
        let message = format!("the largest variable is {max}, and only {variables} are defined");
        return Err(Diagnostic::error(header_span, message).help("write the circuit with smaller numbers"));
    }
    let mut c = Circuit { max, ..Circuit::default() };
    for i in 0..inputs {
        let lit = if binary { 2 * (i + 1) } else { r.line_literal()? };
        c.inputs.push(lit);
    }
    for i in 0..latches {
        c.latches.push(r.latch(binary.then_some(2 * (inputs + i + 1)))?);
    }
    for (n, list) in [(outputs, &mut c.outputs), (bad, &mut c.bad), (constraints, &mut c.constraints)] {
        for _ in 0..n {
            list.push(r.line_literal()?);
        }
    }
    let mut sizes = Vec::new();
    for _ in 0..justice {
        sizes.push(r.number("the size of a justice property")?);
        r.end_of_line()?;
    }
    for size in sizes {
        let mut lits = Vec::new();
        for _ in 0..size {
            lits.push(r.line_literal()?);
        }
        c.justice.push(lits);
    }
    for _ in 0..fairness {
        c.fairness.push(r.line_literal()?);
    }
    for i in 0..gates {
        c.gates.push(if binary { r.binary_gate(2 * (inputs + latches + i + 1))? } else { r.gate()? });
    }
    r.symbols(&mut c)?;
    Ok(c)
}

impl Reader<'_> {
    fn fail<T>(&self, message: impl Into<String>) -> Read<T> {
        let end = (self.at + 1).min(self.bytes.len());
        Err(Diagnostic::error(Span::new(self.at.min(end), end), message))
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        // Files from Windows end their lines with two bytes.
        if byte == b'\n' && self.bytes[self.at..].starts_with(b"\r\n") {
            self.at += 1;
        }
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn space(&mut self) -> Read<()> {
        if self.take(b' ') { Ok(()) } else { self.fail("expected a space") }
    }

    fn end_of_line(&mut self) -> Read<()> {
        if self.take(b'\n') { Ok(()) } else { self.fail("expected the end of the line") }
    }

    fn number(&mut self, what: &str) -> Read<u32> {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        let digits = &self.bytes[start..self.at];
        if digits.is_empty() {
            return self.fail(format!("expected {what}"));
        }
        let value = std::str::from_utf8(digits).ok().and_then(|d| d.parse().ok());
        value.ok_or_else(|| Diagnostic::error(Span::new(start, self.at), "this number is too large"))
    }

    fn literal(&mut self) -> Read<u32> {
        let start = self.at;
        let lit = self.number("a literal")?;
        if lit / 2 > self.max {
            let message = format!("the largest literal is {}", 2 * self.max + 1);
            return Err(Diagnostic::error(Span::new(start, self.at), message));
        }
        Ok(lit)
    }

    fn line_literal(&mut self) -> Read<u32> {
        let lit = self.literal()?;
        self.end_of_line()?;
        Ok(lit)
    }

    fn latch(&mut self, known: Option<u32>) -> Read<Latch> {
        let state = match known {
            Some(lit) => lit,
            None => {
                let lit = self.literal()?;
                self.space()?;
                lit
            }
        };
        let next = self.literal()?;
        let mut init = Some(false);
        if self.take(b' ') {
            let start = self.at;
            init = match self.literal()? {
                0 => Some(false),
                1 => Some(true),
                lit if lit == state => None,
                _ => {
                    let span = Span::new(start, self.at);
                    let help = "a latch begins with 0, with 1, or with any value, which is written as the latch itself";
                    return Err(Diagnostic::error(span, "this is no first value of a latch").help(help));
                }
            };
        }
        self.end_of_line()?;
        Ok(Latch { state, next, init })
    }

    fn gate(&mut self) -> Read<And> {
        let output = self.literal()?;
        self.space()?;
        let a = self.literal()?;
        self.space()?;
        let b = self.literal()?;
        self.end_of_line()?;
        Ok(And { output, inputs: [a, b] })
    }

    fn binary_gate(&mut self, output: u32) -> Read<And> {
        let start = self.at;
        let (d0, d1) = (self.delta()?, self.delta()?);
        let inputs = output.checked_sub(d0).and_then(|a| Some([a, a.checked_sub(d1)?]));
        match inputs {
            Some(inputs) if d0 > 0 => Ok(And { output, inputs }),
            _ => Err(Diagnostic::error(Span::new(start, self.at), "this gate depends on a later one")),
        }
    }

    /// Seven bits a byte, the lowest first; the highest bit says that more follow.
    fn delta(&mut self) -> Read<u32> {
        let (mut value, mut shift) = (0u64, 0);
        loop {
            let Some(byte) = self.peek() else { return self.fail("the file ends inside a gate") };
            self.at += 1;
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                break;
            }
            if shift > 28 {
                return self.fail("this number is too large");
            }
        }
        u32::try_from(value).or_else(|_| self.fail("this number is too large"))
    }

    fn symbols(&mut self, c: &mut Circuit) -> Read<()> {
        while let Some(kind) = self.peek() {
            if kind == b'c' && matches!(self.bytes.get(self.at + 1), None | Some(b'\n' | b'\r')) {
                return Ok(()); // the rest is a comment
            }
            let count = match kind {
                b'i' => c.inputs.len(),
                b'l' => c.latches.len(),
                b'o' => c.outputs.len(),
                b'b' => c.bad.len(),
                b'c' => c.constraints.len(),
                b'j' => c.justice.len(),
                b'f' => c.fairness.len(),
                _ => return self.fail("expected a symbol such as `i0 name`, or `c` and a comment"),
            };
            self.at += 1;
            let start = self.at;
            let place = self.number("the place of what is named")? as usize;
            if place >= count {
                let span = Span::new(start, self.at);
                return Err(Diagnostic::error(span, format!("there are {count} of these")));
            }
            self.space()?;
            let start = self.at;
            while self.peek().is_some_and(|b| b != b'\n') {
                self.at += 1;
            }
            let name = String::from_utf8_lossy(&self.bytes[start..self.at]).trim_end().to_string();
            self.take(b'\n');
            c.symbols.push((kind, place, name));
        }
        Ok(())
    }
}
