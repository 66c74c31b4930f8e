//! What text is written with: lines, names that are used once, and blocks that declare them first.
//!
//! A jump must not pass a declaration with a value in C++, so all names of a block are declared at its start, and get
//! their values later.

use crate::plan::Plan;
use riata_program::native::OWN;

/// The words that code reads or writes: of the state before a step, or of the one after it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Words {
    Before,
    After,
}

/// A process for which code is written.
#[derive(Clone, Copy)]
pub(crate) struct Process {
    pub pid: u32,
    pub of: usize,
    pub base: u32,
}

/// Writes the text of one function.
pub(crate) struct Writer<'a> {
    pub plan: &'a Plan<'a>,
    /// Whose code it is.
    pub me: Process,
    pub out: String,
    names: Vec<String>,
    next: u32,
}

/// A constant.
pub(crate) fn constant(k: i32) -> String {
    match k {
        i32::MIN => "(-2147483647 - 1)".into(),
        k if k < 0 => format!("({k})"),
        k => k.to_string(),
    }
}

/// Bits as a number.
pub(crate) fn signed(raw: &str) -> String {
    format!("(i32)({raw})")
}

/// A value and a constant, which wrap.
pub(crate) fn plus(value: &str, k: i32) -> String {
    if k == 0 { value.into() } else { format!("(i32)((u32)({value}) + {:#x}u)", k as u32) }
}

impl<'a> Writer<'a> {
    pub fn new(plan: &'a Plan<'a>) -> Self {
        let me = Process { pid: 0, of: 0, base: 0 };
        Writer { plan, me, out: String::new(), names: Vec::new(), next: 0 }
    }

    pub fn line(&mut self, text: impl AsRef<str>) {
        self.out.push_str(text.as_ref());
        self.out.push('\n');
    }

    fn fresh(&mut self, kind: char) -> String {
        self.next += 1;
        format!("{kind}{}", self.next)
    }

    /// A name for a value.
    pub fn name(&mut self) -> String {
        let name = self.fresh('v');
        self.names.push(name.clone());
        name
    }

    /// A name that has this value from now on.
    pub fn named(&mut self, value: &str) -> String {
        // What is a name or a number already needs no other.
        if value.len() < 12 && value.chars().all(|c| c.is_ascii_alphanumeric()) {
            return value.into();
        }
        let name = self.name();
        self.line(format!("{name} = {value};"));
        name
    }

    pub fn label(&mut self) -> String {
        self.fresh('l')
    }

    /// Writes a block with its own names.
    pub fn block<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let (out, names) = (std::mem::take(&mut self.out), std::mem::take(&mut self.names));
        let result = write(self);
        let (inner, declared) =
            (std::mem::replace(&mut self.out, out), std::mem::replace(&mut self.names, names));
        self.line("{");
        if !declared.is_empty() {
            self.line(format!("i32 {};", declared.join(", ")));
        }
        self.out.push_str(&inner);
        self.line("}");
        result
    }

    /// Code of another process.
    pub fn as_process<T>(&mut self, process: Process, write: impl FnOnce(&mut Self) -> T) -> T {
        let me = std::mem::replace(&mut self.me, process);
        let result = write(self);
        self.me = me;
        result
    }

    /// The place of a word that code names.
    pub fn place(&self, word: u32) -> u32 {
        if word & OWN == 0 { word } else { self.me.base + (word & !OWN) }
    }

    /// The bits of a field.
    pub fn raw(&self, words: Words, (word, shift, mask): (u32, u32, u32)) -> String {
        let state = words.name();
        match (mask, shift) {
            (0, _) => "0u".into(),
            (u32::MAX, _) => format!("{state}[{word}]"),
            (_, 0) => format!("({state}[{word}] & {mask:#x}u)"),
            _ if mask == u32::MAX >> shift => format!("({state}[{word}] >> {shift})"),
            _ => format!("(({state}[{word}] >> {shift}) & {mask:#x}u)"),
        }
    }

    /// Stores bits, as many as the field has of them.
    pub fn put(&mut self, (word, shift, mask): (u32, u32, u32), raw: &str) {
        match mask {
            0 => {}
            u32::MAX => self.line(format!("t[{word}] = {raw};")),
            _ => {
                let keep = !(mask << shift);
                self.line(format!(
                    "t[{word}] = (t[{word}] & {keep:#x}u) | ((({raw}) & {mask:#x}u) << {shift});"
                ));
            }
        }
    }

    /// The state is left to the interpreter if this is so.
    pub fn ask_if(&mut self, condition: &str) {
        self.line(format!("if ({condition}) return ASK;"));
    }

    /// How many processes there are.
    pub fn count(&self) -> String {
        if self.plan.listing.frames.known { self.plan.processes().len().to_string() } else { "c->n".into() }
    }
}

impl Words {
    pub fn name(self) -> &'static str {
        match self {
            Words::Before => "s",
            Words::After => "t",
        }
    }
}

/// An array: its first word, how many elements would fit before the first, the logarithm of their bits, and how many.
#[derive(Clone, Copy)]
pub(crate) struct Array {
    pub word: u32,
    pub first: u32,
    pub log: u32,
    pub len: u32,
}

/// More words than this are found by an index that is computed.
const FEW: u32 = 16;

impl Array {
    fn mask(self) -> u32 {
        u32::MAX >> (32 - (1u32 << self.log))
    }

    /// How many words it is in.
    fn words(self) -> u32 {
        ((self.first + self.len) << self.log).div_ceil(32)
    }

    /// The word of an element, counted from the first, and its shift there.
    fn element(self, index: &str) -> (String, String) {
        let per = 5 - self.log;
        let at = format!("((u32){index} + {}u)", self.first);
        let word = if self.words() == 1 { "0u".into() } else { format!("({at} >> {per})") };
        let shift =
            if per == 0 { "0u".into() } else { format!("(({at} & {}u) << {})", (1 << per) - 1, self.log) };
        (word, shift)
    }
}

impl Writer<'_> {
    /// The bits of an element, whose index is a name and inside.
    pub fn load_element(&mut self, words: Words, array: Array, index: &str) -> String {
        let (word, shift) = array.element(index);
        let (state, count) = (words.name(), array.words());
        let whole = match count {
            1 => format!("{state}[{}]", array.word),
            2..=FEW => {
                let which = self.named(&signed(&word));
                let last = format!("{state}[{}]", array.word + count - 1);
                (0..count - 1)
                    .rev()
                    .fold(last, |rest, k| format!("({which} == {k} ? {state}[{}] : {rest})", array.word + k))
            }
            _ => format!("{state}[{}u + {word}]", array.word),
        };
        format!("(({whole} >> {shift}) & {:#x}u)", array.mask())
    }

    /// Stores the bits of an element, whose index is a name and inside. The bits are in a name.
    pub fn store_element(&mut self, array: Array, index: &str, raw: &str) {
        let (word, shift) = array.element(index);
        let (mask, count) = (array.mask(), array.words());
        let shift = self.named(&signed(&shift));
        let new = |at: &str| {
            format!(
                "t[{at}] = (t[{at}] & ~({mask:#x}u << {shift})) | (((u32){raw} & {mask:#x}u) << {shift});"
            )
        };
        match count {
            1 => self.line(new(&array.word.to_string())),
            2..=FEW => {
                let which = self.named(&signed(&word));
                for k in 0..count {
                    let at = (array.word + k).to_string();
                    self.line(format!("if ({which} == {k}) {{ {} }}", new(&at)));
                }
            }
            _ => {
                let at = self.named(&signed(&format!("{}u + {word}", array.word)));
                self.line(new(&at));
            }
        }
    }
}
