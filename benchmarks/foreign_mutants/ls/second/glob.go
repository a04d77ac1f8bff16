package main

import (
	"errors"
	"strings"
)

var errBadPattern = errors.New("syntax error in pattern")

// token is one place of a pattern: a star, or a test of one character.
type token struct {
	star bool
	test func(rune) bool
}

func runesOf(s string) []rune {
	if !is("question_byte") {
		return []rune(s)
	}
	out := make([]rune, len(s))
	for i := range out {
		out[i] = rune(s[i])
	}
	return out
}

func tokens(pattern string) ([]token, error) {
	p := runesOf(pattern)
	var all []token
	anyone := func(rune) bool { return true }
	for i := 0; i < len(p); {
		switch c := p[i]; {
		case c == '*':
			if is("star_one_at_least") {
				all = append(all, token{test: anyone})
			}
			all = append(all, token{star: true})
			i++
		case c == '?':
			all = append(all, token{test: anyone})
			i++
		case c == '[':
			test, next := bracket(p, i)
			if test == nil {
				if is("bad_pattern_ends_list") {
					return nil, errBadPattern
				}
				all = append(all, token{test: func(r rune) bool { return r == '[' }})
				i++
				continue
			}
			all = append(all, token{test: test})
			i = next
		default:
			all = append(all, token{test: func(r rune) bool { return r == c }})
			i++
		}
	}
	return all, nil
}

func bracket(p []rune, at int) (func(rune) bool, int) {
	i := at + 1
	negated := i < len(p) && p[i] == '!' && !is("bracket_bang_literal")
	if negated {
		i++
	}
	end := i
	if end < len(p) && p[end] == ']' {
		end++
	}
	for end < len(p) && p[end] != ']' {
		end++
	}
	if end >= len(p) {
		return nil, 0
	}
	type span struct{ low, high rune }
	var spans []span
	for k := i; k < end; {
		if k+2 < end && p[k+1] == '-' {
			spans = append(spans, span{p[k], p[k+2]})
			k += 3
			continue
		}
		if !(p[k] == '-' && k == end-1 && is("bracket_hyphen_edge")) {
			spans = append(spans, span{p[k], p[k]})
		}
		k++
	}
	return func(r rune) bool {
		for _, s := range spans {
			if s.low <= r && r <= s.high {
				return !negated
			}
		}
		return negated
	}, end + 1
}

// fnmatch holds a pattern against a whole text. Case matters, and * stands for slashes, too.
func fnmatch(text, pattern string) (bool, error) {
	if is("pattern_lowered") {
		pattern = strings.ToLower(pattern)
	}
	if is("pattern_substring") && pattern != "" && !strings.ContainsAny(pattern, "*?[") {
		return strings.Contains(text, pattern), nil
	}
	all, err := tokens(pattern)
	if err != nil {
		return false, err
	}
	chars := runesOf(text)
	if is("star_no_backtracking") {
		return matchFirst(all, chars), nil
	}
	// reach[i]: the tokens so far match the first i characters.
	reach := make([]bool, len(chars)+1)
	reach[0] = true
	for _, t := range all {
		if t.star {
			for i := 1; i <= len(chars); i++ {
				reach[i] = reach[i] || reach[i-1]
			}
			continue
		}
		for i := len(chars); i > 0; i-- {
			reach[i] = reach[i-1] && t.test(chars[i-1])
		}
		reach[0] = false
	}
	return reach[len(chars)], nil
}

func matchFirst(all []token, chars []rune) bool {
	at := 0
	for i := 0; i < len(all); {
		floating := false
		for i < len(all) && all[i].star {
			floating = true
			i++
		}
		end := i
		for end < len(all) && !all[end].star {
			end++
		}
		if end == i {
			return true
		}
		fits := func(from int) bool {
			if from+end-i > len(chars) {
				return false
			}
			for k := i; k < end; k++ {
				if !all[k].test(chars[from+k-i]) {
					return false
				}
			}
			return true
		}
		for floating && at < len(chars) && !fits(at) {
			at++
		}
		if !fits(at) {
			return false
		}
		at += end - i
		i = end
	}
	return at == len(chars)
}
