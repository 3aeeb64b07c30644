package main

import (
	"database/sql"
	"fmt"

	_ "github.com/mattn/go-sqlite3"
)

const cacheKiB = 8192 // as Keyroster's

// store reads a store of Keyroster's.
type store struct {
	db         *sql.DB
	adminKey   *sql.Stmt
	cursorTime *sql.Stmt
	pages      map[pageShape]*sql.Stmt
}

func openStore(file string) (*store, error) {
	db, err := sql.Open("sqlite3", fmt.Sprintf("file:%s?mode=ro&_cache_size=-%d&_mutex=no", file, cacheKiB))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	s := &store{db: db, pages: map[pageShape]*sql.Stmt{}}
	if s.adminKey, err = db.Prepare(adminKeySQL); err != nil {
		return nil, err
	}
	if s.cursorTime, err = db.Prepare("SELECT created_at FROM api_keys WHERE organization = ?1 AND id = ?2"); err != nil {
		return nil, err
	}
	for _, shape := range pageShapes() {
		if s.pages[shape], err = db.Prepare(shape.sql()); err != nil {
			return nil, err
		}
	}
	return s, nil
}
