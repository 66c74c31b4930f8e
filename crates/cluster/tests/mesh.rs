//! Rounds: everything that is sent in one arrives in it, and everybody hears of everybody.

mod together;

use riata_cluster::mesh::{Lost, Mesh};
use std::time::{Duration, Instant};
use together::{connections, together};

#[test]
fn what_is_sent_in_a_round_arrives_in_it() {
    for n in [1, 2, 3, 5] {
        let sums = together(n, |mesh| {
            let (me, mut got) = (mesh.me() as u32, Vec::new());
            for round in 0..30u32 {
                let mut sum = 0u64;
                // Some rounds are large, so that a parcel is not enough, and some processes are slow.
                let count = if round % 7 == 0 { 20_000 } else { round };
                for to in (0..n).filter(|&to| to != me as usize) {
                    for i in 0..count {
                        mesh.send(to, &[round, i]);
                    }
                }
                if (round + me) % 5 == 0 {
                    std::thread::sleep(Duration::from_millis(3));
                }
                let mut take = |mesh: &mut Mesh| {
                    for parcel in mesh.received() {
                        for record in parcel.records() {
                            assert_eq!(record[0], round);
                            sum += u64::from(record[1]) + 1;
                        }
                    }
                };
                mesh.step().expect("nobody is lost");
                take(mesh);
                mesh.close(&[me, round]);
                loop {
                    let over = mesh.wait().expect("nobody is lost");
                    take(mesh);
                    if over {
                        break;
                    }
                }
                let notes: Vec<Vec<u32>> = (0..n as u32).map(|p| vec![p, round]).collect();
                assert_eq!(mesh.notes(), notes);
                got.push((sum, u64::from(count) * u64::from(count + 1) / 2 * (n as u64 - 1)));
            }
            got
        });
        for (sum, expected) in sums.into_iter().flatten() {
            assert_eq!(sum, expected, "{n} processes");
        }
    }
}

#[test]
fn what_is_told_is_heard_at_once() {
    let heard = together(3, |mesh| {
        if mesh.me() == 2 {
            mesh.tell(0, &[7, 8]);
            mesh.tell(1, &[7, 9]);
        }
        let start = Instant::now();
        let mut heard = Vec::new();
        while heard.is_empty() && mesh.me() != 2 && start.elapsed() < Duration::from_secs(10) {
            mesh.step().expect("nobody is lost");
            heard = mesh.told();
        }
        if mesh.me() == 2 {
            let end = Instant::now() + Duration::from_millis(50);
            while Instant::now() < end {
                mesh.step().expect("nobody is lost");
            }
        }
        heard
    });
    assert_eq!(heard, [vec![(2, vec![7, 8])], vec![(2, vec![7, 9])], vec![]]);
}

#[test]
fn who_is_gone_is_missed() {
    let mut links = connections(3);
    // Process 2 is never there: its ends are closed.
    links.pop();
    let lost: Vec<Result<bool, Lost>> = std::thread::scope(|scope| {
        let handles: Vec<_> = (links.into_iter().enumerate())
            .map(|(me, links)| {
                scope.spawn(move || {
                    let mut mesh = Mesh::join(me, links).expect("a mesh");
                    mesh.send(2, &[1, 2, 3]);
                    mesh.close(&[]);
                    loop {
                        match mesh.wait() {
                            Ok(false) => {}
                            said => break said,
                        }
                    }
                })
            })
            .collect();
        handles.into_iter().map(|h| h.join().expect("no panic")).collect()
    });
    assert_eq!(lost, [Err(Lost), Err(Lost)]);
}
