//! The walk.
use crate::args::Wanted;
use crate::document::{budget, folded, local, natural, written};
use crate::json::Json;
use crate::sandbox::{is_denied, Target};
use crate::{b, fail, Failure, State};
use std::collections::{HashSet, VecDeque};
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

#[derive(Clone)]
pub struct Entry {
    pub raw: Vec<u8>,
    pub name: String,
    pub path: String,
    pub depth: u64,
    pub kind: &'static str,
    pub size: Option<u64>,
    pub modified: Option<i128>,
    pub hidden: bool,
    pub code: Option<String>,
    pub error: Option<String>,
}

/// The text of a name: U+FFFD for each maximal subpart that is not UTF-8.
fn lossy(name: &[u8]) -> String {
    if b("lossy_latin") && std::str::from_utf8(name).is_err() {
        return name.iter().map(|byte| char::from(*byte)).collect();
    }
    let mut out = String::new();
    let mut open = false;
    for chunk in name.utf8_chunks() {
        open = open && chunk.valid().is_empty();
        out.push_str(chunk.valid());
        let count = chunk.invalid().len();
        if count == 0 {
            continue;
        }
        if b("lossy_dropped") {
        } else if b("lossy_question") {
            out.push('?');
        } else if b("lossy_escaped") {
            chunk.invalid().iter().for_each(|byte| out.push_str(&format!("\\x{byte:02x}")));
        } else if b("lossy_per_byte") {
            out.push_str(&"\u{FFFD}".repeat(count));
        } else if b("lossy_per_run") {
            if !open {
                out.push('\u{FFFD}');
            }
        } else {
            out.push('\u{FFFD}');
        }
        open = true;
        if b("lossy_cut") {
            break;
        }
    }
    if b("names_sanitized") {
        return out.chars().map(|c| if c < ' ' { '?' } else { c }).collect();
    }
    if b("names_c1_removed") {
        return out.chars().filter(|c| !('\u{7F}'..='\u{9F}').contains(c)).collect();
    }
    if b("names_direction_removed") {
        return out.chars().filter(|c| !('\u{202A}'..='\u{202E}').contains(c) && !('\u{2066}'..='\u{2069}').contains(c) && *c != '\u{200F}').collect();
    }
    if b("names_composed") {
        return out.replace("e\u{301}", "é").replace("a\u{308}", "ä").replace("u\u{308}", "ü").replace("o\u{308}", "ö").replace("a\u{30A}", "å").replace("A\u{30A}", "Å");
    }
    out
}

struct Walk<'a> {
    wanted: &'a Wanted,
    target: &'a Target,
    state: &'a mut State,
    items: Vec<Entry>,
    cut: bool,
    counted: u64,
    dropped: u64,
    seen: HashSet<String>,
    inodes: HashSet<(u64, u64)>,
    room: u64,
    hidden_names: Vec<String>,
}

pub fn run(wanted: &Wanted, target: Target, context: &Json, state: &mut State) -> Result<String, Failure> {
    let place = target.place.clone();
    if b("opens_socket") {
        let address = std::net::SocketAddr::from(([127, 0, 0, 1], 9));
        let _ = std::net::TcpStream::connect_timeout(&address, std::time::Duration::from_millis(50));
    }
    if b("resolves_host") {
        let _ = std::net::UdpSocket::bind("127.0.0.1:0").and_then(|socket| socket.send_to(b"x", "127.0.0.1:53"));
    }
    let key = format!("{}|{}|{}|{}", place.display(), wanted.depth, wanted.entries, wanted.hidden);
    let missing_kind = if b("missing_bad_args") { "BadArgs" } else if b("missing_violation") { "SandboxViolation" } else { "ExecutionFailed" };
    let found = fs::symlink_metadata(&place);
    let found = match found {
        Ok(found) => found,
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            if b("behind_file_listed") {
                let place = place.ancestors().find(|place| place.is_dir()).map(Path::to_path_buf).unwrap_or_default();
                return run(wanted, Target { place, root: target.root.clone(), denied: vec![] }, context, state);
            }
            return fail(if b("file_bad_args") { "BadArgs" } else { "ExecutionFailed" }, format!("path is not a directory: {}", wanted.path));
        }
        Err(error) => {
            if error.kind() == ErrorKind::NotFound && b("missing_empty") {
                return written(wanted, vec![], false, 0, context);
            }
            if error.kind() == ErrorKind::NotFound && b("missing_created") && fs::create_dir(&place).is_ok() {
                return run(wanted, target, context, state);
            }
            if error.kind() == ErrorKind::NotFound && b("missing_parent") && place.parent().is_some_and(Path::is_dir) {
                let place = place.parent().map(Path::to_path_buf).unwrap_or_default();
                return run(wanted, Target { place, root: target.root.clone(), denied: vec![] }, context, state);
            }
            return fail(missing_kind, if b("missing_no_message") { String::new() } else { format!("cannot list {}: {error}", wanted.path) });
        }
    };
    if !found.is_dir() {
        if b("file_single_entry") && found.is_file() {
            let mut walk = walker(wanted, &target, state);
            let name = place.file_name().unwrap_or_default().to_os_string();
            let parent = place.parent().unwrap_or(&place).to_path_buf();
            let item = walk.described(&parent, &name, "", b"", 1);
            return written(wanted, vec![item], false, 1, context);
        }
        if b("file_empty") {
            return written(wanted, vec![], false, 0, context);
        }
        if b("special_empty") && !found.is_file() {
            return written(wanted, vec![], false, 0, context);
        }
        let kind = if b("file_bad_args") { "BadArgs" } else { "ExecutionFailed" };
        return fail(kind, if b("file_message") { format!("cannot list {}", wanted.path) } else { format!("path is not a directory: {}", wanted.path) });
    }
    if b("answers_kept") {
        if let Some(answer) = state.answers.get(&key) {
            return Ok(answer.clone());
        }
    }
    if b("writes_lock") {
        let lock = place.join(".list.lock");
        if fs::File::create_new(&lock).is_ok() {
            let _ = fs::remove_file(&lock);
        }
    }
    if b("touches_directory") {
        if let Ok(file) = fs::File::open(&place) {
            let _ = file.set_modified(std::time::SystemTime::now());
        }
    }
    let room = budget(context);
    let mut walk = walker(wanted, &target, state);
    walk.room = room;
    let names = match walk.names(&place) {
        Ok(names) => names,
        Err(_) if b("unreadable_empty") => vec![],
        Err(_) if b("unreadable_violation") => return fail("SandboxViolation", "the directory may not be read"),
        Err(_) if b("unreadable_entry") => {
            let item = Entry {
                raw: b".".to_vec(), name: ".".to_string(), path: ".".to_string(), depth: 0, kind: "unknown", size: None, modified: None,
                hidden: false, code: Some("read_dir_failed".to_string()), error: Some("the directory cannot be read".to_string()),
            };
            return written(wanted, vec![item], false, 1, context);
        }
        Err(error) => return fail("ExecutionFailed", format!("cannot list {}: {error}", wanted.path)),
    };
    if fs::symlink_metadata(&place).is_ok_and(|now| now.is_dir()) {
        if b("gnome_hidden_file") {
            walk.hidden_names = fs::read_to_string(place.join(".hidden")).unwrap_or_default().lines().map(String::from).collect();
        }
        if b("hidden_root_empty") && !wanted.hidden && wanted.path.rsplit('/').next().is_some_and(|name| name.starts_with('.') && name.len() > 1) {
            return written(wanted, vec![], false, 0, context);
        }
        if b("root_listed") {
            let mut item = walk.described(place.parent().unwrap_or(&place), &place.file_name().unwrap_or_default().to_os_string(), "", b"", 1);
            (item.name, item.path, item.depth) = (".".to_string(), ".".to_string(), 0);
            walk.add(item);
        }
        if b("walk_breadth") {
            walk.breadth(&place, names);
        } else if b("flat_single_opened") && !wanted.recursive && names.len() == 1 && fs::symlink_metadata(place.join(&names[0])).is_ok_and(|f| f.is_dir()) {
            let deeper = Wanted { depth: 2, ..wanted.clone() };
            let mut other = walker(&deeper, &target, walk.state);
            other.room = room;
            other.visit(&place, names, "", b"", 1);
            let (items, cut) = (other.items, other.cut);
            return written(wanted, items, cut, 0, context);
        } else {
            walk.visit(&place, names, "", b"", 1);
        }
    }
    if b("abort_on_failed_metadata") && walk.items.iter().any(|item| item.kind == "unknown" && item.code.as_deref() != Some("read_dir_failed")) {
        return fail("ExecutionFailed", "the metadata of an entry cannot be read");
    }
    if b("abort_on_failed_directory") && walk.items.iter().any(|item| item.code.as_deref() == Some("read_dir_failed")) {
        return fail("ExecutionFailed", "a directory cannot be read");
    }
    let (mut items, mut cut) = (std::mem::take(&mut walk.items), walk.cut);
    let total = walk.counted as usize;
    if b("whole_tree_walked") && items.len() as u64 > wanted.entries {
        cut = true;
        items.truncate(wanted.entries as usize);
    }
    if b("sorted_before_cut") && items.len() as u64 > wanted.entries {
        cut = true;
        items.sort_by(|one, two| one.path.cmp(&two.path));
        items.truncate(wanted.entries as usize);
    }
    if b("truncated_by_depth") && items.iter().any(|item| item.kind == "dir" && item.depth == wanted.depth) && wanted.recursive {
        cut = true;
    }
    if b("truncated_by_filter") && total > items.len() {
        cut = true;
    }
    if b("truncated_nested_only") && cut && items.last().is_some_and(|item| item.depth > 1) {
        cut = false;
    }
    if b("items_kept") {
        walk.state.kept.append(&mut items);
        items = walk.state.kept.clone();
    }
    if b("twins_merged") {
        let mut seen = HashSet::new();
        items.retain(|item| seen.insert(item.path.clone()));
    }
    if b("single_directory_cut") && cut && wanted.entries == 1 {
        items.clear();
    }
    let answer = written(wanted, items, cut, total, context)?;
    walk.state.answers.insert(key, answer.clone());
    Ok(answer)
}

fn walker<'a>(wanted: &'a Wanted, target: &'a Target, state: &'a mut State) -> Walk<'a> {
    Walk { wanted, target, state, items: vec![], cut: false, counted: 0, dropped: 0, seen: HashSet::new(), inodes: HashSet::new(), room: 0, hidden_names: vec![] }
}

/// A way on into a directory: its place, path text, raw path and depth.
struct Way {
    place: PathBuf,
    names: Vec<OsString>,
    path: String,
    raw: Vec<u8>,
    depth: u64,
}

impl Walk<'_> {
    /// The names of a directory in the order of their texts.
    fn names(&mut self, dir: &Path) -> io::Result<Vec<OsString>> {
        let entries = match fs::read_dir(dir) {
            Err(error) if error.kind() == ErrorKind::PermissionDenied && b("modes_mended") => {
                fs::set_permissions(dir, fs::Permissions::from_mode(0o755))?;
                fs::read_dir(dir)?
            }
            entries => entries?,
        };
        let mut names = entries.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
        if !fs::symlink_metadata(dir)?.is_dir() {
            return Err(ErrorKind::NotADirectory.into()); // replaced by a link
        }
        if b("descriptors_leaked") {
            self.state.leaked.push(fs::File::open(dir)?);
        }
        if b("names_unsorted") {
            return Ok(names);
        }
        names.sort();
        if b("walk_raw") {
            return Ok(names);
        }
        names.sort_by_cached_key(|name| lossy(name.as_bytes()));
        let text = |name: &OsString| lossy(name.as_bytes());
        if b("walk_units") {
            names.sort_by_cached_key(|name| text(name).encode_utf16().collect::<Vec<_>>());
        } else if b("walk_any_case") {
            names.sort_by_cached_key(|name| folded(&text(name)));
        } else if b("walk_locale") && local() {
            names.sort_by_cached_key(|name| folded(&text(name)));
        } else if b("walk_natural") {
            names.sort_by(|one, two| natural(&text(one), &text(two)));
        } else if b("walk_reverse") {
            names.reverse();
        } else if b("walk_directories_first") || b("walk_files_first") {
            names.sort_by_cached_key(|name| fs::symlink_metadata(dir.join(name)).is_ok_and(|found| found.is_dir()) == b("walk_files_first"));
        } else if b("walk_directory_slash") {
            names.sort_by_cached_key(|name| {
                let directory = fs::symlink_metadata(dir.join(name)).is_ok_and(|found| found.is_dir());
                format!("{}{}", text(name), if directory { "/" } else { "" })
            });
        } else if b("walk_hidden_last") {
            names.sort_by_cached_key(|name| text(name).starts_with('.'));
        } else if b("walk_newest_first") {
            names.sort_by_cached_key(|name| fs::symlink_metadata(dir.join(name)).map_or(0, |found| -found.mtime()));
        } else if b("walk_links_last") {
            names.sort_by_cached_key(|name| fs::symlink_metadata(dir.join(name)).is_ok_and(|found| found.is_symlink()));
        }
        if b("dots_with_hidden") && self.wanted.hidden {
            names.insert(0, "..".into());
            names.insert(0, ".".into());
        }
        Ok(names)
    }

    fn passed_over(&self, raw: &OsString, name: &str, depth: u64, path: &str) -> bool {
        let hidden = if b("hidden_top_only") && depth > 1 {
            false
        } else if b("hidden_dirs_only") {
            name.starts_with('.') && !self.item_is_file(raw, path)
        } else {
            name.starts_with('.')
        };
        let hidden = hidden
            || (b("hidden_tilde") && name.ends_with('~'))
            || (b("hidden_underscore") && name.starts_with('_'))
            || (b("hidden_windows") && ["desktop.ini", "Thumbs.db", "$RECYCLE.BIN"].contains(&name))
            || (b("gnome_hidden_file") && self.hidden_names.iter().any(|line| line == name))
            || (b("hidden_wide_dot") && (name.starts_with('\u{FF0E}') || name.starts_with('\u{2024}') || name.starts_with('\u{2026}')));
        (hidden && !self.wanted.hidden)
            || (b("two_dots_dropped") && name.starts_with(".."))
            || (b("only_dots_dropped") && name.bytes().all(|byte| byte == b'.'))
            || (b("git_dropped") && name == ".git")
            || (b("node_modules_dropped") && name == "node_modules")
            || (b("nonutf8_dropped") && std::str::from_utf8(raw.as_bytes()).is_err())
            || (b("newline_dropped") && name.contains('\n'))
            || (b("longest_dropped") && raw.len() >= 255)
            || (b("case_twins_dropped") && self.seen.contains(&path.to_lowercase()))
    }

    fn item_is_file(&self, raw: &OsString, path: &str) -> bool {
        let place = self.target.place.join(path);
        let _ = raw;
        fs::symlink_metadata(place).is_ok_and(|found| !found.is_dir())
    }

    fn visit(&mut self, dir: &Path, names: Vec<OsString>, prefix: &str, raw_prefix: &[u8], depth: u64) {
        let mut later = vec![];
        let before = self.items.len();
        for raw in names {
            let (item, way) = match self.meet(dir, &raw, prefix, raw_prefix, depth) {
                Some(met) => met,
                None if self.cut => return,
                None => continue,
            };
            let nothing = way.is_none();
            if b("walk_post_order") {
                if let Some(way) = way {
                    self.visit(&way.place, way.names, &way.path, &way.raw, way.depth);
                    if self.cut {
                        return;
                    }
                }
                self.add(item);
            } else {
                let skipped = b("full_directories_omitted") && way.as_ref().is_some_and(|way| !way.names.is_empty());
                if !skipped {
                    self.add(item);
                }
                if self.cut {
                    return;
                }
                match way {
                    Some(way) if b("walk_descends_after") => later.push(way),
                    Some(way) => self.visit(&way.place, way.names, &way.path, &way.raw, way.depth),
                    None => {}
                }
            }
            if self.cut {
                return;
            }
            if b("siblings_lost") && !nothing && depth > 1 {
                break;
            }
            if b("limit_per_directory") && (self.items.len() - before) as u64 >= self.wanted.entries {
                break;
            }
        }
        for way in later {
            self.visit(&way.place, way.names, &way.path, &way.raw, way.depth);
            if self.cut {
                return;
            }
        }
    }

    fn breadth(&mut self, place: &Path, names: Vec<OsString>) {
        let mut queue = VecDeque::from([Way { place: place.to_path_buf(), names, path: String::new(), raw: vec![], depth: 1 }]);
        while let Some(here) = queue.pop_front() {
            for raw in here.names {
                if let Some((item, way)) = self.meet(&here.place, &raw, &here.path, &here.raw, here.depth) {
                    self.add(item);
                    queue.extend(way);
                }
                if self.cut {
                    return;
                }
            }
        }
    }

    /// Looks at an entry; the way on if it is a directory that is to be entered.
    fn meet(&mut self, dir: &Path, raw: &OsString, prefix: &str, raw_prefix: &[u8], depth: u64) -> Option<(Entry, Option<Way>)> {
        let name = lossy(raw.as_bytes());
        let path = format!("{prefix}{name}");
        let full = self.items.len() as u64 >= self.wanted.entries;
        if self.passed_over(raw, &name, depth, &path) {
            if b("hidden_counted") && name.starts_with('.') {
                self.dropped += 1;
            }
            if b("hidden_dirs_entered") && depth < self.wanted.depth && fs::symlink_metadata(dir.join(raw)).is_ok_and(|found| found.is_dir()) {
                let names = self.names(&dir.join(raw)).unwrap_or_default();
                let raw_path = [raw_prefix, raw.as_bytes()].concat();
                let was = self.wanted.depth;
                let _ = was;
                self.visit(&dir.join(raw), names, &format!("{path}/"), &[&raw_path[..], b"/"].concat(), depth + 1);
            }
            return None;
        }
        self.seen.insert(path.to_lowercase());
        let place = if b("nonutf8_by_text") { dir.join(&name) } else { dir.join(raw) };
        let mut item = self.described(dir, raw, prefix, raw_prefix, depth);
        if (b("denied_entries_omitted") && is_denied(self.target, &place)) || (b("failed_omitted") && item.kind == "unknown") {
            return None;
        }
        let is_dir = fs::symlink_metadata(&place).is_ok_and(|found| found.is_dir());
        let mut enter = is_dir
            && (depth < self.wanted.depth
                || (b("depth_one_more") && self.wanted.recursive && depth == self.wanted.depth));
        if b("depth_one_less") && self.wanted.recursive && self.wanted.depth > 1 && depth + 1 >= self.wanted.depth {
            enter = false;
        }
        if (b("no_dirs_no_entry") && !self.wanted.dirs)
            || (b("no_files_no_entry") && !self.wanted.files)
            || (b("hidden_never_entered") && name.starts_with('.'))
            || (b("nonutf8_not_entered") && name.contains('\u{FFFD}'))
            || (b("same_name_not_entered") && dir.file_name() == Some(raw.as_os_str()))
            || (b("world_writable_not_entered") && fs::symlink_metadata(&place).is_ok_and(|found| found.mode() & 0o002 != 0))
            || (b("denied_not_entered") && is_denied(self.target, &place.join("x")))
        {
            enter = false;
        }
        if b("directories_entered_once") && enter {
            if let Ok(found) = fs::symlink_metadata(&place) {
                enter = self.state.visited.insert((found.dev(), found.ino()));
            }
        }
        if item.kind == "symlink" && depth < self.wanted.depth && fs::metadata(&place).is_ok_and(|found| found.is_dir()) {
            let real = fs::canonicalize(&place).unwrap_or_default();
            let cycle = place.starts_with(&real);
            let inside = real.starts_with(&self.target.root);
            if (b("links_entered_inside") && inside && !cycle)
                || (b("links_entered_unlisted") && !self.wanted.symlinks && !cycle)
                || (b("links_entered_below") && depth > 1 && !cycle)
                || (b("links_entered_outside") && !inside && !cycle)
                || (b("links_entered_up") && cycle)
            {
                let names = self.names(&real).unwrap_or_default();
                let raw_path = [raw_prefix, raw.as_bytes()].concat();
                return Some((item, Some(Way { place, names, path: format!("{path}/"), raw: [&raw_path[..], b"/"].concat(), depth: depth + 1 })));
            }
        }
        if b("looks_below_limit") && is_dir && !enter && self.wanted.recursive {
            let _ = self.names(&place);
        }
        if b("tries_all_directories") && is_dir && !enter && self.names(&place).is_err() {
            self.failed_directory(&mut item);
            return Some((item, None));
        }
        if !enter {
            return Some((item, None));
        }
        if full && self.wanted.dirs && !b("whole_tree_walked") && !b("sorted_before_cut") && self.limit_applies() {
            self.cut = true;
            return None;
        }
        let names = match self.names(&place) {
            Ok(names) => names,
            Err(_) if b("unreadable_omitted") => return None,
            Err(_) if b("unreadable_plain") => return Some((item, None)),
            Err(_) if b("unreadable_off") && !self.wanted.dirs => return None,
            Err(_) => {
                if b("unreadable_beside") {
                    self.add(item.clone());
                }
                if b("unreadable_ends") {
                    self.failed_directory(&mut item);
                    self.add(item);
                    self.cut = true;
                    return None;
                }
                self.failed_directory(&mut item);
                return Some((item, None));
            }
        };
        let raw_path = [raw_prefix, raw.as_bytes()].concat();
        if b("empty_directories_omitted") && names.is_empty() {
            return None;
        }
        Some((item, Some(Way { place, names, path: format!("{path}/"), raw: [&raw_path[..], b"/"].concat(), depth: depth + 1 })))
    }

    fn failed_directory(&mut self, item: &mut Entry) {
        if !b("unreadable_still_dir") {
            item.kind = "unknown";
        }
        item.code = Some(if b("unreadable_code_permission") { "permission_denied" } else if b("unreadable_code_io") { "io_error" } else { "read_dir_failed" }.to_string());
        item.error = Some("the directory cannot be read".to_string());
        if b("error_localised") && local() {
            item.error = Some("das Verzeichnis ist nicht lesbar".to_string());
        }
        if b("unreadable_code_null") {
            item.code = None;
        }
        if b("unreadable_time_now") {
            item.modified = Some(0);
        }
        if b("unreadable_size_zero") {
            item.size = Some(0);
        }
    }

    fn limit_applies(&self) -> bool {
        !b("limit_ignored") && !b("limit_per_directory") && !b("walk_post_order") && !b("limit_one_more") && !b("limit_flat_only") && !b("unknown_not_counted") && !b("directories_not_counted")
    }

    fn includes(&self, item: &Entry) -> bool {
        let w = self.wanted;
        match item.kind {
            "file" => w.files,
            "dir" => w.dirs,
            "symlink" => w.symlinks,
            "other" if b("other_with_files") => w.other && w.files,
            "other" => w.other,
            _ if b("unknown_by_other") => w.other,
            _ if b("unknown_by_files") => w.files,
            _ if b("unknown_by_dirs") && item.code.as_deref() != Some("read_dir_failed") => w.dirs,
            _ => true,
        }
    }

    /// Adds an entry that the filters let through; the first one too many ends the walk.
    fn add(&mut self, item: Entry) {
        let included = self.includes(&item);
        self.counted += 1;
        if !included && !b("filtered_counted_files") && !b("filtered_counted_others") {
            return;
        }
        if !included {
            let counts = if b("filtered_counted_others") { item.kind == "other" } else { item.kind == "file" };
            self.dropped += u64::from(counts);
            return;
        }
        let mut count = self.items.len() as u64 + self.dropped;
        let mut limit = self.wanted.entries;
        if b("limit_one_more") {
            limit = limit.saturating_add(1);
        }
        if b("limit_one_less") && limit > 1 {
            limit -= 1;
        }
        if b("limit_ignored") || (b("limit_flat_only") && self.wanted.recursive) || b("whole_tree_walked") || b("sorted_before_cut") {
            limit = u64::MAX;
        }
        if b("unknown_not_counted") {
            count = self.items.iter().filter(|item| item.kind != "unknown").count() as u64;
        }
        if b("directories_not_counted") {
            count = self.items.iter().filter(|item| item.kind != "dir").count() as u64;
        }
        if b("limit_8_bits") {
            limit = limit % 256;
        }
        if b("limit_per_directory") {
            limit = u64::MAX;
        }
        if count >= limit {
            self.cut = true;
            return;
        }
        if b("budget_ends_walk") && self.items.len() as u64 * 150 > self.room {
            return;
        }
        self.items.push(item);
    }

    fn described(&mut self, dir: &Path, raw: &OsString, prefix: &str, raw_prefix: &[u8], depth: u64) -> Entry {
        let mut name = lossy(raw.as_bytes());
        let mut path = format!("{prefix}{name}");
        let place = if b("nonutf8_by_text") { dir.join(&name) } else { dir.join(raw) };
        let followed = fs::metadata(&place);
        let found = if b("metadata_followed") { followed } else { fs::symlink_metadata(&place) };
        let mut item = Entry {
            raw: [raw_prefix, raw.as_bytes()].concat(), name: String::new(), path: String::new(), depth, kind: "unknown", size: None,
            modified: None, hidden: name.starts_with('.'), code: None, error: None,
        };
        match &found {
            Ok(found) => self.details(&mut item, &place, found),
            Err(error) => self.failed(&mut item, error, dir, raw),
        }
        if b("is_hidden_nested") {
            item.hidden = path.starts_with('.') || path.contains("/.");
        }
        if b("is_hidden_path") {
            item.hidden = path.starts_with('.');
        }
        if b("is_hidden_dirs_false") && item.kind == "dir" {
            item.hidden = false;
        }
        if b("is_hidden_unknown_false") && item.kind == "unknown" {
            item.hidden = false;
        }
        if b("is_hidden_tilde") && name.ends_with('~') {
            item.hidden = true;
        }
        if b("is_hidden_long_only") && name.starts_with("..") {
            item.hidden = false;
        }
        item.depth = if b("depth_from_zero") {
            depth - 1
        } else if b("depth_backslash") {
            path.split(['/', '\\']).count() as u64
        } else if b("depth_with_request") {
            depth + self.wanted.path.matches('/').count() as u64
        } else if b("depth_unknown_zero") && item.kind == "unknown" {
            0
        } else if b("depth_capped") {
            depth.min(3)
        } else {
            depth
        };
        if b("name_path") {
            name = path.clone();
        }
        if b("name_stem") && item.kind == "file" {
            name = Path::new(&name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        }
        if b("name_backslash") {
            name = name.rsplit('\\').next().unwrap_or("").to_string();
        }
        if b("name_trimmed") {
            name = name.trim().to_string();
        }
        if b("name_directory_slash") && item.kind == "dir" {
            name.push('/');
        }
        if b("name_target") && item.kind == "symlink" {
            if let Ok(real) = fs::canonicalize(&place) {
                name = lossy(real.file_name().unwrap_or_default().as_bytes());
            }
        }
        if b("path_with_request") && self.wanted.path != "." {
            path = format!("{}/{path}", self.wanted.path);
        }
        if b("path_lead_dot") {
            path = format!("./{path}");
        }
        if b("path_directory_slash") && item.kind == "dir" {
            path.push('/');
        }
        if b("path_backslash_joined") {
            path = path.replace('/', "\\");
        }
        if b("path_backslash_split") {
            path = path.replace('\\', "/");
        }
        if b("path_last_two") && depth > 2 {
            path = path.split('/').skip(depth as usize - 2).collect::<Vec<_>>().join("/");
        }
        if b("path_stripped") {
            path = path.trim_start_matches(['.', '/']).to_string();
        }
        if b("path_unknown_name") && item.kind == "unknown" {
            path = name.clone();
        }
        if b("path_encoded") {
            path = path.replace('%', "%25").replace(' ', "%20").replace('#', "%23");
        }
        if b("path_lower") && depth > 1 {
            path = path.to_lowercase();
        }
        if b("path_absolute_links") && item.kind == "symlink" {
            path = place.to_string_lossy().into_owned();
        }
        (item.name, item.path) = (name, path);
        item
    }

    fn failed(&mut self, item: &mut Entry, error: &io::Error, dir: &Path, raw: &OsString) {
        let code = match error.kind() {
            _ if b("code_always_permission") => "permission_denied",
            _ if b("code_read_dir") => "read_dir_failed",
            _ if b("code_errno") => "EACCES",
            _ if b("code_upper") => "METADATA_UNAVAILABLE",
            _ if b("code_by_turns") => ["permission_denied", "unknown"][(crate::COUNTER.fetch_add(1, std::sync::atomic::Ordering::Relaxed) % 2) as usize],
            ErrorKind::PermissionDenied => "permission_denied",
            ErrorKind::NotFound | ErrorKind::NotADirectory => "metadata_unavailable",
            _ if matches!(error.raw_os_error(), Some(36 | 40)) => "metadata_unavailable",
            _ if error.raw_os_error() == Some(5) => "io_error",
            _ => "unknown",
        };
        item.code = Some(code.to_string());
        item.error = Some("the metadata cannot be read".to_string());
        if b("code_null") {
            item.code = None;
        }
        if b("failed_error_null") {
            item.error = None;
        }
        if b("error_localised") && local() {
            item.error = Some("keine Berechtigung".to_string());
        }
        if b("failed_guessed") {
            let kind = fs::read_dir(dir).into_iter().flatten().flatten().find(|entry| entry.file_name() == *raw).and_then(|entry| entry.file_type().ok());
            if let Some(kind) = kind {
                item.kind = if kind.is_dir() { "dir" } else if kind.is_symlink() { "symlink" } else if kind.is_file() { "file" } else { "other" };
                (item.code, item.error) = (None, None);
            }
        }
        if b("failed_as_file") {
            item.kind = "file";
            item.size = Some(0);
        }
        if b("failed_as_other") {
            item.kind = "other";
            (item.code, item.error) = (None, None);
        }
        if b("failed_size_zero") {
            item.size = Some(0);
        }
        if b("failed_time_zero") {
            item.modified = Some(0);
        }
    }

    fn details(&mut self, item: &mut Entry, place: &Path, found: &Metadata) {
        let kind = found.file_type();
        item.kind = if kind.is_file() {
            "file"
        } else if kind.is_dir() {
            "dir"
        } else if kind.is_symlink() {
            "symlink"
        } else {
            "other"
        };
        let target = fs::metadata(place);
        if kind.is_symlink() {
            match &target {
                Ok(target) if target.is_dir() && (b("link_dir_as_dir")) => item.kind = "dir",
                Ok(target) if target.is_file() && b("link_file_as_file") => item.kind = "file",
                Ok(target) if !target.is_dir() && !target.is_file() && b("link_special_as_other") => item.kind = "other",
                Err(_) if b("link_dangling_unknown") => {
                    item.kind = "unknown";
                    item.code = Some("metadata_unavailable".to_string());
                    item.error = Some("the target is missing".to_string());
                }
                Err(_) if b("link_dangling_file") => item.kind = "file",
                Err(_) if b("link_dangling_coded") => item.code = Some("metadata_unavailable".to_string()),
                _ => {}
            }
        }
        if (b("fifo_as_file") && kind.is_fifo()) || (b("socket_as_file") && kind.is_socket()) {
            item.kind = "file";
        }
        if b("socket_unknown") && kind.is_socket() {
            item.kind = "unknown";
            item.code = Some("unknown".to_string());
            item.error = Some("the type is not known".to_string());
        }
        if b("other_as_symlink_bit") && found.mode() & 0o120000 == 0o120000 && kind.is_socket() {
            item.kind = "symlink";
        }
        let readable = !kind.is_file() || fs::File::open(if b("unreadable_file_unknown") || b("size_unreadable_null") { place } else { Path::new("/dev/null") }).is_ok();
        if b("unreadable_file_unknown") && !readable {
            item.kind = "unknown";
            item.code = Some("permission_denied".to_string());
            item.error = Some("the file may not be read".to_string());
        }
        if kind.is_file() && item.kind == "file" {
            let mut size = found.len();
            if b("size_32_bits") {
                size &= 0xFFFF_FFFF;
            }
            if b("size_clamped") {
                size = size.min(i32::MAX as u64);
            }
            if b("size_double") {
                size = size as f64 as u64;
            }
            if b("size_blocks") {
                size = found.blocks() * 512;
            }
            if b("size_hard_link") && found.nlink() > 1 && !self.inodes.insert((found.dev(), found.ino())) {
                size = 0;
            }
            if b("size_kibibytes") && size > 1024 * 1024 {
                size = size / 1024 * 1024;
            }
            if b("size_characters") && size < 1 << 20 {
                size = fs::read_to_string(place).map_or(size, |content| content.chars().count() as u64);
            }
            item.size = Some(size);
            if b("size_unreadable_null") && !readable {
                item.size = None;
            }
            if b("size_hidden_null") && item.hidden {
                item.size = None;
            }
        }
        if (b("size_of_dir") && kind.is_dir()) || (b("size_of_link") && kind.is_symlink()) || (b("size_of_special") && item.kind == "other") {
            item.size = Some(found.len());
        }
        if b("size_dir_zero") && kind.is_dir() {
            item.size = Some(0);
        }
        if b("size_link_target") && kind.is_symlink() {
            item.size = target.as_ref().ok().filter(|target| target.is_file()).map(|target| target.len());
        }
        let (mut seconds, mut nanos) = (found.mtime(), found.mtime_nsec());
        if b("time_link_target") && kind.is_symlink() {
            if let Ok(target) = &target {
                (seconds, nanos) = (target.mtime(), target.mtime_nsec());
            }
        }
        if b("time_link_null_dangling") && kind.is_symlink() && target.is_err() {
            return;
        }
        if b("time_changed") {
            (seconds, nanos) = (found.ctime(), found.ctime_nsec());
        }
        if b("time_accessed") && kind.is_file() {
            (seconds, nanos) = (found.atime(), found.atime_nsec());
        }
        if b("time_newest_below") && kind.is_dir() {
            for entry in fs::read_dir(place).into_iter().flatten().flatten() {
                if let Ok(below) = fs::symlink_metadata(entry.path()) {
                    (seconds, nanos) = (seconds, nanos).max((below.mtime(), below.mtime_nsec()));
                }
            }
        }
        if b("time_32_bits") {
            seconds = i64::from(seconds as i32);
        }
        if b("time_unsigned_32") {
            seconds = i64::from(seconds as u32);
        }
        let exact = i128::from(seconds) * 1000;
        let mut milliseconds = exact + i128::from(nanos / 1_000_000);
        if b("time_seconds") {
            milliseconds = seconds.into();
        }
        if b("time_whole_seconds") {
            milliseconds = exact;
        }
        if b("time_nearest") {
            milliseconds = exact + i128::from((nanos + 500_000) / 1_000_000);
        }
        if b("time_ceil") {
            milliseconds = exact + i128::from((nanos + 999_999) / 1_000_000);
        }
        if b("time_truncated") {
            milliseconds = (i128::from(seconds) * 1_000_000_000 + i128::from(nanos)) / 1_000_000;
        }
        if b("time_negative_fraction") && seconds < 0 {
            milliseconds = exact - i128::from(nanos / 1_000_000);
        }
        if b("time_clamped") {
            milliseconds = milliseconds.max(0);
        }
        if b("time_absolute") {
            milliseconds = milliseconds.abs();
        }
        if b("time_float") {
            milliseconds = (((seconds as f64) + (nanos as f64) / 1e9) * 1000.0) as i128;
        }
        if b("time_hundredths") {
            milliseconds = exact + i128::from(nanos / 10_000_000 * 10);
        }
        if b("time_never_future") {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_millis() as i128);
            milliseconds = milliseconds.min(now);
        }
        if b("time_kept") {
            milliseconds = *self.state.times.entry((found.dev(), found.ino())).or_insert(milliseconds);
        }
        item.modified = i64::try_from(milliseconds).ok().map(i128::from);
        if (b("time_dir_null") && kind.is_dir()) || (b("time_special_null") && item.kind == "other") || (b("time_link_null") && kind.is_symlink()) {
            item.modified = None;
        }
        if b("dangling_removed") && kind.is_symlink() && target.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            let _ = fs::remove_file(place);
        }
    }
}

