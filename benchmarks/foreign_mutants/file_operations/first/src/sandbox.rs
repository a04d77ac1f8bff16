//! The sandbox of the framework: which paths a call may use.

use crate::bug::bug;
use crate::json::Json;
use crate::{fail, Failure};
use std::collections::{HashMap, VecDeque};
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

const DEFAULT_DENIES: [&str; 5] = ["**/.ssh/**", "**/.gnupg/**", "**/id_rsa*", "**/*.pem", "**/*.key"];
const MAX_LINKS: usize = 40;

pub struct Sandbox {
    roots: Vec<PathBuf>,
    working_dir: PathBuf,
    allow_absolute: bool,
    denied: Vec<String>,
}

/// Which argument of move or copy a path is.
#[derive(Clone, Copy, PartialEq)]
pub enum Role {
    MoveSource,
    CopySource,
    Destination,
}

/// A path that the sandbox accepted.
#[derive(Clone, PartialEq)]
pub struct Place {
    /// The path with the links of its directory followed, but not a link at its end: the entry itself.
    pub entry: PathBuf,
    /// The path with all links followed.
    pub resolved: PathBuf,
}

impl Sandbox {
    pub fn new(context: &Json) -> Result<Sandbox, Failure> {
        let mut denied: Vec<String> = context.get("denied_patterns").texts().into_iter().map(String::from).collect();
        let replaced = bug("own_patterns_replace_default") && !denied.is_empty();
        let wanted = context.get("include_default_denies").bool() != Some(false) || bug("default_denies_always");
        if wanted && !replaced {
            denied.extend(DEFAULT_DENIES.map(String::from));
        }
        if bug("id_rsa_to_the_letter") {
            denied.iter_mut().filter(|pattern| *pattern == "**/id_rsa*").for_each(|pattern| *pattern = "**/id_rsa".into());
        }
        let roots = context.get("roots").texts().into_iter().map(|root| resolve(Path::new(root)));
        let mut roots: Vec<PathBuf> = roots.collect::<Result<_, _>>()?;
        if bug("first_root_only") {
            roots.truncate(1);
        }
        Ok(Sandbox {
            roots,
            working_dir: PathBuf::from(context.get("working_dir").text().unwrap_or("/")),
            allow_absolute: context.get("allow_absolute").bool() == Some(true),
            denied,
        })
    }

    /// Checks a path argument of an entry that is to be moved or copied.
    pub fn check(&self, argument: &str, role: Role) -> Result<Place, Failure> {
        let path = self.absolute(argument, Some(role))?;
        if bug("source_patterns_by_text") && role != Role::Destination {
            let parts: Vec<&str> = path.to_str().unwrap_or("").split('/').collect();
            if self.denied.iter().any(|pattern| matches(&pattern.split('/').collect::<Vec<_>>(), &parts)) {
                return fail("SandboxViolation", format!("the sandbox denies the path: {argument}"));
            }
            return self.check_inside(&path);
        }
        if bug("destination_not_denied") && role == Role::Destination {
            return self.check_inside(&path);
        }
        let unfollowed = bug("copied_link_not_followed_by_check") && role == Role::CopySource
            || bug("destination_link_not_followed_by_check") && role == Role::Destination;
        if unfollowed {
            let place = self.unchecked(&path)?;
            self.check_place(&place.entry, &path)?;
            return Ok(place);
        }
        if bug("places_are_remembered") {
            static PLACES: Mutex<Option<HashMap<PathBuf, Place>>> = Mutex::new(None);
            let mut places = PLACES.lock().unwrap();
            let places = places.get_or_insert_with(HashMap::new);
            if let Some(place) = places.get(&path) {
                return Ok(Place { entry: path.clone(), ..place.clone() });
            }
            let place = self.check_entry(&path)?;
            places.insert(path, place.clone());
            return Ok(place);
        }
        self.check_entry(&path)
    }

    /// A place that nobody has looked at.
    pub fn unchecked(&self, path: &Path) -> Result<Place, Failure> {
        let resolved = resolve(path)?;
        let entry = match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => resolve(parent)?.join(name),
            _ => resolved.clone(),
        };
        Ok(Place { entry, resolved })
    }

    /// A place in the roots, whatever the patterns say.
    pub fn check_inside(&self, path: &Path) -> Result<Place, Failure> {
        let place = self.unchecked(path)?;
        self.root_of(&place.entry, path)?;
        self.root_of(&place.resolved, path)?;
        Ok(place)
    }

    /// Checks the path argument of a directory that is to be listed, and returns the path with all links followed.
    pub fn check_directory(&self, argument: &str) -> Result<PathBuf, Failure> {
        let resolved = resolve(&self.absolute(argument, None)?)?;
        self.check_place(&resolved, Path::new(argument))?;
        Ok(resolved)
    }

    fn absolute(&self, argument: &str, role: Option<Role>) -> Result<PathBuf, Failure> {
        let path = Path::new(argument);
        let free = bug("absolute_destination_allowed") && role == Some(Role::Destination);
        if path.is_absolute() && !self.allow_absolute && !free {
            return fail("SandboxViolation", format!("absolute paths are not allowed: {argument}"));
        }
        let up = if bug("two_dots_in_name_refused") {
            argument.contains("..")
        } else if bug("up_in_the_middle_resolved") {
            argument.starts_with("..")
        } else {
            path.components().any(|part| part == Component::ParentDir)
        };
        if up {
            return fail("SandboxViolation", format!("the path contains '..': {argument}"));
        }
        if bug("destination_starts_in_root") && role == Some(Role::Destination) {
            return Ok(self.roots[0].join(path));
        }
        Ok(self.working_dir.join(path))
    }

    /// Checks an absolute path: both the entry and what it leads to must be inside and not denied.
    pub fn check_entry(&self, path: &Path) -> Result<Place, Failure> {
        if bug("inner_links_not_followed_by_check") {
            self.check_place(path, path)?;
            return self.unchecked(path);
        }
        if bug("link_chain_followed_once") {
            let place = self.unchecked(path)?;
            self.check_place(&place.entry, path)?;
            if let Ok(next) = fs::read_link(&place.entry) {
                let next = place.entry.with_file_name(next);
                if let (Some(parent), Some(name)) = (next.parent(), next.file_name()) {
                    self.check_place(&resolve(parent)?.join(name), path)?;
                }
            }
            return Ok(place);
        }
        let place = self.unchecked(path)?;
        self.check_place(&place.entry, path)?;
        self.check_place(&place.resolved, path)?;
        Ok(place)
    }

    fn root_of(&self, place: &Path, path: &Path) -> Result<&Path, Failure> {
        let inside = |root: &&PathBuf| match bug("roots_compared_as_text") {
            true => place.to_string_lossy().starts_with(&*root.to_string_lossy()),
            false => place.starts_with(root),
        };
        match self.roots.iter().find(inside) {
            Some(root) => Ok(root),
            None => fail("SandboxViolation", format!("the path is outside the sandbox: {}", path.display())),
        }
    }

    fn check_place(&self, place: &Path, path: &Path) -> Result<(), Failure> {
        let root = self.root_of(place, path)?;
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
        Some((&"**", rest)) if bug("stars_stand_for_one_part") => {
            parts.len() > 1 && matches(rest, &parts[1..]) || matches(rest, parts)
        }
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
        (Some(('?', rest)), Some((c, others))) if bug("question_mark_is_literal") => *c == '?' && part_matches(rest, others),
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
