//! Making a program ready to run: layout, code, tables.

use crate::generate::{Generator, TooDeep};
use crate::ids::{ChanId, EdgeId, InstanceId, LocId, VarId};
use crate::interp::{Compiled, Interpreter, Kind, LOCKSTEP, NONE, Options, Table};
use crate::layout::{Layout, TooLarge};
use crate::machine::SHALLOW;
use crate::program::{Guard, Offer, Program, Scheduling, Statement};
use riata_source::{Diagnostic, Span};
use std::sync::OnceLock;

impl<'a> Interpreter<'a> {
    /// Compiles `program`, which must be well formed (see [`crate::verify`]).
    pub fn new(program: &'a Program, options: Options) -> Result<Self, Diagnostic> {
        let layout = Layout::new(program).map_err(|TooLarge { words }| {
            Diagnostic::error(
                Span::default(),
                format!("a state would need {words} words of 32 bits, too many"),
            )
        })?;
        let lockstep = program.scheduling == Scheduling::Lockstep;
        let mut this = Interpreter {
            program,
            options,
            code: Vec::new(),
            spans: Vec::new(),
            deep: false,
            edges: Vec::new(),
            receivers: vec![Vec::new(); program.channels.len()],
            tables: Vec::new(),
            commits: Vec::new(),
            propositions: Vec::new(),
            fallible: 0,
            asserts: Vec::new(),
            initial: initial(program, &layout),
            deps: OnceLock::new(),
            layout: layout.clone(),
        };
        let mut generator = Generator::new(program, &layout);
        this.compile(&mut generator, lockstep).map_err(|TooDeep { span }| {
            Diagnostic::error(span, "this expression nests too deep")
                .help("split it, with a variable for a part of it")
        })?;
        this.deep = generator.depth > SHALLOW;
        this.code = generator.code;
        this.spans = generator.spans;
        this.number_actions()?;
        Ok(this)
    }

    fn compile(&mut self, g: &mut Generator, lockstep: bool) -> Result<(), TooDeep> {
        let program = self.program;
        for me in program.instance_ids() {
            let process = program.process_of(me);
            let mut table = Table {
                location: self.layout.location(me),
                ranges: Vec::new(),
                committed: process.locations.iter().map(|l| l.committed && !lockstep).collect(),
                takes_part: Some(me) != program.claim || (lockstep && self.options.claim),
            };
            let mut from: Vec<Vec<EdgeId>> = vec![Vec::new(); process.locations.len()];
            for (e, edge) in process.edges.iter().enumerate() {
                from[edge.from.index()].push(EdgeId::new(e));
            }
            for edges in from {
                let start = self.edges.len() as u32;
                for e in edges {
                    let compiled = self.compile_edge(g, me, e, lockstep)?;
                    match &process.edges[e.index()].offer {
                        Offer::Receive(c, _) if compiled.kind == Kind::Meet(c.0) => {
                            self.receivers[c.index()].push(compiled);
                        }
                        _ => self.edges.push(compiled),
                    }
                }
                table.ranges.push((start, self.edges.len() as u32));
            }
            if table.committed.contains(&true) && table.takes_part {
                self.commits.push(me.0);
            }
            self.tables.push(table);
            for (l, location) in process.locations.iter().enumerate() {
                for &assert in &location.asserts {
                    let code = g.here();
                    g.expr(me, assert)?;
                    g.finish();
                    self.asserts.push((me, LocId::new(l), assert, code));
                }
            }
        }
        for (i, proposition) in program.propositions.iter().enumerate().take(64) {
            let mut fails = false;
            program.exprs.walk(proposition.expr, |_, e| fails |= e.may_fail());
            self.fallible |= u64::from(fails) << i;
        }
        for proposition in &program.propositions {
            self.propositions.push(g.here());
            g.expr(InstanceId(0), proposition.expr)?;
            g.finish();
        }
        Ok(())
    }

    fn compile_edge(
        &self,
        g: &mut Generator,
        me: InstanceId,
        e: EdgeId,
        lockstep: bool,
    ) -> Result<Compiled, TooDeep> {
        let edge = &self.program.process_of(me).edges[e.index()];
        let buffered = |c: ChanId| self.program.channels[c.index()].capacity > 0;
        let kind = match &edge.offer {
            _ if lockstep => Kind::Alone,
            Offer::None => Kind::Alone,
            Offer::Send(c, _) if buffered(*c) => Kind::Push(c.0),
            Offer::Receive(c, _) if buffered(*c) => Kind::Pull(c.0),
            Offer::Send(c, _) | Offer::Receive(c, _) => Kind::Meet(c.0),
        };
        let mut compiled = Compiled {
            instance: me.0,
            edge: e.0,
            from: edge.from.0,
            kind,
            guard: NONE,
            message: NONE,
            effect: 0,
            action: 0,
        };
        match edge.guard {
            Guard::Always => {}
            Guard::When(x) if self.program.exprs.constant(x).is_some_and(|k| k != 0) => {}
            Guard::When(x) => {
                compiled.guard = g.here();
                g.expr(me, x)?;
                g.finish();
            }
        }
        if kind != Kind::Alone
            && let Offer::Send(c, values) = &edge.offer
        {
            compiled.message = g.here();
            for (i, (&value, &domain)) in
                values.iter().zip(&self.program.channels[c.index()].fields).enumerate()
            {
                g.send(me, i, domain, value)?;
            }
            g.finish();
        }
        compiled.effect = g.here();
        g.go(me, edge.to.0, edge.span);
        if kind != Kind::Alone
            && let Offer::Receive(_, patterns) = &edge.offer
        {
            for (i, &pattern) in patterns.iter().enumerate() {
                g.receive(me, i, pattern, edge.span)?;
            }
        }
        for &Statement::Assign(place, value) in &edge.effect {
            g.assign(me, place, value)?;
        }
        g.finish();
        Ok(compiled)
    }

    fn number_actions(&mut self) -> Result<(), Diagnostic> {
        let mut next = 0u64;
        for edge in &mut self.edges {
            edge.action = u32::try_from(next).unwrap_or(u32::MAX);
            next += match edge.kind {
                Kind::Meet(c) => self.receivers[c as usize].len().max(1) as u64,
                _ => 1,
            };
        }
        if next >= u64::from(LOCKSTEP.0) {
            return Err(Diagnostic::error(Span::default(), "the program has more than 2^32 actions"));
        }
        Ok(())
    }
}

fn initial(program: &Program, layout: &Layout) -> Vec<u32> {
    let mut s = vec![0; layout.words()];
    let (shared, local) = program.variables_by_owner();
    let mut put = |v: VarId, i: InstanceId| {
        let values = &program.vars[v.index()].initial;
        layout.slot(v, i).fields().zip(values).for_each(|(f, &value)| f.store(&mut s, value));
    };
    shared.into_iter().for_each(|v| put(v, InstanceId(0)));
    for i in program.instance_ids() {
        local[program.instances[i.index()].process.index()].iter().for_each(|&v| put(v, i));
    }
    for i in program.instance_ids() {
        layout.location(i).store(&mut s, program.process_of(i).initial.0 as i32);
    }
    s
}
