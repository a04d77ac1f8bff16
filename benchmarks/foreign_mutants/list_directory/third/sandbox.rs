//! The sandbox: where a request leads, and whether it may.
use crate::args::Wanted;
use crate::json::Json;
use crate::{b, fail, Failure, State};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

pub struct Target {
    pub place: PathBuf,
    /// The first root, for the bugs that show it.
    pub root: PathBuf,
    pub denied: Vec<String>,
}

const SECRETS: [&str; 5] = ["**/.ssh/**", "**/.gnupg/**", "**/id_rsa*", "**/*.pem", "**/*.key"];

fn violation<T>(cause: &str, message: impl ToString) -> Result<T, Failure> {
    let kind = match cause {
        _ if b("violation_bad_args") => "BadArgs",
        "absolute" if b("violation_absolute_failed") => "ExecutionFailed",
        "dots" if b("violation_dots_bad_args") => "BadArgs",
        "link" if b("violation_link_failed") => "ExecutionFailed",
        "denied" if b("violation_denied_failed") => "ExecutionFailed",
        "denied" if b("violation_denied_policy") => "PolicyDenied",
        _ => "SandboxViolation",
    };
    fail(kind, message)
}

pub fn check(wanted: &Wanted, context: &Json, state: &mut State) -> Result<Target, Failure> {
    let _ = state;
    let mut roots: Vec<PathBuf> = context.get("roots").texts().into_iter().map(PathBuf::from).collect();
    if b("roots_first_only") {
        roots.truncate(1);
    }
    if b("roots_last_only") {
        roots = roots.into_iter().last().into_iter().collect();
    }
    let mut canonical = vec![];
    for root in &roots {
        canonical.push(if b("roots_not_resolved") { root.clone() } else { resolve(root)? });
    }
    let mut denied: Vec<String> = context.get("denied_patterns").texts().into_iter().map(String::from).collect();
    let own = !denied.is_empty();
    if b("denied_ignored") {
        denied.clear();
    }
    if b("denied_first_only") {
        denied.truncate(1);
    }
    let defaults = context.get("include_default_denies").bool() != Some(false) || b("denied_defaults_always");
    if defaults && !b("denied_defaults_never") && !(b("denied_defaults_replaced") && own) {
        let count = if b("denied_defaults_directories") { 2 } else if b("denied_defaults_no_keys") { 4 } else { 5 };
        denied.extend(SECRETS[..count].iter().map(|pattern| pattern.to_string()));
    }
    let path = wanted.path.as_str();
    let mut base = PathBuf::from(context.get("working_dir").text().unwrap_or("/"));
    if b("relative_to_root") {
        base = roots.first().cloned().unwrap_or(base);
    }
    if b("relative_to_cwd") {
        base = std::env::current_dir().unwrap_or(base);
    }
    let opened = if b("opens_untrimmed") && !wanted.raw.starts_with('/') && !wanted.raw.trim().is_empty() { wanted.raw.as_str() } else { path };
    if b("exists_first") && fs::symlink_metadata(base.join(path)).is_err() {
        return fail("ExecutionFailed", "path does not exist");
    }
    if b("file_first") && fs::metadata(base.join(path)).is_ok_and(|found| !found.is_dir()) {
        return fail("ExecutionFailed", "path is not a directory");
    }
    let may = context.get("allow_absolute").bool() == Some(true);
    let absolute = path.starts_with('/');
    let text = if b("checked_before_trim") { wanted.raw.as_str() } else { path };
    if Path::new(text).is_absolute() && (!may || b("absolute_never")) && !b("absolute_always") {
        return violation("absolute", "absolute paths are not allowed");
    }
    let dots = text.split('/').any(|part| part == "..");
    if dots && b("dots_at_start_only") && !text.starts_with("..") {
        // what follows is not checked either
        return Ok(Target { place: resolve(&base.join(path))?, root: canonical[0].clone(), denied });
    }
    let mut lexical = PathBuf::new();
    if dots {
        let mut level = 0i64;
        for part in text.split('/').filter(|part| !part.is_empty()) {
            level += if part == ".." { -1 } else { 1 };
            if level < 0 && !b("dots_clamped") {
                return violation("dots", "the path leads out of the sandbox");
            }
            if part == ".." {
                lexical.pop();
                level = level.max(0);
            } else {
                lexical.push(part);
            }
        }
        if !b("dots_resolved") && !b("dots_clamped") {
            return violation("dots", "a path must not contain ..");
        }
    }
    if (b("name_two_dots") && path.contains("..") && !dots)
        || (b("name_dots_prefix") && path.split('/').any(|part| part.starts_with("..") && part != ".."))
        || (b("name_tilde") && path.starts_with('~'))
        || (b("name_colon") && path.contains(':'))
        || (b("name_dash") && path.starts_with('-'))
        || (b("root_refused") && path == ".")
        || (b("name_hidden_refused") && path.rsplit('/').next().unwrap_or("").starts_with('.') && path != ".")
        || (b("name_control_refused") && path.chars().any(|c| c.is_control()))
        || (b("name_backslash_refused") && path.contains('\\'))
    {
        return violation("dots", "the path is not permitted");
    }
    let mut joined = if dots { base.join(&lexical) } else { base.join(opened) };
    if b("name_glob") && path.contains('[') {
        joined = base.join(path.replace(['[', ']'], ""));
    }
    if b("name_percent") {
        joined = base.join(path.replace("%20", " ").replace("%41", "A").replace("%2e", ".").replace("%2E", "."));
    }
    if b("name_backslash_opened") {
        joined = base.join(path.replace('\\', "/"));
    }
    if b("name_composed") {
        joined = base.join(path.replace("e\u{301}", "é").replace("a\u{308}", "ä").replace("u\u{308}", "ü").replace("o\u{308}", "ö").replace("a\u{30A}", "å"));
    }
    if b("name_any_case") && fs::symlink_metadata(&joined).is_err() {
        joined = any_case(&base, path).unwrap_or(joined);
    }
    if b("relative_searches_roots") && !absolute && !joined.exists() {
        if let Some(found) = roots.iter().map(|root| root.join(path)).find(|place| place.exists()) {
            joined = found;
        }
    }
    let place = resolve(&joined)?;
    let target = fs::read_link(&joined);
    let plain = resolve(&base)?.join(path);
    if b("link_refused") && target.is_ok() {
        return fail("ExecutionFailed", "path is not a directory");
    }
    if b("link_on_way_refused") && target.is_err() && plain != place && !absolute {
        return fail("ExecutionFailed", "path has a link in it");
    }
    let starts = |place: &Path, root: &PathBuf| {
        if b("prefix_text") {
            place.to_string_lossy().starts_with(&*root.to_string_lossy())
        } else {
            place.starts_with(root)
        }
    };
    let inside = canonical.iter().find(|root| starts(&place, root));
    let spared = (b("link_end_unchecked") && target.is_ok())
        || (b("link_way_unchecked") && target.is_err() && plain != place && !absolute)
        || (b("link_relative_unchecked") && target.as_ref().is_ok_and(|target| target.is_relative()))
        || (b("link_absolute_unchecked") && target.as_ref().is_ok_and(|target| target.is_absolute()))
        || (b("link_one_hop") && target.as_ref().is_ok_and(|target| fs::read_link(joined.with_file_name(target)).is_ok()))
        || (b("absolute_unchecked") && absolute && may)
        || (b("above_root_allowed") && canonical.iter().any(|root| root.starts_with(&place)));
    let Some(root) = inside else {
        if spared {
            return Ok(Target { place, root: canonical[0].clone(), denied });
        }
        return violation("link", "the path leads outside the sandbox");
    };
    let judged = if b("denied_text_only") { joined.clone() } else { place.clone() };
    let below = judged.strip_prefix(root).unwrap_or(&judged).to_path_buf();
    let matches_any = |place: &Path, patterns: &[String]| {
        let mut text = place.to_string_lossy().into_owned();
        let mut patterns = patterns.to_vec();
        if b("denied_any_case") {
            text = text.to_lowercase();
            patterns = patterns.iter().map(|pattern| pattern.to_lowercase()).collect();
        }
        let parts: Vec<&str> = text.split('/').collect();
        let parts = if b("denied_last_only") { parts[parts.len() - 1..].to_vec() } else { parts };
        patterns.iter().any(|pattern| matches(&pattern.split('/').collect::<Vec<_>>(), &parts))
    };
    if matches_any(&judged, &denied) || (!b("denied_absolute_only") && matches_any(&below, &denied)) {
        return violation("denied", "the sandbox denies the path");
    }
    Ok(Target { place, root: root.clone(), denied })
}

/// Whether the denied patterns match a place, for the bugs that apply them to entries.
pub fn is_denied(target: &Target, place: &Path) -> bool {
    let text = place.to_string_lossy().into_owned();
    let parts: Vec<&str> = text.split('/').collect();
    target.denied.iter().any(|pattern| matches(&pattern.split('/').collect::<Vec<_>>(), &parts))
}

fn any_case(base: &Path, path: &str) -> Option<PathBuf> {
    let mut place = base.to_path_buf();
    for part in path.split('/') {
        let mut names = fs::read_dir(&place).ok()?.flatten().map(|entry| entry.file_name());
        place.push(names.find(|name| name.to_string_lossy().to_lowercase() == part.to_lowercase())?);
    }
    Some(place)
}

/// Follows every link of an absolute path, as far as it exists.
fn resolve(path: &Path) -> Result<PathBuf, Failure> {
    let mut ahead: VecDeque<OsString> = path.iter().map(OsString::from).collect();
    let mut real = PathBuf::new();
    let mut links = 0;
    while let Some(part) = ahead.pop_front() {
        if part == ".." {
            real.pop();
        } else if part != "." {
            let next = real.join(&part);
            match fs::read_link(&next) {
                Ok(target) => {
                    links += 1;
                    if links > 40 {
                        return fail("ExecutionFailed", "path has too many links");
                    }
                    target.iter().rev().for_each(|part| ahead.push_front(part.into()));
                }
                Err(_) => real = next,
            }
        }
    }
    Ok(real)
}

/// Matches components; ** stands for any number of them.
fn matches(pattern: &[&str], parts: &[&str]) -> bool {
    match pattern.split_first() {
        None => parts.is_empty(),
        Some((&"**", [])) => !parts.is_empty(),
        Some((&"**", rest)) => (0..=parts.len()).any(|skipped| matches(rest, &parts[skipped..])),
        Some((first, rest)) => parts.split_first().is_some_and(|(part, others)| {
            let (first, part) = (first.chars().collect::<Vec<_>>(), part.chars().collect::<Vec<_>>());
            fits(&first, &part) && matches(rest, others)
        }),
    }
}

fn fits(pattern: &[char], text: &[char]) -> bool {
    match (pattern.split_first(), text.split_first()) {
        (None, _) => text.is_empty(),
        (Some(('*', rest)), _) => (0..=text.len()).any(|skipped| fits(rest, &text[skipped..])),
        (Some(('?', rest)), Some((_, others))) => fits(rest, others),
        (Some(('[', rest)), Some((c, others))) => match rest.iter().skip(1).position(|c| *c == ']') {
            Some(end) => {
                let (negated, set) = match &rest[..=end] {
                    ['!' | '^', set @ ..] => (true, set),
                    set => (false, set),
                };
                let range = set.windows(3).any(|range| range[1] == '-' && range[0] <= *c && *c <= range[2]);
                ((set.contains(c) || range) != negated) && fits(&rest[end + 2..], others)
            }
            None => *c == '[' && fits(rest, others),
        },
        (Some((literal, rest)), Some((c, others))) => literal == c && fits(rest, others),
        (Some(_), None) => false,
    }
}
