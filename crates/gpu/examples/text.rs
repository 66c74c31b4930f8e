//! Writes the text that is made of a model, to be looked at or compiled by hand:
//! `cargo run -p riata-gpu --example text -- MODEL [NAME=VALUE…] > kernel.cu`.

use riata_gpu::{Plan, text};
use riata_program::{Asserts, Interpreter, Options, Passes, Program, Sees, optimise};

fn program(path: &str, macros: impl Iterator<Item = String>) -> Result<Program, String> {
    let source = std::fs::read(path).map_err(|e| format!("{path}: {e}"))?;
    if path.ends_with(".dve") {
        let model = riata_dve::parse(&String::from_utf8_lossy(&source)).map_err(|e| format!("{e:?}"))?;
        return Ok(model.program().clone());
    }
    let defines: String = macros.map(|m| format!("#define {}\n", m.replacen('=', " ", 1))).collect();
    let source = [defines.as_bytes(), &source].concat();
    let parsed = riata_promela::parse(path, &source, &Default::default(), &mut riata_promela::NoFiles);
    if parsed.failed() {
        return Err(format!("{:?}", parsed.diagnostics));
    }
    let lowered = riata_promela::lower::lower(&parsed).map_err(|e| format!("{e:?}"))?;
    Ok(optimise(&lowered.program, Passes::ALL, Sees::default()))
}

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which model?")?;
    let options = Options { asserts: Asserts::Count };
    let interpreter = Interpreter::new(program(&path, arguments)?, options).map_err(|d| d.message)?;
    let plan = Plan::new(&interpreter, true).map_err(|why| why.to_string())?;
    print!("{}", text(&plan, "model").map_err(|why| why.to_string())?);
    Ok(())
}
