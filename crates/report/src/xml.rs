//! Text in XML: any string becomes one that every XML 1.0 parser accepts.

/// The text as the content of an element. `]]>` cannot occur in it, and line ends are kept as they are.
pub(crate) fn text(text: &str) -> String {
    escape(text, |c| matches!(c, '\r'))
}

/// The text as the value of an attribute between double quotes. White space is kept as it is.
pub(crate) fn attribute(text: &str) -> String {
    escape(text, |c| matches!(c, '\t' | '\n' | '\r'))
}

/// Escapes markup, and the characters that a parser would turn into others. What XML 1.0 cannot have at all becomes the
/// replacement character.
fn escape(text: &str, by_number: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            c if by_number(c) => out += &format!("&#{};", c as u32),
            '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'.. => {
                out.push(c)
            }
            _ => out.push('\u{fffd}'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What a reader gets for a string: the string, but for characters that XML cannot have.
    fn read(text: &str) -> String {
        let forbidden = |c: char| (c < ' ' && !"\t\n\r".contains(c)) || matches!(c, '\u{fffe}' | '\u{ffff}');
        text.chars().map(|c| if forbidden(c) { '\u{fffd}' } else { c }).collect()
    }

    fn round(string: &str) {
        let xml = format!("<a b=\"{}\">{}</a>", attribute(string), text(string));
        let read_back = roxmltree::Document::parse(&xml).unwrap();
        let root = read_back.root_element();
        assert_eq!(root.attribute("b"), Some(read(string).as_str()));
        assert_eq!(root.text().unwrap_or(""), read(string));
    }

    #[test]
    fn hostile_strings_come_back() {
        let hostile =
            ["", "]]>", "<![CDATA[", "a\r\nb\rc\td", "\0\u{1b}[31m", "\"'&lt;<>", "\u{fffe}\u{ffff}"];
        hostile.into_iter().chain(["†‖𝄞\u{7f}\u{85}\u{2028}", "<!-- -- -->", "<?xml?>"]).for_each(round);
    }

    proptest! {
        #[test]
        fn every_string_comes_back(string in any::<String>()) {
            round(&string);
        }
    }
}
