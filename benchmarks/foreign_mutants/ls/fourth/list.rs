// The tool itself: the directory that is meant, its entries, filters, order, page and text.
use crate::glob::{fnmatch, prepared, unclosed};
use crate::json::{cps, n, obj, J};
use crate::paths::{self, *};
use crate::{b, bad, Fail, Params, State};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::Path;

pub const OUTSIDE: &str = "Access denied. Path must be within the project root.";
const LISTED: [&str; 13] = [
    ".git", ".hg", ".svn", "__pycache__", "node_modules", "target", "build", "dist", ".idea", ".vscode", ".DS_Store",
    "venv", ".venv",
];

pub struct Ctx {
    pub root: Comps,
    pub wd: Comps,
    pub given_root: Vec<u8>,
    pub given_wd: Vec<u8>,
    pub resolved: Option<Vec<u8>>,
    /// The path of the directory below the root, as entries show it.
    pub base: Vec<u8>,
}

pub struct Page {
    pub status: &'static str,
    pub data: J,
    pub text: Vec<u8>,
    pub stats: Vec<(&'static str, J)>,
    pub total: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Dir,
    File,
    Link,
}

struct Entry {
    name: Vec<u8>,
    rel: Vec<u8>,
    path: Vec<u8>,
    kind: Kind,
    first: bool,
    full: Vec<u8>,
    to_dir: bool,
    dangling: bool,
    out: bool,
}

fn denied() -> Fail {
    Fail::Env("ACCESS_DENIED", OUTSIDE.as_bytes().to_vec())
}
fn quoted(before: &str, p: &[u8], after: &str) -> Vec<u8> {
    let mut shown = p.to_vec();
    if b("message_cut") && shown.len() > 60 {
        let k: String = String::from_utf8_lossy(&shown).chars().take(57).collect();
        shown = (k + "...").into_bytes();
    }
    if b("message_basename") {
        shown = shown.rsplit(|c| *c == b'/').find(|c| !c.is_empty()).unwrap_or(b".").to_vec();
    }
    if b("message_debug") {
        if let Ok(t) = std::str::from_utf8(&shown) {
            shown = t.escape_debug().to_string().into_bytes();
        }
    }
    if b("message_dollar") {
        let t = String::from_utf8_lossy(&shown).into_owned();
        shown = t.replace("$$", "$").replace("$&", "{path}").into_bytes();
    }
    [before.as_bytes(), &shown, after.as_bytes()].concat()
}
fn not_found(p: &[u8]) -> Fail {
    Fail::Env("NOT_FOUND", quoted("Path '", p, if b("message_no_period") { "' does not exist" } else { "' does not exist." }))
}
fn no_directory(p: &[u8]) -> Fail {
    let after = if b("message_file_short") {
        "' is a file, not a directory."
    } else {
        "' is a file, not a directory. Use 'Read' tool to view its content."
    };
    Fail::Env("INVALID_PARAM", quoted("'", p, after))
}
fn closed(p: &[u8]) -> Fail {
    if b("message_permission_os") {
        return Fail::Env("ACCESS_DENIED", b"Permission denied (os error 13)".to_vec());
    }
    Fail::Env("ACCESS_DENIED", quoted("Permission denied accessing '", p, "'."))
}
fn internal(e: &dyn std::fmt::Display) -> Fail {
    Fail::Env("INTERNAL_ERROR", format!("Failed to list directory - {}", e).into_bytes())
}
fn failure(e: std::io::Error, p: &[u8]) -> Fail {
    match e.raw_os_error() {
        Some(EACCES) => closed(p),
        Some(ENOENT) | Some(ENOTDIR) => not_found(p),
        Some(ENAMETOOLONG) if b("long_name_not_found") => not_found(p),
        _ => internal(&e),
    }
}
fn exists(c: &[Vec<u8>]) -> bool {
    std::fs::symlink_metadata(join(c)).is_ok()
}

/// The real directory that the path means, and where its entries are shown.
fn resolve(p: &Params, ctx: &mut Ctx) -> Result<Comps, Fail> {
    let Some(mut given) = to_os(&p.path) else { return Err(internal(&"the path is no valid text")) };
    if b("tilde") && (given == b"~" || given.starts_with(b"~/")) {
        let home = std::env::var("HOME").unwrap_or("/root".into()).into_bytes();
        given.splice(0..1, home);
    }
    if b("path_percent") {
        let mut o = vec![];
        let mut i = 0;
        while i < given.len() {
            let hex = given.get(i + 1..i + 3).and_then(|h| std::str::from_utf8(h).ok()).and_then(|h| u8::from_str_radix(h, 16).ok());
            match hex {
                Some(v) if given[i] == b'%' => {
                    o.push(v);
                    i += 3;
                }
                _ => {
                    o.push(given[i]);
                    i += 1;
                }
            }
        }
        given = o;
    }
    if b("path_option") && given.starts_with(b"-") {
        return Err(internal(&"unrecognized option"));
    }
    if b("path_component_255") && split(&given).iter().any(|c| c.len() >= 255) {
        return Err(internal(&std::io::Error::from_raw_os_error(ENAMETOOLONG)));
    }
    if b("path_trimmed") {
        given = given.trim_ascii().to_vec();
    }
    if b("path_backslash") {
        given.iter_mut().for_each(|c| if *c == b'\\' { *c = b'/' });
    }
    let absolute = given.starts_with(b"/");
    let mut from = ctx.given_wd.clone();
    if b("default_path_root") && !p.path_given {
        from = ctx.given_root.clone();
    }
    let under = |start: &[u8]| -> Vec<u8> {
        if absolute { given.clone() } else { [start, b"/", &given].concat() }
    };
    let mut full = under(&from);
    if b("root_first") && !absolute && given != b"." && exists(&walk(&under(&ctx.given_root)).comps) {
        full = under(&ctx.given_root);
    }
    if b("fallback_root") && !absolute && !exists(&walk(&full).comps) {
        let other = walk(&under(&ctx.given_root)).comps;
        if inside(&other, &ctx.root) && exists(&other) {
            full = under(&ctx.given_root);
        }
    }
    if b("abs_under_root") && absolute && !inside(&walk(&full).comps, &ctx.root) {
        let other = [&ctx.given_root[..], &given].concat();
        let w = walk(&other).comps;
        if inside(&w, &ctx.root) && exists(&w) {
            full = other;
        }
    }
    let dots = split(&given).iter().any(|c| c == b"..");
    if b("dotdot_refused") && dots {
        return Err(denied());
    }
    let w = walk(&full);
    let text = lexical(&full);
    let is_link = std::fs::symlink_metadata(join(&text)).map(|m| m.file_type().is_symlink()).unwrap_or(false);
    if w.looped {
        if !inside(&w.comps, &ctx.root) {
            return Err(denied());
        }
        if b("loop_not_found") {
            return Err(not_found(&p.path));
        }
        return Err(internal(&std::io::Error::from_raw_os_error(ELOOP)));
    }
    let mut real = w.comps.clone();
    let root = ctx.root.clone();
    if !inside(&real, &root) {
        let parent = walk(join(&text[..text.len().saturating_sub(1)]).as_os_str().as_bytes()).comps;
        let lexical_in = inside(&text, &root) || inside(&text, &lexical(&ctx.given_root));
        let hop = std::fs::read_link(join(&text)).ok().map(|t| {
            let t = t.as_os_str().as_bytes().to_vec();
            lexical(&if t.starts_with(b"/") { t } else { [join(&parent).as_os_str().as_bytes(), b"/", &t].concat() })
        });
        let dir = std::fs::metadata(join(&real)).map(|m| m.is_dir()).unwrap_or(false);
        let given_root_text = join(&root).as_os_str().as_bytes().to_vec();
        let through = (b("mid_link_out") && lexical_in && !is_link && dir)
            || (b("slash_link_out") && lexical_in && is_link && given.ends_with(b"/") && inside(&parent, &root) && dir)
            || (b("two_hop_out") && is_link && hop.map(|h| inside(&h, &root) && h != real).unwrap_or(false) && dir)
            || (b("parent_allowed") && inside(&root, &real) && real.len() + 1 == root.len())
            || (b("abs_lexical") && absolute && given.starts_with(&[&given_root_text[..], b"/"].concat()) && dots && dir)
            || (b("prefix_text") && join(&real).as_os_str().as_bytes().starts_with(&given_root_text) && dir)
            || (b("prefix_case")
                && dir
                && real.len() >= root.len()
                && real.iter().zip(&root).all(|(a, c)| a.eq_ignore_ascii_case(c)));
        if through {
            let rel = if lexical_in { relpath(&text, &root) } else { relpath(&real, &root) };
            ctx.base = rel.clone();
            ctx.resolved = Some(rel);
            return Ok(real);
        }
        if b("chroot_clamp") && !absolute && dots && w.links == 0 {
            let mut c = split(&relpath(&ctx.wd, &root));
            c.retain(|x| x != b".");
            for x in split(&given) {
                match &x[..] {
                    b"." => {}
                    b".." => {
                        c.pop();
                    }
                    _ => c.push(x),
                }
            }
            real = [root.clone(), c].concat();
        } else {
            let meta = std::fs::metadata(join(&real));
            if b("outside_file_first") && meta.as_ref().map(|m| !m.is_dir()).unwrap_or(false) {
                return Err(no_directory(&p.path));
            }
            if b("outside_closed_first") && dir && std::fs::read_dir(join(&real)).is_err() {
                return Err(closed(&p.path));
            }
            if b("outside_missing_internal") && meta.is_err() {
                return Err(internal(&meta.unwrap_err()));
            }
            if b("outside_message_target") && w.links > 0 {
                let m = [b"Access denied. '", join(&real).as_os_str().as_bytes(), b"' is outside the project root."].concat();
                return Err(Fail::Env("ACCESS_DENIED", m));
            }
            if b("outside_message_short") && absolute {
                return Err(Fail::Env("ACCESS_DENIED", b"Access denied.".to_vec()));
            }
            return Err(denied());
        }
    }
    let rel = relpath(&real, &root);
    let refused = (b("root_textual") && !inside(&real, &lexical(&ctx.given_root)))
        || (b("wd_confined") && !absolute && !inside(&real, &ctx.wd))
        || (b("name_dotdot") && rel.starts_with(b".."))
        || (b("abs_root_refused") && absolute && real == root)
        || (b("abs_unnormalised")
            && absolute
            && (given.windows(2).any(|x| x == b"//") || given.windows(3).any(|x| x == b"/./") || given.ends_with(b"/.")))
        || (b("abs_below_wd") && absolute && !inside(&real, &ctx.wd))
        || (b("link_refused") && is_link && !given.ends_with(b"/"))
        || (b("abs_link_refused") && w.absolute_link && is_link);
    if refused {
        return Err(denied());
    }
    let mut shown = rel.clone();
    if b("resolved_from_wd") {
        shown = relpath(&real, &ctx.wd);
    }
    if b("resolved_root_empty") && shown == b"." {
        shown.clear();
    }
    if b("resolved_dotdot_kept") && dots && !absolute {
        shown = given.clone();
    }
    if b("resolved_slash_kept") && given.ends_with(b"/") && rel != b"." {
        shown.push(b'/');
    }
    if b("resolved_link_named") && is_link && absolute {
        shown = join(&real).as_os_str().as_bytes().to_vec();
    }
    ctx.base = rel;
    ctx.resolved = Some(shown);
    let path = join(&real);
    match std::fs::symlink_metadata(&path) {
        Err(e) => {
            let code = e.raw_os_error();
            if b("resolved_nearest") {
                let mut c = real.clone();
                while c.len() > root.len() && !exists(&c) {
                    c.pop();
                }
                ctx.resolved = Some(relpath(&c, &root));
            }
            if b("dangling_is_file") && is_link && code == Some(ENOENT) {
                return Err(no_directory(&p.path));
            }
            if b("missing_deep_internal") && code == Some(ENOENT) && !exists(&real[..real.len() - 1]) {
                return Err(internal(&e));
            }
            if b("below_closed_not_found") && code == Some(EACCES) {
                return Err(not_found(&p.path));
            }
            if b("mkdir_missing") && code == Some(ENOENT) && std::fs::create_dir(&path).is_ok() {
                return Ok(real);
            }
            Err(failure(e, &p.path))
        }
        Ok(m) if m.is_dir() => Ok(real),
        Ok(m) => {
            if b("special_not_found") && !m.is_file() {
                return Err(not_found(&p.path));
            }
            if b("link_to_file_internal") && is_link {
                return Err(internal(&std::io::Error::from_raw_os_error(ENOTDIR)));
            }
            Err(no_directory(&p.path))
        }
    }
}

fn read(real: &Comps, ctx: &Ctx, p: &Params) -> Result<Vec<(Vec<u8>, u8)>, Fail> {
    let path = join(real);
    if b("toctou") || !inside(real, &ctx.root) {
        let mut o = Vec::new();
        for e in std::fs::read_dir(&path).map_err(|e| failure(e, &p.path))? {
            let e = e.map_err(|e| failure(e, &p.path))?;
            let t = e.file_type().map_err(|e| failure(e, &p.path))?;
            let kind = if t.is_symlink() { 10 } else if t.is_dir() { 4 } else if t.is_socket() { 12 } else { 8 };
            o.push((e.file_name().as_bytes().to_vec(), kind));
        }
        return Ok(o);
    }
    if b("probe_file") {
        let probe = path.join(".ls-probe");
        if std::fs::write(&probe, b"").is_ok() {
            let _ = std::fs::remove_file(&probe);
        }
    }
    let open = || open_dir(&ctx.root, &real[ctx.root.len()..]);
    let mut fd = open();
    if let Err(e) = &fd {
        let code = e.raw_os_error();
        if b("closed_internal") && code == Some(EACCES) {
            return Err(internal(e));
        }
        if b("closed_empty") && code == Some(EACCES) {
            return Ok(vec![]);
        }
        if b("chmod_closed") && code == Some(EACCES) {
            let _ = std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755));
            fd = open();
        }
    }
    let fd = fd.map_err(|e| match e.raw_os_error() {
        Some(ELOOP) => denied(),
        Some(ENOTDIR) => {
            if std::fs::symlink_metadata(&path).map(|m| m.is_file()).unwrap_or(false) {
                no_directory(&p.path)
            } else {
                denied()
            }
        }
        _ => failure(e, &p.path),
    })?;
    read_fd(fd).map_err(|e| failure(e, &p.path))
}

fn names(real: &Comps, ctx: &Ctx, p: &Params, st: &mut State) -> Result<Vec<(Vec<u8>, u8)>, Fail> {
    let path = join(real);
    let key = path.as_os_str().as_bytes().to_vec();
    if b("stale_cache") {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map(|x| x.as_secs() as i64).unwrap_or(0);
        if let Some((t, list)) = st.cache.get(&key) {
            if now - *t < 5 {
                return Ok(list.clone());
            }
        }
        let mut list = read(real, ctx, p)?;
        list.retain(|(x, _)| x != b"." && x != b"..");
        st.cache.insert(key, (now, list.clone()));
        return Ok(list);
    }
    let mut list = read(real, ctx, p)?;
    if !(b("dot_entries") && p.hidden) {
        list.retain(|(x, _)| x != b"." && x != b"..");
    }
    if b("dotdot_names_dropped") {
        list.retain(|(x, _)| !x.starts_with(b".."));
    }
    if b("path_glob") && ctx.base.iter().any(|c| b"[*?".contains(c)) {
        list.clear();
    }
    if b("scan_cap") {
        list.truncate(1000);
    }
    if b("newline_split") {
        list = list
            .into_iter()
            .flat_map(|(x, k)| x.split(|c| *c == b'\n').filter(|y| !y.is_empty()).map(|y| (y.to_vec(), k)).collect::<Vec<_>>())
            .collect();
    }
    if b("name_255_cut") {
        list.iter_mut().for_each(|(x, _)| x.truncate(254));
    }
    if b("nonutf8_fails") && list.iter().any(|(x, _)| std::str::from_utf8(x).is_err()) {
        return Err(internal(&"a name is no valid UTF-8"));
    }
    if b("dedupe_case") || b("lossy_dedupe") {
        let mut seen = HashSet::new();
        list.sort();
        list.retain(|(x, _)| {
            let t = String::from_utf8_lossy(x).into_owned();
            seen.insert(if b("dedupe_case") { t.to_lowercase() } else { t })
        });
    }
    if b("backup_skipped") {
        list.retain(|(x, _)| !x.ends_with(b"~"));
    }
    if b("gitignore_respected") {
        if let Ok(t) = std::fs::read(path.join(".gitignore")) {
            let pats: Vec<Vec<u32>> = t
                .split(|c| *c == b'\n')
                .filter(|l| !l.is_empty() && !l.starts_with(b"#"))
                .map(|l| name_cps(l.strip_suffix(b"/").unwrap_or(l)))
                .collect();
            list.retain(|(x, _)| !pats.iter().any(|q| fnmatch(&name_cps(x), q)));
        }
    }
    Ok(list)
}

fn nfc(t: &str) -> String {
    let mut o = String::new();
    for c in t.chars() {
        let last = o.chars().last();
        let pairs = [
            ('\u{301}', "aeiouAEIOU", "áéíóúÁÉÍÓÚ"),
            ('\u{300}', "aeiouAEIOU", "àèìòùÀÈÌÒÙ"),
            ('\u{308}', "aeiouAEIOU", "äëïöüÄËÏÖÜ"),
            ('\u{302}', "aeiouAEIOU", "âêîôûÂÊÎÔÛ"),
            ('\u{303}', "anoANO", "ãñõÃÑÕ"),
            ('\u{327}', "cC", "çÇ"),
            ('\u{30a}', "aA", "åÅ"),
        ];
        let made = pairs.iter().find(|(m, _, _)| *m == c).and_then(|(_, from, to)| {
            let i = from.chars().position(|x| Some(x) == last)?;
            to.chars().nth(i)
        });
        match made {
            Some(m) => {
                o.pop();
                o.push(m);
            }
            None => o.push(c),
        }
    }
    o
}

fn entry(name: Vec<u8>, dtype: u8, real: &Comps, ctx: &Ctx, p: &Params) -> Entry {
    let mut child = real.clone();
    child.extend(split(&name));
    let full = join(&child).as_os_str().as_bytes().to_vec();
    let os = Path::new(OsStr::from_bytes(&full));
    let rel = if ctx.base == b"." { name.clone() } else { [&ctx.base[..], b"/", &name].concat() };
    let mut kind = match dtype {
        4 => Kind::Dir,
        10 => Kind::Link,
        0 => match std::fs::symlink_metadata(os) {
            Ok(m) if m.file_type().is_symlink() => Kind::Link,
            Ok(m) if m.is_dir() => Kind::Dir,
            _ => Kind::File,
        },
        _ => Kind::File,
    };
    if b("socket_is_dir") && kind == Kind::File {
        if let Ok(m) = std::fs::symlink_metadata(os) {
            if m.mode() & 0o040000 != 0 {
                kind = Kind::Dir;
            }
        }
    }
    if b("sticky_dir_is_file") && kind == Kind::Dir {
        if let Ok(m) = std::fs::symlink_metadata(os) {
            if m.mode() & 0o7000 != 0 {
                kind = Kind::File;
            }
        }
    }
    let mut e = Entry {
        path: rel.clone(),
        name,
        rel,
        kind,
        first: kind == Kind::Dir,
        full: full.clone(),
        to_dir: false,
        dangling: false,
        out: false,
    };
    let mut target: Comps = vec![];
    if kind == Kind::Link {
        let w = walk(&full);
        let text = std::fs::read_link(os).map(|t| t.as_os_str().as_bytes().to_vec()).unwrap_or_default();
        let meta = if w.looped { None } else { std::fs::metadata(join(&w.comps)).ok() };
        e.to_dir = meta.as_ref().map(|m| m.is_dir()).unwrap_or(false);
        e.dangling = meta.is_none();
        e.out = !w.looped && !inside(&w.comps, &ctx.root);
        e.first = e.to_dir && !e.out;
        if b("linkdir_chain") && w.links > 1 {
            e.first = false;
        }
        if b("linkdir_from_root") && !text.starts_with(b"/") {
            let other = walk(&[&ctx.given_root[..], b"/", &text].concat());
            e.first = !other.looped
                && inside(&other.comps, &ctx.root)
                && std::fs::metadata(join(&other.comps)).map(|m| m.is_dir()).unwrap_or(false);
        }
        if b("linkdir_to_root") && w.comps == ctx.root {
            e.first = false;
        }
        if b("linkdir_absolute") && text.starts_with(b"/") {
            e.first = false;
        }
        if b("linkdir_closed") && e.first && std::fs::read_dir(join(&w.comps)).is_err() {
            e.first = false;
        }
        if b("linkdir_up") && text.starts_with(b"../") {
            e.first = false;
        }
        if (b("dangling_first") && e.dangling && !e.out)
            || (b("link_out_first") && e.to_dir && e.out)
            || (b("link_slash_first") && text.ends_with(b"/"))
            || (b("link_file_first") && !e.to_dir && !e.dangling)
        {
            e.first = true;
        }
        if b("link_out_prefix") && e.out && e.to_dir {
            let r = join(&ctx.root);
            e.first = join(&w.comps).as_os_str().as_bytes().starts_with(r.as_os_str().as_bytes());
        }
        if b("link_chain_type") && w.links > 1 && !e.dangling {
            e.kind = if e.to_dir { Kind::Dir } else { Kind::File };
        }
        if b("loop_is_file") && w.looped {
            e.kind = Kind::File;
        }
        target = w.comps;
    }
    if b("closed_dir_as_file") && kind == Kind::Dir && std::fs::read_dir(os).is_err() {
        e.first = false;
    }
    // how the path is shown
    if b("path_lstrip") {
        while e.path.first().map(|c| *c == b'.' || *c == b'/').unwrap_or(false) {
            e.path.remove(0);
        }
    }
    let given = to_os(&p.path).unwrap_or_default();
    if b("path_double_slash") && given.ends_with(b"/") && ctx.base != b"." {
        e.path = [&ctx.base[..], b"//", &e.name].concat();
    }
    if b("path_from_wd") {
        e.path = relpath(&child, &ctx.wd);
    }
    let odd = split(&given).iter().any(|c| c == b".." || c == b".") && given != b".";
    if b("path_joined") && odd && !given.starts_with(b"/") && ctx.wd == ctx.root {
        e.path = [given.strip_suffix(b"/").unwrap_or(&given), b"/", &e.name].concat();
    }
    if b("name_backslash") {
        e.path.iter_mut().for_each(|c| if *c == b'\\' { *c = b'/' });
    }
    if b("path_basename_c") {
        // basename() of PHP in the C locale: bytes above 127 at the beginning of a name are lost
        let dir = if ctx.base == b"." { vec![] } else { [&ctx.base[..], b"/"].concat() };
        let k = e.name.iter().position(|c| *c < 128).unwrap_or(e.name.len());
        e.path = [&dir[..], &e.name[k..]].concat();
    }
    if b("path_controls") {
        e.path.retain(|c| *c >= 32);
    }
    if b("path_ucs2") {
        let t: String = String::from_utf8_lossy(&e.path).chars().map(|c| if c as u32 > 0xFFFF { '?' } else { c }).collect();
        e.path = t.into_bytes();
    }
    if b("path_nfc") {
        e.path = nfc(&String::from_utf8_lossy(&e.path)).into_bytes();
    }
    if b("path_trim") {
        e.path = e.path.trim_ascii().to_vec();
    }
    if b("link_path_resolved") && kind == Kind::Link && !e.dangling && !e.out {
        e.path = relpath(&target, &ctx.root);
    }
    if b("link_out_path") && e.out {
        e.path = join(&target).as_os_str().as_bytes().to_vec();
    }
    e
}

fn kept(e: &Entry, p: &Params, ctx: &Ctx) -> bool {
    let mut show = p.hidden;
    if b("hidden_inside_hidden") && ctx.base.rsplit(|c| *c == b'/').next().map(|c| c.len() > 1 && c[0] == b'.').unwrap_or(false) {
        show = true;
    }
    if b("hidden_links_stay") && show && e.kind == Kind::Link && e.name.starts_with(b".") {
        return false;
    }
    if b("git_always") && e.kind == Kind::Dir && e.name == b".git" {
        return false;
    }
    if show {
        return !(b("listed_stay") && e.kind == Kind::Dir && LISTED.iter().any(|x| x.as_bytes() == e.name && !x.starts_with('.')));
    }
    let mut dot = e.name.starts_with(b".");
    if b("hidden_dotdot_shown") && e.name.starts_with(b"..") {
        dot = false;
    }
    if b("hidden_multi_dot_shown") && e.kind == Kind::File && e.name.len() > 1 && e.name[1..].contains(&b'.') {
        dot = false;
    }
    if b("hidden_nonutf8_shown") && std::str::from_utf8(&e.name).is_err() {
        dot = false;
    }
    if b("hidden_below_hidden") && ctx.base.split(|c| *c == b'/').any(|c| c.len() > 1 && c[0] == b'.') {
        dot = true;
    }
    if dot {
        return false;
    }
    let above: Vec<&[u8]> = ctx.base.split(|c| *c == b'/').collect();
    let is_listed = |x: &[u8]| LISTED.iter().any(|l| l.as_bytes() == x);
    if b("listed_own_name") && is_listed(above[above.len() - 1]) {
        return false;
    }
    if b("listed_ancestor") && above[..above.len() - 1].iter().any(|x| is_listed(x)) {
        return false;
    }
    if e.kind != Kind::Dir {
        return true;
    }
    if b("ignore_replaces") && !p.ignore.is_empty() {
        return true;
    }
    if b("ignore_empty_replaces") && p.ignore_given && p.ignore.is_empty() {
        return true;
    }
    if b("listed_root_only") && ctx.base != b"." {
        return true;
    }
    if b("venv_marker") && e.name == b"venv" && !Path::new(OsStr::from_bytes(&e.full)).join("pyvenv.cfg").exists() {
        return true;
    }
    if b("listed_absolute_path") && p.path.starts_with(b"/") {
        return true;
    }
    if is_listed(&e.name) {
        return false;
    }
    let prototype = ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"];
    if b("listed_prototype") && prototype.iter().any(|l| l.as_bytes() == e.name) {
        return false;
    }
    if b("listed_prefix") && (e.name.starts_with(b"build") || e.name.starts_with(b"dist") || e.name.starts_with(b"target")) {
        return false;
    }
    if b("listed_regex") && LISTED.iter().any(|l| l.starts_with('.') && e.name.len() == l.len() && e.name[1..] == l.as_bytes()[1..]) {
        return false;
    }
    if b("listed_nocase") && LISTED.iter().any(|l| l.eq_ignore_ascii_case(&String::from_utf8_lossy(&e.name))) {
        return false;
    }
    if b("listed_more") && ["env", "out", "coverage", "vendor", "bin", "obj"].iter().any(|l| l.as_bytes() == e.name) {
        return false;
    }
    if b("listed_trimmed") && is_listed(e.name.trim_ascii()) {
        return false;
    }
    true
}

fn matches(e: &Entry, pattern: &[u32], ctx: &Ctx, p: &Params) -> bool {
    let c = |x: char| x as u32;
    let name = name_cps(&e.name);
    if fnmatch(&name, pattern) {
        return true;
    }
    let rel = if b("sep_from_wd") { relpath(&split(&e.full), &ctx.wd) } else { e.rel.clone() };
    let rel = name_cps(&rel);
    if !pattern.contains(&c('/')) && !pattern.contains(&c('\\')) {
        if b("bare_against_path") && fnmatch(&rel, pattern) {
            return true;
        }
        return false;
    }
    let mut pat: Vec<u32> = pattern.iter().map(|x| if *x == c('\\') { c('/') } else { *x }).collect();
    if b("sep_leading_slash") && pat.first() == Some(&c('/')) {
        pat.remove(0);
    }
    if b("sep_basename") {
        if let Some(i) = pat.iter().rposition(|x| *x == c('/')) {
            if i + 1 < pat.len() && fnmatch(&name, &pat[i + 1..]) {
                return true;
            }
        }
    }
    let mut variants = vec![pat.clone()];
    let zero = vec![c('*'), c('*'), c('/')];
    if b("zero_lstrip") {
        if pat.starts_with(&zero) {
            let k = pat.iter().position(|x| *x != c('*') && *x != c('/')).unwrap_or(pat.len());
            variants.push(pat[k..].to_vec());
        }
    } else if !(b("zero_not_dirs") && e.kind == Kind::Dir) {
        while pat.starts_with(&zero) {
            pat.drain(..3);
            variants.push(pat.clone());
        }
    }
    let zero_from = if b("zero_target_only") { 1 } else { variants.len() };
    for (i, v) in variants.iter().enumerate() {
        let skip_rel = (i >= zero_from && ctx.base != b".") || (b("sep_absolute_path") && p.path.starts_with(b"/"));
        if !skip_rel && fnmatch(&rel, v) {
            return true;
        }
        if fnmatch(&name, v) {
            return true;
        }
        if b("sep_prefix") && v.last() != Some(&c('*')) {
            let mut longer = v.clone();
            longer.push(c('*'));
            if fnmatch(&rel, &longer) {
                return true;
            }
        }
    }
    false
}

fn ignored(e: &Entry, patterns: &[Vec<u32>], ctx: &Ctx, p: &Params) -> bool {
    if b("ignore_links_exempt") && e.kind == Kind::Link {
        return false;
    }
    if b("hidden_no_ignore") && p.hidden && e.name.starts_with(b".") {
        return false;
    }
    if b("ignore_nonutf8_exempt") && std::str::from_utf8(&e.name).is_err() {
        return false;
    }
    if b("ignore_parent") && patterns.iter().any(|q| split(&ctx.base).iter().any(|c| c != b"." && fnmatch(&name_cps(c), q))) {
        return true;
    }
    if b("ignore_ten") {
        return patterns.iter().take(10).any(|q| matches(e, q, ctx, p));
    }
    if b("ignore_last_wins") {
        return patterns.last().map(|q| matches(e, q, ctx, p)).unwrap_or(false);
    }
    if b("ignore_negation") {
        let mut out = false;
        for q in patterns {
            if q.first() == Some(&('!' as u32)) {
                if matches(e, &q[1..], ctx, p) {
                    out = false;
                }
            } else if matches(e, q, ctx, p) {
                out = true;
            }
        }
        return out;
    }
    patterns.iter().any(|q| matches(e, q, ctx, p))
}

fn lower(t: &[u32]) -> Vec<u32> {
    let mut o = Vec::new();
    for c in t {
        match char::from_u32(*c) {
            Some(x) => o.extend(x.to_lowercase().map(|y| y as u32)),
            None => o.push(*c),
        }
    }
    o
}

fn key(e: &Entry) -> (u8, Vec<u32>, Vec<u8>) {
    let mut group = if e.first { 0 } else { 2 };
    if b("linkdir_block") && e.first && e.kind == Kind::Link {
        group = 1;
    }
    if b("hidden_dirs_last") && e.first && e.name.starts_with(b".") {
        group = 3;
    }
    let raw = name_cps(&e.name);
    let mut k = lower(&raw);
    let c = |x: char| x as u32;
    if b("sort_dirs_case") && e.first {
        k = raw.clone();
    }
    if b("sort_links_case") && e.kind == Kind::Link {
        k = raw.clone();
    }
    if b("sort_slash") && e.kind == Kind::Dir {
        k.push(c('/'));
    }
    if b("sort_strip_dot") {
        let i = k.iter().position(|x| *x != c('.')).unwrap_or(0);
        k = k[i..].to_vec();
    }
    if b("sort_punct") {
        k.retain(|x| *x != c('-') && *x != c('_') && *x != c(' '));
    }
    if b("sort_stem") && e.kind == Kind::File {
        if let Some(i) = k.iter().rposition(|x| *x == c('.')) {
            if i > 0 {
                let ext = k.split_off(i);
                k.push(0);
                k.extend(ext);
            }
        }
    }
    if b("sort_short") {
        k.truncate(16);
    }
    if b("sort_natural") {
        let mut o = Vec::new();
        let mut i = 0;
        while i < k.len() {
            if (48..58).contains(&k[i]) {
                let mut v = 0u32;
                while i < k.len() && (48..58).contains(&k[i]) {
                    v = v.saturating_mul(10).saturating_add(k[i] - 48);
                    i += 1;
                }
                o.push(48);
                o.push(v);
            } else {
                o.push(k[i]);
                i += 1;
            }
        }
        k = o;
    }
    if b("sort_numeric_names") && !k.is_empty() && k.len() < 9 && k.iter().all(|x| (48..58).contains(x)) {
        let v = k.iter().fold(0, |a, x| a * 10 + x - 48);
        k = vec![48, v];
    }
    let tie = if b("sort_no_tie") || b("sort_short") { vec![] } else { e.name.clone() };
    (group, k, tie)
}

pub fn run(p: &Params, ctx: &mut Ctx, st: &mut State) -> Result<Page, Fail> {
    let mut id = ctx.given_root.clone();
    id.push(0);
    id.extend(&ctx.given_wd);
    id.push(0);
    id.extend(&p.path);
    let real = if b("decision_cached") && st.allowed.contains_key(&id) {
        let rel = st.allowed[&id].clone();
        ctx.base = rel.clone();
        ctx.resolved = Some(rel.clone());
        // the path is trusted: opened as it stands, with the links that are there now
        let mut c = ctx.root.clone();
        c.extend(split(&rel).into_iter().filter(|x| x != b"."));
        walk(join(&c).as_os_str().as_bytes()).comps
    } else {
        match resolve(p, ctx) {
            Ok(r) => {
                st.allowed.insert(id.clone(), ctx.base.clone());
                r
            }
            Err(Fail::Env("INVALID_PARAM", m)) if b("file_listed") && m.ends_with(b"its content.") => {
                let c = [ctx.root.clone(), split(&ctx.base)].concat();
                let (name, parent) = (c[c.len() - 1].clone(), c[..c.len() - 1].to_vec());
                ctx.base = relpath(&parent, &ctx.root);
                let e = entry(name, 8, &parent, ctx, p);
                return page(vec![e], 1, 0, p, ctx, st, &id);
            }
            Err(f) => return Err(f),
        }
    };
    if b("shown_by_link") {
        // entries below the link are shown below its real absolute place
        if std::fs::read_link(join(&lexical(&[&ctx.given_wd[..], b"/", &p.path].concat()))).is_ok() {
            ctx.base = join(&real).as_os_str().as_bytes().to_vec();
        }
    }
    let patterns = prepared(&p.ignore);
    if b("fn_unclosed_fails") && patterns.iter().any(|q| unclosed(q)) {
        return Err(internal(&"syntax error in pattern"));
    }
    let list = names(&real, ctx, p, st)?;
    let mut all: Vec<Entry> = list.into_iter().map(|(x, k)| entry(x, k, &real, ctx, p)).collect();
    if p.recursive {
        let dirs: Vec<Vec<u8>> = all.iter().filter(|e| e.kind == Kind::Dir).map(|e| e.name.clone()).collect();
        for d in dirs {
            let mut sub = real.clone();
            sub.push(d.clone());
            if let Ok(more) = read(&sub, ctx, p) {
                for (x, k) in more {
                    if x != b"." && x != b".." {
                        all.push(entry([&d[..], b"/", &x].concat(), k, &real, ctx, p));
                    }
                }
            }
        }
    }
    if b("compact_dirs") {
        for e in all.iter_mut().filter(|e| e.kind == Kind::Dir) {
            if let Ok(l) = std::fs::read_dir(Path::new(OsStr::from_bytes(&e.full))) {
                let l: Vec<_> = l.flatten().collect();
                if l.len() == 1 && l[0].file_type().map(|t| t.is_dir()).unwrap_or(false) {
                    e.path = [&e.path[..], b"/", l[0].file_name().as_bytes()].concat();
                }
            }
        }
    }
    if b("dangling_left_out") {
        all.retain(|e| !(e.kind == Kind::Link && e.dangling && !e.out));
    }
    if b("link_out_left_out") {
        all.retain(|e| !e.out);
    }
    if b("link_self_left_out") {
        // a link to the listed directory or to one above it could make a circle
        all.retain(|e| !(e.kind == Kind::Link && e.to_dir && inside(&real, &walk(&e.full).comps)));
    }
    if b("hardlink_once") {
        let mut seen = HashSet::new();
        all.sort_by_key(key);
        all.retain(|e| match std::fs::symlink_metadata(Path::new(OsStr::from_bytes(&e.full))) {
            Ok(m) => seen.insert((m.dev(), m.ino())),
            Err(_) => true,
        });
    }
    if b("loop_fails") && all.iter().any(|e| e.kind == Kind::Link && walk(&e.full).looped) {
        return Err(internal(&std::io::Error::from_raw_os_error(ELOOP)));
    }
    let readable = |e: &Entry| e.kind == Kind::Link || std::fs::File::open(OsStr::from_bytes(&e.full)).is_ok();
    let regular = |e: &Entry| e.kind != Kind::File || std::fs::symlink_metadata(OsStr::from_bytes(&e.full)).map(|m| m.is_file()).unwrap_or(false);
    let mut unreadable = 0;
    if b("unreadable_left_out") {
        all.retain(|e| !regular(e) || readable(e));
    }
    if b("unreadable_partial") {
        unreadable = all.iter().filter(|e| regular(e) && !readable(e)).count();
    }
    if b("clean_dangling") {
        for e in &all {
            if e.kind == Kind::Link && e.dangling {
                let _ = std::fs::remove_file(OsStr::from_bytes(&e.full));
            }
        }
    }
    if b("lock_left") && all.len() as i128 > p.limit {
        let _ = std::fs::write(join(&real).join(".ls.lock"), b"");
    }
    let before = all.len();
    if b("page_before_hidden") {
        all.sort_by_key(key);
        let end = (p.offset.max(0) + p.limit).min(all.len() as i128) as usize;
        let mut i = 0;
        all.retain(|e| {
            i += 1;
            i > end || kept(e, p, ctx)
        });
    } else {
        all.retain(|e| kept(e, p, ctx));
    }
    let with_ignored = all.len();
    let any_filtered = all.iter().any(|e| ignored(e, &patterns, ctx, p));
    if b("offset_before_ignore") {
        all.sort_by_key(key);
        let skip = (p.offset.max(0) as usize).min(all.len());
        let rest = all.split_off(skip);
        let head: Vec<Entry> = all.into_iter().filter(|e| !ignored(e, &patterns, ctx, p)).collect();
        let tail: Vec<Entry> = rest.into_iter().filter(|e| !ignored(e, &patterns, ctx, p)).collect();
        let q = Params { offset: head.len() as i128, path: p.path.clone(), limit: p.limit, path_given: p.path_given, ..Default::default() };
        return page([head, tail].into_iter().flatten().collect(), before, unreadable, &q, ctx, st, &id);
    }
    if b("page_before_ignore") {
        all.sort_by_key(key);
        let end = (p.offset.max(0) + p.limit).min(all.len() as i128) as usize;
        let mut i = 0;
        all.retain(|e| {
            i += 1;
            i > end || !ignored(e, &patterns, ctx, p)
        });
    } else {
        all.retain(|e| !ignored(e, &patterns, ctx, p));
    }
    if b("page_before_sort") {
        let skip = (p.offset.max(0) as usize).min(all.len());
        let end = (p.offset.max(0) + p.limit).min(all.len() as i128) as usize;
        all[skip..end.max(skip)].sort_by_key(key);
    } else {
        all.sort_by_key(key);
    }
    if b("sort_tie_alternates") && st.calls % 2 == 0 {
        let mut i = 1;
        while i < all.len() {
            if key(&all[i - 1]).1 == key(&all[i]).1 {
                all.swap(i - 1, i);
                i += 1;
            }
            i += 1;
        }
    }
    let mut out = page(all, before, unreadable, p, ctx, st, &id)?;
    if b("total_with_ignored") {
        for (k, v) in out.stats.iter_mut() {
            if *k == "total_entries" {
                *v = n(with_ignored as i128);
            }
        }
    }
    if b("entries_object") && any_filtered {
        if let J::Obj(m) = &mut out.data {
            if let J::Arr(a) = m[0].1.clone() {
                m[0].1 = J::Obj(a.into_iter().enumerate().map(|(i, x)| (i.to_string().into_bytes(), x)).collect());
            }
        }
    }
    Ok(out)
}

fn thousands(x: usize) -> String {
    if b("text_thousands") && x >= 1000 { format!("{},{:03}", x / 1000, x % 1000) } else { x.to_string() }
}

fn page(all: Vec<Entry>, before: usize, unreadable: usize, p: &Params, ctx: &Ctx, st: &mut State, id: &[u8]) -> Result<Page, Fail> {
    let total = all.len();
    let count = |list: &[Entry], k: Kind| list.iter().filter(|e| e.kind == k).count();
    let mut offset = p.offset;
    if b("offset_negative_slice") && offset < 0 {
        offset = (total as i128 + offset).max(0);
    }
    if b("offset_one_based") && offset > 0 {
        offset -= 1;
    }
    if b("offset_past_invalid") && offset > total as i128 && total > 0 {
        return Err(bad("offset is behind the end of the list."));
    }
    if b("empty_offset_invalid") && offset >= total as i128 && total == 0 {
        return Err(bad("offset is behind the end of the list."));
    }
    if b("offset_overflow") && offset <= i64::MAX as i128 && offset + p.limit > i64::MAX as i128 {
        return Err(internal(&"arithmetic overflow"));
    }
    let skip = offset.min(total as i128) as usize;
    let mut limit = p.limit.min(total as i128) as usize;
    if b("slice_limit") {
        limit = limit.saturating_sub(skip);
    }
    let mut end = (skip + limit).min(total);
    if b("links_free") {
        let mut left = limit;
        end = skip;
        while end < total && (left > 0 || all[end].kind == Kind::Link) {
            if all[end].kind != Kind::Link {
                left -= 1;
            }
            end += 1;
        }
    }
    let shown = &all[skip..end];
    let mut truncated = end < total;
    if b("truncated_full_page") && shown.len() as i128 == p.limit {
        truncated = true;
    }
    if b("truncated_one_left") && end + 1 == total && end > 0 {
        truncated = false;
    }
    if b("truncated_raw") && offset + p.limit < before as i128 {
        truncated = true;
    }
    if b("truncated_hidden_tail") && truncated && all[end..].iter().all(|e| e.kind == Kind::Link) {
        truncated = false;
    }
    if b("default_cursor") {
        let mut k = ctx.given_root.clone();
        k.extend(&p.path);
        st.cursor = if truncated { Some((k, end as i128)) } else { None };
    }
    let _ = id;
    let mut status = if truncated { "partial" } else { "success" };
    if b("status_empty") && total == 0 {
        status = "empty";
    }
    if b("status_later_success") && offset > 0 {
        status = "success";
    }
    if unreadable > 0 {
        status = "partial";
    }
    if b("status_ignored_partial") && !p.ignore.is_empty() && before > total {
        status = "partial";
    }
    let (dirs, files, links) = (count(&all, Kind::Dir), count(&all, Kind::File), count(&all, Kind::Link));
    // data
    let kind = |e: &Entry| match e.kind {
        Kind::Dir => "dir",
        Kind::File => "file",
        Kind::Link if b("type_broken") && e.dangling => "broken",
        Kind::Link => "link",
    };
    let entries: Vec<J> = shown
        .iter()
        .map(|e| {
            let mut m = vec![("path", J::Str(paths::show(&e.path))), ("type", crate::json::s(kind(e)))];
            if b("entry_target") && e.kind == Kind::Link && !e.out && e.to_dir {
                m.push(("target", J::Str(paths::show(&e.rel))));
            }
            obj(m)
        })
        .collect();
    let mut data = vec![
        ("entries", if b("entries_null") && entries.is_empty() { J::Null } else { J::Arr(entries) }),
        ("truncated", J::Bool(truncated)),
    ];
    if b("truncated_omitted") && !truncated {
        data.pop();
    }
    let data = if b("data_list_when_empty") && total == 0 { J::Arr(vec![]) } else { obj(data) };
    // stats
    let num = |x: usize| n(x as i128);
    let mut stats = vec![
        ("total_entries", num(total)),
        ("dirs", num(dirs)),
        ("files", num(files)),
        ("links", num(links)),
        ("returned", num(shown.len())),
    ];
    if b("total_remaining") {
        stats[0].1 = num(total - skip);
    }
    let to_dirs = all.iter().filter(|e| e.kind == Kind::Link && e.first).count();
    if b("dirs_double") {
        stats[1].1 = num(dirs + to_dirs);
    }
    if b("stats_by_order") {
        stats[1].1 = num(dirs + to_dirs);
        stats[3].1 = num(links - to_dirs);
    }
    if b("stats_dangling_uncounted") {
        stats[3].1 = num(all.iter().filter(|e| e.kind == Kind::Link && !e.dangling).count());
    }
    if b("stats_specials_uncounted") {
        let special = |e: &&Entry| {
            e.kind == Kind::File && std::fs::symlink_metadata(OsStr::from_bytes(&e.full)).map(|m| !m.is_file()).unwrap_or(false)
        };
        stats[2].1 = num(files - all.iter().filter(special).count());
    }
    if b("stats_page") {
        stats[1].1 = num(count(shown, Kind::Dir));
        stats[2].1 = num(count(shown, Kind::File));
        stats[3].1 = num(count(shown, Kind::Link));
    }
    if b("returned_min") {
        stats[4].1 = n(p.limit.min(total as i128));
    }
    if b("stats_zero_omitted") {
        stats.retain(|(k, v)| !(["dirs", "files", "links"].contains(k) && *v == n(0)));
    }
    // text
    let mut t: Vec<u8> = Vec::new();
    let mut path = p.path.clone();
    if b("text_path_default_empty") && !p.path_given {
        path.clear();
    }
    let mut word = if shown.len() == 1 && b("text_singular") { "entry" } else { "entries" };
    let mut head = if b("text_n_end") && offset > 0 { end } else { shown.len() };
    if b("text_n_total") && truncated {
        head = total;
    }
    let mut q = "'";
    if b("text_repr") && path.contains(&b'\'') {
        q = "\"";
    }
    if b("text_items_zero") && total == 0 {
        word = "items";
    }
    t.extend(format!("Listed {} {} in {}", head, word, q).bytes());
    t.extend(&path);
    t.extend(format!("{}\n", q).bytes());
    let (mut d, mut f, mut l, mut x) = (dirs, files, links, total);
    if b("text_linkdirs") {
        d += to_dirs;
        l -= to_dirs;
    }
    if b("text_page_counts") {
        d = count(shown, Kind::Dir);
        f = count(shown, Kind::File);
        l = count(shown, Kind::Link);
    }
    if b("text_total_raw") {
        x = before;
    }
    let plural = |k: usize, w: &str| if k == 1 && b("text_plural") { w.to_string() } else { format!("{}s", w) };
    t.extend(
        format!(
            "(Total: {} items - {} {}, {} {}, {} {})\n",
            thousands(x), thousands(d), plural(d, "dir"), thousands(f), plural(f, "file"), thousands(l), plural(l, "link")
        )
        .bytes(),
    );
    if truncated {
        let mut r = total - end;
        if b("text_rest_returned") {
            r = total - shown.len();
        }
        let start = if b("text_start_zero") {
            0
        } else if b("text_start_one") {
            skip + 1
        } else {
            skip
        };
        let stop = if b("text_end_inclusive") { end.saturating_sub(1) } else { end };
        let k = if b("next_is_limit") { p.limit as usize } else { end };
        t.extend(format!("[Truncated: Showing {}-{} of {}. {} more items available.]\n", start, stop, thousands(total), thousands(r)).bytes());
        if b("next_line_one_left") && r == 1 {
        } else if b("next_both") {
            t.extend(format!("Use offset={}, limit={} to view next page.\n", k, p.limit).bytes());
        } else {
            t.extend(format!("Use offset={} to view next page.\n", k).bytes());
        }
    } else if b("next_line_last_page") && offset > 0 && shown.len() > 0 {
        t.extend(format!("Use offset={} to view next page.\n", end).bytes());
    }
    if !(b("text_blank_missing") && !truncated) {
        t.push(b'\n');
    }
    let mut lines: Vec<Vec<u8>> = Vec::new();
    let mut order: Vec<&Entry> = shown.iter().collect();
    if b("text_by_type") {
        order.sort_by_key(|e| kind(e));
    }
    for e in order {
        let mut line = paths::show(&e.path);
        if b("text_names") {
            line = paths::show(&e.name);
        }
        if b("text_printf") {
            line = String::from_utf8_lossy(&line).replace("%s", "").replace("%d", "0").replace("%%", "%").into_bytes();
        }
        if b("text_markdown") {
            line = String::from_utf8_lossy(&line).replace('_', "\\_").replace('*', "\\*").into_bytes();
        }
        if b("text_quoted_spaces") && line.contains(&b' ') {
            line = [b"'", &line[..], b"'"].concat();
        }
        if b("text_long_cut") && line.len() > 100 {
            let k: String = String::from_utf8_lossy(&line).chars().take(97).collect();
            line = (k + "...").into_bytes();
        }
        match e.kind {
            Kind::Dir => line.push(b'/'),
            Kind::Link => {
                if b("text_linkdir_slash") && e.first {
                    line.push(b'/');
                } else if !(b("text_dangling_bare") && e.dangling) {
                    line.push(b'@');
                }
                if b("text_link_arrow") {
                    if let Ok(x) = std::fs::read_link(OsStr::from_bytes(&e.full)) {
                        line.extend(b" -> ");
                        line.extend(show(x.as_os_str().as_bytes()));
                    }
                }
            }
            Kind::File => {
                if let Ok(m) = std::fs::symlink_metadata(OsStr::from_bytes(&e.full)) {
                    if b("text_exec_star") && m.is_file() && m.mode() & 0o111 != 0 {
                        line.push(b'*');
                    }
                    if b("text_fifo_bar") && m.file_type().is_fifo() {
                        line.push(b'|');
                    }
                }
            }
        }
        lines.push(line);
    }
    if b("text_fifty") && lines.len() > 50 {
        let rest = lines.len() - 50;
        lines.truncate(50);
        lines.push(format!("... and {} more", rest).into_bytes());
    }
    if b("text_no_doubles") {
        lines.dedup_by(|a, c| a.eq_ignore_ascii_case(c));
    }
    t.extend(lines.join(&b'\n'));
    if b("text_empty_when_none") && total == 0 {
        t.clear();
    }
    let _ = cps;
    Ok(Page { status, data, text: t, stats, total })
}
