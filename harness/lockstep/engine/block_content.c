/* SPDX-License-Identifier: Apache-2.0 */
#include "block_content.h"

#include "cells.h"
#include "file.h"
#include "fingerprint.h"
#include "judged.h"
#include "vhdl.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

/* Inputs of each kind, and the tools that make or judge it. */
static const struct {
  const char *kind;
  fingerprint_of_t of;
  const char *tools[5];
} kinds[] = {{"rtl+cov", FINGERPRINT_CHECK, {"verilator", "gcc"}},
             {"cover", FINGERPRINT_COVER, {"verilator", "gcc", "yosys", "z3"}},
             {"mutate", FINGERPRINT_MUTATE, {"yosys", "z3", "verilator", "gcc"}},
             {"prove", FINGERPRINT_PROVE, {"yosys", "z3"}},
             {"area", FINGERPRINT_HARDWARE, {"yosys"}},
             {"timing", FINGERPRINT_HARDWARE, {"yosys", "verilator", "sta"}},
             {"netlist", FINGERPRINT_CHECK, {"yosys", "verilator", "gcc"}},
             {"power", FINGERPRINT_CHECK, {"yosys", "verilator", "gcc", "sta"}},
             {"cxxrtl", FINGERPRINT_CHECK, {"yosys", "gcc"}},
             {"icarus", FINGERPRINT_CHECK, {"iverilog", "gcc"}},
             {"emitted", FINGERPRINT_CHECK, {"verilator", "gcc"}},
             {"model", FINGERPRINT_CHECK, {"gcc"}},
             {"rtl", FINGERPRINT_CHECK, {"verilator", "gcc"}}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Index of a kind by the name before a "+". */
static unsigned kind_of(const char *name) {
  unsigned k = 0;
  while (k + 1 < KINDS && strncmp(name, kinds[k].kind, strlen(kinds[k].kind))) k++;
  return k;
}

typedef struct {
  content_t *into;
  trouble_t *trouble;
  bool ok;
} noting_t;

static void note(void *context, const char *path, bool there) {
  noting_t *n = context;
  if (!there) content_note_none(n->into, path);
  else n->ok = content_note(n->into, path, n->trouble) && n->ok;
}

static void note_all(noting_t *n, const char *folder, const char *pattern) {
  char path[BUILD_PATH];
  struct stat info;
  glob_t found;
  snprintf(path, sizeof path, "%s/%s", folder, pattern);
  if (glob(path, 0, NULL, &found)) return;
  for (size_t i = 0; i < found.gl_pathc; i++)
    if (stat(found.gl_pathv[i], &info) == 0 && S_ISREG(info.st_mode)) note(n, found.gl_pathv[i], true);
  globfree(&found);
}

/* Notes the parts of the tree that make a device. */
static void note_makers(noting_t *n, const places_t *places) {
  static const char *const patterns[] = {"harness/lockstep/objects/*.[ch]", "harness/lockstep/dut/*.[ch]",
                                         "harness/lockstep/dut/*.cpp",      "harness/lockstep/dut/*.awk",
                                         "harness/lockstep/dut/python/*",   "harness/lockstep/dut/protocol/*",
                                         "harness/lockstep/dut/toggle/*"};
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) note_all(n, places->source, patterns[i]);
  note_all(n, places->objects, "portgen");
}

static bool has_cells(const char *kind) {
  return kinds[kind_of(kind)].of == FINGERPRINT_HARDWARE || strncmp(kind, "netlist", 7) == 0 ||
         strcmp(kind, "power") == 0;
}

static void note_cells(noting_t *n, const places_t *places, const char *choice) {
  static const char *const patterns[] = {"synth/*.ys.in", "synth/*.tcl", "synth/large.def"};
  char path[BUILD_PATH];
  cells_t cells;
  trouble_t trouble;
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) note_all(n, places->source, patterns[i]);
  /* the code that reads the cells reports the error */
  if (!cells_choose(&cells, places->source, choice, &trouble)) return;
  if (*cells.file) note(n, cells.file, true);
  for (const char *at = cells.files; rtl_next(&at, path, sizeof path);) note(n, path, access(path, F_OK) == 0);
}

/* Files that would become part of a block outside of the tree if they existed. */
static void note_own(noting_t *n, const block_t *block) {
  static const char *const endings[] = {".yaml", ".sv", ".v", "_stim.c"};
  char path[BUILD_PATH];
  for (size_t i = 0; *block->folder && i < sizeof endings / sizeof *endings; i++) {
    snprintf(path, sizeof path, "%s/%s%s", block->folder, block->name, endings[i]);
    if (access(path, F_OK)) content_note_none(n->into, path);
  }
}

/* RTL of another folder comes before the block's own. */
static bool note_instead(noting_t *n, const block_t *block, const places_t *places, fingerprint_of_t of,
                         trouble_t *trouble) {
  block_t beside = *block;
  if (!*block->instead) return true;
  note_all(n, block->instead, "*.*");
  snprintf(beside.rtl, sizeof beside.rtl, "%s%s", block->beside, strrchr(block->rtl, '/'));
  return block_files(&beside, places, of, note, n, trouble);
}

bool block_content(const block_t *block, const places_t *places, const char *kind, content_t *into,
                   trouble_t *trouble) {
  noting_t n = {into, trouble, true};
  const fingerprint_of_t of = kinds[kind_of(kind)].of;
  if (!block_files(block, places, of, note, &n, trouble) || !note_instead(&n, block, places, of, trouble)) return false;
  note_own(&n, block);
  if (of != FINGERPRINT_PROVE && of != FINGERPRINT_HARDWARE) note_makers(&n, places);
  if (has_cells(kind)) note_cells(&n, places, block->cells);
  return n.ok && (!into->failed || trouble_memory(trouble));
}

/* Notes the files also under the folder's name as given, which may be a link that changes. */
static void judge_given(const block_t *block, const char *given, const content_t *content) {
  char path[BUILD_PATH];
  for (size_t i = 0; i < content->count; i++) {
    const content_file_t *file = &content->files[i];
    const char *name = file_within(file->path, block->folder);
    if (!name || !strcmp(file->sum, CONTENT_NONE)) continue;
    snprintf(path, sizeof path, "%s/%s", given, name);
    judged_file(path);
  }
}

/* Cells are not part of any block's sources. */
static void judge_cells(const block_t *block, const places_t *places) {
  char path[BUILD_PATH];
  cells_t cells;
  trouble_t trouble;
  if (!cells_choose(&cells, places->source, block->cells, &trouble)) return;
  for (const char *at = cells.files; rtl_next(&at, path, sizeof path);) judged_option(path);
}

/* A model in Python also depends on the Python interpreter. */
static void judge_python(const block_t *block) {
  char path[BUILD_PATH];
  snprintf(path, sizeof path, "%s/%s.py", block->folder, block->name);
  if (*block->folder && access(path, F_OK) == 0) judged_tool("python3");
}

void block_judged(const block_t *block, const places_t *places, const char *kind, const char *given) {
  content_t content = {0};
  trouble_t trouble;
  if (!judged_wanted()) return;
  if (!block_content(block, places, kind, &content, &trouble)) judged_unknown();
  judged_add(&content);
  if (given && strcmp(given, block->folder)) judge_given(block, given, &content);
  for (const char *const *tool = kinds[kind_of(kind)].tools; *tool; tool++) judged_tool(*tool);
  if (vhdl_is(&block->read)) judged_tool("ghdl");
  judge_python(block);
  /* `area` reports its own choice of cells */
  if (has_cells(kind) && kinds[kind_of(kind)].of == FINGERPRINT_CHECK) judge_cells(block, places);
  content_free(&content);
}
