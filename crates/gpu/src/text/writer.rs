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

/// A process for which code is written; or all of a type, whose turn it is being known when it runs, with [`ANY`] as `base`.
#[derive(Clone, Copy)]
pub(crate) struct Process {
    pub pid: u32,
    pub of: usize,
    pub base: u32,
}

/// Words from here on are those of the process whose turn it is: `o` before a step, and `p` after it.
pub(crate) const ANY: u32 = 1 << 24;

impl Process {
    /// Is it not known which process of the type it is?
    pub fn is_any(self) -> bool {
        self.base == ANY
    }

    /// Its number.
    pub fn number(self) -> String {
        if self.is_any() { "me".into() } else { self.pid.to_string() }
    }

    /// Its number, plus one.
    pub fn next_number(self) -> String {
        if self.is_any() { "(me + 1)".into() } else { (self.pid + 1).to_string() }
    }
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
        let cell = words.cell(word);
        match (mask, shift) {
            (0, _) => "0u".into(),
            (u32::MAX, _) => cell,
            (_, 0) => format!("({cell} & {mask:#x}u)"),
            _ if mask == u32::MAX >> shift => format!("({cell} >> {shift})"),
            _ => format!("(({cell} >> {shift}) & {mask:#x}u)"),
        }
    }

    /// Stores bits, as many as the field has of them.
    pub fn put(&mut self, (word, shift, mask): (u32, u32, u32), raw: &str) {
        let cell = Words::After.cell(word);
        match mask {
            0 => {}
            u32::MAX => self.line(format!("{cell} = {raw};")),
            _ => {
                let keep = !(mask << shift);
                self.line(format!("{cell} = ({cell} & {keep:#x}u) | ((({raw}) & {mask:#x}u) << {shift});"));
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
    /// The array in which a word is, and its index there.
    fn place(self, word: u32) -> (&'static str, u32) {
        match (self, word.checked_sub(ANY)) {
            (Words::Before, None) => ("s", word),
            (Words::After, None) => ("t", word),
            (Words::Before, Some(own)) => ("o", own),
            (Words::After, Some(own)) => ("p", own),
        }
    }

    /// A word.
    pub fn cell(self, word: u32) -> String {
        let (name, index) = self.place(word);
        format!("{name}[{index}]")
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
        let count = array.words();
        let whole = match count {
            1 => words.cell(array.word),
            2..=FEW => {
                let which = self.named(&signed(&word));
                let cell = |k| words.cell(array.word + k);
                (0..count - 1)
                    .rev()
                    .fold(cell(count - 1), |rest, k| format!("({which} == {k} ? {} : {rest})", cell(k)))
            }
            _ => {
                let (state, first) = words.place(array.word);
                format!("{state}[{first}u + {word}]")
            }
        };
        format!("(({whole} >> {shift}) & {:#x}u)", array.mask())
    }

    /// Stores the bits of an element, whose index is a name and inside. The bits are in a name.
    pub fn store_element(&mut self, array: Array, index: &str, raw: &str) {
        let (word, shift) = array.element(index);
        let (mask, count) = (array.mask(), array.words());
        let shift = self.named(&signed(&shift));
        let new = |cell: &str| {
            format!("{cell} = ({cell} & ~({mask:#x}u << {shift})) | (((u32){raw} & {mask:#x}u) << {shift});")
        };
        match count {
            1 => self.line(new(&Words::After.cell(array.word))),
            2..=FEW => {
                let which = self.named(&signed(&word));
                for k in 0..count {
                    let cell = Words::After.cell(array.word + k);
                    self.line(format!("if ({which} == {k}) {{ {} }}", new(&cell)));
                }
            }
            _ => {
                let (state, first) = Words::After.place(array.word);
                let at = self.named(&signed(&format!("{first}u + {word}")));
                self.line(new(&format!("{state}[{at}]")));
            }
        }
    }
}
