//! Who the processes are, and how they come together for a search.
//!
//! ```text
//! process 0:  accept the others, one after the other; tell all of them where everybody listens
//! process i:  connect to 0, and tell where it listens; hear where everybody does;
//!             connect to 1 … i − 1; accept i + 1 … n − 1
//! ```
//!
//! Every search has connections of its own, with a handshake of its own ([`hello`](mod@crate::hello)): what is searched must be the
//! same everywhere.

use crate::hello::{Card, STRANGER, Token, Unwelcome, get, greet, put, welcome};
use crate::mesh::Mesh;
use socket2::{SockRef, TcpKeepalive};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Child;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How often to look whether somebody comes.
const MOMENT: Duration = Duration::from_millis(5);
/// How long the others have to come: for the first search, and for those after it, as some may still be busy.
const FIRST: Duration = Duration::from_secs(120);
const LATER: Duration = Duration::from_secs(600);
/// Who says nothing for so long is asked whether it is still there.
const SILENCE: Duration = Duration::from_secs(30);
/// How long those that were started have to end.
const PARTING: Duration = Duration::from_secs(5);

/// Why there is no mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Apart {
    /// Processes that cannot work together.
    Refused(String),
    /// A process did not come, or is gone.
    Lost(String),
    /// The user does not want it any more.
    Interrupted,
}

/// Where a search is written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keeping {
    /// The directory.
    pub folder: PathBuf,
    /// Is there one to go on with?
    pub resume: bool,
    /// How long to wait between two commits, at least.
    pub every: Duration,
}

/// A process among those that work together, or the only one.
pub struct Cluster {
    version: String,
    me: usize,
    processes: usize,
    /// Are all of them on this machine?
    local: bool,
    /// What others connect to.
    listener: Option<TcpListener>,
    /// Where process 0 listens, and where this one does.
    leader: String,
    address: String,
    token: Option<Token>,
    /// The processes that this one has started.
    children: Children,
    searches: AtomicUsize,
    /// Where searches are written down, if they are.
    pub keeping: Option<Keeping>,
}

impl Cluster {
    /// The only process.
    pub fn alone(version: &str) -> Cluster {
        Cluster {
            version: version.into(),
            me: 0,
            processes: 1,
            local: true,
            listener: None,
            leader: String::new(),
            address: String::new(),
            token: None,
            children: Children::default(),
            searches: AtomicUsize::new(0),
            keeping: None,
        }
    }

    /// Process 0 of some on this machine; `start` starts another one, which is told its number, where to come to, and
    /// the token.
    ///
    /// # Errors
    /// In words, if one cannot be started.
    pub fn lead(
        version: &str,
        processes: usize,
        mut start: impl FnMut(usize, &str, &str) -> std::io::Result<Child>,
    ) -> Result<Cluster, String> {
        let mut cluster = Cluster { processes, ..Cluster::alone(version) };
        if processes == 1 {
            return Ok(cluster);
        }
        let secret = Token::random()?;
        cluster.token = Some(Token::new(&secret)?);
        cluster.listen("127.0.0.1:0")?;
        cluster.leader.clone_from(&cluster.address);
        for number in 1..processes {
            let child = start(number, &cluster.leader, &secret);
            let child = child.map_err(|e| format!("process {number} cannot be started: {e}"))?;
            cluster.children.lock().push(child);
        }
        Ok(cluster)
    }

    /// Another one on this machine, which comes to `leader`.
    ///
    /// # Errors
    /// In words, if there is no port.
    pub fn follow(
        version: &str,
        (me, processes): (usize, usize),
        leader: &str,
        token: Token,
    ) -> Result<Cluster, String> {
        let token = Some(token);
        let mut cluster = Cluster { me, processes, token, leader: leader.into(), ..Cluster::alone(version) };
        cluster.listen("127.0.0.1:0")?;
        Ok(cluster)
    }

    /// Process `me` of those on `hosts`, which are told as `host:port`. It listens there, or where `listen` says.
    ///
    /// # Errors
    /// In words, if it cannot listen there.
    pub fn on_hosts(
        version: &str,
        hosts: &[String],
        me: usize,
        token: Token,
        listen: Option<&str>,
    ) -> Result<Cluster, String> {
        let (processes, local) = (hosts.len(), false);
        let mut cluster = Cluster { me, processes, local, token: Some(token), ..Cluster::alone(version) };
        let (Some(leader), Some(own)) = (hosts.first(), hosts.get(me)) else {
            return Err(format!("there is no process {me} among {processes} hosts"));
        };
        cluster.listen(listen.unwrap_or(own))?;
        (cluster.leader, cluster.address) = (leader.clone(), own.clone());
        Ok(cluster)
    }

    fn listen(&mut self, at: &str) -> Result<(), String> {
        let wrong = |e: std::io::Error| format!("cannot listen at {at}: {e}");
        let listener = TcpListener::bind(at).map_err(wrong)?;
        listener.set_nonblocking(true).map_err(wrong)?;
        self.address = listener.local_addr().map_err(wrong)?.to_string();
        self.listener = Some(listener);
        Ok(())
    }

    /// The number of this process.
    pub fn me(&self) -> usize {
        self.me
    }

    /// How many there are.
    pub fn processes(&self) -> usize {
        self.processes
    }

    /// How many share the memory of this machine.
    pub fn sharing(&self) -> usize {
        if self.local { self.processes } else { 1 }
    }

    /// The version of the program.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The number of the search that begins now: every process counts alike.
    pub fn next_search(&self) -> usize {
        self.searches.fetch_add(1, Ordering::Relaxed)
    }

    /// Comes together with the others, for a search that is known by this hash.
    ///
    /// # Errors
    /// If that is not possible.
    pub fn connect(&self, search: blake3::Hash, interrupt: &AtomicBool) -> Result<Mesh, Apart> {
        let (Some(listener), Some(token)) = (&self.listener, &self.token) else { return Ok(Mesh::alone()) };
        let first = self.searches.load(Ordering::Relaxed) <= 1;
        let end = Instant::now() + if first { FIRST } else { LATER };
        let card = Card {
            version: self.version.clone(),
            search,
            number: self.me,
            processes: self.processes,
            address: self.address.clone(),
        };
        let meeting = Meeting { cluster: self, listener, token, card, end, interrupt };
        let links = if self.me == 0 { meeting.gather()? } else { meeting.join()? };
        let lost = |e: std::io::Error| Apart::Lost(e.to_string());
        for link in links.iter().flatten() {
            link.set_nodelay(true).map_err(lost)?;
            missed(link).map_err(lost)?;
        }
        Mesh::join(self.me, links).map_err(lost)
    }
}

/// Processes that were started.
#[derive(Default)]
struct Children(Mutex<Vec<Child>>);

impl Children {
    fn lock(&self) -> MutexGuard<'_, Vec<Child>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has one of them ended?
    fn ended(&self) -> Option<String> {
        let ended = |(i, child): (usize, &mut Child)| {
            let status = child.try_wait().ok()??;
            Some(format!("process {} has ended ({status})", i + 1))
        };
        self.lock().iter_mut().enumerate().find_map(ended)
    }
}

impl Drop for Children {
    /// Waits for them; who does not end is ended.
    fn drop(&mut self) {
        let end = Instant::now() + PARTING;
        for child in self.lock().iter_mut() {
            while Instant::now() < end && matches!(child.try_wait(), Ok(None)) {
                sleep(MOMENT);
            }
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Lets the system notice that the other end is gone without a word, as after a power failure.
fn missed(link: &TcpStream) -> std::io::Result<()> {
    let alive = TcpKeepalive::new().with_time(SILENCE).with_interval(SILENCE / 3);
    let socket = SockRef::from(link);
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(2 * SILENCE))?;
    socket.set_tcp_keepalive(&alive)
}

type Links = Vec<Option<TcpStream>>;

/// Processes come together.
struct Meeting<'a> {
    cluster: &'a Cluster,
    listener: &'a TcpListener,
    token: &'a Token,
    card: Card,
    end: Instant,
    interrupt: &'a AtomicBool,
}

impl Meeting<'_> {
    /// What process 0 does.
    fn gather(&self) -> Result<Links, Apart> {
        let mut links = self.nobody();
        let mut addresses = vec![self.card.address.clone(); links.len()];
        while let Some(missing) = links.iter().skip(1).position(Option::is_none) {
            let (link, who) = self.accept(missing + 1)?;
            if let Some(slot) = links.get_mut(who.number).filter(|slot| who.number > 0 && slot.is_none()) {
                *slot = Some(link);
                addresses[who.number] = who.address;
            }
        }
        let all = addresses.join("\n");
        for (number, link) in links.iter_mut().enumerate() {
            if let Some(link) = link {
                put(link, all.as_bytes()).map_err(|e| gone(number, e))?;
            }
        }
        Ok(links)
    }

    /// What every other one does.
    fn join(&self) -> Result<Links, Apart> {
        let mut links = self.nobody();
        let me = self.cluster.me;
        let mut leader = self.reach(0, &self.cluster.leader)?;
        let all = get(&mut leader).map_err(|e| gone(0, e))?;
        links[0] = Some(leader);
        let all = String::from_utf8_lossy(&all).into_owned();
        let addresses: Vec<&str> = all.split('\n').collect();
        if addresses.len() != links.len() {
            return Err(Apart::Lost("process 0 tells of other processes than there are".into()));
        }
        for number in 1..me {
            links[number] = Some(self.reach(number, addresses[number])?);
        }
        while let Some(missing) = (me + 1..links.len()).find(|&i| links[i].is_none()) {
            let (link, who) = self.accept(missing)?;
            if let Some(slot) = links.get_mut(who.number).filter(|slot| who.number > me && slot.is_none()) {
                *slot = Some(link);
            }
        }
        Ok(links)
    }

    fn nobody(&self) -> Links {
        (0..self.cluster.processes).map(|_| None).collect()
    }

    /// Is it no use to wait any longer for process `number`?
    fn patience(&self, number: usize) -> Result<(), Apart> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(Apart::Interrupted);
        }
        if let Some(ended) = self.cluster.children.ended() {
            return Err(Apart::Lost(ended));
        }
        if Instant::now() >= self.end {
            return Err(Apart::Lost(format!("process {number} did not come")));
        }
        sleep(MOMENT);
        Ok(())
    }

    /// Somebody who comes, and is welcome. Who is of another kind is not minded.
    fn accept(&self, missing: usize) -> Result<(TcpStream, Card), Apart> {
        loop {
            match self.listener.accept() {
                Ok((mut link, _)) => {
                    let usable = link.set_nonblocking(false).is_ok();
                    match welcome(&mut link, self.token, &self.card) {
                        Ok(who) if usable => return Ok((link, who)),
                        Err(Unwelcome::Refused(why)) => return Err(Apart::Refused(why)),
                        _ => {}
                    }
                }
                Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => self.patience(missing)?,
                Err(e) => return Err(Apart::Lost(e.to_string())),
            }
        }
    }

    /// A connection to process `number`.
    fn reach(&self, number: usize, address: &str) -> Result<TcpStream, Apart> {
        let mut link = loop {
            match TcpStream::connect(address) {
                Ok(link) => break link,
                // On this machine everybody listens from the beginning.
                Err(e) if self.cluster.local || Instant::now() + MOMENT >= self.end => {
                    return Err(gone(number, e));
                }
                Err(_) => self.patience(number)?,
            }
        };
        match greet(&mut link, self.token, &self.card) {
            Ok(_) => Ok(link),
            Err(Unwelcome::Refused(why)) => Err(Apart::Refused(why)),
            Err(Unwelcome::Stranger) => Err(Apart::Refused(STRANGER.into())),
            Err(Unwelcome::Broken(why)) => Err(Apart::Lost(format!("process {number} at {address}: {why}"))),
        }
    }
}

fn gone(number: usize, e: std::io::Error) -> Apart {
    Apart::Lost(format!("process {number}: {e}"))
}
