<?php
// The walk below the start.

final class Walker
{
    public array $out = [];
    private array $sizes = [];
    private array $inodes = [];
    private array $basenames = [];
    private array $followed = [];

    public function __construct(private Start $start, private string $root)
    {
        if (bug('leak_after_failure')) {
            $this->out = State::$kept['leak'] ?? [];
            State::$kept['leak'] = [];
        }
        $this->followed[$start->real] = true;
    }

    /** @return list<array> */
    public function run(): array
    {
        try {
            $this->walk($this->start->real, '', 1);
        } catch (WalkFailure $failure) {
            if (bug('partial_until')) {
                return $this->out;
            }
            if (bug('leak_after_failure')) {
                State::$kept['leak'] = $this->out;
            }
            throw $failure;
        }
        return $this->out;
    }

    /** @return list<string> */
    private function names(string $directory, int $depth): array
    {
        $names = @scandir($directory, SCANDIR_SORT_NONE);
        if ($names === false && bug('chmod_unreadable') && @chmod($directory, 0700)) {
            $names = @scandir($directory, SCANDIR_SORT_NONE);
        }
        if ($names === false) {
            $failure = new WalkFailure('denied', 'the directory cannot be read', $directory);
            $failure->depth = $depth;
            throw $failure;
        }
        $names = array_values(array_filter($names, static fn ($name) => $name !== '.' && $name !== '..'));
        sort($names, SORT_STRING);
        if (bug('perdir_limit')) {
            $names = array_slice($names, 0, 256);
        }
        if (bug('stop_at_zero')) {
            $kept = [];
            while (($name = array_shift($names))) {
                $kept[] = $name;
            }
            $names = $kept;
        }
        if (bug('loose_dedupe')) {
            $kept = [];
            foreach ($names as $name) {
                if (!in_array($name, $kept)) {
                    $kept[] = $name;
                }
            }
            $names = $kept;
        }
        if (bug('case_dedupe')) {
            $kept = [];
            foreach ($names as $name) {
                $kept[strtolower($name)] ??= $name;
            }
            $names = array_values($kept);
        }
        if (bug('newline_split')) {
            $split = explode("\n", implode("\n", $names));
            $names = array_values(array_filter($split, static fn ($n) => $n !== '' && lst("$directory/$n") !== false));
        }
        if (bug('gitignore') && in_array('.gitignore', $names, true)) {
            $lines = array_map('trim', @file("$directory/.gitignore") ?: []);
            $names = array_values(array_filter($names, static fn ($n) => !in_array($n, $lines, true) && !in_array("$n/", $lines, true)));
        }
        return $names;
    }

    private function left_out(string $place, string $relative, string $name, array $stat): bool
    {
        $kind = kind_of($stat);
        if (bug('hardlink_dedupe') && $kind === S_IFREG && $stat['nlink'] > 1) {
            $key = $stat['dev'] . ':' . $stat['ino'];
            if (isset($this->inodes[$key])) {
                return true;
            }
            $this->inodes[$key] = true;
        }
        if ($kind === S_IFLNK && bug('dedupe_link_target')) {
            clearstatcache(true);
            $real = @realpath($place);
            return $real !== false && is_file($real) && str_starts_with($real, $this->start->real . '/');
        }
        return (bug('empty_dir_omitted') && $kind === S_IFDIR && children($place) === [] && posix_access($place, POSIX_R_OK))
            || (bug('maxpath_260') && strlen($relative) > 260)
            || (bug('skip_start_name') && $name === basename($this->start->real))
            || (bug('dotdot_prefix_skip') && strpos($name, '..') === 0)
            || (bug('backup_skip') && preg_match('/(~|\.swp|\.bak)$/D', $name))
            || (bug('socket_omitted') && $kind === S_IFSOCK)
            || (bug('dangling_omitted') && !file_exists($place))
            || (bug('zero_size_omitted') && $kind === S_IFREG && !$stat['size'])
            || (bug('dash_omitted') && $name[0] === '-')
            || (bug('blank_name_omitted') && trim($name) === '')
            || (bug('nonutf8_skip') && !mb_check($name))
            || (bug('device_name_skip') && preg_match('/^(con|nul|aux|prn)(\.|$)/iD', $name));
    }

    private function closed(string $place, string $relative, string $name, array $stat, int $depth): bool
    {
        if (bug('same_name_visited')) {
            if (isset($this->basenames[$name])) {
                return true;
            }
            $this->basenames[$name] = true;
        }
        if (bug('visited_between_calls')) {
            $key = $stat['dev'] . ':' . $stat['ino'] . ':' . $place;
            if (isset(State::$kept['visited'][$key])) {
                return true;
            }
            State::$kept['visited'][$key] = true;
        }
        return (bug('depth_limit') && $depth >= 32)
            || (bug('dot_flat') && $this->start->spelled === '.')
            || (bug('link_first_level') && $this->start->linkLast)
            || (bug('hidden_dirs_closed') && $name[0] === '.')
            || (bug('vendor_closed') && in_array($name, ['vendor', 'node_modules'], true))
            || (bug('nonutf8_dir_closed') && !mb_check($name))
            || (bug('glob_chars_closed') && strpbrk($name, '[]*?') !== false)
            || (bug('isdir_special_mode') && entry_is_dir($place, $stat) === false);
    }

    private function follows(string $place): ?string
    {
        if (!bug('follow_guarded') && !bug('follow_inside') && !bug('follow_link_chain')) {
            return null;
        }
        clearstatcache(true);
        $real = @realpath($place);
        if ($real === false || !is_dir($real) || str_starts_with("$place/", "$real/")) {
            return null;
        }
        $inside = is_inside($real, $this->root);
        $text = (string) @readlink($place);
        $hop = $text !== '' && $text[0] === '/' ? $text : dirname($place) . "/$text";
        if (
            (bug('follow_guarded') && !is_inside($real, $this->start->real) && !isset($this->followed[$real]))
            || (bug('follow_inside') && $inside)
            || (bug('follow_link_chain') && is_link($hop))
        ) {
            $this->followed[$real] = true;
            return $real;
        }
        return null;
    }

    private function walk(string $directory, string $above, int $depth): void
    {
        $before = lst($directory);
        $names = $this->names($directory, $depth);
        $after = lst($directory);
        if ($before === false || $after === false || $before['ino'] !== $after['ino'] || $before['dev'] !== $after['dev']) {
            throw new WalkFailure('vanished', 'the directory was replaced while it was read', $directory);
        }
        $subdirectories = 0;
        $pending = 0;
        if (bug('last_subdir_unpopped')) {
            foreach ($names as $name) {
                $stat = lst("$directory/$name");
                $pending += (int) ($stat !== false && kind_of($stat) === S_IFDIR);
            }
        }
        foreach ($names as $name) {
            $place = join_path($directory, $name);
            $relative = $above === '' ? $name : "$above/$name";
            $stat = bug('size_cached') ? (State::$kept['stat'][$place] ??= lst($place)) : lst($place);
            if ($stat === false && bug('fabricated_metadata')) {
                $stat = ['mode' => S_IFREG | 0644, 'size' => 0, 'mtime' => 0, 'ctime' => 0, 'nlink' => 1, 'ino' => 0, 'dev' => 0, 'blocks' => 0];
            }
            if ($stat === false) {
                $failure = new WalkFailure('denied', 'the entry cannot be looked at', $place);
                $failure->depth = $depth;
                throw $failure;
            }
            $kind = kind_of($stat);
            if ($kind === S_IFLNK && bug('dangling_rest_lost') && @stat($place) === false) {
                return;
            }
            if ($kind === S_IFLNK && bug('loop_nil') && @stat($place) === false) {
                try {
                    resolve($place);
                } catch (WalkFailure $failure) {
                    if ($failure->reason === 'loop') {
                        throw $failure;
                    }
                }
            }
            if ($kind === S_IFREG && bug('open_files')) {
                $opened = @fopen($place, 'rb');
                if ($opened === false) {
                    $failure = new WalkFailure('denied', 'the file cannot be opened', $place);
                    $failure->depth = $depth;
                    throw $failure;
                }
                fread($opened, 16);
                fclose($opened);
            }
            if ($this->left_out($place, $relative, $name, $stat)) {
                continue;
            }
            $entry = make_entry($place, $relative, $name, $stat, $depth, $this->start, $this->sizes);
            $this->out[] = $entry;
            if ($kind === S_IFLNK) {
                $target = $this->follows($place);
                if ($target !== null && $depth < 40) {
                    $this->walk($target, $relative, $depth + 1);
                }
                continue;
            }
            if ($kind !== S_IFDIR) {
                continue;
            }
            $subdirectories++;
            if ($pending > 8 && $subdirectories === $pending) {
                continue;
            }
            if ($this->closed($place, $relative, $name, $stat, $depth)) {
                continue;
            }
            $standing = bug('union_plus') ? $this->out : [];
            if (bug('union_plus')) {
                $this->out = [];
            }
            $count = count($this->out);
            try {
                $this->walk($place, $relative, $depth + 1);
            } catch (WalkFailure $failure) {
                if (bug('siblings_lost')) {
                    return;
                }
                throw $failure;
            }
            if (bug('union_plus')) {
                $this->out = $standing + $this->out;
            }
            if (bug('empty_dir_return') && count($this->out) === $count && children($place) === []) {
                return;
            }
            if (bug('twice_with_subdirs')) {
                foreach (children($place) as $child) {
                    $below = lst("$place/$child");
                    if ($below !== false && kind_of($below) === S_IFDIR) {
                        $this->out[] = $entry;
                        break;
                    }
                }
            }
        }
    }
}
