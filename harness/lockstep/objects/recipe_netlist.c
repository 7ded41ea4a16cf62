/* SPDX-License-Identifier: Apache-2.0
 *
 * Kinds netlist, netlist+toggles and gates (side files only, no device): the block as `lockstack
 * area` synthesises it (synth/cells.ys.in), on standard cells (harness/base/cells.h). Models of the
 * cells are what Yosys reads in the Liberty file (synth/models.ys.in), for every library;
 * tests/formal/cells.sh proves the models. A netlist has no probes. Memories (sram_*) are black
 * boxes for Yosys, and Verilator finds their RTL.
 *
 * Large blocks of the tree (synth/large.def) are synthesised by parts, as in `area`. The block's
 * own netlist has its parts as black boxes. Each part has a netlist with its exact parameters,
 * cached under a checksum of its inputs:
 *
 *   block --Yosys--> netlist with black boxes --parts()--> part, parameters --cached?--> netlist
 *                                                            |no
 *                                                            +--> Yosys, and its parts in turn
 */
#include "recipe.h"

#include "file.h"
#include "netlist_text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

typedef struct {
  recipe_t *r;
  words_t stems, paths; /* modules that may be parts, and the paths of their files */
  char *large;          /* synth/large.def */
  const char *common;   /* checksums of everything but RTL that each netlist depends on */
  words_t made;         /* netlists, in the order of reading */
} netlist_t;

/* ---- which modules there are */

static bool is_file(const char *path, const char *ending) {
  const size_t n = strlen(path), m = strlen(ending);
  return n > m && strcmp(path + n - m, ending) == 0;
}

static void find_stems(netlist_t *n) {
  const content_t *taken = &n->r->snapshot.taken;
  for (size_t k = 0; k < n->r->folders.count; k++) {
    const char *folder = n->r->folders.at[k];
    const size_t length = strlen(folder);
    for (size_t i = 0; i < taken->count; i++) {
      const char *path = taken->files[i].path, *name = path + length + 1;
      if (strncmp(path, folder, length) || path[length] != '/' || strchr(name, '/')) continue;
      const char *stem = recipe_text(n->r, "%.*s", (int)strcspn(name, "."), name);
      if ((is_file(name, ".sv") || is_file(name, ".v")) && words_add_new(&n->stems, stem))
        words_add(&n->paths, "%s", path);
    }
  }
}

static const char *path_of(const netlist_t *n, const char *stem) {
  if (strcmp(stem, n->r->ask->block) == 0) return n->r->ask->rtl;
  for (size_t i = 0; i < n->stems.count; i++)
    if (strcmp(n->stems.at[i], stem) == 0) return n->paths.at[i];
  return "";
}

static bool is_listed(const netlist_t *n, const char *list, const char *block) {
  return strstr(n->large, recipe_text(n->r, "\n%s(\"%s\")", list, block)) != NULL;
}

/* ---- a checksum of the RTL that a part may use; a module name in a comment counts, too */

static bool note_common(netlist_t *n) {
  recipe_t *r = n->r;
  content_t files = {0};
  trouble_t trouble;
  char key[CONTENT_SUM], pattern[2 * RECIPE_PATH];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/gen/*.sv*", r->work);
  content_sum_bytes(n->r->cells->library.text, strlen(n->r->cells->library.text), key);
  content_note_sum(&files, "cells", key);
  bool ok = content_note(&files, recipe_text(r, "%s/synth/cells.ys.in", r->ask->tree), &trouble);
  ok = ok &&
       content_note(&files, recipe_text(r, "%s/harness/lockstep/objects/recipe_netlist.c", r->ask->tree), &trouble);
  if (ok && glob(pattern, 0, NULL, &found) == 0) {
    for (size_t i = 0; ok && i < found.gl_pathc; i++) {
      char sum[CONTENT_SUM];
      ok = content_sum(found.gl_pathv[i], sum);
      content_note_sum(&files, strrchr(found.gl_pathv[i], '/') + 1, sum);
    }
    globfree(&found);
  }
  for (size_t i = 0; i < r->snapshot.taken.count; i++)
    if (is_file(r->snapshot.taken.files[i].path, ".svh"))
      content_note_sum(&files, r->snapshot.taken.files[i].path, r->snapshot.taken.files[i].sum);
  content_key(&files, key);
  content_free(&files);
  n->common = recipe_text(r, "%s %s", key, recipe_version(r, "yosys"));
  return ok || trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s", trouble.text);
}

/* True if the text has the word as a whole. */
static bool names(const char *text, const char *word) {
  const size_t n = strlen(word);
  for (const char *p = text; (p = strstr(p, word)); p++) {
    const bool begins = p == text || !(isalnum((unsigned char)p[-1]) || p[-1] == '_');
    if (begins && !(isalnum((unsigned char)p[n]) || p[n] == '_')) return true;
  }
  return false;
}

/* A checksum of everything that the part's netlist depends on. */
static bool checksum(netlist_t *n, const char *top, const char *params, char sum[CONTENT_SUM]) {
  recipe_t *r = n->r;
  words_t reached = {0};
  const char *all = recipe_text(r, "%s\n%s\n%s\n", top, params, n->common);
  bool ok = true;
  words_add(&reached, "%s", top);
  for (size_t i = 0; ok && i < reached.count; i++) { /* the list grows */
    const content_file_t *file = content_find(&r->snapshot.taken, path_of(n, reached.at[i]));
    char *text = file ? recipe_read(r, recipe_copy(r, file->path)) : NULL;
    ok = text != NULL || trouble_set(r->trouble, TROUBLE_INPUT, "%s: no RTL of it was found", reached.at[i]);
    for (size_t k = 0; ok && k < n->stems.count; k++)
      if (names(text, n->stems.at[k])) words_add_new(&reached, n->stems.at[k]);
    if (ok) all = recipe_text(r, "%s%s %s\n", all, reached.at[i], file->sum);
    free(text);
  }
  words_free(&reached);
  content_sum_bytes(all, strlen(all), sum);
  return ok;
}

/* ---- Yosys */

static const char *replace(recipe_t *r, const char *text, const char *name, const char *value) {
  return recipe_exchange(r, text, recipe_text(r, "@%s@", name), value);
}

static const char *reads(netlist_t *n, const char *top) {
  recipe_t *r = n->r;
  if (strcmp(top, r->ask->block)) return recipe_text(r, "-defer -sv %s", recipe_copy(r, path_of(n, top)));
  const char *text = recipe_yosys_reads(r) + strlen("read_verilog ");
  return recipe_text(r, "%.*s", (int)strlen(text) - 1, text);
}

static const char *box_parts(netlist_t *n, const char *top) {
  recipe_t *r = n->r;
  const char *text = "read_verilog -sv -lib";
  for (size_t i = 0; i < n->stems.count; i++)
    if (strncmp(n->stems.at[i], "sram_", 5) && strcmp(n->stems.at[i], top))
      text = recipe_text(r, "%s %s", text, recipe_copy(r, n->paths.at[i]));
  return recipe_text(r, "%s\n", text);
}

/* Commands that a test adds to each script to simulate a fault of synthesis. */
static const char *test_fault(recipe_t *r) {
  const char *path = getenv("LOCKSTACK_NETLIST_FAULT");
  char *text = path ? file_read(path) : NULL, *real = path ? realpath(path, NULL) : NULL;
  if (real) words_add_new(&r->read, real);
  free(real);
  const char *kept = recipe_text(r, "%s", text ? text : "");
  free(text);
  return kept;
}

/* Cells of a library have no initial value, and power up as 0 here. A register or latch that the
 * RTL declares to power up as 1 is kept inverted, so that the netlist powers up as the RTL does.
 * What has no such value stays as it is, in its order. */
static const char power_up[] =
    "select -set powered a:init %ci1:+[Q] t:$_* %i\n"
    "dfflegalize -cell $_DFF_?_ 0 -cell $_DFF_???_ 0 -cell $_DFFE_??_ 0 -cell $_DFFE_????_ 0 -cell $_ALDFF_??_ 0 "
    "-cell $_ALDFFE_???_ 0 -cell $_DFFSR_???_ 0 -cell $_DFFSRE_????_ 0 -cell $_SDFF_???_ 0 -cell $_SDFFE_????_ 0 "
    "-cell $_SDFFCE_????_ 0 -cell $_SR_??_ 0 -cell $_DLATCH_?_ 0 -cell $_DLATCH_???_ 0 -cell $_DLATCHSR_???_ 0 "
    "@powered\n";

static bool synthesise(netlist_t *n, const char *top, const char *params, const char *name, const char *folder,
                       bool by_parts, const char *fault) {
  recipe_t *r = n->r;
  const bool broad = is_listed(n, "BROAD", top);
  const char *packages = "";
  /* Absolute, because Yosys resolves a relative name to the real folder, whose name abc may not
   * accept. */
  const char *liberty = recipe_text(r, "%s/cells.lib", r->work);
  char *template = file_read(recipe_text(r, "%s/synth/cells.ys.in", r->ask->tree));
  if (!template)
    return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s/synth/cells.ys.in: %s", r->ask->tree, strerror(errno));
  if (!r->packages.count && !recipe_write(r, "empty.sv", "")) return false;
  for (size_t i = 0; i < r->packages.count; i++) packages = recipe_text(r, "%s %s", packages, r->packages.at[i]);
  const struct {
    const char *name, *value;
  } marks[] = {{"TOP", top},
               {"GEN", recipe_in_tree(r) ? "gen" : "none"},
               {"PACKAGES", *packages ? packages : " empty.sv"}, /* without a file Yosys would wait for one */
               {"READ", reads(n, top)},
               {"PARTS", by_parts ? box_parts(n, top) : ""},
               {"PARAMS", recipe_yosys_top(r, top, params)},
               {"LIBDIRS", recipe_yosys_libraries(r)},
               {"LIBERTY", liberty},
               {"DRIVER", recipe_text(r, "%s/cells.constr", r->work)},
               {"WORK", folder},
               {"THOROUGH", broad ? "# " : ""},
               {"BRIEF", broad ? "" : "# "}};
  const char *script = template;
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) script = replace(r, script, marks[i].name, marks[i].value);
  script = recipe_exchange(r, script, "dfflibmap ", recipe_text(r, "%sdfflibmap ", power_up));
  script = recipe_text(r, "%s%srename -top %s\nwrite_verilog -noattr -simple-lhs %s/netlist.v\n", script, fault, name,
                       folder);
  free(template);
  if (!recipe_write(r, recipe_text(r, "%s/cells.ys", folder), script)) return false;
  const bool ok = recipe_yosys(r, recipe_text(r, "%s/cells.ys", folder), recipe_text(r, "%s/yosys.d", folder),
                               recipe_text(r, "%s/netlist.v", folder));
  char *said = ok ? NULL : file_read(recipe_text(r, "%s/%s/abc.txt", r->work, folder));
  if (!ok) liberty_explain(r->trouble, said);
  free(said);
  return ok;
}

/* ---- parts */

static bool make(netlist_t *n, const char *top, const char *params, const char *name, const char *folder,
                 const char *fault, words_t *made);

static const char *place_of(const netlist_t *n, const char *name) {
  return *name == '/' ? name : recipe_text(n->r, "%s/%s", n->r->work, name);
}

/* Reads a part's cached netlists and the files that were read for them, with checksums. The last
 * line marks the list as complete. */
static bool read_kept(netlist_t *n, const char *folder, words_t *made) {
  words_t lines = {0};
  char *text = file_read(recipe_text(n->r, "%s/files.txt", folder));
  bool ok = text != NULL;
  if (text) words_split(&lines, text, "\n");
  free(text);
  ok = ok && lines.count && strcmp(lines.at[lines.count - 1], "end") == 0;
  for (size_t i = 0; ok && i + 1 < lines.count; i++) {
    char sum[CONTENT_SUM], is[CONTENT_SUM];
    int at = 0;
    ok = sscanf(lines.at[i], "%*s %64s %n", sum, &at) == 1 && at && content_sum(place_of(n, lines.at[i] + at), is) &&
         strcmp(is, sum) == 0;
  }
  for (size_t i = 0; ok && i + 1 < lines.count; i++) {
    const char *name = strchr(strchr(lines.at[i], ' ') + 1, ' ') + 1;
    if (strncmp(lines.at[i], "read ", 5) == 0) recipe_add_read(n->r, name, &n->r->rtl_read);
    else words_add_new(made, name);
  }
  words_free(&lines);
  return ok;
}

/* Stores a part's netlists and the list of its inputs in the cache. */
static bool write_kept(netlist_t *n, const char *folder, const words_t *made, const words_t *read) {
  recipe_t *r = n->r;
  const char *text = "";
  char sum[CONTENT_SUM];
  for (size_t i = 0; i < made->count; i++) {
    if (!content_sum(place_of(n, made->at[i]), sum))
      return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s: %s", made->at[i], strerror(errno));
    text = recipe_text(r, "%snetlist %s %s\n", text, sum, made->at[i]);
  }
  for (size_t i = 0; i < read->count; i++)
    if (content_sum(place_of(n, read->at[i]), sum)) text = recipe_text(r, "%sread %s %s\n", text, sum, read->at[i]);
  return recipe_write(r, recipe_text(r, "%s/files.txt", folder), recipe_text(r, "%send\n", text));
}

static bool make_part(netlist_t *n, const char *top, const char *params, const char *name, const char *folder,
                      words_t *made) {
  recipe_t *r = n->r;
  words_t found = {0};
  const words_t before = r->read;
  r->read = (words_t){0};
  const bool ok = make(n, top, params, name, folder, "", &found) && write_kept(n, folder, &found, &r->read);
  const words_t read = r->read;
  r->read = before;
  for (size_t i = 0; i < read.count; i++) words_add_new(&r->read, read.at[i]);
  for (size_t i = 0; ok && i < found.count; i++) words_add_new(made, found.at[i]);
  words_t gone = read;
  words_free(&gone), words_free(&found);
  return ok;
}

/* Makes a part once, however many instances it has. A concurrent build waits for the first. */
static bool part(netlist_t *n, const char *top, const char *params, const char *name, words_t *made) {
  recipe_t *r = n->r;
  const char *folder = recipe_text(r, "../netlists/%s", name), *whole = recipe_text(r, "%s/%s", r->work, folder);
  file_folder(whole);
  const int lock = recipe_lock(whole, r->trouble);
  if (lock < 0) return false;
  const bool ok = read_kept(n, recipe_text(r, "%s", whole), made) || make_part(n, top, params, name, folder, made);
  close(lock);
  return ok;
}

/* The settings of a part's instance in a netlist, as one line: "\n  fifo #(\n    .Width(32'd8),\n
 * .Depth(32'd4)\n  ) i_fifo (\n". */
static const char *settings_of(netlist_t *n, const char *text, const char **end) {
  const char *close = strstr(text, "\n  ) "), *settings = "";
  *end = text;
  if (strncmp(text, "#(\n", 3)) return settings;
  if (!close) return trouble_set(n->r->trouble, TROUBLE_ENVIRONMENT, "netlist: it ends in the middle"), NULL;
  for (text += 3; text < close; text = strchrnul(text, '\n') + 1) {
    text += strspn(text, " ");
    settings = recipe_text(n->r, "%s%s%.*s", settings, *settings ? " " : "", (int)strcspn(text, "\n"), text);
  }
  *end = close + 5;
  return settings;
}

/* True if the text starts with a module that may be a part: no memory, and not the top itself. */
static bool is_part(const netlist_t *n, const char *text, const char *top, size_t *length) {
  *length = strcspn(text, " \n(");
  for (size_t i = 0; i < n->stems.count; i++)
    if (strlen(n->stems.at[i]) == *length && strncmp(n->stems.at[i], text, *length) == 0)
      return strncmp(text, "sram_", 5) && strcmp(n->stems.at[i], top);
  return false;
}

/* Copies the port list of an instance without probes, which the part's netlist lacks. */
static void drop_probes(char *text) {
  char *to = text;
  for (char *line = text; *line;) {
    char *end = strchrnul(line, '\n');
    const size_t length = (size_t)(end - line) + (*end != 0);
    if (strncmp(line, "    .probe_", 11) == 0 && memchr(line, '(', length)) {
      line += length;
      /* the port before is the last now */
      if (strncmp(line, "  );", 4) == 0 && to - 2 >= text && to[-2] == ',') to[-2] = '\n', to--;
      continue;
    }
    memmove(to, line, length);
    to += length, line += length;
  }
  *to = 0;
}

/* Makes the parts that a netlist has as black boxes. Their parameters become part of
 * their names. */
static bool parts(netlist_t *n, const char *netlist, const char *top, words_t *made) {
  recipe_t *r = n->r;
  char *text = recipe_read(r, netlist), *out = NULL;
  size_t size = 0, length;
  FILE *to = text ? open_memstream(&out, &size) : NULL;
  bool ok = to != NULL;
  for (const char *at = text; ok && *at;) {
    const char *line_end = strchrnul(at, '\n'), *after = at + (size_t)(line_end - at) + (*line_end != 0);
    if (strncmp(at, "  ", 2) == 0 && at[2] != ' ' && is_part(n, at + 2, top, &length) && at[2 + length] == ' ') {
      char sum[CONTENT_SUM];
      const char *stem = recipe_text(r, "%.*s", (int)length, at + 2),
                 *settings = settings_of(n, at + 3 + length, &after);
      ok = settings && checksum(n, stem, settings, sum);
      const char *name = ok ? recipe_text(r, "%s__%.12s", stem, sum) : "";
      if (ok) fprintf(to, "  %s ", name);
      ok = ok && part(n, stem, settings, name, made);
    } else fwrite(at, 1, (size_t)(after - at), to);
    at = after;
  }
  if (to) fclose(to);
  if (ok) drop_probes(out), ok = recipe_write(r, netlist, out);
  free(text), free(out);
  return ok;
}

/* Adds the netlist of module `name` (the block with parameters) and the netlists of its parts. */
static bool make(netlist_t *n, const char *top, const char *params, const char *name, const char *folder,
                 const char *fault, words_t *made) {
  const bool by_parts = recipe_in_tree(n->r) && is_listed(n, "LARGE", top);
  const char *netlist = recipe_text(n->r, "%s/netlist.v", folder);
  if (!synthesise(n, top, params, name, folder, by_parts, fault)) return false;
  words_add_new(made, netlist);
  return !by_parts || parts(n, netlist, top, made);
}

/* Writes the functions of the cells as modules. */
static bool make_models(netlist_t *n) {
  recipe_t *r = n->r;
  char *template = file_read(recipe_text(r, "%s/synth/models.ys.in", r->ask->tree));
  if (!template)
    return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s/synth/models.ys.in: %s", r->ask->tree, strerror(errno));
  const char *script = replace(r, replace(r, template, "LIBERTY", "cells.lib"), "MODELS", "cells.v");
  free(template);
  return recipe_write(r, "models.ys", script) && recipe_yosys(r, "models.ys", "models.d", "cells.v");
}

/* Side files of kinds netlist+toggles and gates: the whole netlist with the block last, the
 * library, and the port names. */
static bool keep_sides(netlist_t *n) {
  recipe_t *r = n->r;
  char *whole = NULL;
  size_t size = 0;
  FILE *to = open_memstream(&whole, &size);
  bool ok = to != NULL;
  for (size_t i = n->made.count; ok && i--;) {
    char *text = recipe_read(r, n->made.at[i]);
    ok = text != NULL;
    if (ok) netlist_text(to, text);
    free(text);
  }
  if (to) fclose(to);
  ok = ok && recipe_write(r, "whole.v", whole);
  free(whole);
  words_add(&r->sides, "whole.v"), words_add(&r->sides, "cells.lib"), words_add(&r->sides, "clocking.txt");
  recipe_resets_t resets;
  if (!ok || !recipe_reset_pins(r, &resets)) return false;
  const char *pins = "";
  for (unsigned i = 0; i < resets.said.num_resets; i++)
    pins = recipe_text(r, "%s%s%s", pins, i ? " " : "", resets.pins[i]);
  return recipe_write(r, "clocking.txt", recipe_text(r, "clock %s\nreset %s\n", resets.said.clocks, pins));
}

static bool prepare(netlist_t *n) {
  recipe_t *r = n->r;
  static const char *const needed[] = {"synth/cells.ys.in", "synth/models.ys.in", "synth/large.def"};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (!recipe_take_read(r, recipe_text(r, "%s/%s", r->ask->tree, needed[i]))) return false;
  n->large = file_read(recipe_text(r, "%s/synth/large.def", r->ask->tree));
  find_stems(n);
  return n->large && recipe_box_cells(r) && note_common(n);
}

/* From here on the netlist is the design. */
static void take_netlist(recipe_t *r, const words_t *made) {
  words_free(&r->files), words_free(&r->packages);
  words_add_all(&r->files, made);
  words_add(&r->files, "cells.v");
  if (r->named.count) words_add(&r->files, "named.v");
  r->gates = true, r->probes = false;
}

bool recipe_netlist(recipe_t *r) {
  netlist_t n = {.r = r};
  if (recipe_in_tree(r) && strncmp(r->ask->block, "sram_", 5) == 0)
    return trouble_set(r->trouble, TROUBLE_INPUT,
                       "%s is a memory macro: it has no gates, and every netlist has its RTL", r->ask->block);
  bool ok = prepare(&n);
  ok = ok && make(&n, r->ask->block, recipe_yosys_parameters(r), r->ask->block, ".", test_fault(r), &n.made);
  ok = ok && (r->emitted || recipe_same_files(r, &r->rtl_read, "Yosys")) &&
       recipe_model_cells(r, "./netlist.v", "named.v") && make_models(&n);
  ok = ok && (recipe_is(r, "netlist") || keep_sides(&n));
  if (ok) take_netlist(r, &n.made);
  words_free(&n.stems), words_free(&n.paths), words_free(&n.made);
  free(n.large);
  return ok;
}
