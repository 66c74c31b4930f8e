//! A run as a value change dump, for GTKWave and other viewers of waveforms.
//!
//! Ten ticks a state. A dump has no loops, so the cycle is there twice, with a comment where it begins each time;
//! `riata.state` and `riata.cycle` tell the same for viewers that leave out comments.
//!
//! # References
//! IEEE 1364-2005, section 18: value change dump files. Values that are texts are of GTKWave's type `string`.

use super::{Row, Value, Wave};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How a row is declared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Wire(u32),
    Integer(u32),
    Text,
}

impl Type {
    fn of(row: &Row) -> Type {
        let small = |v: &Value| matches!(v, Value::Number(n) if i32::try_from(*n).is_ok());
        match row.values.first() {
            Some(Value::Bit(_)) => Type::Wire(1),
            Some(Value::Word { width, .. }) => Type::Wire(*width),
            _ if row.values.iter().all(small) => Type::Integer(32),
            _ if row.values.iter().all(|v| matches!(v, Value::Number(_))) => Type::Integer(64),
            _ => Type::Text,
        }
    }

    fn change(self, value: &Value, id: &str) -> String {
        match (self, value) {
            (_, Value::Bit(b)) => format!("{}{id}", u8::from(*b)),
            (_, Value::Word { width, bits, .. }) => format!("b{bits:0width$b} {id}", width = *width as usize),
            (Type::Integer(32), Value::Number(n)) => format!("b{:b} {id}", *n as i32),
            (Type::Integer(_), Value::Number(n)) => format!("b{n:b} {id}"),
            (_, other) => {
                let text: String =
                    other.label().chars().map(|c| if c.is_ascii_graphic() { c } else { '_' }).collect();
                format!("s{text} {id}")
            }
        }
    }
}

/// The short name of variable `n`: digits of base 94.
fn id(mut n: usize) -> String {
    let mut id = String::new();
    loop {
        id.push((b'!' + (n % 94) as u8) as char);
        n /= 94;
        if n == 0 {
            return id;
        }
        n -= 1;
    }
}

/// A name without what ends it: white space, and brackets, which would select a bit.
fn plain(name: &str) -> String {
    let plain = |c| match c {
        '[' => '(',
        ']' => ')',
        c if c.is_ascii_graphic() => c,
        _ => '_',
    };
    let name: String = name.chars().map(plain).collect();
    if name.is_empty() { "_".into() } else { name }
}

/// Scopes inside scopes.
#[derive(Default)]
struct Scope {
    scopes: BTreeMap<String, Scope>,
    variables: Vec<String>,
}

impl Scope {
    fn declare(&mut self, name: &str, kind: Type, id: &str) {
        let mut scope = self;
        let mut parts: Vec<&str> = name.split('.').collect();
        let last = parts.pop().unwrap_or(name);
        for part in parts {
            scope = scope.scopes.entry(plain(part)).or_default();
        }
        let (sort, width) = match kind {
            Type::Wire(width) => ("wire", width),
            Type::Integer(width) => ("integer", width),
            Type::Text => ("string", 1),
        };
        scope.variables.push(format!("$var {sort} {width} {id} {} $end\n", plain(last)));
    }
}

/// Names may have as many dots as a model likes, so nothing recurses.
fn declarations(out: &mut String, name: &str, scope: &Scope) {
    enum Visit<'a> {
        Open(&'a str, &'a Scope),
        Close,
    }
    let mut stack = vec![Visit::Open(name, scope)];
    while let Some(visit) = stack.pop() {
        match visit {
            Visit::Open(name, scope) => {
                let _ = writeln!(out, "$scope module {name} $end");
                scope.variables.iter().for_each(|v| out.push_str(v));
                stack.push(Visit::Close);
                stack.extend(scope.scopes.iter().rev().map(|(name, inner)| Visit::Open(name, inner)));
            }
            Visit::Close => out.push_str("$upscope $end\n"),
        }
    }
}

/// The dump; `title` stands in a comment.
pub fn vcd(wave: &Wave, title: &str) -> String {
    let title = title.replace("$end", "$ end");
    let mut out = format!("$version riata $end\n$comment {title} $end\n$timescale 1 ns $end\n");
    let types: Vec<Type> = wave.rows.iter().map(Type::of).collect();
    let mut main = Scope::default();
    for (i, (row, &kind)) in wave.rows.iter().zip(&types).enumerate() {
        main.declare(&row.name, kind, &id(i));
    }
    let (state_id, cycle_id) = (id(wave.rows.len()), id(wave.rows.len() + 1));
    let mut about = Scope::default();
    about.declare("state", Type::Integer(32), &state_id);
    about.declare("cycle", Type::Wire(1), &cycle_id);
    declarations(&mut out, "main", &main);
    declarations(&mut out, "riata", &about);
    out += "$enddefinitions $end\n";
    let again = wave.back.map_or(wave.states..wave.states, |back| back..wave.states);
    let order: Vec<usize> = (0..wave.states).chain(again).collect();
    let mut before: Option<usize> = None;
    for (time, &state) in order.iter().enumerate() {
        let _ = writeln!(out, "#{}", time * 10);
        if wave.back == Some(state) {
            let again = if time > state { " again" } else { "" };
            let _ = writeln!(out, "$comment the cycle begins{again} with state {state} $end");
        }
        if time == 0 {
            out += "$dumpvars\n";
        }
        let _ = writeln!(out, "b{state:b} {state_id}");
        let inside = wave.back.is_some_and(|back| state >= back);
        let _ = writeln!(out, "{}{cycle_id}", u8::from(inside));
        for (i, (row, kind)) in wave.rows.iter().zip(&types).enumerate() {
            if before.is_none_or(|b| row.values[b] != row.values[state]) {
                out += &kind.change(&row.values[state], &id(i));
                out.push('\n');
            }
        }
        if time == 0 {
            out += "$end\n";
        }
        before = Some(state);
    }
    let _ = writeln!(out, "#{}", order.len() * 10);
    out
}

#[cfg(test)]
mod tests {
    use super::super::tests::example;
    use super::*;

    #[test]
    fn the_cycle_is_there_twice() {
        let wanted = "$version riata $end
$comment m.smv: p $end
$timescale 1 ns $end
$scope module main $end
$var wire 1 ! go $end
$var string 1 $ mode $end
$scope module cell $end
$var integer 32 \" x $end
$var wire 4 # w(1) $end
$upscope $end
$upscope $end
$scope module riata $end
$var integer 32 % state $end
$var wire 1 & cycle $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
b0 %
0&
0!
b11 \"
b0001 #
sa<b $
$end
#10
b1 %
0&
1!
b11111111111111111111111111111111 \"
b0010 #
#20
$comment the cycle begins with state 2 $end
b10 %
1&
soff $
#30
b11 %
1&
0!
b0 \"
b1111 #
#40
$comment the cycle begins again with state 2 $end
b10 %
1&
1!
b11111111111111111111111111111111 \"
b0010 #
#50
b11 %
1&
0!
b0 \"
b1111 #
#60
";
        assert_eq!(vcd(&example(), "m.smv: p"), wanted);
    }

    #[test]
    fn short_names_differ() {
        let names: std::collections::HashSet<String> = (0..20_000).map(id).collect();
        assert_eq!(names.len(), 20_000);
        assert_eq!((plain("a b[3]"), plain("")), ("a_b(3)".into(), "_".into()));
    }
}
