import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.text.Collator;
import java.text.Normalizer;
import java.util.*;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** The LocalFiles tools, version 2, with the candidate protocol of treeproof; TREEPROOF_BUG selects one bug. */
public final class LocalFiles {

    private static final String BUG = Optional.ofNullable(System.getenv("TREEPROOF_BUG")).orElse("");

    private static boolean bug(String name) {
        return BUG.equals(name);
    }

    // ---- The data model ----

    private static final List<String> KINDS =
            List.of("DirectoryEntry", "FileEntry", "SymbolicLinkEntry", "OtherEntry");

    /** One element of a listing. */
    static final class Entry {
        final Path path;
        String kind;
        long time;
        final Map<String, Object> json = new LinkedHashMap<>();

        Entry(Path path) {
            this.path = path;
        }
    }

    /** What findFiles knows of the place of an entry; null in listDirectory. */
    record Place(String below, int level) {}

    private static final Map<Path, Long> DIRECTORY_TIMES = new HashMap<>();

    private static BasicFileAttributes own(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private static BasicFileAttributes followed(Path path) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class);
        } catch (IOException error) {
            return null;
        }
    }

    private static int mode(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    }

    /** Reads one entry; a link is described itself, not its target. */
    static Entry entry(Path path, Path workingDir, Place place) throws IOException {
        BasicFileAttributes attributes = own(path);
        boolean link = attributes.isSymbolicLink();
        boolean finding = place != null;
        BasicFileAttributes led = link ? followed(path) : null;
        Entry entry = new Entry(path);
        entry.kind = link ? "SymbolicLinkEntry" : attributes.isDirectory() ? "DirectoryEntry"
                : attributes.isRegularFile() ? "FileEntry" : "OtherEntry";
        int type = entry.kind.equals("OtherEntry") ? mode(path) & 0170000 : 0;
        if (bug("dirlink_dir") && led != null && led.isDirectory()) {
            entry.kind = "DirectoryEntry";
        }
        if (bug("dangling_other") && link && !Files.exists(path) && noSuchTarget(path)) {
            entry.kind = "OtherEntry";
        }
        if (bug("link_special_other") && led != null && led.isOther()) {
            entry.kind = "OtherEntry";
        }
        if (bug("fifo_file") && type == 0010000) {
            entry.kind = "FileEntry";
        }
        if (bug("socket_dir") && type == 0140000) {
            entry.kind = "DirectoryEntry";
        }
        if (bug("chardev_file") && type == 0020000) {
            entry.kind = "FileEntry";
        }
        if (bug("socket_fails") && type == 0140000) {
            throw new FileSystemException(path.toString(), null, "No such device or address");
        }
        String kind = entry.kind;
        if (bug("type_qualified")) {
            kind = "LocalFiles$" + kind;
        }
        if (bug("type_dirlink_word") && led != null && led.isDirectory()) {
            kind = "DirectoryLinkEntry";
        }
        if (!(bug("type_absent_other") && kind.equals("OtherEntry"))) {
            entry.json.put(bug("type_key_find") && finding ? "type" : "@type", kind);
        }
        entry.json.put("name", nameOf(path, place));
        entry.json.put("path", pathOf(path, link, workingDir, place));
        entry.json.put("size", sizeOf(path, entry.kind, attributes, led, place));
        entry.json.put("lastModified", timeOf(path, entry, attributes, led, finding));
        if (entry.kind.equals("SymbolicLinkEntry")) {
            if (!(bug("target_absent_dangling") && noSuchTarget(path)) && !(bug("find_no_target") && finding)) {
                entry.json.put("target", targetOf(path, workingDir));
            }
        }
        if (bug("file_target_null") && entry.kind.equals("FileEntry")) {
            entry.json.put("target", null);
        }
        if (bug("dir_child_count") && entry.kind.equals("DirectoryEntry") && Files.isReadable(path)) {
            int count = children(path).size();
            if (count > 0) {
                entry.json.put("entries", count);
            }
        }
        if (bug("exec_flag") && entry.kind.equals("FileEntry") && (mode(path) & 0111) != 0) {
            entry.json.put("executable", true);
        }
        if (bug("other_no_time") && entry.kind.equals("OtherEntry")) {
            entry.json.remove("lastModified");
        }
        if (bug("zero_omitted")) {
            entry.json.values().removeIf(value -> value instanceof Number number && number.longValue() == 0);
        }
        return entry;
    }

    private static boolean noSuchTarget(Path link) {
        try {
            Files.readAttributes(link, BasicFileAttributes.class);
            return false;
        } catch (NoSuchFileException error) {
            return true;
        } catch (IOException error) {
            return false;
        }
    }

    private static boolean goesRound(Path link) {
        try {
            Files.readAttributes(link, BasicFileAttributes.class);
            return false;
        } catch (NoSuchFileException | AccessDeniedException error) {
            return false;
        } catch (IOException error) {
            return String.valueOf(error.getMessage()).contains("Too many levels");
        }
    }

    private static String nameOf(Path path, Place place) {
        String name = path.getFileName().toString();
        switch (BUG) {
            case "name_trim":
                return name.strip();
            case "name_nfc":
                return Normalizer.normalize(name, Normalizer.Form.NFC);
            case "name_backslash":
                return name.substring(name.lastIndexOf('\\') + 1);
            case "find_name_relative":
                return place == null ? name : place.below();
            case "name_percent":
                try {
                    String decoded = new URI(name.replace(" ", "%20")).getPath();
                    return decoded == null ? name : decoded;
                } catch (URISyntaxException error) {
                    return name;
                }
            case "name_astral":
                return noAstral(name);
            case "name_control":
                return name.replaceAll("[\\x00-\\x1f\\x7f]", "");
            case "name_trailing_dot":
                return name.replaceAll("(?<=[^.])\\.+$", "");
            case "name_html":
                return name.replace("&", "&amp;").replace("<", "&lt;");
            case "name_long_cut":
                return name.length() > 64 ? name.substring(0, 61) + "..." : name;
            default:
                return name;
        }
    }

    private static String noAstral(String text) {
        return text.replaceAll("[\\x{10000}-\\x{10ffff}]", "?");
    }

    private static String pathOf(Path path, boolean link, Path workingDir, Place place) throws IOException {
        switch (BUG) {
            case "path_of_target":
                return link && Files.exists(path) ? path.toRealPath().toString() : path.toString();
            case "path_find_relative":
                return place == null ? path.toString() : place.below();
            case "path_uri":
                return path.toString().replace("%", "%25").replace(" ", "%20");
            case "path_cwd":
                return place == null ? workingDir.resolve(path.getFileName()).toString() : path.toString();
            case "name_astral":
                return noAstral(path.toString());
            default:
                return path.toString();
        }
    }

    private static Object sizeOf(Path path, String kind, BasicFileAttributes attributes, BasicFileAttributes led,
            Place place) {
        long size = attributes.size();
        switch (BUG) {
            case "size_int32":
                return (int) size;
            case "size_float32":
                return (long) (float) size;
            case "size_blocks":
                return kind.equals("FileEntry") ? (size + 4095) / 4096 * 4096 : size;
            case "size_dir_zero":
                return kind.equals("DirectoryEntry") ? 0 : size;
            case "size_dir_recursive":
                return kind.equals("DirectoryEntry") ? total(path) : size;
            case "size_other_minus1":
                return kind.equals("OtherEntry") ? -1 : size;
            case "size_text_big":
                return size >= 1L << 32 ? String.valueOf(size) : (Object) size;
            case "link_size_target":
                return led != null ? led.size() : size;
            case "find_deep_no_size":
                return place != null && place.level() > 1 ? 0 : size;
            default:
                return size;
        }
    }

    private static long total(Path directory) {
        long sum = 0;
        try {
            for (Path child : children(directory)) {
                BasicFileAttributes attributes = own(child);
                sum += attributes.isDirectory() ? total(child) : attributes.isRegularFile() ? attributes.size() : 0;
            }
        } catch (IOException error) {
            return sum;
        }
        return sum;
    }

    private static Object timeOf(Path path, Entry entry, BasicFileAttributes attributes, BasicFileAttributes led,
            boolean finding) throws IOException {
        FileTime time = attributes.lastModifiedTime();
        long millis = time.toMillis();
        entry.time = millis;
        boolean directory = entry.kind.equals("DirectoryEntry");
        switch (BUG) {
            case "mtime_seconds":
                return Math.floorDiv(millis, 1000L) * 1000;
            case "mtime_ctime_dir":
                return directory ? ((FileTime) Files.getAttribute(path, "unix:ctime", LinkOption.NOFOLLOW_LINKS)).toMillis()
                        : millis;
            case "mtime_access":
                return entry.kind.equals("FileEntry") ? attributes.lastAccessTime().toMillis() : millis;
            case "link_mtime_target":
                return led != null ? led.lastModifiedTime().toMillis() : millis;
            case "mtime_int32":
                return (int) Math.floorDiv(millis, 1000L) * 1000L + Math.floorMod(millis, 1000L);
            case "mtime_future":
                return Math.min(millis, System.currentTimeMillis());
            case "mtime_text_find":
                return finding ? time.toString() : (Object) millis;
            case "mtime_double":
                return (double) millis;
            case "mtime_state_dir":
                return directory ? DIRECTORY_TIMES.computeIfAbsent(path, key -> millis) : millis;
            case "mtime_link_micros":
                return attributes.isSymbolicLink() ? time.to(TimeUnit.MICROSECONDS) : millis;
            default:
                return millis;
        }
    }

    private static String targetOf(Path path, Path workingDir) throws IOException {
        Path link = Files.readSymbolicLink(path);
        String target = link.toString();
        switch (BUG) {
            case "target_final":
                for (int steps = 0; steps < 50; steps++) {
                    path = path.resolveSibling(link);
                    if (!Files.isSymbolicLink(path)) {
                        break;
                    }
                    link = Files.readSymbolicLink(path);
                    target = link.toString();
                }
                return target;
            case "target_cwd":
                return workingDir.resolve(link).toString();
            case "target_cut_255":
                return target.length() > 255 ? target.substring(0, 255) : target;
            case "target_trim":
                return target.strip();
            case "target_filename":
                return link.getFileName() == null ? target : link.getFileName().toString();
            case "target_backslash":
                return target.replace('\\', '/');
            case "target_latin1":
                return new String(target.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
            default:
                return target;
        }
    }

    // ---- listDirectory ----

    private static List<Path> children(Path directory) throws IOException {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(children::add);
        } catch (DirectoryIteratorException error) {
            throw error.getCause();
        }
        return children;
    }

    /** Fails before the directory is opened: to open a FIFO would wait for its writer. */
    private static void requireDirectory(Path directory) throws IOException {
        if (!Files.readAttributes(directory, BasicFileAttributes.class).isDirectory()) {
            throw new NotDirectoryException(directory.toString());
        }
    }

    private static final List<Map<String, Object>> ACCUMULATED = new ArrayList<>();
    private static int listings;

    static Object listDirectory(Path directory, Path workingDir) throws IOException {
        if (bug("file_itself") && Files.isRegularFile(directory)) {
            return List.of(entry(directory, workingDir, null).json);
        }
        if (bug("linkfile_empty") && Files.isSymbolicLink(directory) && Files.isRegularFile(directory)) {
            return List.of();
        }
        if (bug("dangling_empty") && Files.isSymbolicLink(directory) && noSuchTarget(directory)) {
            return List.of();
        }
        if (bug("unreadable_empty") && Files.isDirectory(directory) && (mode(directory.toRealPath()) & 0777) == 0) {
            return List.of();
        }
        if (bug("req_case_fallback") && !Files.exists(directory, LinkOption.NOFOLLOW_LINKS)
                && directory.getParent() != null && Files.isDirectory(directory.getParent())) {
            for (Path sibling : children(directory.getParent())) {
                if (sibling.getFileName().toString().equalsIgnoreCase(directory.getFileName().toString())) {
                    directory = sibling;
                }
            }
        }
        try {
            BasicFileAttributes attributes = Files.readAttributes(directory, BasicFileAttributes.class);
            if (bug("special_empty") && attributes.isOther()) {
                return List.of();
            }
        } catch (FileSystemException error) {
            String reason = String.valueOf(error.getReason());
            if (bug("toolong_empty") && reason.contains("name too long")
                    || bug("notdir_parent_empty") && reason.contains("Not a directory")) {
                return List.of();
            }
            throw error;
        }
        requireDirectory(directory);
        List<Path> paths = children(directory);
        filter(paths);
        List<Entry> entries = new ArrayList<>();
        for (Path path : paths) {
            Entry entry = entry(path, workingDir, null);
            if (bug("collapse_single") && entry.kind.equals("DirectoryEntry") && Files.isReadable(path)) {
                List<Path> inner = children(path);
                if (inner.size() == 1 && own(inner.get(0)).isDirectory()) {
                    entry = entry(inner.get(0), workingDir, null);
                }
            }
            entries.add(entry);
        }
        sort(entries);
        if (bug("sort_toggle") && ++listings % 2 == 0) {
            Collections.reverse(entries);
        }
        if (bug("limit_1000") && entries.size() > 1000) {
            entries = entries.subList(0, 1000);
        }
        List<Map<String, Object>> result = new ArrayList<>();
        for (Entry entry : entries) {
            if (bug("lazy_after_100") && result.size() >= 100) {
                entry.json.put("size", null);
                entry.json.put("lastModified", null);
            }
            result.add(entry.json);
        }
        if (bug("cache_file")) {
            try {
                Files.writeString(directory.resolve(".localfiles.idx"), json(result));
            } catch (IOException error) {
                return result;
            }
        }
        if (bug("state_accumulate")) {
            List<Map<String, Object>> now = List.copyOf(result);
            result.addAll(0, ACCUMULATED);
            ACCUMULATED.clear();
            ACCUMULATED.addAll(now);
        }
        if (bug("empty_null") && result.isEmpty()) {
            return null;
        }
        if (bug("compact_over_32k") && json(result).length() > 32 * 1024) {
            return result.stream().map(one -> one.get("path")).toList();
        }
        return result;
    }

    /** Where a bug leaves something out. */
    private static void filter(List<Path> paths) throws IOException {
        Set<Object> seen = new HashSet<>();
        if (BUG.endsWith("_dedup")) {
            Collections.sort(paths);
        }
        for (Iterator<Path> iterator = paths.iterator(); iterator.hasNext();) {
            Path path = iterator.next();
            String name = path.getFileName().toString();
            BasicFileAttributes attributes = BUG.isEmpty() ? null : own(path);
            boolean out = switch (BUG) {
                case "dotdot_prefix" -> name.startsWith("..");
                case "hardlink_dedup" -> attributes.isRegularFile() && !seen.add(attributes.fileKey());
                case "case_dedup" -> !seen.add(name.toLowerCase(Locale.ROOT));
                case "unreadable_left_out" -> !attributes.isSymbolicLink() && !attributes.isOther()
                        && !Files.isReadable(path);
                case "dangling_left_out" -> attributes.isSymbolicLink() && noSuchTarget(path);
                case "nonutf8_dropped" -> name.indexOf('\ufffd') >= 0;
                case "nonutf8_target_dropped" -> attributes.isSymbolicLink()
                        && Files.readSymbolicLink(path).toString().indexOf('\ufffd') >= 0;
                case "max_path_260" -> path.toString().length() > 260;
                case "hidden_dirs" -> attributes.isDirectory() && name.startsWith(".");
                case "junk_files" -> Set.of(".DS_Store", "Thumbs.db", "desktop.ini").contains(name);
                case "editor_backup" -> name.endsWith("~") || name.endsWith(".bak") || name.endsWith(".swp");
                default -> false;
            };
            if (out) {
                iterator.remove();
            }
        }
    }

    private static void sort(List<Entry> entries) {
        Comparator<Entry> kind = Comparator.comparing(entry -> KINDS.indexOf(entry.kind));
        Comparator<Entry> path = Comparator.comparing(entry -> entry.path);
        Comparator<Entry> order = kind.thenComparing(path);
        if (bug("sort_none")) {
            return;
        }
        if (bug("sort_kind_only")) {
            order = kind;
        }
        if (bug("sort_collator")) {
            Collator collator = Collator.getInstance(Locale.ENGLISH);
            collator.setStrength(Collator.PRIMARY);
            order = kind.thenComparing(entry -> entry.path.getFileName().toString(), collator);
        }
        if (bug("sort_mtime_ties")) {
            order = kind.thenComparing(Comparator.comparingLong((Entry entry) -> entry.time).reversed());
        }
        if (bug("sort_files_first")) {
            List<String> kinds = List.of("FileEntry", "DirectoryEntry", "SymbolicLinkEntry", "OtherEntry");
            order = Comparator.comparing((Entry entry) -> kinds.indexOf(entry.kind)).thenComparing(path);
        }
        if (bug("sort_pages")) {
            for (int start = 0; start < entries.size(); start += 100) {
                entries.subList(start, Math.min(start + 100, entries.size())).sort(order);
            }
            return;
        }
        entries.sort(order);
    }

    // ---- findFiles ----

    /** Ends a search from within. */
    static final class Stop extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static final Map<String, Object> SEARCHES = new HashMap<>();
    private static final Set<Path> VISITED = new HashSet<>();
    private static boolean recursiveBefore;

    static Object findFiles(Path directory, boolean recursive, String glob, String asked, Path workingDir)
            throws IOException, Failure {
        if (bug("glob_malformed_flat") && !recursive) {
            try {
                new Glob(glob, directory);
            } catch (PatternSyntaxException error) {
                return List.of();
            }
        }
        if (bug("recursive_sticky")) {
            recursive = recursiveBefore |= recursive;
        }
        Search search = new Search(directory, glob, workingDir);
        search.trailingSlash = asked.endsWith("/");
        search.depth = recursive || bug("find_flat_doublestar") && glob.contains("**/") ? Integer.MAX_VALUE : 1;
        if (bug("find_depth_20")) {
            search.depth = Math.min(search.depth, 20);
        }
        if (bug("find_needs_doublestar") && !glob.contains("**")) {
            search.depth = 1;
        }
        String key = directory + "\0" + recursive + "\0" + glob;
        if (bug("find_cache") && SEARCHES.containsKey(key)) {
            return SEARCHES.get(key);
        }
        if (!bug("glob_malformed_lazy")) {
            search.matcher();
        }
        requireDirectory(directory);
        if (bug("find_under_hidden") && directory.toString().contains("/.")) {
            return List.of();
        }
        search.ancestors.add(Files.readAttributes(directory, BasicFileAttributes.class).fileKey());
        search.seen.addAll(search.ancestors);
        try {
            search.below(directory, "", 1);
        } catch (Stop stop) {
            search.stopped = true;
        }
        sort(search.found);
        List<Map<String, Object>> result = new ArrayList<>();
        search.found.forEach(entry -> result.add(entry.json));
        if (bug("find_nomatch_error") && result.isEmpty()) {
            throw new Failure("ExecutionFailed", "no match for " + glob + " in " + directory);
        }
        SEARCHES.put(key, result);
        return result;
    }

    private static final class Search {
        final Path start;
        final String glob;
        final Path workingDir;
        final List<Entry> found = new ArrayList<>();
        final Deque<Object> ancestors = new ArrayDeque<>();
        final Set<Object> seen = new HashSet<>();
        final Set<String> names = new HashSet<>();
        boolean trailingSlash;
        boolean stopped;
        int depth;
        private Glob matcher;

        Search(Path start, String glob, Path workingDir) {
            this.start = start;
            this.glob = glob;
            this.workingDir = workingDir;
        }

        Glob matcher() {
            if (matcher == null) {
                matcher = new Glob(glob, start);
            }
            return matcher;
        }

        private List<Path> read(Path directory, int level) throws IOException {
            try {
                return children(directory);
            } catch (AccessDeniedException error) {
                if (level == 1) {
                    throw error;
                }
                if (bug("find_unreadable_stops")) {
                    throw new Stop();
                }
                return List.of(); // a directory that cannot be read is passed by
            }
        }

        void below(Path directory, String before, int level) throws IOException {
            List<Path> paths = new ArrayList<>(read(directory, level));
            Collections.sort(paths);
            for (Path path : paths) {
                String name = path.getFileName().toString();
                String relative = before + name;
                BasicFileAttributes attributes;
                try {
                    attributes = own(path);
                } catch (NoSuchFileException | AccessDeniedException error) {
                    continue;
                }
                if (attributes.isSymbolicLink()) {
                    if (bug("find_dangling_error") && noSuchTarget(path)) {
                        throw new NoSuchFileException(path.toString());
                    }
                    if (bug("dangling_removed") && noSuchTarget(path)) {
                        try {
                            Files.delete(path);
                            continue;
                        } catch (IOException error) {
                            stopped = true;
                        }
                    }
                    if (bug("find_selfloop_rest") && goesRound(path)) {
                        return;
                    }
                }
                String tested = bug("find_trailing_slash") && trailingSlash ? relative.substring(1) : relative;
                boolean matches = matcher().matches(tested);
                if (matches) {
                    found.add(entry(path, workingDir, new Place(relative, level)));
                    if (bug("find_limit_500") && found.size() >= 500) {
                        throw new Stop();
                    }
                }
                if (level < depth && entered(path, name, attributes, matches)) {
                    below(path, relative + "/", level + 1);
                    if (bug("find_loop_error")) {
                        ancestors.pop();
                    }
                }
            }
        }

        private boolean entered(Path path, String name, BasicFileAttributes attributes, boolean matches)
                throws IOException {
            if (attributes.isSymbolicLink()) {
                BasicFileAttributes led = followed(path);
                if (led == null || !led.isDirectory()) {
                    return false;
                }
                if (bug("find_loop_error")) {
                    if (ancestors.contains(led.fileKey())) {
                        throw new FileSystemLoopException(path.toString());
                    }
                    ancestors.push(led.fileKey());
                    return true;
                }
                return bug("find_link_steals") && seen.add(led.fileKey());
            }
            if (!attributes.isDirectory()) {
                return false;
            }
            return switch (BUG) {
                case "find_loop_error" -> {
                    ancestors.push(attributes.fileKey());
                    yield true;
                }
                case "find_link_steals" -> seen.add(attributes.fileKey());
                case "find_hidden_dirs" -> !name.startsWith(".");
                case "find_build_dirs" -> !Set.of("node_modules", "target", "build").contains(name);
                case "find_matched_dir" -> !matches;
                case "find_seen_names" -> names.add(name);
                case "find_state_visited" -> VISITED.add(path);
                default -> true;
            };
        }
    }

    /** A glob, held against the path below the start of the search. */
    static final class Glob {
        private final List<Pattern> patterns = new ArrayList<>();
        private final String prefix;
        private String literal;

        Glob(String glob, Path start) {
            prefix = bug("find_path_in_glob") ? start + "/" : "";
            if (bug("glob_literal_contains") && !glob.matches("(?s).*[*?\\[{\\\\].*")) {
                literal = glob;
            }
            if (bug("glob_prefix_dir") || bug("glob_star_last_only")) {
                String[] parts = glob.split("/", -1);
                boolean star = false;
                for (int i = 0; i + 1 < parts.length; i++) {
                    star |= parts[i].contains("*");
                    if (bug("glob_prefix_dir") && !star) {
                        parts[i] = parts[i].replaceAll("[\\[\\]?]", "\\\\$0");
                    } else if (bug("glob_star_last_only") && !parts[i].equals("**")) {
                        parts[i] = parts[i].replace("*", "\\*");
                    }
                }
                glob = String.join("/", parts);
            }
            int flags = bug("glob_no_dotall") ? 0 : Pattern.DOTALL;
            if (bug("glob_ignorecase")) {
                flags |= Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;
            }
            for (String one : bug("glob_comma") && !glob.contains("{") ? glob.split(",") : new String[] {glob}) {
                patterns.add(Pattern.compile(new Translation(prefix + one).regex(), flags));
            }
        }

        boolean matches(String relative) {
            if (literal != null) {
                return relative.contains(literal);
            }
            for (Pattern pattern : patterns) {
                Matcher matcher = pattern.matcher(prefix + relative);
                if (bug("glob_prefix") ? matcher.lookingAt() : matcher.matches()) {
                    return true;
                }
            }
            return false;
        }
    }

    private static final class Translation {
        private final String glob;
        private int at;
        private int braces;
        private int doubles;

        Translation(String glob) {
            this.glob = glob;
        }

        private PatternSyntaxException malformed(String what) {
            return new PatternSyntaxException(what, glob, at);
        }

        String regex() {
            String slashless = bug("glob_no_dotall") ? "(?:(?!/).)" : "[^/]";
            StringBuilder regex = new StringBuilder();
            while (at < glob.length()) {
                boolean first = at == 0 || glob.charAt(at - 1) == '/';
                if (first && glob.startsWith("**/", at)) {
                    at += 3;
                    int next = glob.indexOf('/', at);
                    if (bug("glob_second_doublestar") && ++doubles > 1) {
                        regex.append("[^/]*/");
                    } else if (bug("glob_doublestar_first") && next > at && !glob.startsWith("**", at)) {
                        String inner = new Translation(glob.substring(at, next)).regex();
                        regex.append("(?>(?:[^/]+/)*?").append(inner).append("/)");
                        at = next + 1;
                    } else {
                        regex.append("(?:[^/]+/)*");
                    }
                    continue;
                }
                int c = glob.codePointAt(at);
                at += Character.charCount(c);
                switch (c) {
                    case '*':
                        if (glob.startsWith("*", at)) {
                            at++;
                            regex.append(".*");
                        } else if (bug("glob_star_crosses")) {
                            regex.append(".*");
                        } else {
                            regex.append(slashless).append(bug("glob_star_plus") ? "+" : "*");
                        }
                        break;
                    case '?':
                        regex.append(bug("glob_question_slash") ? "." : slashless);
                        break;
                    case '[':
                        regex.append(brackets());
                        break;
                    case '{':
                        braces++;
                        regex.append("(?:");
                        break;
                    case '}':
                        regex.append(braces > 0 ? ")" : "\\}");
                        braces -= braces > 0 ? 1 : 0;
                        break;
                    case ',':
                        regex.append(braces > 0 ? "|" : ",");
                        break;
                    case '\\':
                        if (at == glob.length()) {
                            throw malformed("nothing to escape");
                        }
                        c = glob.codePointAt(at);
                        at += Character.charCount(c);
                        regex.append(Pattern.quote(Character.toString(c)));
                        break;
                    case '.':
                        regex.append(bug("glob_dot_any") ? "." : "\\.");
                        break;
                    default:
                        regex.append(Pattern.quote(Character.toString(c)));
                }
            }
            if (braces > 0) {
                throw malformed("missing }");
            }
            return regex.toString();
        }

        private String brackets() {
            StringBuilder members = new StringBuilder();
            boolean negated = false;
            if (at < glob.length() && (glob.charAt(at) == '!' || glob.charAt(at) == '^')) {
                negated = !(bug("glob_negation_literal") && glob.charAt(at) == '!');
                if (!negated) {
                    members.append("!");
                }
                at++;
            }
            for (boolean first = true;; first = false) {
                if (at >= glob.length()) {
                    throw malformed("missing ]");
                }
                int c = glob.codePointAt(at);
                at += Character.charCount(c);
                if (c == ']' && !first) {
                    break;
                }
                if (c == '/') {
                    throw malformed("a slash in brackets");
                }
                if (c == '\\' && at < glob.length()) {
                    c = glob.codePointAt(at);
                    at += Character.charCount(c);
                }
                member(members, c);
                if (glob.startsWith("-", at) && at + 1 < glob.length() && glob.charAt(at + 1) != ']') {
                    int last = glob.codePointAt(at + 1);
                    if (last < c) {
                        throw malformed("a range that goes down");
                    }
                    if (bug("glob_range_literal")) {
                        member(members, '-');
                    } else {
                        members.append('-');
                    }
                    member(members, last);
                    at += 1 + Character.charCount(last);
                }
            }
            return "(?!/)[" + (negated ? "^" : "") + members + "]";
        }

        private static void member(StringBuilder members, int c) {
            if (c < 128 && !Character.isLetterOrDigit(c)) {
                members.append('\\');
            }
            members.appendCodePoint(c);
        }
    }

    // ---- The protocol ----

    /** A failed call with its error kind. */
    static final class Failure extends Exception {
        private static final long serialVersionUID = 1;
        final String kind;

        Failure(String kind, String message) {
            super(message);
            this.kind = kind;
        }
    }

    public static void main(String[] args) throws IOException {
        var requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var responses = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            Map<?, ?> request = (Map<?, ?>) new JsonReader(line).read();
            String method = (String) request.get("method");
            Map<String, Object> response = new LinkedHashMap<>();
            response.put("jsonrpc", "2.0");
            response.put("id", request.get("id"));
            response.put("result", respond(method, (Map<?, ?>) request.get("params")));
            responses.print(json(response) + "\n");
            responses.flush();
            if (method.equals("shutdown")) {
                return;
            }
        }
    }

    private static Object respond(String method, Map<?, ?> params) {
        return switch (method) {
            case "initialize" -> Map.of("protocol", 1,
                    "candidate", Map.of("name", "foreign-local-files-java", "version", "2.0.0", "language", "java"),
                    "tools", Map.of("listDirectory", "local_files@2", "findFiles", "local_files@2"),
                    "capabilities", List.of("working_dir"));
            case "describe" -> definition((String) params.get("tool"));
            case "call" -> {
                try {
                    Object result = call(params);
                    rawControl = bug("json_raw_control");
                    String content = json(result);
                    rawControl = false;
                    yield Map.of("status", "ok", "content", content);
                } catch (Failure failure) {
                    String message = String.valueOf(failure.getMessage());
                    if (bug("err_ascii")) {
                        message = message.replaceAll("[^\\x00-\\x7f]", "?");
                    }
                    yield Map.of("status", "error", "error", Map.of("kind", failure.kind, "message", message));
                }
            }
            default -> null; // shutdown
        };
    }

    private static Map<String, Object> definition(String tool) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("path", Map.of("type", "string"));
        String description = "Lists the entries of a directory with their type, size and time of modification";
        if (tool.equals("findFiles")) {
            properties.put("recursive", Map.of("type", "boolean"));
            properties.put("glob", Map.of("type", "string"));
            description = "Finds entries below a directory by a glob pattern such as **/*.java";
        }
        return Map.of("name", tool, "aliases", List.of(), "description", description, "is_side_effecting", false,
                "input_schema", Map.of("type", "object", "properties", properties,
                        "required", List.copyOf(properties.keySet())));
    }

    private static Object call(Map<?, ?> params) throws Failure {
        try {
            Map<?, ?> context = (Map<?, ?>) params.get("context");
            Path workingDir = Path.of((String) context.get("working_dir"));
            String tool = (String) params.get("tool");
            Object arguments = params.get("arguments");
            if (!tool.equals("listDirectory") && !tool.equals("findFiles")) {
                throw new Failure("UnknownTool", "there is no tool " + tool);
            }
            String asked = asked(arguments);
            Path path = workingDir.resolve(asked);
            if (tool.equals("listDirectory")) {
                return listDirectory(path, workingDir);
            }
            boolean recursive = argument(arguments, "recursive", Boolean.class);
            return findFiles(path, recursive, glob(arguments), asked, workingDir);
        } catch (PatternSyntaxException error) {
            throw new Failure("BadArgs", "malformed glob: " + error.getDescription());
        } catch (InvalidPathException error) {
            throw new Failure("BadArgs", error.getMessage());
        } catch (NotDirectoryException error) {
            String named = error.getFile();
            if (bug("err_notdir_basename")) {
                named = named.substring(named.lastIndexOf('/') + 1);
            }
            throw new Failure("ExecutionFailed", "not a directory: " + named);
        } catch (NoSuchFileException error) {
            throw new Failure("ExecutionFailed",
                    "no such directory" + (bug("err_missing_nopath") ? "" : ": " + error.getMessage()));
        } catch (IOException error) {
            throw new Failure("ExecutionFailed", error.getClass().getSimpleName() + ": " + error.getMessage());
        }
    }

    private static String asked(Object arguments) throws Failure {
        Object given = arguments instanceof Map<?, ?> map ? map.get("path") : null;
        String path;
        if (bug("path_null_cwd") && given == null && arguments instanceof Map<?, ?> map && map.containsKey("path")) {
            path = ".";
        } else if (bug("path_number_text") && (given instanceof BigDecimal || given instanceof Boolean)) {
            path = given.toString();
        } else {
            path = argument(arguments, "path", String.class);
        }
        return switch (BUG) {
            case "nul_cut" -> path.indexOf('\0') < 0 ? path : path.substring(0, path.indexOf('\0'));
            case "req_backslash" -> path.replace('\\', '/');
            case "req_fragment" -> path.indexOf('#') < 0 ? path : path.substring(0, path.indexOf('#'));
            case "req_env" -> Pattern.compile("\\$(\\w+)").matcher(path).replaceAll(found ->
                    Matcher.quoteReplacement(Optional.ofNullable(System.getenv(found.group(1))).orElse("")));
            default -> path;
        };
    }

    private static String glob(Object arguments) throws Failure {
        Object given = arguments instanceof Map<?, ?> map ? map.get("glob") : null;
        if (bug("glob_missing_star") && arguments instanceof Map<?, ?> map && !map.containsKey("glob")) {
            return "*";
        }
        if (bug("glob_list_first") && given instanceof List<?> list && !list.isEmpty()
                && list.get(0) instanceof String first) {
            return first;
        }
        return argument(arguments, "glob", String.class);
    }

    private static <T> T argument(Object arguments, String name, Class<T> type) throws Failure {
        if (arguments instanceof Map<?, ?> map && type.isInstance(map.get(name))) {
            return type.cast(map.get(name));
        }
        throw new Failure("BadArgs", name + " is required and must be a " + type.getSimpleName());
    }

    // ---- JSON ----

    private static boolean rawControl;

    static String json(Object value) {
        if (value instanceof Map<?, ?> map) {
            return "{" + String.join(",", map.entrySet().stream()
                    .map(member -> json(member.getKey()) + ":" + json(member.getValue())).toList()) + "}";
        }
        if (value instanceof List<?> list) {
            return "[" + String.join(",", list.stream().map(LocalFiles::json).toList()) + "]";
        }
        return value instanceof String text ? quoted(text) : String.valueOf(value);
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char unit : text.toCharArray()) {
            if (unit == '"' || unit == '\\') {
                quoted.append('\\').append(unit);
            } else if (unit < ' ' && rawControl) {
                quoted.append(unit);
            } else if (unit < ' ' || unit > '~') {
                quoted.append(String.format("\\u%04x", (int) unit));
            } else {
                quoted.append(unit);
            }
        }
        return quoted.append('"').toString();
    }

    /** Reads one JSON value of a message. treeproof sends valid JSON only, so errors need no precise message. */
    static final class JsonReader {
        private final String text;
        private int position;

        JsonReader(String text) {
            this.text = text;
        }

        Object read() {
            char first = peek();
            if (first == '{') {
                Map<String, Object> map = new LinkedHashMap<>();
                for (position++; peek() != '}'; skip(',')) {
                    String name = (String) read();
                    skip(':');
                    map.put(name, read());
                }
                position++;
                return map;
            }
            if (first == '[') {
                List<Object> list = new ArrayList<>();
                for (position++; peek() != ']'; skip(',')) {
                    list.add(read());
                }
                position++;
                return list;
            }
            return first == '"' ? string() : literal();
        }

        private char peek() {
            while (Character.isWhitespace(text.charAt(position))) {
                position++;
            }
            return text.charAt(position);
        }

        private void skip(char separator) {
            if (peek() == separator) {
                position++;
            }
        }

        private Object literal() {
            int start = position;
            while (position < text.length() && ",]} \t".indexOf(text.charAt(position)) < 0) {
                position++;
            }
            String literal = text.substring(start, position);
            return switch (literal) {
                case "null" -> null;
                case "true", "false" -> Boolean.valueOf(literal);
                default -> new BigDecimal(literal);
            };
        }

        private String string() {
            StringBuilder string = new StringBuilder();
            for (position++; text.charAt(position) != '"'; position++) {
                if (text.charAt(position) != '\\') {
                    string.append(text.charAt(position));
                    continue;
                }
                char escape = text.charAt(++position);
                int control = "bfnrt".indexOf(escape);
                if (escape == 'u') {
                    string.append((char) Integer.parseInt(text.substring(position + 1, position + 5), 16));
                    position += 4;
                } else {
                    string.append(control < 0 ? escape : "\b\f\n\r\t".charAt(control));
                }
            }
            position++;
            return string.toString();
        }
    }
}
