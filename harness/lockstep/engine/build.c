/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects with other parameters or waves, and objects of blocks outside the tree, lie beside the
 * default ones. If that folder is not writable, they lie in ~/.cache/lockstack.
 * harness/lockstep/objects builds them.
 */
#include "build.h"
#include "cells.h"
#include "file.h"
#include "image_check.h"
#include "judged.h"
#include "nearest.h"
#include "object.h"
#include "own.h"
#include "plain.h"
#include "process.h"
#include "vhdl.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef DUT_CFLAGS
#define DUT_CFLAGS ""
#endif

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

static bool exists(const char *path) {
  return access(path, R_OK) == 0;
}

static bool bad(trouble_t *trouble, const char *path, const char *what) {
  return trouble_set(trouble, TROUBLE_INPUT, "%s: %s", path, what);
}

/* --- finding */

/* Reports an unknown block with the nearest names. A path gets no suggestions. */
static bool no_block(const places_t *places, const char *name, trouble_t *trouble) {
  char pattern[BUILD_PATH], stem[NEAREST_NAME];
  nearest_t near;
  glob_t found;
  if (strchr(name, '/')) return bad(trouble, name, "no such folder");
  nearest_start(&near, name);
  snprintf(pattern, sizeof pattern, "%s/rtl/*/*.ports", places->source);
  for (size_t i = 0, many = glob(pattern, 0, NULL, &found) ? 0 : found.gl_pathc; i < many; i++) {
    const char *file = strrchr(found.gl_pathv[i], '/') + 1;
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(file, "."), file);
    nearest_try(&near, stem);
  }
  globfree(&found);
  return trouble_set(trouble, TROUBLE_INPUT, "no block '%s'; `lockstack list blocks` shows them, or name a folder%s",
                     name, nearest_text(&near));
}

/* Fills in a block of the tree; false: the tree has none of this name. */
static bool in_tree(block_t *block, const places_t *places, const char *name) {
  char pattern[BUILD_PATH];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/rtl/*/%s.ports", places->source, name);
  if (strpbrk(name, "*?[/") || glob(pattern, 0, NULL, &found)) return false;
  const char *path = found.gl_pathv[0], *family_end = strrchr(path, '/'), *family = family_end;
  while (family > path && family[-1] != '/') family--;
  int n = (int)(family_end - family);
  snprintf(block->name, sizeof block->name, "%s", name);
  snprintf(block->ports, BUILD_PATH, "%s", path);
  snprintf(block->rtl, BUILD_PATH, "%s/rtl/%.*s/%s.sv", places->source, n, family, name);
  snprintf(block->model, BUILD_PATH, "%s/cmodel/blocks/%.*s/%s.c", places->source, n, family, name);
  snprintf(block->stim, BUILD_PATH, "%s/tests/lockstep/%s.c", places->source, name);
  globfree(&found);
  if (!exists(block->stim)) *block->stim = 0;
  return true;
}

/* Fills in a block outside of the tree from its folder. */
static bool in_folder(block_t *block, const places_t *places, const char *folder, trouble_t *trouble) {
  char pattern[BUILD_PATH + 16];
  glob_t found;
  if (!realpath(folder, block->folder)) return bad(trouble, folder, strerror(errno));
  snprintf(pattern, sizeof pattern, "%s/*.ports", block->folder);
  if (glob(pattern, 0, NULL, &found)) return bad(trouble, folder, "no port file X.ports in this folder");
  if (found.gl_pathc > 1) {
    globfree(&found);
    return bad(trouble, folder, "more than one port file; one block a folder");
  }
  const char *stem = strrchr(found.gl_pathv[0], '/') + 1;
  int n = (int)strlen(stem) - (int)strlen(".ports");
  snprintf(block->name, sizeof block->name, "%.*s", n, stem);
  snprintf(block->ports, BUILD_PATH, "%s", found.gl_pathv[0]);
  globfree(&found);
  snprintf(block->model, BUILD_PATH, "%s/%s.c", block->folder, block->name);
  snprintf(block->stim, BUILD_PATH, "%s/%s_stim.c", block->folder, block->name);
  if (!exists(block->stim)) *block->stim = 0;
  return own_read(block, places, trouble);
}

#define PIECES "is missing: a block has RTL, port file, model and its header"

bool block_find(block_t *block, const places_t *places, const char *what, const char *params, trouble_t *trouble) {
  struct stat info;
  memset(block, 0, sizeof *block);
  snprintf(block->params, sizeof block->params, "%s", params ? params : "");
  if (!in_tree(block, places, what)) {
    if (stat(what, &info) || !S_ISDIR(info.st_mode)) return no_block(places, what, trouble);
    if (!in_folder(block, places, what, trouble)) return false;
  }
  char header[BUILD_PATH];
  snprintf(header, sizeof header, "%.*s.h", (int)strlen(block->model) - 2, block->model);
  const char *const needed[] = {block->model, header};
  for (int i = 0; i < 2; i++)
    if (!exists(needed[i])) return bad(trouble, needed[i], PIECES);
  return true;
}

const char *block_subject(const block_t *block) {
  return *block->folder ? block->folder : block->name;
}

/* The same for a block outside of the tree: a file of the list, or a module of one of the
 * libraries, in whatever folder. */
static bool replaces_own(const block_t *block, const char *file) {
  const char *base = strrchr(file, '/');
  char path[BUILD_PATH], own[2 * BUILD_PATH];
  for (const char *at = block->read.files; rtl_next(&at, path, sizeof path);)
    if (strcmp(strrchr(path, '/'), base) == 0) return true;
  for (const char *at = block->read.libraries; rtl_next(&at, path, sizeof path);) {
    snprintf(own, sizeof own, "%s%s", path, base);
    if (exists(own)) return true;
  }
  return false;
}

/* True if this file of another folder would replace one of the block's: a file beside the block's
 * RTL or, in the tree, one of any family. */
static bool replaces(const block_t *block, const char *file) {
  char own[BUILD_PATH + 16];
  glob_t found;
  if (*block->folder && replaces_own(block, file)) return true;
  snprintf(own, sizeof own, "%s%s%s", block->beside, *block->folder ? "" : "/../*", strrchr(file, '/'));
  bool any = glob(own, 0, NULL, &found) == 0;
  if (any) globfree(&found);
  return any;
}

static bool replaces_any(const block_t *block) {
  char pattern[BUILD_PATH + 16];
  glob_t found;
  bool any = false;
  snprintf(pattern, sizeof pattern, "%s/*.%s", block->instead, vhdl_is(&block->read) ? "vhd*" : "*v");
  if (glob(pattern, 0, NULL, &found)) return false;
  for (size_t i = 0; i < found.gl_pathc && !any; i++) any = replaces(block, found.gl_pathv[i]);
  globfree(&found);
  return any;
}

/* The file's own name, "/odd one.v", also where its path is a link with a plain name (plain.h). */
static const char *own_name(const char *path, char real[BUILD_PATH]) {
  const char *name = strrchr(path, '/');
  return strncmp(name, "/folder-", 8) == 0 && realpath(path, real) ? strrchr(real, '/') : name;
}

/* Replaces files of a block outside the tree by those of the folder. */
static bool instead_of_files(block_t *block, trouble_t *trouble) {
  const rtl_t was = block->read;
  char path[BUILD_PATH], other[BUILD_PATH], real[BUILD_PATH], plain[BUILD_PATH];
  *block->read.files = 0;
  for (const char *at = was.files; rtl_next(&at, path, sizeof path);) {
    snprintf(other, sizeof other, "%s%s", block->instead, own_name(path, real));
    if (exists(other) && !plain_file(other, plain, sizeof plain, trouble)) return false;
    if (!rtl_add(block->read.files, exists(other) ? plain : path))
      return bad(trouble, block->instead, "too long a path");
  }
  return true;
}

bool block_instead(block_t *block, const char *folder, trouble_t *trouble) {
  char rtl[BUILD_PATH], real[BUILD_PATH];
  struct stat info;
  if (!realpath(folder, block->instead) || stat(folder, &info)) return bad(trouble, folder, strerror(errno));
  snprintf(rtl, sizeof rtl, "%s/", folder);
  judged_file(rtl); /* a link may come to lead elsewhere */
  if (!S_ISDIR(info.st_mode)) return bad(trouble, folder, "should be a folder of RTL files");
  const char *name = own_name(block->rtl, real), *at = strcmp(name, strrchr(block->rtl, '/')) ? real : block->rtl;
  snprintf(rtl, sizeof rtl, "%s%s", block->instead, name);
  snprintf(block->beside, BUILD_PATH, "%.*s", (int)(strrchr(at, '/') - at), at);
  if (!replaces_any(block)) return bad(trouble, folder, "no RTL file of the block or of its parts is in this folder");
  if (exists(rtl) && !plain_file(rtl, block->rtl, sizeof block->rtl, trouble)) return false;
  return instead_of_files(block, trouble);
}

/* --- building */

const char *block_kind(const char *name) {
#define BLOCK_DEVICE(kind) kind,
  static const char *const kinds[] = {BLOCK_DEVICES(BLOCK_DEVICE)};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(name, kinds[i]) == 0) return kinds[i];
  return NULL;
}

static bool is_of_gates(const char *kind) {
  return strcmp(kind, "netlist") == 0 || strcmp(kind, "netlist+toggles") == 0 || strcmp(kind, "gates") == 0;
}

/* The folder of objects that the default build does not make. */
static bool cache_folder(const places_t *places, char folder[PLAIN_PATH]) {
  char first[BUILD_PATH];
  snprintf(first, sizeof first, "%s/cache", places->objects);
  return plain_cache(first, folder);
}

/* An installed tree has no build folder beside its objects. */
static bool is_installed(const places_t *places) {
  char path[BUILD_PATH + 32];
  snprintf(path, sizeof path, "%s/../build.ninja", places->objects);
  return !exists(path);
}

/* Finds portgen: with the objects, or beside the folder of this program. */
static void find_portgen(const places_t *places, char portgen[BUILD_PATH + 32]) {
  static const char *const beside[] = {"dut", "lib/lockstack"};
  const char *self = process_self(), *folder = strrchr(self, '/');
  snprintf(portgen, BUILD_PATH + 32, "%s/portgen", places->objects);
  for (size_t i = 0; folder && !exists(portgen) && i < sizeof beside / sizeof *beside; i++)
    snprintf(portgen, BUILD_PATH + 32, "%.*s/../%s/portgen", (int)(folder - self), self, beside[i]);
}

/* The default build makes objects with default parameters. */
static bool is_default(const block_t *block, const char *kind) {
  return !*block->folder && !*block->params && !*block->instead && strcmp(kind, "rtl") == 0;
}

bool block_fresh(const places_t *places, const char *object) {
  return object_fresh(object, places->source, is_installed(places));
}

/* A verdict covers everything that the object was made of. The machine's files appear as versions
 * of tools (judged_tool). */
static void judge_object(const block_t *block, const places_t *places, const char *path) {
  content_t inputs = {0}, own = {0};
  if (!judged_wanted()) return;
  if (!object_inputs(path, places->source, &inputs)) judged_unknown();
  for (size_t i = 0; i < inputs.count; i++) {
    const content_file_t *f = &inputs.files[i];
    if (!object_is_of_machine(f->path, block->folder)) content_note_sum(&own, f->path, f->sum);
  }
  judged_add(&own);
  content_free(&inputs), content_free(&own);
}

/* The cells that a kind of device is mapped onto; "": it has none. */
static const char *cells_for(const block_t *block, const char *kind) {
  if (!is_of_gates(kind)) return "";
  return *block->cells ? block->cells : CELLS_DEFAULT;
}

/* Finds or builds the object: the default build's if parameters and kind allow, else one in the
 * cache. */
static bool get_object(const block_t *block, const places_t *places, const char *kind, char *path, trouble_t *trouble) {
  char cache[BUILD_PATH], object[BUILD_PATH + 80], portgen[BUILD_PATH + 32];
  if (strcmp(kind, "model") && !exists(block->rtl)) return bad(trouble, block->rtl, PIECES);
  if (!cache_folder(places, cache))
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", cache, strerror(errno));
  snprintf(object, sizeof object, "%s/%s.so", places->objects, block->name);
  find_portgen(places, portgen);
  const bool installed = is_installed(places);
  const bool in_place = is_default(block, kind) && (!installed || object_fresh(object, places->source, true));
  const object_request_t ask = {.tree = places->source,
                                .portgen = portgen,
                                .cache = cache,
                                .object = in_place ? object : NULL,
                                .installed = installed,
                                .block = block->name,
                                .kind = kind,
                                .folder = block->folder,
                                .rtl = block->rtl,
                                .ports = block->ports,
                                .model = block->model,
                                .stim = block->stim,
                                .params = block->params,
                                .instead = block->instead,
                                .beside = block->beside,
                                .map = block->map,
                                .read = &block->read,
                                .cells = cells_for(block, kind),
                                .cflags = DUT_CFLAGS};
  return object_get(&ask, path, trouble);
}

static bool lint(const block_t *block, const places_t *places, const char *kind, const char *params, char *path,
                 trouble_t *trouble) {
  block_t *with = malloc(sizeof *with);
  if (!with) return trouble_memory(trouble);
  *with = *block;
  snprintf(with->params, sizeof with->params, "%s", params);
  for (char *p = with->params; *p; p++)
    if (*p == ' ') *p = ',';
  const bool ok = get_object(with, places, kind, path, trouble);
  free(with);
  return ok;
}

/* Refuses a register that does not wait for the rising edge of the clock itself. Inputs change
 * together with the clock's falling edge. Verilator's device applies the inputs first; other
 * devices, and Yosys' models with one clock, do not. */
static bool judge_clock(const char *object, const char *who, trouble_t *trouble) {
  char *text = object_side(object, "warnings.txt");
  const char *line = text && strncmp(text, "CLOCK ", 6) == 0 ? text + 6 : NULL;
  if (line)
    trouble_set(trouble, TROUBLE_INPUT,
                "%.*s, which %s not take as the RTL has it: a rising edge of the clock itself would be right",
                (int)strcspn(line, "\n"), line, who);
  free(text);
  return !line;
}

/* Checks the images, because Yosys accepts one that does not fit. */
static bool judge_images(const char *object, trouble_t *trouble) {
  char *text = object_side(object, "images.txt");
  const bool good = !text || images_judge_lines(text, trouble);
  free(text);
  return good;
}

bool block_lint(const block_t *block, const places_t *places, const char *params, const char *clock,
                trouble_t *trouble) {
  char path[BUILD_PATH];
  return lint(block, places, "lint", params, path, trouble) && judge_images(path, trouble) &&
         (!clock || judge_clock(path, clock, trouble));
}

/* The text in the cache, under a name of its content: several runs may use it. */
static bool keep_text(const places_t *places, const char *text, char *path, trouble_t *trouble) {
  char cache[PLAIN_PATH], sum[CONTENT_SUM], part[BUILD_PATH + 32];
  content_sum_bytes(text, strlen(text), sum);
  if (!cache_folder(places, cache))
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", cache, strerror(errno));
  snprintf(path, BUILD_PATH, "%s/emitted-%.32s.v", cache, sum);
  if (exists(path)) return true;
  snprintf(part, sizeof part, "%s.%ld", path, (long)getpid());
  FILE *file = fopen(part, "we");
  bool good = file && fputs(text, file) >= 0;
  if (file && fclose(file)) good = false;
  good = good && rename(part, path) == 0;
  return good || trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", path, strerror(errno));
}

bool block_text(const block_t *block, const places_t *places, const char *params, const char *clock, rtl_t *read,
                trouble_t *trouble) {
  char object[BUILD_PATH], path[BUILD_PATH];
  *read = block->read;
  if (!lint(block, places, "lint", params, object, trouble) || !judge_images(object, trouble) ||
      (clock && !judge_clock(object, clock, trouble)))
    return false;
  char *text = object_side(object, "emitted.v"), *warned = text ? object_side(object, "warnings.txt") : NULL;
  const bool vhdl = !text && vhdl_is(&block->read);
  if (vhdl) text = object_side(object, "vhdl.v");
  const bool good = !text || keep_text(places, text, path, trouble);
  const char *why = warned ? strstr(warned, "EMITTED ") : NULL;
  if (good && text) {
    *read = (rtl_t){.bare = block->read.bare, .verilog = !vhdl};
    memcpy(read->pins, block->read.pins, sizeof read->pins), rtl_add(read->files, path);
  }
  if (good && text && !vhdl) {
    fprintf(stderr, "lockstack: Yosys reads %s as Verilog 2005 of what Verilator elaborated (%.*s)\n", block->name,
            why ? (int)strcspn(why + 8, "\n") : 0, why ? why + 8 : "");
  }
  free(text), free(warned);
  return good;
}

bool block_object_warned(const block_t *block, const places_t *places, const char *kind, char *path, char *warned,
                         trouble_t *trouble) {
  const bool own = *block->folder != 0, apart = own && strcmp(kind, "icarus") == 0;
  const bool order = apart || (own && (is_of_gates(kind) || strcmp(kind, "cxxrtl") == 0));
  if (apart && !lint(block, places, "lint+ports", block->params, warned, trouble)) return false;
  if (!get_object(block, places, kind, path, trouble)) return false;
  judge_object(block, places, path);
  if (!apart) snprintf(warned, BUILD_PATH, "%s", path);
  char who[64];
  snprintf(who, sizeof who, "device %s does", kind);
  return !order || judge_clock(warned, who, trouble);
}

bool block_object(const block_t *block, const places_t *places, const char *kind, char *path, trouble_t *trouble) {
  char warned[BUILD_PATH];
  return block_object_warned(block, places, kind, path, warned, trouble);
}
