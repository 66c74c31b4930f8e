//! A piece of bytecode as C.
//!
//! The machine has an accumulator and a stack; both are known when the text is written. The accumulator is an expression
//! that has no effect; where two ways join, or where something is stored, it becomes a name. All jumps of a piece go forward.

use super::automaton::NOBODY;
use super::writer::{Array, Process, Words, Writer, constant, plus, signed};
use riata_program::native::{Instr, Op, Question, TypeCode};
use riata_program::{Query, Slot};
use std::collections::BTreeMap;

/// Longer expressions get a name.
const LONG: usize = 160;

impl Writer<'_> {
    /// Writes the code at `pc`, with a message that it may read and make, and tells the accumulator.
    pub fn run(&mut self, pc: u32, words: Words, message: &mut Vec<String>) -> String {
        let listing = self.plan.listing;
        let mut joins: BTreeMap<u32, (String, String)> = BTreeMap::new();
        let mut stack: Vec<String> = Vec::new();
        let mut acc = String::from("0");
        // After a jump nothing is written until somebody can come.
        let mut dead = false;
        let mut pc = pc;
        loop {
            if let Some((label, name)) = joins.remove(&pc) {
                if !dead {
                    self.line(format!("{name} = {acc};"));
                }
                self.line(format!("{label}: ;"));
                acc = name;
                dead = false;
            }
            let i = &listing.code[pc as usize];
            pc += 1;
            if dead {
                continue;
            }
            match i.op {
                Op::Return => return acc,
                Op::Jump | Op::AndJump | Op::OrJump | Op::ImplyJump | Op::JumpZero => {
                    if i.op == Op::JumpZero {
                        acc = self.named(&acc);
                    }
                    let (label, name) = self.join(&mut joins, i.mask);
                    let (when, given) = match i.op {
                        Op::AndJump => (format!("if (!({acc})) "), "0".into()),
                        Op::OrJump => (format!("if ({acc}) "), "1".into()),
                        Op::ImplyJump => (format!("if (!({acc})) "), "1".into()),
                        Op::JumpZero => (format!("if (!({acc})) "), acc.clone()),
                        _ => (String::new(), acc.clone()),
                    };
                    self.line(format!("{when}{{ {name} = {given}; goto {label}; }}"));
                    dead = i.op == Op::Jump;
                }
                _ => {
                    acc = self.instruction(i, acc, words, (&mut stack, message));
                    if acc.len() > LONG {
                        acc = self.named(&acc);
                    }
                }
            }
        }
    }

    fn join(&mut self, joins: &mut BTreeMap<u32, (String, String)>, pc: u32) -> (String, String) {
        if let Some(join) = joins.get(&pc) {
            return join.clone();
        }
        let join = (self.label(), self.name());
        joins.insert(pc, join.clone());
        join
    }

    /// An instruction that does not jump.
    fn instruction(
        &mut self,
        i: &Instr,
        acc: String,
        words: Words,
        (stack, message): (&mut Vec<String>, &mut Vec<String>),
    ) -> String {
        let place = (self.place(i.word), u32::from(i.shift), i.mask);
        match i.op {
            Op::Const => constant(i.k),
            Op::Load => plus(&signed(&self.raw(words, place)), i.k),
            Op::At => format!("(i32)({} == {}u)", self.raw(words, place), i.k as u32),
            Op::LoadElement => {
                let index = self.index(&acc, i.mask);
                let raw = self.load_element(words, self.array(i), &index);
                plus(&signed(&raw), i.k)
            }
            Op::Push => {
                let name = self.named(&acc);
                stack.push(name.clone());
                name
            }
            Op::Neg => format!("(i32)(0u - (u32)({acc}))"),
            Op::Complement => format!("(~({acc}))"),
            Op::Not => format!("(i32)(({acc}) == 0)"),
            Op::Bool => format!("(i32)(({acc}) != 0)"),
            Op::DivPop | Op::RemPop => {
                let (a, b) = (popped(stack), self.named(&acc));
                self.ask_if(&format!("{b} == 0"));
                // The smallest number by -1 has no quotient that fits.
                match i.op {
                    Op::DivPop => format!("({b} == -1 ? (i32)(0u - (u32){a}) : {a} / {b})"),
                    _ => format!("({b} == -1 ? 0 : {a} % {b})"),
                }
            }
            Op::DivConst | Op::RemConst => match (i.k, i.op) {
                (-1, Op::DivConst) => format!("(i32)(0u - (u32)({acc}))"),
                (-1, _) => "0".into(),
                (k, Op::DivConst) => format!("(({acc}) / {})", constant(k)),
                (k, _) => format!("(({acc}) % {})", constant(k)),
            },
            Op::ShlPop | Op::ShrPop => {
                let (a, by) = (popped(stack), self.named(&acc));
                self.ask_if(&format!("(u32){by} >= 32u"));
                if i.op == Op::ShlPop { format!("(i32)((u32){a} << {by})") } else { format!("({a} >> {by})") }
            }
            Op::ShlConst => format!("(i32)((u32)({acc}) << {})", i.k & 31),
            Op::ShrConst => format!("(({acc}) >> {})", i.k & 31),
            Op::StoreWrap => {
                let acc = self.named(&acc);
                self.put(place, &format!("(u32){}", plus(&acc, i.k.wrapping_neg())));
                acc
            }
            Op::StoreFault => {
                let acc = self.named(&acc);
                let raw = self.within(&acc, i);
                self.put(place, &raw);
                acc
            }
            Op::Check => {
                let acc = self.named(&acc);
                self.within(&acc, i);
                acc
            }
            Op::StoreElementWrap | Op::StoreElementFault => {
                let value = popped(stack);
                let index = self.index(&acc, i.mask);
                let raw = self.named(&plus(&value, i.k.wrapping_neg()));
                let array = self.array(i);
                let mask = u32::MAX >> (32 - (1u32 << array.log));
                if i.op == Op::StoreElementFault && mask < u32::MAX {
                    self.ask_if(&format!("(u32){raw} > {mask:#x}u"));
                }
                self.store_element(array, &index, &raw);
                index
            }
            Op::CheckPushed => {
                let value = popped(stack);
                self.within(&value, i);
                stack.push(value);
                acc
            }
            Op::WrapPushed => {
                let value = popped(stack);
                let wrapped = self.wrapped(&value, i);
                stack.push(wrapped);
                acc
            }
            Op::Set => {
                let (word, shift, mask) = place;
                let raw = format!("{:#x}u", i.k as u32 & mask);
                self.put((word, shift, mask), &raw);
                acc
            }
            Op::ToMessage => {
                let value = if i.mask == u32::MAX { self.kept(&acc) } else { self.wrapped(&acc, i) };
                let at = usize::from(i.first);
                message.resize(message.len().max(at + 1), "0".into());
                message[at] = value.clone();
                value
            }
            Op::FromMessage => message.get(usize::from(i.first)).cloned().unwrap_or_else(|| "0".into()),
            Op::Ask => self.answer(self.plan.listing.questions[i.k as usize], &acc, words),
            Op::Bound => self.index(&acc, i.mask),
            Op::Assert => {
                let acc = self.named(&acc);
                self.ask_if(&format!("!{acc}"));
                acc
            }
            op => self.operator(op, i, acc, words, stack),
        }
    }

    fn operator(&mut self, op: Op, i: &Instr, acc: String, words: Words, stack: &mut Vec<String>) -> String {
        macro_rules! forms {
            ($($pop:ident $imm:ident $field:ident $what:expr;)*) => {
                match op {
                    $(Op::$pop => { let a = popped(stack); $what(&a, &acc) })*
                    $(Op::$imm => $what(&acc, &constant(i.k)),)*
                    $(Op::$field => {
                        let place = (self.place(i.word), u32::from(i.shift), i.mask);
                        let right = plus(&signed(&self.raw(words, place)), i.k);
                        $what(&acc, &right)
                    })*
                    _ => acc,
                }
            };
        }
        let wraps = |a: &str, op: &str, b: &str| format!("(i32)((u32)({a}) {op} (u32)({b}))");
        let compares = |a: &str, op: &str, b: &str| format!("(i32)(({a}) {op} ({b}))");
        forms! {
            AddPop AddConst AddField |a: &str, b: &str| wraps(a, "+", b);
            SubPop SubConst SubField |a: &str, b: &str| wraps(a, "-", b);
            MulPop MulConst MulField |a: &str, b: &str| wraps(a, "*", b);
            BitAndPop BitAndConst BitAndField |a: &str, b: &str| wraps(a, "&", b);
            BitOrPop BitOrConst BitOrField |a: &str, b: &str| wraps(a, "|", b);
            BitXorPop BitXorConst BitXorField |a: &str, b: &str| wraps(a, "^", b);
            EqPop EqConst EqField |a: &str, b: &str| compares(a, "==", b);
            NePop NeConst NeField |a: &str, b: &str| compares(a, "!=", b);
            LtPop LtConst LtField |a: &str, b: &str| compares(a, "<", b);
            LePop LeConst LeField |a: &str, b: &str| compares(a, "<=", b);
            GtPop GtConst GtField |a: &str, b: &str| compares(a, ">", b);
            GePop GeConst GeField |a: &str, b: &str| compares(a, ">=", b);
        }
    }

    /// A name that keeps its value whatever is stored.
    fn kept(&mut self, value: &str) -> String {
        let name = self.name();
        self.line(format!("{name} = {value};"));
        name
    }

    fn array(&self, i: &Instr) -> Array {
        Array { word: self.place(i.word), first: i.first.into(), log: i.shift.into(), len: i.mask }
    }

    /// A name of an index, which is in `0..len`.
    fn index(&mut self, acc: &str, len: u32) -> String {
        let index = self.named(acc);
        self.ask_if(&format!("(u32){index} >= {len}u"));
        index
    }

    /// The distance of a value, which is a name, from the smallest of a domain that it is in.
    fn within(&mut self, value: &str, i: &Instr) -> String {
        let raw = format!("(u32){}", plus(value, i.k.wrapping_neg()));
        if i.mask < u32::MAX {
            self.ask_if(&format!("{raw} > {:#x}u", i.mask));
        }
        raw
    }

    fn wrapped(&mut self, value: &str, i: &Instr) -> String {
        let raw = format!("(i32)((u32)({}) & {:#x}u)", plus(value, i.k.wrapping_neg()), i.mask);
        self.kept(&plus(&raw, i.k))
    }

    /// Leaves the state to the interpreter, in any case.
    fn leave(&mut self) -> String {
        self.line("return ASK;");
        "0".into()
    }

    fn answer(&mut self, question: Question, operand: &str, words: Words) -> String {
        if let Question::At(..) | Question::Remote { .. } = question {
            self.settle(words);
        }
        match question {
            Question::Pid if self.me.pid == NOBODY.pid => "0".into(),
            Question::Timeout if self.me.pid == NOBODY.pid => self.leave(),
            Question::Pid => self.me.number(),
            Question::Processes => self.count(),
            Question::Timeout => "c->timeout".into(),
            Question::Channel(query) => self.query(query, operand, words),
            Question::At(of, location) => self.of_process(operand, of.index(), |this, base| {
                let f = this.plan.listing.frames.types[of.index()].location;
                let raw = this.raw(words, (f.word + base, f.shift.into(), f.mask));
                format!("(i32)({raw} == {}u)", location.0)
            }),
            Question::Remote { process, slot, index } => {
                let index = index.map(|pc| self.run(pc, words, &mut Vec::new()));
                let index = index.map(|index| self.named(&index));
                self.of_process(operand, process.index(), |this, base| match (slot, &index) {
                    (Slot::One(f), _) if f.mask == 0 => constant(f.min),
                    (Slot::One(f), _) => {
                        plus(&signed(&this.raw(words, (f.word + base, f.shift.into(), f.mask))), f.min)
                    }
                    (Slot::Many(a), index) => {
                        let array = Array {
                            word: a.word + base,
                            first: a.first.into(),
                            log: a.log.into(),
                            len: a.len,
                        };
                        let index = index.clone().unwrap_or_else(|| "0".into());
                        this.ask_if(&format!("(u32){index} >= {}u", a.len));
                        let raw = this.load_element(words, array, &index);
                        plus(&signed(&raw), a.min)
                    }
                })
            }
            Question::NonProgress => {
                let some = self.some_location(words, |t| &t.progress);
                format!("(i32)(!{some})")
            }
            Question::Accepting => self.some_location(words, |t| &t.accepting),
            Question::Enabled | Question::LocationOf | Question::PriorityOf => self.leave(),
            Question::Poll(r) => self.poll(r, words),
        }
    }

    /// Is a process at one of the locations that a type has marked?
    fn some_location(&mut self, words: Words, is: impl Fn(&TypeCode) -> &Vec<bool>) -> String {
        self.settle(words);
        let (result, me) = (self.name(), self.me);
        self.line(format!("{result} = 0;"));
        for (n, &(of, base)) in self.plan.processes().iter().enumerate() {
            let marked = is(&self.plan.listing.types[of as usize]);
            if !marked.contains(&true) {
                continue;
            }
            self.me = Process { pid: n as u32, of: of as usize, base };
            let (count, location) = (self.count(), self.location(words));
            self.line(format!("if ({count} > {n}) switch ({location}) {{"));
            (0..marked.len()).filter(|&l| marked[l]).for_each(|l| self.line(format!("case {l}:")));
            self.line(format!("{result} = 1;\ndefault: break;\n}}"));
        }
        self.me = me;
        result
    }

    /// Something of the process of a type that the operand means, 0 if there is none.
    fn of_process(
        &mut self,
        operand: &str,
        of: usize,
        mut what: impl FnMut(&mut Self, u32) -> String,
    ) -> String {
        let (pid, result) = (self.named(operand), self.name());
        self.line(format!("{result} = 0;"));
        let mut first = true;
        for (n, &(other, base)) in self.plan.processes().iter().enumerate() {
            if other as usize != of {
                continue;
            }
            // -1 is the first of the type.
            let is = if first { format!("({pid} == {n} || {pid} == -1)") } else { format!("{pid} == {n}") };
            first = false;
            let count = self.count();
            self.line(format!("if ({is} && {count} > {n})"));
            self.block(|this| {
                let value = what(this, base);
                this.line(format!("{result} = {value};"));
            });
        }
        result
    }

    /// Asks the channel that the operand means.
    fn query(&mut self, query: Query, operand: &str, words: Words) -> String {
        let (id, result) = (self.named(operand), self.name());
        self.line(format!("switch ({id}) {{"));
        for (n, &door) in self.plan.doors.iter().enumerate() {
            self.line(format!("case {}:", n + 1));
            self.there(door);
            let queue = &self.plan.listing.frames.queues[door.kind as usize];
            let count = match queue.capacity {
                0 => "0u".into(),
                _ => self.messages(words, queue, door.at),
            };
            let answer = match (query, queue.capacity) {
                (Query::Len, _) => signed(&count),
                (Query::Empty, _) => format!("({count} == 0u)"),
                (Query::NonEmpty, _) => format!("({count} != 0u)"),
                (Query::Full, 0) => "0".into(),
                (Query::NonFull, 0) => "1".into(),
                (Query::Full, most) => format!("({count} >= {most}u)"),
                (Query::NonFull, most) => format!("({count} < {most}u)"),
            };
            self.line(format!("{result} = {answer}; break;"));
        }
        self.line("default: return ASK;\n}");
        result
    }
}

pub(super) fn popped(stack: &mut Vec<String>) -> String {
    stack.pop().expect("verified bytecode keeps its stack")
}
