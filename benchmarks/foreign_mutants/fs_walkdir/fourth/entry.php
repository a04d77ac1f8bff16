<?php
// The map of one entry: name, path, isDir, size, modTime.

function children(string $directory): array
{
    $names = @scandir($directory, SCANDIR_SORT_NONE);
    return $names === false ? [] : array_values(array_diff($names, ['.', '..']));
}

function zone(): DateTimeZone
{
    $name = (string) getenv('TZ');
    try {
        if ($name !== '') {
            return new DateTimeZone(ltrim($name, ':'));
        }
    } catch (Exception) {
        if (preg_match('/^<?[A-Za-z0-9+-]*[A-Za-z>]([+-]?)(\d{1,2})(?::(\d\d))?/', $name, $m)) {
            return new DateTimeZone(sprintf('%s%02d:%02d', $m[1] === '-' ? '+' : '-', (int) $m[2], (int) ($m[3] ?? 0)));
        }
    }
    return new DateTimeZone('UTC');
}

function time_text(int $t, bool $isDir): ?string
{
    if (bug('time_zero_null') && !$t) {
        return null;
    }
    if (bug('time_clamp_epoch')) {
        $t = max(0, $t);
    }
    if (bug('time_wrap2038') && $t > 0x7fffffff) {
        $t = (($t + 0x80000000) % 0x100000000) - 0x80000000;
    }
    if (bug('time_even_seconds') && !$isDir) {
        $t -= (($t % 2) + 2) % 2;
    }
    if (bug('time_local_z')) {
        return (new DateTime("@$t"))->setTimezone(zone())->format('Y-m-d\TH:i:s\Z');
    }
    if (bug('time_dst_offset')) {
        $there = (new DateTime("@$t"))->setTimezone(zone());
        $other = (new DateTime('@' . ($t + 182 * 86400)))->setTimezone(zone());
        return $there->format('Y-m-d\TH:i:s') . $other->format('P');
    }
    if (bug('time_leap_day') && gmdate('m-d', $t) === '02-29') {
        return gmdate('Y-03-01\TH:i:s\Z', $t);
    }
    $form = match (true) {
        bug('time_12h') => 'Y-m-d\Th:i:s\Z',
        bug('time_isoyear') => 'o-m-d\TH:i:s\Z',
        bug('time_no_colon') => 'Y-m-d\TH:i:sO',
        bug('time_minute_month') => 'Y-m-d\TH:m:s\Z',
        bug('time_hour_unpadded') => 'Y-m-d\TG:i:s\Z',
        default => 'Y-m-d\TH:i:s\Z',
    };
    return gmdate($form, $t);
}

function size_of(string $place, array $stat, int $depth, array &$seen): mixed
{
    $kind = kind_of($stat);
    $size = $stat['size'];
    if ($kind === S_IFDIR) {
        if (bug('dir_size_minus') && $depth > 1) {
            return -1;
        }
        if (bug('dirsize_count')) {
            return count(children($place));
        }
        if (bug('dirsize_sum')) {
            $sum = 0;
            foreach (children($place) as $name) {
                $child = lst("$place/$name");
                $sum += $child !== false && kind_of($child) === S_IFREG ? $child['size'] : 0;
            }
            return $sum;
        }
        return 0;
    }
    if ($kind === S_IFLNK) {
        return bug('size_dangling_minus') && @stat($place) === false ? -1 : $size;
    }
    if ($kind !== S_IFREG) {
        return bug('size_special_false') ? false : $size;
    }
    if (bug('size_blocks')) {
        return $stat['blocks'] * 512;
    }
    if (bug('size_wrap32')) {
        return $size % 0x100000000;
    }
    if (bug('size_big_string') && $size >= 0x80000000) {
        return (string) $size;
    }
    if (bug('size_mb_strlen') && $size < 65536) {
        $text = @file_get_contents($place);
        return $text !== false && mb_check($text) ? preg_match_all('/./us', $text) : $size;
    }
    if (bug('size_hardlink_zero') && $stat['nlink'] > 1) {
        $key = $stat['dev'] . ':' . $stat['ino'];
        if (isset($seen[$key])) {
            return 0;
        }
        $seen[$key] = true;
    }
    if (bug('size_kib') && $size > 1048576) {
        return intdiv($size + 1023, 1024) * 1024;
    }
    if (bug('size_unreadable_zero') && !posix_access($place, POSIX_R_OK)) {
        return 0;
    }
    return $size;
}

function mb_check(string $text): bool
{
    return preg_match('//u', $text) === 1;
}

function compose(string $text): string
{
    $marks = ["\u{0300}" => 0, "\u{0301}" => 1, "\u{0308}" => 2];
    $made = ['a' => "\u{e0}\u{e1}\u{e4}", 'e' => "\u{e8}\u{e9}\u{eb}", 'o' => "\u{f2}\u{f3}\u{f6}", 'u' => "\u{f9}\u{fa}\u{fc}",
        'A' => "\u{c0}\u{c1}\u{c4}", 'E' => "\u{c8}\u{c9}\u{cb}", 'O' => "\u{d2}\u{d3}\u{d6}", 'U' => "\u{d9}\u{da}\u{dc}",
        'i' => "\u{ec}\u{ed}\u{ef}"];
    $pairs = ["n\u{0303}" => "\u{f1}", "c\u{0327}" => "\u{e7}", "a\u{030a}" => "\u{e5}"];
    foreach ($made as $letter => $list) {
        foreach ($marks as $mark => $which) {
            $pairs[$letter . $mark] = substr($list, 2 * $which, 2);
        }
    }
    return strtr($text, $pairs);
}

function entry_name(string $place, string $relative, string $name, array $stat, int $depth): string
{
    $kind = kind_of($stat);
    return match (true) {
        bug('name_link_target') && $kind === S_IFLNK => basename((string) @readlink($place)),
        bug('name_rtrim') => rtrim($name),
        bug('name_after_backslash') && str_contains($name, '\\') => substr($name, strrpos($name, '\\') + 1),
        bug('name_mojibake') => mb_check($name) ? preg_replace_callback('/[\x80-\xff]/', static fn ($m) => JsonReader::utf8(ord($m[0])), $name) : $name,
        bug('name_htmlescape') => mb_check($name) ? htmlspecialchars($name) : $name,
        bug('name_strip_control') => preg_replace('/[\x00-\x1f\x7f]/', '', $name),
        bug('name_astral_question') => preg_replace('/[\xf0-\xf4][\x80-\xbf]{3}/', '?', $name),
        bug('name_locale_c') && in_array(getenv('LC_ALL'), ['C', 'POSIX'], true) => preg_replace('/[\x80-\xff]/', '?', $name),
        bug('name_truncated') => substr($name, 0, 128),
        bug('name_nfc') => compose($name),
        bug('name_deep_relative') && $depth > 2 => basename(dirname($relative)) . "/$name",
        default => $name,
    };
}

function entry_path(string $place, string $relative, string $name, array $stat, int $depth, Start $start): string
{
    $clean = $start->clean;
    $full = $clean === '' ? $relative : "$clean/$relative";
    $isDir = kind_of($stat) === S_IFDIR;
    if (bug('path_from_sandbox')) {
        return $start->inRoot === '' ? $relative : "$start->inRoot/$relative";
    }
    if (bug('path_str_replace_all') && $clean !== '') {
        return str_replace("$clean/", '', $full);
    }
    if (bug('path_regex') && $clean !== '') {
        return @preg_replace("#^$clean/#", '', $full) ?? $full;
    }
    if (bug('path_dir_slash') && $isDir && children($place) === []) {
        return "$relative/";
    }
    if (bug('path_dot_prefix') && $clean === '' && str_ends_with($start->spelled, '/')) {
        return "./$relative";
    }
    if (bug('path_spelling_length') && $clean !== '') {
        return substr($full, strlen($start->spelled) + 1);
    }
    if (bug('path_backslash')) {
        return strtr($relative, '\\', '/');
    }
    if (bug('path_ltrim_dots')) {
        return ltrim($relative, './');
    }
    if (bug('path_rawurlencode')) {
        return implode('/', array_map('rawurlencode', explode('/', $relative)));
    }
    if (bug('path_parent_only') && $depth > 2) {
        return implode('/', array_slice(explode('/', $relative), -2));
    }
    if (bug('path_link_real') && kind_of($stat) === S_IFLNK) {
        clearstatcache(true);
        $real = @realpath($place);
        return $real !== false && str_starts_with($real, "$start->real/") ? substr($real, strlen($start->real) + 1) : $relative;
    }
    if (bug('path_through_link') && $start->linkInside) {
        return "$start->inRoot/$relative";
    }
    if (bug('link_paths_prefixed') && $start->linkLast) {
        return "$start->linkName/$relative";
    }
    if (bug('name_strip_control')) {
        return preg_replace('/[\x00-\x1f\x7f]/', '', $relative);
    }
    if (bug('name_nfc')) {
        return compose($relative);
    }
    return $relative;
}

function entry_is_dir(string $place, array $stat): bool|int
{
    $kind = kind_of($stat);
    if (bug('isdir_link') && $kind === S_IFLNK) {
        clearstatcache();
        return is_dir($place);
    }
    if (bug('isdir_empty_false') && $kind === S_IFDIR) {
        return children($place) !== [] || !posix_access($place, POSIX_R_OK);
    }
    if (bug('isdir_bitmask')) {
        return ($stat['mode'] & S_IFDIR) !== 0 && $kind !== 0060000;
    }
    if (bug('isdir_special_mode')) {
        return preg_match('/^40[0-7]{3}$/', decoct($stat['mode'])) === 1;
    }
    if (bug('isdir_link_int') && $kind === S_IFLNK) {
        return 0;
    }
    return $kind === S_IFDIR;
}

function entry_time(string $place, array $stat): int
{
    $kind = kind_of($stat);
    if (bug('time_ctime')) {
        return $stat['ctime'];
    }
    if (bug('time_link_target') && $kind === S_IFLNK) {
        clearstatcache();
        return @filemtime($place) ?: $stat['mtime'];
    }
    if (bug('time_dir_newest') && $kind === S_IFDIR) {
        $newest = $stat['mtime'];
        foreach (children($place) as $name) {
            $newest = max($newest, lst("$place/$name")['mtime'] ?? $newest);
        }
        return $newest;
    }
    return $stat['mtime'];
}

function make_entry(string $place, string $relative, string $name, array $stat, int $depth, Start $start, array &$seen): array
{
    $size = size_of($place, $stat, $depth, $seen);
    $entry = [
        'name' => entry_name($place, $relative, $name, $stat, $depth),
        'path' => entry_path($place, $relative, $name, $stat, $depth, $start),
        'isDir' => entry_is_dir($place, $stat),
        'size' => $size,
        'modTime' => time_text(entry_time($place, $stat), kind_of($stat) === S_IFDIR),
    ];
    if (bug('zero_size_key') && $size === 0 && kind_of($stat) === S_IFREG) {
        unset($entry['size']);
    }
    return $entry;
}
