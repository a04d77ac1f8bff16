import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/** The LocalFiles tools, version 2, with the candidate protocol of treeproof over stdin and stdout. */
public final class LocalFiles {

    // ---- The data model ----

    /** One element of a listing. */
    sealed interface FileSystemEntry permits DirectoryEntry, FileEntry, SymbolicLinkEntry, OtherEntry {
        Metadata metadata();

        default Map<String, Object> toJson() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("@type", getClass().getSimpleName());
            json.put("name", metadata().name());
            json.put("path", metadata().path());
            json.put("size", metadata().size());
            json.put("lastModified", metadata().lastModified());
            return json;
        }
    }

    private static final List<Class<?>> KINDS =
            List.of(DirectoryEntry.class, FileEntry.class, SymbolicLinkEntry.class, OtherEntry.class);

    record Metadata(String name, String path, long size, long lastModified) {}

    record DirectoryEntry(Metadata metadata) implements FileSystemEntry {}

    record FileEntry(Metadata metadata) implements FileSystemEntry {}

    record SymbolicLinkEntry(Metadata metadata, String target) implements FileSystemEntry {
        @Override
        public Map<String, Object> toJson() {
            Map<String, Object> json = FileSystemEntry.super.toJson();
            json.put("target", target);
            return json;
        }
    }

    record OtherEntry(Metadata metadata) implements FileSystemEntry {}

    /** Reads one entry; a link is described itself, not its target. */
    static FileSystemEntry entry(Path path) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        Metadata metadata = new Metadata(path.getFileName().toString(), path.toString(),
                attributes.size(), attributes.lastModifiedTime().toMillis());
        if (attributes.isSymbolicLink()) {
            return new SymbolicLinkEntry(metadata, Files.readSymbolicLink(path).toString());
        }
        if (attributes.isDirectory()) {
            return new DirectoryEntry(metadata);
        }
        return attributes.isRegularFile() ? new FileEntry(metadata) : new OtherEntry(metadata);
    }

    // ---- The tools ----

    /** Lists the entries of a directory. */
    static List<FileSystemEntry> listDirectory(Path directory) throws IOException {
        requireDirectory(directory);
        try (Stream<Path> children = Files.list(directory)) {
            return entries(children);
        }
    }

    /** Lists the entries below a directory whose path, relative to it, matches the pattern. Links are not followed. */
    static List<FileSystemEntry> findFiles(Path directory, boolean recursive, String glob) throws IOException {
        requireDirectory(directory);
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
        // The start is resolved because Files.walk does not enter a start that is a link.
        Path start = directory.toRealPath();
        try (Stream<Path> found = Files.walk(start, recursive ? Integer.MAX_VALUE : 1)) {
            return entries(found.filter(path -> !path.equals(start)).map(start::relativize)
                    .filter(matcher::matches).map(directory::resolve));
        }
    }

    /** Fails before the directory is opened: to open a FIFO would wait for its writer. */
    private static void requireDirectory(Path directory) throws IOException {
        if (!Files.readAttributes(directory, BasicFileAttributes.class).isDirectory()) {
            throw new NotDirectoryException(directory.toString());
        }
    }

    /** Reads the entries into one list in the order of the document's example: by kind, and by path in each kind. */
    private static List<FileSystemEntry> entries(Stream<Path> paths) throws IOException {
        List<FileSystemEntry> entries = new ArrayList<>();
        try {
            for (Path path : paths.sorted().toList()) {
                entries.add(entry(path));
            }
            entries.sort(Comparator.comparing(entry -> KINDS.indexOf(entry.getClass())));
        } catch (UncheckedIOException error) { // from the stream: a directory that cannot be read
            throw error.getCause();
        }
        return entries;
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
            Map<String, Object> response = new LinkedHashMap<>();
            response.put("jsonrpc", "2.0");
            response.put("id", request.get("id"));
            response.put("result", respond((String) request.get("method"), (Map<?, ?>) request.get("params")));
            responses.print(json(response) + "\n");
            responses.flush();
        }
    }

    private static Object respond(String method, Map<?, ?> params) {
        return switch (method) {
            case "initialize" -> Map.of("protocol", 1,
                    "candidate",
                    Map.of("name", "treeproof-example-java-local-files", "version", "2.0.0", "language", "java"),
                    "tools", Map.of("listDirectory", "local_files@2", "findFiles", "local_files@2"),
                    "capabilities", List.of());
            case "describe" -> definition((String) params.get("tool"));
            case "call" -> {
                try {
                    yield Map.of("status", "ok", "content", json(call(params)));
                } catch (Failure failure) {
                    yield Map.of("status", "error",
                            "error", Map.of("kind", failure.kind, "message", failure.getMessage()));
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

    private static List<Map<String, Object>> call(Map<?, ?> params) throws Failure {
        try {
            Map<?, ?> context = (Map<?, ?>) params.get("context");
            Path workingDir = Path.of((String) context.get("working_dir"));
            String tool = (String) params.get("tool");
            Object arguments = params.get("arguments");
            List<FileSystemEntry> entries = switch (tool) {
                case "listDirectory" -> listDirectory(workingDir.resolve(argument(arguments, "path", String.class)));
                case "findFiles" -> findFiles(workingDir.resolve(argument(arguments, "path", String.class)),
                        argument(arguments, "recursive", Boolean.class), argument(arguments, "glob", String.class));
                default -> throw new Failure("UnknownTool", "there is no tool " + tool);
            };
            return entries.stream().map(FileSystemEntry::toJson).toList();
        } catch (InvalidPathException | PatternSyntaxException error) {
            throw new Failure("BadArgs", error.getMessage().lines().findFirst().orElse("invalid argument"));
        } catch (IOException error) {
            throw new Failure("ExecutionFailed", error.getClass().getSimpleName() + ": " + error.getMessage());
        }
    }

    private static <T> T argument(Object arguments, String name, Class<T> type) throws Failure {
        if (arguments instanceof Map<?, ?> map && type.isInstance(map.get(name))) {
            return type.cast(map.get(name));
        }
        throw new Failure("BadArgs", name + " is required and must be a " + type.getSimpleName());
    }

    // ---- JSON ----

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
