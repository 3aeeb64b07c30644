// The list endpoint in Go, to measure Keyroster against: net/http and database/sql with mattn/go-sqlite3, over a store of
// Keyroster's, whose records are JSON already. It makes the same checks in the same order, answers with the same bodies and
// headers and writes the same log line. It has no rate limits, no overload protection, no cache of pages, one version of the
// API and no suggestion for a misspelled parameter. GOMAXPROCS says how many cores it uses.
//
// Usage: go-peer FILE PORT
package main

import (
	"bufio"
	"context"
	"log"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: go-peer FILE PORT")
	}
	store, err := openStore(os.Args[1], runtime.GOMAXPROCS(0))
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
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
		<-signals
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		server.Shutdown(ctx)
	}()
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		log.Fatal(err)
	}
	<-stopped
	output.flush()
	store.close()
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
