/* SPDX-License-Identifier: Apache-2.0
 *
 * The build itself is cmake/build_dut.cmake, the same that the default build runs. Objects with other parameters, with
 * waves, and of folders outside the tree are kept beside the default ones, or in ~/.cache/lockstack when that folder
 * cannot be written.
 */
#include "build.h"
#include "file.h"
#include "hash.h"
#include "nearest.h"
#include "own.h"
#include "plain.h"
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <md5.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef DUT_CFLAGS
#define DUT_CFLAGS ""
#endif

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

static bool exists(const char *path) {
  return access(path, R_OK) == 0;
}

static outcome_t bad(char *error, size_t size, const char *path, const char *what) {
  snprintf(error, size, "%s: %s", path, what);
  return OUTCOME_BAD_INPUT;
}

/* --- finding */

/* Says what is near the name; a path is not a name. */
static outcome_t no_block(const places_t *places, const char *name, char *error, size_t size) {
  char pattern[BUILD_PATH], stem[NEAREST_NAME];
  nearest_t near;
  glob_t found;
  if (strchr(name, '/')) return bad(error, size, name, "no such folder");
  nearest_start(&near, name);
  snprintf(pattern, sizeof pattern, "%s/rtl/*/*.ports", places->source);
  for (size_t i = 0, many = glob(pattern, 0, NULL, &found) ? 0 : found.gl_pathc; i < many; i++) {
    const char *file = strrchr(found.gl_pathv[i], '/') + 1;
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(file, "."), file);
    nearest_try(&near, stem);
  }
  globfree(&found);
  snprintf(error, size, "no block '%s'; `lockstack list blocks` shows them, or name a folder%s", name, nearest_text(&near));
  return OUTCOME_BAD_INPUT;
}

static outcome_t in_tree(block_t *block, const places_t *places, const char *name, char *error, size_t size) {
  char pattern[BUILD_PATH];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/rtl/*/%s.ports", places->source, name);
  if (strpbrk(name, "*?[/") || glob(pattern, 0, NULL, &found)) return no_block(places, name, error, size);
  const char *path = found.gl_pathv[0], *family_end = strrchr(path, '/'), *family = family_end;
  while (family > path && family[-1] != '/') family--;
  int n = (int)(family_end - family);
  snprintf(block->name, sizeof block->name, "%s", name);
  snprintf(block->ports, BUILD_PATH, "%s", path);
  snprintf(block->rtl, BUILD_PATH, "%s/rtl/%.*s/%s.sv", places->source, n, family, name);
  snprintf(block->model, BUILD_PATH, "%s/cmodel/%.*s/%s.c", places->source, n, family, name);
  snprintf(block->stim, BUILD_PATH, "%s/tests/lockstep/%s.c", places->source, name);
  globfree(&found);
  if (!exists(block->stim)) *block->stim = 0;
  return OUTCOME_PASS;
}

static outcome_t in_folder(block_t *block, const places_t *places, const char *folder, char *error, size_t size) {
  char pattern[BUILD_PATH + 16];
  glob_t found;
  if (!realpath(folder, block->folder)) return bad(error, size, folder, strerror(errno));
  snprintf(pattern, sizeof pattern, "%s/*.ports", block->folder);
  if (glob(pattern, 0, NULL, &found)) return bad(error, size, folder, "no port file X.ports in this folder");
  if (found.gl_pathc > 1) {
    globfree(&found);
    return bad(error, size, folder, "more than one port file; one block a folder");
  }
  const char *stem = strrchr(found.gl_pathv[0], '/') + 1;
  int n = (int)strlen(stem) - (int)strlen(".ports");
  snprintf(block->name, sizeof block->name, "%.*s", n, stem);
  snprintf(block->ports, BUILD_PATH, "%s", found.gl_pathv[0]);
  globfree(&found);
  snprintf(block->model, BUILD_PATH, "%s/%s.c", block->folder, block->name);
  snprintf(block->stim, BUILD_PATH, "%s/%s_stim.c", block->folder, block->name);
  if (!exists(block->stim)) *block->stim = 0;
  return own_read(block, places, error, size);
}

#define PIECES "is missing: a block has RTL, port file, model and its header"

outcome_t block_find(block_t *block, const places_t *places, const char *what, const char *params, char *error, size_t size) {
  struct stat info;
  memset(block, 0, sizeof *block);
  snprintf(block->params, sizeof block->params, "%s", params ? params : "");
  outcome_t outcome = in_tree(block, places, what, error, size);
  if (outcome != OUTCOME_PASS && stat(what, &info) == 0 && S_ISDIR(info.st_mode)) outcome = in_folder(block, places, what, error, size);
  if (outcome != OUTCOME_PASS) return outcome;
  char header[BUILD_PATH];
  snprintf(header, sizeof header, "%.*s.h", (int)strlen(block->model) - 2, block->model);
  const char *const needed[] = {block->model, header};
  for (int i = 0; i < 2; i++)
    if (!exists(needed[i])) return bad(error, size, needed[i], PIECES);
  return OUTCOME_PASS;
}

const char *block_subject(const block_t *block) {
  return *block->folder ? block->folder : block->name;
}

/* Would this file of another folder be taken before one of the block's: beside it or, in the tree, in any family? */
static bool replaces(const block_t *block, const char *file) {
  char own[BUILD_PATH + 16];
  glob_t found;
  snprintf(own, sizeof own, "%s%s%s", block->beside, *block->folder ? "" : "/../*", strrchr(file, '/'));
  bool any = glob(own, 0, NULL, &found) == 0;
  if (any) globfree(&found);
  return any;
}

static bool replaces_any(const block_t *block) {
  char pattern[BUILD_PATH + 16];
  glob_t found;
  bool any = false;
  snprintf(pattern, sizeof pattern, "%s/*.*v", block->instead);
  if (glob(pattern, 0, NULL, &found)) return false;
  for (size_t i = 0; i < found.gl_pathc && !any; i++) any = replaces(block, found.gl_pathv[i]);
  globfree(&found);
  return any;
}

/* The files of a block outside the tree. */
static outcome_t instead_of_files(block_t *block, char *error, size_t size) {
  const rtl_t was = block->read;
  char path[BUILD_PATH], other[BUILD_PATH];
  *block->read.files = 0;
  for (const char *at = was.files; rtl_next(&at, path, sizeof path);) {
    snprintf(other, sizeof other, "%s%s", block->instead, strrchr(path, '/'));
    if (!rtl_add(block->read.files, exists(other) ? other : path)) return bad(error, size, block->instead, "too long a path");
  }
  return OUTCOME_PASS;
}

outcome_t block_instead(block_t *block, const char *folder, char *error, size_t size) {
  char rtl[BUILD_PATH];
  struct stat info;
  if (!realpath(folder, block->instead) || stat(folder, &info)) return bad(error, size, folder, strerror(errno));
  if (!S_ISDIR(info.st_mode)) return bad(error, size, folder, "should be a folder of RTL files");
  snprintf(rtl, sizeof rtl, "%s%s", block->instead, strrchr(block->rtl, '/'));
  snprintf(block->beside, BUILD_PATH, "%.*s", (int)(strrchr(block->rtl, '/') - block->rtl), block->rtl);
  if (!replaces_any(block)) return bad(error, size, folder, "no RTL file of the block or of its parts is in this folder");
  if (exists(rtl)) memcpy(block->rtl, rtl, sizeof rtl);
  return instead_of_files(block, error, size);
  return OUTCOME_PASS;
}

/* --- building */

const char *block_kind(const char *name) {
#define BLOCK_DEVICE(kind) kind,
  static const char *const kinds[] = {BLOCK_DEVICES(BLOCK_DEVICE)};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(name, kinds[i]) == 0) return kinds[i];
  return NULL;
}

static bool older(const char *path, const struct timespec *than) {
  struct stat info;
  if (stat(path, &info)) return false; /* gone: build again */
  return info.st_mtim.tv_sec < than->tv_sec || (info.st_mtim.tv_sec == than->tv_sec && info.st_mtim.tv_nsec <= than->tv_nsec);
}

/* Is a file there now that would have been taken, had it been there when the object was built (cmake/absent.cmake)? */
static bool overtaken(const char *object) {
  char path[BUILD_PATH + 8], name[BUILD_PATH];
  bool any = false;
  snprintf(path, sizeof path, "%s.absent", object);
  FILE *file = fopen(path, "r");
  while (file && !any && fgets(name, sizeof name, file)) {
    name[strcspn(name, "\n")] = 0;
    any = *name && exists(name);
  }
  if (file) fclose(file);
  return any;
}

/* Is all as it was when the object was built (cmake/seen.cmake)? By times alone an older file in a newer one's place would be none that is new. */
static bool as_seen(const char *object) {
  char path[BUILD_PATH + 8], line[BUILD_PATH + MD5_DIGEST_STRING_LENGTH], is[MD5_DIGEST_STRING_LENGTH];
  bool same = true;
  snprintf(path, sizeof path, "%s.seen", object);
  FILE *file = fopen(path, "r");
  while (file && same && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    same = strlen(line) > sizeof is && MD5File(line + sizeof is, is) && strncmp(line, is, sizeof is - 1) == 0;
  }
  if (file) fclose(file);
  return same;
}

/* Is the object there, newer than all that its dependency file names, all of it as it was, and not overtaken? No dependency file: taken as it is. */
bool block_fresh(const char *object) {
  char deps[BUILD_PATH + 2], name[BUILD_PATH];
  struct stat info;
  if (stat(object, &info) || overtaken(object)) return false;
  snprintf(deps, sizeof deps, "%s.d", object);
  FILE *file = fopen(deps, "r");
  if (!file) return true;
  bool ok = fscanf(file, "%*s") == 0; /* the target */
  while (ok && fscanf(file, "%4095s", name) == 1) ok = older(name, &info.st_mtim);
  fclose(file);
  return ok && as_seen(object);
}

/* Where objects that the default build does not make are kept. */
static bool cache_folder(const places_t *places, char *folder) {
  char first[BUILD_PATH];
  snprintf(first, sizeof first, "%s/cache", places->objects);
  return plain_cache(first, folder);
}

/* Waits for output; says what is being built once it takes long. */
static void wait_for(int fd, const block_t *block, const char *kind, bool *said) {
  struct pollfd ready = {fd, POLLIN, 0};
  if (*said || poll(&ready, 1, isatty(STDERR_FILENO) ? 1000 : 10000) != 0) return;
  *said = true;
  fprintf(stderr, "lockstack: building %s%s%s (%s)\n", block->name, *block->params ? " with " : "", block->params, kind);
}

/* Runs argv; its output (at most size bytes of it) in text. Returns its exit status, 127 if it did not start. */
static int run_tool(char *const argv[], const block_t *block, const char *kind, char *text, size_t size) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return PROCESS_NOT_STARTED;
  pid_t child = process_start(&(process_t){.argv = argv, .out = ends[1], .err = ends[1]});
  close(ends[1]);
  size_t used = 0;
  char drop[512];
  bool said = false;
  for (ssize_t n = 1; child > 0 && n > 0;) {
    wait_for(ends[0], block, kind, &said);
    n = used + 1 < size ? read(ends[0], text + used, size - 1 - used) : read(ends[0], drop, sizeof drop);
    if (n > 0 && used + 1 < size) used += (size_t)n;
  }
  text[used] = 0;
  close(ends[0]);
  return child > 0 ? process_wait(child) : PROCESS_NOT_STARTED;
}

/* The line of a tool's complaints that says it: the first with "rror", else the first. */
static void one_line(const char *text, char *error, size_t size) {
  const char *line = text, *best = NULL;
  for (; *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : line + strlen(line)) {
    const char *end = strchrnul(line, '\n'), *says = strstr(line, "rror");
    if (says && says < end) {
      best = line;
      break;
    }
  }
  if (!best) best = text;
  snprintf(error, size, "%.*s", (int)(strchrnul(best, '\n') - best), best);
}

/* A line about a source, without the tool's own words before the place, and what to do about it. */
static void say_source(const char *line, char *error, size_t size) {
  const char *verilator = strncmp(line, "%Error", 6) ? NULL : strstr(line, ": ");
  snprintf(error, size, "%s", verilator ? verilator + 2 : line);
  const size_t n = strlen(error);
  snprintf(error + n, size - n, "%s", rtl_advice(error, verilator ? RTL_VERILATOR : RTL_OTHER));
}

static outcome_t explain(const block_t *block, int status, char *text, char *error, size_t size) {
  char line[1024];
  char *marked = strstr(text, "lockstack-bad: "), *rest;
  if (status == PROCESS_NOT_STARTED) {
    snprintf(error, size, "cmake is not installed: it is needed to build block %s", block->name);
    return OUTCOME_INFRA;
  }
  if (strstr(text, "No space left on device")) {
    snprintf(error, size, "no space left on the device that holds the build of block %s", block->name);
    return OUTCOME_INFRA;
  }
  if (status >= 128 || strstr(text, "Killed signal") || strstr(text, "stopped: interrupted")) {
    snprintf(error, size, "the build of block %s was interrupted", block->name);
    return OUTCOME_INFRA;
  }
  if (!marked) {
    one_line(text, error, size);
    return OUTCOME_BAD_INPUT;
  }
  marked += strlen("lockstack-bad: ");
  if ((rest = strstr(marked, "\nCMake Error"))) *rest = 0;
  one_line(marked, line, sizeof line);
  if (strncmp(line, "environment: ", 13) == 0) {
    snprintf(error, size, "%s", line + 13);
    return OUTCOME_INFRA;
  }
  say_source(line, error, size);
  return OUTCOME_BAD_INPUT;
}

static char *define(const char *name, const char *value) {
  char *text;
  return asprintf(&text, "-D%s=%s", name, value) < 0 ? NULL : text;
}

/* --- folders with any name */

/* A folder of another name than tools take is built by a link to it, kept beside the objects. */
typedef struct {
  const char *folder;
  char link[BUILD_PATH];
} alias_t;

enum { ALIASES = 2 }; /* a block's own folder, and that of --rtl */

static outcome_t alias(alias_t *a, const places_t *places, const char *folder, char *error, size_t size) {
  char cache[BUILD_PATH];
  *a = (alias_t){.folder = folder};
  if (plain_path(folder)) return OUTCOME_PASS;
  return plain_folder(folder, cache_folder(places, cache) ? cache : NULL, a->link, sizeof a->link, error, size) ? OUTCOME_PASS : OUTCOME_INFRA;
}

/* By the link where the path is in such a folder. */
static const char *aliased(const char *path, const alias_t aliases[ALIASES], char other[BUILD_PATH]) {
  for (int i = 0; i < ALIASES; i++) {
    const size_t n = strlen(aliases[i].folder);
    if (!*aliases[i].link || strncmp(path, aliases[i].folder, n) || (path[n] && path[n] != '/')) continue;
    snprintf(other, BUILD_PATH, "%s%s", aliases[i].link, path + n);
    return other;
  }
  return path;
}

/* -DNAME=PATH */
static char *define_path(const char *name, const char *path, const alias_t aliases[ALIASES]) {
  char other[BUILD_PATH];
  return define(name, aliased(path, aliases, other));
}

/* -DNAME=WORD;WORD */
static char *define_list(const char *name, const char *list, const alias_t aliases[ALIASES]) {
  char path[BUILD_PATH], other[BUILD_PATH], all[2 * RTL_LIST] = "";
  size_t n = 0;
  while (rtl_next(&list, path, sizeof path) && n < sizeof all)
    n += (size_t)snprintf(all + n, sizeof all - n, "%s%s", n ? ";" : "", aliased(path, aliases, other));
  return define(name, all);
}

static outcome_t build(const block_t *block, const places_t *places, const char *kind, const char *out, const char *work, const char *gen, char *error,
                       size_t size) {
  char script[BUILD_PATH], depfile[BUILD_PATH + 2], runtime[BUILD_PATH], portgen[BUILD_PATH], text[65536];
  alias_t aliases[ALIASES];
  outcome_t outcome = alias(&aliases[0], places, block->folder, error, size);
  if (outcome == OUTCOME_PASS) outcome = alias(&aliases[1], places, block->instead, error, size);
  if (outcome != OUTCOME_PASS) return outcome;
  snprintf(script, sizeof script, "%s/cmake/build_dut.cmake", places->source);
  snprintf(depfile, sizeof depfile, "%s.d", out);
  snprintf(runtime, sizeof runtime, "%s", work);
  snprintf(strrchr(runtime, '/'), 16, "/runtime");
  snprintf(portgen, sizeof portgen, "%s/portgen", places->objects);
  if (!exists(portgen)) *portgen = 0; /* compiled where it is needed */
  char *argv[] = {"cmake",
                  define_path("RTL", block->rtl, aliases),
                  define_path("PORTS", block->ports, aliases),
                  define_path("MODEL", block->model, aliases),
                  define_path("STIM", block->stim, aliases),
                  define("OUT", out),
                  define("WORK", work),
                  define("GEN", gen),
                  define("PARAMS", block->params),
                  define("KIND", kind),
                  define("CFLAGS", DUT_CFLAGS),
                  define("DEPFILE", depfile),
                  define("RUNTIME", runtime),
                  define_path("INSTEAD", block->instead, aliases),
                  define_path("BESIDE", block->beside, aliases),
                  define("PORTGEN", portgen),
                  define_path("MAP", block->map, aliases),
                  define_list("FILES", block->read.files, aliases),
                  define_list("LIBRARIES", block->read.libraries, aliases),
                  define_list("INCLUDES", block->read.includes, aliases),
                  define_list("DEFINES", block->read.defines, aliases),
                  define_list("FLAGS", block->read.flags, aliases),
                  define_list("PINS", block->read.pins, aliases),
                  define("BARE", block->read.bare ? "1" : ""),
                  define("VERILOG", block->read.verilog ? "1" : ""),
                  "-P",
                  script,
                  NULL};
  int status = run_tool(argv, block, kind, text, sizeof text);
  for (int i = 1; argv[i][0] == '-' && argv[i][1] == 'D'; i++) free(argv[i]);
  if (status == 0) return OUTCOME_PASS;
  outcome = explain(block, status, text, error, size);
  for (int i = 0; i < ALIASES; i++) plain_say(error, size, aliases[i].folder, aliases[i].link);
  return outcome;
}

outcome_t block_object(const block_t *block, const places_t *places, const char *kind, char *path, char *error, size_t size) {
  char cache[BUILD_PATH], work[BUILD_PATH], gen[BUILD_PATH];
  if (strcmp(kind, "model") && !exists(block->rtl)) return bad(error, size, block->rtl, PIECES);
  if (!*block->folder && !*block->params && !*block->instead && strcmp(kind, "rtl") == 0) {
    snprintf(path, BUILD_PATH, "%s/%s.so", places->objects, block->name);
    if (block_fresh(path)) return OUTCOME_PASS;
    snprintf(work, sizeof work, "%s/work/%s", places->objects, block->name);
    snprintf(gen, sizeof gen, "%s/gen", places->objects);
    if (file_folder(work)) return build(block, places, kind, path, work, gen, error, size);
  }
  if (!cache_folder(places, cache)) {
    snprintf(error, size, "%s: cannot write: %s", cache, strerror(errno));
    return OUTCOME_INFRA;
  }
  const uint64_t of_tree = hash_byte(hash_text(HASH_EMPTY, places->source), 0);
  uint64_t key = hash_byte(hash_text(of_tree, block->folder), 0);
  key = hash_byte(hash_text(key, block->params), 0);
  key = hash_byte(hash_text(key, kind), 0);
  key = hash_byte(hash_text(key, block->instead), 0);
  snprintf(work, sizeof work, "%s/%s-%016llx", cache, block->name, (unsigned long long)key);
  /* The generated headers of the tree's blocks are the same for all objects; a folder's own is in its work. */
  snprintf(gen, sizeof gen, "%s/gen-%016llx", cache, (unsigned long long)of_tree);
  snprintf(path, BUILD_PATH, "%s/object.so", work);
  file_folder(gen);
  return block_fresh(path) ? OUTCOME_PASS : build(block, places, kind, path, work, gen, error, size);
}
