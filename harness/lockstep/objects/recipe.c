/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by all steps of a build: runs tools in the working folder, and collects what they read and
 * what went wrong.
 */
#include "recipe.h"

#include "clock.h"
#include "file.h"
#include "lock.h"
#include "plain.h"
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TOOL_SECONDS = 3600 }; /* the largest step of a build, on a machine with much else to do */

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

enum { SCAN_BYTES = 1 << 22 };

bool recipe_is(const recipe_t *r, const char *kind) {
  return strcmp(r->ask->kind, kind) == 0;
}

bool recipe_of_gates(const recipe_t *r) {
  return recipe_is(r, "netlist") || recipe_is(r, "netlist+toggles") || recipe_is(r, "gates");
}

bool recipe_in_tree(const recipe_t *r) {
  return !*r->ask->folder;
}

const char *recipe_text(recipe_t *r, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = words_vadd(&r->kept, format, args);
  va_end(args);
  return text;
}

const char *recipe_exchange(recipe_t *r, const char *text, const char *from, const char *to) {
  const char *made = "";
  for (const char *found; (found = strstr(text, from)); text = found + strlen(from))
    made = recipe_text(r, "%s%.*s%s", made, (int)(found - text), text, to);
  return recipe_text(r, "%s%s", made, text);
}

/* ---- what went wrong */

/* The line of a tool's output that explains the failure: the first with "rror" or "undefined
 * reference", else the first. */
static void main_line(const char *text, char *line, size_t size) {
  const char *best = text;
  for (const char *at = text; *at; at = *strchrnul(at, '\n') ? strchrnul(at, '\n') + 1 : "") {
    const char *end = strchrnul(at, '\n'), *says = strstr(at, "rror"), *misses = strstr(at, "undefined reference");
    if ((!says || says >= end) && (!misses || misses >= end)) continue;
    best = at;
    break;
  }
  snprintf(line, size, "%.*s", (int)(strchrnul(best, '\n') - best), best);
}

/* Drops the tool's own words before the place, and appends advice. */
bool recipe_bad_text(recipe_t *r, const char *text) {
  char line[1024];
  char *said = snapshot_say(&r->snapshot, text + strspn(text, "\n"));
  if (!said) return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "out of memory");
  main_line(said, line, sizeof line);
  free(said);
  const char *verilator = strncmp(line, "%Error", 6) ? NULL : strstr(line, ": ");
  const char *place = verilator ? verilator + 2 : line;
  return trouble_set(r->trouble, TROUBLE_INPUT, "%s%s", place,
                     rtl_advice(place, verilator ? RTL_VERILATOR : RTL_OTHER));
}

/* A tool that has no end, or none yet: no step after it would say more. */
static bool is_late(recipe_t *r, const char *program) {
  return trouble_set(r->trouble, TROUBLE_ENVIRONMENT,
                     "block %s: %s is not at its end after %.0f s; smaller parameters would be right, or a larger "
                     "LOCKSTACK_TOOL_SECONDS",
                     r->ask->block, strcmp(program, "ninja") ? program : "the compiler", process_limit(TOOL_SECONDS));
}

/* Turns a tool's exit status into an error: missing program, time that is over, full disk, signal,
 * interrupt, or the tool's own message. */
static bool bad_status(recipe_t *r, const char *program, int status) {
  if (status == PROCESS_NOT_STARTED)
    return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s is not installed", program);
  if (status == PROCESS_STOPPED)
    return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "the build of block %s was interrupted", r->ask->block);
  if (status == PROCESS_TIMEOUT) return is_late(r, program);
  if (strstr(r->said, "No space left on device"))
    return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "no space left on the device that holds the build of block %s",
                       r->ask->block);
  const int killer = status > 128 ? status - 128 : 0;
  if (killer && killer != SIGINT && killer != SIGTERM)
    return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s was ended by signal %d (%s)", program, killer,
                       strsignal(killer));
  if (killer || strstr(r->said, "Killed signal") || strstr(r->said, "stopped: interrupted"))
    return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "the build of block %s was interrupted", r->ask->block);
  if (strspn(r->said, " \n\t") == strlen(r->said))
    return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s failed (status %d) and said nothing", program, status);
  return recipe_bad_text(r, r->said);
}

/* ---- tools */

/* Runs a command; r->said gets its output, and `err` (if a descriptor) its standard error. Messages
 * are in English whatever the user's language, because they are parsed. cpu 0: no limit. */
static int run(recipe_t *r, const words_t *command, int err, unsigned cpu) {
  free(r->said);
  const process_t how = {
      .argv = command->at, .folder = r->work, .variable = "LANGUAGE", .value = "en", .err = err, .cpu = cpu};
  return process_tool(&how, &r->said, process_limit(TOOL_SECONDS));
}

static bool judge(recipe_t *r, const char *program, int status) {
  r->last = recipe_text(r, "%s", program);
  if (!r->said)
    return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s: %s", program,
                       status < 0 ? strerror(errno) : "out of memory");
  return status == 0 || bad_status(r, program, status);
}

bool recipe_run(recipe_t *r, const words_t *command) {
  return judge(r, command->at[0], run(r, command, 0, 0));
}

/* Adds standard error to r->said after a failure. */
static void add_errors(recipe_t *r, int descriptor) {
  FILE *file = fdopen(descriptor, "r");
  char *text = file ? (rewind(file), file_rest(file, FILE_MOST, NULL)) : NULL, *both = NULL;
  if (file) fclose(file);
  if (text && r->said && asprintf(&both, "%s%s", text, r->said) > 0) free(r->said), r->said = both;
  free(text);
}

bool recipe_ask(recipe_t *r, const words_t *command) {
  const int err = memfd_create("errors", MFD_CLOEXEC), status = run(r, command, err, 0);
  if (err > 0 && status) add_errors(r, err);
  else if (err > 0) close(err);
  return judge(r, command->at[0], status);
}

bool recipe_run_within(recipe_t *r, unsigned cpu, const words_t *command) {
  const int status = run(r, command, 0, cpu);
  if (status == 128 + SIGXCPU)
    return trouble_set(r->trouble, TROUBLE_INPUT, "%s is not at its end after %u s of a processor", command->at[0],
                       cpu);
  return judge(r, command->at[0], status);
}

bool recipe_tool(recipe_t *r, const char *name) {
  char path[RECIPE_PATH], real[PATH_MAX];
  if (!surroundings_find(name, path)) return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s is not installed", name);
  words_add_new(&r->read, realpath(path, real) ? real : path);
  return true;
}

/* ---- sources */

/* Files that the build itself made have no copy. */
const char *recipe_copy(recipe_t *r, const char *original) {
  if (*original != '/') return original;
  return snapshot_name(&r->snapshot, original, &r->kept);
}

/* A file that a tool finds in an original folder was not copied, and shows in the list of files
 * read. Folders without plain names are left out. */
void recipe_folders(recipe_t *r, const words_t *folders, words_t *names) {
  for (size_t i = 0; i < folders->count; i++) {
    words_add(names, "%s", recipe_copy(r, folders->at[i]));
    if (*folders->at[i] == '/' && plain_path(folders->at[i])) words_add(names, "%s", folders->at[i]);
  }
}

bool recipe_take(recipe_t *r, const char *original, snapshot_kind_t kind) {
  return snapshot_take(&r->snapshot, original, kind, r->trouble);
}

static bool ends_as(const char *name, const char *const *endings) {
  const char *dot = strrchr(name, '.');
  for (; dot && *endings; endings++)
    if (strcmp(dot, *endings) == 0) return true;
  return false;
}

/* Copies the files of a folder with these endings. Unreadable and huge files stay: a tool that
 * needs one reports it. */
void recipe_take_folder(recipe_t *r, const char *folder, const char *const *endings, snapshot_kind_t kind) {
  char pattern[RECIPE_PATH + 8];
  trouble_t trouble;
  struct stat info;
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/*", folder);
  if (strpbrk(folder, "*?[\\") || glob(pattern, GLOB_NOSORT, NULL, &found)) return;
  for (size_t i = 0; i < found.gl_pathc; i++) {
    const char *path = found.gl_pathv[i];
    if (ends_as(path, endings) && stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size < SCAN_BYTES)
      snapshot_take(&r->snapshot, path, kind, &trouble);
  }
  globfree(&found);
}

/* ---- files of the working folder */

static void place(const recipe_t *r, const char *name, char path[2 * RECIPE_PATH]) {
  snprintf(path, 2 * RECIPE_PATH, "%s%s%s", *name == '/' ? "" : r->work, *name == '/' ? "" : "/", name);
}

char *recipe_read(recipe_t *r, const char *name) {
  char path[2 * RECIPE_PATH];
  place(r, name, path);
  char *text = file_read(path);
  if (!text)
    trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s: %s: %s should have written it", path, strerror(errno),
                r->last ? r->last : "a tool");
  return text;
}

bool recipe_write(recipe_t *r, const char *name, const char *text) {
  char path[2 * RECIPE_PATH];
  place(r, name, path);
  char *old = file_read(path);
  const bool same = old && strcmp(old, text) == 0;
  free(old);
  if (same) return true;
  FILE *file = fopen(path, "we");
  const bool ok = file && fputs(text, file) >= 0;
  if (file && fclose(file) == 0 && ok) return true;
  return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s: %s", path, strerror(errno));
}

/* ---- portgen */

static void ports_command(recipe_t *r, words_t *command, bool pins) {
  words_t settings = {0}, names = {0};
  const object_request_t *ask = r->ask;
  words_add(command, "%s", ask->portgen);
  words_add(command, "--root"), words_add(command, "%s", recipe_copy(r, ask->tree));
  words_split(&settings, ask->params, ",");
  for (size_t i = 0; i < settings.count; i++) words_add(command, "-D%s", settings.at[i]);
  if (pins && ask->read) {
    words_split(&names, ask->read->pins, "\n");
    for (size_t i = 0; i < names.count; i++) words_add(command, "--pin=%s", names.at[i]);
    if (ask->read->bare) words_add(command, "--bare");
    words_free(&names);
    words_split(&names, ask->read->params, "\n");
    for (size_t i = 0; i < names.count; i++) words_add(command, "--parameter=%s", names.at[i]);
  }
  words_free(&settings), words_free(&names);
}

static bool run_portgen(recipe_t *r, words_t *command) {
  const bool ok = recipe_ask(r, command);
  if (!ok && r->trouble->kind == TROUBLE_INPUT && strncmp(r->said, "Usage", 5) == 0)
    trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s is of another version", command->at[0]);
  words_free(command);
  return ok;
}

bool recipe_ports(recipe_t *r, const char *what, bool pins, const char *file) {
  words_t command = {0};
  ports_command(r, &command, pins);
  words_add(&command, "--what"), words_add(&command, "%s", what);
  if (file) words_add(&command, "-o"), words_add(&command, "%s", file);
  words_add(&command, "%s", recipe_copy(r, r->ask->ports));
  return run_portgen(r, &command);
}

bool recipe_ports_lines(recipe_t *r, const char *what, bool pins, words_t *lines) {
  if (!recipe_ports(r, what, pins, NULL)) return false;
  words_split(lines, r->said, "\n");
  return true;
}

bool recipe_ports_match(recipe_t *r, const char *with, const char *file) {
  words_t command = {0};
  ports_command(r, &command, true);
  words_add(&command, "--rtl"), words_add(&command, "%s", recipe_copy(r, r->ask->rtl));
  words_add(&command, "%s", with), words_add(&command, "%s", file);
  words_add(&command, "%s", recipe_copy(r, r->ask->ports));
  return run_portgen(r, &command);
}

/* ---- what tools read */

/* Reads a name of a dependency file, up to a blank without \ before it. */
static const char *take_name(const char *p, char *name, size_t size) {
  size_t n = 0;
  while (*p && !strchr(" \t\n", *p)) {
    if (*p == '\\' && (p[1] == ' ' || p[1] == '#' || p[1] == '\\')) p++;
    else if (*p == '\\' && p[1] == '\n') break;
    else if (*p == '$' && p[1] == '$') p++;
    if (n + 1 < size) name[n++] = *p;
    p++;
  }
  name[n] = 0;
  return p;
}

const char *recipe_original(recipe_t *r, const char *name) {
  char path[SNAPSHOT_PATH];
  const size_t n = strlen(r->work);
  if (strncmp(name, r->work, n) == 0 && name[n] == '/') name += n + 1;
  if (strncmp(name, "./", 2) == 0) name += 2;
  if (*name != '/' && strncmp(name, "src/", 4)) return name;
  snapshot_plain(name, path);
  const content_file_t *original = *name == '/' ? NULL : snapshot_original(&r->snapshot, path + 1);
  return original ? original->path : recipe_text(r, "%s", *name == '/' ? path : path + 1);
}

void recipe_add_read(recipe_t *r, const char *name, words_t *also) {
  words_add_new(&r->read, name);
  if (also) words_add_new(also, name);
}

bool recipe_deps(recipe_t *r, const char *file, words_t *also) {
  char name[RECIPE_PATH], *text = recipe_read(r, file);
  if (!text) return false;
  const char *p = strstr(text, ": ");
  for (p = p ? p + 2 : text + strlen(text); *p;) {
    p += strspn(p, " \t\n");
    if (*p == '\\') p++;
    if (!*p || strchr(" \t\n", *p)) continue;
    p = take_name(p, name, sizeof name);
    /* further rules have no recipe and repeat each header */
    if (*name && name[strlen(name) - 1] == ':') break;
    if (*name) recipe_add_read(r, name, also);
  }
  free(text);
  return true;
}

bool recipe_deps_lines(recipe_t *r, const char *file, words_t *also) {
  char *text = recipe_read(r, file);
  words_t lines = {0};
  if (!text) return false;
  words_split(&lines, text, "\n");
  for (size_t i = 0; i < lines.count; i++) recipe_add_read(r, lines.at[i], also);
  words_free(&lines);
  free(text);
  return true;
}

int recipe_lock(const char *folder, trouble_t *trouble) {
  static const int minutes = 40;
  char path[2 * RECIPE_PATH], say[2 * RECIPE_PATH];
  snprintf(path, sizeof path, "%s/lock", folder);
  snprintf(say, sizeof say, "lockstack: another build of this block runs in %s; waiting for it", folder);
  const int lock = lock_open(path, true, &(lock_wait_t){.most_seconds = 60 * minutes, .say = say});
  if (lock < 0 && errno == ETIMEDOUT)
    trouble_set(trouble, TROUBLE_ENVIRONMENT,
                "%s: another build has held its lock for %d minutes; let it end, or end it", folder, minutes);
  else if (lock < 0) trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", path, strerror(errno));
  return lock;
}
