/* SPDX-License-Identifier: Apache-2.0
 *
 * Kinds that count in a run. Both take the waveform code of Verilator, and our class in place of
 * its own (harness/lockstep/dut/toggle).
 *
 * netlist+toggles: rises and falls of every net of the netlist, not of what is inside of cells and
 * memories.
 *
 * rtl+cov: counters of lines and branches in the Verilated code, bits of signals that rise and fall
 * through its waveform code (harness/lockstep/dut/verilated_cov.cpp), and the port file's
 * functional points (points.c). Parts that are blocks of their own are counted when they are
 * covered themselves; memories (sram_*) are macros; packages are generated. signals.xml says where
 * each module declares its signals.
 */
#include "recipe.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_off(FILE *config, const char *pattern) {
  fprintf(config, "coverage_off -file \"%s\"\ntracing_off -file \"%s\"\n", pattern, pattern);
}

/* A block outside of the tree may have modules that are called as ours. */
static void add_blocks_off(recipe_t *r, FILE *config) {
  char pattern[2 * RECIPE_PATH];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/rtl/*/*.ports", r->ask->tree);
  if (glob(pattern, 0, NULL, &found)) return;
  for (size_t i = 0; i < found.gl_pathc; i++) {
    const char *name = strrchr(found.gl_pathv[i], '/') + 1;
    const int length = (int)strcspn(name, ".");
    if (strlen(r->ask->block) == (size_t)length && strncmp(r->ask->block, name, (size_t)length) == 0) continue;
    if (recipe_in_tree(r)) add_off(config, recipe_text(r, "*/%.*s.sv", length, name));
    else add_off(config, recipe_text(r, "%s/rtl/*/%.*s.sv", r->ask->tree, length, name));
  }
  globfree(&found);
}

static const char *memories(recipe_t *r) {
  return recipe_in_tree(r) ? "*/sram_*" : recipe_text(r, "%s/rtl/*/sram_*", r->ask->tree);
}

/* Verilator looks at the list while it reads: of files behind it alone. */
bool recipe_toggles(recipe_t *r, words_t *command) {
  const char *text =
      recipe_text(r, "`verilator_config\ntracing_off -file \"cells.v\"\ntracing_off -file \"%s\"\n", memories(r));
  words_split(
      command,
      "toggles.vlt --trace --trace-underscore --no-trace-params --trace-max-array 1000000 --trace-max-width 1000000 "
      "--output-split-ctrace 2000",
      " ");
  return recipe_write(r, "toggles.vlt", text);
}

static bool write_config(recipe_t *r) {
  char *text = NULL;
  size_t size = 0;
  FILE *config = open_memstream(&text, &size);
  if (!config) return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "out of memory");
  fputs("`verilator_config\n", config);
  add_off(config, memories(r));
  add_off(config, "gen/*");
  add_blocks_off(r, config);
  fclose(config);
  const bool ok = recipe_write(r, "cover.vlt", text);
  free(text);
  return ok;
}

static bool write_signals(recipe_t *r) {
  words_t command = {0};
  words_add(&command, "verilator"), words_add(&command, "--xml-only"), words_add(&command, "--xml-output"),
      words_add(&command, "signals.xml");
  recipe_design(r, &command);
  words_add(&command, "--Mdir"), words_add(&command, "xml");
  const bool ok = recipe_run(r, &command);
  words_free(&command);
  words_add(&r->sides, "signals.xml");
  return ok;
}

bool recipe_covers(recipe_t *r, words_t *command) {
  /* Without -fno-split, Verilator's copies of an `if` for its counters
   * ask after the block's assignments, and count what was not taken. */
  words_split(command,
              "-fno-split --coverage-line --coverage-user --trace --no-trace-params --trace-max-array 1000000 "
              "--trace-max-width 1000000 cover.vlt",
              " ");
  return write_config(r) && write_signals(r);
}

/* Relaxed atomic additions, one locked instruction each,
 * as plain ones: one thread at a time uses an object. */
static void write_plain(FILE *to, const char *text) {
  static const char counter[] = "vlSymsp->__Vcoverage[", add[] = "].fetch_add(1, std::memory_order_relaxed)";
  for (const char *found; (found = strstr(text, counter));) {
    const char *number = found + sizeof counter - 1;
    const size_t digits = strspn(number, "0123456789");
    const bool adds = strncmp(number + digits, add, sizeof add - 1) == 0;
    fwrite(text, 1, (size_t)((adds ? found : number) - text), to);
    text = adds ? number + digits + sizeof add - 1 : number;
    if (!adds) continue;
    fprintf(to, "%s%.*s].store(%s%.*s].load(std::memory_order_relaxed) + 1, std::memory_order_relaxed)", counter,
            (int)digits, number, counter, (int)digits, number);
  }
  fputs(text, to);
}

bool recipe_plain_counters(recipe_t *r) {
  char pattern[2 * RECIPE_PATH];
  glob_t found;
  bool ok = true;
  snprintf(pattern, sizeof pattern, "%s/verilated/Vdut_%s*.cpp", r->work, r->ask->block);
  if (glob(pattern, 0, NULL, &found)) return true;
  for (size_t i = 0; ok && i < found.gl_pathc; i++) {
    char *text = recipe_read(r, found.gl_pathv[i]), *plain = NULL;
    size_t size = 0;
    FILE *to = text ? open_memstream(&plain, &size) : NULL;
    if (to) write_plain(to, text), fclose(to);
    ok = plain && recipe_write(r, found.gl_pathv[i], plain);
    free(text), free(plain);
  }
  globfree(&found);
  return ok;
}
