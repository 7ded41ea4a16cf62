/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include "file.h"
#include "judged.h"
#include "surroundings.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH = 4096 };

static content_t noted;
static char last_path[PATH]; /* of what was read */

const content_t *files_read(void) {
  return &noted;
}

static void note(const char *path, const void *bytes, size_t size) {
  char sum[CONTENT_SUM];
  content_sum_bytes(bytes, size, sum);
  for (size_t i = 0; i < noted.count; i++)
    if (strcmp(noted.files[i].path, path) == 0 && strcmp(noted.files[i].sum, sum) == 0) return;
  content_note_sum(&noted, path, sum);
  content_t one = {0};
  content_note_sum(&one, path, sum);
  judged_add(&one);
  content_free(&one);
}

static dut_file_t read_path(const char *path, void **bytes, size_t *size) {
  struct stat info;
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) return judged_unknown(), DUT_FILE_OTHER;
  FILE *file = fopen(path, "re");
  char *text = file ? file_rest(file, FILE_MOST, size) : NULL;
  if (file) fclose(file);
  if (!text) return judged_none(path), DUT_FILE_NONE; /* that it comes to be there is a change */
  note(path, text, *size);
  *bytes = text;
  snprintf(last_path, sizeof last_path, "%s", path);
  return DUT_FILE_READ;
}

static bool read_beside(const char *folder, const char *name, void **bytes, size_t *size) {
  char path[PATH];
  struct stat info;
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= PATH || (stat(path, &info) == 0 && !S_ISREG(info.st_mode)))
    return false;
  return read_path(path, bytes, size) == DUT_FILE_READ;
}

/* Beside the sources that name it. Several that differ are none: nobody knows here which source
 * asks. An included file that alone has the name may be any source's. */
static bool read_named(const dut_t *dut, const char *name, void **bytes, size_t *size, bool *differ) {
  void *other;
  size_t other_size;
  bool found = false, by_source = false;
  for (unsigned i = 0; i < dut->num_images; i++)
    by_source = by_source || (strcmp(dut->images[i].name, name) == 0 && dut->images[i].source);
  for (unsigned i = 0; i < dut->num_images && !*differ; i++) {
    const bool named = strcmp(dut->images[i].name, name) == 0, any = !by_source && !*dut->images[i].name;
    if ((!named && !any) || !read_beside(dut->images[i].folder, name, &other, &other_size)) continue;
    if (!found) found = true, *bytes = other, *size = other_size;
    else {
      *differ = other_size != *size || memcmp(other, *bytes, *size);
      free(other);
    }
  }
  if (found && *differ) free(*bytes);
  return found && !*differ;
}

static bool read_source(const dut_t *dut, const char *name, void **bytes, size_t *size, bool *differ) {
  if (*name == '/') return read_path(name, bytes, size) == DUT_FILE_READ;
  if (read_named(dut, name, bytes, size, differ)) return true;
  for (unsigned i = 0; i < dut->num_images && !*differ; i++)
    if (!*dut->images[i].name && read_beside(dut->images[i].folder, name, bytes, size)) return true;
  return false;
}

/* A model's own file is one of the working folder, as in any program.
 * Those that RTL names are judged before the run: image_check.h. */
static dut_file_t read_file(void *context, const dut_t *dut, const char *name, void **bytes, size_t *size) {
  bool differ = false;
  (void)context;
  if (read_source(dut, name, bytes, size, &differ)) return DUT_FILE_READ;
  return differ ? DUT_FILE_NONE : read_path(name, bytes, size);
}

bool files_find(const dut_t *dut, const char *name, char **bytes, const char **path) {
  void *found;
  size_t size;
  bool differ = false;
  if (!read_source(dut, name, &found, &size, &differ)) return false;
  *bytes = realloc(found, size + 1);
  if (!*bytes) return free(found), false;
  (*bytes)[size] = 0;
  *path = last_path;
  return true;
}

static void note_file(void *context, const char *path, const char *sum) {
  content_t one = {0};
  char of_variable[CONTENT_SUM];
  (void)context;
  if (!path) {
    judged_unknown();
    return;
  }
  if (*path == '$') surroundings_sum(path, of_variable), sum = of_variable;
  content_note_sum(&one, path, sum);
  judged_add(&one);
  content_free(&one);
}

void files_serve(const dut_t *dut) {
  static const dut_files_t files = {.read = read_file, .note = note_file};
  if (dut->set_files) dut->set_files(&files);
}
