/*
 * Reads pages from a store with SQLite's C interface and nothing else: the least that a page can cost over this file.
 *
 * `sqlite-floor FILE ORGANIZATION` answers each line of its standard input with a line:
 *
 *   page LIMIT [CURSOR]              the page's JSON, as the service answers it
 *   measure LIMIT SECONDS CURSOR...  reads the pages after these cursors in turn for this time; prints three figures:
 *                                    pages a second, and the microseconds and the CPU microseconds of a page
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sqlite3.h"

#define MAX_LIMIT 1000
#define CACHE_KIB "8192" /* as the service's */

static sqlite3 *db;
static sqlite3_stmt *begin, *commit, *cursor_time, *page_after, *first_page;
static sqlite3_int64 organization;

/* The body of the last page. */
static struct {
  char *bytes;
  size_t length, capacity;
} body;

static void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("sqlite-floor: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  exit(1);
}

static void check(int result) {
  if (result != SQLITE_OK && result != SQLITE_ROW && result != SQLITE_DONE) fail("SQLite: %s", sqlite3_errmsg(db));
}

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL));
  return statement;
}

static void run(sqlite3_stmt *statement) {
  check(sqlite3_step(statement));
  check(sqlite3_reset(statement));
}

static void open_store(const char *file, const char *organization_id) {
  check(sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL));
  check(sqlite3_exec(db, "PRAGMA cache_size = -" CACHE_KIB "; PRAGMA mmap_size = 0", NULL, NULL, NULL));
  sqlite3_stmt *find = prepare("SELECT number FROM organizations WHERE id = ?1");
  check(sqlite3_bind_text(find, 1, organization_id, -1, SQLITE_STATIC));
  if (sqlite3_step(find) != SQLITE_ROW) fail("the store has no organization %s", organization_id);
  organization = sqlite3_column_int64(find, 0);
  sqlite3_finalize(find);

  begin = prepare("BEGIN");
  commit = prepare("COMMIT");
  cursor_time = prepare("SELECT created_at FROM api_keys WHERE organization = ?1 AND id = ?2");
  page_after = prepare(
      "SELECT id, record FROM api_keys WHERE organization = ?1 AND (created_at, id) < (?3, ?4)"
      " ORDER BY created_at DESC, id DESC LIMIT ?2");
  first_page = prepare("SELECT id, record FROM api_keys WHERE organization = ?1 ORDER BY created_at DESC, id DESC LIMIT ?2");
}

static void add(const void *bytes, size_t length) {
  if (body.length + length > body.capacity) {
    body.capacity = 2 * (body.length + length);
    body.bytes = realloc(body.bytes, body.capacity);
    if (!body.bytes) fail("no memory");
  }
  memcpy(body.bytes + body.length, bytes, length);
  body.length += length;
}

#define ADD(literal) add(literal, sizeof(literal) - 1)

static void add_id(const char *name, size_t name_length, const char *id, size_t id_length) {
  add(name, name_length);
  if (id_length == 0) {
    ADD("null");
  } else {
    ADD("\"");
    add(id, id_length);
    ADD("\"");
  }
}

/* Binds the cursor. Its creation time never changes, but it has to be looked up for each page. */
static void bind_cursor(const char *cursor) {
  check(sqlite3_bind_int64(cursor_time, 1, organization));
  check(sqlite3_bind_text(cursor_time, 2, cursor, -1, SQLITE_STATIC));
  if (sqlite3_step(cursor_time) != SQLITE_ROW) fail("unknown cursor %s", cursor);
  check(sqlite3_bind_int64(page_after, 3, sqlite3_column_int64(cursor_time, 0)));
  check(sqlite3_bind_text(page_after, 4, cursor, -1, SQLITE_STATIC));
  check(sqlite3_reset(cursor_time));
}

/* Reads the page after this key, or the first one (NULL), and joins its JSON. One row more tells whether there are more. */
static void read_page(int limit, const char *cursor) {
  char first[128], last[128];
  size_t first_length = 0, last_length = 0;
  sqlite3_stmt *page = cursor ? page_after : first_page;
  int rows = 0;

  run(begin);
  if (cursor) bind_cursor(cursor);
  check(sqlite3_bind_int64(page, 1, organization));
  check(sqlite3_bind_int(page, 2, limit + 1));
  body.length = 0;
  ADD("{\"data\":[");
  int result;
  while ((result = sqlite3_step(page)) == SQLITE_ROW && ++rows <= limit) {
    const unsigned char *id = sqlite3_column_text(page, 0), *record = sqlite3_column_text(page, 1);
    last_length = sqlite3_column_bytes(page, 0);
    memcpy(last, id, last_length);
    if (rows > 1) ADD(",");
    else memcpy(first, last, first_length = last_length);
    ADD("{\"id\":\"");
    add(id, last_length);
    ADD("\",\"type\":\"api_key\",\"name\":");
    add(record, sqlite3_column_bytes(page, 1));
  }
  check(result);
  add_id("],\"first_id\":", 13, first, first_length);
  add_id(",\"last_id\":", 11, last, last_length);
  if (rows > limit) ADD(",\"has_more\":true}");
  else ADD(",\"has_more\":false}");
  check(sqlite3_reset(page));
  run(commit);
}

static double seconds_on(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

/* Each cursor is used once, then from the first again. */
static void measure(int limit, double seconds, char **cursors, size_t count) {
  size_t pages = 0;
  double start = seconds_on(CLOCK_MONOTONIC), cpu_start = seconds_on(CLOCK_PROCESS_CPUTIME_ID), elapsed;
  do {
    read_page(limit, cursors[pages++ % count]);
    elapsed = seconds_on(CLOCK_MONOTONIC) - start;
  } while (elapsed < seconds);
  double cpu = seconds_on(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
  printf("%.0f %.2f %.2f\n", pages / elapsed, elapsed / pages * 1e6, cpu / pages * 1e6);
}

static void answer(char *line) {
  const char *verb = strtok(line, " \n"), *limit_text = strtok(NULL, " \n");
  int limit = limit_text ? atoi(limit_text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) fail("the limit must be 1 to %d", MAX_LIMIT);
  if (strcmp(verb, "page") == 0) {
    read_page(limit, strtok(NULL, " \n"));
    printf("%.*s\n", (int)body.length, body.bytes);
    return;
  }
  const char *seconds = strtok(NULL, " \n");
  size_t count = 0, capacity = 1024;
  char **cursors = malloc(capacity * sizeof *cursors);
  for (char *cursor; cursors && (cursor = strtok(NULL, " \n")); cursors[count++] = cursor)
    if (count == capacity) cursors = realloc(cursors, (capacity *= 2) * sizeof *cursors);
  if (!cursors) fail("no memory");
  if (strcmp(verb, "measure") != 0 || !seconds || count == 0) fail("expected: measure LIMIT SECONDS CURSOR...");
  measure(limit, atof(seconds), cursors, count);
  free(cursors);
}

int main(int count, char **arguments) {
  if (count != 3) fail("usage: sqlite-floor FILE ORGANIZATION");
  open_store(arguments[1], arguments[2]);
  char *line = NULL;
  size_t capacity = 0;
  while (getline(&line, &capacity, stdin) > 0) {
    answer(line);
    fflush(stdout);
  }
  free(line);
  return 0;
}
