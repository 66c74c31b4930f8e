//! The processes that search together: those on this machine are started, those on others are waited for.

use crate::args::{Common, Member};
use riata::cluster::hello::Token;
use riata::cluster::{Cluster, Keeping};
use riata::options::Spreading;
use riata::table::{self, Command};
use riata::{Error, How};
use std::cell::OnceCell;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

/// The token, and for processes that are started here where the first one listens. Other users do not see the environment
/// of a process, as they see its arguments.
const TOKEN: &str = "RIATA_TOKEN";
const LEADER: &str = "RIATA_LEADER";

/// How long to wait between two commits.
const EVERY: Duration = Duration::from_secs(1);

/// The version that all must have.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The processes of a call; they come together for the first model that asks for them.
pub struct Together<'a> {
    common: &'a Common,
    command: Command,
    cluster: OnceCell<Cluster>,
}

impl<'a> Together<'a> {
    /// Nobody yet.
    pub fn new(common: &'a Common, command: Command) -> Together<'a> {
        Together { common, command, cluster: OnceCell::new() }
    }

    /// Those who are asked for; nobody if what is asked for is refused anyway.
    pub fn cluster(&self, model: &Path, how: &How) -> Result<Option<&Cluster>, Error> {
        let asked = &how.options.spreading;
        if !asked.is_given() || table::refused(how.options, how.kind, self.command).is_some() {
            return Ok(None);
        }
        if let Some(cluster) = self.cluster.get() {
            return Ok(Some(cluster));
        }
        if model == Path::new("-") {
            return Err(Error::usage("a model from standard input cannot be read again: write it to a file"));
        }
        let mut cluster = match &self.common.member {
            Some(member) => join(asked, member),
            None => lead(asked),
        }
        .map_err(Error::Usage)?;
        cluster.keeping = keeping(asked);
        Ok(Some(self.cluster.get_or_init(|| cluster)))
    }
}

fn keeping(asked: &Spreading) -> Option<Keeping> {
    let folder = asked.checkpoint.as_ref().or(asked.resume.as_ref())?.clone();
    let every = asked.commit_every.unwrap_or(EVERY);
    Some(Keeping { folder, resume: asked.resume.is_some(), every })
}

/// The first process.
fn lead(asked: &Spreading) -> Result<Cluster, String> {
    match &asked.hosts {
        Some(file) => Cluster::on_hosts(VERSION, &hosts(file)?, 0, token(asked)?, asked.listen.as_deref()),
        None => Cluster::lead(VERSION, asked.processes.unwrap_or(1).into(), start),
    }
}

/// One of the others.
fn join(asked: &Spreading, member: &Member) -> Result<Cluster, String> {
    if let Some(file) = &asked.hosts {
        let listen = member.listen.as_deref();
        return Cluster::on_hosts(VERSION, &hosts(file)?, member.number, token(asked)?, listen);
    }
    let processes = asked.processes.unwrap_or(1).into();
    if member.number == 0 || member.number >= processes {
        return Err(format!("there is no process {} to be one of {processes}", member.number));
    }
    let leader = std::env::var(LEADER).map_err(
        |_| "the processes of --processes are started by the first one; on other hosts, give --hosts",
    )?;
    Cluster::follow(VERSION, (member.number, processes), &leader, token(asked)?)
}

/// Starts process `number`: the same program with the same arguments.
fn start(number: usize, leader: &str, token: &str) -> std::io::Result<Child> {
    std::process::Command::new(std::env::current_exe()?)
        .args(["worker", "--number", &number.to_string(), "--"])
        .args(std::env::args_os().skip(1))
        .env(LEADER, leader)
        .env(TOKEN, token)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}

/// The token, from a file or the environment.
fn token(asked: &Spreading) -> Result<Token, String> {
    let text = match &asked.token {
        Some(file) => {
            std::fs::read_to_string(file).map_err(|e| format!("cannot read {}: {e}", file.display()))?
        }
        None => std::env::var(TOKEN).map_err(|_| {
            format!(
                "the processes need a token: write one to a file and give it with --token, or set {TOKEN}"
            )
        })?,
    };
    Token::new(&text)
}

/// The addresses of the processes, a line each; what begins with # is no address.
fn hosts(file: &Path) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
    let mut hosts = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let port = line
            .rsplit_once(':')
            .and_then(|(host, port)| port.parse::<u16>().ok().filter(|_| !host.is_empty()));
        if port.is_none() {
            return Err(format!("{}:{}: `{line}` is no address; write host:port", file.display(), i + 1));
        }
        hosts.push(line.to_string());
    }
    if hosts.is_empty() {
        return Err(format!("{} has no addresses; write host:port, a line each", file.display()));
    }
    Ok(hosts)
}
