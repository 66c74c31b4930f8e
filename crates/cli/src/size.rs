//! Sizes of memory and spans of time, as the user writes them.

use std::time::Duration;

/// `2GiB`, `512MiB`, `100MB`, `64k`, `4096`: a number of bytes.
pub fn bytes(text: &str) -> Result<usize, String> {
    let digits = text.trim().trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == ' ');
    let unit = text.trim()[digits.len()..].trim().to_ascii_lowercase();
    let factor: f64 = match unit.as_str() {
        "" | "b" => 1.0,
        "k" | "kib" => 1024.0,
        "m" | "mib" => 1024.0 * 1024.0,
        "g" | "gib" => 1024.0 * 1024.0 * 1024.0,
        "t" | "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "tb" => 1e12,
        _ => return Err(format!("unknown unit `{unit}`; write for example 512MiB or 2GiB")),
    };
    let number: f64 = digits.parse().map_err(|_| "write for example 512MiB or 2GiB".to_string())?;
    let bytes = number * factor;
    if !bytes.is_finite() || bytes < 1.0 || bytes > 2f64.powi(60) {
        return Err("this is not a possible size".into());
    }
    Ok(bytes as usize)
}

/// A number of seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 =
        text.trim_end_matches('s').parse().map_err(|_| "write a number of seconds".to_string())?;
    Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(bytes("2GiB"), Ok(2 << 30));
        assert_eq!(bytes("1.5 k"), Ok(1536));
        assert_eq!(bytes("100MB"), Ok(100_000_000));
        assert_eq!(bytes("4096"), Ok(4096));
        for bad in ["", "GiB", "2XB", "-1", "0", "1e400", "nan", "inf", "99999999TiB", "é"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(seconds("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(seconds("2s"), Ok(Duration::from_secs(2)));
        for bad in ["", "x", "-1", "nan", "1e30"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
