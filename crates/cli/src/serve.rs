//! `riata explore --serve`: a page to walk a model by hand, served to this machine only.
//!
//! The server listens on the loopback address. Its address has a random token, without which nothing is answered; the
//! header `Host` must name the address that was told, so that no other name leads here (DNS rebinding); and a request
//! that another page makes is refused by its `Origin`. There is one walk, whoever looks at it.

use crate::args::{Common, ExploreArgs};
use crate::interrupt::Interrupt;
use crate::output::{Exit, complain, print};
use crate::session::{Session, Shape};
use crate::walking::{self, Act};
use riata::report::{page, trace::Step};
use riata::subject::Walk;
use riata::{Error, How, Model, Options};
use riata_automata::random::Rng;
use serde_json::{Value, json};
use std::io::Read as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
use tiny_http::{Header, Method, Request, Response, Server};

/// How often it is asked whether to end.
const TURN: Duration = Duration::from_millis(100);
/// The longest request that is read.
const LONGEST: u64 = 1 << 16;

/// Runs the command.
pub fn run(args: &ExploreArgs, common: &Common) -> Exit {
    let named = args.model.to_string_lossy().into_owned();
    let session = Session::new("explore", std::slice::from_ref(&named), common, &args.look, Shape::Text);
    let mut options = Options::default();
    options.forms.chart = true;
    options.reading = args.reading.clone();
    let server = match Server::http((Ipv4Addr::LOCALHOST, args.port.unwrap_or(0))) {
        Ok(server) => server,
        Err(e) => return complain(common, &format!("cannot serve: {e}")),
    };
    let token = match token() {
        Ok(token) => token,
        Err(e) => return complain(common, &format!("there are no random numbers for a token: {e}")),
    };
    let Some(address) = server.server_addr().to_ip() else { return complain(common, "cannot serve") };
    let interrupt = Interrupt::listen();
    let walked = Model::open_as(&args.model, args.input, &options.reading).and_then(|mut model| {
        session.remarks(model.remarks());
        let how = How::new(&options, model.kind(), interrupt.flag(), &session);
        model.walk(&how, &mut |walk| {
            print(&format!("{named}: http://{address}/{token}/ (Ctrl-C ends)\n"));
            let mut guide = Guide { title: &named, walk, random: Rng::new(0), listed: 0 };
            guide.serve(&server, &Door { token: &token, address }, &interrupt)
        })
    });
    match walked {
        Err(error) if !interrupt.is_set() => session.fail(&error),
        _ => Exit::Holds,
    }
}

/// A token that nobody guesses.
fn token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|b| format!("{b:02x}")).collect())
}

/// Who comes in.
struct Door<'a> {
    token: &'a str,
    address: SocketAddr,
}

/// What somebody who came in wants.
#[derive(Debug, PartialEq, Eq)]
enum Wish {
    Page,
    Act,
}

impl Door<'_> {
    /// Lets a request in, or says why not: with a status and a word.
    fn admit(
        &self,
        (method, path): (&Method, &str),
        header: impl Fn(&'static str) -> Option<String>,
    ) -> Result<Wish, (u16, &'static str)> {
        let port = self.address.port();
        let known = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        if !header("Host").is_some_and(|host| known.contains(&host)) {
            return Err((421, "this is not the address that was told"));
        }
        if header("Origin").is_some_and(|o| !known.iter().any(|k| o == format!("http://{k}"))) {
            return Err((403, "another page asks"));
        }
        let inside = path.strip_prefix('/').and_then(|p| p.strip_prefix(self.token));
        match (inside, method) {
            (None, _) => Err((403, "the address has no token, or a wrong one")),
            (Some("/"), Method::Get) => Ok(Wish::Page),
            (Some("/act"), Method::Post) => Ok(Wish::Act),
            (Some("/" | "/act"), _) => Err((405, "not so")),
            _ => Err((404, "there is nothing here")),
        }
    }
}

/// Somebody who walks for those who look at the page.
struct Guide<'a> {
    title: &'a str,
    walk: &'a mut dyn Walk,
    random: Rng,
    /// How many steps were listed last.
    listed: usize,
}

impl Guide<'_> {
    fn serve(&mut self, server: &Server, door: &Door, interrupt: &Interrupt) -> Result<(), Error> {
        while !interrupt.is_set() {
            // Of a connection that failed there is nothing to be said.
            let Ok(Some(mut request)) = server.recv_timeout(TURN) else { continue };
            let header = |name: &'static str| {
                let found = request.headers().iter().find(|h| h.field.equiv(name));
                found.map(|h| h.value.to_string())
            };
            let response = match door.admit((request.method(), request.url()), header) {
                Err((status, why)) => reply(status, "text/plain", format!("{why}\n")),
                Ok(Wish::Page) => reply(200, "text/html", page::walk(self.title)),
                Ok(Wish::Act) => {
                    let told = match body(&mut request) {
                        Ok(wish) => self.act(&wish)?,
                        Err(why) => json!({ "error": why }),
                    };
                    reply(200, "application/json", told.to_string())
                }
            };
            let _ = request.respond(response);
        }
        Ok(())
    }

    /// Does what is wished for, and tells where the walk is.
    fn act(&mut self, wish: &Value) -> Result<Value, Error> {
        let mut says = None;
        match parse(wish) {
            Ok(None) => {}
            Ok(Some(_)) if wish["at"] != json!(self.walk.steps()) => {
                says = Some("the walk had gone on: this is where it is".to_string());
            }
            Ok(Some(act)) => match walking::act(self.walk, &mut self.random, self.listed, &act) {
                Ok(done) => says = done.says,
                // A wrong condition is no reason to stop.
                Err(error @ (Error::Text(_) | Error::Usage(_))) => says = Some(error.to_string()),
                Err(error) => return Err(error),
            },
            Err(why) => says = Some(why),
        }
        let mut told = self.here()?;
        if let Some(says) = says {
            told["error"] = says.into();
        }
        Ok(told)
    }

    /// Where the walk is: the steps that are possible, and the run so far.
    fn here(&mut self) -> Result<Value, Error> {
        let (choices, more) = self.walk.choices()?;
        self.listed = choices.len();
        let choice = |step: &Step| {
            let changes: Vec<&str> =
                step.cells.iter().map(String::as_str).filter(|c| !c.is_empty()).collect();
            json!({ "statement": step.statement, "place": step.place, "changes": changes.join(" ") })
        };
        let mut told = json!({
            "steps": self.walk.steps(),
            "choices": choices.iter().map(choice).collect::<Vec<_>>(),
            "more": more,
        });
        if self.walk.steps().is_some() {
            let run = page::alone(&self.walk.run("walk"));
            told["document"] = serde_json::from_str(&run).unwrap_or_default();
        }
        Ok(told)
    }
}

/// What a request wishes for; nothing but to look if it says so.
fn parse(wish: &Value) -> Result<Option<Act>, String> {
    let number = |field: &str| wish[field].as_u64().and_then(|n| usize::try_from(n).ok());
    let acts = [
        number("take").map(Act::Take),
        number("back").map(Act::Back),
        number("goto").map(Act::Goto),
        number("random").map(|n| Act::On(n.min(walking::MOST))),
        wish["until"].as_str().map(|c| Act::Until(c.into())),
    ];
    let mut given = acts.into_iter().flatten();
    let act = given.next();
    let known = ["take", "back", "goto", "random", "until", "at"];
    let object = wish.as_object().ok_or("a wish is an object")?;
    if given.next().is_some() || object.keys().any(|k| !known.contains(&k.as_str())) {
        return Err("a wish has one of take, back, goto, random and until".into());
    }
    if act.is_none() && object.keys().any(|k| k != "at") {
        return Err("a step, or a number of steps, is a number from 0 on".into());
    }
    Ok(act)
}

/// The object that a request brings.
fn body(request: &mut Request) -> Result<Value, String> {
    let mut text = String::new();
    let read = request.as_reader().take(LONGEST).read_to_string(&mut text);
    read.map_err(|e| e.to_string())?;
    serde_json::from_str(&text).map_err(|e| format!("a wish is an object: {e}"))
}

/// An answer that is not kept, and not told to others.
fn reply(status: u16, kind: &str, text: String) -> Response<std::io::Cursor<Vec<u8>>> {
    let headers = [
        ("Content-Type", format!("{kind}; charset=utf-8")),
        ("Cache-Control", "no-store".into()),
        ("Referrer-Policy", "no-referrer".into()),
        ("X-Content-Type-Options", "nosniff".into()),
        ("X-Frame-Options", "DENY".into()),
    ];
    let mut response = Response::from_string(text).with_status_code(status);
    for (name, value) in headers {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_knows_the_address_comes_in() {
        let door = Door { token: "0123", address: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)) };
        let admit = |method: Method, path: &str, host: Option<&str>, origin: Option<&str>| {
            let header = |name: &'static str| match name {
                "Host" => host.map(String::from),
                _ => origin.map(String::from),
            };
            door.admit((&method, path), header).map_err(|(status, _)| status)
        };
        let here = Some("127.0.0.1:8080");
        assert_eq!(admit(Method::Get, "/0123/", here, None), Ok(Wish::Page));
        assert_eq!(admit(Method::Post, "/0123/act", Some("localhost:8080"), None), Ok(Wish::Act));
        assert_eq!(admit(Method::Post, "/0123/act", here, Some("http://127.0.0.1:8080")), Ok(Wish::Act));
        for path in ["/", "/0124/", "/012/", "", "0123/", "/act", "/ 0123/"] {
            assert_eq!(admit(Method::Get, path, here, None), Err(403), "{path}");
        }
        for path in ["/0123", "/01234/", "/0123/other", "/0123//"] {
            assert_eq!(admit(Method::Get, path, here, None), Err(404), "{path}");
        }
        for host in [None, Some("127.0.0.1"), Some("evil.example:8080"), Some("127.0.0.1:80")] {
            assert_eq!(admit(Method::Get, "/0123/", host, None), Err(421), "{host:?}");
        }
        let other = Some("http://evil.example");
        assert_eq!(admit(Method::Post, "/0123/act", here, other), Err(403));
        assert_eq!(admit(Method::Get, "/0123/act", here, None), Err(405));
    }

    #[test]
    fn tokens_differ() {
        let [a, b] = [(); 2].map(|()| token().expect("random numbers"));
        assert!(a.len() == 32 && a != b);
    }

    #[test]
    fn wishes_are_read() {
        let wish = |text: &str| parse(&serde_json::from_str(text).expect("JSON"));
        assert_eq!(wish("{}"), Ok(None));
        assert_eq!(wish(r#"{"at":null}"#), Ok(None));
        assert_eq!(wish(r#"{"take":2,"at":1}"#), Ok(Some(Act::Take(2))));
        assert_eq!(wish(r#"{"until":"x == 1"}"#), Ok(Some(Act::Until("x == 1".into()))));
        assert_eq!(wish(r#"{"random":999999999}"#), Ok(Some(Act::On(walking::MOST))));
        for wrong in
            [r#"{"take":-1}"#, r#"{"take":"1"}"#, r#"{"take":1,"back":1}"#, r#"{"jump":1}"#, "[]", "3"]
        {
            assert!(wish(wrong).is_err(), "{wrong}");
        }
    }
}
