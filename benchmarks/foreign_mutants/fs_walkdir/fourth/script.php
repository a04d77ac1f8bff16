<?php
// A small interpreter of NeuroScript: EMIT, SET, CALL FS.WalkDir, IF … ELSE … ENDBLOCK, FOR EACH … IN … DO … ENDBLOCK.

final class ScriptError extends RuntimeException
{
}

final class ScriptAbort extends RuntimeException
{
}

final class Script
{
    private array $variables = [];
    private mixed $last = null;
    private array $emitted = [];
    private array $lines = [];
    private array $tokens = [];
    private int $t = 0;
    private array $aliases = [];

    /** @param callable(string, list<mixed>, ?string &$reason):mixed $call */
    public function __construct(private $call)
    {
    }

    /** @return list<string> */
    public function run(string $text): array
    {
        foreach (preg_split('/\r\n|\n|\r/', $text) as $line) {
            $tokens = $this->scan($line);
            if ($tokens !== []) {
                $this->lines[] = $tokens;
            }
        }
        try {
            $at = 0;
            $this->block($at, true);
            if ($at < count($this->lines)) {
                throw new ScriptError('a block ends that did not begin');
            }
        } catch (ScriptAbort) {
            // a bug only: the script ends at a failed call
        }
        return $this->emitted;
    }

    private function scan(string $line): array
    {
        $tokens = [];
        $i = 0;
        $n = strlen($line);
        while ($i < $n) {
            $c = $line[$i];
            if (ctype_space($c)) {
                $i++;
            } elseif ($c === '#' || ($c === '-' && ($line[$i + 1] ?? '') === '-')) {
                break;
            } elseif ($c === '"' || $c === "'") {
                $made = '';
                $i++;
                while (true) {
                    $d = $line[$i] ?? throw new ScriptError('a text has no end');
                    $i++;
                    if ($d === $c) {
                        break;
                    }
                    if ($d === '\\') {
                        $e = $line[$i++] ?? '';
                        if ($e === 'u' && preg_match('/\G[0-9a-fA-F]{4}/', $line, $m, 0, $i)) {
                            $made .= JsonReader::utf8((int) hexdec($m[0]));
                            $i += 4;
                        } elseif ($e === 'x' && preg_match('/\G[0-9a-fA-F]{2}/', $line, $m, 0, $i)) {
                            $made .= chr((int) hexdec($m[0]));
                            $i += 2;
                        } else {
                            $made .= ['n' => "\n", 't' => "\t", 'r' => "\r", '0' => "\0"][$e] ?? $e;
                        }
                        continue;
                    }
                    $made .= $d;
                }
                $tokens[] = ['s', $made];
            } elseif (preg_match('/\G[0-9]+(\.[0-9]+)?/', $line, $m, 0, $i)) {
                $tokens[] = ['n', str_contains($m[0], '.') ? (float) $m[0] : (int) $m[0]];
                $i += strlen($m[0]);
            } elseif (preg_match('/\G[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*/', $line, $m, 0, $i)) {
                $tokens[] = ['w', $m[0]];
                $i += strlen($m[0]);
            } elseif (preg_match('/\G(==|!=|<=|>=|&&|\|\||[-+*\/()\[\]{},:=<>!.])/', $line, $m, 0, $i)) {
                $tokens[] = ['o', $m[0]];
                $i += strlen($m[0]);
            } else {
                throw new ScriptError("unknown character $c");
            }
        }
        return $tokens;
    }

    private function word(int $line): string
    {
        $token = $this->lines[$line][0];
        return $token[0] === 'w' ? strtoupper($token[1]) : '';
    }

    /** Runs or skips the lines from $at to the end of the block; $at then is at ELSE or at the end. */
    private function block(int &$at, bool $active): void
    {
        while ($at < count($this->lines)) {
            $word = $this->word($at);
            if (in_array($word, ['ELSE', 'ENDBLOCK', 'END', 'ENDIF', 'ENDFOR'], true)) {
                return;
            }
            $this->statement($at, $active);
        }
    }

    private function statement(int &$at, bool $active): void
    {
        $this->tokens = $this->lines[$at];
        $this->t = 1;
        switch ($this->word($at)) {
            case 'EMIT':
                if ($active) {
                    $this->emitted[] = self::text($this->expression());
                    $this->finished();
                }
                $at++;
                return;
            case 'SET':
                if ($active) {
                    $name = $this->take('w');
                    $this->takeOperator('=');
                    $fromLast = count($this->tokens) === 4 && $this->tokens[3] === ['w', 'LAST'];
                    $this->variables[$name] = $this->expression();
                    $this->finished();
                    unset($this->aliases[$name]);
                    if ($fromLast && bug('last_alias')) {
                        $this->aliases[$name] = true;
                    }
                }
                $at++;
                return;
            case 'CALL':
                if ($active) {
                    $this->callStatement();
                }
                $at++;
                return;
            case 'IF':
                $chosen = false;
                if ($active) {
                    $chosen = self::truth($this->expression());
                    if ($this->peek('w') !== null && strtoupper($this->peek('w')) === 'THEN') {
                        $this->t++;
                    }
                    $this->finished();
                }
                $before = $this->last;
                $at++;
                $this->block($at, $active && $chosen);
                if ($at < count($this->lines) && $this->word($at) === 'ELSE') {
                    $at++;
                    $this->block($at, $active && !$chosen);
                }
                $this->ended($at);
                if ($active && bug('last_if_scope')) {
                    $this->last = $before;
                }
                return;
            case 'FOR':
                $items = [];
                $name = '';
                if ($active) {
                    if (strtoupper($this->take('w')) !== 'EACH') {
                        throw new ScriptError('EACH is expected');
                    }
                    $name = $this->take('w');
                    if (strtoupper($this->take('w')) !== 'IN') {
                        throw new ScriptError('IN is expected');
                    }
                    $items = $this->expression();
                    if ($this->peek('w') !== null && strtoupper($this->peek('w')) === 'DO') {
                        $this->t++;
                    }
                    $this->finished();
                    $items = is_array($items) ? (array_is_list($items) ? $items : array_keys($items)) : [];
                }
                $before = $this->last;
                $start = ++$at;
                foreach ($items as $item) {
                    $at = $start;
                    $this->variables[$name] = $item;
                    $this->block($at, true);
                }
                $at = $start;
                $this->block($at, false);
                $this->ended($at);
                if ($active && bug('last_if_scope')) {
                    $this->last = $before;
                }
                return;
        }
        if ($active) {
            throw new ScriptError('unknown statement ' . to_json($this->lines[$at][0][1]));
        }
        $at++;
    }

    private function ended(int &$at): void
    {
        if ($at >= count($this->lines) || $this->word($at) === 'ELSE') {
            throw new ScriptError('a block has no end');
        }
        $at++;
    }

    private function callStatement(): void
    {
        $name = $this->take('w');
        $arguments = [];
        $this->takeOperator('(');
        if ($this->peek('o') !== ')') {
            while (true) {
                if ($this->peek('w') !== null && ($this->tokens[$this->t + 1] ?? null) === ['o', ':']) {
                    $this->t += 2;
                }
                $arguments[] = $this->expression();
                if ($this->peek('o') !== ',') {
                    break;
                }
                $this->t++;
            }
        }
        $this->takeOperator(')');
        $this->finished();
        $reason = null;
        $value = ($this->call)($name, $arguments, $reason);
        if ($reason !== null && $reason !== 'missing' && bug('script_aborts')) {
            throw new ScriptAbort();
        }
        if ($reason === 'missing' && bug('last_keeps_on_missing')) {
            return;
        }
        if ($reason === 'outside' && bug('last_keeps_on_outside')) {
            return;
        }
        if ($reason !== null && $reason !== 'missing' && bug('last_details')) {
            $value = "FS.WalkDir failed: $reason";
        }
        if ($reason === 'arguments' && bug('last_keeps_on_badargs')) {
            return;
        }
        $this->last = $value;
    }

    private function peek(string $kind): mixed
    {
        $token = $this->tokens[$this->t] ?? null;
        return $token !== null && $token[0] === $kind ? $token[1] : null;
    }

    private function take(string $kind): mixed
    {
        $token = $this->tokens[$this->t] ?? null;
        if ($token === null || $token[0] !== $kind) {
            throw new ScriptError('the statement is not complete');
        }
        $this->t++;
        return $token[1];
    }

    private function takeOperator(string $operator): void
    {
        if ($this->take('o') !== $operator) {
            throw new ScriptError("$operator is expected");
        }
    }

    private function finished(): void
    {
        if ($this->t !== count($this->tokens)) {
            throw new ScriptError('something stands behind the statement');
        }
    }

    private function expression(): mixed
    {
        $left = $this->conjunction();
        while ($this->peek('o') === '||' || strtoupper((string) $this->peek('w')) === 'OR') {
            $this->t++;
            $right = $this->conjunction();
            $left = self::truth($left) || self::truth($right);
        }
        return $left;
    }

    private function conjunction(): mixed
    {
        $left = $this->negation();
        while ($this->peek('o') === '&&' || strtoupper((string) $this->peek('w')) === 'AND') {
            $this->t++;
            $right = $this->negation();
            $left = self::truth($left) && self::truth($right);
        }
        return $left;
    }

    private function negation(): mixed
    {
        if ($this->peek('o') === '!' || strtoupper((string) $this->peek('w')) === 'NOT') {
            $this->t++;
            return !self::truth($this->negation());
        }
        $left = $this->sum();
        $operator = $this->peek('o');
        if (in_array($operator, ['==', '!=', '<', '>', '<=', '>='], true)) {
            $this->t++;
            $right = $this->sum();
            return match ($operator) {
                '==' => self::equal($left, $right),
                '!=' => !self::equal($left, $right),
                '<' => $left < $right,
                '>' => $left > $right,
                '<=' => $left <= $right,
                '>=' => $left >= $right,
            };
        }
        return $left;
    }

    private static function equal(mixed $a, mixed $b): bool
    {
        if (bug('last_empty_is_nil') && ($a === null || $b === null)) {
            return $a == $b && !is_string($a) && !is_string($b);
        }
        if ((is_int($a) || is_float($a)) && (is_int($b) || is_float($b))) {
            return $a == $b;
        }
        return $a === $b;
    }

    private function sum(): mixed
    {
        $left = $this->postfix();
        while (in_array($this->peek('o'), ['+', '-'], true)) {
            $operator = $this->take('o');
            $right = $this->postfix();
            $numbers = (is_int($left) || is_float($left)) && (is_int($right) || is_float($right));
            if ($numbers) {
                $left = $operator === '+' ? $left + $right : $left - $right;
            } elseif ($operator === '+') {
                $left = self::text($left) . self::text($right);
            } else {
                throw new ScriptError('only numbers can be subtracted');
            }
        }
        return $left;
    }

    private function postfix(): mixed
    {
        $value = $this->primary();
        while (true) {
            if ($this->peek('o') === '[') {
                $this->t++;
                $key = $this->expression();
                $this->takeOperator(']');
                $value = is_array($value) && (is_int($key) || is_string($key)) ? ($value[$key] ?? null) : null;
            } elseif ($this->peek('o') === '.' && ($this->tokens[$this->t + 1][0] ?? '') === 'w') {
                $this->t++;
                $key = $this->take('w');
                $value = is_array($value) ? ($value[$key] ?? null) : null;
            } else {
                return $value;
            }
        }
    }

    private function primary(): mixed
    {
        $token = $this->tokens[$this->t] ?? throw new ScriptError('an expression is not complete');
        $this->t++;
        if ($token[0] === 's' || $token[0] === 'n') {
            return $token[1];
        }
        if ($token[0] === 'w') {
            $lower = strtolower($token[1]);
            if ($this->peek('o') === '(' && in_array($lower, ['len', 'count', 'length', 'size'], true)) {
                $this->t++;
                $value = $this->expression();
                $this->takeOperator(')');
                return is_array($value) ? count($value) : (is_string($value) ? strlen($value) : 0);
            }
            switch ($lower) {
                case 'last':
                    return $this->last;
                case 'nil':
                case 'null':
                    return null;
                case 'true':
                    return true;
                case 'false':
                    return false;
            }
            if (isset($this->aliases[$token[1]])) {
                return $this->last;
            }
            if (array_key_exists($token[1], $this->variables)) {
                return $this->variables[$token[1]];
            }
            $parts = explode('.', $token[1]);
            $value = $this->variables[array_shift($parts)] ?? null;
            foreach ($parts as $part) {
                $value = is_array($value) ? ($value[$part] ?? null) : null;
            }
            return $value;
        }
        if ($token[1] === '(') {
            $value = $this->expression();
            $this->takeOperator(')');
            return $value;
        }
        if ($token[1] === '-') {
            $value = $this->postfix();
            return is_int($value) || is_float($value) ? -$value : null;
        }
        if ($token[1] === '[') {
            $list = [];
            while ($this->peek('o') !== ']') {
                $list[] = $this->expression();
                if ($this->peek('o') === ',') {
                    $this->t++;
                }
            }
            $this->t++;
            return $list;
        }
        throw new ScriptError('an expression begins with ' . $token[1]);
    }

    private static function truth(mixed $value): bool
    {
        return $value !== null && $value !== false && $value !== 0 && $value !== '';
    }

    private static function text(mixed $value): string
    {
        return match (true) {
            $value === null => 'nil',
            is_bool($value) => $value ? 'true' : 'false',
            is_string($value) => $value,
            default => to_json($value),
        };
    }
}
