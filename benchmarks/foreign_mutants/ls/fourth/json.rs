// A small JSON reader and writer. Strings are WTF-8: lone surrogates survive. Numbers keep their text.
use crate::b;

#[derive(Clone, Debug, PartialEq)]
pub enum J {
    Null,
    Bool(bool),
    Num(String),
    Str(Vec<u8>),
    Arr(Vec<J>),
    Obj(Vec<(Vec<u8>, J)>),
}

pub fn s(t: &str) -> J {
    J::Str(t.as_bytes().to_vec())
}
pub fn n(i: i128) -> J {
    J::Num(i.to_string())
}
pub fn obj(m: Vec<(&str, J)>) -> J {
    J::Obj(m.into_iter().map(|(k, v)| (k.as_bytes().to_vec(), v)).collect())
}
impl J {
    pub fn get(&self, k: &str) -> Option<&J> {
        match self {
            J::Obj(m) => m.iter().find(|(n, _)| n == k.as_bytes()).map(|(_, v)| v),
            _ => None,
        }
    }
    pub fn str(&self) -> String {
        match self {
            J::Str(b) => String::from_utf8_lossy(b).into_owned(),
            _ => String::new(),
        }
    }
}

pub fn push_cp(out: &mut Vec<u8>, c: u32) {
    if c < 0x80 {
        out.push(c as u8);
    } else if c < 0x800 {
        out.push(0xC0 | (c >> 6) as u8);
        out.push(0x80 | (c & 63) as u8);
    } else if c < 0x10000 {
        out.push(0xE0 | (c >> 12) as u8);
        out.push(0x80 | (c >> 6 & 63) as u8);
        out.push(0x80 | (c & 63) as u8);
    } else {
        out.push(0xF0 | (c >> 18) as u8);
        out.push(0x80 | (c >> 12 & 63) as u8);
        out.push(0x80 | (c >> 6 & 63) as u8);
        out.push(0x80 | (c & 63) as u8);
    }
}

/// The code points of a WTF-8 string.
pub fn cps(t: &[u8]) -> Vec<u32> {
    let mut out = Vec::new();
    let mut i = 0;
    while i < t.len() {
        let c = t[i] as u32;
        let (len, start) = if c < 0x80 {
            (1, c)
        } else if c < 0xE0 {
            (2, c & 31)
        } else if c < 0xF0 {
            (3, c & 15)
        } else {
            (4, c & 7)
        };
        let mut v = start;
        for k in 1..len {
            v = v << 6 | (*t.get(i + k).unwrap_or(&0) as u32 & 63);
        }
        out.push(v);
        i += len;
    }
    out
}

pub struct P<'a> {
    t: &'a [u8],
    i: usize,
}

pub fn parse(t: &[u8]) -> Option<J> {
    let mut p = P { t, i: 0 };
    let v = p.value()?;
    p.ws();
    if p.i == t.len() { Some(v) } else { None }
}

impl<'a> P<'a> {
    fn ws(&mut self) {
        while self.i < self.t.len() && matches!(self.t[self.i], b' ' | b'\t' | b'\n' | b'\r') {
            self.i += 1;
        }
    }
    fn peek(&mut self) -> Option<u8> {
        self.ws();
        self.t.get(self.i).copied()
    }
    fn word(&mut self, w: &str, v: J) -> Option<J> {
        if self.t[self.i..].starts_with(w.as_bytes()) {
            self.i += w.len();
            Some(v)
        } else {
            None
        }
    }
    fn value(&mut self) -> Option<J> {
        match self.peek()? {
            b'n' => self.word("null", J::Null),
            b't' => self.word("true", J::Bool(true)),
            b'f' => self.word("false", J::Bool(false)),
            b'"' => Some(J::Str(self.string()?)),
            b'[' => {
                self.i += 1;
                let mut a = Vec::new();
                if self.peek()? == b']' {
                    self.i += 1;
                    return Some(J::Arr(a));
                }
                loop {
                    a.push(self.value()?);
                    let c = self.peek()?;
                    self.i += 1;
                    match c {
                        b',' => {}
                        b']' => return Some(J::Arr(a)),
                        _ => return None,
                    }
                }
            }
            b'{' => {
                self.i += 1;
                let mut m: Vec<(Vec<u8>, J)> = Vec::new();
                if self.peek()? == b'}' {
                    self.i += 1;
                    return Some(J::Obj(m));
                }
                loop {
                    if self.peek()? != b'"' {
                        return None;
                    }
                    let k = self.string()?;
                    if self.peek()? != b':' {
                        return None;
                    }
                    self.i += 1;
                    let v = self.value()?;
                    if let Some(old) = m.iter_mut().find(|(n, _)| *n == k) {
                        old.1 = v;
                    } else {
                        m.push((k, v));
                    }
                    let c = self.peek()?;
                    self.i += 1;
                    match c {
                        b',' => {}
                        b'}' => return Some(J::Obj(m)),
                        _ => return None,
                    }
                }
            }
            b'-' | b'0'..=b'9' => {
                let a = self.i;
                while self.i < self.t.len()
                    && matches!(self.t[self.i], b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')
                {
                    self.i += 1;
                }
                Some(J::Num(String::from_utf8_lossy(&self.t[a..self.i]).into_owned()))
            }
            _ => None,
        }
    }
    fn hex4(&mut self) -> Option<u32> {
        let h = self.t.get(self.i..self.i + 4)?;
        self.i += 4;
        u32::from_str_radix(std::str::from_utf8(h).ok()?, 16).ok()
    }
    fn string(&mut self) -> Option<Vec<u8>> {
        self.i += 1;
        let mut out = Vec::new();
        loop {
            let c = *self.t.get(self.i)?;
            self.i += 1;
            match c {
                b'"' => return Some(out),
                b'\\' => {
                    let e = *self.t.get(self.i)?;
                    self.i += 1;
                    match e {
                        b'b' => out.push(8),
                        b'f' => out.push(12),
                        b'n' => out.push(10),
                        b'r' => out.push(13),
                        b't' => out.push(9),
                        b'u' => {
                            let mut c = self.hex4()?;
                            if (0xD800..0xDC00).contains(&c) && self.t[self.i..].starts_with(b"\\u") {
                                let back = self.i;
                                self.i += 2;
                                let d = self.hex4()?;
                                if (0xDC00..0xE000).contains(&d) {
                                    c = 0x10000 + ((c - 0xD800) << 10) + (d - 0xDC00);
                                } else {
                                    self.i = back;
                                }
                            }
                            push_cp(&mut out, c);
                        }
                        o => out.push(o),
                    }
                }
                c => out.push(c),
            }
        }
    }
}

fn write_str(t: &[u8], out: &mut Vec<u8>, inner: bool) {
    out.push(b'"');
    let mut i = 0;
    while i < t.len() {
        let c = t[i];
        match c {
            b'"' => out.extend(b"\\\""),
            b'\\' => out.extend(b"\\\\"),
            b'\n' => out.extend(b"\\n"),
            b'\t' => out.extend(b"\\t"),
            b'\r' => out.extend(b"\\r"),
            0..=31 => {
                if inner && b("json_control") {
                    out.push(c);
                } else {
                    out.extend(format!("\\u{:04x}", c).bytes());
                }
            }
            0xED if i + 2 < t.len() && t[i + 1] >= 0xA0 => {
                let v = (c as u32 & 15) << 12 | (t[i + 1] as u32 & 63) << 6 | (t[i + 2] as u32 & 63);
                out.extend(format!("\\u{:04x}", v).bytes());
                i += 2;
            }
            c => out.push(c),
        }
        i += 1;
    }
    out.push(b'"');
}

pub fn write(v: &J, out: &mut Vec<u8>, inner: bool) {
    match v {
        J::Null => out.extend(b"null"),
        J::Bool(true) => out.extend(b"true"),
        J::Bool(false) => out.extend(b"false"),
        J::Num(t) => out.extend(t.bytes()),
        J::Str(t) => write_str(t, out, inner),
        J::Arr(a) => {
            out.push(b'[');
            for (i, x) in a.iter().enumerate() {
                if i > 0 {
                    out.push(b',');
                }
                write(x, out, inner);
            }
            out.push(b']');
        }
        J::Obj(m) => {
            out.push(b'{');
            for (i, (k, x)) in m.iter().enumerate() {
                if i > 0 {
                    out.push(b',');
                }
                write_str(k, out, inner);
                out.push(b':');
                write(x, out, inner);
            }
            out.push(b'}');
        }
    }
}
