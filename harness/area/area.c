/* SPDX-License-Identifier: Apache-2.0
 *
 * The areas of cells are those of the LEF file: the Liberty file of osu018 is wrong about three of them.
 */
#include "area.h"
#include "script.h"
#include "tool.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PROOF_PATH fail when they are opened */

#define OSU018 "/usr/share/qflow/tech/osu018/osu018_stdcells"

const area_target_t area_targets[] = {
    {"osu018", "qflow-tech-osu018", OSU018 ".lib", OSU018 ".lef", 180},
    {0},
};

/* ---- the script: synth/cells.ys.in, and what is printed after it */

static char *template_text(const area_job_t *j) {
  char path[PROOF_PATH];
  snprintf(path, sizeof path, "%s/synth/cells.ys.in", j->source);
  return tool_read(path);
}

static char *packages_text(const area_job_t *j) {
  char *text = NULL;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  if (!file) return NULL;
  yosys_print_each(file, j->gen, "*_pkg.sv", " ");
  fclose(file);
  return text;
}

static char *params_text(const area_job_t *j) {
  char *text = NULL;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  if (!file) return NULL;
  yosys_print_params(file, j->params);
  fclose(file);
  return text;
}

static bool fill(const area_job_t *j, const char *work, FILE *file, char *error, size_t size) {
  char rtl[PROOF_PATH], libdirs[3 * PROOF_PATH];
  char *text = template_text(j), *packages = packages_text(j), *params = params_text(j);
  snprintf(rtl, sizeof rtl, "%s/rtl/%s/%s.sv", j->source, j->family, j->block);
  snprintf(libdirs, sizeof libdirs, " -libdir %s/rtl/%s -libdir %s/rtl/lib", j->source, j->family, j->source);
  const script_word_t words[] = {{"TOP", j->block}, {"GEN", j->gen}, {"PACKAGES", packages}, {"RTL", rtl}, {"LIBDIRS", libdirs},
                                 {"PARAMS", params}, {"LIBERTY", j->target->liberty}, {"WORK", work}, {0}};
  bool ok = text && packages && params;
  if (!ok) snprintf(error, size, "%s/synth/cells.ys.in: %s", j->source, strerror(errno));
  ok = ok && script_fill(file, text, words, error, size);
  free(text), free(packages), free(params);
  return ok;
}

static answer_t write_script(const area_job_t *j, const char *work, char *error, size_t size) {
  FILE *file = yosys_open(work, "area", error, size);
  if (!file) return ANSWER_INFRA;
  bool filled = fill(j, work, file, error, size);
  fprintf(file, "tee -q -o %s/macros.txt dump t:*sram_*\ntee -q -o %s/cells.txt stat\n", work, work);
  bool ok = !ferror(file);
  if (fclose(file) == 0 && ok) return filled ? ANSWER_HOLDS : ANSWER_INFRA;
  snprintf(error, size, "%s: cannot write: %s", work, strerror(errno));
  return ANSWER_INFRA;
}

/* ---- the hash: FNV-1a, 64 bits */

static uint64_t hash_text(uint64_t hash, const char *text) {
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
  return (hash ^ 0xff) * 0x100000001b3u; /* so that "a", "bc" differs from "ab", "c" */
}

static uint64_t hash_files(uint64_t hash, const char *folder, const char *pattern) {
  char whole[PROOF_PATH];
  glob_t found;
  snprintf(whole, sizeof whole, "%s/%s", folder, pattern);
  if (glob(whole, 0, NULL, &found)) return hash;
  for (size_t i = 0; i < found.gl_pathc; i++) {
    char *text = tool_read(found.gl_pathv[i]);
    hash = hash_text(hash_text(hash, found.gl_pathv[i]), text ? text : "");
    free(text);
  }
  globfree(&found);
  return hash;
}

/* Whatever Yosys may read, and its script. */
static uint64_t hash_job(const area_job_t *j) {
  char family[PROOF_NAME + 16];
  char *script = template_text(j);
  uint64_t hash = hash_text(hash_text(hash_text(0xcbf29ce484222325u, j->block), j->params), script ? script : "");
  free(script);
  snprintf(family, sizeof family, "rtl/%s/*.sv*", j->family);
  hash = hash_files(hash_files(hash, j->source, family), j->source, "rtl/lib/*.sv*");
  hash = hash_files(hash_files(hash, j->gen, "*_pkg.sv"), j->gen, "*.svh");
  char *liberty = tool_read(j->target->liberty);
  hash = hash_text(hash, liberty ? liberty : "");
  free(liberty);
  return hash;
}

/* ---- what Yosys said */

/* um2 of a cell: "MACRO X" ... "SIZE w BY h ;". Below 0: not in the file. */
static double cell_um2(const char *lef, const char *cell) {
  char name[256];
  double width, height;
  for (const char *at = lef; (at = strstr(at, "\nMACRO "));) {
    const char *size = strstr(at += 7, "SIZE ");
    if (size && sscanf(at, "%255s", name) == 1 && strcmp(name, cell) == 0)
      return sscanf(size, "SIZE %lf BY %lf", &width, &height) == 2 ? width * height : -1;
  }
  return -1;
}

static bool read_cells(area_t *a, char *text, const char *lef, char *error, size_t size) {
  char *rest, name[256];
  unsigned long count;
  char *from = strstr(text, "Number of cells:");
  if (from) from += strcspn(from, "\n");
  for (char *line = from ? strtok_r(from, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
    if (sscanf(line, " %255s %lu", name, &count) != 2 || strncmp(name, "sram_", 5) == 0) continue;
    double um2 = cell_um2(lef, name);
    if (um2 < 0) {
      snprintf(error, size, "%s is no cell of the target: the block was not mapped wholly", name);
      return false;
    }
    a->cells += count;
    a->flipflops += strncmp(name, "DFF", 3) == 0 ? count : 0;
    a->um2 += um2 * (double)count;
  }
  if (!from) snprintf(error, size, "Yosys printed no cells");
  return from;
}

/* "32" or "32'0101" */
static unsigned long value_of(const char *text) {
  const char *quote = strchr(text, '\'');
  return quote ? strtoul(quote + 1, NULL, 2) : strtoul(text, NULL, 10);
}

static bool read_macros(area_t *a, char *text, char *error, size_t size) {
  char *rest, name[256], value[256];
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    area_macro_t *m = &a->macros[a->num_macros ? a->num_macros - 1 : 0];
    if (sscanf(line, " cell %*s \\%255s", name) == 1) {
      if (a->num_macros == AREA_MACROS) {
        snprintf(error, size, "more than %d macros", AREA_MACROS);
        return false;
      }
      strcpy(a->macros[a->num_macros++].name, name);
    } else if (sscanf(line, " parameter signed \\%255s %255s", name, value) == 2 ||
               sscanf(line, " parameter \\%255s %255s", name, value) == 2) {
      if (strcmp(name, "Width") == 0) m->width = value_of(value);
      if (strcmp(name, "Depth") == 0) m->rows = value_of(value);
    }
  }
  for (unsigned i = 0; i < a->num_macros; i++)
    if (!a->macros[i].rows || !a->macros[i].width) {
      snprintf(error, size, "macro %.200s: Width and Depth should be given where it is used", a->macros[i].name);
      return false;
    }
  return true;
}

/* abc's last "Delay = 743.03 ps"; a block without logic between registers has none. */
static double read_path(const char *text) {
  double ps = -1000;
  for (const char *at = text; (at = strstr(at, "Delay =")); at++) sscanf(at, "Delay = %lf", &ps);
  return ps / 1000;
}

static char *read_text(const char *work, const char *name, char *error, size_t size) {
  char path[PROOF_PATH];
  snprintf(path, sizeof path, "%s/%s", work, name);
  char *text = tool_read(path);
  if (!text) snprintf(error, size, "%s: %s", path, strerror(errno));
  return text;
}

static answer_t read_results(const area_job_t *j, const char *work, area_t *a, char *error, size_t size) {
  char *cells = read_text(work, "cells.txt", error, size), *macros = read_text(work, "macros.txt", error, size);
  char *abc = read_text(work, "abc.txt", error, size), *lef = tool_read(j->target->lef);
  bool ok = cells && macros && abc && lef, good = false;
  if (ok) a->path_ns = read_path(abc);
  if (ok) good = read_cells(a, cells, lef, error, size) && read_macros(a, macros, error, size);
  free(cells), free(macros), free(abc), free(lef);
  return good ? ANSWER_HOLDS : ok ? ANSWER_BAD : ANSWER_INFRA;
}

/* ---- one block */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The last file to be written says that the others are whole, and how long they took. */
static answer_t synthesise(const area_job_t *j, const char *work, const char *done, area_t *a, char *error,
                           size_t size) {
  double start = now();
  if (!tool_folder(work)) {
    snprintf(error, size, "%s: cannot make this folder: %s", work, strerror(errno));
    return ANSWER_INFRA;
  }
  answer_t answer = write_script(j, work, error, size);
  if (answer == ANSWER_HOLDS) answer = yosys_run(j->stop, j->context, work, "area", error, size);
  if (answer == ANSWER_UNKNOWN) snprintf(error, size, "%s: synthesis takes more than %d s", j->block, YOSYS_SECONDS);
  if (answer != ANSWER_HOLDS) return answer;
  a->seconds = now() - start;
  FILE *file = fopen(done, "w");
  bool ok = file && fprintf(file, "%.3f\n", a->seconds) > 0;
  if (file && fclose(file) == 0 && ok) return ANSWER_HOLDS;
  snprintf(error, size, "%s: cannot write: %s", done, strerror(errno));
  return ANSWER_INFRA;
}

answer_t area_measure(const area_job_t *j, area_t *a, char *error, size_t size) {
  char work[PROOF_PATH], done[PROOF_PATH];
  *a = (area_t){.path_ns = -1};
  if (access(j->target->liberty, R_OK) || access(j->target->lef, R_OK) || !tool_there("yosys")) {
    snprintf(error, size, "%s is not installed: packages.txt has what synthesis needs",
             tool_there("yosys") ? j->target->package : "yosys");
    return ANSWER_INFRA;
  }
  snprintf(work, sizeof work, "%s/%s-%016" PRIx64, j->cache, j->block, hash_job(j));
  snprintf(done, sizeof done, "%s/seconds", work);
  char *text = tool_read(done);
  a->cached = text && sscanf(text, "%lf", &a->seconds) == 1;
  free(text);
  answer_t answer = a->cached ? ANSWER_HOLDS : synthesise(j, work, done, a, error, size);
  return answer == ANSWER_HOLDS ? read_results(j, work, a, error, size) : answer;
}
