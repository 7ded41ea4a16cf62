/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include "file.h"
#include "judged.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH = 4096 };

static content_t noted;

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
  return DUT_FILE_READ;
}

static bool read_beside(const char *folder, const char *name, void **bytes, size_t *size) {
  char path[PATH];
  struct stat info;
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= PATH || (stat(path, &info) == 0 && !S_ISREG(info.st_mode))) return false;
  return read_path(path, bytes, size) == DUT_FILE_READ;
}

/* Beside the sources that name it. Several that differ are none: nobody knows here which source asks. */
static bool read_named(const dut_t *dut, const char *name, void **bytes, size_t *size, bool *differ) {
  void *other;
  size_t other_size;
  bool found = false;
  for (unsigned i = 0; i < dut->num_images && !*differ; i++) {
    if (strcmp(dut->images[i].name, name) || !read_beside(dut->images[i].folder, name, &other, &other_size)) continue;
    if (!found) found = true, *bytes = other, *size = other_size;
    else {
      *differ = other_size != *size || memcmp(other, *bytes, *size);
      free(other);
    }
  }
  if (found && *differ) free(*bytes);
  return found && !*differ;
}

static dut_file_t read_file(void *context, const dut_t *dut, const char *name, void **bytes, size_t *size) {
  bool differ = false;
  (void)context;
  if (*name == '/') return read_path(name, bytes, size);
  if (read_named(dut, name, bytes, size, &differ)) return DUT_FILE_READ;
  if (differ) return DUT_FILE_NONE;
  for (unsigned i = 0; i < dut->num_images; i++)
    if (!*dut->images[i].name && read_beside(dut->images[i].folder, name, bytes, size)) return DUT_FILE_READ;
  return read_path(name, bytes, size);
}

static void note_file(void *context, const char *path, const char *sum) {
  content_t one = {0};
  (void)context;
  if (!path) {
    judged_unknown();
    return;
  }
  content_note_sum(&one, path, sum);
  judged_add(&one);
  content_free(&one);
}

void files_serve(const dut_t *dut) {
  static const dut_files_t files = {.read = read_file, .note = note_file};
  if (dut->set_files) dut->set_files(&files);
}
