/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds the common part of Verilated objects of one kind once, and keeps it in the cache. The
 * common part is Verilator's compiled library, and the headers of every Verilated file, precompiled
 * for each level of optimisation. Reading these headers takes one second of a small block's 1.5 s.
 *
 * The folder's name is a hash of the flags, of the headers' names and of the library's content. The
 * list `files` in it has all inputs of the build, and a change of one repeats the build. A
 * precompiled header differs in each build, so ccache uses the checksum in .gch.sum in place of its
 * content, and needs -fpch-preprocess.
 */
#include "recipe.h"

#include "file.h"
#include "whole.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

static const char *const levels[] = {"-O0", "-O1", "-O3"};
enum { LEVELS = sizeof levels / sizeof *levels };

typedef struct {
  char folder[RECIPE_PATH];
  words_t sources; /* "verilated", "verilated_fst_c" */
  char *early, *ninja;
} runtime_t;

static void find_sources(const recipe_t *r, runtime_t *run) {
  words_split(&run->sources, "verilated verilated_save verilated_threads", " ");
  if (r->waves) words_add(&run->sources, "verilated_fst_c");
}

/* All that the shim and the Verilated files include of the machine's, by kind. */
static const char *header(recipe_t *r) {
  const char *kind = "";
  if (r->waves) kind = "#include <verilated_fst_c.h>\n";
  else if (r->covers || r->toggles) kind = "#include <verilated_cov.h>\n#include <verilated_trace.h>\n";
  return recipe_text(r,
                     "#include \"%s/harness/lockstep/dut/dut_printf.h\"\n#include <verilated.h>\n"
                     "#include <verilated_save.h>\n#include <algorithm>\n#include <cstring>\n%s",
                     r->ask->tree, kind);
}

static const char *ninja_text(recipe_t *r, const runtime_t *run, const char *flags) {
  static const char *const names[] = {"CPATH", "CPLUS_INCLUDE_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX"};
  const char *text = recipe_text(
      r,
      "ninja_required_version = 1.5\n"
      "rule cxx\n  command = %sg++ %s -O2 -include %s/harness/lockstep/dut/dut_printf.h -MD -MF $out.d -c $in -o $out\n"
      "rule early\n  command = g++ %s $level -E -dD $in | cksum > $out.sum && g++ %s $level -MD -MF $out.d -MT $out $\n"
      "    -x c++-header -c $in -o $out.new && mv $out.new $out\n",
      recipe_ccache(r), flags, r->ask->tree, flags, flags);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (getenv(names[i]))
      text = recipe_text(r, "%s# %s=%.*s\n", text, names[i], (int)strcspn(getenv(names[i]), "\n"), getenv(names[i]));
  for (size_t i = 0; i < run->sources.count; i++)
    text = recipe_text(r, "%sbuild %s.o: cxx %s/include/%s.cpp\n", text, run->sources.at[i], r->verilator_root,
                       run->sources.at[i]);
  for (int i = 0; i < LEVELS; i++)
    text =
        recipe_text(r, "%sbuild early%s.h.gch: early early%s.h\n  level = %s\n", text, levels[i], levels[i], levels[i]);
  return text;
}

/* Names the folder. The set of levels is not part of the name: levels are added when they are
 * needed. */
static bool name_folder(recipe_t *r, runtime_t *run, const char *ninja) {
  char pattern[RECIPE_PATH], key[CONTENT_SUM];
  content_t files = {0};
  trouble_t trouble;
  glob_t found;
  bool ok = true;
  content_note(&files, recipe_text(r, "%s/harness/lockstep/dut/dut_printf.h", r->ask->tree), &trouble);
  snprintf(pattern, sizeof pattern, "%s/include/verilated*", r->verilator_root);
  if (glob(pattern, 0, NULL, &found))
    return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s/include: Verilator's library is not there",
                       r->verilator_root);
  for (size_t i = 0; ok && i < found.gl_pathc; i++) ok = content_note(&files, found.gl_pathv[i], &trouble);
  globfree(&found);
  for (size_t i = 0; i < r->compilers.count; i++) {
    content_stamp_t stamp;
    if (recipe_outside(r, r->compilers.at[i], key, &stamp)) content_note_sum(&files, r->compilers.at[i], key);
  }
  content_key(&files, key);
  content_free(&files);
  if (!ok) return trouble_set(r->trouble, trouble.kind, "%s", trouble.text);
  const char *all = recipe_text(r, "%s\n%s%s", key, ninja, header(r));
  content_sum_bytes(all, strlen(all), key);
  snprintf(run->folder, sizeof run->folder, "%s/runtime-%.16s", r->ask->cache, key);
  return true;
}

static void wanted_files(const runtime_t *run, const words_t *wanted, words_t *targets) {
  for (size_t i = 0; i < run->sources.count; i++) words_add(targets, "%s.o", run->sources.at[i]);
  for (size_t i = 0; i < wanted->count; i++) {
    char name[64];
    snprintf(name, sizeof name, "early%s.h.gch", wanted->at[i]);
    words_add_new(targets, name);
  }
}

static int write_files(const char *path, const content_t *files) {
  FILE *file = fopen(path, "we");
  if (!file) return errno;
  content_write(files, file);
  return fclose(file) ? errno : 0;
}

/* Checks a target against `TARGET.files`, the list of its inputs written after its build. A header
 * of 60 MB that was just made has no trusted time. The first check that finds it unchanged notes
 * its time. */
static bool is_fresh(const runtime_t *run, const char *target) {
  char path[2 * RECIPE_PATH];
  content_t files = {0};
  size_t read = 0;
  snprintf(path, sizeof path, "%s/%s.files", run->folder, target);
  char *text = file_read(path);
  const bool ok = text && content_read(&files, text) && files.count && !content_changed(&files, &read);
  if (ok && read) {
    whole_t whole;
    whole_end(&whole, write_files(whole_begin(&whole, path), &files));
  }
  free(text);
  content_free(&files);
  return ok;
}

static bool add_read(recipe_t *r, const runtime_t *run, const char *target, words_t *also) {
  char path[2 * RECIPE_PATH];
  snprintf(path, sizeof path, "%s/%s.d", run->folder, target);
  return recipe_deps(r, path, also);
}

static bool note_files(recipe_t *r, const runtime_t *run, const char *target) {
  char path[2 * RECIPE_PATH], made[2 * RECIPE_PATH];
  const words_t kept = r->read;
  words_t absent = {0};
  content_t files = {0};
  trouble_t trouble;
  r->read = (words_t){0};
  bool ok = add_read(r, run, target, NULL);
  if (ok) recipe_absent_c(r, &r->read, true, &absent);
  for (size_t i = 0; ok && i < r->read.count; i++)
    if (*r->read.at[i] == '/') ok = content_note(&files, r->read.at[i], r->trouble);
  for (size_t i = 0; i < absent.count; i++) content_note_none(&files, absent.at[i]);
  words_free(&r->read), words_free(&absent);
  r->read = kept;
  snprintf(made, sizeof made, "%s/%s", run->folder, target);
  ok = ok && (content_note(&files, made, &trouble) || trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s", trouble.text));
  snprintf(path, sizeof path, "%s/%s.files", run->folder, target);
  const int error = ok ? write_files(path, &files) : 0;
  content_free(&files);
  return error ? trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s: %s", path, strerror(error)) : ok;
}

static bool build(recipe_t *r, const runtime_t *run, const char *ninja, const words_t *targets) {
  words_t command = {0};
  char path[2 * RECIPE_PATH];
  bool ok = recipe_write(r, recipe_text(r, "%s/build.ninja", run->folder), ninja);
  for (int i = 0; ok && i < LEVELS; i++)
    ok = recipe_write(r, recipe_text(r, "%s/early%s.h", run->folder, levels[i]), header(r));
  words_split(&command, "ninja -j 2 --quiet -C", " ");
  words_add(&command, "%s", run->folder);
  for (size_t i = 0; i < targets->count; i++) {
    snprintf(path, sizeof path, "%s/%s", run->folder, targets->at[i]);
    unlink(path);
    words_add(&command, "%s", targets->at[i]);
  }
  ok = ok && recipe_run(r, &command);
  for (size_t i = 0; ok && i < targets->count; i++) ok = note_files(r, run, targets->at[i]);
  words_free(&command);
  return ok;
}

static bool make(recipe_t *r, const runtime_t *run, const char *ninja, const words_t *targets) {
  words_t stale = {0};
  file_folder(run->folder);
  const int lock = recipe_lock(run->folder, r->trouble);
  if (lock < 0) return false;
  for (size_t i = 0; i < targets->count; i++)
    if (!is_fresh(run, targets->at[i])) words_add(&stale, "%s", targets->at[i]);
  const bool ok = !stale.count || build(r, run, ninja, &stale);
  close(lock);
  words_free(&stale);
  return ok;
}

bool recipe_runtime(recipe_t *r, const words_t *wanted, const char *flags) {
  runtime_t run = {0};
  words_t targets = {0};
  find_sources(r, &run);
  const char *ninja = ninja_text(r, &run, flags);
  if (!name_folder(r, &run, ninja)) return words_free(&run.sources), false;
  wanted_files(&run, wanted, &targets);
  bool ok = make(r, &run, ninja, &targets);
  for (size_t i = 0; ok && i < targets.count; i++) ok = add_read(r, &run, targets.at[i], &r->cxx_read);
  for (size_t i = 0; ok && i < run.sources.count; i++)
    words_add(&r->link, "../%s/%s.o", strrchr(run.folder, '/') + 1, run.sources.at[i]);
  r->runtime = recipe_text(r, "../%s", strrchr(run.folder, '/') + 1);
  words_free(&targets), words_free(&run.sources);
  return ok;
}
