/* SPDX-License-Identifier: Apache-2.0
 *
 * The key is a SHA-256 over all inputs of a run. Rows are in an SQLite file that several processes
 * may use; each row has a checksum of its own, so that a lost write is never believed.
 */
#include "known.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "content.h"
#include "plain.h"
#include "process.h"

/* ---- the key ---- */

/* Each input with its length, so that no two lists of inputs give the same text. */
static void hash_bytes(SHA2_CTX *sha, const void *data, size_t size) {
  const uint64_t length = size;
  SHA256Update(sha, (const uint8_t *)&length, sizeof length);
  SHA256Update(sha, data, size);
}

static void hash_text(SHA2_CTX *sha, const char *text) {
  hash_bytes(sha, text, strlen(text));
}

static bool hash_file(SHA2_CTX *sha, const char *path) {
  char digest[SHA256_DIGEST_STRING_LENGTH];
  if (!SHA256File(path, digest)) return false;
  hash_text(sha, digest);
  return true;
}

/* The linker's build id names the program; without one its file is read. */
static bool hash_program(SHA2_CTX *sha) {
  size_t size;
  const void *id = process_build_id(&size);
  if (!id) return hash_file(sha, process_self());
  hash_bytes(sha, id, size);
  return true;
}

/* False: an instance is not a model, or an object cannot be read. */
static bool hash_objects(SHA2_CTX *sha, const system_options_t *o) {
  char path[BUILD_PATH];
  system_family_t family;
  for (unsigned f = 0; system_family(&o->composition, f, &family); f++) {
    for (unsigned k = 0; o->engine[f] && k < family.count; k++)
      if (o->engine[f][k] != ENGINE_MODEL) return false;
    if (system_instances(o, f) && (!system_model_object(o, f, path) || !hash_file(sha, path))) return false;
  }
  return true;
}

/* All values as text, and the content of files that text values name. */
static bool hash_composition(SHA2_CTX *sha, const composition_t *c) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return false;
  composition_print(c, out);
  const bool good = !ferror(out) && !fclose(out);
  if (good) hash_bytes(sha, text, size);
  free(text);
  const config_key_t *key;
  const void *values;
  char value[CONFIG_TEXT_SIZE];
  for (unsigned i = 0; (key = composition_key(c, i, &values)); i++) { /* a text may be a file's name */
    if (key->type != CONFIG_TEXT) continue;
    config_text(key, values, value, sizeof value);
    if (!hash_file(sha, value)) hash_text(sha, "no file");
  }
  return good;
}

/* Everything that a run's cycles depend on. */
bool known_key(const simulate_job_t *job, char key[KNOWN_KEY]) {
  SHA2_CTX sha;
  SHA256Init(&sha);
  hash_text(&sha, job->workload->name);
  hash_bytes(&sha, job->values, sizeof job->values);
  if (!hash_program(&sha) || !hash_composition(&sha, &job->system.composition) || !hash_objects(&sha, &job->system))
    return false;
  if (job->workload->digest) hash_text(&sha, job->workload->digest);
  if (job->ptx_path && !hash_file(&sha, job->ptx_path)) return false;
  SHA256End(&sha, key);
  return true;
}

/* ---- the file ---- */

/* NULL: there is no cache folder, or its file cannot be used. A corrupt file is removed. */
static sqlite3 *open_database(void) {
  static const char table[] =
      "PRAGMA synchronous = OFF;" /* what is lost is simulated again */
      "CREATE TABLE IF NOT EXISTS rival (key TEXT PRIMARY KEY, cycles INTEGER NOT NULL, sum TEXT NOT NULL, system TEXT,"
      " workload TEXT) WITHOUT ROWID";
  char folder[PLAIN_PATH], path[PLAIN_PATH + 16];
  sqlite3 *db = NULL;
  if (!plain_cache(NULL, folder)) return NULL;
  snprintf(path, sizeof path, "%s/known.db", folder);
  bool good = sqlite3_open(path, &db) == SQLITE_OK && sqlite3_busy_timeout(db, 2000) == SQLITE_OK;
  const int made = good ? sqlite3_exec(db, table, NULL, NULL, NULL) : SQLITE_ERROR;
  if (made == SQLITE_OK) return db;
  sqlite3_close(db);
  if (made == SQLITE_NOTADB || made == SQLITE_CORRUPT) unlink(path);
  return NULL;
}

/* The checksum of a row. A full disk or a lost write may leave part of one. */
static void row_sum(const char *key, uint64_t cycles, char sum[CONTENT_SUM]) {
  char text[KNOWN_KEY + 32];
  const int length = snprintf(text, sizeof text, "%s %" PRIu64, key, cycles);
  content_sum_bytes(text, (size_t)length, sum);
}

static bool row_is_whole(sqlite3_stmt *row, const char *key, uint64_t cycles) {
  char sum[CONTENT_SUM];
  const char *kept = (const char *)sqlite3_column_text(row, 1);
  row_sum(key, cycles, sum);
  return cycles > 0 && kept && strcmp(kept, sum) == 0;
}

bool known_find(const char *key, uint64_t *cycles) {
  sqlite3 *db = open_database();
  sqlite3_stmt *question = NULL;
  bool found = false;
  if (db && sqlite3_prepare_v2(db, "SELECT cycles, sum FROM rival WHERE key = ?", -1, &question, NULL) == SQLITE_OK) {
    sqlite3_bind_text(question, 1, key, -1, SQLITE_STATIC);
    const uint64_t kept = sqlite3_step(question) == SQLITE_ROW ? (uint64_t)sqlite3_column_int64(question, 0) : 0;
    found = kept && row_is_whole(question, key, kept);
    if (found) *cycles = kept;
  }
  sqlite3_finalize(question);
  sqlite3_close(db);
  return found;
}

/* A full table is emptied first. A row that cannot be written is no error. */
void known_keep(const char *key, const simulate_job_t *job, uint64_t cycles) {
  sqlite3 *db = open_database();
  sqlite3_stmt *row = NULL;
  char old[160], sum[CONTENT_SUM];
  row_sum(key, cycles, sum);
  snprintf(old, sizeof old, "DELETE FROM rival WHERE (SELECT count(*) FROM rival) > %d", KNOWN_MOST);
  if (db) sqlite3_exec(db, old, NULL, NULL, NULL);
  if (db &&
      sqlite3_prepare_v2(db, "INSERT OR REPLACE INTO rival VALUES (?, ?, ?, ?, ?)", -1, &row, NULL) == SQLITE_OK) {
    sqlite3_bind_text(row, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_int64(row, 2, (sqlite3_int64)cycles);
    sqlite3_bind_text(row, 3, sum, -1, SQLITE_STATIC);
    sqlite3_bind_text(row, 4, job->system.composition.name, -1, SQLITE_STATIC);
    sqlite3_bind_text(row, 5, job->workload->name, -1, SQLITE_STATIC);
    sqlite3_step(row); /* not kept: simulated again */
  }
  sqlite3_finalize(row);
  sqlite3_close(db);
}
