// Paths as bytes: resolution of links, relative paths, and directories opened without following links.
use std::collections::VecDeque;
use std::ffi::{CStr, CString, OsStr};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

pub type Comps = Vec<Vec<u8>>;

extern "C" {
    fn open(path: *const i8, flags: i32, ...) -> i32;
    fn openat(dir: i32, path: *const i8, flags: i32, ...) -> i32;
    fn close(fd: i32) -> i32;
    fn fdopendir(fd: i32) -> *mut u8;
    fn readdir64(d: *mut u8) -> *mut Dirent;
    fn closedir(d: *mut u8) -> i32;
    fn __errno_location() -> *mut i32;
}
#[repr(C)]
struct Dirent {
    ino: u64,
    off: i64,
    reclen: u16,
    kind: u8,
    name: [i8; 256],
}
const O_DIRECTORY: i32 = 0o200000;
const O_NOFOLLOW: i32 = 0o400000;
const O_CLOEXEC: i32 = 0o2000000;
const O_PATH: i32 = 0o10000000;
const O_NONBLOCK: i32 = 0o4000;
pub const EACCES: i32 = 13;
pub const ENOENT: i32 = 2;
pub const ENOTDIR: i32 = 20;
pub const ELOOP: i32 = 40;
pub const ENAMETOOLONG: i32 = 36;

/// The bytes of a path argument: a surrogate of 0xDC80 and on is a byte, another one cannot be a name.
pub fn to_os(t: &[u8]) -> Option<Vec<u8>> {
    let mut o = Vec::with_capacity(t.len());
    for c in crate::json::cps(t) {
        match c {
            0xDC80..=0xDCFF => o.push((c - 0xDC00) as u8),
            0xD800..=0xDFFF => return None,
            c => crate::json::push_cp(&mut o, c),
        }
    }
    Some(o)
}

/// The code points of a name; a byte that is not UTF-8 is a lone surrogate.
pub fn name_cps(name: &[u8]) -> Vec<u32> {
    let mut o = Vec::new();
    for chunk in name.utf8_chunks() {
        o.extend(chunk.valid().chars().map(|c| c as u32));
        o.extend(chunk.invalid().iter().map(|x| 0xDC00 + *x as u32));
    }
    o
}

pub fn show(name: &[u8]) -> Vec<u8> {
    String::from_utf8_lossy(name).into_owned().into_bytes()
}

pub fn split(p: &[u8]) -> Comps {
    p.split(|c| *c == b'/').filter(|c| !c.is_empty()).map(|c| c.to_vec()).collect()
}

pub fn join(c: &[Vec<u8>]) -> PathBuf {
    let mut o = vec![b'/'];
    o.extend(c.join(&b'/'));
    PathBuf::from(OsStr::from_bytes(&o))
}

/// Normalised by its text alone.
pub fn lexical(p: &[u8]) -> Comps {
    let mut o: Comps = Vec::new();
    for c in split(p) {
        match &c[..] {
            b"." => {}
            b".." => {
                o.pop();
            }
            _ => o.push(c),
        }
    }
    o
}

pub struct Walk {
    pub comps: Comps,
    pub looped: bool,
    pub absolute_link: bool,
    pub links: u32,
}

/// Follow the links of what exists; the rest is appended.
pub fn walk(p: &[u8]) -> Walk {
    let mut todo: VecDeque<Vec<u8>> = split(p).into();
    let mut w = Walk { comps: Vec::new(), looped: false, absolute_link: false, links: 0 };
    while let Some(c) = todo.pop_front() {
        match &c[..] {
            b"." => continue,
            b".." => {
                w.comps.pop();
                continue;
            }
            _ => w.comps.push(c),
        }
        if let Ok(t) = std::fs::read_link(join(&w.comps)) {
            w.links += 1;
            if w.links > 40 {
                w.looped = true;
                return w;
            }
            let t = t.as_os_str().as_bytes().to_vec();
            w.comps.pop();
            if t.starts_with(b"/") {
                w.comps.clear();
                w.absolute_link = true;
            }
            for x in split(&t).into_iter().rev() {
                todo.push_front(x);
            }
        }
    }
    w
}

pub fn inside(c: &[Vec<u8>], root: &[Vec<u8>]) -> bool {
    c.len() >= root.len() && c[..root.len()] == *root
}

pub fn relpath(c: &[Vec<u8>], root: &[Vec<u8>]) -> Vec<u8> {
    let k = c.iter().zip(root).take_while(|(a, b)| a == b).count();
    let mut parts: Comps = vec![b"..".to_vec(); root.len() - k];
    parts.extend_from_slice(&c[k..]);
    if parts.is_empty() { b".".to_vec() } else { parts.join(&b'/') }
}

fn cstr(p: &[u8]) -> io::Result<CString> {
    CString::new(p).map_err(|_| io::Error::from_raw_os_error(22))
}

/// Open the real directory below the root, component by component, without following a link.
pub fn open_dir(root: &[Vec<u8>], below: &[Vec<u8>]) -> io::Result<i32> {
    let top = cstr(join(root).as_os_str().as_bytes())?;
    let last = O_DIRECTORY | O_CLOEXEC | O_NONBLOCK;
    let mut fd = unsafe { open(top.as_ptr() as *const i8, if below.is_empty() { last } else { O_PATH | O_DIRECTORY | O_CLOEXEC }) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    for (i, c) in below.iter().enumerate() {
        let flags = if i + 1 == below.len() { last | O_NOFOLLOW } else { O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
        let name = cstr(c)?;
        let next = unsafe { openat(fd, name.as_ptr() as *const i8, flags) };
        let e = io::Error::last_os_error();
        unsafe { close(fd) };
        if next < 0 {
            return Err(e);
        }
        fd = next;
    }
    Ok(fd)
}

/// The names and types in an open directory, `.` and `..` too; closes it.
pub fn read_fd(fd: i32) -> io::Result<Vec<(Vec<u8>, u8)>> {
    let mut o = Vec::new();
    unsafe {
        let d = fdopendir(fd);
        if d.is_null() {
            let e = io::Error::last_os_error();
            close(fd);
            return Err(e);
        }
        loop {
            *__errno_location() = 0;
            let e = readdir64(d);
            if e.is_null() {
                let code = *__errno_location();
                closedir(d);
                return if code == 0 { Ok(o) } else { Err(io::Error::from_raw_os_error(code)) };
            }
            let name = CStr::from_ptr((*e).name.as_ptr() as *const _).to_bytes().to_vec();
            o.push((name, (*e).kind));
        }
    }
}
