/* SPDX-License-Identifier: Apache-2.0
 *
 * The facts of a block: its files from the list, the sum of its checks, and for each other verb
 * one document. That is the latest one, with default parameters where there is one. A document
 * names its blocks itself: one of `prove all` or `area` is about many.
 *
 *   checks      --> added up by device
 *   documents   --> keep_document: a list, one for each set of parameters and target
 *               --> choose_document: the best of the list; the others become its `variants`
 *   hardware    --> all results, stale ones too: they are the history
 */
#include "facts.h"

#include "cells.h"
#include "hardware.h"
#include "html.h"
#include "question.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Null: the file is not here. */
static json_t *lines_of(const facts_sources_t *sources, const char *path) {
  if (!path || !sources->path) return json_null();
  FILE *file = fopen(sources->path(path), "r");
  json_int_t lines = 0;
  if (!file) return json_null();
  for (int c; (c = getc(file)) != EOF;) lines += c == '\n';
  fclose(file);
  return json_integer(lines);
}

/* All parts are null until results come. */
static json_t *new_block(const char *name, bool listed) {
  return json_pack("{s:s, s:b, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n}", "name", name, "listed", listed, "check",
                   "ports", "coverage", "guided", "mutation", "proofs", "area", "faults", "hardware");
}

/* A block of the list, with its files and their lengths in lines. */
static json_t *listed_block(const json_t *entry, const facts_sources_t *sources) {
  static const char *const files[] = {"family", "rtl", "ports", "model", "test", "proof", "synth", NULL};
  json_t *paths = json_object(), *block = new_block(fact_text(entry, "name"), true);
  facts_copy(paths, entry, files);
  json_object_set(block, "family", json_object_get(entry, "family"));
  json_object_set_new(block, "files", paths);
  json_object_set_new(block, "rtl_lines", lines_of(sources, fact_text(entry, "rtl")));
  json_object_set_new(block, "model_lines", lines_of(sources, fact_text(entry, "model")));
  return block;
}

/* The block of this name. A block that the list lacks (somebody's own) is added. NULL: no name. */
static json_t *block_of(json_t *blocks, const char *name) {
  if (!name || !*name) return NULL;
  json_t *block = json_object_get(blocks, name);
  if (!block) json_object_set_new(blocks, name, block = new_block(name, false));
  return block;
}

/* ---- checks ---- */

/* 0 for a figure that is missing. */
static double number_or_zero(double value) {
  return isfinite(value) ? value : 0;
}

static void add_number(json_t *object, const char *key, double value) {
  json_object_set_new(object, key, json_real(number_or_zero(fact_number(object, key)) + number_or_zero(value)));
}

/* Adds one device's row to the block's check, and to its sums. Cycles of two devices without a
 * model, and the sources of these, prove nothing of the model. */
static void add_check(json_t *block, json_t *row) {
  static const char *const kept[] = {"dut", "jobs", "cycles", "divergences", "failed", NULL};
  json_t *check = json_object_get(block, "check"), *kind = json_object();
  if (!json_is_object(check)) json_object_set_new(block, "check", check = json_pack("{s:[]}", "duts"));
  facts_copy(kind, row, kept);
  const bool model = !fact_text(row, "against");
  if (model && fact_text(row, "sources")) json_object_set(check, "sources", json_object_get(row, "sources"));
  json_array_append_new(json_object_get(check, "duts"), kind);
  for (const char *const *key = kept + 1; *key; key++)
    add_number(check, *key, model || strcmp(*key, "cycles") ? fact_number(row, *key) : 0);
}

/* FAIL of a job, or a check whose own outcome is not PASS, counts as failed. */
static bool gather_checks(json_t *blocks, struct sqlite3 *db) {
  json_t *rows = question(
      db,
      "SELECT json_extract(doc, '$.block') AS block,"
      " json_extract(doc, '$.dut') || COALESCE(' against ' || json_extract(doc, '$.against'), '') AS dut,"
      " json_extract(doc, '$.against') AS against, COUNT(*) AS jobs,"
      " TOTAL(json_extract(doc, '$.cycles')) AS cycles, TOTAL(json_extract(doc, '$.outcome') = 'DIVERGED') AS "
      "divergences,"
      " TOTAL(outcome = 'FAIL' OR (outcome <> 'PASS' AND json_extract(doc, '$.outcome') <> 'PASS')) AS failed,"
      " MAX(json_extract(doc, '$.sources')) AS sources"
      " FROM (SELECT CASE WHEN json_valid(result) THEN result END AS doc, outcome FROM job WHERE verb = 'check' AND "
      "state = 'done'"
      " AND id NOT IN temp.stale)"
      " WHERE doc IS NOT NULL GROUP BY block, dut ORDER BY block, dut DESC");
  size_t i;
  json_t *row;
  json_array_foreach(rows, i, row) {
    json_t *block = block_of(blocks, fact_text(row, "block"));
    if (block) add_check(block, row);
  }
  bool ok = rows != NULL;
  json_decref(rows);
  return ok;
}

/* ---- documents ---- */

static bool is_default(const json_t *document) {
  const char *params = fact_text(document, "params");
  return !params || !*params;
}

static bool same_text(const json_t *a, const json_t *b, const char *key) {
  const char *x = fact_text(a, key), *y = fact_text(b, key);
  return strcmp(x ? x : "", y ? y : "") == 0;
}

/* Keeps one document for each set of parameters and target; a later one replaces an earlier one. */
static void keep_document(json_t *block, const char *key, json_t *document) {
  json_t *list = json_object_get(block, key), *old;
  size_t i;
  if (!json_is_array(list)) json_object_set_new(block, key, list = json_array());
  json_array_foreach(list, i, old) {
    if (!same_text(old, document, "params") || !same_text(old, document, "target")) continue;
    json_array_set(list, i, document);
    return;
  }
  json_array_append(list, document);
}

/* Default parameters first, then the default cells, then cells with um2. */
static int rank_document(const json_t *document) {
  const char *target = fact_text(document, "target");
  return 4 * is_default(document) +
         (!target || strcmp(target, CELLS_DEFAULT) == 0 ? 2 : json_is_number(json_object_get(document, "um2")));
}

/* The first document of the highest rank. */
static void choose_document(json_t *block, const char *key) {
  json_t *list = json_object_get(block, key), *document;
  size_t i, best = 0;
  if (!json_is_array(list)) return;
  json_array_foreach(list, i, document) if (rank_document(document) > rank_document(json_array_get(list, best))) best =
      i;
  document = json_incref(json_array_get(list, best));
  json_array_remove(list, best);
  json_object_set(document, "variants", list);
  json_object_set_new(block, key, document);
}

/* Keeps the counts and the first SHOWN mutants that are neither killed nor equivalent. */
static void add_mutation(json_t *blocks, const json_t *d) {
  static const char *const kept[] = {"sources",   "tools", "params",  "killed",  "survived", "equivalent",
                                     "undecided", "score", "control", "seconds", NULL};
  enum { SHOWN = 50 };
  json_t *block = block_of(blocks, fact_text(d, "block")), *m, *survivors, *mutant;
  size_t i;
  if (!block) return;
  m = json_pack("{s:o, s:I}", "survivors", survivors = json_array(), "mutants", (json_int_t)fact_count(d, "mutants"));
  facts_copy(m, d, kept);
  json_array_foreach(json_object_get(d, "mutants"), i, mutant) {
    const char *status = fact_text(mutant, "status");
    bool settled = status && (strcmp(status, "killed") == 0 || strcmp(status, "equivalent") == 0);
    if (!settled && json_array_size(survivors) < SHOWN) json_array_append(survivors, mutant);
  }
  keep_document(block, "mutation", m);
  json_decref(m);
}

/* A document's list has claims of several blocks; each block gets its own. */
static void add_proofs_of(json_t *blocks, const json_t *d, const char *list) {
  size_t i;
  json_t *claim;
  json_array_foreach(json_object_get(d, list), i, claim) {
    const char *own = fact_text(claim, "block");
    json_t *block = block_of(blocks, own ? own : fact_text(d, "block"));
    if (!block) continue;
    json_t *proofs = json_object_get(block, "proofs");
    if (!json_is_object(proofs) || json_object_get(proofs, "document") != d) {
      proofs = json_pack("{s:[], s:[], s:[]}", "properties", "covers", "broken_copies");
      json_object_set(proofs, "document", (json_t *)d); /* until all is gathered: a later document replaces this one */
      if (json_is_string(json_object_get(d, "sources")))
        json_object_set(proofs, "sources", json_object_get(d, "sources"));
      if (json_is_object(json_object_get(d, "tools"))) json_object_set(proofs, "tools", json_object_get(d, "tools"));
      json_object_set_new(block, "proofs", proofs);
    }
    json_array_append(json_object_get(proofs, list), claim);
  }
}

static void add_proofs(json_t *blocks, const json_t *d) {
  static const char *const lists[] = {"properties", "covers", "broken_copies"};
  for (size_t i = 0; i < 3; i++) add_proofs_of(blocks, d, lists[i]);
}

/* Keeps these members of a document of one block. */
static void add_as(json_t *blocks, const json_t *d, const char *key, const char *const *kept) {
  json_t *block = block_of(blocks, fact_text(d, "block")), *value;
  if (!block) return;
  value = json_object();
  facts_copy(value, d, kept);
  keep_document(block, key, value);
  json_decref(value);
}

/* A failed synthesis (status other than "ok") has no figures and must not replace an earlier
 * area. */
static void add_area(json_t *blocks, const json_t *d) {
  static const char *const kept[] = {"sources", "tools",  "target",          "params",           "cells",  "flipflops",
                                     "um2",     "ge",     "macros",          "macros_um2",       "luts",   "rams",
                                     "dsps",    "method", "longest_path_ns", "longest_path_fo4", "scaled", "paper",
                                     "budget",  NULL};
  const char *status = fact_text(d, "status");
  if (!status || strcmp(status, "ok") == 0) add_as(blocks, d, "area", kept);
}

/* A comparison of guided with unguided stimulus is a document of `cover`, too. */
static void add_coverage(json_t *blocks, const json_t *d) {
  static const char *const kept[] = {"sources", "tools",      "params", "runs",    "cycles", "line",
                                     "toggle",  "functional", "misses", "waivers", "ranked", NULL};
  static const char *const compared[] = {"params", "points", "cycles", "seeds", "curve", NULL};
  if (json_is_object(json_object_get(d, "line"))) add_as(blocks, d, "coverage", kept);
  if (json_is_array(json_object_get(d, "curve"))) add_as(blocks, d, "guided", compared);
}

/* The document has sums in `total`; here they are members of `faults` itself. */
static void add_faults(json_t *blocks, const json_t *d) {
  static const char *const kept[] = {"params", "tools", "registers", NULL}, *const classes[] = {"flips",  "masked",
                                                                                                "own",    "lockstep",
                                                                                                "silent", NULL};
  json_t *block = block_of(blocks, fact_text(d, "block")), *value = json_object();
  if (block) {
    facts_copy(value, d, kept);
    facts_copy(value, json_object_get(d, "total"), classes);
    keep_document(block, "faults", value);
  }
  json_decref(value);
}

/* The latest check with default parameters has the ports to show, else the first of any. */
static void add_ports(json_t *blocks, const json_t *d) {
  json_t *block = block_of(blocks, fact_text(d, "block")), *ports = json_object_get(d, "ports"),
         *check = json_object_get(block, "check");
  if (json_is_object(check) && json_is_object(json_object_get(d, "tools")))
    json_object_set(check, "tools", json_object_get(d, "tools"));
  if (!block || !json_is_array(ports) || (json_is_array(json_object_get(block, "ports")) && !is_default(d))) return;
  json_object_set(block, "ports", ports);
  json_object_set(block, "ports_params", json_object_get(d, "params"));
}

/* Calls add() for each block in a document's lists, or for the document itself. */
static void add_each(json_t *blocks, const json_t *d, void (*add)(json_t *, const json_t *)) {
  static const char *const lists[] = {"blocks", "sweep"};
  size_t i;
  const json_t *one;
  bool several = false;
  for (size_t k = 0; k < 2; k++) json_array_foreach(json_object_get(d, lists[k]), i, one) {
      several = true;
      add(blocks, one);
    }
  if (!several) add(blocks, d);
}

/* verb: as the database has it, or as a schema has it ("cover/1"). A document with `rtl` is of
 * other RTL (--rtl). */
static void add_document(json_t *blocks, const char *verb, const json_t *d) {
  if (fact_text(d, "rtl")) return; /* RTL of another folder is not the block's */
  static const struct {
    const char *verb;
    void (*add)(json_t *, const json_t *);
  } verbs[] = {{"check", add_ports}, {"mutate", add_mutation}, {"prove", add_proofs},
               {"area", add_area},   {"cover", add_coverage},  {"faults", add_faults}};
  for (size_t i = 0; verb && i < sizeof verbs / sizeof *verbs; i++)
    if (strncmp(verb, verbs[i].verb, strcspn(verb, "/")) == 0) add_each(blocks, d, verbs[i].add);
}

/* Copies the versions of the tools to each part of a document, because parts are shown alone. */
static void spread_tools(json_t *d) {
  static const char *const parts[] = {"blocks", "sweep"};
  json_t *tools = json_object_get(json_object_get(d, "content"), "tools"), *one;
  size_t i;
  if (!json_is_object(tools)) return;
  json_object_set(d, "tools", tools);
  for (size_t k = 0; k < 2; k++)
    json_array_foreach(json_object_get(d, parts[k]), i, one) if (json_is_object(one))
        json_object_set(one, "tools", tools);
}

/* The latest document of each command, in the order of their jobs. */
static bool gather_documents(json_t *blocks, struct sqlite3 *db, const facts_sources_t *sources) {
  json_t *rows = question(
      db,
      "SELECT verb, result AS result_json FROM job WHERE id IN (SELECT MAX(id) FROM job WHERE state = 'done' AND "
      "result IS NOT NULL"
      " AND verb IN ('mutate', 'prove', 'area', 'cover', 'faults') AND id NOT IN temp.stale GROUP BY key UNION"
      " SELECT MAX(id) FROM job WHERE state = 'done' AND verb = 'check' AND json_valid(result) AND id NOT IN temp.stale"
      " GROUP BY json_extract(CASE WHEN json_valid(result) THEN result END, '$.block'),"
      " json_extract(CASE WHEN json_valid(result) THEN result END, '$.params')) ORDER BY id");
  size_t i;
  json_t *row;
  json_array_foreach(rows, i, row) {
    json_t *document = json_object_get(row, "result");
    facts_drop_stale(document, fact_text(row, "verb"), sources);
    spread_tools(document);
    add_document(blocks, fact_text(row, "verb"), document);
  }
  bool ok = rows != NULL;
  json_decref(rows);
  return ok;
}

/* All results of area and power, also of other sources. */
static bool gather_hardware(json_t *blocks, struct sqlite3 *db, const facts_sources_t *sources) {
  json_t *hardware = hardware_gather(db, sources), *results;
  const char *name;
  json_object_foreach(hardware, name, results) json_object_set(block_of(blocks, name), "hardware", results);
  bool ok = hardware != NULL;
  json_decref(hardware);
  return ok;
}

/* Documents from outside the database name their verb in the schema: "lockstack.cover/1". */
static void add_documents(json_t *blocks, const json_t *documents) {
  static const char prefix[] = "lockstack.";
  size_t i;
  const json_t *d;
  json_array_foreach(documents, i, d) {
    const char *schema = fact_text(d, "schema");
    if (schema && strncmp(schema, prefix, sizeof prefix - 1) == 0) add_document(blocks, schema + sizeof prefix - 1, d);
  }
}

/* Chooses documents and removes what was needed only while gathering. */
static void finish_block(json_t *block) {
  static const char *const chosen[] = {"mutation", "area", "coverage", "guided", "faults"};
  json_t *proofs = json_object_get(block, "proofs");
  for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) choose_document(block, chosen[i]);
  if (json_is_object(proofs)) json_object_del(proofs, "document");
}

/* Families stay together, in the order in which the list first names them. Blocks without a
 * family come last. */
static json_t *by_family(json_t *blocks) {
  json_t *families = json_object(), *none = json_array(), *list = json_array(), *block, *members;
  const char *name;
  json_object_foreach(blocks, name, block) {
    const char *family = fact_text(block, "family");
    if (family && !json_object_get(families, family)) json_object_set_new(families, family, json_array());
    json_array_append(family ? json_object_get(families, family) : none, block);
  }
  json_object_foreach(families, name, members) json_array_extend(list, members);
  json_array_extend(list, none);
  json_decref(families);
  json_decref(none);
  return list;
}

/* Documents of the database come first, so that those of the caller win. */
json_t *facts_blocks(struct sqlite3 *db, const facts_sources_t *sources) {
  json_t *blocks = json_object(), *list, *block;
  size_t i;
  const char *name;
  const json_t *entry;
  json_array_foreach(sources->blocks, i, entry)
      json_object_set_new(blocks, fact_text(entry, "name"), listed_block(entry, sources));
  bool ok = !db || (gather_checks(blocks, db) && gather_documents(blocks, db, sources) &&
                    gather_hardware(blocks, db, sources));
  add_documents(blocks, sources->documents);
  json_object_foreach(blocks, name, block) finish_block(block);
  list = by_family(blocks);
  json_decref(blocks);
  if (ok) return list;
  json_decref(list);
  return NULL;
}
