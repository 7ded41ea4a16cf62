/* SPDX-License-Identifier: Apache-2.0
 *
 * One synthesis is a script from a template of synth/, a run of Yosys, and text files that
 * area_read.h reads.
 *
 *   area_params --> key --> kept? --yes--> read_results
 *                              |                ^
 *                              no               |
 *                              v                |
 *                     lock, work folder --> Yosys --> published under the key's name
 *
 * By parts: the block is synthesised with its parts as black boxes. Each part is synthesised
 * alone with its exact parameters, once however often the block has it. A part has a key and a
 * kept result of its own.
 */
#include "area.h"
#include "area_keep.h"
#include "area_key.h"
#include "area_named.h"
#include "area_read.h"
#include "clock.h"
#include "file.h"
#include "port_params.h"
#include "process.h"
#include "script.h"
#include "verilator.h"
#include "whole.h"
#include "work.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PROOF_PATH fail when they are opened */

/* How often a synthesis may find its own inputs changed while it ran. */
enum { TRIES = 5 };

/* Name, no cells, Yosys' command, then what names of cells start with: LUTs, flip-flops, RAMs,
 * DSPs, and the cells that count as a level of a path. */
static const area_target_t fpgas[] = {
    {"ice40", NULL, "synth_ice40", "SB_LUT4", "SB_DFF", "SB_RAM40 SB_SPRAM", "SB_MAC16", "t:SB_LUT4 t:SB_CARRY"},
    {"ecp5", NULL, "synth_ecp5", "LUT4", "TRELLIS_FF", "DP16KD PDPW16KD", "MULT18X18D",
     "t:LUT4 t:PFUMX t:L6MUX21 t:CCU2C"},
    {"xilinx", NULL, "synth_xilinx -noiopad -noclkbuf", "LUT", "FD", "RAMB", "DSP48", "t:LUT* t:MUXF* t:CARRY4"},
    {0},
};

/* large: by parts unless --flat. broad: synthesised with fewer optimisations (BRIEF in
 * synth/cells.ys.in). */
static const char *const large[] = {
#define LARGE(block) block,
#include "large.def"
    NULL};
static const char *const broad[] = {
#define BROAD(block) block,
#include "large.def"
    NULL};

const area_target_t *area_fpga(const char *name) {
  for (const area_target_t *t = fpgas; t->name; t++)
    if (strcmp(t->name, name) == 0) return t;
  return NULL;
}

bool area_is_fpga(const area_target_t *target) {
  return !target->cells;
}

static bool is_one_of(const char *const *blocks, const char *block) {
  for (; *blocks; blocks++)
    if (strcmp(*blocks, block) == 0) return true;
  return false;
}

bool area_by_parts(const area_job_t *j) {
  if (j->own) return false;
  return j->method == AREA_BY_PARTS || (j->method == AREA_USUAL && is_one_of(large, j->block));
}

/* ---- the script: a template of synth/, and what is printed after it */

/* What Yosys reads where the template names a file and there is none: RTL outside of the tree sees
 * no package of it. */
#define EMPTY_FILE "empty.sv"

enum { WORD_PACKAGES, WORD_PARAMS, WORD_PARTS, WORD_BOXES, WORD_READ, WORD_LIBDIRS, WORDS };

typedef struct {
  char *text[WORDS];
  size_t size;
} words_t;

static const char *script_name(const area_target_t *t) {
  return area_is_fpga(t) ? "synth/fpga.ys.in" : "synth/cells.ys.in";
}

/* The caller frees the text. NULL: errno. */
static char *template_text(const area_job_t *j) {
  char path[PROOF_PATH];
  snprintf(path, sizeof path, "%s/%s", j->source, script_name(j->target));
  return file_read(path);
}

/* Every block with a port file in the family or in lib is a possible part. Memories are not:
 * they stay macros. */
static void print_parts(const area_job_t *j, FILE *files, FILE *boxes) {
  char pattern[PROOF_PATH];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/rtl/{%s,lib}/*.ports", j->source, j->family);
  if (glob(pattern, GLOB_BRACE, NULL, &found)) return;
  fprintf(files, "read_verilog -sv -lib");
  for (size_t i = 0; i < found.gl_pathc; i++) {
    const char *path = found.gl_pathv[i], *stem = strrchr(path, '/') + 1;
    int length = (int)strcspn(stem, ".");
    bool self = strncmp(stem, j->block, (size_t)length) == 0 && !j->block[length];
    if (self || strncmp(stem, "sram_", 5) == 0) continue;
    fprintf(files, " %.*s.sv", (int)(stem - path) + length, path);
    fprintf(boxes, " t:%.*s", length, stem);
  }
  fprintf(files, "\n");
  globfree(&found);
}

/* Writes what @READ@ and @LIBDIRS@ of the template stand for. */
static void print_rtl(const area_job_t *j, FILE *read, FILE *libdirs) {
  static const char *const instead[2] = {NULL};
  if (j->own) {
    yosys_print_rtl(read, j->own, instead);
    yosys_print_libraries(libdirs, j->own);
    return;
  }
  fprintf(read, "-sv %s/rtl/%s/%s.sv", j->source, j->family, j->block);
  fprintf(libdirs, " -libdir %s/rtl/%s -libdir %s/rtl/lib", j->source, j->family, j->source);
}

/* A block of the tree gets those parameters only that its RTL does not have by itself. */
static void print_params(const area_job_t *j, const char *params, FILE *file) {
  if (!j->own) {
    yosys_print_params(file, params, j->block);
    return;
  }
  yosys_print_top(file, j->block, params);
  yosys_print_libraries(file, j->own);
  yosys_print_top_end(file, j->block);
}

/* Makes the texts for the template's places. The caller frees w->text, also after a failure. */
static bool make_words(const area_job_t *j, bool by_parts, const char *params, const char *work, words_t *w) {
  FILE *files[WORDS] = {NULL};
  bool ok = true;
  for (unsigned i = 0; i < WORDS; i++) ok = (files[i] = open_memstream(&w->text[i], &w->size)) && ok;
  if (ok) {
    if (!j->own) yosys_print_each(files[WORD_PACKAGES], j->gen, "*_pkg.sv", " ");
    else fprintf(files[WORD_PACKAGES], " %s/" EMPTY_FILE, work);
    print_params(j, params, files[WORD_PARAMS]);
    if (by_parts) print_parts(j, files[WORD_PARTS], files[WORD_BOXES]);
    print_rtl(j, files[WORD_READ], files[WORD_LIBDIRS]);
  }
  for (unsigned i = 0; i < WORDS; i++) ok = files[i] && fclose(files[i]) == 0 && ok;
  return ok;
}

/* Names of the files that Yosys writes about a block; NULL ends the list. */
static const char *const *yosys_lists(const area_target_t *t) {
  static const char *const cells[] = {"cells.txt", "boxes.txt", "abc.txt", NULL}, *const fpga[] = {"cells.txt",
                                                                                                   "boxes.txt",
                                                                                                   "levels.txt", NULL};
  return area_is_fpga(t) ? fpga : cells;
}

static bool write_empty(const char *work) {
  char path[PROOF_PATH];
  snprintf(path, sizeof path, "%s/" EMPTY_FILE, work);
  FILE *file = fopen(path, "w");
  return file && fclose(file) == 0;
}

/* Writes the filled template, then commands that list the black boxes and the cells. */
static bool fill_area_script(const area_job_t *j, bool by_parts, const char *params, const char *work, FILE *file,
                             trouble_t *trouble) {
  char memories[PROOF_PATH], liberty[PROOF_PATH], constraints[PROOF_PATH];
  char *text = template_text(j);
  words_t w = {.text = {NULL}};
  const area_target_t *t = j->target;
  snprintf(memories, sizeof memories, "%s/rtl/lib/sram_1r1w.sv", j->source);
  if (j->own && rtl_finds(j->own, "sram_1r1w", memories)) snprintf(memories, sizeof memories, "%s/" EMPTY_FILE, work);
  snprintf(liberty, sizeof liberty, "%s/cells.lib", work);
  snprintf(constraints, sizeof constraints, "%s/cells.constr", work);
  static const char comment[] = "# ";
  bool ok = write_empty(work) && make_words(j, by_parts, params, work, &w) && text,
       brief = !j->own && is_one_of(broad, j->block);
  const script_word_t words[] = {{"TOP", j->block},
                                 {"GEN", j->own ? work : j->gen},
                                 {"PACKAGES", w.text[WORD_PACKAGES]},
                                 {"READ", w.text[WORD_READ]},
                                 {"LIBDIRS", w.text[WORD_LIBDIRS]},
                                 {"PARAMS", w.text[WORD_PARAMS]},
                                 {"PARTS", w.text[WORD_PARTS]},
                                 {"LIBERTY", liberty},
                                 {"DRIVER", constraints},
                                 {"WORK", work},
                                 {"MEMORIES", memories},
                                 {"SYNTH", t->synth},
                                 {"LOGIC", t->logic},
                                 {"THOROUGH", brief ? comment : ""},
                                 {"BRIEF", brief ? "" : comment},
                                 {0}};
  if (!ok) trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s/%s: %s", j->source, script_name(t), strerror(errno));
  ok = ok && script_fill(file, text, words, trouble);
  fprintf(file, "tee -q -o %s/boxes.txt dump t:*sram_*%s\ntee -q -o %s/cells.txt stat\n", work,
          ok ? w.text[WORD_BOXES] : "", work);
  for (const char *const *name = yosys_lists(t); *name; name++) yosys_writes(file, work, *name);
  for (unsigned i = 0; i < WORDS; i++) free(w.text[i]);
  free(text);
  return ok;
}

/* Finds the parameters to set. In the tree, Yosys says what the RTL has by itself. Outside, all
 * are set, and Verilator says whether they arrive. `rtl` is the RTL file for the one, the XML
 * file for the other. */
static answer_t own_params(const area_job_t *j, const char *params, const char *work, char *other, size_t other_size,
                           trouble_t *trouble) {
  char rtl[PROOF_PATH];
  const yosys_module_t module = {.work = work,
                                 .source = j->source,
                                 .gen = j->gen,
                                 .rtl = rtl,
                                 .module = j->block,
                                 .options = "-DSYNTHESIS",
                                 .stop = j->stop,
                                 .context = j->context};
  snprintf(rtl, sizeof rtl, "%s/rtl/%s/%s.sv", j->source, j->family, j->block);
  if (!j->own) return yosys_other_params(&module, params, other, other_size, trouble);
  if (!rtl_named_params(j->own, params, other, other_size))
    return trouble_set(trouble, TROUBLE_INPUT, "%s: too many parameters", j->ports), ANSWER_BAD;
  snprintf(rtl, sizeof rtl, "%s/parameters.xml", work);
  const verilator_xml_t all = {
      .rtl = j->own, .source = j->source, .library = "", .module = j->block, .work = work, .xml = rtl};
  return verilator_arrived(&all, j->ports, j->params, trouble);
}

/* Writes the library into `work`. Each synthesis has its own files, so that no two runs share
 * one. */
static answer_t write_cells(const area_target_t *t, const char *work, trouble_t *trouble) {
  static const char *const names[] = {"cells.lib", "cells.constr"};
  char path[PROOF_PATH];
  bool ok = true;
  for (unsigned i = 0; ok && i < 2; i++) {
    snprintf(path, sizeof path, "%s/%s", work, names[i]);
    FILE *file = fopen(path, "w");
    ok = file && (i ? cells_print_constraints(t->cells, file) : fputs(t->cells->library.text, file) >= 0);
    if (file && fclose(file)) ok = false;
  }
  if (!ok) trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", path, strerror(errno));
  return ok ? ANSWER_HOLDS : ANSWER_INFRA;
}

/* HOLDS: work/area.ys is complete. */
static answer_t write_script(const area_job_t *j, bool by_parts, const char *all, const char *work,
                             trouble_t *trouble) {
  char params[PORT_PARAMS_TEXT];
  const answer_t known = own_params(j, all, work, params, sizeof params, trouble);
  if (known != ANSWER_HOLDS) return known;
  if (!area_is_fpga(j->target) && write_cells(j->target, work, trouble) != ANSWER_HOLDS) return ANSWER_INFRA;
  FILE *file = yosys_open(work, "area", trouble);
  if (!file) return ANSWER_INFRA;
  const bool filled = fill_area_script(j, by_parts, params, work, file, trouble);
  if (filled) return yosys_close(file, work, trouble);
  fclose(file);
  return ANSWER_INFRA; /* trouble says what is wrong with the template */
}

/* ---- what Yosys said */

/* work/NAME, which the caller frees. NULL: trouble says why. */
static char *read_yosys_list(const char *work, const char *name, trouble_t *trouble) {
  char path[PROOF_PATH];
  snprintf(path, sizeof path, "%s/%s", work, name);
  char *text = file_read(path);
  if (!text) trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", path, strerror(errno));
  return text;
}

typedef struct {
  const area_t *area;
  const area_target_t *target;
} boxes_t;

/* Memories and parts are in `stat`, too, but are no cells. */
static bool is_box(const void *context, const char *cell) {
  const boxes_t *boxes = context;
  const area_t *a = boxes->area;
  bool box = strncmp(cell, "sram_", 5) == 0 && !area_has_cell(boxes->target, cell);
  for (const area_part_t *p = a->parts; p < a->parts + a->num_parts; p++) box |= strcmp(p->block, cell) == 0;
  return box;
}

/* Reads what Yosys said, of this run or of a kept one. Lengths become the cells' unit (FO4 or
 * ns). */
static answer_t read_results(const area_job_t *j, const char *work, area_t *a, trouble_t *trouble) {
  bool fpga = area_is_fpga(j->target);
  char *cells = read_yosys_list(work, "cells.txt", trouble), *boxes = read_yosys_list(work, "boxes.txt", trouble);
  char *path = read_yosys_list(work, fpga ? "levels.txt" : "abc.txt", trouble);
  bool ok = cells && boxes && path, good = false;
  if (ok) a->path = fpga ? -1 : area_read_delay(path) / j->target->cells->path_ps;
  if (ok) a->path_levels = fpga ? area_read_levels(path) : -1;
  if (ok)
    good = area_read_boxes(a, boxes, j->target, trouble) &&
           area_read_cells(a, cells, j->target, is_box, &(boxes_t){a, j->target}, trouble);
  free(cells), free(boxes), free(path);
  if (!ok) return ANSWER_INFRA;
  return good ? ANSWER_HOLDS : ANSWER_BAD;
}

/* ---- one synthesis */

/* Yosys' own message says only that abc failed. The log of abc says which Liberty cell is at
 * fault. */
static void explain_abc_error(const char *work, trouble_t *trouble) {
  char path[PROOF_PATH];
  snprintf(path, sizeof path, "%s/abc.txt", work);
  char *text = file_read(path);
  liberty_explain(trouble, text);
  free(text);
}

/* Cells of the library that the RTL instantiates by name become black boxes, in a last library
 * folder. The block's own folders are searched first. */
static answer_t write_all(const area_job_t *j, bool by_parts, const char *params, const char *work,
                          trouble_t *trouble) {
  if (!j->own || area_is_fpga(j->target)) return write_script(j, by_parts, params, work, trouble);
  area_job_t job = *j;
  rtl_t *own = malloc(sizeof *own);
  if (!own) return trouble_memory(trouble), ANSWER_INFRA;
  *own = *j->own, job.own = own;
  answer_t answer = area_named(j, work, own, trouble);
  if (answer == ANSWER_HOLDS) answer = write_script(&job, by_parts, params, work, trouble);
  free(own);
  return answer;
}

/* Writes and runs the script. The times count the whole run, also one that fails. */
static answer_t synthesise(const area_job_t *j, bool by_parts, const char *params, const char *work, area_t *a,
                           trouble_t *trouble) {
  double start = clock_seconds(), cpu = clock_children();
  answer_t answer = write_all(j, by_parts, params, work, trouble);
  if (answer == ANSWER_HOLDS) answer = yosys_run_for(j->seconds, j->stop, j->context, work, "area", trouble);
  if (answer == ANSWER_BAD && !area_is_fpga(j->target)) explain_abc_error(work, trouble);
  if (answer == ANSWER_UNKNOWN)
    trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: synthesis takes more than %.0f s; --timeout gives it more", j->block,
                j->seconds);
  a->seconds = clock_seconds() - start, a->cpu_seconds = clock_children() - cpu;
  return answer;
}

/* True when the folder has a complete result of the present inputs; sets its times. */
static bool is_kept(const area_job_t *j, const char *folder, area_t *a) {
  const area_keep_t keep = {.files = yosys_lists(j->target)};
  return a->cached = area_keep_read(&keep, folder, &a->seconds, &a->cpu_seconds);
}

/* Waits while another process makes the same result. Returns a descriptor for drop_lock. -1: not
 * taken; errno is EINTR when stop() said so. */
static int take_lock(const area_job_t *j, const char *path) {
  int file;
  while ((file = whole_try_lock(path)) < 0 && errno == EWOULDBLOCK) {
    if (j->stop && j->stop(j->context)) return errno = EINTR, -1;
    clock_pause(100);
  }
  return file;
}

static void drop_lock(int file, const char *path) {
  unlink(path);
  close(file);
}

/* Asked once for each process. "unknown" when Yosys says nothing. */
static const char *yosys_version(const area_job_t *j) {
  static char version[256];
  char log[PROOF_PATH], *argv[] = {"yosys", "-V", NULL};
  if (*version) return version;
  snprintf(log, sizeof log, "%s/yosys-version.%ld", j->cache, (long)getpid());
  char *text = process_run(argv, log, 60, NULL, NULL) == 0 ? file_read(log) : NULL;
  snprintf(version, sizeof version, "%.255s", text && *text ? text : "unknown");
  unlink(log);
  free(text);
  return version;
}

/* The key of the inputs as the files are now. */
static uint64_t key_of(const area_job_t *j, bool by_parts, const char *params) {
  char *script = template_text(j);
  const uint64_t key = area_key(j, by_parts, params, script ? script : "", yosys_version(j));
  free(script);
  return key;
}

/* Synthesises in a private folder, which becomes `folder` by a rename once it is complete. A
 * reader therefore never sees half a result. UNKNOWN without a text in trouble: an input changed
 * while Yosys ran, so the result belongs to no key. */
static answer_t make_result(const area_job_t *j, bool by_parts, const char *params, uint64_t key, const char *folder,
                            area_t *a, trouble_t *trouble) {
  work_t work;
  if (!work_open(&work, j->cache, j->block, trouble)) return ANSWER_INFRA;
  answer_t answer = synthesise(j, by_parts, params, work.path, a, trouble);
  const area_keep_t keep = {yosys_lists(j->target), {work.path, j->gen}, j->own};
  if (answer != ANSWER_HOLDS) return work_close(&work, answer != ANSWER_STOPPED), answer;
  if (key_of(j, by_parts, params) != key) return work_close(&work, false), *trouble = (trouble_t){0}, ANSWER_UNKNOWN;
  const bool written = area_keep_write(&keep, work.path, a->seconds, a->cpu_seconds);
  if (written && work_publish(&work, folder)) return ANSWER_HOLDS;
  trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", folder, strerror(errno));
  return work_close(&work, false), ANSWER_INFRA;
}

/* Reads the kept result or makes it. Tries again when inputs change meanwhile, TRIES times at
 * most. The second is_kept looks for a result that another process made while this one waited
 * for the lock. */
static answer_t find_or_make(const area_job_t *j, bool by_parts, const char *params, area_t *a, char *folder,
                             trouble_t *trouble) {
  char lock[PROOF_PATH];
  answer_t answer = ANSWER_UNKNOWN;
  for (unsigned i = 0; i < TRIES && answer == ANSWER_UNKNOWN; i++) {
    const uint64_t key = key_of(j, by_parts, params);
    *trouble = (trouble_t){0};
    snprintf(folder, PROOF_PATH, "%s/%s-%016" PRIx64, j->cache, j->block, key);
    if (is_kept(j, folder, a)) return ANSWER_HOLDS;
    snprintf(lock, sizeof lock, "%s.lock", folder);
    const int file = take_lock(j, lock);
    if (file < 0 && errno == EINTR) return ANSWER_STOPPED;
    if (file < 0)
      return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot make files in this folder: %s", j->cache,
                         strerror(errno)),
             ANSWER_INFRA;
    answer = is_kept(j, folder, a) ? ANSWER_HOLDS : make_result(j, by_parts, params, key, folder, a, trouble);
    drop_lock(file, lock);
    if (answer == ANSWER_UNKNOWN && *trouble->text) return answer; /* out of time */
  }
  if (answer == ANSWER_UNKNOWN)
    trouble_set(trouble, TROUBLE_INPUT, "%s: its files were written each time that they were read", j->block);
  return answer == ANSWER_UNKNOWN ? ANSWER_BAD : answer;
}

/* Measures the block itself, without its parts. */
static answer_t measure_one(const area_job_t *j, bool by_parts, area_t *a, trouble_t *trouble) {
  char folder[PROOF_PATH], params[PORT_PARAMS_TEXT];
  memset(a, 0, sizeof *a);
  if (!area_params(j, params, sizeof params, trouble)) return ANSWER_BAD;
  const answer_t answer = find_or_make(j, by_parts, params, a, folder, trouble);
  return answer == ANSWER_HOLDS ? read_results(j, folder, a, trouble) : answer;
}

/* ---- the sum of parts */

/* Adds a part's macros once for each instance, named "PART.MACRO". */
static bool add_macros(area_t *a, const area_t *part, const area_part_t *p, trouble_t *trouble) {
  for (unsigned i = 0; i < p->count; i++)
    for (const area_macro_t *m = part->macros; m < part->macros + part->num_macros; m++) {
      if (a->num_macros == AREA_MACROS) return trouble_set(trouble, TROUBLE_INPUT, "more than %d macros", AREA_MACROS);
      area_macro_t *to = &a->macros[a->num_macros++];
      *to = *m;
      snprintf(to->name, sizeof to->name, "%s.%s", p->block, m->name);
    }
  return true;
}

/* Measures a part and adds it `count` times. The longest path is the longest within any one
 * part. */
static answer_t add_part(const area_job_t *j, area_t *a, area_part_t *p, area_t *part, trouble_t *trouble) {
  area_job_t job = *j;
  job.block = p->block, job.params = p->params, job.family = area_family_of(j, p->block), job.method = AREA_USUAL,
  job.part = true;
  answer_t answer = area_measure(&job, part, trouble);
  if (answer != ANSWER_HOLDS) return answer;
  p->cells = part->cells, p->flipflops = part->flipflops, p->area = part->area;
  p->flipflops_area = part->flipflops_area, a->flipflops_area += p->count * part->flipflops_area;
  a->cells += p->count * part->cells, a->flipflops += p->count * part->flipflops;
  a->luts += p->count * part->luts, a->rams += p->count * part->rams, a->dsps += p->count * part->dsps;
  a->area += p->count * part->area;
  a->path = part->path > a->path ? part->path : a->path;
  a->path_levels = part->path_levels > a->path_levels ? part->path_levels : a->path_levels;
  a->seconds += part->seconds, a->cpu_seconds += part->cpu_seconds, a->cached &= part->cached;
  return add_macros(a, part, p, trouble) ? ANSWER_HOLDS : ANSWER_BAD;
}

answer_t area_measure(const area_job_t *j, area_t *a, trouble_t *trouble) {
  bool by_parts = area_by_parts(j);
  if (!process_there("yosys"))
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "yosys is not installed: packages.txt has what synthesis needs"),
           ANSWER_INFRA;
  answer_t answer = measure_one(j, by_parts, a, trouble);
  if (answer != ANSWER_HOLDS) trouble->kind = answer == ANSWER_BAD ? TROUBLE_INPUT : TROUBLE_ENVIRONMENT;
  if (answer != ANSWER_HOLDS || !by_parts) return answer;
  area_t *part = malloc(sizeof *part);
  if (!part) return trouble_memory(trouble), ANSWER_INFRA;
  a->by_parts = true;
  for (unsigned i = 0; i < a->num_parts && answer == ANSWER_HOLDS; i++)
    answer = add_part(j, a, &a->parts[i], part, trouble);
  free(part);
  return answer;
}
