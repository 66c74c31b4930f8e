//! Folding text at a width, as wide as a terminal shows it.

use unicode_width::UnicodeWidthStr;

/// How many columns of a terminal the text takes.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// The width of the widest word.
pub(super) fn longest_word(text: &str) -> usize {
    text.split(' ').map(width).max().unwrap_or(0)
}

/// The text in lines that are at most `limit` wide, but for characters that are wider themselves. Words are kept whole
/// if they fit a line. Nothing but spaces is lost.
pub(super) fn fold(text: &str, limit: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() {
            let longer = format!("{line} {word}");
            if width(&longer) <= limit {
                line = longer;
                continue;
            }
            lines.push(std::mem::take(&mut line).trim_end().to_string());
        }
        let mut rest = word;
        while let Some(at) = break_at(rest, limit) {
            lines.push(rest[..at].to_string());
            rest = &rest[at..];
        }
        line = rest.to_string();
    }
    if !line.is_empty() {
        lines.push(line.trim_end().to_string());
    }
    lines
}

/// Where to break a word that is too wide, none if it fits: after a separator in the second half, or as late as possible.
fn break_at(word: &str, limit: usize) -> Option<usize> {
    let (mut end, mut soft) = (0, 0);
    for (i, c) in word.char_indices() {
        let next = i + c.len_utf8();
        if width(&word[..next]) > limit && end > 0 {
            return Some(if soft * 2 > end { soft } else { end });
        }
        end = next;
        if ",|;)]}".contains(c) {
            soft = next;
        }
    }
    None
}

/// Appends the folded text: `first` before its first line, `indent` spaces before the others. No line is wider than
/// `limit` unless the limit is too small for what stands before a line and a character.
pub(super) fn hang(out: &mut String, first: &str, indent: usize, text: &str, limit: usize) {
    let lines = fold(text, limit.saturating_sub(indent.max(width(first))).max(1));
    for (i, line) in lines.iter().enumerate() {
        if i == 0 {
            *out += first;
        } else {
            out.extend(std::iter::repeat_n(' ', indent));
        }
        *out += line;
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_are_kept_whole() {
        assert_eq!(fold("x=1 a[2]=3 label", 9), ["x=1", "a[2]=3", "label"]);
        assert_eq!(fold("x=1 a[2]=3 label", 12), ["x=1 a[2]=3", "label"]);
        assert_eq!(fold("a  ‖  b", 20), ["a  ‖  b"]);
        assert_eq!(fold("", 5), Vec::<String>::new());
    }

    #[test]
    fn wide_words_are_broken_after_separators() {
        assert_eq!(fold("a=[10,20,30,40]", 8), ["a=[10,", "20,30,", "40]"]);
        assert_eq!(fold("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(fold("日本語", 5), ["日本", "語"]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_nothing_too_wide(
            text in "[a-z,|=\\[\\] 日é\u{301}\u{fe0f}#1👩\u{200d}]{0,80}", limit in 3usize..40
        ) {
            let lines = fold(&text, limit);
            let bare = |s: &str| s.chars().filter(|&c| c != ' ').collect::<String>();
            prop_assert_eq!(bare(&lines.concat()), bare(&text));
            for line in &lines {
                prop_assert!(width(line) <= limit && !line.is_empty(), "{:?}", line);
            }
        }
    }
}
