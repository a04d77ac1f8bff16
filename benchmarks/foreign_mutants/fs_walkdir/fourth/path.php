<?php
// The argument, and the way from it to a directory of the sandbox (SecureFilePath).

/** The call itself fails. */
final class CallError extends RuntimeException
{
    public function __construct(public string $kind, string $message)
    {
        parent::__construct($message);
    }
}

/** The tool gives nil. $reason is missing, outside, notdir, denied, loop, toolong or vanished. */
final class WalkFailure extends RuntimeException
{
    public int $depth = 0;
    public array $rest = [];

    public function __construct(public string $reason, string $message, public string $at = '')
    {
        parent::__construct($message);
    }
}

/** What a start path leads to. */
final class Start
{
    public string $real = '';       // without links
    public string $inRoot = '';     // $real from the sandbox
    public string $clean = '';      // the path as given, without `.`, `..` and double slashes
    public string $spelled = '';    // the path as given
    public bool $linkLast = false;  // its last component is a link
    public bool $linkInside = false; // a component in front of the last one is a link
    public string $linkName = '';
}

final class State
{
    /** What bugs keep between calls. The right tool keeps nothing. */
    public static array $kept = [];
}

const S_IFMT = 0170000;
const S_IFDIR = 0040000;
const S_IFLNK = 0120000;
const S_IFREG = 0100000;
const S_IFSOCK = 0140000;

function lst(string $place): array|false
{
    clearstatcache();
    return @lstat($place);
}

function kind_of(array $stat): int
{
    return $stat['mode'] & S_IFMT;
}

function join_path(string $directory, string $name): string
{
    return $directory === '/' ? "/$name" : "$directory/$name";
}

/** Without `.`, `..` and double slashes, by its text. */
function normal(string $absolute): string
{
    $kept = [];
    foreach (explode('/', $absolute) as $component) {
        if ($component === '..') {
            array_pop($kept);
        } elseif ($component !== '' && $component !== '.') {
            $kept[] = $component;
        }
    }
    return '/' . implode('/', $kept);
}

function is_inside(string $place, string $root): bool
{
    if (bug('prefix_neighbour')) {
        return strpos($place, $root) === 0;
    }
    if (bug('case_neighbour')) {
        return stripos("$place/", rtrim($root, '/') . '/') === 0;
    }
    return $place === $root || str_starts_with($place, rtrim($root, '/') . '/');
}

/** @return array{0:string,1:list<array{0:string,1:string}>} the real path, and the links on the way with their texts */
function resolve(string $absolute): array
{
    $queue = explode('/', $absolute);
    $here = '/';
    $links = [];
    while ($queue !== []) {
        $component = array_shift($queue);
        if ($component === '' || $component === '.') {
            continue;
        }
        if ($component === '..') {
            $here = dirname($here);
            continue;
        }
        $next = join_path($here, $component);
        $failure = null;
        if (strlen($component) > 255 || (strlen($component) === 255 && bug('component255')) || strlen($next) > 4095) {
            $failure = new WalkFailure('toolong', 'file name too long', $next);
        } else {
            $stat = lst($next);
            if ($stat === false) {
                if (!is_dir($here)) {
                    $failure = new WalkFailure('notdir', 'not a directory', $here);
                } elseif (!posix_access($here, POSIX_X_OK)) {
                    $failure = new WalkFailure('denied', 'permission denied', $here);
                } else {
                    $failure = new WalkFailure('missing', 'no such file or directory', $next);
                }
            }
        }
        if ($failure === null && kind_of($stat) === S_IFLNK) {
            $text = @readlink($next);
            if ($text === false) {
                $failure = new WalkFailure('vanished', 'the link cannot be read', $next);
            } elseif (count($links) >= 40) {
                $failure = new WalkFailure('loop', 'too many levels of symbolic links', $next);
            } else {
                $links[] = [$next, $text];
                if ($text[0] === '/') {
                    $here = '/';
                }
                array_unshift($queue, ...explode('/', $text));
                continue;
            }
        }
        if ($failure !== null) {
            $failure->rest = $links;
            throw $failure;
        }
        $here = $next;
    }
    return [$here, $links];
}

function path_argument(mixed $arguments, bool $script): string
{
    $bad = static fn (string $message) => new CallError('BadArgs', $message);
    if (!$arguments instanceof JsonObject) {
        if (bug('positional_first') && is_array($arguments) && count($arguments) > 1 && is_string($arguments[0])) {
            return $arguments[0];
        }
        if (bug('nonobject_root') && ($arguments === null || $arguments === [] || $arguments instanceof JsonNumber)) {
            return '.';
        }
        throw $bad('expected one argument, path');
    }
    $names = $arguments->names();
    if (bug('extra_null')) {
        $names = array_values(array_filter($names, static fn ($n) => $n === 'path' || $arguments->get($n) !== null));
    }
    if (bug('extra_option_flags')) {
        $names = array_values(array_diff($names, ['recursive', 'max_depth', 'maxDepth', 'depth', 'follow']));
    }
    if (bug('key_case_fold')) {
        $names = array_values(array_unique(array_map('strtolower', $names)));
    }
    if ($names === [] && bug('missing_root')) {
        return '.';
    }
    if (!in_array('path', $names, true) && bug('missing_previous') && isset(State::$kept['path'])) {
        return State::$kept['path'];
    }
    if ($names !== ['path']) {
        throw $bad('expected exactly one argument, path');
    }
    $path = $arguments->get('path');
    if ($path instanceof JsonNumber) {
        if (bug('int_coerced') && preg_match('/^-?[0-9]{1,18}$/', $path->text)) {
            $path = $path->text;
        } elseif (bug('float_coerced') && preg_match('/[.eE]/', $path->text)) {
            $path = (string) (float) $path->text;
        }
    } elseif ($path === true && bug('true_coerced')) {
        $path = '1';
    } elseif (is_array($path) && count($path) === 1 && bug('list_unwrapped')) {
        $path = $path[0];
    } elseif ($path instanceof JsonObject && bug('object_unwrapped')) {
        $path = $path->get('path');
    } elseif ($path === null && bug('null_root')) {
        $path = '.';
    }
    if (!is_string($path)) {
        throw $bad('the argument path must be a string');
    }
    if (bug('zero_is_empty') && empty($path)) {
        throw $bad('the argument path must not be empty');
    }
    if ($path === '') {
        if (bug('empty_root') || ($script && bug('script_empty_root'))) {
            return '.';
        }
        throw $bad('the argument path must not be empty');
    }
    if (bug('missing_previous')) {
        State::$kept['path'] = $path;
    }
    return $path;
}

function secure_file_path(string $path, array $roots, string $workingDir): Start
{
    $outside = static fn () => new WalkFailure('outside', 'the path leads out of the sandbox');
    clearstatcache(true);
    $given = $roots[0];
    $root = @realpath($given);
    if ($root === false) {
        throw new WalkFailure('denied', 'the sandbox directory cannot be found');
    }
    if (bug('root_memo')) {
        $root = State::$kept['root'] ??= $root;
    }
    $start = new Start();
    $start->spelled = $path;
    if (str_contains($path, "\0")) {
        if (bug('nul_call_error')) {
            throw new CallError('ExecutionFailed', 'lstat(): Argument #1 ($filename) must not contain any null bytes');
        }
        if (!bug('nul_truncated') || $path[0] === "\0") {
            throw new WalkFailure('outside', 'the path contains a NUL character');
        }
        $path = strtok($path, "\0");
    }
    if (bug('trim_path')) {
        $path = trim($path) === '' ? $path : trim($path);
    }
    if (bug('urldecode_path')) {
        $path = urldecode($path);
    }
    if (bug('url_parse')) {
        $cut = strcspn($path, '?#');
        $path = $cut === 0 ? $path : substr($path, 0, $cut);
    }
    if (bug('backslash_start') && strpbrk($path, '\\') !== false) {
        $path = strtr($path, '\\', '/');
    }
    if (bug('ltrim_dots') && !str_contains($path, '..') && ltrim($path, './') !== '') {
        $path = ltrim($path, './');
    }
    if (
        (bug('dotdot_substring') && str_contains($path, '..'))
        || (bug('trailing_slash_nil') && str_ends_with($path, '/'))
        || (bug('double_slash_nil') && preg_match('#[^/]//+[^/]#', $path))
        || (bug('ascii_only') && preg_match('/[\x80-\xff]/', $path))
        || (bug('path255') && strlen($path) > 255)
        || (bug('dot_middle_nil') && preg_match('#[^/]/\.(/|$)#', $path))
        || (bug('tilde_home') && $path[0] === '~')
        || (bug('root_link_refused') && $root !== $given && $path !== '.')
        || (bug('dot_nil') && $path === '.')
    ) {
        throw $outside();
    }
    if (bug('replace_sanitiser') && str_contains($path, '../')) {
        $path = str_replace('../', '', $path);
        $real = @realpath("$root/$path");
        if ($real !== false) {
            return started($start, $real, $root, $path);
        }
    }
    if ($path === '' || $path[0] === '/') {
        if (bug('absolute_outside') && $path !== '' && ($real = @realpath($path)) !== false) {
            return started($start, $real, $root, '');
        }
        throw $outside();
    }
    foreach (['backslash_after_check' => strtr($path, '\\', '/'), 'decode_after_check' => rawurldecode($path)] as $switch => $later) {
        if (bug($switch) && $later !== $path && ($real = @realpath("$root/$later")) !== false) {
            return started($start, $real, $root, $later);
        }
    }
    if (bug('only_leading_dotdot') && !str_starts_with($path, '..') && str_contains($path, '/..')) {
        $real = @realpath("$root/$path");
        if ($real !== false) {
            return started($start, $real, $root, $path);
        }
    }
    if (bug('realpath_cache') && isset(State::$kept['real']["$root:$path"])) {
        $real = State::$kept['real']["$root:$path"];
        if (is_dir($real)) {
            return started($start, $real, $root, $path);
        }
    }
    if (bug('cwd_preferred') && $path !== '.' && !str_contains($path, '..') && is_dir($path)) {
        return started($start, (string) realpath($path), $root, $path);
    }
    $base = $root;
    if ((bug('working_dir_base') || (bug('dot_working_dir') && $path === '.')) && $workingDir !== '') {
        $base = @realpath($workingDir) ?: $root;
    }
    $absolute = normal("$base/$path");
    if (!is_inside($absolute, $root) || substr_count("/$path/", '/../') > 0 && climbs_out($path, substr_count(rtrim($base, '/'), '/') - substr_count(rtrim($root, '/'), '/'))) {
        if (bug('dotdot_clamped')) {
            $absolute = clamp($root, $path);
        } elseif (bug('dotdot_one_level') && is_inside($absolute, dirname($root)) && ($real = @realpath($absolute)) !== false) {
            return started($start, $real, $root, $path);
        } elseif (!(bug('prefix_neighbour') || bug('case_neighbour')) || !is_inside($absolute, $root)) {
            throw $outside();
        }
    }
    try {
        [$real, $links] = resolve($absolute);
    } catch (WalkFailure $failure) {
        $place = $failure->at;
        if (!is_inside($place, $root)) {
            throw $outside();
        }
        throw $failure;
    }
    $last = lst($absolute);
    $start->linkLast = $last !== false && kind_of($last) === S_IFLNK;
    $start->linkName = basename($absolute);
    foreach ($links as [$place]) {
        if (str_starts_with($absolute, "$place/")) {
            $start->linkInside = true;
        }
    }
    if (!is_inside($real, $root)) {
        $first = $links[0] ?? ['', ''];
        $hop = $first[1] === '' ? '' : normal($first[1][0] === '/' ? $first[1] : dirname($first[0]) . '/' . $first[1]);
        $trusted = (bug('lexical_mid') && !$start->linkLast)
            || (bug('final_link_out') && $start->linkLast && !$start->linkInside)
            || (bug('two_hop') && $hop !== '' && is_inside($hop, $root))
            || (bug('relative_link_trusted') && $first[1] !== '' && $first[1][0] !== '/')
            || (bug('slash_link_out') && $start->linkLast && preg_match('#/\.?$#', $path));
        if (!$trusted) {
            throw $outside();
        }
    } elseif (bug('inner_link_absolute_refused')) {
        foreach ($links as [$place, $text]) {
            if ($text[0] === '/') {
                throw $outside();
            }
        }
    }
    if (bug('realpath_cache')) {
        State::$kept['real']["$root:$path"] = $real;
    }
    return started($start, $real, $root, $path);
}

/** Whether `..` climbs above the sandbox, be it that the path comes back into it by name. */
function climbs_out(string $path, int $level): bool
{
    foreach (explode('/', $path) as $component) {
        if ($component === '..') {
            $level--;
        } elseif ($component !== '' && $component !== '.') {
            $level++;
        }
        if ($level < 0) {
            return true;
        }
    }
    return false;
}

function clamp(string $root, string $path): string
{
    return rtrim($root, '/') . normal("/$path");
}

function started(Start $start, string $real, string $root, string $path): Start
{
    $start->real = $real;
    $start->inRoot = $real === $root ? '' : (string) substr($real, strlen(rtrim($root, '/')) + 1);
    $start->clean = ltrim(normal("/$path"), '/');
    return $start;
}
