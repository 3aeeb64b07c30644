package main

import (
	"database/sql"
	"slices"
	"strconv"
)

// appendPage reads a page and appends its JSON. It returns the number of keys too.
func (s *store) appendPage(body []byte, organization int64, q query) ([]byte, int, error) {
	var cursorTime int64
	if q.cursor != "" {
		// It never changes, so it may be read before the page.
		err := s.cursorTime.QueryRow(organization, q.cursor).Scan(&cursorTime)
		if err == sql.ErrNoRows {
			return body, 0, badRequest(q.direction() + "_id: not an API key of this organization")
		}
		if err != nil {
			return body, 0, err
		}
	}
	rows, err := s.pages[q.shape()].Query(q.arguments(organization, cursorTime)...)
	if err != nil {
		return body, 0, err
	}
	defer rows.Close()
	if q.before {
		return appendReversed(body, rows, q.limit)
	}
	var first, last [maxIDLength]byte
	var firstLength, lastLength, count int
	hasMore := false
	body = append(body, `{"data":[`...)
	for rows.Next() {
		if count == q.limit {
			hasMore = true
			break
		}
		var id, record sql.RawBytes
		if err := rows.Scan(&id, &record); err != nil {
			return body, 0, err
		}
		if count > 0 {
			body = append(body, ',')
		} else {
			firstLength = copy(first[:], id)
		}
		body = append(body, record...)
		lastLength = copy(last[:], id)
		count++
	}
	if err := rows.Err(); err != nil {
		return body, 0, err
	}
	return appendEnd(body, first[:firstLength], last[:lastLength], hasMore), count, nil
}

// appendReversed is for a page before a cursor, which is read oldest first.
func appendReversed(body []byte, rows *sql.Rows, limit int) ([]byte, int, error) {
	type item struct{ id, record string }
	items := make([]item, 0, limit+1)
	for rows.Next() {
		var next item
		if err := rows.Scan(&next.id, &next.record); err != nil {
			return body, 0, err
		}
		items = append(items, next)
	}
	if err := rows.Err(); err != nil {
		return body, 0, err
	}
	hasMore := len(items) > limit
	items = items[:min(len(items), limit)]
	slices.Reverse(items)
	body = append(body, `{"data":[`...)
	for at, each := range items {
		if at > 0 {
			body = append(body, ',')
		}
		body = append(body, each.record...)
	}
	if len(items) == 0 {
		return appendEnd(body, nil, nil, hasMore), 0, nil
	}
	return appendEnd(body, []byte(items[0].id), []byte(items[len(items)-1].id), hasMore), len(items), nil
}

func appendEnd(body, first, last []byte, hasMore bool) []byte {
	body = append(body, `],"first_id":`...)
	body = appendID(body, first)
	body = append(body, `,"last_id":`...)
	body = appendID(body, last)
	body = append(body, `,"has_more":`...)
	body = strconv.AppendBool(body, hasMore)
	return append(body, '}')
}

func appendID(body, id []byte) []byte {
	if len(id) == 0 {
		return append(body, "null"...)
	}
	body = append(body, '"')
	body = append(body, id...)
	return append(body, '"')
}

func (q *query) direction() string {
	if q.before {
		return "before"
	}
	return "after"
}
