//! Sizes of memory and spans of time, as the user writes them.

use std::time::Duration;

/// `2GiB`, `512MiB`, `100MB`, `64k`, `4096`: a number of bytes.
///
/// ```
/// assert_eq!(riata::size::bytes("2GiB"), Ok(2 << 30));
/// ```
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

/// `90`, `1.5`, `90s`, `5m`, `2h`, `300ms`: a span of time, in seconds if there is no unit.
///
/// ```
/// assert_eq!(riata::size::time("5m").unwrap().as_secs(), 300);
/// ```
pub fn time(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        unit => return Err(format!("unknown unit `{unit}`; write for example 90, 90s, 5m or 2h")),
    };
    let number: f64 = digits.trim().parse().map_err(|_| "write for example 90, 90s, 5m or 2h".to_string())?;
    Duration::try_from_secs_f64(number * factor).map_err(|e| e.to_string())
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
        assert_eq!(time("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(time("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(time("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(time("0.5h"), Ok(Duration::from_secs(1800)));
        assert_eq!(time("300ms"), Ok(Duration::from_millis(300)));
        for bad in ["", "x", "-1", "nan", "1e30", "5 days", "m"] {
            assert!(time(bad).is_err(), "{bad}");
        }
    }
}
