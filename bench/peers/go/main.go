// The list endpoint in Go, to measure Keyroster against: net/http and database/sql with mattn/go-sqlite3, over a store of
// Keyroster's, whose records are JSON already. It makes the same checks in the same order, answers with the same bodies and
// headers and writes the same log line. It has no rate limits, no overload protection, no cache of pages, one version of the
// API and no suggestion for a misspelled parameter. It uses one core.
//
// Usage: go-peer FILE PORT
package main

import (
	"bufio"
	"log"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"time"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: go-peer FILE PORT")
	}
	store, err := openStore(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	output := &logOutput{buffer: bufio.NewWriterSize(os.Stdout, 64*1024)}
	go output.flushRegularly()
	hostname, _ := os.Hostname()
	requests := slog.New(slog.NewJSONHandler(output, nil)).With("pid", os.Getpid(), "hostname", hostname)

	server := &http.Server{
		Addr:              "127.0.0.1:" + os.Args[2],
		Handler:           &api{store: store, log: requests},
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       65 * time.Second,
		MaxHeaderBytes:    16 << 10,
	}
	log.Fatal(server.ListenAndServe())
}

// logOutput writes the lines of many requests at once.
type logOutput struct {
	mutex  sync.Mutex
	buffer *bufio.Writer
}

func (o *logOutput) Write(line []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.buffer.Write(line)
}

func (o *logOutput) flush() {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.buffer.Flush()
}

func (o *logOutput) flushRegularly() {
	for range time.Tick(100 * time.Millisecond) {
		o.flush()
	}
}
