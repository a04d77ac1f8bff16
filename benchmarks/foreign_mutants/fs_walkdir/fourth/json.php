<?php
// A JSON reader that keeps what json_decode loses: objects and lists apart, 2.0 and 2 apart, long integers as text.

final class JsonObject
{
    /** @var list<array{0:string,1:mixed}> */
    public array $members = [];

    public function has(string $name): bool
    {
        foreach ($this->members as [$key]) {
            if ($key === $name) {
                return true;
            }
        }
        return false;
    }

    public function get(string $name, mixed $default = null): mixed
    {
        foreach (array_reverse($this->members) as [$key, $value]) {
            if ($key === $name) {
                return $value;
            }
        }
        return $default;
    }

    /** @return list<string> */
    public function names(): array
    {
        $names = [];
        foreach ($this->members as [$key]) {
            if (!in_array($key, $names, true)) {
                $names[] = $key;
            }
        }
        return $names;
    }
}

final class JsonNumber
{
    public function __construct(public string $text)
    {
    }
}

final class JsonReader
{
    private int $at = 0;

    public function __construct(private string $text)
    {
    }

    public static function read(string $text): mixed
    {
        $reader = new self($text);
        $value = $reader->value();
        $reader->space();
        if ($reader->at !== strlen($text)) {
            throw new RuntimeException('text behind the JSON value');
        }
        return $value;
    }

    private function space(): void
    {
        $this->at += strspn($this->text, " \t\r\n", $this->at);
    }

    private function value(): mixed
    {
        $this->space();
        $c = $this->text[$this->at] ?? '';
        if ($c === '{') {
            $object = new JsonObject();
            $this->at++;
            $this->space();
            if (($this->text[$this->at] ?? '') === '}') {
                $this->at++;
                return $object;
            }
            while (true) {
                $this->space();
                $key = $this->string();
                $this->space();
                $this->expect(':');
                $object->members[] = [$key, $this->value()];
                $this->space();
                if (($this->text[$this->at] ?? '') === ',') {
                    $this->at++;
                    continue;
                }
                $this->expect('}');
                return $object;
            }
        }
        if ($c === '[') {
            $list = [];
            $this->at++;
            $this->space();
            if (($this->text[$this->at] ?? '') === ']') {
                $this->at++;
                return $list;
            }
            while (true) {
                $list[] = $this->value();
                $this->space();
                if (($this->text[$this->at] ?? '') === ',') {
                    $this->at++;
                    continue;
                }
                $this->expect(']');
                return $list;
            }
        }
        if ($c === '"') {
            return $this->string();
        }
        foreach (['true' => true, 'false' => false, 'null' => null] as $word => $value) {
            if (substr_compare($this->text, $word, $this->at, strlen($word)) === 0) {
                $this->at += strlen($word);
                return $value;
            }
        }
        $length = strspn($this->text, '+-0123456789.eE', $this->at);
        if ($length === 0) {
            throw new RuntimeException('no JSON value at ' . $this->at);
        }
        $number = new JsonNumber(substr($this->text, $this->at, $length));
        $this->at += $length;
        return $number;
    }

    private function expect(string $c): void
    {
        if (($this->text[$this->at] ?? '') !== $c) {
            throw new RuntimeException("expected $c at " . $this->at);
        }
        $this->at++;
    }

    private function string(): string
    {
        $this->expect('"');
        $made = '';
        while (true) {
            $plain = strcspn($this->text, '"\\', $this->at);
            $made .= substr($this->text, $this->at, $plain);
            $this->at += $plain;
            $c = $this->text[$this->at] ?? throw new RuntimeException('a string has no end');
            $this->at++;
            if ($c === '"') {
                return $made;
            }
            $c = $this->text[$this->at++] ?? '';
            if ($c !== 'u') {
                $made .= ['n' => "\n", 't' => "\t", 'r' => "\r", 'b' => "\x08", 'f' => "\f"][$c] ?? $c;
                continue;
            }
            $code = hexdec(substr($this->text, $this->at, 4));
            $this->at += 4;
            if ($code >= 0xD800 && $code < 0xDC00 && substr($this->text, $this->at, 2) === '\\u') {
                $low = hexdec(substr($this->text, $this->at + 2, 4));
                if ($low >= 0xDC00 && $low < 0xE000) {
                    $this->at += 6;
                    $code = 0x10000 + (($code - 0xD800) << 10) + ($low - 0xDC00);
                }
            }
            $made .= self::utf8((int) $code);
        }
    }

    /** A lone surrogate becomes the three bytes that UTF-8 forbids, so it names no file by accident. */
    public static function utf8(int $code): string
    {
        if ($code < 0x80) {
            return chr($code);
        }
        if ($code < 0x800) {
            return chr(0xC0 | $code >> 6) . chr(0x80 | $code & 63);
        }
        if ($code < 0x10000) {
            return chr(0xE0 | $code >> 12) . chr(0x80 | $code >> 6 & 63) . chr(0x80 | $code & 63);
        }
        return chr(0xF0 | $code >> 18) . chr(0x80 | $code >> 12 & 63) . chr(0x80 | $code >> 6 & 63) . chr(0x80 | $code & 63);
    }
}

function to_json(mixed $value, int $more = 0): string
{
    return json_encode(
        $value,
        JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR | $more,
        100000
    );
}
