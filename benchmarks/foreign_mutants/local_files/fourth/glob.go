package main

import (
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token of a segment: 'l' a literal, '?', '*' or '[' a class.
type token struct {
	kind   byte
	r      rune
	neg    bool
	ranges [][2]rune
}

type segment struct {
	dstar bool
	toks  []token
}

type pattern []segment

type globber struct {
	patterns []pattern
	source   string
	regex    *regexp.Regexp
}

var errGlob = errors.New("malformed glob")

func compile(glob string) (*globber, error) {
	if is("glob_nfc") {
		glob = compose(glob)
	}
	texts, err := braces(glob)
	if err != nil {
		return nil, err
	}
	g := &globber{source: glob}
	for _, text := range texts {
		p, err := parse(text)
		if err != nil {
			return nil, err
		}
		if is("second_dstar_star") {
			count := 0
			for i := range p {
				if p[i].dstar && i < len(p)-1 {
					if count++; count > 1 {
						p[i] = segment{toks: []token{{kind: '*'}}}
					}
				}
			}
		}
		g.patterns = append(g.patterns, p)
	}
	if is("paren_regex") || is("star_slash") || is("q_slash") {
		var parts []string
		for _, p := range g.patterns {
			parts = append(parts, p.regex())
		}
		if g.regex, err = regexp.Compile("^(?s:" + strings.Join(parts, "|") + ")$"); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// braces gives the alternatives of {a,b}.
func braces(glob string) ([]string, error) {
	rs := []rune(glob)
	for i := 0; i < len(rs); i++ {
		switch rs[i] {
		case '\\':
			i++
			if i == len(rs) {
				return nil, errGlob
			}
		case '[':
			end := classEnd(rs, i)
			if end < 0 {
				if is("glob_unclosed_literal") {
					continue
				}
				return nil, errGlob
			}
			i = end
		case '{':
			depth, start := 1, i+1
			var parts []string
			j := i + 1
			for ; j < len(rs) && depth > 0; j++ {
				switch rs[j] {
				case '\\':
					j++
				case '[':
					if end := classEnd(rs, j); end >= 0 {
						j = end
					} else {
						return nil, errGlob
					}
				case '{':
					depth++
				case ',':
					if depth == 1 {
						parts = append(parts, string(rs[start:j]))
						start = j + 1
					}
				case '}':
					if depth--; depth == 0 {
						parts = append(parts, string(rs[start:j]))
					}
				}
			}
			if depth > 0 {
				return nil, errGlob
			}
			var all []string
			for _, part := range parts {
				more, err := braces(string(rs[:i]) + part + string(rs[j:]))
				if err != nil {
					return nil, err
				}
				if all = append(all, more...); len(all) > 4096 {
					return nil, errors.New("too many alternatives in the glob")
				}
			}
			return all, nil
		}
	}
	return []string{glob}, nil
}

// classEnd gives the place of the bracket that closes the class at i, or -1.
func classEnd(rs []rune, i int) int {
	j := i + 1
	if j < len(rs) && (rs[j] == '!' || rs[j] == '^') {
		j++
	}
	if j < len(rs) && rs[j] == ']' {
		j++
	}
	for ; j < len(rs); j++ {
		switch rs[j] {
		case '\\':
			j++
		case '/':
			return -1
		case ']':
			return j
		}
	}
	return -1
}

func parse(glob string) (pattern, error) {
	var p pattern
	rs := []rune(glob)
	current := []token{}
	start := 0
	flush := func(end int) {
		p = append(p, segment{dstar: string(rs[start:end]) == "**", toks: current})
		current = []token{}
		start = end + 1
	}
	for i := 0; i < len(rs); i++ {
		switch rs[i] {
		case '/':
			flush(i)
		case '\\':
			i++
			if i == len(rs) {
				return nil, errGlob
			}
			current = append(current, token{kind: 'l', r: rs[i]})
		case '*':
			if len(current) == 0 || current[len(current)-1].kind != '*' {
				current = append(current, token{kind: '*'})
			}
		case '?':
			current = append(current, token{kind: '?'})
		case '[':
			end := classEnd(rs, i)
			if end < 0 {
				if is("glob_unclosed_literal") {
					current = append(current, token{kind: 'l', r: '['})
					continue
				}
				return nil, errGlob
			}
			t := token{kind: '['}
			j := i + 1
			if rs[j] == '!' && !is("class_neg_literal") || rs[j] == '^' {
				t.neg = true
				j++
			}
			for j < end {
				lo := rs[j]
				if lo == '\\' && j+1 < end {
					j++
					lo = rs[j]
				}
				j++
				hi := lo
				if j+1 < end && rs[j] == '-' {
					j++
					if rs[j] == '\\' && j+1 < end {
						j++
					}
					hi = rs[j]
					j++
				}
				if hi < lo {
					return nil, errGlob
				}
				t.ranges = append(t.ranges, [2]rune{lo, hi})
			}
			current = append(current, t)
			i = end
		default:
			current = append(current, token{kind: 'l', r: rs[i]})
		}
	}
	flush(len(rs))
	short := p[:1]
	for _, s := range p[1:] {
		if !s.dstar || !short[len(short)-1].dstar {
			short = append(short, s)
		}
	}
	return short, nil
}

func (g *globber) match(comps []string) bool {
	if g.regex != nil {
		return g.regex.MatchString(strings.Join(comps, "/"))
	}
	for _, p := range g.patterns {
		if is("ext_only") {
			last := g.source[strings.LastIndex(g.source, "/")+1:]
			if strings.HasPrefix(last, "*.") && strings.Count(last, "*") == 1 && !strings.ContainsAny(last, "?[{\\") {
				toks := []token{{kind: '*'}}
				for _, r := range filepath.Ext(last) {
					toks = append(toks, token{kind: 'l', r: r})
				}
				p = append(append(pattern{}, p[:len(p)-1]...), segment{toks: toks})
			}
		}
		if is("no_start_anchor") && len(p) == 1 && len(comps) == 1 && !p[0].dstar {
			for i := range comps[0] {
				if matchText(p[0].toks, comps[0][i:], true) {
					return true
				}
			}
		}
		if matchPath(p, comps, true) {
			return true
		}
	}
	return false
}

func matchPath(p []segment, comps []string, first bool) bool {
	if len(p) == 0 {
		return len(comps) == 0
	}
	if p[0].dstar {
		if len(p) == 1 {
			return len(comps) > 0
		}
		limit := len(comps)
		if is("inner_dstar_one") && !first && limit > 1 {
			limit = 1
		}
		for n := 0; n <= limit; n++ {
			rest := comps[n:]
			if is("dstar_no_backtrack") && len(p) > 2 && !p[1].dstar {
				if len(rest) > 0 && matchText(p[1].toks, rest[0], false) {
					return matchPath(p[2:], rest[1:], false)
				}
				continue
			}
			if matchPath(p[1:], rest, false) {
				return true
			}
			if is("dstar_prefix") && len(p) == 2 && len(rest) == 1 {
				for i := range rest[0] {
					if matchText(p[1].toks, rest[0][i:], true) {
						return true
					}
				}
			}
			if is("star_no_newline") && n < len(comps) && strings.Contains(comps[n], "\n") {
				return false
			}
		}
		return false
	}
	return len(comps) > 0 && matchText(p[0].toks, comps[0], len(p) == 1) && matchPath(p[1:], comps[1:], false)
}

func matchText(toks []token, s string, last bool) bool {
	return matchMemo(toks, s, last, map[[2]int]bool{})
}

// matchMemo remembers which asterisks failed at which places, so that many of them do not take for ever.
func matchMemo(toks []token, s string, last bool, failed map[[2]int]bool) (matches bool) {
	if len(toks) == 0 {
		return s == "" || last && (is("no_end_anchor") || is("dollar_newline") && s == "\n")
	}
	t := toks[0]
	if t.kind == '*' {
		key := [2]int{len(toks), len(s)}
		if failed[key] {
			return false
		}
		defer func() { failed[key] = !matches }()
		if is("star_one_min") {
			if s == "" {
				return false
			}
			_, w := utf8.DecodeRuneInString(s)
			s = s[w:]
		}
		for {
			if is("star_no_backtrack") && len(toks) > 1 {
				// commits to the first place where the next tokens up to the next asterisk's first one fit
				if matchOne(toks[1], s) {
					_, w := utf8.DecodeRuneInString(s)
					return matchMemo(toks[2:], s[w:], last, failed)
				}
			} else if matchMemo(toks[1:], s, last, failed) {
				return true
			}
			if s == "" || is("star_no_newline") && s[0] == '\n' {
				return false
			}
			_, w := utf8.DecodeRuneInString(s)
			s = s[w:]
		}
	}
	if t.kind == '?' && is("q_zero") && matchMemo(toks[1:], s, last, failed) {
		return true
	}
	if s == "" || !matchOne(t, s) {
		return false
	}
	_, w := utf8.DecodeRuneInString(s)
	if t.kind == '?' && is("q_byte") || t.kind == '[' && is("class_bytes") {
		w = 1
	}
	return matchMemo(toks[1:], s[w:], last, failed)
}

func matchOne(t token, s string) bool {
	if s == "" {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s)
	switch t.kind {
	case 'l':
		return r == t.r || is("dot_any") && t.r == '.' || is("icase") && unicode.ToLower(r) == unicode.ToLower(t.r)
	case '?':
		return true
	case '[':
		if is("class_bytes") {
			r = rune(s[0])
		}
		in, seen := false, false
		for _, x := range t.ranges {
			if x[0] < x[1] {
				if is("class_second_range") && seen {
					continue
				}
				seen = true
			}
			hi := x[1]
			if is("class_end_exclusive") && x[0] < x[1] {
				hi--
			}
			if r >= x[0] && r <= hi {
				in = true
			}
			if is("class_icase") || is("icase") {
				l, u := unicode.ToLower(r), unicode.ToUpper(r)
				if l >= x[0] && l <= hi || u >= x[0] && u <= hi {
					in = true
				}
			}
		}
		return in != t.neg
	}
	return false
}

// regex is the pattern as a regular expression, for the switches that need one.
func (p pattern) regex() string {
	var b strings.Builder
	for i, s := range p {
		if s.dstar && i < len(p)-1 {
			b.WriteString("(?:.*/)?")
			continue
		}
		if s.dstar {
			b.WriteString(".+")
			continue
		}
		for _, t := range s.toks {
			switch t.kind {
			case 'l':
				if is("paren_regex") && strings.ContainsRune("()+$|", t.r) {
					b.WriteRune(t.r)
				} else {
					b.WriteString(regexp.QuoteMeta(string(t.r)))
				}
			case '*':
				if is("star_slash") {
					b.WriteString(".*")
				} else {
					b.WriteString("[^/]*")
				}
			case '?':
				if is("q_slash") {
					b.WriteString(".")
				} else {
					b.WriteString("[^/]")
				}
			case '[':
				b.WriteString("[")
				if t.neg {
					b.WriteString("^/")
				}
				for _, x := range t.ranges {
					b.WriteString(regexp.QuoteMeta(string(x[0])) + "-" + regexp.QuoteMeta(string(x[1])))
				}
				b.WriteString("]")
			}
		}
		if i < len(p)-1 {
			b.WriteString("/")
		}
	}
	return b.String()
}
