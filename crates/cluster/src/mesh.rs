//! Rounds: every process sends words to any other, and a round is over when all of them have arrived. The one place
//! that knows timely.
//!
//! The dataflow is `input → exchange → inbox`, and a round is an epoch of it. Timely carries the words and knows when
//! an epoch is over everywhere; the search itself runs outside of the dataflow, between two steps of it:
//!
//! ```text
//! loop
//!   send(to, words) …; step; received …      as long as there is work in this round
//!   close(note);
//!   repeat step; received … until the round is over;
//!   notes: what every process noted
//! ```
//!
//! A process that is ahead sends words of the next round already; they wait. What is decided from the notes of a round
//! is decided by every process alike, so there is no leader.

use crate::parcel::{Directly, Kind, Parcel};
use crate::wire::{Links, Wire};
use std::cell::RefCell;
use std::net::TcpStream;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};
use timely::WorkerConfig;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::{Allocator, Hooks};
use timely::container::NoopBuilder;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{Input, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

/// So many words are gathered for a process before they are sent.
const PARCEL: usize = 1 << 13;
/// How long to wait for something to come before looking round.
const MOMENT: Duration = Duration::from_millis(20);
/// How long to wait for others to part.
const PARTING: Duration = Duration::from_secs(2);

/// A process is gone, or cannot be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost;

type Inbox = Rc<RefCell<Vec<(u64, Parcel)>>>;

/// What there is if there are others.
struct Net {
    worker: Worker,
    input: InputHandle<u64, NoopBuilder<Parcel>>,
    probe: ProbeHandle<u64>,
    inbox: Inbox,
    links: Arc<Links>,
}

/// One of the processes that work together; or the only one.
pub struct Mesh {
    me: usize,
    processes: usize,
    round: u64,
    net: Option<Net>,
    /// For each process what is to be sent to it.
    out: Vec<Vec<u32>>,
    /// What has arrived in this round, and what is one of the next.
    now: Vec<Parcel>,
    later: Vec<(u64, Parcel)>,
    notes: Vec<Vec<u32>>,
    urgent: Vec<(usize, Vec<u32>)>,
}

impl Mesh {
    /// The only process.
    pub fn alone() -> Mesh {
        Mesh::with(0, 1, None)
    }

    /// Process `me`, with a connection to each of the others.
    ///
    /// # Errors
    /// If a thread cannot be had.
    pub fn join(me: usize, connections: Vec<Option<TcpStream>>) -> std::io::Result<Mesh> {
        let processes = connections.len();
        let links = Arc::new(Links::default());
        let wire = |stream: Option<TcpStream>| stream.map(|stream| Wire::new(stream, links.clone()));
        let wires: Vec<Option<Wire>> = connections.into_iter().map(wire).collect();
        let hooks = Hooks::default();
        let inside = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
        let (builders, guard) = initialize_networking_from_sockets(inside, wires, me, 1, hooks)?;
        // The threads end with their connections; one that waits for a process that is gone is not waited for.
        std::mem::forget(guard);
        let builder = builders.into_iter().next().ok_or(std::io::ErrorKind::Other)?;
        let allocator = Allocator::Tcp(builder.build());
        // Without a clock it would never sleep.
        let mut worker = Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
        let inbox = Inbox::default();
        let kept = inbox.clone();
        let (input, probe) = worker.dataflow::<u64, _, _>(move |scope| {
            let (input, stream) = scope.new_input_with_builder::<NoopBuilder<Parcel>>();
            let pact = DistributorPact(|_| Directly);
            let probe = stream
                .unary::<NoopBuilder<Parcel>, _, _, _>(pact, "inbox", |_, _| {
                    move |arrived, _| {
                        arrived.for_each(|time, parcel| {
                            kept.borrow_mut().push((*time.time(), std::mem::take(parcel)));
                        });
                    }
                })
                .probe()
                .0;
            (input, probe)
        });
        Ok(Mesh::with(me, processes, Some(Net { worker, input, probe, inbox, links })))
    }

    fn with(me: usize, processes: usize, net: Option<Net>) -> Mesh {
        Mesh {
            me,
            processes,
            round: 0,
            net,
            out: vec![Vec::new(); processes],
            now: Vec::new(),
            later: Vec::new(),
            notes: vec![Vec::new(); processes],
            urgent: Vec::new(),
        }
    }

    /// The number of this process.
    pub fn me(&self) -> usize {
        self.me
    }

    /// How many there are.
    pub fn processes(&self) -> usize {
        self.processes
    }

    /// The bytes that were sent by this process.
    pub fn sent(&self) -> u64 {
        self.net.as_ref().map_or(0, |net| net.links.sent())
    }

    /// Sends a record to another process, in this round.
    pub fn send(&mut self, to: usize, record: &[u32]) {
        let out = &mut self.out[to];
        out.push(record.len() as u32);
        out.extend_from_slice(record);
        if out.len() >= PARCEL {
            let words = std::mem::replace(out, Vec::with_capacity(PARCEL + record.len() + 1));
            self.post(to, Kind::Records, words);
        }
    }

    /// Tells another process something that it hears at once.
    pub fn tell(&mut self, to: usize, words: &[u32]) {
        self.post(to, Kind::Urgent, words.to_vec());
    }

    fn post(&mut self, to: usize, kind: Kind, words: Vec<u32>) {
        if let Some(net) = &mut self.net {
            net.input.send_batch(&mut Parcel::new((self.me, to), kind, words));
        }
    }

    /// Ends this process's part of the round; everybody gets the note.
    pub fn close(&mut self, note: &[u32]) {
        for to in 0..self.processes {
            let words = std::mem::take(&mut self.out[to]);
            if !words.is_empty() {
                self.post(to, Kind::Records, words);
            }
            if to != self.me {
                self.post(to, Kind::Note, note.to_vec());
            }
        }
        self.notes[self.me] = note.to_vec();
        if let Some(net) = &mut self.net {
            net.input.advance_to(self.round + 1);
        }
    }

    /// Lets words come and go. Does not wait.
    ///
    /// # Errors
    /// If a process is gone.
    pub fn step(&mut self) -> Result<(), Lost> {
        let Some(net) = &mut self.net else { return Ok(()) };
        net.worker.step();
        let lost = net.links.is_lost();
        self.sort();
        if lost { Err(Lost) } else { Ok(()) }
    }

    /// As [`Mesh::step`], after [`Mesh::close`]: waits a moment if nothing comes, and tells whether the round is over.
    ///
    /// # Errors
    /// If a process is gone before the round was over.
    pub fn wait(&mut self) -> Result<bool, Lost> {
        let Some(net) = &mut self.net else { return Ok(self.turn()) };
        // Looked at before the step: what came before the loss is taken into account.
        let lost = net.links.is_lost();
        net.worker.step();
        let mut over = !net.probe.less_than(&(self.round + 1));
        if !over && net.inbox.borrow().is_empty() {
            net.worker.step_or_park(Some(MOMENT));
            over = !net.probe.less_than(&(self.round + 1));
        }
        self.sort();
        match over {
            true => Ok(self.turn()),
            false if lost => Err(Lost),
            false => Ok(false),
        }
    }

    /// The next round begins.
    fn turn(&mut self) -> bool {
        self.round += 1;
        true
    }

    /// What has arrived in this round, since the last call.
    pub fn received(&mut self) -> Vec<Parcel> {
        std::mem::take(&mut self.now)
    }

    /// What every process noted in the round that is over.
    pub fn notes(&mut self) -> Vec<Vec<u32>> {
        let notes = std::mem::replace(&mut self.notes, vec![Vec::new(); self.processes]);
        // Those that are ahead have sent more.
        let round = self.round;
        for (time, parcel) in std::mem::take(&mut self.later) {
            self.place(round, time, parcel);
        }
        notes
    }

    /// What was told meanwhile, and by whom.
    pub fn told(&mut self) -> Vec<(usize, Vec<u32>)> {
        std::mem::take(&mut self.urgent)
    }

    fn sort(&mut self) {
        let Some(net) = &self.net else { return };
        let (arrived, round) = (std::mem::take(&mut *net.inbox.borrow_mut()), self.round);
        for (time, parcel) in arrived {
            self.place(round, time, parcel);
        }
    }

    fn place(&mut self, round: u64, time: u64, parcel: Parcel) {
        match parcel.kind {
            Kind::Urgent => self.urgent.push((parcel.from as usize, parcel.words)),
            _ if time != round => self.later.push((time, parcel)),
            Kind::Records => self.now.push(parcel),
            Kind::Note => {
                if let Some(note) = self.notes.get_mut(parcel.from as usize) {
                    *note = parcel.words;
                }
            }
        }
    }

    /// Parts from the others: one more round, after which nobody needs anything from anybody. Who is gone by then has
    /// everything it wanted.
    pub fn part(mut self) {
        self.close(&[]);
        while let Ok(false) = self.wait() {
            self.received();
        }
        let Some(Net { mut worker, input, links, .. }) = self.net else { return };
        if links.is_lost() {
            return;
        }
        drop(input);
        let end = Instant::now() + PARTING;
        while worker.has_dataflows() && Instant::now() < end {
            worker.step_or_park(Some(MOMENT));
        }
    }
}
