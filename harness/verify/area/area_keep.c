/* SPDX-License-Identifier: Apache-2.0
 *
 * A kept result's `entry`; sums are CRC-32:
 *
 *   seconds 1.234 1.200                 of synthesis: wall clock, processor
 *   file 89abcdef cells.txt             a list of Yosys', in the folder
 *   input 01234567 /tree/rtl/lib/fifo.sv
 *   none 00000000 /home/me/block/fifo.sv   would be read instead: it must not exist
 *   end                                 without this line, the entry is incomplete
 */
#include "area_keep.h"

#include "file.h"
#include "proof.h"
#include "whole.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PROOF_PATH fail when they are opened */

/* Files that each run writes anew are no inputs. */
static bool is_apart(const area_keep_t *k, const char *path) {
  for (unsigned i = 0; i < 2; i++) {
    const size_t n = k->apart[i] ? strlen(k->apart[i]) : 0;
    if (n && strncmp(path, k->apart[i], n) == 0 && path[n] == '/') return true;
  }
  return false;
}

/* "KIND CRC NAME". False: the file cannot be read, or entry not written. */
static bool write_sum(FILE *out, const char *kind, const char *path, const char *name) {
  uint32_t crc;
  return file_crc32(path, &crc) && fprintf(out, "%s %08" PRIx32 " %s\n", kind, crc, name) > 0;
}

/* ---- what is not there: the name of each file that was read,
 * in each other folder, with each ending of a module's file */

/* A module's file can have either ending, so both names count. Other files (headers) count as
 * they are. */
static void write_none(FILE *out, const char *folder, const char *name) {
  static const char *const endings[] = {".v", ".sv"};
  char path[2 * PROOF_PATH];
  const char *dot = strrchr(name, '.');
  const bool module = dot && (!strcmp(dot, ".v") || !strcmp(dot, ".sv"));
  for (unsigned i = 0; i < (module ? 2 : 1); i++) {
    snprintf(path, sizeof path, "%s/%.*s%s", folder, module ? (int)(dot - name) : (int)strlen(name), name,
             module ? endings[i] : "");
    if (access(path, F_OK)) fprintf(out, "none 00000000 %s\n", path);
  }
}

/* For each folder that `path` lies in, takes the rest of its path and tries it in every other
 * folder. */
static void write_absent(const area_keep_t *k, FILE *out, const char *folders, const char *path) {
  const char *const lists[] = {folders, k->own->libraries, k->own->includes};
  char from[PROOF_PATH], to[PROOF_PATH];
  for (unsigned i = 0; i < 9; i++) /* each list with each */
    for (const char *at = lists[i / 3]; rtl_next(&at, from, sizeof from);)
      for (const char *other = file_within(path, from) ? lists[i % 3] : ""; rtl_next(&other, to, sizeof to);)
        write_none(out, to, file_within(path, from));
}

/* Yosys also looks for an included file beside the file that includes it. */
static void add_folder(char folders[RTL_LIST], const char *path) {
  char folder[PROOF_PATH];
  snprintf(folder, sizeof folder, "%.*s", strrchr(path, '/') ? (int)(strrchr(path, '/') - path) : 0, path);
  if (!rtl_has(folders, folder)) rtl_add(folders, folder);
}

/* True for a file in the folder of an output. A program that Yosys ran (abc) left it there, and
 * it is gone by now. */
static bool is_beside(const char *outputs, const char *end, const char *path) {
  const char *slash = strrchr(path, '/');
  const size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
  for (const char *word = outputs; folder && word < end; word += strlen(word) + 1)
    if (strncmp(word, path, folder) == 0 && !strchr(word + folder, '/')) return true;
  return false;
}

/* area.deps, by `yosys -E`, is "OUTPUT OUTPUT: INPUT INPUT" in one line. Words become strings in
 * place. The first loop sums the inputs and collects their folders; the second one writes what
 * is absent there. */
static bool write_inputs(const area_keep_t *k, const char *work, FILE *out) {
  char path[PROOF_PATH], folders[RTL_LIST] = "";
  snprintf(path, sizeof path, "%s/area.deps", work);
  char *text = file_read(path), *at = text ? strstr(text, ": ") : NULL, *end = text ? text + strlen(text) : NULL;
  bool ok = at && end[-1] == '\n';
  if (ok) *at = 0;
  for (char *p = ok ? text : end; p < end; p++)
    if (*p == ' ' || *p == '\n') *p = 0;
  for (const char *word = ok ? at + 2 : end; ok && word < end; word += strlen(word) + 1) {
    if (!*word || is_apart(k, word) || is_beside(text, at, word)) continue;
    ok = write_sum(out, "input", word, word);
    add_folder(folders, word);
  }
  for (const char *word = ok && k->own ? at + 2 : end; word < end; word += strlen(word) + 1)
    if (*word && !is_apart(k, word) && !is_beside(text, at, word)) write_absent(k, out, folders, word);
  free(text);
  return ok;
}

bool area_keep_write(const area_keep_t *k, const char *work, double seconds, double cpu_seconds) {
  char path[PROOF_PATH];
  snprintf(path, sizeof path, "%s/entry", work);
  FILE *out = fopen(path, "w");
  if (!out) return false;
  bool ok = fprintf(out, "seconds %.3f %.3f\n", seconds, cpu_seconds) > 0;
  for (const char *const *name = k->files; ok && *name; name++) {
    snprintf(path, sizeof path, "%s/%s", work, *name);
    ok = write_sum(out, "file", path, *name);
  }
  ok = ok && write_inputs(k, work, out) && fputs("end\n", out) >= 0;
  const int wrong = errno ? errno : EIO, error = whole_close(out, ok ? 0 : wrong);
  errno = error;
  return !error;
}

/* Does a line of entry hold for the files as they are now? */
static bool entry_line_holds(const char *folder, const char *line) {
  char kind[8], name[PROOF_PATH], path[2 * PROOF_PATH];
  uint32_t wanted, crc;
  if (sscanf(line, "%7s %" SCNx32 " %4095s", kind, &wanted, name) != 3) return false;
  if (strcmp(kind, "none") == 0) return access(name, F_OK) != 0;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return file_crc32(strcmp(kind, "file") ? name : path, &crc) && crc == wanted;
}

bool area_keep_read(const area_keep_t *k, const char *folder, double *seconds, double *cpu_seconds) {
  char path[PROOF_PATH], *rest = NULL;
  unsigned files = 0;
  bool ended = false;
  snprintf(path, sizeof path, "%s/entry", folder);
  char *text = file_read(path), *line = text ? strtok_r(text, "\n", &rest) : NULL;
  bool ok = line && sscanf(line, "seconds %lf %lf", seconds, cpu_seconds) == 2;
  while (ok && (line = strtok_r(NULL, "\n", &rest))) {
    ended = strcmp(line, "end") == 0;
    files += strncmp(line, "file ", 5) == 0;
    ok = ended || entry_line_holds(folder, line);
  }
  for (const char *const *name = k->files; *name; name++) files--;
  free(text);
  return ok && ended && files == 0;
}
