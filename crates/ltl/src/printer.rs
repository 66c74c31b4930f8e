//! From formulas to text, in every dialect. What is printed is read back as the same formula, except that operators
//! the dialect lacks are rewritten: a M b as b U (a ∧ b), a W b as b V (a ∨ b).

use crate::dialect::Dialect;
use crate::formula::{Arena, Id, Op};

enum Piece {
    Text(&'static str),
    /// A formula; in brackets if it is an infix operator.
    Operand(Id),
    /// A formula as it is.
    Whole(Id),
    /// A rewritten operator (op, a, b), in brackets.
    Binary(Op, Id, Id),
}

/// The text of `f`.
pub fn print(arena: &Arena, f: Id, dialect: Dialect) -> String {
    let mut out = String::new();
    let mut pieces = vec![Piece::Whole(f)];
    while let Some(piece) = pieces.pop() {
        match piece {
            Piece::Text(t) => out.push_str(t),
            Piece::Operand(g) if arena.op(g).arity() == 2 => {
                out.push('(');
                pieces.push(Piece::Text(")"));
                pieces.push(Piece::Whole(g));
            }
            Piece::Operand(g) | Piece::Whole(g) => whole(arena, g, dialect, &mut out, &mut pieces),
            Piece::Binary(op, a, b) => {
                out.push('(');
                pieces.extend([
                    Piece::Text(")"),
                    Piece::Operand(b),
                    Piece::Text(" "),
                    Piece::Text(dialect.symbol(op)),
                    Piece::Text(" "),
                    Piece::Operand(a),
                ]);
            }
        }
    }
    out
}

fn whole(arena: &Arena, f: Id, dialect: Dialect, out: &mut String, pieces: &mut Vec<Piece>) {
    let op = arena.op(f);
    let symbol = dialect.symbol(op);
    match op {
        Op::Ap => out.push_str(&ap_text(&arena.aps()[arena.ap_number(f) as usize], dialect)),
        _ if op.arity() == 0 => out.push_str(symbol),
        _ if op.arity() == 1 => {
            let a = arena.left(f);
            out.push_str(symbol);
            // A letter needs a space before what could be read as the rest of a word.
            if symbol.ends_with(char::is_alphabetic) && arena.op(a).arity() < 2 {
                out.push(' ');
            }
            pieces.push(Piece::Operand(a));
        }
        _ if !dialect.has(op) => {
            let (a, b) = (arena.left(f), arena.right(f));
            let (join, inner) =
                if op == Op::StrongRelease { (Op::Until, Op::And) } else { (Op::Release, Op::Or) };
            // a M b = b U (a ∧ b); a W b = b R (a ∨ b)
            pieces.extend([
                Piece::Binary(inner, a, b),
                Piece::Text(" "),
                Piece::Text(dialect.symbol(join)),
                Piece::Text(" "),
                Piece::Operand(b),
            ]);
        }
        _ => {
            let kids = arena.operands(f);
            for (i, &k) in kids.as_slice().iter().enumerate().rev() {
                pieces.push(Piece::Operand(k));
                if i > 0 {
                    pieces.extend([Piece::Text(" "), Piece::Text(symbol), Piece::Text(" ")]);
                }
            }
        }
    }
}

/// A proposition as the dialect reads it back: bare if it is a simple name, else in quotation marks.
fn ap_text(name: &str, dialect: Dialect) -> String {
    let mut chars = name.chars();
    let simple = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
        && [dialect, Dialect::Auto].iter().all(|d| d.word(name).is_none())
        && !name.starts_with(['G', 'F', 'X']);
    if simple {
        return name.to_owned();
    }
    let mut out = String::from("\"");
    for c in name.chars() {
        if matches!(c, '"' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    out
}
