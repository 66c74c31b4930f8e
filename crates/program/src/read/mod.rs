//! Programs from text: what [`super::print()`] writes, and what people write by hand.
//!
//! # The grammar
//!
//! Space and line ends only part words; `//` begins a comment. A NAME is an identifier, which may have points inside, or
//! any text in quotes; a keyword is a name only in quotes. Where several are called alike, the second is `x#1`, the
//! third `x#2`. A STRING is in quotes, with `\"`, `\\`, `\n`, `\t` and `\u{…}`. Locations, nodes of blocks, locations of
//! the monitor and sets of symbols are numbered in their order: `L0`, `N0`, `W0`, `S0`.
//!
//! ```text
//! program     = "program" ("youngest" | "oldest") ["priorities"] ["early"] ["lazy"] ["lockstep"] item*
//! item        = "symbols" S "{" [NAME ("," NAME)*] "}"          values from 1 on that have names
//!             | "shared" variable
//!             | "channel" NAME "[" NUMBER "]" "{" [field ("," field)*] "}"      capacity, values of a message
//!             | "open" NAME "for" NAME ["[" NUMBER "]"]         a channel, and the variable with its number
//!             | "process" NAME ["priority" NUMBER] "{" part* "}"
//!             | "start" NAME ["named" NAME]
//!             | "last" NAME                                     keeps who moved last
//!             | "proposition" NAME "=" expr
//!             | "monitor" NAME "ends" W ["negated"] "{" ("at" W event*)* "}"
//!             | "claim" NAME "at" NAME ["late"]                  its process type, where it keeps its location
//! variable    = NAME ["[" NUMBER "]"] ":" field' ("wrap" | "fault") "=" NUMBER ("," NUMBER)* [shown]
//! field       = field' [shown]
//! field'      = NUMBER ".." NUMBER
//! shown       = "as" (S | "channels")
//! event       = ("send" | "receive") receive "->" W
//! part        = ("parameter" | "local") variable
//!             | "open" NAME "for" NAME ["[" NUMBER "]"]
//!             | "initially" place ":=" expr
//!             | "provided" expr
//!             | "location" L mark* ("assert" expr)*
//!             | "edge" L "->" L ["rank" NUMBER] ["keeps"] ["merged" NUMBER] (action | block)
//! mark        = "initial" | "end" | "accepting" | "progress" | "committed" | "number" NUMBER | STRING    a label
//! block       = "block" "{" ("node" N ("option" action "->" (N | "out"))*)* "}"
//! action      = ["when" expr | "else"] [offer] ["do" statement (";" statement)*]
//! offer       = "send" ["sorted"] expr "(" [expr ("," expr)*] ")"
//!             | "receive" receive
//! receive     = ["any"] ["keeping"] expr "(" [pattern ("," pattern)*] ")"
//! pattern     = "_" | "=" expr | place
//! statement   = place ":=" expr | "assert" expr | "exit"
//!             | "run" NAME "(" [expr ("," expr)*] ")" ["priority" expr] ["into" place]
//!             | "print" STRING "(" [expr ("," expr)*] ")"
//!             | "set_priority" "(" expr "," expr ")"
//! place       = ["::"] NAME ["[" expr "]"]                      with "::" a shared variable that a local one hides
//! expr        = NUMBER | place
//!             | NAME "[" expr "]" ":" NAME ["[" expr "]"]       of another process, by its type and pid
//!             | NAME "[" expr "]" "@" L                         is the process at the location?
//!             | "@" NAME ["[" NUMBER "]"]                       the number of the channel that is opened for it
//!             | ("!" | "-" | "~") expr
//!             | "(" expr ")" | "(" expr operator expr ")"
//!             | "if" "(" expr "," expr "," expr ")" | "bounded" "(" NUMBER "," expr ")"
//!             | ("enabled" | "location_of" | "priority_of") "(" expr ")"
//!             | ("len" | "empty" | "nonempty" | "full" | "nonfull") "(" expr ")"
//!             | "poll" receive
//!             | "pid" | "processes" | "timeout" | "nonprogress" | "accepting"
//! ```
//!
//! An array with one initial value has it in all elements. What is read is [verified](crate::verify); spans are places
//! in the text. Nothing here recurses, and no number makes more than the text is worth.

mod expression;
mod lexer;
mod names;
mod parser;
mod process;
#[cfg(test)]
mod tests;

use crate::form::Program;
use riata_source::Diagnostic;

pub(super) use lexer::plain_name;

/// Reads a program. On failure it is told what is wrong, and where in the text.
pub fn read(text: &str) -> Result<Program, Vec<Diagnostic>> {
    let tokens = lexer::tokens(text).map_err(|d| vec![d])?;
    let scope = names::Scope::of(&tokens).map_err(|d| vec![d])?;
    let program = parser::Parser::new(&tokens, &scope).program().map_err(|d| vec![d])?;
    let wrong = crate::verify(&program);
    if wrong.is_empty() { Ok(program) } else { Err(wrong) }
}
