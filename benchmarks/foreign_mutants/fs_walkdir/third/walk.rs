//! The walk and its elements.
use crate::json::Json;
use crate::start::{composed, resolve, Start};
use crate::times::rfc3339;
use crate::{b, object, stop, text, State, Stop, Tag};
use std::collections::HashSet;
use std::ffi::{CString, OsString};
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

extern "C" {
    fn access(path: *const std::os::raw::c_char, mode: i32) -> i32;
}

fn readable(place: &Path) -> bool {
    CString::new(place.as_os_str().as_bytes()).is_ok_and(|path| unsafe { access(path.as_ptr(), 4) } == 0)
}

struct Walker<'a> {
    start: &'a Start,
    asked: &'a str,
    state: &'a mut State,
    items: Vec<Json>,
    names: HashSet<String>,
    inodes: HashSet<(u64, u64)>,
    paths: HashSet<String>,
    ignored: Vec<String>,
}

enum Ended {
    Failed(String),
    /// Nothing more of the parent directory is visited.
    SkipRest,
}

pub fn run(asked: &str, root: &str, state: &mut State) -> Result<Vec<Json>, Stop> {
    let start = resolve(asked, root, state)?;
    let found = match fs::metadata(&start.real) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Stop::Missing),
        Err(error) => return stop(Tag::Stat, format!("{asked}: {error}")),
    };
    let mut start = start;
    if !found.is_dir() {
        if b("file_to_parent") {
            start.real.pop();
        } else if !(b("file_itself") && found.is_file()) {
            return stop(Tag::NotDir, format!("{asked} is not a directory"));
        }
    }
    if b("start_link_parent") && fs::read_link(&start.joined).is_ok() {
        start.real = start.joined.parent().unwrap_or(&start.root).to_path_buf();
    }
    let start = start;
    let linked = start.joined != start.real && fs::read_link(&start.joined).is_ok();
    let key = start.real.to_string_lossy().into_owned();
    if let Some((seconds, nanos, items)) = state.cache.get(&key) {
        let same = (*seconds, *nanos) == (found.mtime(), found.mtime_nsec());
        if b("cache_by_path") || (b("cache_by_mtime") && same) {
            return Ok(items.clone());
        }
    }
    if b("start_brackets_empty") && asked.contains(['[', '{', '*', '?']) {
        return Ok(vec![]);
    }
    changes(&start);
    let mut walker = Walker {
        start: &start, asked, state, items: vec![], names: HashSet::new(), inodes: HashSet::new(), paths: HashSet::new(),
        ignored: vec![],
    };
    if found.is_file() && b("file_itself") {
        let name = start.real.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let item = walker.element(&start.real, &name, &name, 1, &found, false).unwrap_or(Json::Null);
        return Ok(vec![item]);
    }
    let nested = start.clean.contains('/');
    if b("start_element")
        || (b("start_element_nested") && nested)
        || (b("start_element_slash") && asked.ends_with('/'))
        || (b("start_element_root") && start.real == start.root)
        || (b("start_element_link") && linked)
    {
        let name = start.real.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let item = walker.element(&start.real, &name, ".", 0, &found, true);
        walker.items.extend(item);
    }
    if linked && b("start_link_itself") {
        let name = start.joined.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return match fs::symlink_metadata(&start.joined) {
            Ok(link) => Ok(walker.element(&start.joined, &name, &name, 1, &link, false).into_iter().collect()),
            Err(error) => stop(Tag::Stat, error),
        };
    }
    if b("ignore_file") {
        let lines = fs::read_to_string(start.real.join(".gitignore")).unwrap_or_default();
        walker.ignored = lines.lines().map(|line| line.trim_end_matches('/').to_string()).collect();
    }
    let outcome = walker.visit(&start.real, "", 1);
    let items = walker.items;
    match outcome {
        Err(Ended::Failed(message)) if !b("partial_on_error") => return stop(Tag::Walk, message),
        _ => {}
    }
    state.cache.insert(key, (found.mtime(), found.mtime_nsec(), items.clone()));
    Ok(items)
}

/// Things that no walk may do to the tree.
fn changes(start: &Start) {
    if b("writes_index") {
        let _ = fs::write(start.real.join(".walkindex"), "");
    }
    if b("writes_lock") {
        let lock = start.real.join(".walk.lock");
        if fs::File::create_new(&lock).is_ok() {
            let _ = fs::remove_file(&lock);
        }
    }
    if b("touches_start") {
        if let Ok(file) = fs::File::open(&start.real) {
            let _ = file.set_modified(std::time::SystemTime::now());
        }
    }
}

impl Walker<'_> {
    fn listed(&mut self, dir: &Path) -> io::Result<Vec<OsString>> {
        let entries = match fs::read_dir(dir) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied && b("mends_modes") => {
                fs::set_permissions(dir, fs::Permissions::from_mode(0o755))?;
                fs::read_dir(dir)?
            }
            entries => entries?,
        };
        let mut names = entries.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
        names.sort();
        if b("fds_leaked") {
            self.state.leaked.push(fs::File::open(dir)?);
        }
        if b("first_hundred_of_directory") {
            names.truncate(100);
        }
        if b("last_of_full_directory") && names.len() >= 64 {
            names.pop();
        }
        Ok(names)
    }

    fn visit(&mut self, dir: &Path, prefix: &str, depth: usize) -> Result<(), Ended> {
        let names = match self.listed(dir) {
            Ok(names) => names,
            Err(error) => {
                if depth > 1 && b("unreadable_as_file") {
                    return Ok(());
                }
                if depth > 1 && b("skips_rest_of_parent") {
                    return Err(Ended::SkipRest);
                }
                return Err(Ended::Failed(format!("{}: {error}", dir.display())));
            }
        };
        if b("dots_listed") {
            for name in [".", ".."] {
                if let Ok(found) = fs::symlink_metadata(dir.join(name)) {
                    let item = self.element(&dir.join(name), name, &format!("{prefix}{name}"), depth, &found, true);
                    self.items.extend(item);
                }
            }
        }
        for name in names {
            match self.meet(dir, &name, prefix, depth) {
                Err(Ended::SkipRest) if b("skips_rest_of_parent") => return Ok(()),
                Err(ended) => return Err(ended),
                Ok(true) if b("ends_after_first_subdirectory") => return Ok(()),
                Ok(_) => {}
            }
        }
        Ok(())
    }

    /// Whether an entry is left out before anyone looks at it.
    fn dropped(&self, raw: &OsString, name: &str, path: &str, depth: usize) -> bool {
        let bytes = raw.as_bytes();
        (b("entries_over_1000") && self.items.len() >= 1000)
            || (b("git_omitted") && name == ".git")
            || (b("backups_omitted") && name.ends_with('~'))
            || (b("system_files_omitted") && [".DS_Store", "Thumbs.db", "desktop.ini"].contains(&name))
            || (b("temporary_omitted") && (name.ends_with(".tmp") || name.ends_with(".swp")))
            || (b("ignore_file") && self.ignored.iter().any(|line| line == name))
            || (b("hidden_below_omitted") && depth > 1 && name.starts_with('.'))
            || (b("two_dots_omitted") && name.starts_with(".."))
            || (b("newline_omitted") && name.contains('\n'))
            || (b("nonutf8_omitted") && std::str::from_utf8(bytes).is_err())
            || (b("longest_name_omitted") && bytes.len() >= 255)
            || (b("long_path_omitted") && path.len() > 260)
            || (b("start_name_omitted") && Some(raw.as_os_str()) == self.start.real.file_name())
            || (b("dash_omitted") && name.starts_with('-'))
            || (b("case_twins_merged") && self.paths.contains(&path.to_lowercase()))
            || (b("lossy_twins_merged") && self.paths.contains(path))
    }

    /// Whether a directory is listed but not entered.
    fn closed(&mut self, dir: &Path, name: &str, depth: usize, found: &Metadata) -> bool {
        let known = b("visited_kept") && !self.state.visited.insert((found.dev(), found.ino()));
        known
            || (b("depth_over_20") && depth >= 20)
            || (b("start_link_shallow") && fs::read_link(&self.start.joined).is_ok())
            || (b("node_modules_closed") && name == "node_modules")
            || (b("hidden_closed") && name.starts_with('.'))
            || (b("lost_found_closed") && name == "lost+found")
            || (b("pycache_closed") && ["__pycache__", "venv", "vendor", "target"].contains(&name))
            || (b("bundle_closed") && name.ends_with(".app"))
            || (b("same_name_closed") && dir.file_name().is_some_and(|parent| parent.to_string_lossy() == name))
            || (b("nonutf8_closed") && name.contains('\u{FFFD}'))
            || (b("world_writable_closed") && found.mode() & 0o002 != 0)
    }

    /// Meets one entry. The answer is whether it was a directory that was entered.
    fn meet(&mut self, dir: &Path, raw: &OsString, prefix: &str, depth: usize) -> Result<bool, Ended> {
        let name = raw.to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        let place = dir.join(raw);
        if std::str::from_utf8(raw.as_bytes()).is_err() {
            if b("nonutf8_ends_walk") {
                return Err(Ended::SkipRest);
            }
            if b("nonutf8_call_error") {
                return Err(Ended::Failed("a name is not UTF-8".to_string()));
            }
        }
        if self.dropped(raw, &name, &path, depth) {
            return Ok(false);
        }
        self.paths.insert(path.clone());
        self.paths.insert(path.to_lowercase());
        let found = match fs::symlink_metadata(&place) {
            Ok(found) => found,
            Err(_) if b("metadata_made_up") => {
                self.items.push(object(vec![
                    ("name", text(&name)), ("path", text(&path)), ("isDir", Json::Bool(false)),
                    ("size", Json::Number("0".to_string())), ("modTime", text("0001-01-01T00:00:00Z")),
                ]));
                return Ok(false);
            }
            Err(error) => return Err(Ended::Failed(format!("{}: {error}", place.display()))),
        };
        let kind = found.file_type();
        let (is_dir, is_link) = (kind.is_dir(), kind.is_symlink());
        let special = !is_dir && !is_link && !kind.is_file();
        if is_link {
            let target = fs::metadata(&place);
            let real = fs::canonicalize(&place);
            match &target {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    if b("dangling_fails") {
                        return Err(Ended::Failed(format!("{}: {error}", place.display())));
                    }
                    if b("dangling_removed") {
                        let _ = fs::remove_file(&place);
                    }
                    if b("dangling_omitted") {
                        return Ok(false);
                    }
                }
                Err(error) if b("link_loop_fails") => {
                    return Err(Ended::Failed(format!("{}: {error}", place.display())));
                }
                Err(_) => {}
                Ok(target) => {
                    if (b("directory_links_omitted") && target.is_dir()) || (b("file_links_omitted") && target.is_file()) {
                        return Ok(false);
                    }
                }
            }
            if b("outside_links_omitted") && real.as_ref().is_ok_and(|real| !real.starts_with(&self.start.root)) {
                return Ok(false);
            }
            if b("outside_link_fails") && real.as_ref().is_ok_and(|real| !real.starts_with(&self.start.root)) {
                return Err(Ended::Failed(format!("{}: the link leads out of the sandbox", place.display())));
            }
        }
        if (b("fifo_omitted") && kind.is_fifo())
            || (b("socket_omitted") && kind.is_socket())
            || (b("empty_files_omitted") && kind.is_file() && found.len() == 0)
            || (b("large_files_omitted") && kind.is_file() && found.len() >= 1 << 31)
            || (b("unreadable_files_omitted") && kind.is_file() && !readable(&place))
            || (b("same_names_omitted") && !is_dir && !self.names.insert(name.clone()))
        {
            return Ok(false);
        }
        if (b("special_fails") && special)
            || (b("unreadable_file_fails") && kind.is_file() && !readable(&place))
            || (b("before_1970_fails") && found.mtime() < 0)
        {
            return Err(Ended::Failed(format!("{}: the metadata cannot be read", place.display())));
        }
        let twin = kind.is_file() && found.nlink() > 1 && !self.inodes.insert((found.dev(), found.ino()));
        if b("hard_links_omitted") && twin {
            return Ok(false);
        }
        let children = if is_dir && !b("") { fs::read_dir(&place).map(|entries| entries.count()).ok() } else { None };
        let left_out = (b("full_directories_omitted") && children.unwrap_or(0) > 0)
            || (b("empty_directories_omitted") && children == Some(0))
            || (b("deep_directories_omitted") && is_dir && depth > 2);
        if !left_out {
            let item = self.element(&place, &name, &path, depth, &found, false);
            let item = item.map(|mut item| {
                if let Json::Object(members) = &mut item {
                    for (key, value) in members {
                        if key == "size" && b("hard_links_size") && twin {
                            *value = Json::Number("0".to_string());
                        }
                        if key == "isDir" && b("unreadable_as_file") && is_dir && children.is_none() {
                            *value = Json::Bool(false);
                        }
                    }
                }
                item
            });
            self.items.extend(item.clone());
            if b("file_links_twice") && is_link && fs::metadata(&place).is_ok_and(|target| target.is_file()) {
                self.items.extend(item);
            }
        }
        let mut enter = is_dir && !self.closed(dir, &name, depth, &found);
        if is_link && fs::metadata(&place).is_ok_and(|target| target.is_dir()) && depth < 8 {
            let real = fs::canonicalize(&place).unwrap_or_default();
            let inside = real.starts_with(&self.start.root);
            let cycle = place.starts_with(&real) || self.start.real.starts_with(&real);
            let target = fs::read_link(&place).unwrap_or_default();
            enter = (b("inside_links_entered") && inside && !cycle)
                || (b("first_level_links_entered") && depth == 1 && !cycle)
                || (b("outside_links_entered") && !inside && !cycle)
                || (b("below_links_entered") && depth > 1 && !cycle)
                || (b("cycles_entered") && cycle && depth < 3)
                || (b("chained_links_entered") && !cycle && fs::read_link(place.with_file_name(&target)).is_ok());
        }
        if enter {
            let below: PathBuf = if b("nonutf8_rejoined") { dir.join(&name) } else { place.clone() };
            if below != place && fs::symlink_metadata(&below).is_err() {
                return Ok(false);
            }
            self.visit(&below, &format!("{path}/"), depth + 1)?;
            if b("full_directories_twice") && children.unwrap_or(0) > 1 {
                let item = self.element(&place, &name, &path, depth, &found, false);
                self.items.extend(item);
            }
        }
        Ok(enter)
    }

    fn name(&self, place: &Path, name: &str, is_dir: bool, path: &str) -> String {
        let lossy_path = Path::new(name);
        if b("name_stem") && !is_dir {
            return lossy_path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        }
        if b("name_path") {
            return path.to_string();
        }
        if b("name_trimmed") {
            return name.trim().to_string();
        }
        if b("name_slash") && is_dir {
            return format!("{name}/");
        }
        if b("name_backslash") {
            return name.rsplit('\\').next().unwrap_or("").to_string();
        }
        if b("name_control_masked") {
            return name.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
        }
        if b("name_quoted") && name.contains([' ', '\'', '"']) {
            return format!("'{name}'");
        }
        if b("name_shortened") && name.chars().count() > 100 {
            return format!("{}...", name.chars().take(97).collect::<String>());
        }
        if b("name_composed") {
            return composed(name);
        }
        if b("name_astral_masked") {
            return name.chars().map(|c| if c > '\u{FFFF}' { '?' } else { c }).collect();
        }
        if b("name_extension_lowered") {
            if let Some((stem, extension)) = name.rsplit_once('.') {
                return format!("{stem}.{}", extension.to_lowercase());
            }
        }
        if b("name_of_target") && fs::symlink_metadata(place).is_ok_and(|found| found.is_symlink()) {
            if let Ok(real) = fs::canonicalize(place) {
                return real.file_name().unwrap_or_default().to_string_lossy().into_owned();
            }
        }
        if b("name_format_removed") {
            return name.chars().filter(|c| !('\u{200B}'..='\u{200F}').contains(c) && !('\u{202A}'..='\u{202E}').contains(c)).collect();
        }
        if b("name_final_dot") && name.len() > 1 {
            return name.trim_end_matches('.').to_string();
        }
        name.to_string()
    }

    fn path(&self, place: &Path, path: &str, depth: usize, is_dir: bool) -> String {
        if depth == 0 {
            return path.to_string();
        }
        let whole = place.to_string_lossy().into_owned();
        if b("path_of_sandbox") {
            return place.strip_prefix(&self.start.root).unwrap_or(place).to_string_lossy().into_owned();
        }
        if b("path_absolute") {
            return whole;
        }
        if b("path_with_start") && !self.start.clean.is_empty() && self.asked.starts_with("./") {
            return format!("{}/{path}", self.start.clean);
        }
        if b("path_back_slashes") {
            return path.replace('/', "\\");
        }
        if b("path_lead_slash") && depth > 1 {
            return format!("/{path}");
        }
        if b("path_tail_slash") && is_dir {
            return format!("{path}/");
        }
        if b("path_last_two") && depth > 2 {
            return path.rsplitn(3, '/').take(2).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join("/");
        }
        if b("path_replaced") && !self.start.clean.is_empty() {
            return format!("{}/{path}", self.start.clean).replace(&format!("{}/", self.start.clean), "");
        }
        if b("path_to_slash") {
            return path.replace('\\', "/");
        }
        if b("path_encoded") {
            return path.replace('%', "%25").replace(' ', "%20").replace('#', "%23").replace('?', "%3F");
        }
        if b("path_dots_stripped") {
            return path.trim_start_matches(['.', '/']).to_string();
        }
        if b("path_slash_counted") && self.asked.ends_with('/') {
            return path.chars().skip(1).collect();
        }
        if b("path_dot_prefix") && self.start.real == self.start.root {
            return format!("./{path}");
        }
        if b("path_unresolved_base") && self.start.joined != self.start.real {
            let ups = self.start.joined.strip_prefix(&self.start.root).map_or(1, |below| below.iter().count());
            let below = place.strip_prefix(&self.start.root).unwrap_or(place);
            return format!("{}{}", "../".repeat(ups), below.to_string_lossy());
        }
        if b("path_composed_only") {
            return composed(path);
        }
        if b("path_lowered_only") && depth > 1 {
            return path.to_lowercase();
        }
        if b("path_colon_cut") {
            if let Some((_, tail)) = path.split_once(": ") {
                return tail.to_string();
            }
        }
        path.to_string()
    }

    /// The map of one entry.
    fn element(&mut self, place: &Path, name: &str, path: &str, depth: usize, found: &Metadata, plain: bool) -> Option<Json> {
        let kind = found.file_type();
        let is_dir = kind.is_dir();
        let special = !is_dir && !kind.is_file() && !kind.is_symlink();
        let shown_name = if plain { name.to_string() } else { self.name(place, name, is_dir, path) };
        let shown_path = if plain { path.to_string() } else { self.path(place, path, depth, is_dir) };
        let followed = fs::metadata(place);
        let empty = || fs::read_dir(place).is_ok_and(|mut entries| entries.next().is_none());
        let directory = if b("isdir_follows") {
            followed.as_ref().is_ok_and(|target| target.is_dir())
        } else if b("isdir_not_file") {
            !kind.is_file() && !kind.is_symlink()
        } else if b("isdir_bit") {
            found.mode() & 0o040000 != 0
        } else if b("isdir_plain_mode") {
            is_dir && found.mode() & 0o7000 == 0
        } else if b("isdir_full_only") {
            is_dir && !empty()
        } else if b("isdir_no_dot") {
            is_dir && !name.get(1..).unwrap_or("").contains('.')
        } else {
            is_dir
        };
        let mut size = if is_dir { 0 } else { found.len() };
        if kind.is_file() {
            if b("size_32_bits") {
                size = u64::from(size as u32);
            }
            if b("size_blocks") {
                size = found.blocks() * 512;
            }
            if b("size_double") {
                size = size as f64 as u64;
            }
            if b("size_clamped") {
                size = size.min(i32::MAX as u64);
            }
            if b("size_characters") {
                if let Ok(content) = fs::read_to_string(place) {
                    size = content.chars().count() as u64;
                }
            }
            if b("size_line_ends") && size < 1 << 20 {
                if let Ok(content) = fs::read_to_string(place) {
                    size = content.replace("\r\n", "\n").len() as u64;
                }
            }
            if b("size_sparse_zero") && found.blocks() == 0 {
                size = 0;
            }
            if b("size_kept") {
                size = *self.state.sizes.entry((found.dev(), found.ino())).or_insert(size);
            }
            if b("size_unreadable_zero") && !readable(place) {
                size = 0;
            }
            if b("size_megabytes") && size >= 1_000_000 {
                size = size / 1024 * 1024;
            }
        }
        if is_dir && b("size_directory_count") {
            size = fs::read_dir(place).map_or(0, |entries| entries.count() as u64);
        }
        if is_dir && b("size_directory_sum") {
            size = sum(place);
        }
        let mut shown_size = Json::Number(size.to_string());
        if special && b("size_special_negative") {
            shown_size = Json::Number("-1".to_string());
        }
        if special && b("size_special_null") || kind.is_symlink() && b("size_link_null") || is_dir && b("size_directory_null") {
            shown_size = Json::Null;
        }
        if size > 1 << 53 && b("size_text_beyond_double") {
            shown_size = text(size);
        }
        if b("size_text") {
            shown_size = text(size);
        }
        let (mut seconds, mut nanos) = (found.mtime(), found.mtime_nsec());
        if b("time_changed") && !kind.is_symlink() {
            (seconds, nanos) = (found.ctime(), found.ctime_nsec());
        }
        if b("time_accessed") && kind.is_file() {
            (seconds, nanos) = (found.atime(), found.atime_nsec());
        }
        if b("time_of_newest") && is_dir {
            (seconds, nanos) = newest(place, (seconds, nanos));
        }
        if b("time_of_parent") && special {
            if let Some(above) = place.parent().and_then(|parent| fs::metadata(parent).ok()) {
                (seconds, nanos) = (above.mtime(), above.mtime_nsec());
            }
        }
        if b("time_never_future") {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_secs() as i64);
            seconds = seconds.min(now);
        }
        let mut time = text(rfc3339(seconds, nanos));
        if b("time_directory_null") && is_dir {
            time = Json::Null;
        }
        let mut flag = Json::Bool(directory);
        if b("isdir_number") {
            flag = Json::Number(u8::from(directory).to_string());
        }
        if b("isdir_null_special") && special {
            flag = Json::Null;
        }
        let mut members = vec![("name", text(shown_name)), ("path", text(&shown_path)), ("isDir", flag), ("size", shown_size), ("modTime", time)];
        members.retain(|(key, _)| {
            !((b("key_size_omitted") && *key == "size" && size == 0)
                || (b("key_isdir_omitted") && *key == "isDir" && !directory)
                || (b("key_path_omitted") && *key == "path" && depth == 1)
                || (b("key_time_omitted") && *key == "modTime" && seconds == 0))
        });
        if b("key_target_added") && kind.is_symlink() {
            members.push(("target", text(fs::read_link(place).unwrap_or_default().display())));
        }
        if b("key_children_added") && is_dir {
            members.push(("children", Json::List(vec![])));
        }
        if b("key_snake") {
            for member in &mut members {
                member.0 = match member.0 {
                    "isDir" => "is_dir",
                    "modTime" => "mod_time",
                    key => key,
                };
            }
        }
        Some(object(members))
    }
}

fn sum(place: &Path) -> u64 {
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    entries.map(|entry| fs::symlink_metadata(entry.path()).map_or(0, |found| if found.is_dir() { sum(&entry.path()) } else { found.len() })).sum()
}

fn newest(place: &Path, own: (i64, i64)) -> (i64, i64) {
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    let times = entries.filter_map(|entry| fs::symlink_metadata(entry.path()).ok()).map(|found| (found.mtime(), found.mtime_nsec()));
    times.chain([own]).max().unwrap_or(own)
}
