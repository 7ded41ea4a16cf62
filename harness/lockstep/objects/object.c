/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds an object, and repeats a build that may have seen two states of a file. That is so in two
 * cases: a tool failed and a source has changed since it was copied, or a tool read a file that was
 * not copied and was written after the build began. After TRIES attempts the file counts as
 * changing all the time.
 *
 *   object_request_line -> working folder (hash of the request) -> recipe_lock
 *     -> try: copies, run_steps, settle --AGAIN--> try
 *                                 |SETTLED
 *                                 v
 *                               publish
 */
#include "object.h"

#include "clock.h"
#include "file.h"
#include "generators.h"
#include "hash.h"
#include "judged.h"
#include "object_file.h"
#include "object_outside.h"
#include "object_request.h"
#include "plain.h"
#include "process.h"
#include "recipe.h"
#include "vhdl.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

enum { TRIES = 6 };

/* ---- versions of tools */

const char *recipe_version(recipe_t *r, const char *tool) {
  char version[JUDGED_VERSION];
  return recipe_text(r, "%s %s", tool, judged_version(tool, version));
}

static const char *all_versions(recipe_t *r) {
  const char *text = recipe_version(r, "gcc");
  if (!recipe_is(r, "model")) text = recipe_text(r, "%s; %s", text, recipe_version(r, "verilator"));
  if (recipe_of_gates(r) || recipe_is(r, "cxxrtl")) text = recipe_text(r, "%s; %s", text, recipe_version(r, "yosys"));
  if (r->ask->read && vhdl_is(r->ask->read)) text = recipe_text(r, "%s; %s", text, recipe_version(r, "ghdl"));
  if (recipe_is(r, "icarus")) text = recipe_text(r, "%s; %s", text, recipe_version(r, "iverilog"));
  return recipe_text(r, "%s; %s", text, object_generators());
}

const char *object_generators(void) {
  return GENERATORS;
}

/* Another emitter, or other recipes, may have made another object of the same files. */
static bool is_made_here(const manifest_t *m) {
  const char *last = strrchr(m->tools, ';');
  return last && strcmp(last, "; " GENERATORS) == 0;
}

/* ---- what was read, settled */

typedef enum { SETTLED, AGAIN, BAD } settled_t;

bool object_is_of_machine(const char *path, const char *own) {
  static const char *const folders[] = {
      "/usr/include/", "/usr/lib/", "/usr/lib64/", "/usr/libexec/",         "/lib/",
      "/lib64/",       "/usr/bin/", "/bin/",       "/usr/share/verilator/", "/usr/share/yosys/"};
  if (*own && file_within(path, own)) return false;
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (strncmp(path, folders[i], strlen(folders[i])) == 0) return true;
  return false;
}

/* Decides about a file that was not copied. A file of the machine must be older than the build. Any
 * other file must have the same content before and after the tools read it; the copy of this
 * attempt tells the content before. */
static settled_t settle_outside(recipe_t *r, const char *path, const struct timespec *began, content_t *inputs) {
  char sum[CONTENT_SUM];
  content_stamp_t stamp;
  struct stat info;
  const content_file_t *copied = content_find(&r->snapshot.taken, path);
  if (stat(path, &info)) { /* gone, or a part of a name with blanks: the second time it counts as not there */
    if (words_add_new(&r->extra, path)) return AGAIN;
    return content_note_none(inputs, path), SETTLED;
  }
  if (S_ISDIR(info.st_mode) || S_ISCHR(info.st_mode)) return SETTLED;
  if (!recipe_outside(r, path, sum, &stamp))
    return trouble_set(r->trouble, TROUBLE_INPUT, "%s: %s", path, strerror(errno)), BAD;
  const bool machine = object_is_of_machine(path, r->ask->folder);
  const bool old = machine && info.st_mtim.tv_sec < began->tv_sec && info.st_ctim.tv_sec < began->tv_sec;
  if (!machine && !content_sum(path, sum))
    return trouble_set(r->trouble, TROUBLE_INPUT, "%s: %s", path, strerror(errno)), BAD;
  if (!old && !(copied && strcmp(copied->sum, sum) == 0)) return words_add_new(&r->extra, path), AGAIN;
  content_note_sum(inputs, path, sum);
  content_find(inputs, path)->stamp = stamp;
  return SETTLED;
}

/* True if the tools read this file's copy. */
static bool is_copy_read(const recipe_t *r, const char *path) {
  for (size_t i = 0; i < r->snapshot.taken.count; i++)
    if (strcmp(r->snapshot.taken.files[i].path, path) == 0) return words_has(&r->read, r->snapshot.copies.at[i]);
  return false;
}

/* Decides about one file that a tool read, by the tool's name for it. */
static settled_t settle_one(recipe_t *r, const char *name, const struct timespec *began, content_t *inputs) {
  char path[RECIPE_PATH];
  if (*name != '/') {
    const content_file_t *original = strncmp(name, "src/", 4) ? NULL : snapshot_original(&r->snapshot, name);
    if (original) content_note_sum(inputs, original->path, original->sum);
    return SETTLED; /* what the build made itself is no input */
  }
  snapshot_plain(name, path);
  if (content_find(inputs, path) || file_within(path, r->ask->cache)) return SETTLED;
  if (is_copy_read(r, path)) return SETTLED; /* named by its `line */
  return settle_outside(r, path, began, inputs);
}

/* Makes all names plain: "src/a/../b/x.h" becomes "src/b/x.h", the name of a copy. */
static void plain_names(recipe_t *r) {
  words_t names = {0};
  char path[RECIPE_PATH];
  for (size_t i = 0; i < r->read.count; i++) {
    const char *name = r->read.at[i], *within = name;
    const size_t n = strlen(r->work);
    if (strncmp(name, r->work, n) == 0 && name[n] == '/') within = name + n + 1;
    if (strncmp(within, "./", 2) == 0) within += 2;
    snapshot_plain(within, path);
    words_add_new(&names, strncmp(within, "src/", 4) == 0 ? path + 1 : within);
  }
  words_free(&r->read);
  r->read = names;
}

/* Makes the list of inputs from everything that the tools read. AGAIN: a file must be copied, and
 * the build repeated. */
static settled_t settle(recipe_t *r, const struct timespec *began, content_t *inputs) {
  settled_t settled = SETTLED;
  recipe_absent(r);
  plain_names(r);
  for (size_t i = 0; i < r->read.count; i++) {
    const settled_t one = settle_one(r, r->read.at[i], began, inputs);
    if (one > settled) settled = one;
  }
  for (size_t i = 0; i < r->keep.count; i++) {
    trouble_t trouble;
    if (!content_note(inputs, r->keep.at[i], &trouble))
      return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s", trouble.text), BAD;
  }
  for (size_t i = 0; i < r->absent.count; i++) content_note_none(inputs, r->absent.at[i]);
  return settled;
}

/* ---- one try */

/* Copies the files that an earlier attempt read outside of the copies. */
static bool take_extra(recipe_t *r) {
  static const char *const verilog[] = {".sv", ".v", ".svh", ".vh", NULL};
  trouble_t trouble;
  for (size_t i = 0; i < r->extra.count; i++) {
    const char *dot = strrchr(r->extra.at[i], '.');
    snapshot_kind_t kind = SNAPSHOT_PLAIN;
    for (int k = 0; dot && verilog[k]; k++)
      if (strcmp(dot, verilog[k]) == 0) kind = SNAPSHOT_VERILOG;
    if (access(r->extra.at[i], R_OK) == 0) snapshot_take(&r->snapshot, r->extra.at[i], kind, &trouble);
  }
  return true;
}

/* Finds Verilator's folder, which has the sources of its library. */
static bool find_verilator(recipe_t *r) {
  words_t command = {0};
  if (recipe_is(r, "model")) return true;
  words_split(&command, "verilator --getenv VERILATOR_ROOT", " ");
  const bool ok = recipe_tool(r, "verilator") && recipe_ask(r, &command);
  words_free(&command);
  if (!ok) return false;
  r->verilator_root = recipe_text(r, "%.*s", (int)strcspn(r->said, "\n"), r->said);
  return access(recipe_text(r, "%s/include/verilated.h", r->verilator_root), R_OK) == 0 ||
         trouble_set(r->trouble, TROUBLE_ENVIRONMENT,
                     "verilator says that its folder is '%s', where no include/verilated.h can be read",
                     r->verilator_root);
}

/* Runs the steps of this kind of object, in the order of recipe.h. False: r->trouble. */
static bool run_steps(recipe_t *r) {
  const bool model = recipe_is(r, "model"), gates = recipe_of_gates(r),
             other = recipe_is(r, "cxxrtl") || recipe_is(r, "icarus"), text = recipe_is(r, "emitted");
  r->probes = true;
  r->verilated = !model && !other;
  r->waves = recipe_is(r, "rtl+wave"), r->covers = recipe_is(r, "rtl+cov"), r->faults = recipe_is(r, "rtl+faults");
  r->toggles = recipe_is(r, "netlist+toggles");
  if (!take_extra(r) || !find_verilator(r) || !recipe_sources(r) || (!model && !recipe_rtl(r))) return false;
  snapshot_end(&r->snapshot);
  if (recipe_is(r, "lint") || recipe_is(r, "lint+ports")) return recipe_lint(r);
  if (!recipe_check_model(r)) return false;
  if (recipe_is(r, "ports")) return recipe_only_ports(r);
  if (gates && !recipe_cells(r)) return false;
  if ((gates || other || text) && !recipe_read_ports(r)) return false;
  if (text && !recipe_emitted(r)) return false;
  if (gates && !recipe_by_yosys(r, recipe_netlist)) return false;
  if (recipe_is(r, "gates")) return recipe_write(r, recipe_text(r, "%s.so", r->ask->block), "gates\n");
  if (recipe_is(r, "cxxrtl") && !recipe_by_yosys(r, recipe_cxxrtl)) return false;
  if (recipe_is(r, "icarus") && !recipe_icarus(r)) return false;
  return (!r->verilated || recipe_verilate(r)) && recipe_compile(r);
}

/* Removes files that objects of earlier builds opened at run time. */
static void drop_kept(const recipe_t *r) {
  char pattern[2 * RECIPE_PATH];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/lockstack-*.v[vp][pi]", r->work);
  if (glob(pattern, 0, NULL, &found)) return;
  for (size_t i = 0; i < found.gl_pathc; i++)
    if (!words_has(&r->keep, found.gl_pathv[i])) unlink(found.gl_pathv[i]);
  globfree(&found);
}

/* Copies the whole file; the copy is executable. */
static bool copy_file(const char *from, const char *to) {
  size_t size;
  FILE *file = fopen(from, "re");
  char *text = file ? file_rest(file, FILE_MOST, &size) : NULL;
  if (file) fclose(file);
  FILE *out = text ? fopen(to, "we") : NULL;
  bool ok = out && fwrite(text, 1, size, out) == size;
  if (out && fclose(out)) ok = false;
  if (ok) chmod(to, 0755);
  free(text);
  return ok;
}

/* Publishes the finished file with one rename. */
static bool publish(recipe_t *r, manifest_t *m, const char *object) {
  char made[2 * RECIPE_PATH], part[2 * RECIPE_PATH];
  static const char *const no_sides[] = {NULL};
  snprintf(made, sizeof made, "%s/%s.so", r->work, r->ask->block);
  snprintf(part, sizeof part, "%s.%ld", object, (long)getpid());
  bool ok = copy_file(made, part) || trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s: %s", part, strerror(errno));
  if (ok && !object_file_finish(part, r->ask->tree, r->work,
                                r->sides.count ? (const char *const *)r->sides.at : no_sides, m, r->trouble))
    ok = false;
  if (ok && rename(part, object)) ok = trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s: %s", object, strerror(errno));
  if (!ok) unlink(part);
  else drop_kept(r);
  return ok;
}

static void free_recipe(recipe_t *r) {
  words_t *const all[] = {&r->kept,     &r->values,    &r->given,     &r->packages,   &r->lists,   &r->files,
                          &r->folders,  &r->includes,  &r->c_folders, &r->c_sources,  &r->objects, &r->compiled,
                          &r->link,     &r->compilers, &r->sides,     &r->keep,       &r->read,    &r->absent,
                          &r->rtl_read, &r->c_read,    &r->cxx_read,  &r->ports_read, &r->named};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) words_free(all[i]);
  if (r->cells) cells_close(r->cells), free(r->cells);
  snapshot_free(&r->snapshot);
  content_free(&r->outside);
  free(r->said);
}

/* The files of the last build are the first guess for this one. Copying them now saves
 * an attempt. */
static void guess_extra(recipe_t *r, const char *object) {
  manifest_t last;
  if (!object_file_read(object, r->ask->tree, &last)) {
    r->shadowed = !r->again;
    return;
  }
  for (size_t i = 0; i < last.files.count; i++) {
    const content_file_t *f = &last.files.files[i];
    if (strcmp(f->sum, CONTENT_NONE) == 0) r->shadowed |= !r->again && access(f->path, F_OK) == 0;
    else if (!object_is_of_machine(f->path, r->ask->folder) && !file_within(f->path, r->ask->cache))
      words_add_new(&r->extra, f->path);
  }
  manifest_free(&last);
}

/* One attempt from copies to the published object. */
static settled_t try(recipe_t *r, const char *request, const char *object) {
  struct timespec began;
  manifest_t m = {0};
  clock_gettime(CLOCK_REALTIME, &began);
  snapshot_begin(&r->snapshot, r->work, r->ask->tree);
  r->snapshot.bare = recipe_is(r, "icarus");
  guess_extra(r, object);
  object_outside_load(r);
  settled_t settled = BAD;
  if (run_steps(r)) settled = settle(r, &began, &m.files);
  else if (r->trouble->kind == TROUBLE_INPUT && content_changed(&r->snapshot.taken, NULL)) settled = AGAIN;
  if (settled == SETTLED) {
    m.request = strdup(request);
    m.tools = strdup(all_versions(r));
    if (!m.request || !m.tools) trouble_memory(r->trouble), settled = BAD;
    else if (!publish(r, &m, object)) settled = BAD;
  }
  object_outside_save(r);
  manifest_free(&m);
  return settled;
}

/* ---- the working folder */

/* Removes Ninja's outputs if the clock was set back: Ninja compares times, and all of them may be
 * wrong. */
static void forget_times(const char *work) {
  char path[2 * RECIPE_PATH];
  struct stat last;
  struct timespec now;
  static const char *const made[] = {"*.o", ".ninja_log", ".ninja_deps", "*.so"};
  snprintf(path, sizeof path, "%s/last", work);
  clock_gettime(CLOCK_REALTIME, &now);
  if (stat(path, &last) == 0 && last.st_mtim.tv_sec <= now.tv_sec) return;
  for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
    glob_t found;
    snprintf(path, sizeof path, "%s/%s", work, made[i]);
    if (glob(path, 0, NULL, &found)) continue;
    for (size_t k = 0; k < found.gl_pathc; k++) unlink(found.gl_pathv[k]);
    globfree(&found);
  }
}

/* Notes the time of this build for forget_times of the next one. */
static void note_time(const char *work) {
  char path[2 * RECIPE_PATH];
  snprintf(path, sizeof path, "%s/last", work);
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file >= 0) futimens(file, NULL), close(file);
}

/* Repeats attempts until one is settled. Each further attempt copies what the one before read
 * outside. */
static bool build(const object_request_t *ask, const char *request, const char *work, const char *object,
                  trouble_t *trouble) {
  words_t extra = {0};
  settled_t settled = AGAIN;
  char what[512];
  snprintf(what, sizeof what, "building %s%s%s (%s)", ask->block, *ask->params ? " with " : "", ask->params, ask->kind);
  process_work(what);
  forget_times(work);
  for (int i = 0; settled == AGAIN && i < TRIES; i++) {
    recipe_t r = {.ask = ask, .trouble = trouble, .extra = extra, .again = i > 0};
    snprintf(r.work, sizeof r.work, "%s", work);
    *trouble = (trouble_t){0};
    settled = try(&r, request, object);
    extra = r.extra;
    free_recipe(&r);
    if (settled == AGAIN && i > 1) clock_pause(1000);
  }
  note_time(work);
  process_work(NULL);
  if (settled == AGAIN && !*trouble->text)
    trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: changes again and again while block %s is built",
                extra.count ? extra.at[0] : ask->rtl, ask->block);
  words_free(&extra);
  if (settled != SETTLED && !trouble->kind) trouble->kind = TROUBLE_ENVIRONMENT;
  return settled == SETTLED;
}

/* An object of the default build is as good as the request, if the tree was installed: its request
 * names another machine. */
static bool is_fresh(const object_request_t *ask, const char *object, const char *request) {
  manifest_t m;
  if (!object_file_fresh(object, ask->tree, ask->folder, ask->installed && ask->object, &m)) return false;
  const bool same = (ask->installed && ask->object) || (is_made_here(&m) && strcmp(m.request, request) == 0);
  manifest_free(&m);
  return same;
}

/* True for a build folder that belongs to another user. Fresh objects there are used; others are
 * built in the cache. */
static bool is_others(const object_request_t *ask) {
  char folder[OBJECT_PATH];
  if (!ask->object || ask->installed) return false;
  snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(ask->object, '/') - ask->object), ask->object);
  return access(folder, W_OK) && errno != ENOENT;
}

bool object_get(const object_request_t *asked, char path[OBJECT_PATH], trouble_t *trouble) {
  object_request_t without = *asked;
  const object_request_t *ask = asked;
  char work[RECIPE_PATH];
  char *request = object_request_line(ask);
  if (!request) return trouble_memory(trouble);
  without.object = NULL;
  if (is_others(ask) && !is_fresh(ask, ask->object, request)) ask = &without;
  uint64_t key = hash_byte(hash_text(HASH_EMPTY, ask->tree), 0);
  key = hash_text(hash_byte(hash_text(key, request), 0), ask->object ? ask->object : "");
  snprintf(work, sizeof work, "%.3800s/%.200s-%016llx", ask->cache, ask->block, (unsigned long long)key);
  if (ask->object) snprintf(path, OBJECT_PATH, "%s", ask->object);
  else snprintf(path, OBJECT_PATH, "%.4000s/object.so", work);
  bool ok = is_fresh(ask, path, request);
  if (!ok && !file_folder(work))
    trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", work, strerror(errno));
  else if (!ok) {
    const int lock = recipe_lock(work, trouble);
    ok = lock >= 0 && (is_fresh(ask, path, request) || build(ask, request, work, path, trouble));
    if (lock >= 0) close(lock);
  }
  free(request);
  if (ok) *trouble = (trouble_t){0}; /* of steps that may fail */
  return ok;
}

/* ---- what an object says of itself */

bool object_fresh(const char *object, const char *tree, bool installed) {
  manifest_t m;
  if (!object_file_fresh(object, tree, "", installed, &m)) return false;
  const bool made = installed || is_made_here(&m);
  manifest_free(&m);
  return made;
}

bool object_inputs(const char *object, const char *tree, content_t *inputs) {
  manifest_t m;
  if (!object_file_read(object, tree, &m)) return false;
  for (size_t i = 0; i < m.files.count; i++) content_note_sum(inputs, m.files.files[i].path, m.files.files[i].sum);
  manifest_free(&m);
  return true;
}

bool object_key(const char *object, const char *tree, char key[CONTENT_SUM], char **tools) {
  manifest_t m;
  if (!object_file_read(object, tree, &m)) return false;
  snprintf(key, CONTENT_SUM, "%s", m.key);
  *tools = strdup(m.tools);
  manifest_free(&m);
  return *tools != NULL;
}

char *object_side(const char *object, const char *name) {
  return object_file_side(object, name);
}
