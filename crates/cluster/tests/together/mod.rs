//! Several processes in one: threads that are connected as processes are.

use riata_cluster::mesh::Mesh;
use std::net::{TcpListener, TcpStream};

/// Connections between all pairs, for each process its own.
pub fn connections(n: usize) -> Vec<Vec<Option<TcpStream>>> {
    let mut all: Vec<Vec<Option<TcpStream>>> = (0..n).map(|_| (0..n).map(|_| None).collect()).collect();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
        all[i][j] = Some(TcpStream::connect(address).expect("a connection"));
        all[j][i] = Some(listener.accept().expect("a connection").0);
    }
    all
}

/// What `each` of `n` processes says.
#[allow(dead_code)]
pub fn together<T: Send>(n: usize, each: impl Fn(&mut Mesh) -> T + Sync) -> Vec<T> {
    let each = &each;
    std::thread::scope(|scope| {
        let handles: Vec<_> = (connections(n).into_iter().enumerate())
            .map(|(me, links)| {
                scope.spawn(move || {
                    let mut mesh =
                        if n == 1 { Mesh::alone() } else { Mesh::join(me, links).expect("a mesh") };
                    let said = each(&mut mesh);
                    mesh.part();
                    said
                })
            })
            .collect();
        handles.into_iter().map(|h| h.join().expect("no panic")).collect()
    })
}
