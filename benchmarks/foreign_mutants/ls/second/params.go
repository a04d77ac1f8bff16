package main

import (
	"fmt"
	"math"
	"math/big"
	"path"
	"strconv"
	"strings"
)

// failure is an error of the envelope.
type failure struct{ code, message string }

func (f *failure) Error() string { return f.message }

func invalid() *failure { return &failure{"INVALID_PARAM", "offset/limit/ignore must be valid types."} }

type request struct {
	path       string
	pathGiven  bool
	offset     int
	limit      int
	hidden     bool
	ignore     []string
	recursive  bool
	limitGiven bool
}

func lookup(given *value, key string) *value {
	if v := given.get(key); v != nil {
		return v
	}
	if is("keys_any_case") {
		for i, k := range given.keys {
			if strings.EqualFold(k, key) {
				return given.items[i]
			}
		}
	}
	return nil
}

// integer reads a whole number; one that 64 bits do not hold becomes the nearest that they hold.
func integer(v *value) (int, bool) {
	if v.kind != 'n' || strings.ContainsAny(v.text, ".eE") {
		return 0, false
	}
	n, ok := new(big.Int).SetString(v.text, 10)
	switch {
	case !ok:
		return 0, false
	case n.IsInt64():
		return int(n.Int64()), true
	case n.Sign() < 0:
		return math.MinInt64, true
	}
	return math.MaxInt64, true
}

var hiddenBefore bool
var patternsBefore []string

func parse(given *value) (*request, *failure) {
	if is("arguments_scalar_listed") && (given.kind == 'n' || given.kind == 't' || given.kind == 'f') {
		given = &value{kind: 'o'}
	}
	if given.kind != 'o' {
		return nil, &failure{"INVALID_PARAM", "The arguments must be an object."}
	}
	r := &request{path: ".", limit: 100}
	if v := lookup(given, "path"); v != nil {
		r.pathGiven = true
		switch {
		case v.kind == 's' && !strings.Contains(v.text, "\x00"):
			r.path = v.text
		case v.kind == 's' && is("path_cut_at_nul"):
			r.path, _, _ = strings.Cut(v.text, "\x00")
		case v.kind != 's' && is("path_type_ignored"):
		default:
			return nil, &failure{"INVALID_PARAM", "path must be a valid string."}
		}
	}
	if v := lookup(given, "offset"); v != nil {
		n, ok := integer(v)
		if is("offset_empty_text") && v.kind == 's' && v.text == "" {
			n, ok = 0, true
		}
		if ok && n < 0 && is("offset_negative_wraps") {
			n = math.MaxInt64
		}
		if !ok || n < 0 {
			return nil, invalid()
		}
		r.offset = n
	}
	if v := lookup(given, "limit"); v != nil {
		r.limitGiven = true
		n, ok := integer(v)
		switch {
		case ok && n == -1 && is("limit_minus_one_all"):
			n = math.MaxInt32
		case ok && n > 200 && n <= 1000 && is("limit_to_1000"):
		case is("limit_true_is_one") && v.kind == 't':
			n = 1
		default:
			if is("limit_fraction_rounded") && v.kind == 'n' && !ok {
				if f, err := strconv.ParseFloat(v.text, 64); err == nil && math.Abs(f) < 1e6 {
					n, ok = int(math.Round(f)), true
				}
			}
			if is("limit_eight_bits") {
				n = int(uint8(n))
			}
			if !ok || n < 1 || n > 200 {
				return nil, invalid()
			}
		}
		r.limit = n
	}
	if v := lookup(given, "include_hidden"); v != nil {
		switch {
		case v.kind == 't' || v.kind == 'f':
			r.hidden = v.kind == 't'
		case v.kind == 's' && is("hidden_parse_bool"):
			b, err := strconv.ParseBool(v.text)
			if err != nil {
				return nil, invalid()
			}
			r.hidden = b
		case (v.kind == 'a' || v.kind == 'o') && is("hidden_container_false"):
		default:
			return nil, invalid()
		}
		hiddenBefore = r.hidden
	} else if is("hidden_sticky") {
		r.hidden = hiddenBefore
	}
	if v := lookup(given, "ignore"); v != nil && v.kind != 'z' {
		bad := invalid()
		if is("ignore_code_plural") {
			bad.code = "INVALID_PARAMS"
		}
		switch {
		case v.kind == 'a':
			for _, item := range v.items {
				if item.kind == 'z' && is("ignore_null_element") {
					r.ignore = append(r.ignore, "")
					continue
				}
				if item.kind != 's' {
					return nil, bad
				}
				r.ignore = append(r.ignore, item.text)
			}
		case v.kind == 'o' && len(v.keys) == 0 && is("ignore_empty_object"):
		case v.kind == 'f' && is("ignore_false"):
		default:
			return nil, bad
		}
	}
	if is("patterns_kept") {
		patternsBefore = append(patternsBefore, r.ignore...)
		r.ignore = patternsBefore
	}
	if is("ignore_first_16") && len(r.ignore) > 16 {
		r.ignore = r.ignore[:16]
	}
	if v := given.get("recursive"); v != nil && v.kind == 't' && is("argument_recursive") {
		r.recursive = true
	}
	if is("ignore_shows_hidden") && len(r.ignore) > 0 {
		r.hidden = true
	}
	return r, nil
}

var paramsBefore = &value{kind: 'o'}

// paramsShown is the member params_input; the second result is false if it is left out.
func paramsShown(given *value, t *tool, err *failure) (any, bool) {
	if given.kind != 'o' {
		return given, true
	}
	if is("params_missing_if_denied") && err != nil && err.message == outside {
		return nil, false
	}
	if is("params_kept") {
		for i, k := range given.keys {
			paramsBefore.set(k, given.items[i])
		}
		return paramsBefore, true
	}
	out := &value{kind: 'o'}
	for i, k := range given.keys {
		v := given.items[i]
		switch {
		case is("params_keys_lower"):
			k = strings.ToLower(k)
		case is("params_nested_text") && v.kind == 'o':
			v = &value{kind: 's', text: goText(v)}
		case is("params_empty_list_null") && k == "ignore" && v.kind == 'a' && len(v.items) == 0:
			v = &value{kind: 'z', text: "null"}
		case is("params_zero_omitted") && (v.kind == 'f' || v.kind == 'n' && v.text == "0" || v.kind == 's' && v.text == ""):
			continue
		case is("params_surrogates"):
			k, v = clean(k), cleaned(v)
		case is("params_absolute_hidden") && k == "path" && v.kind == 's' && strings.HasPrefix(path.Clean(v.text)+"/", t.givenRoot+"/"):
			v = &value{kind: 's', text: "." + strings.TrimPrefix(path.Clean(v.text), t.givenRoot)}
		}
		out.set(k, v)
	}
	return out, true
}

func clean(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func cleaned(v *value) *value {
	out := &value{kind: v.kind, text: clean(v.text)}
	for _, k := range v.keys {
		out.keys = append(out.keys, clean(k))
	}
	for _, item := range v.items {
		out.items = append(out.items, cleaned(item))
	}
	return out
}

func goText(v *value) string {
	switch v.kind {
	case 'o':
		parts := make([]string, len(v.keys))
		for i, k := range v.keys {
			parts[i] = fmt.Sprintf("%s:%s", k, goText(v.items[i]))
		}
		return "map[" + strings.Join(parts, " ") + "]"
	case 'a':
		parts := make([]string, len(v.items))
		for i := range v.items {
			parts[i] = goText(v.items[i])
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	return v.text
}
