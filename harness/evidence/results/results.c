/* SPDX-License-Identifier: Apache-2.0
 *
 * SQLite keeps a rollback journal, not a write-ahead log. At rest there is one file, which may
 * be on a network file system. The next program that opens the file takes back what a killed one
 * left half done. Every commit waits for the disk.
 */
#include "results.h"

#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct results {
  sqlite3 *db;
  char path[4096];
  trouble_t trouble;
};

static const char tables[] =
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE run(id INTEGER PRIMARY KEY, suite TEXT NOT NULL, suite_sha TEXT NOT NULL, seed INTEGER NOT NULL,"
    " started TEXT NOT NULL, ended TEXT, commit_id TEXT, dirty INTEGER, version TEXT, tools TEXT, host TEXT, jobs "
    "INTEGER,"
    " engine TEXT, folder TEXT, state TEXT NOT NULL CHECK(state IN ('running', 'done', 'stopped')));"
    "CREATE TABLE job(id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,"
    " position INTEGER NOT NULL, key TEXT NOT NULL, verb TEXT NOT NULL, subject TEXT NOT NULL, args TEXT NOT NULL,"
    " limit_seconds REAL NOT NULL, state TEXT NOT NULL CHECK(state IN ('waiting', 'running', 'done')),"
    " outcome TEXT CHECK(outcome IN ('PASS', 'FAIL', 'BAD_INPUT', 'INFRA', 'TIMEOUT', 'KILLED')),"
    " exit_code INTEGER, started TEXT, ended TEXT, seconds REAL, cpu_seconds REAL, peak_rss_bytes INTEGER,"
    " signature TEXT, output TEXT, result TEXT, node TEXT, UNIQUE(run, position), UNIQUE(run, key),"
    " CHECK((state = 'done') = (outcome IS NOT NULL)));"
    "CREATE INDEX job_subject ON job(subject, verb);"
    /* "LkSt", so that `file` and we know it from other databases */
    "PRAGMA application_id = 0x4c6b5374;"
    "INSERT INTO meta VALUES('format', '1');";

const trouble_t *results_trouble(const results_t *results) {
  return &results->trouble;
}
struct sqlite3 *results_sqlite(results_t *results) {
  return results->db;
}

/* Sets trouble from SQLite's error: what happened, and whether the file or the environment is at
 * fault. */
static trouble_kind_t report_sqlite(results_t *r) {
  int code = sqlite3_errcode(r->db) & 0xff;
  const char *why = sqlite3_errmsg(r->db);
  trouble_kind_t status = TROUBLE_ENVIRONMENT;
  if (code == SQLITE_FULL) why = "the disk is full";
  else if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
    why = "another program is using it; try again when that has ended";
  else if (code == SQLITE_READONLY || code == SQLITE_PERM) why = "it cannot be written";
  else if (code == SQLITE_CANTOPEN)
    why = "it cannot be opened: is there such a folder, and may it be read and written?";
  else if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT) status = TROUBLE_INPUT;
  if (status == TROUBLE_INPUT) {
    why = code == SQLITE_NOTADB ? "not a database of results; --db names one or a file to be made"
                                : "the database is damaged; move it away, or mend it with sqlite3's .recover";
  }
  trouble_set(&r->trouble, status, "%s: %s", r->path, why);
  return status;
}

static trouble_kind_t refuse_database(results_t *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Sets trouble to "PATH: why" as INPUT. */
static trouble_kind_t refuse_database(results_t *r, const char *format, ...) {
  char why[TROUBLE_TEXT];
  va_list args;
  va_start(args, format);
  vsnprintf(why, sizeof why, format, args);
  va_end(args);
  trouble_set(&r->trouble, TROUBLE_INPUT, "%s: %s", r->path, why);
  return TROUBLE_INPUT;
}

static trouble_kind_t execute_sql(results_t *r, const char *sql) {
  return sqlite3_exec(r->db, sql, NULL, NULL, NULL) == SQLITE_OK ? TROUBLE_NONE : report_sqlite(r);
}

/* The first value of the first row, which the caller frees. NULL: no answer, or *status is not
 * NONE. */
static char *ask_text(results_t *r, const char *sql, trouble_kind_t *status) {
  sqlite3_stmt *s = NULL;
  char *text = NULL;
  *status = TROUBLE_NONE;
  if (sqlite3_prepare_v2(r->db, sql, -1, &s, NULL) != SQLITE_OK) *status = report_sqlite(r);
  else {
    int step = sqlite3_step(s);
    const char *value = step == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;
    if (value) text = strdup(value);
    else if (step != SQLITE_ROW && step != SQLITE_DONE) *status = report_sqlite(r);
  }
  sqlite3_finalize(s);
  return text;
}

/* ---- opening ---- */

/* All three tables must be there, with this program's format. */
static trouble_kind_t check_format(results_t *r) {
  trouble_kind_t status;
  char *ours = ask_text(r, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('meta', 'run', 'job')",
                        &status);
  bool whole = ours && !strcmp(ours, "3");
  free(ours);
  if (status) return status;
  if (!whole)
    return refuse_database(r, "an SQLite database, but not one of results; --db names one or a file to be made");
  char *format = ask_text(r, "SELECT value FROM meta WHERE key = 'format'", &status);
  if (!status && (!format || atoi(format) != RESULTS_FORMAT))
    status = refuse_database(
        r, "its format is %.20s, this program reads and writes %d; use the program that made it, or another --db",
        format ? format : "not given", RESULTS_FORMAT);
  free(format);
  return status;
}

/* quick_check does not compare indices with their tables, which makes it fast enough for each
 * opening. */
static trouble_kind_t check_whole(results_t *r) {
  trouble_kind_t status;
  char *found = ask_text(r, "PRAGMA quick_check(1)", &status);
  if (!status && (!found || strcmp(found, "ok") != 0))
    status = refuse_database(r, "the database is damaged; move it away, or mend it with sqlite3's .recover");
  free(found);
  return status;
}

/* Takes the lock before it looks whether tables are missing, because two programs may make the
 * same file at once. */
static trouble_kind_t make_tables(results_t *r) {
  trouble_kind_t status = execute_sql(r, "BEGIN IMMEDIATE"), asked;
  if (status) return status;
  char *count = ask_text(r, "SELECT count(*) FROM sqlite_schema", &asked);
  status = asked;
  if (!status && count && !strcmp(count, "0")) status = execute_sql(r, tables);
  free(count);
  if (!status) return execute_sql(r, "COMMIT");
  sqlite3_exec(r->db, "ROLLBACK", NULL, NULL, NULL);
  return status;
}

/* A reader also opens for writing, so that SQLite can take back what a killed writer left. A
 * file that may only be read has nothing to take back. */
static trouble_kind_t open_database(results_t *r, bool write) {
  if (!write && access(r->path, F_OK))
    return refuse_database(r, "no such database; `lockstack regress SUITE` makes one");
  int flags = write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
  int code = sqlite3_open_v2(r->path, &r->db, flags, NULL);
  if (code != SQLITE_OK && !write) {
    sqlite3_close(r->db);
    code = sqlite3_open_v2(r->path, &r->db, SQLITE_OPEN_READONLY, NULL);
  }
  if (code != SQLITE_OK) return report_sqlite(r);
  sqlite3_busy_timeout(r->db, 5000);
  trouble_kind_t status =
      execute_sql(r, "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
  if (!status && write) status = make_tables(r);
  if (!status) status = check_format(r);
  if (!status) status = check_whole(r);
  return status;
}

/* Removes the file that this process made. If it is not empty, another process uses it by now. */
static void remove_empty(const char *path) {
  struct stat info;
  if (stat(path, &info) == 0 && info.st_size == 0) unlink(path);
}

/* `made` keeps a failed opening from leaving an empty file behind. */
bool results_open(results_t **results, const char *path, bool write, trouble_t *trouble) {
  results_t *r = calloc(1, sizeof *r);
  *results = NULL;
  if (!r) return trouble_memory(trouble);
  snprintf(r->path, sizeof r->path, "%s", path);
  bool made = write && access(path, F_OK) != 0;
  if (!open_database(r, write)) return *results = r, true;
  *trouble = r->trouble;
  results_close(r);
  if (made) remove_empty(path);
  return false;
}

void results_close(results_t *r) {
  if (r) sqlite3_close(r->db);
  free(r);
}

/* ---- writing ---- */

/* form has a letter for each value: s text (NULL is null), i int64_t, d double. NULL: SQLite
 * refuses the statement. */
static sqlite3_stmt *bind_statement(results_t *r, const char *sql, const char *form, ...) {
  sqlite3_stmt *s = NULL;
  if (sqlite3_prepare_v2(r->db, sql, -1, &s, NULL) != SQLITE_OK) return NULL;
  va_list args;
  va_start(args, form);
  for (int i = 0; form[i]; i++) {
    if (form[i] == 's') sqlite3_bind_text(s, i + 1, va_arg(args, const char *), -1, SQLITE_TRANSIENT);
    else if (form[i] == 'i') sqlite3_bind_int64(s, i + 1, va_arg(args, int64_t));
    else sqlite3_bind_double(s, i + 1, va_arg(args, double));
  }
  va_end(args);
  return s;
}

/* Runs a statement that returns no rows, and releases it. */
static trouble_kind_t step_once(results_t *r, sqlite3_stmt *s) {
  trouble_kind_t status = s && sqlite3_step(s) == SQLITE_DONE ? TROUBLE_NONE : report_sqlite(r);
  sqlite3_finalize(s);
  return status;
}

/* Inside the transaction of the run. */
static trouble_kind_t add_jobs(results_t *r, int64_t run, const results_job_t *jobs, unsigned count) {
  trouble_kind_t status = TROUBLE_NONE;
  for (unsigned i = 0; i < count && !status; i++)
    status =
        step_once(r, bind_statement(r,
                                    "INSERT INTO job(run, position, key, verb, subject, args, limit_seconds, state)"
                                    " VALUES(?, ?, ?, ?, ?, ?, ?, 'waiting')",
                                    "iissssd", run, (int64_t)jobs[i].position, jobs[i].key, jobs[i].verb,
                                    jobs[i].subject, jobs[i].args, jobs[i].limit_seconds));
  return status;
}

/* One transaction: a run never has a part of its jobs. The database gives the run its id. */
trouble_kind_t results_add_run(results_t *r, results_run_t *run, const results_job_t *jobs, unsigned count) {
  trouble_kind_t status = execute_sql(r, "BEGIN IMMEDIATE");
  if (status) return status;
  status = step_once(
      r, bind_statement(
             r,
             "INSERT INTO run(suite, suite_sha, seed, started, commit_id, dirty, version, tools, host, jobs, engine,"
             " folder, state) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'running')",
             "ssississsiss", run->suite, run->suite_sha, (int64_t)run->seed, run->started, run->commit,
             (int64_t)run->dirty, run->version, run->tools, run->host, (int64_t)run->jobs, run->engine, run->folder));
  run->id = sqlite3_last_insert_rowid(r->db);
  if (!status) status = add_jobs(r, run->id, jobs, count);
  if (!status) status = execute_sql(r, "COMMIT");
  if (status) sqlite3_exec(r->db, "ROLLBACK", NULL, NULL, NULL);
  return status;
}

/* Jobs that run at this moment wait again, for --resume. */
static trouble_kind_t change_run(results_t *r, int64_t run, const char *state, const char *ended) {
  trouble_kind_t status = execute_sql(r, "BEGIN IMMEDIATE");
  if (status) return status;
  status =
      step_once(r, bind_statement(r, "UPDATE run SET state = ?, ended = ? WHERE id = ?", "ssi", state, ended, run));
  if (!status)
    status = step_once(
        r, bind_statement(
               r, "UPDATE job SET state = 'waiting', started = NULL, node = NULL WHERE run = ? AND state = 'running'",
               "i", run));
  if (!status) status = execute_sql(r, "COMMIT");
  if (status) sqlite3_exec(r->db, "ROLLBACK", NULL, NULL, NULL);
  return status;
}

trouble_kind_t results_end_run(results_t *r, int64_t run, const char *state, const char *ended) {
  return change_run(r, run, state, ended);
}

trouble_kind_t results_resume_run(results_t *r, int64_t run) {
  return change_run(r, run, "running", NULL);
}

/* `state != 'done'` keeps a late message of a lost task from reopening a job. */
trouble_kind_t results_start_job(results_t *r, int64_t run, unsigned position, const char *started, const char *node) {
  return step_once(
      r,
      bind_statement(
          r,
          "UPDATE job SET state = 'running', started = ?, node = ? WHERE run = ? AND position = ? AND state != 'done'",
          "ssii", started, node, run, (int64_t)position));
}

/* The first result counts, for the same reason. */
trouble_kind_t results_end_job(results_t *r, const results_job_t *job) {
  return step_once(
      r,
      bind_statement(r,
                     "UPDATE job SET state = 'done', outcome = ?, exit_code = ?, started = ?, ended = ?, seconds = ?,"
                     " cpu_seconds = ?, peak_rss_bytes = ?, signature = ?, output = ?, result = ?, node = ?"
                     " WHERE run = ? AND position = ? AND state != 'done'",
                     "sissddissssii", job->outcome, (int64_t)job->exit_code, job->started, job->ended, job->seconds,
                     job->cpu_seconds, job->peak_rss_bytes, job->signature, job->output, job->result, job->node,
                     job->run, (int64_t)job->position));
}

/* Leaves output, result and times: only the verdict is another. */
trouble_kind_t results_judge_job(results_t *r, const results_job_t *job) {
  return step_once(
      r,
      bind_statement(
          r,
          "UPDATE job SET outcome = ?, exit_code = ?, signature = ? WHERE run = ? AND position = ? AND state = 'done'",
          "sisii", job->outcome, (int64_t)job->exit_code, job->signature, job->run, (int64_t)job->position));
}

/* One transaction, so that an interrupt leaves all of these jobs done or all of them waiting. */
trouble_kind_t results_again(results_t *r, int64_t run, const unsigned *positions, unsigned count) {
  trouble_kind_t status = execute_sql(r, "BEGIN IMMEDIATE");
  if (status) return status;
  for (unsigned i = 0; i < count && !status; i++)
    status = step_once(
        r, bind_statement(
               r,
               "UPDATE job SET state = 'waiting', outcome = NULL, exit_code = NULL, started = NULL, ended = NULL, "
               "seconds = NULL,"
               " cpu_seconds = NULL, peak_rss_bytes = NULL, signature = NULL, output = NULL, result = NULL, node = NULL"
               " WHERE run = ? AND position = ?",
               "ii", run, (int64_t)positions[i]));
  if (!status) status = execute_sql(r, "COMMIT");
  if (status) sqlite3_exec(r->db, "ROLLBACK", NULL, NULL, NULL);
  return status;
}

/* ---- reading ---- */

/* Lives until the next step of the statement. */
static const char *column_text(sqlite3_stmt *s, int column) {
  return (const char *)sqlite3_column_text(s, column);
}

/* Columns by their place in results_runs' SELECT. */
static bool give_run(sqlite3_stmt *s, results_on_run_t *on_run, void *context) {
  results_run_t run = {.id = sqlite3_column_int64(s, 0),
                       .suite = column_text(s, 1),
                       .suite_sha = column_text(s, 2),
                       .seed = (uint64_t)sqlite3_column_int64(s, 3),
                       .started = column_text(s, 4),
                       .ended = column_text(s, 5),
                       .commit = column_text(s, 6),
                       .dirty = sqlite3_column_int(s, 7),
                       .version = column_text(s, 8),
                       .tools = column_text(s, 9),
                       .host = column_text(s, 10),
                       .jobs = (unsigned)sqlite3_column_int(s, 11),
                       .engine = column_text(s, 12),
                       .state = column_text(s, 13),
                       .folder = column_text(s, 14)};
  return on_run(context, &run);
}

/* Columns by their place in results_jobs' SELECT. */
static bool give_job(sqlite3_stmt *s, results_on_job_t *on_job, void *context) {
  results_job_t job = {.id = sqlite3_column_int64(s, 0),
                       .run = sqlite3_column_int64(s, 1),
                       .position = (unsigned)sqlite3_column_int(s, 2),
                       .key = column_text(s, 3),
                       .verb = column_text(s, 4),
                       .subject = column_text(s, 5),
                       .args = column_text(s, 6),
                       .state = column_text(s, 7),
                       .outcome = column_text(s, 8),
                       .exit_code = sqlite3_column_int(s, 9),
                       .started = column_text(s, 10),
                       .ended = column_text(s, 11),
                       .seconds = sqlite3_column_double(s, 12),
                       .cpu_seconds = sqlite3_column_double(s, 13),
                       .peak_rss_bytes = sqlite3_column_int64(s, 14),
                       .signature = column_text(s, 15),
                       .output = column_text(s, 16),
                       .result = column_text(s, 17),
                       .node = column_text(s, 18),
                       .limit_seconds = sqlite3_column_double(s, 19)};
  return on_job(context, &job);
}

trouble_kind_t results_runs(results_t *r, results_on_run_t *on_run, void *context) {
  sqlite3_stmt *s = bind_statement(
      r,
      "SELECT id, suite, suite_sha, seed, started, ended, commit_id, dirty, version, tools, host, jobs, engine,"
      " state, folder FROM run ORDER BY id DESC",
      "");
  int step = s ? sqlite3_step(s) : SQLITE_ERROR;
  while (step == SQLITE_ROW && give_run(s, on_run, context)) step = sqlite3_step(s);
  trouble_kind_t status = step == SQLITE_ROW || step == SQLITE_DONE ? TROUBLE_NONE : report_sqlite(r);
  sqlite3_finalize(s);
  return status;
}

trouble_kind_t results_jobs(results_t *r, int64_t run, results_on_job_t *on_job, void *context) {
  sqlite3_stmt *s = bind_statement(
      r,
      "SELECT id, run, position, key, verb, subject, args, state, outcome, exit_code, started, ended, seconds,"
      " cpu_seconds, peak_rss_bytes, signature, output, result, node, limit_seconds FROM job WHERE run = ? ORDER BY "
      "position",
      "i", run);
  int step = s ? sqlite3_step(s) : SQLITE_ERROR;
  while (step == SQLITE_ROW && give_job(s, on_job, context)) step = sqlite3_step(s);
  trouble_kind_t status = step == SQLITE_ROW || step == SQLITE_DONE ? TROUBLE_NONE : report_sqlite(r);
  sqlite3_finalize(s);
  return status;
}
