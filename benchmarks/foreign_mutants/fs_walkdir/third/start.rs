//! Where a walk starts: the check of the path against the sandbox.
use crate::{b, stop, State, Stop, Tag};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub struct Start {
    pub real: PathBuf,
    /// The sandbox with its links followed.
    pub root: PathBuf,
    /// The start before its links are followed.
    pub joined: PathBuf,
    /// The cleaned path from the sandbox.
    pub clean: String,
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (vec![], 0);
    while at < bytes.len() {
        let digits = text.get(at + 1..at + 3).and_then(|two| u8::from_str_radix(two, 16).ok());
        match digits {
            Some(byte) if bytes[at] == b'%' => {
                out.push(byte);
                at += 3;
            }
            _ => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The composed form of a few letters.
pub fn composed(text: &str) -> String {
    let mut out = text.to_string();
    for (plain, mark, letter) in [
        ('e', '\u{301}', 'é'), ('a', '\u{301}', 'á'), ('o', '\u{301}', 'ó'), ('u', '\u{301}', 'ú'), ('i', '\u{301}', 'í'),
        ('E', '\u{301}', 'É'), ('A', '\u{301}', 'Á'), ('a', '\u{308}', 'ä'), ('o', '\u{308}', 'ö'), ('u', '\u{308}', 'ü'),
        ('A', '\u{308}', 'Ä'), ('O', '\u{308}', 'Ö'), ('U', '\u{308}', 'Ü'), ('e', '\u{300}', 'è'), ('a', '\u{300}', 'à'),
        ('n', '\u{303}', 'ñ'), ('c', '\u{327}', 'ç'), ('a', '\u{30A}', 'å'), ('A', '\u{30A}', 'Å'), ('e', '\u{302}', 'ê'),
        ('e', '\u{308}', 'ë'), ('o', '\u{302}', 'ô'), ('i', '\u{308}', 'ï'),
    ] {
        out = out.replace(&format!("{plain}{mark}"), &letter.to_string());
    }
    out
}

pub fn resolve(path: &str, root: &str, state: &State) -> Result<Start, Stop> {
    let mut text = path.to_string();
    if b("path_trimmed") {
        text = text.trim().to_string();
    }
    if b("path_chomped") {
        text = text.trim_end_matches('\n').to_string();
    }
    if b("path_backslash") {
        text = text.replace('\\', "/");
    }
    if b("path_percent") {
        text = percent_decoded(&text);
    }
    if b("path_plus") {
        text = text.replace('+', " ");
    }
    if b("path_composed") {
        text = composed(&text);
    }
    if b("path_lowered") {
        text = text.to_lowercase();
    }
    if b("path_trailing_dots") && text.len() > 1 && !text.ends_with("/.") && !text.ends_with("..") {
        text = text.trim_end_matches('.').to_string();
    }
    if let (true, Some(at)) = (b("path_fragment"), text.find(['#', '?'])) {
        text.truncate(at);
    }
    if text.contains('\0') {
        if b("nul_cut") {
            text.truncate(text.find('\0').unwrap());
        } else {
            return stop(Tag::Stat, "the path contains a NUL character");
        }
    }
    let last = text.trim_end_matches('/').rsplit('/').next().unwrap_or("").to_string();
    let refused = (b("path_tilde") && text.starts_with('~'))
        || (b("path_dash") && text.starts_with('-'))
        || (b("path_colon") && text.contains(':'))
        || (b("path_two_dots_inside") && text.contains(".."))
        || (b("path_two_dots_prefix") && text.split('/').any(|part| part.starts_with("..") && part.len() > 2))
        || (b("path_over_255") && text.len() > 255)
        || (b("path_hidden") && last.starts_with('.') && last != "." && last != "..")
        || (b("path_dot_slash") && text.starts_with("./") && text.len() > 2)
        || (b("path_double_slash") && text.contains("//"))
        || (b("path_dot") && text == ".")
        || (b("path_not_ascii") && !text.is_ascii())
        || (b("path_space") && text.contains(' '));
    if refused {
        return stop(Tag::Outside, format!("{path}: the path is not permitted"));
    }
    if (b("path_trailing_slash") && text.len() > 1 && text.ends_with('/'))
        || (b("path_inner_dot") && (text.contains("/./") || text.ends_with("/.")))
    {
        return Err(Stop::Missing);
    }
    let real_root = match fs::canonicalize(root) {
        Ok(real) => real,
        Err(error) => return stop(Tag::Stat, format!("the sandbox: {error}")),
    };
    let made = |real: PathBuf, joined: PathBuf| Ok(Start { real, root: real_root.clone(), joined, clean: text.clone() });
    if text.starts_with('/') {
        if b("abs_replaces") || (b("abs_prefix") && text.starts_with(root)) {
            return match fs::canonicalize(&text) {
                Ok(real) => made(real, PathBuf::from(&text)),
                Err(_) => Err(Stop::Missing),
            };
        }
        return stop(Tag::Outside, format!("{path}: the path is absolute"));
    }
    let unchecked = |text: &str| match fs::canonicalize(real_root.join(text)) {
        Ok(real) => made(real, real_root.join(text)),
        Err(_) => Err(Stop::Missing),
    };
    if (b("dotdot_alone") && text == "..")
        || (b("dotdot_tail") && text.contains("..") && !text.starts_with(".."))
        || (b("dotdot_slash_end") && text.trim_end_matches('/') == ".." && text.len() > 2)
    {
        return unchecked(&text);
    }
    let mut parts: Vec<&str> = vec![];
    let mut above = vec![];
    for part in text.split('/') {
        match part {
            "" | "." => {}
            ".." if b("dotdot_dropped") => {}
            ".." => {
                if parts.pop().is_none() && !b("dotdot_clamped") {
                    above.push("..");
                    if !b("prefix_text") {
                        return stop(Tag::Outside, format!("{path}: the path leads out of the sandbox"));
                    }
                }
            }
            part => parts.push(part),
        }
    }
    if !above.is_empty() {
        // compares the text of the whole path with the text of the sandbox
        let mut place = real_root.clone();
        for _ in &above {
            place.pop();
        }
        let place = place.join(parts.join("/"));
        if place.to_string_lossy().starts_with(&*real_root.to_string_lossy()) && place.exists() {
            return made(place.clone(), place);
        }
        return stop(Tag::Outside, format!("{path}: the path leads out of the sandbox"));
    }
    if parts.is_empty() && b("path_root_spellings") && text != "." {
        return stop(Tag::Outside, format!("{path}: the path is not permitted"));
    }
    if b("dotdot_physical") && text.split('/').any(|part| part == "..") {
        return unchecked(&text);
    }
    let mut clean = parts.join("/");
    if b("percent_after_check") && clean.contains('%') {
        clean = percent_decoded(&clean);
        return unchecked(&clean);
    }
    if b("backslash_after_check") && clean.contains('\\') {
        return unchecked(&clean.replace('\\', "/"));
    }
    if b("missing_kept") && state.missing.contains(&format!("{root}\0{path}")) {
        return Err(Stop::Missing);
    }
    let base = if b("path_from_cwd") { std::env::current_dir().unwrap_or_default() } else { real_root.clone() };
    let mut joined = base.join(&clean);
    if b("path_glob") && clean.contains('*') {
        joined = globbed(&joined).unwrap_or(joined);
    }
    if b("path_any_case") && !joined.exists() {
        joined = any_case(&real_root, &parts).unwrap_or(joined);
    }
    let found = match fs::canonicalize(&joined) {
        Err(error) if error.kind() == ErrorKind::NotFound && b("missing_to_ancestor") => {
            while !joined.exists() {
                joined.pop();
            }
            fs::canonicalize(&joined)
        }
        Err(error) if error.kind() == ErrorKind::NotFound && b("missing_created") => {
            let _ = fs::create_dir_all(&joined);
            fs::canonicalize(&joined)
        }
        Err(error) if error.kind() == ErrorKind::PermissionDenied && b("denied_to_ancestor") => {
            while fs::canonicalize(&joined).is_err() && joined.pop() {}
            fs::canonicalize(&joined)
        }
        Err(error) if error.kind() == ErrorKind::NotADirectory && b("behind_file_to_parent") => {
            while fs::symlink_metadata(&joined).is_err() && joined.pop() {}
            joined.pop();
            fs::canonicalize(&joined)
        }
        found => found,
    };
    let real = match found {
        Ok(real) => real,
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(Stop::Missing),
        Err(error) => return stop(Tag::Stat, format!("{path}: {error}")),
    };
    let target = fs::read_link(&joined);
    let spared = (b("link_last_unchecked") && target.is_ok())
        || (b("link_middle_unchecked") && target.is_err() && real != joined)
        || (b("link_first_hop") && target.as_ref().is_ok_and(|target| first_hop_inside(&joined, target, &real_root)))
        || (b("link_relative_unchecked") && target.as_ref().is_ok_and(|target| target.is_relative()))
        || (b("link_prefix") && real.to_string_lossy().starts_with(&*real_root.to_string_lossy()))
        || (b("link_to_parent") && real_root.starts_with(&real));
    let inside = if b("root_not_resolved") { real.starts_with(root) } else { real.starts_with(&real_root) };
    if !inside && !spared {
        return stop(Tag::Outside, format!("{path}: a link leads out of the sandbox"));
    }
    Ok(Start { real, root: real_root, joined, clean })
}

/// Whether the text of a link's target stays inside, without a look at what that is.
fn first_hop_inside(link: &Path, target: &Path, root: &Path) -> bool {
    let mut place = link.parent().unwrap_or(root).to_path_buf();
    for part in target.iter() {
        if part == ".." {
            place.pop();
        } else {
            place.push(part);
        }
    }
    place.starts_with(root)
}

fn globbed(place: &Path) -> Option<PathBuf> {
    let pattern = place.file_name()?.to_str()?.to_string();
    let (head, tail) = pattern.split_once('*')?;
    let mut names: Vec<_> = fs::read_dir(place.parent()?).ok()?.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    let fits = |name: &&std::ffi::OsString| name.to_str().is_some_and(|n| n.starts_with(head) && n.ends_with(tail));
    Some(place.with_file_name(names.iter().find(fits)?))
}

fn any_case(root: &Path, parts: &[&str]) -> Option<PathBuf> {
    let mut place = root.to_path_buf();
    for part in parts {
        let mut names = fs::read_dir(&place).ok()?.flatten().map(|entry| entry.file_name());
        let name = names.find(|name| name.to_string_lossy().to_lowercase() == part.to_lowercase())?;
        place.push(name);
    }
    Some(place)
}
