// fnmatch: *, ?, [set], [!set]; everything else stands for itself. Texts are lists of code points.
use crate::b;
use crate::json::{cps, push_cp};

enum T {
    Star,
    Any,
    Opt,
    Lit(u32),
    Set(bool, Vec<(u32, u32)>),
}

fn ch(c: char) -> u32 {
    c as u32
}

fn compile(p: &[u32]) -> Vec<T> {
    let mut out = Vec::new();
    let mut i = 0;
    while i < p.len() {
        let c = p[i];
        i += 1;
        if c == ch('*') {
            out.push(T::Star);
        } else if c == ch('?') {
            out.push(if b("fn_question_zero") { T::Opt } else { T::Any });
        } else if c == ch('[') {
            let mut j = i;
            if j < p.len() && p[j] == ch('!') {
                j += 1;
            }
            if j < p.len() && p[j] == ch(']') && !b("fn_bracket_first") {
                j += 1;
            }
            while j < p.len() && p[j] != ch(']') {
                j += 1;
            }
            if j >= p.len() {
                out.push(T::Lit(c));
                continue;
            }
            let mut set = &p[i..j];
            i = j + 1;
            let neg = !set.is_empty() && set[0] == ch('!') && !b("fn_bang");
            if neg {
                set = &set[1..];
            }
            let mut ranges = Vec::new();
            let mut k = 0;
            while k < set.len() {
                if k + 2 < set.len() && set[k + 1] == ch('-') {
                    let (lo, hi) = (set[k], set[k + 2]);
                    if b("fn_range_reversed") && lo > hi {
                        ranges.push((hi, lo));
                    } else {
                        ranges.push((lo, hi));
                    }
                    k += 3;
                } else {
                    ranges.push((set[k], set[k]));
                    k += 1;
                }
            }
            out.push(T::Set(neg, ranges));
        } else if b("fn_regex_dot") && c == ch('.') {
            out.push(T::Any);
        } else if b("fn_parens") && (c == ch('(') || c == ch(')') || c == ch('+')) {
        } else {
            out.push(T::Lit(c));
        }
    }
    out
}

fn in_range(lo: u32, hi: u32, c: u32) -> bool {
    if lo <= c && c <= hi {
        return true;
    }
    // a range of letters by a locale's order: both cases
    let letter = |x: u32| x < 128 && (x as u8).is_ascii_alphabetic();
    if b("fn_range_collate") && lo < hi && letter(lo) && letter(hi) && letter(c) {
        let o = c ^ 32;
        return lo <= o && o <= hi;
    }
    false
}

fn run(toks: &[T], text: &[u32]) -> bool {
    let m = toks.len();
    let mut now = vec![false; m + 1];
    now[0] = true;
    let close = |v: &mut Vec<bool>| {
        for k in 0..m {
            if v[k] && matches!(toks[k], T::Star | T::Opt) {
                v[k + 1] = true;
            }
        }
    };
    close(&mut now);
    for &c in text {
        let mut next = vec![false; m + 1];
        let wild = !(b("fn_newline_dot") && c == 10);
        for k in 0..m {
            if !now[k] {
                continue;
            }
            match &toks[k] {
                T::Star => {
                    if wild {
                        next[k] = true
                    }
                }
                T::Any | T::Opt => {
                    if wild {
                        next[k + 1] = true
                    }
                }
                T::Lit(x) => {
                    if *x == c {
                        next[k + 1] = true
                    }
                }
                T::Set(neg, r) => {
                    if r.iter().any(|(lo, hi)| in_range(*lo, *hi, c)) != *neg {
                        next[k + 1] = true
                    }
                }
            }
        }
        close(&mut next);
        now = next;
    }
    now[m]
}

fn units(t: &[u32]) -> Vec<u32> {
    if b("fn_bytes") {
        let mut o = Vec::new();
        for &c in t {
            if (0xDC80..0xDD00).contains(&c) {
                o.push((c - 0xDC00) as u8)
            } else {
                push_cp(&mut o, c)
            }
        }
        return o.into_iter().map(|x| x as u32).collect();
    }
    if b("fn_utf16") {
        let mut o = Vec::new();
        for &c in t {
            if c >= 0x10000 {
                o.push(0xD800 + ((c - 0x10000) >> 10));
                o.push(0xDC00 + ((c - 0x10000) & 0x3FF));
            } else {
                o.push(c)
            }
        }
        return o;
    }
    t.to_vec()
}

pub fn fnmatch(text: &[u32], pattern: &[u32]) -> bool {
    let (text, pattern) = (units(text), units(pattern));
    if b("fn_empty_all") && pattern.is_empty() {
        return true;
    }
    let toks = compile(&pattern);
    if b("fn_period") && text.first() == Some(&ch('.')) && !matches!(toks.first(), Some(T::Lit(_))) {
        return false;
    }
    if b("fn_dollar_newline") && text.last() == Some(&10) && run(&toks, &text[..text.len() - 1]) {
        return true;
    }
    run(&toks, &text)
}

/// What a bug makes of the list of patterns before it is used.
pub fn prepared(patterns: &[Vec<u8>]) -> Vec<Vec<u32>> {
    let mut out = Vec::new();
    for p in patterns {
        let mut c = cps(p);
        if b("fn_comment") && c.first() == Some(&ch('#')) {
            continue;
        }
        if b("fn_trim") {
            while c.first() == Some(&32) {
                c.remove(0);
            }
            while c.last() == Some(&32) {
                c.pop();
            }
        }
        if b("fn_comma") {
            for part in c.split(|x| *x == ch(',')) {
                out.push(part.to_vec());
            }
            continue;
        }
        if b("fn_braces") {
            let open = c.iter().position(|x| *x == ch('{'));
            let shut = c.iter().position(|x| *x == ch('}'));
            if let (Some(o), Some(e)) = (open, shut) {
                if o < e && c[o..e].contains(&ch(',')) {
                    for part in c[o + 1..e].split(|x| *x == ch(',')) {
                        let mut v = c[..o].to_vec();
                        v.extend(part);
                        v.extend(&c[e + 1..]);
                        out.push(v);
                    }
                    continue;
                }
            }
        }
        out.push(c);
    }
    out
}

/// Whether a `[` has no `]` behind it.
pub fn unclosed(p: &[u32]) -> bool {
    match p.iter().rposition(|x| *x == ch('[')) {
        Some(i) => !p[i..].contains(&ch(']')),
        None => false,
    }
}
