package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"
)

const (
	listPath         = "/v1/organizations/api_keys"
	supportedVersion = "2023-06-01"
)

type api struct {
	store *store
	log   *slog.Logger
}

// answer is what the log tells of a request, filled in as its checks pass.
type answer struct {
	status         int
	body           []byte
	route          string
	organizationID string
	adminKeyID     string
	rows           int
}

// apiError is an error that the caller is told.
type apiError struct {
	status    int
	errorType string
	message   string
}

func (e *apiError) Error() string { return e.message }

func badRequest(message string) error {
	return &apiError{http.StatusBadRequest, "invalid_request_error", message}
}

var bodies = sync.Pool{New: func() any { return new([]byte) }}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	requestID := newRequestID()
	header := w.Header()
	header.Set("Request-Id", requestID)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Type", "application/json")

	buffer := bodies.Get().(*[]byte)
	defer bodies.Put(buffer)
	answer := answer{status: http.StatusOK, body: (*buffer)[:0]}
	if err := a.list(&answer, header, r); err != nil {
		answer.fillWithError(err, header, requestID)
	}
	*buffer = answer.body
	header.Set("Content-Length", strconv.Itoa(len(answer.body)))
	w.WriteHeader(answer.status)
	w.Write(answer.body) // net/http leaves the body out for HEAD

	a.log.LogAttrs(context.Background(), slog.LevelInfo, "request",
		slog.String("request_id", requestID),
		slog.String("organization_id", answer.organizationID),
		slog.String("admin_key_id", answer.adminKeyID),
		slog.Int("rows", answer.rows),
		slog.String("method", r.Method),
		slog.String("route", answer.route),
		slog.Int("status", answer.status),
		slog.Float64("duration_ms", float64(time.Since(start).Microseconds())/1000),
	)
}

// list answers a request for a page. Its checks are in the order of the contract.
func (a *api) list(answer *answer, header http.Header, r *http.Request) error {
	if r.URL.Path != listPath {
		return &apiError{http.StatusNotFound, "not_found_error", "path: not found; API keys are listed at " + listPath}
	}
	answer.route = listPath
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		return &apiError{http.StatusMethodNotAllowed, "invalid_request_error", "method: must be GET or HEAD"}
	}
	caller, err := a.store.authenticate(r.Header["X-Api-Key"])
	if err != nil {
		return err
	}
	answer.organizationID, answer.adminKeyID = caller.organizationID, caller.adminKeyID
	header.Set("Vendor-Organization-Id", caller.organizationID)

	if err := requireVersion(r.Header["Vendor-Version"]); err != nil {
		return err
	}
	query, err := parseQuery(r.URL.RawQuery)
	if err != nil {
		return err
	}
	answer.body, answer.rows, err = a.store.appendPage(answer.body, caller.organization, query)
	return err
}

func requireVersion(values []string) error {
	switch {
	case len(values) == 0:
		return badRequest("vendor-version: header is required; supported: " + supportedVersion)
	case len(values) > 1 || values[0] != supportedVersion:
		return badRequest("vendor-version: not a supported version; supported: " + supportedVersion)
	}
	return nil
}

// fillWithError tells the caller nothing of what is inside.
func (a *answer) fillWithError(err error, header http.Header, requestID string) {
	told := &apiError{http.StatusInternalServerError, "api_error", "an internal error; the request_id finds it in the log"}
	if !errors.As(err, &told) {
		slog.Error("request failed", "request_id", requestID, "err", err)
	}
	a.status = told.status
	type described struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	}
	body, _ := json.Marshal(struct {
		Type      string    `json:"type"`
		Error     described `json:"error"`
		RequestID string    `json:"request_id"`
	}{"error", described{told.errorType, told.message}, requestID})
	a.body = append(a.body[:0], body...)
}

func newRequestID() string {
	const prefix = "req_"
	var random [16]byte
	rand.Read(random[:])
	var id [len(prefix) + 2*len(random)]byte
	copy(id[:], prefix)
	hex.Encode(id[len(prefix):], random[:])
	return string(id[:])
}
