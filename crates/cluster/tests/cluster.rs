//! Processes come together, or are refused.

use riata_cluster::cluster::{Apart, Cluster};
use riata_cluster::fingerprint;
use riata_cluster::hello::Token;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::AtomicBool;

const SECRET: &str = "not to be told to anybody";

fn hosts(n: usize) -> Vec<String> {
    let listeners: Vec<TcpListener> =
        (0..n).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    listeners.iter().map(|l| l.local_addr().expect("an address").to_string()).collect()
}

/// What each process says that is one of (version, model, secret).
fn meet(all: &[(&str, &str, &str)], before: impl FnOnce(&[String])) -> Vec<Result<usize, Apart>> {
    let hosts = hosts(all.len());
    let hosts = &hosts[..];
    std::thread::scope(|scope| {
        let one = |me: usize| {
            let (version, model, secret) = all[me];
            let token = Token::new(secret).expect("it is long");
            let cluster = Cluster::on_hosts(version, hosts, me, token, None).expect("a port");
            scope.spawn(move || {
                let mesh = cluster.connect(fingerprint(&[model]), &AtomicBool::new(false))?;
                let n = mesh.processes();
                mesh.part();
                Ok(n)
            })
        };
        let mut handles = vec![one(0)];
        before(hosts);
        handles.extend((1..all.len()).map(one));
        handles.into_iter().map(|h| h.join().expect("no panic")).collect()
    })
}

#[test]
fn those_who_are_alike_come_together() {
    for n in [2, 3, 5] {
        assert_eq!(meet(&vec![("1", "m", SECRET); n], |_| ()), vec![Ok(n); n]);
    }
}

#[test]
fn strangers_are_not_minded() {
    let stray = |hosts: &[String]| {
        let mut link = TcpStream::connect(&hosts[0]).expect("it listens");
        let _ = link.write_all(b"GET / HTTP/1.1\r\n\r\n and so on, long enough to be a hello");
        drop(TcpStream::connect(&hosts[0]).expect("it listens"));
    };
    assert_eq!(meet(&[("1", "m", SECRET); 2], stray), [Ok(2), Ok(2)]);
}

#[test]
fn those_who_differ_are_refused() {
    let refused = |said: &Result<usize, Apart>, why: &str| {
        assert!(matches!(said, Err(Apart::Refused(text)) if text.contains(why)), "{said:?}: {why}");
    };
    let said = meet(&[("1", "m", SECRET), ("2", "m", SECRET)], |_| ());
    refused(&said[0], "process 1 is of version 2");
    refused(&said[1], "process 0 is of version 1");
    let said = meet(&[("1", "m", SECRET), ("1", "n", SECRET)], |_| ());
    refused(&said[0], "process 1 has another model");
    refused(&said[1], "process 0 has another model");
}

#[test]
fn who_does_not_know_the_token_is_refused() {
    let hosts = hosts(2);
    let interrupt = AtomicBool::new(false);
    let of = |me, secret| {
        Cluster::on_hosts("1", &hosts, me, Token::new(secret).expect("long"), None).expect("a port")
    };
    let (zero, one) = (of(0, SECRET), of(1, "some other long token"));
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| zero.connect(fingerprint(&["m"]), &interrupt).map(|_| ()));
        let said = one.connect(fingerprint(&["m"]), &AtomicBool::new(false)).map(|_| ());
        assert!(matches!(&said, Err(Apart::Refused(why)) if why.contains("token")), "{said:?}");
        // Process 0 waits for the right one, until its user has enough.
        interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(waits.join().expect("no panic"), Err(Apart::Interrupted));
    });
}

#[test]
fn short_tokens_are_refused() {
    assert!(Token::new("   short token  \n").is_err_and(|why| why.contains("11 characters")));
}
