<?php
// FS.WalkDir 0.1 as a candidate of treeproof over stdin and stdout. TREEPROOF_BUG selects one bug.

ini_set('display_errors', 'stderr');
ini_set('memory_limit', '-1');
error_reporting(E_ALL);
date_default_timezone_set('UTC');
umask(022);

define('BUG', (string) getenv('TREEPROOF_BUG'));

function bug(string $switch): bool
{
    return BUG === $switch;
}

require __DIR__ . '/json.php';
require __DIR__ . '/script.php';
require __DIR__ . '/path.php';
require __DIR__ . '/entry.php';
require __DIR__ . '/walk.php';

const TOOL = 'FS.WalkDir';
const SCRIPT = 'NeuroScript';

final class Tool
{
    public array $log = [];
    private string $sandbox = '';

    private function note(WalkFailure $failure): void
    {
        $reason = $failure->reason;
        if (
            (bug('nolog_outside') && $reason === 'outside')
            || (bug('nolog_notdir') && $reason === 'notstart')
            || (bug('nolog_deep') && $failure->depth > 1)
        ) {
            return;
        }
        $message = TOOL . ': ' . $failure->getMessage() . ($failure->at === '' ? '' : ' (' . basename($failure->at) . ')');
        if (bug('log_no_details')) {
            $message = '';
        }
        if (bug('log_once')) {
            if (isset(State::$kept['logged']["$this->sandbox:$reason"])) {
                return;
            }
            State::$kept['logged']["$this->sandbox:$reason"] = true;
        }
        $this->log[] = ['level' => 'error', 'message' => $message];
    }

    /** The records of this call. */
    public function records(): array
    {
        if (bug('log_delayed')) {
            $delayed = State::$kept['log'] ?? [];
            State::$kept['log'] = $this->log;
            return $delayed;
        }
        if (bug('log_kept')) {
            return State::$kept['log'] = array_merge(State::$kept['log'] ?? [], $this->log);
        }
        return $this->log;
    }

    /** @return ?array nil or the list; $reason tells why it is nil */
    public function run(mixed $arguments, array $context, bool $script, ?string &$reason): ?array
    {
        $path = path_argument($arguments, $script);
        if (bug('sticky_error') && (State::$kept['failed'] ?? false)) {
            State::$kept['failed'] = false;
            return null;
        }
        $roots = $context['roots'];
        $this->sandbox = $roots[0];
        $key = "$roots[0]:$path";
        try {
            $value = $this->list($path, $roots, $context['working_dir'], $key);
        } catch (WalkFailure $failure) {
            $reason = $failure->reason;
            return $this->failed($failure, $path, $context, $key);
        }
        if (bug('removed_cached')) {
            State::$kept['lists'][$key] = $value;
        }
        if (bug('empty_previous')) {
            $value = $value === [] ? (State::$kept['previous'] ?? []) : $value;
            State::$kept['previous'] = $value;
        }
        return $value;
    }

    private function list(string $path, array $roots, string $workingDir, string $key): ?array
    {
        $start = secure_file_path($path, $roots, $workingDir);
        if (bug('link_parent') && $start->linkLast && $start->inRoot !== '') {
            $start->real = dirname($start->real);
        }
        $stat = lst($start->real);
        if ($stat !== false && kind_of($stat) === S_IFLNK) {
            $stat = @stat($start->real);
        }
        if ($stat === false) {
            throw new WalkFailure('missing', 'no such file or directory');
        }
        $kind = kind_of($stat);
        $none = [];
        if ($kind !== S_IFDIR) {
            $special = $kind !== S_IFREG;
            if (bug('file_itself') && !$special) {
                return [make_entry($start->real, basename($start->real), basename($start->real), $stat, 1, $start, $none)];
            }
            if ((bug('special_start_empty') && $special) || (bug('link_to_file_list') && $start->linkLast)) {
                return [];
            }
            if (bug('notdir_call_error')) {
                throw new CallError('ExecutionFailed', 'the path is not a directory');
            }
            throw new WalkFailure('notstart', 'the path is not a directory');
        }
        if (bug('link_itself') && $start->linkLast) {
            $place = rtrim($roots[0], '/') . "/$start->clean";
            return [make_entry($place, '.', $start->linkName, lst($place) ?: $stat, 1, $start, $none)];
        }
        if (bug('result_cache_mtime') && isset(State::$kept['cache'][$key]) && State::$kept['cache'][$key][0] === [$stat['mtime'], $stat['ino']]) {
            return State::$kept['cache'][$key][1];
        }
        if (bug('lockfile') && @touch("$start->real/.walkdir.lock")) {
            unlink("$start->real/.walkdir.lock");
        }
        $found = (new Walker($start, (string) realpath($roots[0])))->run();
        if (bug('result_cache_mtime')) {
            State::$kept['cache'][$key] = [[$stat['mtime'], $stat['ino']], $found];
        }
        if (bug('touch_start')) {
            @touch($start->real);
        }
        if (bug('cachefile_left') && array_filter($found, static fn ($e) => $e['isDir'])) {
            @file_put_contents("$start->real/.walkdir.cache", to_json($found));
        }
        if (
            (bug('start_on_slash') && str_ends_with($path, '/'))
            || (bug('start_dot_element') && $path === '.')
            || (bug('start_with_dotfile') && basename($start->real)[0] === '.')
            || (bug('empty_self') && $found === [])
        ) {
            array_unshift($found, make_entry($start->real, '.', basename($start->real), $stat, 1, $start, $none));
        }
        if (bug('total_limit')) {
            $found = array_slice($found, 0, 1000);
        }
        if (bug('empty_nil') && $found === []) {
            return null;
        }
        return $found;
    }

    private function failed(WalkFailure $failure, string $path, array $context, string $key): ?array
    {
        $reason = $failure->reason;
        $roots = $context['roots'];
        $root = (string) realpath($roots[0]);
        $clean = ltrim(normal("/$path"), '/');
        $place = "$root/$clean";
        $again = function (string $other) use ($context, $key): ?array {
            try {
                return $this->list($other, $context['roots'], $context['working_dir'], $key);
            } catch (WalkFailure) {
                return null;
            }
        };
        if (bug('sticky_error')) {
            State::$kept['failed'] = true;
        }
        if ($reason === 'missing') {
            if (bug('removed_cached') && isset(State::$kept['lists'][$key])) {
                return State::$kept['lists'][$key];
            }
            if (bug('missing_call_error') && !is_dir(dirname($place))) {
                throw new CallError('ExecutionFailed', 'there is no such directory');
            }
            if (bug('glob_start')) {
                $matches = glob($place) ?: [];
                return $matches === [] ? null : $again(substr($matches[0], strlen($root) + 1));
            }
            if (bug('case_fallback')) {
                foreach (children(dirname($place)) as $name) {
                    if (strcasecmp($name, basename($place)) === 0) {
                        return $again(substr(join_path(dirname($place), $name), strlen($root) + 1));
                    }
                }
            }
            if (bug('nearest_parent')) {
                return $again(str_contains($clean, '/') ? dirname($clean) : '.');
            }
            if (bug('dangling_start_list') && is_link($place)) {
                return [];
            }
            if (bug('mkdir_missing') && @mkdir($place, 0777, true)) {
                return [];
            }
            if (bug('log_missing_error') && str_contains($clean, '/')) {
                $this->note($failure);
            }
            return null;
        }
        if (
            (bug('enotdir_as_missing') && $reason === 'notdir')
            || (bug('eacces_as_missing') && $reason === 'denied' && $failure->depth === 0)
            || (bug('eloop_as_missing') && $reason === 'loop')
        ) {
            return null;
        }
        if (bug('eacces_empty') && $reason === 'denied' && $failure->depth === 0) {
            return [];
        }
        if (bug('enotdir_parent') && $reason === 'notdir') {
            while ($clean !== '' && !is_dir("$root/$clean")) {
                $clean = str_contains($clean, '/') ? dirname($clean) : '';
            }
            return $again($clean === '' ? '.' : $clean);
        }
        if (bug('eloop_empty') && $reason === 'loop') {
            return [];
        }
        if (bug('toolong_call_error') && $reason === 'toolong') {
            throw new CallError('ExecutionFailed', 'file name too long');
        }
        if (bug('unreadable_call_error') && $failure->depth > 0) {
            throw new CallError('ExecutionFailed', $failure->getMessage());
        }
        if ($reason === 'outside') {
            $dots = preg_match('#(^|/)\.\.(/|$)#', $path) === 1;
            if (bug('refused_call_error') && $dots) {
                throw new CallError('SandboxViolation', $failure->getMessage());
            }
            $this->note($failure);
            clearstatcache(true);
            $empty = (bug('dotdot_empty_list') && $dots)
                || (bug('link_out_empty') && !$dots && $path[0] !== '/' && !str_contains($path, "\0") && is_link($place) && is_dir($place))
                || (bug('absolute_empty') && $path[0] === '/' && !str_contains($path, "\0") && is_dir($path) && !is_inside(normal($path), $root));
            return $empty ? [] : null;
        }
        $this->note($failure);
        return bug('error_empty_list') && $failure->depth > 0 ? [] : null;
    }
}

function content_of(?array $value): string
{
    if ($value === null) {
        return 'null';
    }
    if (bug('single_bare_map') && count($value) === 1) {
        return to_json($value[0]);
    }
    if (bug('empty_object') && $value === []) {
        return '{}';
    }
    return to_json($value, bug('numeric_check') ? JSON_NUMERIC_CHECK : 0);
}

function call_tool(JsonObject $params): array
{
    $name = $params->get('tool');
    $arguments = $params->get('arguments');
    $given = $params->get('context');
    $context = ['roots' => $given->get('roots'), 'working_dir' => (string) $given->get('working_dir', '')];
    State::$kept['called'] = true;
    $tool = new Tool();
    if ($name === SCRIPT) {
        return run_script($tool, $arguments, $context);
    }
    if ($name !== TOOL) {
        return ['status' => 'error', 'error' => ['kind' => 'UnknownTool', 'message' => 'there is no tool ' . to_json($name)]];
    }
    try {
        $reason = null;
        $value = $tool->run($arguments, $context, false, $reason);
        return ['status' => 'ok', 'content' => content_of($value), 'log' => $tool->records()];
    } catch (CallError $error) {
        return ['status' => 'error', 'error' => ['kind' => $error->kind, 'message' => $error->getMessage()], 'log' => $tool->records()];
    }
}

function run_script(Tool $tool, mixed $arguments, array $context): array
{
    $text = $arguments instanceof JsonObject ? $arguments->get('script') : null;
    if (!is_string($text)) {
        return ['status' => 'error', 'error' => ['kind' => 'BadArgs', 'message' => 'the argument script must be a string']];
    }
    $script = new Script(function (string $name, array $given, ?string &$reason) use ($tool, $context): mixed {
        if ($name !== TOOL) {
            throw new ScriptError("there is no tool $name");
        }
        $arguments = new JsonObject();
        foreach ($given as $i => $value) {
            $plain = is_int($value) || is_float($value) ? new JsonNumber((string) $value) : $value;
            $arguments->members[] = [$i === 0 ? 'path' : "argument $i", $plain];
        }
        try {
            return $tool->run($arguments, $context, true, $reason);
        } catch (CallError $error) {
            $reason = 'arguments';
            $tool->log[] = ['level' => 'error', 'message' => TOOL . ': ' . $error->getMessage()];
            return null;
        }
    });
    try {
        $emitted = $script->run($text);
    } catch (ScriptError $error) {
        return ['status' => 'error', 'error' => ['kind' => 'ExecutionFailed', 'message' => $error->getMessage()], 'log' => $tool->records()];
    }
    return ['status' => 'ok', 'content' => to_json($emitted), 'log' => $tool->records()];
}

function describe(mixed $name): array
{
    if ($name === SCRIPT) {
        return ['name' => SCRIPT, 'aliases' => [], 'description' => 'Runs a script that can call FS.WalkDir, and returns what it emits.',
            'input_schema' => ['type' => 'object', 'properties' => ['script' => ['type' => 'string']], 'required' => ['script']],
            'is_side_effecting' => false, 'requires_approval' => false];
    }
    $shown = TOOL;
    if (bug('describe_short_name')) {
        $shown = 'WalkDir';
    }
    if (bug('describe_lower_after_call') && isset(State::$kept['called'])) {
        $shown = 'fs.walkdir';
    }
    return [
        'name' => $shown,
        'aliases' => [],
        'description' => 'Recursively walks a directory of the sandbox and returns a flat list of all files and directories below it.',
        'input_schema' => [
            'type' => 'object',
            'properties' => ['path' => ['type' => 'string', 'minLength' => 1, 'description' => 'The directory, relative to the sandbox.']],
            'required' => ['path'],
            'additionalProperties' => false,
        ],
        'is_side_effecting' => false,
        'requires_approval' => false,
    ];
}

while (($line = fgets(STDIN)) !== false) {
    if (trim($line) === '') {
        continue;
    }
    $id = null;
    try {
        $request = JsonReader::read($line);
        $number = $request->get('id');
        $id = $number instanceof JsonNumber ? (int) $number->text : $number;
        $params = $request->get('params');
        $method = $request->get('method');
        $result = match ($method) {
            'initialize' => [
                'protocol' => 1,
                'candidate' => ['name' => 'php-walkdir', 'version' => '1.0', 'language' => 'php'],
                'tools' => [TOOL => 'fs_walkdir@0.1', SCRIPT => 'fs_walkdir@0.1'],
                'capabilities' => ['log'],
                'interpretations' => new stdClass(),
            ],
            'describe' => describe($params->get('tool')),
            'call' => call_tool($params),
            'shutdown' => null,
        };
        $answer = ['jsonrpc' => '2.0', 'id' => $id, 'result' => $result];
    } catch (Throwable $error) {
        fwrite(STDERR, $error . "\n");
        $answer = ['jsonrpc' => '2.0', 'id' => $id, 'error' => ['code' => -32603, 'message' => $error->getMessage()]];
        $method = '';
    }
    fwrite(STDOUT, to_json($answer) . "\n");
    fflush(STDOUT);
    if ($method === 'shutdown') {
        break;
    }
}
exit(0);
