/* SPDX-License-Identifier: Apache-2.0
 *
 * The hash may cover too much, which costs a synthesis. It must never cover too little: that
 * would bring back an old result for new sources.
 */
#include "area_key.h"

#include "file.h"
#include "hash.h"
#include "port_params.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PROOF_PATH fail when they are opened */

enum { MOST_FILES = 256 };

/* 0xff ends each text, so that "ab","c" and "a","bc" differ. */
static uint64_t hash_next(uint64_t hash, const char *text) {
  return hash_byte(hash_text(hash, text), 0xff);
}

/* A file that cannot be read counts as an empty one. */
static uint64_t hash_file(uint64_t hash, const char *path) {
  char *text = file_read(path);
  hash = hash_next(hash, text ? text : "");
  free(text);
  return hash;
}

/* Hashes a generated file without comments and with single blanks: its layout decides nothing. */
static uint64_t hash_words(uint64_t hash, const char *path) {
  char *text = file_read(path), *to = text;
  for (const char *p = text; p && *p;) {
    if (p[0] == '/' && p[1] == '/') p += strcspn(p, "\n");
    else if (!isspace((unsigned char)*p)) *to++ = *p++;
    else if (p++, to > text && to[-1] != ' ') *to++ = ' ';
  }
  if (text) *to = 0;
  hash = hash_next(hash, text ? text : "");
  free(text);
  return hash;
}

static uint64_t hash_generated(uint64_t hash, const char *folder, const char *pattern) {
  char whole[PROOF_PATH];
  glob_t found;
  snprintf(whole, sizeof whole, "%s/%s", folder, pattern);
  if (glob(whole, 0, NULL, &found)) return hash;
  for (size_t i = 0; i < found.gl_pathc; i++) hash = hash_words(hash, found.gl_pathv[i]);
  globfree(&found);
  return hash;
}

/* ---- RTL that the block may reach */

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* Is `word` in the text, as a word of its own? A comment that names a module counts, too. */
static bool mentions_word(const char *text, const char *word) {
  size_t length = strlen(word);
  for (const char *at = text; (at = strstr(at, word)); at++)
    if ((at == text || !is_word(at[-1])) && !is_word(at[length])) return true;
  return false;
}

/* "/a/fifo.sv" has the stem "fifo". PROOF_NAME characters. */
static void stem_of(const char *path, char *stem) {
  const char *slash = strrchr(path, '/');
  snprintf(stem, PROOF_NAME, "%s", slash ? slash + 1 : path);
  stem[strcspn(stem, ".")] = 0;
}

/* By parts, a part's port file stands for its RTL: it has all that the parent sees of the part. */
static void part_file(const area_job_t *j, const char *stem, const char *rtl, bool by_parts, char *path) {
  const char *family = by_parts && strcmp(stem, j->block) != 0 ? area_family_of(j, stem) : NULL;
  if (family) snprintf(path, PROOF_PATH, "%s/rtl/%s/%s.ports", j->source, family, stem);
  else snprintf(path, PROOF_PATH, "%s", rtl);
}

/* Starts with the block's text and adds files that the texts name, until no further file is
 * named. */
static uint64_t hash_rtl(uint64_t hash, const area_job_t *j, bool by_parts) {
  char pattern[PROOF_PATH], stem[PROOF_NAME], path[PROOF_PATH];
  bool taken[MOST_FILES] = {false}, more = true;
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/rtl/%s/%s.sv", j->source, j->family, j->block);
  char *texts = file_read(pattern); /* all that was taken */
  hash = hash_next(hash, texts ? texts : "");
  snprintf(pattern, sizeof pattern, "%s/rtl/{%s,lib}/*.sv", j->source, j->family);
  if (glob(pattern, GLOB_BRACE, NULL, &found)) return free(texts), hash;
  while (texts && more) {
    more = false;
    for (size_t i = 0; i < found.gl_pathc && i < MOST_FILES; i++) {
      stem_of(found.gl_pathv[i], stem);
      if (taken[i] || strcmp(stem, j->block) == 0 || !mentions_word(texts, stem)) continue;
      part_file(j, stem, found.gl_pathv[i], by_parts, path);
      char *text = file_read(path), *longer = text ? realloc(texts, strlen(texts) + strlen(text) + 1) : NULL;
      taken[i] = more = true;
      hash = hash_next(hash_next(hash, stem), text ? text : "");
      if (longer) texts = longer, strcat(texts, text);
      free(text);
    }
  }
  free(texts), globfree(&found);
  return hash;
}

/* All Verilog files in a folder: a script outside the tree may read any of them. */
static uint64_t hash_folder(uint64_t hash, const char *folder) {
  char pattern[PROOF_PATH];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/*.{v,sv,vh,svh}", folder);
  if (glob(pattern, GLOB_BRACE, NULL, &found)) return hash;
  for (size_t i = 0; i < found.gl_pathc; i++) hash = hash_file(hash_next(hash, found.gl_pathv[i]), found.gl_pathv[i]);
  globfree(&found);
  return hash;
}

/* All that Yosys may read for a block outside the tree. */
static uint64_t hash_own(uint64_t hash, const rtl_t *rtl) {
  char path[PROOF_PATH];
  hash = hash_next(hash_next(hash, rtl->files), rtl->defines);
  hash = hash_next(hash_next(hash, rtl->libraries), rtl->verilog ? "verilog" : "");
  for (const char *at = rtl->files; rtl_next(&at, path, sizeof path);) hash = hash_file(hash, path);
  for (const char *at = rtl->libraries; rtl_next(&at, path, sizeof path);) hash = hash_folder(hash, path);
  for (const char *at = rtl->includes; rtl_next(&at, path, sizeof path);) hash = hash_folder(hash, path);
  return hash;
}

/* ---- parameters */

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts the words and puts commas between them. The order of the user's words does not change
 * the key. */
static void put_in_order(const char *words, char *params, size_t size) {
  char text[PORT_PARAMS_TEXT], *word[PROOF_MOST], *rest;
  unsigned count = 0;
  size_t length = 0;
  snprintf(text, sizeof text, "%s", words);
  for (char *w = strtok_r(text, ", ", &rest); w && count < PROOF_MOST; w = strtok_r(NULL, ", ", &rest))
    word[count++] = w;
  qsort(word, count, sizeof *word, by_name);
  *params = 0;
  for (unsigned i = 0; i < count && length < size; i++)
    length += (size_t)snprintf(params + length, size - length, "%s%s", i ? "," : "", word[i]);
}

bool area_params(const area_job_t *j, char *params, size_t size, trouble_t *trouble) {
  char path[PROOF_PATH], all[PORT_PARAMS_TEXT];
  if (j->ports) snprintf(path, sizeof path, "%s", j->ports);
  else snprintf(path, sizeof path, "%s/rtl/%s/%s.ports", j->source, j->family, j->block);
  if (!j->part && !port_params(j->source, path, j->params, PORT_PARAMS_ALL, all, sizeof all, trouble)) return false;
  put_in_order(j->part ? j->params : all, params, size);
  return true;
}

const char *area_family_of(const area_job_t *j, const char *block) {
  char path[PROOF_PATH];
  const char *const families[] = {j->family, "lib"};
  for (unsigned i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "%s/rtl/%s/%s.ports", j->source, families[i], block);
    if (access(path, R_OK) == 0) return families[i];
  }
  return NULL;
}

uint64_t area_key(const area_job_t *j, bool by_parts, const char *params, const char *script, const char *version) {
  uint64_t hash = hash_next(hash_next(hash_next(HASH_EMPTY, j->block), params), script);
  hash = hash_next(hash_next(hash_next(hash, version), j->target->name), by_parts ? "parts" : "");
  hash = hash_generated(hash_generated(hash, j->gen, "*_pkg.sv"), j->gen, "*.svh");
  hash = j->own ? hash_own(hash_next(hash, "parameters arrived"), j->own) : hash_rtl(hash, j, by_parts);
  if (area_is_fpga(j->target)) return hash;
  const liberty_t *library = &j->target->cells->library;
  /* its RTL may name those, too */
  for (const liberty_cell_t *c = library->cells; j->own && c < library->cells + library->count; c++)
    if (!c->used) hash = hash_next(hash_next(hash, c->name), c->text);
  return hash_next(hash, library->text);
}
