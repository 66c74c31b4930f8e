//! Reading input.

use std::io::Read;
use std::path::Path;

/// An input, and its name for messages.
pub struct Input {
    /// As the user named it.
    pub given: String,
    /// For messages.
    pub name: String,
    /// The content.
    pub bytes: Vec<u8>,
}

impl Input {
    /// Reads a file; `-` is standard input. Tells why it cannot.
    pub fn read(path: &Path) -> Result<Input, String> {
        let name =
            if path == Path::new("-") { "<stdin>".into() } else { path.to_string_lossy().into_owned() };
        let mut bytes = Vec::new();
        let read = if path == Path::new("-") {
            std::io::stdin().lock().read_to_end(&mut bytes).map(|_| ())
        } else {
            std::fs::read(path).map(|b| bytes = b)
        };
        match read {
            Ok(()) => Ok(Input { given: path.to_string_lossy().into_owned(), name, bytes }),
            Err(e) => Err(format!("cannot read {name}: {e}")),
        }
    }
}
