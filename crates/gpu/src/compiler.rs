//! The compiler of CUDA (NVRTC), loaded when it is first needed, and the folder in which compiled texts are kept under their
//! hash.
//!
//! A compiler cannot be interrupted. So it runs in a thread of its own, and who has waited long enough leaves it there.

use crate::device::{Failed, NotReady};
use cudarc::nvrtc;
use riata_system::{Limits, Stop};
use std::ffi::CString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Texts with more characters than this are compiled with less effort, if the compiler knows the option.
const LARGE: usize = 100_000;
const LESS: &str = "--Ofast-compile=min";
/// How often it is looked whether there is time left.
const TURN: Duration = Duration::from_millis(20);

/// The folder for compiled texts, if there can be one.
fn folder() -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|p| p.is_absolute());
    let folder =
        cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))?.join("riata/gpu");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder)
}

/// Two hashes of a text, as a name.
fn name(text: &str, (major, minor): (i32, i32)) -> String {
    let hash = |salt: u32| {
        let mut hasher = DefaultHasher::new();
        (salt, env!("CARGO_PKG_VERSION"), LARGE, LESS, text).hash(&mut hasher);
        hasher.finish()
    };
    format!("{:016x}{:016x}-sm{major}{minor}.cubin", hash(0), hash(1))
}

/// The compiled text with a zero at its end, from the folder if it is there, and whether it was.
pub(crate) fn image(
    text: &str,
    capability: (i32, i32),
    compiles: bool,
    limits: &Limits,
) -> Result<(Vec<u8>, bool), NotReady> {
    let path = folder().map(|folder| folder.join(name(text, capability)));
    if let Some(mut image) = path.as_ref().and_then(|path| std::fs::read(path).ok())
        && !image.is_empty()
    {
        image.push(0);
        return Ok((image, true));
    }
    if !compiles {
        let message =
            "the compiler of CUDA (libnvrtc) is not on this machine, or not where libraries are looked for";
        return Err(Failed(message.into()).into());
    }
    let mut image = awaited(text, capability, limits)?;
    if let Some(path) = path {
        // Nobody sees half of it.
        let partial = path.with_extension(format!("{}.tmp", std::process::id()));
        if std::fs::write(&partial, &image).is_ok() {
            let _ = std::fs::rename(&partial, &path);
        }
    }
    image.push(0);
    Ok((image, false))
}

/// Compiles in another thread, for which nobody waits longer than the limits allow.
fn awaited(text: &str, capability: (i32, i32), limits: &Limits) -> Result<Vec<u8>, NotReady> {
    let (tell, told) = channel();
    let text = text.to_string();
    std::thread::spawn(move || {
        let _ = tell.send(compile(&text, capability));
    });
    loop {
        match told.recv_timeout(TURN) {
            Ok(made) => return Ok(made?),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failed("NVRTC: it has told nothing".into()).into());
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if limits.interrupt.is_some_and(|i| i.load(Ordering::Relaxed)) {
            return Err(NotReady::Stopped(Stop::Interrupted));
        }
        if limits.deadline.is_some_and(|d| Instant::now() >= d) {
            return Err(NotReady::Stopped(Stop::Time));
        }
    }
}

fn compile(text: &str, capability: (i32, i32)) -> Result<Vec<u8>, Failed> {
    if text.len() > LARGE
        && let Ok(image) = compile_with(text, capability, &[LESS])
    {
        return Ok(image);
    }
    compile_with(text, capability, &[])
}

fn compile_with(text: &str, (major, minor): (i32, i32), more: &[&str]) -> Result<Vec<u8>, Failed> {
    let failed = |e: nvrtc::result::NvrtcError| Failed(format!("NVRTC: {e:?}"));
    let source = CString::new(text).map_err(|e| Failed(e.to_string()))?;
    let program = nvrtc::result::create_program(&source, None).map_err(failed)?;
    let mut options =
        vec![format!("--gpu-architecture=sm_{major}{minor}"), "--std=c++17".into(), "-w".into()];
    options.extend(more.iter().map(|option| option.to_string()));
    // SAFETY: the program was just made, and its text lives until it is destroyed.
    let compiled = unsafe { nvrtc::result::compile_program(program, &options) };
    let made = match compiled {
        Ok(()) => cubin(program).map_err(failed),
        Err(e) => {
            // SAFETY: as above.
            let log = unsafe { nvrtc::result::get_program_log(program) }.unwrap_or_default();
            let log: Vec<u8> = log.into_iter().map(|c| c as u8).take_while(|&c| c != 0).collect();
            let log: String = String::from_utf8_lossy(&log).chars().take(2000).collect();
            Err(Failed(format!("NVRTC: {e:?}: {log}")))
        }
    };
    // SAFETY: nobody uses it any more.
    let _ = unsafe { nvrtc::result::destroy_program(program) };
    made
}

fn cubin(program: nvrtc::sys::nvrtcProgram) -> Result<Vec<u8>, nvrtc::result::NvrtcError> {
    let mut size = 0usize;
    // SAFETY: the program was compiled.
    unsafe { nvrtc::sys::nvrtcGetCUBINSize(program, &mut size) }.result()?;
    let mut image = vec![0u8; size];
    // SAFETY: there is room for it.
    unsafe { nvrtc::sys::nvrtcGetCUBIN(program, image.as_mut_ptr().cast()) }.result()?;
    Ok(image)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_waits_longer_than_the_limits_allow() {
        // SAFETY: it is only looked whether the library can be loaded.
        if !unsafe { nvrtc::sys::is_culib_present() } {
            return;
        }
        let lines: String = (0..20_000).map(|i| format!("x = x * {i} ^ (x >> {});\n", i % 7)).collect();
        let text =
            format!("extern \"C\" __global__ void f(unsigned *p) {{\nunsigned x = *p;\n{lines}*p = x;\n}}");
        let limits = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        assert_eq!(awaited(&text, (9, 0), &limits), Err(NotReady::Stopped(Stop::Time)));
        let small = "extern \"C\" __global__ void f(unsigned *p) { *p = 1; }";
        assert!(awaited(small, (9, 0), &Limits::default()).is_ok_and(|image| !image.is_empty()));
        assert!(matches!(awaited("no C", (9, 0), &Limits::default()), Err(NotReady::Failed(_))));
        let large = format!("{small}\n{}", "/* */\n".repeat(LARGE / 6 + 1));
        assert!(awaited(&large, (9, 0), &Limits::default()).is_ok());
    }
}
