/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that a device or a model opens for reading while it runs: memory images of $readmemh, files of $fopen. The linker sends each
 * fopen of an object here (--wrap=fopen). Who loaded the object finds the file, reads it whole and notes what it read
 * (dut_files_t), so that what was judged is known by its content and a relative name means the same on each device.
 */
#include "dut.h"
#include "images.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* images.h, made by the build: texts of the RTL that may name a file, and the folder of the source they stand in. */
const dut_image_t dut_images[] = {
#define IMAGE(name, folder, source) {name, folder, source},
    IMAGES{0}};
const unsigned dut_num_images = sizeof dut_images / sizeof *dut_images - 1;
const dut_read_t dut_reads[] = {
#define MEMORY(name, hex, bits, depth, first, start, end) {name, hex, bits, depth, first, start, end},
    READS{0}};
const unsigned dut_num_reads = sizeof dut_reads / sizeof *dut_reads - 1;

static const dut_files_t *files;

void dut_set_files(const dut_files_t *with) {
  files = with;
}

bool dut_read_file(const char *name, void **bytes, size_t *size) {
  return files && files->read(files->context, &lockstack_dut, name, bytes, size);
}

FILE *__real_fopen(const char *name, const char *mode);
FILE *__wrap_fopen(const char *name, const char *mode);

/* ---- bytes as a stream that frees them */

typedef struct {
  char *bytes;
  size_t size, at;
} stream_t;

static ssize_t read_stream(void *cookie, char *to, size_t size) {
  stream_t *s = cookie;
  const size_t left = s->size - s->at, n = size < left ? size : left;
  memcpy(to, s->bytes + s->at, n);
  s->at += n;
  return (ssize_t)n;
}

static int seek_stream(void *cookie, off64_t *offset, int whence) {
  stream_t *s = cookie;
  const off64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (off64_t)s->at : (off64_t)s->size, to = base + *offset;
  if (to < 0 || to > (off64_t)s->size) return -1;
  s->at = (size_t)to;
  *offset = to;
  return 0;
}

static int close_stream(void *cookie) {
  stream_t *s = cookie;
  free(s->bytes);
  free(s);
  return 0;
}

static FILE *open_bytes(void *bytes, size_t size) {
  stream_t *s = malloc(sizeof *s);
  if (s) *s = (stream_t){bytes, size, 0};
  FILE *file = s ? fopencookie(s, "r", (cookie_io_functions_t){read_stream, NULL, seek_stream, close_stream}) : NULL;
  if (!file) free(s), free(bytes);
  return file;
}

/* Verilator's $readmem loses a last word that no blank or line end follows. */
static void end_line(const char *name, void **bytes, size_t *size) {
  bool memory = false;
  for (unsigned i = 0; i < dut_num_reads; i++) memory = memory || (dut_reads[i].depth && strcmp(dut_reads[i].name, name) == 0);
  char *more = memory ? realloc(*bytes, *size + 1) : NULL;
  if (!more) return;
  more[(*size)++] = '\n';
  *bytes = more;
}

FILE *__wrap_fopen(const char *name, const char *mode) {
  void *bytes;
  size_t size;
  if (*mode != 'r' || strchr(mode, '+') || !files) return __real_fopen(name, mode);
  if (dut_read_file(name, &bytes, &size)) return end_line(name, &bytes, &size), open_bytes(bytes, size);
  return errno = ENOENT, NULL;
}

FILE *__wrap_fopen64(const char *name, const char *mode);
FILE *__wrap_fopen64(const char *name, const char *mode) {
  return __wrap_fopen(name, mode);
}
