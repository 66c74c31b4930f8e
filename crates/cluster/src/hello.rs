//! Before timely sees a connection: both ends prove that they know the token, and tell what they are about to search.
//!
//! ```text
//! client → server   magic, nonce c
//! server → client   magic, nonce s
//! client → server   mac(token, "client", c, s, card), card
//! server → client   mac(token, "server", c, s, card), card          or why not
//! ```
//!
//! A card is the version, the hash of what is searched, who it is, and where it listens. The token itself is not sent.
//! What comes afterwards is neither signed nor hidden: it is for networks that are trusted, or for tunnels.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

const MAGIC: &[u8; 8] = b"riata\0\0\x01";
/// How long the other end may take for each of its lines.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// The longest card or refusal.
const LONGEST: u32 = 1 << 16;
/// A token has at least so many characters.
const SHORTEST: usize = 16;

/// A secret that all processes share.
#[derive(Clone)]
pub struct Token([u8; 32]);

impl Token {
    /// The token that is written in a file or a variable.
    ///
    /// # Errors
    /// In words, if it is too short.
    pub fn new(text: &str) -> Result<Token, String> {
        let text = text.trim();
        if text.len() < SHORTEST {
            return Err(format!("the token has {} characters; {SHORTEST} are needed at least", text.len()));
        }
        Ok(Token(blake3::derive_key("riata cluster 1 token", text.as_bytes())))
    }

    /// Random characters to make one of.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn random() -> Result<String, String> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|e| format!("there are no random numbers: {e}"))?;
        Ok(bytes.iter().map(|b| format!("{b:02x}")).collect())
    }

    fn mac(&self, who: &str, nonces: &[[u8; 32]; 2], card: &[u8]) -> blake3::Hash {
        let mut hash = blake3::Hasher::new_keyed(&self.0);
        hash.update(who.as_bytes()).update(&nonces[0]).update(&nonces[1]).update(card);
        hash.finalize()
    }
}

/// What a process tells of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The version of the program.
    pub version: String,
    /// What is searched.
    pub search: blake3::Hash,
    /// Which process it is.
    pub number: usize,
    /// Of how many.
    pub processes: usize,
    /// Where it listens.
    pub address: String,
}

impl Card {
    fn bytes(&self) -> Vec<u8> {
        let text = format!(
            "{}\n{}\n{}\n{}\n{}",
            self.version, self.search, self.number, self.processes, self.address
        );
        text.into_bytes()
    }

    fn read(bytes: &[u8]) -> Option<Card> {
        let mut lines = std::str::from_utf8(bytes).ok()?.split('\n');
        let version = lines.next()?.to_string();
        let search = blake3::Hash::from_hex(lines.next()?).ok()?;
        let (number, processes) = (lines.next()?.parse().ok()?, lines.next()?.parse().ok()?);
        let address = lines.next()?.to_string();
        lines.next().is_none().then_some(Card { version, search, number, processes, address })
    }

    /// Can this process work with another?
    ///
    /// # Errors
    /// In words, what differs.
    pub fn fits(&self, other: &Card) -> Result<(), String> {
        if self.version != other.version {
            let (a, b) = (&self.version, &other.version);
            return Err(format!("process {} is of version {b}, and this one of {a}", other.number));
        }
        if self.processes != other.processes {
            let (n, of, here) = (other.number, other.processes, self.processes);
            return Err(format!("process {n} believes to be one of {of}, and here there are {here}"));
        }
        if self.search != other.search {
            return Err(format!(
                "process {} has another model, other options or another checkpoint: all must have the same",
                other.number
            ));
        }
        Ok(())
    }
}

/// Why a connection is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unwelcome {
    /// One end does not want the other.
    Refused(String),
    /// The other end does not know the token.
    Stranger,
    /// It broke, or the other end is no such process.
    Broken(String),
}

fn broken(e: std::io::Error) -> Unwelcome {
    Unwelcome::Broken(e.to_string())
}

fn odd(what: &str) -> Unwelcome {
    Unwelcome::Broken(what.into())
}

fn nonce() -> Result<[u8; 32], Unwelcome> {
    let mut nonce = [0; 32];
    getrandom::fill(&mut nonce).map_err(|e| Unwelcome::Broken(e.to_string()))?;
    Ok(nonce)
}

fn begin(stream: &mut TcpStream, nonce: &[u8; 32]) -> Result<(), Unwelcome> {
    stream.write_all(&[&MAGIC[..], nonce].concat()).map_err(broken)
}

fn begun(stream: &mut TcpStream) -> Result<[u8; 32], Unwelcome> {
    let (mut magic, mut nonce) = ([0; 8], [0; 32]);
    stream.read_exact(&mut magic).map_err(broken)?;
    if magic != *MAGIC {
        return Err(odd("it is no process of this kind, or of another version"));
    }
    stream.read_exact(&mut nonce).map_err(broken)?;
    Ok(nonce)
}

/// Writes bytes with their length.
pub fn put(stream: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
    stream.write_all(&[&(bytes.len() as u32).to_le_bytes()[..], bytes].concat())
}

/// Reads bytes with their length.
pub fn get(stream: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if length > LONGEST {
        return Err(std::io::ErrorKind::InvalidData.into());
    }
    let mut bytes = vec![0; length as usize];
    stream.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// A card with its proof.
fn present(
    stream: &mut TcpStream,
    token: &Token,
    (who, nonces): (&str, &[[u8; 32]; 2]),
    card: &Card,
) -> Result<(), Unwelcome> {
    let bytes = card.bytes();
    let mac = token.mac(who, nonces, &bytes);
    put(stream, &[mac.as_bytes(), &bytes[..]].concat()).map_err(broken)
}

/// The card, if the proof is right.
fn examine(bytes: &[u8], token: &Token, (who, nonces): (&str, &[[u8; 32]; 2])) -> Result<Card, Unwelcome> {
    let Some((mac, card)) = bytes.split_first_chunk::<32>() else { return Err(odd("it says too little")) };
    // The comparison takes the same time for all.
    if blake3::Hash::from_bytes(*mac) != token.mac(who, nonces, card) {
        return Err(Unwelcome::Stranger);
    }
    Card::read(card).ok_or_else(|| odd("its card cannot be read"))
}

/// What a server says first.
const YES: &[u8] = b"y";
/// What is said to who does not know the token.
pub const STRANGER: &str = "the token is not the same";

/// Who connects; tells who is there. The server may take its time before it begins.
///
/// # Errors
/// If one does not want the other, or the connection breaks.
pub fn greet(stream: &mut TcpStream, token: &Token, card: &Card) -> Result<Card, Unwelcome> {
    let own = nonce()?;
    begin(stream, &own)?;
    let nonces = [own, begun(stream)?];
    present(stream, token, ("client", &nonces), card)?;
    let said = get(stream).map_err(broken)?;
    if said != YES {
        return Err(Unwelcome::Refused(String::from_utf8_lossy(&said).into_owned()));
    }
    let other = examine(&get(stream).map_err(broken)?, token, ("server", &nonces))?;
    card.fits(&other).map_err(Unwelcome::Refused)?;
    Ok(other)
}

/// Who is connected to; tells who came.
///
/// # Errors
/// If one does not want the other, or the connection breaks.
pub fn welcome(stream: &mut TcpStream, token: &Token, card: &Card) -> Result<Card, Unwelcome> {
    stream.set_read_timeout(Some(PATIENCE)).map_err(broken)?;
    let own = nonce()?;
    let nonces = [begun(stream)?, own];
    begin(stream, &own)?;
    let other = examine(&get(stream).map_err(broken)?, token, ("client", &nonces));
    let other = other.and_then(|other| match card.fits(&other) {
        Ok(()) => Ok(other),
        Err(why) => {
            // Seen from the other end.
            let theirs = other.fits(card).err().unwrap_or_else(|| why.clone());
            let _ = put(stream, theirs.as_bytes());
            Err(Unwelcome::Refused(why))
        }
    });
    if other == Err(Unwelcome::Stranger) {
        let _ = put(stream, STRANGER.as_bytes());
    }
    let other = other?;
    put(stream, YES).map_err(broken)?;
    present(stream, token, ("server", &nonces), card)?;
    stream.set_read_timeout(None).map_err(broken)?;
    Ok(other)
}
