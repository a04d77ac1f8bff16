//! The tools move and copy.

use crate::sandbox::{Place, Sandbox};
use crate::{fail, Failure, Tool};
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Returns the place of the result: in the destination, if that is a directory, under the source's file name.
pub fn final_place(source: &Place, destination: Place, sandbox: &Sandbox) -> Result<Place, Failure> {
    if !destination.resolved.is_dir() {
        return Ok(destination);
    }
    match source.entry.file_name() {
        Some(name) => sandbox.check_entry(&destination.resolved.join(name)),
        None => fail("ExecutionFailed", "the source has no file name".to_string()),
    }
}

/// Moves or copies the source to its final place.
pub fn run(tool: Tool, source: &Place, target: &Place, overwrite: bool, sandbox: &Sandbox) -> Result<String, Failure> {
    if sandbox.is_root(&source.entry) {
        return fail("ExecutionFailed", "the source contains the sandbox itself".to_string());
    }
    let shown = format!("{} to {}", source.entry.display(), target.entry.display());
    let done = transfer(tool, source, target, overwrite);
    match done {
        Ok(()) if tool == Tool::Move => Ok(format!("Moved {shown}")),
        Ok(()) => Ok(format!("Copied {shown}")),
        Err(error) => fail("ExecutionFailed", format!("cannot {} {shown}: {error}", tool.name())),
    }
}

fn transfer(tool: Tool, source: &Place, target: &Place, overwrite: bool) -> io::Result<()> {
    let from = fs::symlink_metadata(&source.entry)?;
    let to = match fs::symlink_metadata(&target.entry) {
        Ok(_) if !overwrite => return Err(ErrorKind::AlreadyExists.into()),
        Ok(found) => Some(found),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if source.entry == target.entry {
        return Err(io::Error::other("source and destination are the same"));
    }
    if tool == Tool::Move {
        move_entry(&source.entry, &from, &target.entry, to.as_ref())
    } else {
        copy_file(&source.resolved, &target.resolved)
    }
}

fn move_entry(source: &Path, from: &Metadata, target: &Path, to: Option<&Metadata>) -> io::Result<()> {
    // Of two links to one file, rename would keep both. One link by two spellings, where names fold, it renames.
    if from.nlink() > 1 && to.is_some_and(|to| (to.dev(), to.ino()) == (from.dev(), from.ino())) {
        return fs::remove_file(source);
    }
    match fs::rename(source, target) {
        Err(error) if error.kind() == ErrorKind::CrossesDevices && from.is_file() => {
            copy_file(source, target)?;
            fs::remove_file(source)
        }
        done => done,
    }
}

/// Copies a file with its permissions. The target gets its name when it is complete, so no failure leaves a part of it.
fn copy_file(source: &Path, target: &Path) -> io::Result<()> {
    // Only a regular file is opened: a FIFO would wait for its writer.
    if !fs::metadata(source)?.is_file() {
        return Err(io::Error::other("only files can be copied"));
    }
    if target.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    let temporary = target.with_file_name(format!(".copy-{}", std::process::id()));
    let done = fs::copy(source, &temporary).and_then(|_| fs::rename(&temporary, target));
    if done.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    done
}
