package main

import (
	"net/url"
	"strconv"
	"strings"
)

const (
	defaultLimit = 20
	maxLimit     = 1000
	maxIDLength  = 128
)

// query is a request for a page. An empty text isn't given.
type query struct {
	limit     int
	cursor    string
	before    bool // the page before the cursor instead of after it
	status    int  // as it is stored; -1: any
	workspace string
	creator   string
}

var storedStatus = map[string]int{"active": 0, "inactive": 1, "archived": 2}

// parseQuery parses a query string, and tells of every parameter that breaks a rule.
func parseQuery(text string) (query, error) {
	q := query{limit: defaultLimit, status: -1}
	if text == "" {
		return q, nil
	}
	values, err := url.ParseQuery(text)
	if err != nil {
		return q, badRequest("a parameter: malformed percent-encoding")
	}
	var problems []string
	for name, given := range values {
		if rule := q.set(name, given); rule != "" {
			problems = append(problems, name+": "+rule)
		}
	}
	if values.Has("after_id") && values.Has("before_id") {
		problems = append(problems, "after_id, before_id: give one of them, not both")
	}
	if len(problems) > 0 {
		return q, badRequest(strings.Join(problems, "; "))
	}
	return q, nil
}

// set takes a parameter, and returns the rule that it breaks, if any.
func (q *query) set(name string, given []string) string {
	if name == "beta" { // generated SDKs append it
		return ""
	}
	setter, known := setters[name]
	switch {
	case !known:
		return "unknown parameter"
	case len(given) > 1:
		return "given more than once"
	case given[0] == "":
		return "must not be empty"
	}
	return setter(q, given[0])
}

var setters = map[string]func(*query, string) string{
	"limit":              (*query).setLimit,
	"status":             (*query).setStatus,
	"after_id":           func(q *query, text string) string { return setID(&q.cursor, text) },
	"before_id":          func(q *query, text string) string { q.before = true; return setID(&q.cursor, text) },
	"workspace_id":       func(q *query, text string) string { return setID(&q.workspace, text) },
	"created_by_user_id": func(q *query, text string) string { return setID(&q.creator, text) },
}

func (q *query) setLimit(text string) string {
	limit, err := strconv.Atoi(text)
	// Atoi also takes a sign and leading zeros.
	if err != nil || text[0] < '1' || text[0] > '9' || limit > maxLimit {
		return "must be a whole number from 1 to 1000"
	}
	q.limit = limit
	return ""
}

func (q *query) setStatus(text string) string {
	status, known := storedStatus[text]
	if !known {
		return "must be one of active, inactive, archived"
	}
	q.status = status
	return ""
}

func setID(id *string, text string) string {
	if len(text) > maxIDLength || strings.IndexFunc(text, isNotOfID) >= 0 {
		return "must be 1 to 128 of A-Z a-z 0-9 _ -"
	}
	*id = text
	return ""
}

func isNotOfID(c rune) bool {
	return !('A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '-')
}
