package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// value is a JSON value that was read. Numbers keep their spelling; texts may hold surrogates as WTF-8.
type value struct {
	kind  byte // o a s n t f z
	text  string
	keys  []string
	items []*value
}

type reader struct {
	src string
	at  int
}

var errSyntax = errors.New("JSON syntax")

func readJSON(src string) (v *value, err error) {
	r := &reader{src: src}
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("%w at %d: %v", errSyntax, r.at, problem)
		}
	}()
	v = r.value()
	r.blank()
	if r.at != len(src) {
		return nil, errSyntax
	}
	return v, nil
}

func (r *reader) blank() {
	for r.at < len(r.src) && strings.IndexByte(" \t\r\n", r.src[r.at]) >= 0 {
		r.at++
	}
}

func (r *reader) next() byte {
	r.blank()
	r.at++
	return r.src[r.at-1]
}

func (r *reader) value() *value {
	switch c := r.next(); c {
	case '{':
		v := &value{kind: 'o'}
		if r.next() == '}' {
			return v
		}
		r.at--
		for {
			if r.next() != '"' {
				panic("key")
			}
			key := r.string()
			if r.next() != ':' {
				panic("colon")
			}
			v.set(key, r.value())
			switch r.next() {
			case '}':
				return v
			case ',':
			default:
				panic("object")
			}
		}
	case '[':
		v := &value{kind: 'a'}
		if r.next() == ']' {
			return v
		}
		r.at--
		for {
			v.items = append(v.items, r.value())
			switch r.next() {
			case ']':
				return v
			case ',':
			default:
				panic("array")
			}
		}
	case '"':
		return &value{kind: 's', text: r.string()}
	default:
		r.at--
		for word, kind := range map[string]byte{"true": 't', "false": 'f', "null": 'z'} {
			if strings.HasPrefix(r.src[r.at:], word) {
				r.at += len(word)
				return &value{kind: kind, text: word}
			}
		}
		from := r.at
		for r.at < len(r.src) && strings.IndexByte("+-.0123456789eE", r.src[r.at]) >= 0 {
			r.at++
		}
		if from == r.at {
			panic("value")
		}
		return &value{kind: 'n', text: r.src[from:r.at]}
	}
}

func (r *reader) string() string {
	var out []byte
	for {
		c := r.src[r.at]
		r.at++
		switch {
		case c == '"':
			return string(out)
		case c != '\\':
			out = append(out, c)
		default:
			e := r.src[r.at]
			r.at++
			if e != 'u' {
				out = append(out, map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', '"': '"', '\\': '\\', '/': '/'}[e])
				continue
			}
			unit := r.unit()
			if utf16.IsSurrogate(unit) && strings.HasPrefix(r.src[r.at:], `\u`) {
				was := r.at
				r.at += 2
				if both := utf16.DecodeRune(unit, r.unit()); both != utf8.RuneError {
					out = utf8.AppendRune(out, both)
					continue
				}
				r.at = was
			}
			if utf16.IsSurrogate(unit) {
				out = append(out, 0xED, byte(0x80|unit>>6&0x3F), byte(0x80|unit&0x3F))
			} else {
				out = utf8.AppendRune(out, unit)
			}
		}
	}
}

func (r *reader) unit() rune {
	n, err := strconv.ParseUint(r.src[r.at:r.at+4], 16, 32)
	if err != nil {
		panic(err)
	}
	r.at += 4
	return rune(n)
}

func (v *value) get(key string) *value {
	if v == nil || v.kind != 'o' {
		return nil
	}
	for i, k := range v.keys {
		if k == key {
			return v.items[i]
		}
	}
	return nil
}

func (v *value) set(key string, item *value) {
	for i, k := range v.keys {
		if k == key {
			v.items[i] = item
			return
		}
	}
	v.keys = append(v.keys, key)
	v.items = append(v.items, item)
}

// object is a JSON object to be written, in order.
type object []member
type member struct {
	key   string
	value any
}

func writeJSON(out *strings.Builder, v any) {
	switch v := v.(type) {
	case nil:
		out.WriteString("null")
	case bool:
		out.WriteString(strconv.FormatBool(v))
	case int:
		out.WriteString(strconv.Itoa(v))
	case string:
		writeText(out, v)
	case []string:
		items := make([]any, len(v))
		for i := range v {
			items[i] = v[i]
		}
		writeJSON(out, items)
	case []any:
		out.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				out.WriteByte(',')
			}
			writeJSON(out, item)
		}
		out.WriteByte(']')
	case object:
		out.WriteByte('{')
		for i, m := range v {
			if i > 0 {
				out.WriteByte(',')
			}
			writeText(out, m.key)
			out.WriteByte(':')
			writeJSON(out, m.value)
		}
		out.WriteByte('}')
	case *value:
		switch {
		case v == nil:
			out.WriteString("null")
		case v.kind == 'o':
			all := object{}
			for i, k := range v.keys {
				all = append(all, member{k, v.items[i]})
			}
			writeJSON(out, all)
		case v.kind == 'a':
			items := make([]any, len(v.items))
			for i := range v.items {
				items[i] = v.items[i]
			}
			writeJSON(out, items)
		case v.kind == 's':
			writeText(out, v.text)
		default:
			out.WriteString(v.text)
		}
	default:
		panic(fmt.Sprintf("cannot write %T", v))
	}
}

func writeText(out *strings.Builder, s string) {
	out.WriteByte('"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			out.WriteByte('\\')
			out.WriteByte(c)
			i++
		case c < 0x20:
			fmt.Fprintf(out, `\u%04x`, c)
			i++
		case c == 0xED && i+2 < len(s) && s[i+1] >= 0xA0:
			fmt.Fprintf(out, `\u%04x`, 0xD000|int(s[i+1]&0x3F)<<6|int(s[i+2]&0x3F))
			i += 3
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			out.WriteRune(r)
			i += size
		}
	}
	out.WriteByte('"')
}

// toText shows a name of the disk: bytes that are not UTF-8 are replaced.
func toText(name string) string {
	return strings.ToValidUTF8(replaceEach(name), "\uFFFD")
}

// replaceEach replaces every wrong byte by its own replacement character.
func replaceEach(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	var out strings.Builder
	for _, r := range name {
		out.WriteRune(r)
	}
	return out.String()
}
