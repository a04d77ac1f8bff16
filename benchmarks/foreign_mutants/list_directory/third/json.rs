//! A small JSON reader and writer. The reader trusts treeproof to send valid JSON.

use std::fmt::{self, Display, Formatter};

#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    /// A text with a lone surrogate, which no Rust string can hold.
    BrokenText(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn read(text: &str) -> Json {
        Reader { bytes: text.as_bytes(), position: 0 }.value()
    }

    /// The last member with this name.
    pub fn member(&self, name: &str) -> Option<&Json> {
        let Json::Object(members) = self else { return None };
        members.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The last member with this name, or null.
    pub fn get(&self, name: &str) -> &Json {
        self.member(name).unwrap_or(&Json::Null)
    }

    pub fn text(&self) -> Option<&str> {
        if let Json::Text(text) = self { Some(text) } else { None }
    }

    pub fn bool(&self) -> Option<bool> {
        if let Json::Bool(value) = self { Some(*value) } else { None }
    }

    /// The texts of a list; empty if this is not a list.
    pub fn texts(&self) -> Vec<&str> {
        if let Json::List(items) = self { items.iter().filter_map(Json::text).collect() } else { vec![] }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl Reader<'_> {
    fn peek(&mut self) -> u8 {
        while self.bytes.get(self.position).is_some_and(u8::is_ascii_whitespace) {
            self.position += 1;
        }
        self.bytes.get(self.position).copied().unwrap_or(0)
    }

    fn skip(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte;
        self.position += usize::from(found);
        found
    }

    fn value(&mut self) -> Json {
        match self.peek() {
            b'{' => {
                self.position += 1;
                let mut members = vec![];
                while !self.skip(b'}') && self.peek() != 0 {
                    let name = self.string();
                    self.skip(b':');
                    let value = self.value();
                    self.skip(b',');
                    members.push((name.text().unwrap_or("\u{FFFD}").to_string(), value));
                }
                Json::Object(members)
            }
            b'[' => {
                self.position += 1;
                let mut items = vec![];
                while !self.skip(b']') && self.peek() != 0 {
                    items.push(self.value());
                    self.skip(b',');
                }
                Json::List(items)
            }
            b'"' => self.string(),
            _ => {
                let rest = &self.bytes[self.position..];
                let length = rest.iter().position(|b| b",]} \t\r\n".contains(b)).unwrap_or(rest.len());
                self.position += length;
                match &rest[..length] {
                    b"null" => Json::Null,
                    b"true" => Json::Bool(true),
                    b"false" => Json::Bool(false),
                    number => Json::Number(String::from_utf8_lossy(number).into_owned()),
                }
            }
        }
    }

    /// Reads a string as UTF-16 units, because an escape can be one half of a pair.
    fn string(&mut self) -> Json {
        self.peek();
        let rest = std::str::from_utf8(&self.bytes[self.position + 1..]).unwrap_or("\"");
        let mut units = vec![];
        let mut chars = rest.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.position += at + 2;
                    break;
                }
                '\\' => match chars.next().map_or('"', |(_, escape)| escape) {
                    'u' => {
                        let digits: String = chars.by_ref().take(4).map(|(_, digit)| digit).collect();
                        units.push(u16::from_str_radix(&digits, 16).unwrap_or(0xFFFD));
                    }
                    'b' => units.push(8),
                    'f' => units.push(12),
                    'n' => units.push(10),
                    'r' => units.push(13),
                    't' => units.push(9),
                    other => units.push(other as u16),
                },
                other => units.extend_from_slice(other.encode_utf16(&mut [0; 2])),
            }
        }
        String::from_utf16(&units).map_or_else(|_| Json::BrokenText(String::from_utf16_lossy(&units)), Json::Text)
    }
}

impl Display for Json {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Json::Null => write!(f, "null"),
            Json::Bool(value) => write!(f, "{value}"),
            Json::Number(digits) => write!(f, "{digits}"),
            Json::Text(text) => quote(text, f),
            Json::BrokenText(text) => quote(text, f),
            Json::List(items) => {
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if i == 0 { "[" } else { "," })?;
                }
                write!(f, "{}", if items.is_empty() { "[]" } else { "]" })
            }
            Json::Object(members) => {
                write!(f, "{{")?;
                for (i, (name, value)) in members.iter().enumerate() {
                    write!(f, "{}", if i == 0 { "" } else { "," })?;
                    quote(name, f)?;
                    write!(f, ":{value}")?;
                }
                write!(f, "}}")
            }
        }
    }
}

fn quote(text: &str, f: &mut Formatter) -> fmt::Result {
    let inner = crate::INNER.load(std::sync::atomic::Ordering::Relaxed);
    let b = |name: &str| inner && crate::b(name);
    write!(f, "\"")?;
    for c in text.chars() {
        match c {
            '\u{8}' | '\u{C}' if b("json_long_escapes") => write!(f, "\\u{:04x}", c as u32)?,
            '\t' | '\n' if b("json_long_tab") => write!(f, "\\u{:04x}", c as u32)?,
            '\0'..='\u{1F}' if b("json_controls_raw") => write!(f, "{c}")?,
            '\0'..='\u{1F}' if b("json_upper_hex") && !"\u{8}\u{C}\n\r\t".contains(c) => write!(f, "\\u{:04X}", c as u32)?,
            '/' if b("json_slash_escaped") => write!(f, "\\/")?,
            '<' | '>' | '&' if b("json_html_escaped") => write!(f, "\\u{:04x}", c as u32)?,
            '\u{2028}' | '\u{2029}' if b("json_separators_escaped") => write!(f, "\\u{:04x}", c as u32)?,
            '\u{7F}' if b("json_del_escaped") => write!(f, "\\u007f")?,
            c if c > '\u{7F}' && b("json_ascii_only") => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(f, "\\u{unit:04x}")?;
                }
            }
            c if c > '\u{FFFF}' && b("json_pairs_escaped") => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(f, "\\u{unit:04x}")?;
                }
            }
            '"' | '\\' => write!(f, "\\{c}")?,
            '\u{8}' => write!(f, "\\b")?,
            '\u{C}' => write!(f, "\\f")?,
            '\n' => write!(f, "\\n")?,
            '\r' => write!(f, "\\r")?,
            '\t' => write!(f, "\\t")?,
            '\0'..='\u{1F}' => write!(f, "\\u{:04x}", c as u32)?,
            _ => write!(f, "{c}")?,
        }
    }
    write!(f, "\"")
}
