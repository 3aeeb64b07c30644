package main

import (
	"fmt"
	"strings"
)

// pageShape is what makes a statement that reads pages differ from others.
type pageShape struct {
	cursor, before             bool
	status, workspace, creator bool
}

func (q *query) shape() pageShape {
	return pageShape{q.cursor != "", q.before && q.cursor != "", q.status >= 0, q.workspace != "", q.creator != ""}
}

func pageShapes() []pageShape {
	var shapes []pageShape
	for filters := 0; filters < 8; filters++ {
		for _, cursor := range []pageShape{{}, {cursor: true}, {cursor: true, before: true}} {
			cursor.status, cursor.workspace, cursor.creator = filters&1 != 0, filters&2 != 0, filters&4 != 0
			shapes = append(shapes, cursor)
		}
	}
	return shapes
}

// A "+" before a parameter keeps SQLite from preparing the statement again for each value, as it might change the plan.

// sql is Keyroster's own: ranges of one index, one for each status where that isn't given, which SQLite merges in order. The
// parameters are those of arguments, in that order.
func (p pageShape) sql() string {
	conditions, index, last := "organization = +?1", "", 2
	parameter := func() string { last++; return fmt.Sprintf("?%d", last) }
	order := "created_at DESC, id DESC"
	if p.cursor {
		comparison := "<"
		if p.before {
			comparison, order = ">", "created_at, id"
		}
		conditions += fmt.Sprintf(" AND (created_at, id) %s (%s, %s)", comparison, parameter(), parameter())
	}
	if p.workspace {
		index += "_workspace"
		conditions += fmt.Sprintf(" AND workspace = (SELECT number FROM workspaces WHERE organization = ?1 AND id = %s)", parameter())
	}
	if p.creator {
		index += "_creator"
		conditions += fmt.Sprintf(" AND creator = (SELECT number FROM creators WHERE organization = ?1 AND id = %s)", parameter())
	}
	var statuses []string
	switch {
	case p.status:
		statuses = []string{" AND status = +" + parameter()}
	case index != "":
		statuses = []string{" AND status = 0", " AND status = 1", " AND status = 2"}
	default:
		statuses = []string{""}
	}
	indexedBy := ""
	if index != "" {
		indexedBy = " INDEXED BY api_keys" + index
	} else if p.status {
		indexedBy = " INDEXED BY api_keys_status"
	}
	var ranges []string
	for _, status := range statuses {
		ranges = append(ranges, "SELECT id, record, created_at FROM api_keys"+indexedBy+" WHERE "+conditions+status)
	}
	return fmt.Sprintf("SELECT id, record FROM (%s ORDER BY %s LIMIT ?2 + 0)", strings.Join(ranges, " UNION ALL "), order)
}

// arguments of the page's statement. One row more than the limit tells whether there are more.
func (q *query) arguments(organization int64, cursorTime int64) []any {
	arguments := append(make([]any, 0, 7), organization, q.limit+1)
	if q.cursor != "" {
		arguments = append(arguments, cursorTime, q.cursor)
	}
	if q.workspace != "" {
		arguments = append(arguments, q.workspace)
	}
	if q.creator != "" {
		arguments = append(arguments, q.creator)
	}
	if q.status >= 0 {
		arguments = append(arguments, q.status)
	}
	return arguments
}
