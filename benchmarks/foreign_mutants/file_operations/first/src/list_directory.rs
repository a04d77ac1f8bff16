//! The tool list_directory.

use crate::bug::bug;
use crate::json::Json;
use crate::sandbox::Sandbox;
use crate::{fail, object, Failure};
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// A call: its arguments, and the configuration's defaults for those that it leaves out.
pub struct Call {
    pub path: String,
    max_depth: u64,
    max_entries: u64,
    include_hidden: bool,
    include_files: bool,
    include_dirs: bool,
    include_symlinks: bool,
    include_other: bool,
}

impl Call {
    /// Reads the arguments, which are an object.
    pub fn new(arguments: &Json, config: &Json, called: &str) -> Result<Call, Failure> {
        let config = config.get("tools").get("list_directory");
        if !matches!(config, Json::Null | Json::Object(_)) {
            return fail("ConfigInvalid", "tools.list_directory must be a table".to_string());
        }
        let switch = |name: &str, default: bool| {
            let default = boolean(config, &format!("{name}_default"), default, "ConfigInvalid")?;
            boolean(arguments, name, default, "BadArgs")
        };
        let call = Call {
            path: normalized(arguments.get("path").text())?,
            max_depth: depth(arguments, limit(config, "max_depth", "ConfigInvalid")?.unwrap_or(4))?,
            max_entries: entries(arguments, limit(config, "max_entries", "ConfigInvalid")?.unwrap_or(200))?,
            include_hidden: switch("include_hidden", bug("ls_shows_hidden") && called == "ls")?,
            include_files: switch("include_files", true)?,
            include_dirs: switch("include_dirs", true)?,
            include_symlinks: switch("include_symlinks", true)?,
            include_other: switch("include_other", false)?,
        };
        if !(call.include_files || call.include_dirs || call.include_symlinks) {
            let message = "one of include_files, include_dirs and include_symlinks must be true";
            return fail("BadArgs", message.to_string());
        }
        Ok(call)
    }

    fn includes(&self, kind: Kind) -> bool {
        match kind {
            Kind::File => self.include_files,
            Kind::Dir => self.include_dirs,
            Kind::Symlink => self.include_symlinks,
            Kind::Other => self.include_other,
            Kind::Unknown => true, // a failure is always listed
        }
    }
}

/// Returns the path without outer whitespace, `.` parts and idle slashes; `.` if nothing else is left.
fn normalized(path: Option<&str>) -> Result<String, Failure> {
    let path = path.unwrap_or("").trim();
    if path.is_empty() || path.contains('\0') {
        return fail("BadArgs", "path is required and must be a path".to_string());
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    Ok(match (path.starts_with('/'), parts.is_empty()) {
        (true, _) => format!("/{}", parts.join("/")),
        (false, true) => ".".to_string(),
        (false, false) => parts.join("/"),
    })
}

/// Returns the levels below the directory to list: 1 if the call is not recursive.
fn depth(arguments: &Json, cap: u64) -> Result<u64, Failure> {
    let asked = limit(arguments, "max_depth", "BadArgs")?;
    if !boolean(arguments, "recursive", false, "BadArgs")? {
        return match asked {
            None | Some(1) => Ok(1),
            Some(_) => fail("BadArgs", "max_depth must be 1 if recursive is false".to_string()),
        };
    }
    at_most("max_depth", asked, cap)
}

fn entries(arguments: &Json, cap: u64) -> Result<u64, Failure> {
    at_most("max_entries", limit(arguments, "max_entries", "BadArgs")?, cap)
}

fn at_most(name: &str, asked: Option<u64>, cap: u64) -> Result<u64, Failure> {
    match asked {
        Some(value) if value > cap => fail("BadArgs", format!("{name} must be at most {cap}, not {value}")),
        asked => Ok(asked.unwrap_or(cap)),
    }
}

fn boolean(values: &Json, name: &str, default: bool, kind: &'static str) -> Result<bool, Failure> {
    match values.member(name) {
        None => Ok(default),
        Some(Json::Bool(value)) => Ok(*value),
        Some(other) => fail(kind, format!("{name} must be a boolean, not {other}")),
    }
}

/// Reads an integer from 1 on. One that 64 bits cannot hold becomes the largest that they can.
fn limit(values: &Json, name: &str, kind: &'static str) -> Result<Option<u64>, Failure> {
    match values.member(name) {
        None => Ok(None),
        Some(Json::Number(digits)) if is_natural(digits) && digits != "0" => Ok(Some(saturated(digits))),
        Some(other) => fail(kind, format!("{name} must be an integer from 1 on, not {other}")),
    }
}

fn is_natural(digits: &str) -> bool {
    digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn saturated(digits: &str) -> u64 {
    digits.parse().unwrap_or(u64::MAX)
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    File,
    Dir,
    Symlink,
    Other,
    Unknown,
}

impl Kind {
    fn of(metadata: &Metadata) -> Kind {
        let kind = metadata.file_type();
        match (kind.is_file(), kind.is_dir(), kind.is_symlink()) {
            (true, _, _) => Kind::File,
            (_, true, _) => Kind::Dir,
            (_, _, true) => Kind::Symlink,
            _ => Kind::Other,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::File => "file",
            Kind::Dir => "dir",
            Kind::Symlink => "symlink",
            Kind::Other => "other",
            Kind::Unknown => "unknown",
        }
    }
}

/// An entry of the listing. Its path is text: bytes that are not UTF-8 have become replacement characters.
struct Entry {
    path: String,
    depth: u64,
    kind: Kind,
    size: Option<u64>,
    modified: Option<i128>,
    error: Option<(&'static str, &'static str)>,
}

impl Entry {
    fn to_json(&self) -> Json {
        let name = self.path.rsplit('/').next().unwrap_or("");
        let (error_code, error) = self.error.unzip();
        object(vec![
            ("name", name.into()),
            ("path", self.path.as_str().into()),
            ("depth", number(self.depth)),
            ("type", self.kind.name().into()),
            ("size_bytes", self.size.map_or(Json::Null, number)),
            ("modified_epoch_ms", self.modified.map_or(Json::Null, number)),
            ("is_hidden", Json::Bool(name.starts_with('.'))),
            ("error_code", error_code.map_or(Json::Null, Json::from)),
            ("error", error.map_or(Json::Null, Json::from)),
        ])
    }
}

fn number(value: impl ToString) -> Json {
    Json::Number(value.to_string())
}

/// Returns the milliseconds since 1970, rounded down: the nanoseconds count from the second before.
fn modified(metadata: &Metadata) -> i128 {
    i128::from(metadata.mtime()) * 1000
        + if bug("listed_time_in_seconds") { 0 } else { i128::from(metadata.mtime_nsec()) / 1_000_000 }
}

/// Lists the directory, a resolved path that the sandbox accepted.
pub fn run(call: &Call, directory: &Path, context: &Json, sandbox: &Sandbox) -> Result<String, Failure> {
    let failed = |error: io::Error| fail("ExecutionFailed", format!("cannot list {}: {error}", call.path));
    match fs::symlink_metadata(directory) {
        Ok(found) if found.is_dir() => {}
        Ok(_) => return fail("ExecutionFailed", format!("path is not a directory: {}", call.path)),
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            return fail("ExecutionFailed", format!("path is not a directory: {}", call.path));
        }
        Err(error) => return failed(error),
    }
    let names = match names(directory) {
        Ok(names) => names,
        Err(error) => return failed(error),
    };
    sandbox.check_directory(&call.path)?; // again: a part of the path can have become a link
    let mut walk = Walk { call, entries: vec![], cut: false };
    walk.visit(directory, names, "", 1);
    if bug("entries_in_order_of_walk") {
        return document(&walk, budget(context));
    }
    if bug("entries_sorted_without_case") {
        walk.entries.sort_by_key(|entry| entry.path.to_lowercase());
        return document(&walk, budget(context));
    }
    walk.entries.sort_by(|one, other| one.path.cmp(&other.path)); // stable: equal paths stay in the walk's order
    document(&walk, budget(context))
}

/// Reads a directory. The names are in the order of their texts, and those of one text in the order of their bytes.
fn names(directory: &Path) -> io::Result<Vec<OsString>> {
    let entries = fs::read_dir(directory)?;
    let mut names = entries.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
    if !fs::symlink_metadata(directory)?.is_dir() {
        return Err(ErrorKind::NotADirectory.into()); // it has become a link, and the names are not its own
    }
    names.sort();
    names.sort_by_cached_key(|name| name.to_string_lossy().into_owned());
    Ok(names)
}

struct Walk<'a> {
    call: &'a Call,
    entries: Vec<Entry>,
    /// Whether an entry had to be left out because of max_entries. This ends the walk.
    cut: bool,
}

impl Walk<'_> {
    /// Visits the entries of a directory, and the directories among them.
    fn visit(&mut self, directory: &Path, names: Vec<OsString>, prefix: &str, depth: u64) {
        for name in names {
            let text = name.to_string_lossy();
            if text.starts_with('.') && !self.call.include_hidden {
                continue;
            }
            self.visit_entry(&directory.join(&name), format!("{prefix}{text}"), depth);
            if self.cut {
                return;
            }
        }
    }

    fn visit_entry(&mut self, place: &Path, path: String, depth: u64) {
        let mut entry = Entry { path, depth, kind: Kind::Unknown, size: None, modified: None, error: None };
        let looked = match fs::metadata(place) {
            Ok(found) if bug("listed_link_followed") => Ok(found),
            _ => fs::symlink_metadata(place),
        };
        match looked {
            Ok(metadata) => {
                entry.kind = Kind::of(&metadata);
                entry.size = (metadata.is_file() || bug("directory_has_size") && metadata.is_dir()).then_some(metadata.len());
                entry.modified = Some(modified(&metadata));
            }
            Err(_) => entry.error = Some(("metadata_unavailable", "cannot read the metadata")),
        }
        if entry.kind != Kind::Dir || depth >= self.call.max_depth {
            return self.add(entry);
        }
        if self.is_full() && self.call.include_dirs {
            return self.cut = true; // nothing more fits, so nothing more is read
        }
        match names(place) {
            Ok(names) => {
                let prefix = format!("{}/", entry.path);
                self.add(entry);
                self.visit(place, names, &prefix, depth + 1);
            }
            Err(_) => {
                entry.kind = Kind::Unknown;
                entry.error = Some(("read_dir_failed", "cannot read the directory"));
                self.add(entry);
            }
        }
    }

    fn is_full(&self) -> bool {
        self.entries.len() as u64 >= self.call.max_entries
    }

    /// Adds an entry that the filters let through, if there is room for it.
    fn add(&mut self, entry: Entry) {
        if !self.call.includes(entry.kind) {
            return;
        }
        if self.is_full() {
            self.cut = true;
        } else {
            self.entries.push(entry);
        }
    }
}

/// Returns the smaller of the two limits of the output, in bytes.
fn budget(context: &Json) -> u64 {
    let value = |name: &str, default: u64| match context.get(name) {
        Json::Number(digits) => saturated(digits),
        _ => default,
    };
    value("max_output_bytes", 102_400).min(value("available_capacity_bytes", 65_536))
}

/// Writes the document with as many entries as the budget has room for.
fn document(walk: &Walk, budget: u64) -> Result<String, Failure> {
    let all: Vec<String> = walk.entries.iter().map(|entry| entry.to_json().to_string()).collect();
    let complete = frame(walk.call, &all, walk.cut.then_some("max_entries"));
    if complete.len() as u64 <= budget {
        return Ok(complete);
    }
    let around = frame(walk.call, &[], Some("max_output_bytes")).len() - "0".len();
    let mut within: usize = all.iter().map(|entry| entry.len() + ",".len()).sum();
    for kept in (0..all.len()).rev() {
        within -= all[kept].len() + ",".len();
        let length = around + kept.to_string().len() + within.saturating_sub(",".len()); // none after the last entry
        if length as u64 <= budget {
            return Ok(frame(walk.call, &all[..kept], Some("max_output_bytes")));
        }
    }
    fail("ExecutionFailed", format!("output budget too small: not even an empty listing fits into {budget} bytes"))
}

fn frame(call: &Call, entries: &[String], reason: Option<&str>) -> String {
    format!(
        r#"{{"path":{},"entries":[{}],"returned":{},"max_entries":{},"truncated":{},"truncated_reason":{}}}"#,
        Json::from(call.path.as_str()),
        entries.join(","),
        entries.len(),
        call.max_entries,
        reason.is_some(),
        reason.map_or(Json::Null, Json::from),
    )
}
