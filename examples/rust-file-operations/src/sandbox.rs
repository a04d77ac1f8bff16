//! The sandbox of the framework: which paths a call may use.

use crate::json::Json;
use crate::{fail, Failure};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

const DEFAULT_DENIES: [&str; 5] = ["**/.ssh/**", "**/.gnupg/**", "**/id_rsa*", "**/*.pem", "**/*.key"];
const MAX_LINKS: usize = 40;

pub struct Sandbox {
    roots: Vec<PathBuf>,
    working_dir: PathBuf,
    allow_absolute: bool,
    denied: Vec<String>,
}

/// A path that the sandbox accepted.
pub struct Place {
    /// The path with the links of its directory followed, but not a link at its end: the entry itself.
    pub entry: PathBuf,
    /// The path with all links followed.
    pub resolved: PathBuf,
}

impl Sandbox {
    pub fn new(context: &Json) -> Result<Sandbox, Failure> {
        let mut denied: Vec<String> = context.get("denied_patterns").texts().into_iter().map(String::from).collect();
        if context.get("include_default_denies").bool() != Some(false) {
            denied.extend(DEFAULT_DENIES.map(String::from));
        }
        let roots = context.get("roots").texts().into_iter().map(|root| resolve(Path::new(root)));
        Ok(Sandbox {
            roots: roots.collect::<Result<_, _>>()?,
            working_dir: PathBuf::from(context.get("working_dir").text().unwrap_or("/")),
            allow_absolute: context.get("allow_absolute").bool() == Some(true),
            denied,
        })
    }

    /// Checks a path argument of an entry that is to be moved or copied.
    pub fn check(&self, argument: &str) -> Result<Place, Failure> {
        self.check_entry(&self.absolute(argument)?)
    }

    /// Checks the path argument of a directory that is to be listed, and returns the path with all links followed.
    pub fn check_directory(&self, argument: &str) -> Result<PathBuf, Failure> {
        let resolved = resolve(&self.absolute(argument)?)?;
        self.check_place(&resolved, Path::new(argument))?;
        Ok(resolved)
    }

    fn absolute(&self, argument: &str) -> Result<PathBuf, Failure> {
        let path = Path::new(argument);
        if path.is_absolute() && !self.allow_absolute {
            return fail("SandboxViolation", format!("absolute paths are not allowed: {argument}"));
        }
        if path.components().any(|part| part == Component::ParentDir) {
            return fail("SandboxViolation", format!("the path contains '..': {argument}"));
        }
        Ok(self.working_dir.join(path))
    }

    /// Checks an absolute path: both the entry and what it leads to must be inside and not denied.
    pub fn check_entry(&self, path: &Path) -> Result<Place, Failure> {
        let resolved = resolve(path)?;
        let entry = match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => resolve(parent)?.join(name),
            _ => resolved.clone(),
        };
        self.check_place(&entry, path)?;
        self.check_place(&resolved, path)?;
        Ok(Place { entry, resolved })
    }

    fn check_place(&self, place: &Path, path: &Path) -> Result<(), Failure> {
        let Some(root) = self.roots.iter().find(|root| place.starts_with(root)) else {
            return fail("SandboxViolation", format!("the path is outside the sandbox: {}", path.display()));
        };
        // A pattern can be written for absolute paths or for paths in the root.
        if self.denies(place) || self.denies(place.strip_prefix(root).unwrap_or(place)) {
            return fail("SandboxViolation", format!("the sandbox denies the path: {}", path.display()));
        }
        Ok(())
    }

    fn denies(&self, place: &Path) -> bool {
        let text = place.to_string_lossy();
        let parts: Vec<&str> = text.split('/').collect();
        self.denied.iter().any(|pattern| matches(&pattern.split('/').collect::<Vec<_>>(), &parts))
    }

    pub fn is_root(&self, path: &Path) -> bool {
        self.roots.iter().any(|root| root.starts_with(path))
    }
}

/// Follows every link of an absolute path. Parts that do not exist stay as they are.
fn resolve(path: &Path) -> Result<PathBuf, Failure> {
    let mut pending: VecDeque<OsString> = path.iter().map(OsString::from).collect();
    let mut real = PathBuf::new();
    let mut links = 0;
    while let Some(part) = pending.pop_front() {
        if part == ".." {
            real.pop();
            continue;
        }
        if part == "." {
            continue;
        }
        let next = real.join(&part); // an absolute part replaces the whole path
        if let Ok(target) = fs::read_link(&next) {
            links += 1;
            if links > MAX_LINKS {
                return fail("ExecutionFailed", format!("too many links: {}", path.display()));
            }
            for part in target.iter().rev() {
                pending.push_front(part.into());
            }
        } else {
            real = next;
        }
    }
    Ok(real)
}

/// Matches the parts of a path with the parts of a pattern; `**` stands for any number of parts.
fn matches(pattern: &[&str], parts: &[&str]) -> bool {
    match pattern.split_first() {
        None => parts.is_empty(),
        Some((&"**", [])) => !parts.is_empty(),
        Some((&"**", rest)) => (0..=parts.len()).any(|skipped| matches(rest, &parts[skipped..])),
        Some((first, rest)) => parts.split_first().is_some_and(|(part, others)| {
            let (first, part) = (first.chars().collect::<Vec<_>>(), part.chars().collect::<Vec<_>>());
            part_matches(&first, &part) && matches(rest, others)
        }),
    }
}

fn part_matches(pattern: &[char], text: &[char]) -> bool {
    match (pattern.split_first(), text.split_first()) {
        (None, _) => text.is_empty(),
        (Some(('*', rest)), _) => (0..=text.len()).any(|skipped| part_matches(rest, &text[skipped..])),
        (Some(('?', rest)), Some((_, others))) => part_matches(rest, others),
        (Some(('[', rest)), Some((c, others))) => match rest.iter().skip(1).position(|c| *c == ']') {
            Some(end) => set_contains(&rest[..=end], *c) && part_matches(&rest[end + 2..], others),
            None => *c == '[' && part_matches(rest, others),
        },
        (Some((literal, rest)), Some((c, others))) => literal == c && part_matches(rest, others),
        (Some(_), None) => false,
    }
}

fn set_contains(set: &[char], c: char) -> bool {
    let (negated, set) = match set {
        ['!' | '^', rest @ ..] => (true, rest),
        _ => (false, set),
    };
    let in_range = set.windows(3).any(|range| range[1] == '-' && range[0] <= c && c <= range[2]);
    (set.contains(&c) || in_range) != negated
}
