//! The tools move and copy.

use crate::bug::bug;
use crate::sandbox::{Place, Sandbox};
use crate::{fail, Failure, Tool};
use std::ffi::{CString, OsString};
use std::fs::{self, File, FileTimes, Metadata, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{symlink, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

extern "C" {
    fn renameat2(from_fd: i32, from: *const std::ffi::c_char, to_fd: i32, to: *const std::ffi::c_char, flags: u32) -> i32;
}
const NO_REPLACE: u32 = 1;
const EXCHANGE: u32 = 2;

fn rename_with(flags: u32, from: &Path, to: &Path) -> io::Result<()> {
    let (from, to) = (CString::new(from.as_os_str().as_bytes())?, CString::new(to.as_os_str().as_bytes())?);
    match unsafe { renameat2(-100, from.as_ptr(), -100, to.as_ptr(), flags) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Returns the place of the result: in the destination, if that is a directory, under the source's file name.
pub fn final_place(
    tool: Tool,
    source: &Place,
    source_text: &str,
    destination: Place,
    destination_text: &str,
    sandbox: &Sandbox,
) -> Result<Place, Failure> {
    if !destination.resolved.is_dir() {
        return Ok(destination);
    }
    if bug("link_to_directory_not_entered") && tool == Tool::Move && destination.entry.is_symlink() {
        return Ok(destination);
    }
    if bug("dot_not_entered") && (destination_text == "." || destination_text.ends_with("/.")) {
        return Ok(destination);
    }
    let mut name = source.entry.file_name().map(OsString::from);
    if bug("stem_as_name") && tool == Tool::Copy {
        name = source.entry.file_stem().map(OsString::from);
    }
    if bug("link_target_name") && tool == Tool::Move {
        name = source.resolved.file_name().map(OsString::from);
    }
    if bug("name_by_last_slash") {
        name = source_text.rsplit('/').next().map(OsString::from);
    }
    let Some(name) = name else { return fail("ExecutionFailed", "the source has no file name".to_string()) };
    let mut place = destination.resolved.join(&name);
    if bug("entered_twice") && place.is_dir() {
        place = place.join(&name);
    }
    if bug("final_name_unchecked") {
        return sandbox.unchecked(&place);
    }
    if bug("final_name_not_denied") {
        return sandbox.check_inside(&place);
    }
    sandbox.check_entry(&place)
}

pub struct Order<'a> {
    pub tool: Tool,
    pub source: &'a Place,
    pub target: &'a Place,
    pub entered: bool,
    pub overwrite: bool,
}

/// Holds the directory of a path open, so that it stays the directory that the sandbox has seen.
fn pin(path: &Path, held: &mut Vec<File>) -> io::Result<PathBuf> {
    const PATH_ONLY: i32 = 0o10000000 | 0o200000 | 0o400000; // O_PATH, O_DIRECTORY, O_NOFOLLOW
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Ok(path.to_path_buf()) };
    if bug("directories_not_held") || bug("places_are_remembered") {
        return Ok(path.to_path_buf());
    }
    let Ok(directory) = OpenOptions::new().read(true).custom_flags(PATH_ONLY).open(parent) else {
        return match fs::symlink_metadata(parent) {
            Ok(found) if found.is_symlink() || found.is_dir() => Err(io::Error::other("the directory cannot be held")),
            _ => Ok(path.to_path_buf()),
        };
    };
    let place = PathBuf::from(format!("/proc/self/fd/{}", directory.as_raw_fd()));
    if fs::read_link(&place)? != parent {
        return Err(io::Error::other("the directory has changed"));
    }
    held.push(directory);
    Ok(place.join(name))
}

/// An order whose directories are held.
struct Work<'a> {
    tool: Tool,
    source: &'a Place,
    target: &'a Place,
    entered: bool,
    overwrite: bool,
    same_entry: bool,
    same_file: bool,
    aim: &'a Path,
}

/// Moves or copies the source to its final place.
pub fn run(order: &Order, sandbox: &Sandbox) -> Result<String, Failure> {
    if sandbox.is_root(&order.source.entry) {
        return fail("ExecutionFailed", "the source contains the sandbox itself".to_string());
    }
    let shown = format!("{} to {}", order.source.entry.display(), order.target.entry.display());
    let mut held = vec![];
    let mut hold = |place: &Place| {
        io::Result::Ok(Place { entry: pin(&place.entry, &mut held)?, resolved: pin(&place.resolved, &mut held)? })
    };
    let held_places = (|| Ok((hold(order.source)?, hold(order.target)?)))();
    let done = held_places.and_then(|(source, target)| {
        transfer(&Work {
            tool: order.tool,
            source: &source,
            target: &target,
            entered: order.entered,
            overwrite: order.overwrite,
            same_entry: order.source.entry == order.target.entry,
            same_file: order.source.resolved == order.target.resolved,
            aim: &order.source.resolved,
        })
    });
    match done {
        Ok(()) if order.tool == Tool::Move => Ok(format!("Moved {shown}")),
        Ok(()) => Ok(format!("Copied {shown}")),
        Err(error) => fail("ExecutionFailed", format!("cannot {} {shown}: {error}", order.tool.name())),
    }
}

fn transfer(order: &Work) -> io::Result<()> {
    let Work { tool, source, target, overwrite, .. } = *order;
    let moving = tool == Tool::Move;
    if bug("old_file_removed_before_source_is_seen") && moving && overwrite && target.entry.is_file() {
        if !order.same_entry {
            fs::remove_file(&target.entry)?;
        }
    }
    if bug("destination_made_before_source_is_opened") && !moving && fs::symlink_metadata(&target.entry).is_err() {
        File::create(&target.resolved)?;
        fs::metadata(&source.resolved)?;
        fs::remove_file(&target.resolved)?;
    }
    let from = match fs::symlink_metadata(&source.entry) {
        Err(error) if bug("missing_source_with_overwrite_is_ok") && overwrite && error.kind() == ErrorKind::NotFound => {
            return Ok(());
        }
        found => found?,
    };
    if bug("dangling_link_is_missing") && moving && from.is_symlink() && !source.resolved.exists() {
        return Err(ErrorKind::NotFound.into());
    }
    let to = match fs::symlink_metadata(&target.entry) {
        Ok(found) if !overwrite => {
            if !taken(order, &from, &found)? {
                Some(found)
            } else if bug("taken_name_in_directory_is_skipped") && !moving && order.entered {
                return Ok(());
            } else {
                return Err(ErrorKind::AlreadyExists.into());
            }
        }
        Ok(found) => Some(found),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(_) if bug("parent_is_a_file_is_ok") && moving => return Ok(()),
        Err(error) => return Err(error),
    };
    if bug("same_content_is_done") && !moving && to.is_some() && !overwrite {
        return Ok(());
    }
    let by_text = bug("old_file_removed_without_comparison") && moving;
    if by_text {
        if to.as_ref().is_some_and(|to| to.is_file() || to.is_symlink()) {
            fs::remove_file(&target.entry)?;
        }
    } else if order.same_entry || order.same_file && from.is_symlink() && moving && to.is_some() {
        return Err(io::Error::other("source and destination are the same"));
    }
    if bug("directory_replaced_by_file") && overwrite && from.is_file() && to.as_ref().is_some_and(|to| to.is_dir()) {
        fs::remove_dir_all(&target.entry)?;
    }
    if moving {
        move_entry(order, &from, if by_text { None } else { to.as_ref() })
    } else {
        copy_entry(order)
    }
}

/// Whether the entry that was found at the final name stops a call without `overwrite`.
fn taken(order: &Work, from: &Metadata, found: &Metadata) -> io::Result<bool> {
    let moving = order.tool == Tool::Move;
    let kind = found.file_type();
    let is_free = bug("empty_file_is_free") && found.is_file() && found.len() == 0
        || bug("special_file_is_free") && !found.is_file() && !found.is_dir() && !found.is_symlink()
        || bug("directory_source_not_checked") && from.is_dir()
        || bug("name_in_directory_not_checked") && moving && order.entered && !kind.is_dir()
        || bug("same_content_is_done")
            && !moving
            && found.is_file()
            && !order.same_entry
            && found.len() == fs::metadata(&order.source.resolved)?.len()
            && fs::read(&order.source.resolved).ok() == fs::read(&order.target.entry).ok();
    Ok(!is_free)
}

fn move_entry(order: &Work, from: &Metadata, to: Option<&Metadata>) -> io::Result<()> {
    let (source, target) = (&*order.source.entry, &*order.target.entry);
    if !bug("hard_link_rename_keeps_both") && to.is_some_and(|to| (to.dev(), to.ino()) == (from.dev(), from.ino())) {
        return fs::remove_file(source); // two names of one file: rename would keep both
    }
    if bug("overwriting_move_copies") && to.is_some_and(Metadata::is_file) && from.is_file() {
        let temporary = copy_to_temporary(source, target)?;
        fs::set_permissions(&temporary, from.permissions())?;
        fs::rename(&temporary, target)?;
        return fs::remove_file(source);
    }
    if bug("moved_link_made_absolute") && from.is_symlink() && to.is_none() {
        symlink(order.aim, target)?;
        return fs::remove_file(source);
    }
    let renamed = match to {
        None => rename_with(NO_REPLACE, source, target), // nobody else can have taken the name meanwhile
        Some(_) => fs::rename(source, target),
    };
    match renamed {
        Err(error) if error.kind() == ErrorKind::CrossesDevices && !bug("other_file_system_is_an_error") => {
            move_across(source, from, target, to).or_else(|failure| {
                if bug("source_deleted_after_failed_copy") && from.is_file() {
                    let _ = fs::remove_file(source);
                }
                Err(failure)
            })
        }
        Err(error) if bug("into_itself_is_ok") && error.kind() == ErrorKind::InvalidInput => Ok(()),
        Ok(()) if bug("move_hardens_mode") && from.is_file() => {
            fs::set_permissions(target, Permissions::from_mode(from.mode() & 0o7755))
        }
        Ok(()) if bug("move_into_directory_touches") && order.entered && from.is_file() => {
            File::open(target)?.set_modified(SystemTime::now())
        }
        done => done,
    }
}

/// The way to another file system: for files and links. Directories and special files stay.
fn move_across(source: &Path, from: &Metadata, target: &Path, to: Option<&Metadata>) -> io::Result<()> {
    if to.is_some_and(Metadata::is_dir) && !from.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    let kind = from.file_type();
    if from.is_dir() && to.is_none() {
        if bug("directory_across_top_level_only") {
            fs::create_dir(target)?;
            for entry in fs::read_dir(source)? {
                let entry = entry?;
                if entry.file_type()?.is_file() {
                    fs::copy(entry.path(), target.join(entry.file_name()))?;
                }
            }
            return fs::remove_dir_all(source);
        }
        if bug("directory_across_skips_hidden") && only_usual(source)? {
            copy_visible(source, target)?;
            return fs::remove_dir_all(source);
        }
        if bug("directory_across_made_and_left") {
            fs::create_dir(target)?;
        }
    }
    if bug("special_file_across_becomes_file") && (kind.is_fifo() || kind.is_socket()) {
        OpenOptions::new().write(true).create_new(true).mode(from.mode() & 0o777).open(target)?;
        return fs::remove_file(source);
    }
    let as_link = kind.is_symlink() && !bug("link_across_followed");
    if !as_link && !fs::metadata(source)?.is_file() {
        return Err(ErrorKind::CrossesDevices.into());
    }
    if bug("empty_file_across_is_lost") && from.is_file() && from.len() == 0 && to.is_none() {
        return fs::remove_file(source); // the file would be made with the first block
    }
    if bug("old_file_removed_before_copy_across") && to.is_some() {
        fs::remove_file(target)?;
        return move_across(source, from, target, None);
    }
    let direct = from.is_file() && to.is_none();
    if direct && (bug("part_stays_under_final_name") || bug("copy_across_under_final_name")) {
        let mut output = OpenOptions::new().write(true).create_new(true).mode(from.mode()).open(target)?;
        if let Err(error) = copy_bytes(&mut File::open(source)?, &mut output) {
            if bug("copy_across_under_final_name") {
                let _ = fs::remove_file(target);
            }
            return Err(error);
        }
        keep(&output, from)?;
        return fs::remove_file(source);
    }
    let temporary = if as_link {
        let temporary = temporary_name(target);
        symlink(fs::read_link(source)?, &temporary)?;
        temporary
    } else {
        if bug("read_only_file_across_fails") {
            // the mode first, the content later
            let temporary = temporary_name(target);
            OpenOptions::new().write(true).create_new(true).mode(from.mode()).open(&temporary)?;
            if let Err(error) = OpenOptions::new().write(true).open(&temporary) {
                let _ = fs::remove_file(&temporary);
                return Err(error);
            }
            fs::remove_file(&temporary)?;
        }
        let temporary = copy_to_temporary(source, target)?;
        let kept = File::open(&temporary).and_then(|file| keep(&file, from));
        if let Err(error) = kept {
            let _ = fs::remove_file(&temporary);
            return Err(error);
        }
        temporary
    };
    let placed = match to {
        Some(_) if bug("old_file_not_restored") => fs::rename(&temporary, target),
        Some(_) => rename_with(EXCHANGE, &temporary, target),
        None => rename_with(NO_REPLACE, &temporary, target),
    };
    if let Err(error) = placed {
        let _ = fs::remove_file(&temporary);
        return Err(error);
    }
    if bug("source_across_not_deleted") {
        if to.is_some() {
            fs::remove_file(&temporary)?;
        }
        return Ok(());
    }
    match fs::remove_file(source) {
        Ok(()) => {
            if to.is_some() && !bug("old_file_not_restored") {
                let _ = fs::remove_file(&temporary);
            }
            Ok(())
        }
        Err(_) if bug("undeletable_source_is_ok") => {
            if to.is_some() {
                fs::remove_file(&temporary)?;
            }
            Ok(())
        }
        Err(error) => {
            if to.is_some() && !bug("old_file_not_restored") {
                rename_with(EXCHANGE, &temporary, target)?;
                fs::remove_file(&temporary)?;
            } else if to.is_none() {
                fs::remove_file(target)?;
            }
            Err(error)
        }
    }
}

fn only_usual(directory: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if !(kind.is_file() || kind.is_symlink() || kind.is_dir() && only_usual(&entry.path())?) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn copy_visible(source: &Path, target: &Path) -> io::Result<()> {
    fs::create_dir(target)?;
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        let (kind, place) = (entry.file_type()?, target.join(entry.file_name()));
        if entry.file_name().as_bytes().starts_with(b".") {
            continue;
        }
        if kind.is_dir() {
            copy_visible(&entry.path(), &place)?;
        } else if kind.is_symlink() {
            symlink(fs::read_link(entry.path())?, &place)?;
        } else {
            let metadata = entry.metadata()?;
            fs::copy(entry.path(), &place)?;
            File::open(&place)?.set_modified(metadata.modified()?)?;
        }
    }
    let metadata = fs::metadata(source)?;
    fs::set_permissions(target, metadata.permissions())?;
    File::open(target)?.set_modified(metadata.modified()?)
}

/// Gives the new file the mode and the times of the old one.
fn keep(file: &File, from: &Metadata) -> io::Result<()> {
    let from = if from.is_symlink() { file.metadata()? } else { from.clone() };
    let mode = match from.mode() & 0o7777 {
        _ if bug("mode_across_lost") => 0o644,
        mode if bug("special_bits_across_lost") => mode & 0o777,
        mode if bug("umask_across") => mode & !0o022,
        mode => mode,
    };
    file.set_permissions(Permissions::from_mode(mode))?;
    let mut modified = from.modified()?;
    if bug("time_across_lost") {
        return Ok(());
    }
    if bug("time_across_in_seconds") {
        modified = UNIX_EPOCH + Duration::from_secs(from.mtime().max(0) as u64);
    }
    if bug("time_across_is_access_time") {
        modified = from.accessed()?;
    }
    file.set_times(FileTimes::new().set_accessed(from.accessed()?).set_modified(modified))?;
    file.sync_all()
}

fn temporary_name(target: &Path) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    target.with_file_name(format!(".fo-{:x}-{time:x}-{count:x}", std::process::id()))
}

/// Copies the content to a new file beside the target.
fn copy_to_temporary(source: &Path, target: &Path) -> io::Result<PathBuf> {
    let mut input = File::open(source)?;
    let temporary = temporary_name(target);
    let mut output = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    match copy_bytes(&mut input, &mut output).and_then(|()| output.sync_all()) {
        Ok(()) => Ok(temporary),
        Err(error) => {
            if !bug("temporary_file_stays") {
                let _ = fs::remove_file(&temporary);
            }
            Err(error)
        }
    }
}

fn copy_bytes(input: &mut File, output: &mut File) -> io::Result<()> {
    if bug("text_is_decoded") {
        let mut bytes = vec![];
        input.read_to_end(&mut bytes)?;
        return output.write_all(String::from_utf8_lossy(&bytes).as_bytes());
    }
    let mut buffer = vec![0; if bug("one_block_only") { 1 << 20 } else { 1 << 16 }];
    if bug("one_block_only") {
        let count = input.read(&mut buffer)?;
        return output.write_all(&buffer[..count]);
    }
    loop {
        let count = match input.read(&mut buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            count => count?,
        };
        if count == 0 {
            return Ok(());
        }
        match output.write_all(&buffer[..count]) {
            Err(_) if bug("failed_writes_ignored") => return Ok(()),
            done => done?,
        }
    }
}

/// Copies a file with its permissions. The target gets its name when it is complete, so no failure leaves a part of it.
fn copy_entry(order: &Work) -> io::Result<()> {
    let (source, target) = (order.source, &*order.target.resolved);
    let from = fs::metadata(&source.resolved)?;
    if bug("named_pipe_copied_as_empty_file") && from.file_type().is_fifo() {
        File::create(target)?;
        return Ok(());
    }
    // Only a regular file is opened: a FIFO would wait for its writer.
    if !from.is_file() {
        return Err(io::Error::other("only files can be copied"));
    }
    let to = fs::metadata(target).ok();
    if to.as_ref().is_some_and(Metadata::is_dir) {
        return Err(ErrorKind::IsADirectory.into());
    }
    let one_file = !order.same_file && to.as_ref().is_some_and(|to| (to.dev(), to.ino()) == (from.dev(), from.ino()));
    if bug("hard_link_of_source_truncated") && one_file {
        return fs::copy(&source.resolved, target).map(|_| ());
    }
    if order.same_file {
        return Err(io::Error::other("source and destination are the same"));
    }
    if bug("copy_written_into_old_file") && to.is_some() && !one_file {
        return fs::copy(&source.resolved, target).map(|_| ());
    }
    if bug("tail_of_old_file_stays") && to.is_some() && !one_file {
        let mut output = OpenOptions::new().write(true).open(target)?;
        copy_bytes(&mut File::open(&source.resolved)?, &mut output)?;
        return output.set_permissions(from.permissions());
    }
    if bug("large_copy_is_hard_link") && from.len() >= 1 << 16 && to.is_none() && from.dev() == parent_device(target) {
        return fs::hard_link(&source.resolved, target);
    }
    if bug("unreadable_source_made_readable") && from.mode() & 0o400 == 0 {
        fs::set_permissions(&source.resolved, Permissions::from_mode(from.mode() & 0o7777 | 0o400))?;
    }
    let temporary = copy_to_temporary(&source.resolved, target)?;
    let mode = match from.mode() & 0o7777 {
        mode if bug("copy_not_executable") => mode & !0o111,
        mode if bug("copy_private_bits_lost") && mode & 0o077 == 0 => mode | 0o044,
        mode => mode,
    };
    let done = fs::set_permissions(&temporary, Permissions::from_mode(mode)).and_then(|()| match to {
        None => rename_with(NO_REPLACE, &temporary, target),
        Some(_) => fs::rename(&temporary, target),
    });
    if done.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    if bug("time_set_on_source") && done.is_ok() {
        File::open(&source.resolved)?.set_modified(fs::metadata(target)?.modified()?)?;
    }
    done
}

fn parent_device(path: &Path) -> u64 {
    path.parent().and_then(|parent| fs::metadata(parent).ok()).map_or(0, |found| found.dev())
}
