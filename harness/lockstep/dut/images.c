/* SPDX-License-Identifier: Apache-2.0
 *
 * Intercepts files that a device or a model opens for reading while it runs: memory images of
 * $readmemh, files of $fopen and open(). The linker sends each such call of an object here (list:
 * wraps.h).
 *
 *   object's fopen() --wrap--> open_any --> dut_files_t.read --> whole file as a stream
 *                                                |
 *                                                +--> noted: path, checksum
 *
 * The program that loaded the object finds the file, reads it whole and notes its content
 * (dut_files_t). A verdict thus names its inputs, and a relative name means the same file on each
 * device. Environment variables are noted by name. Other calls that see the outside world are
 * reported as unknown.
 */
#include "dut.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static const dut_files_t *files;
static bool early; /* a constructor read something before set_files */

void dut_set_files(const dut_files_t *with) {
  files = with;
  if (files && early) dut_note_file(NULL, NULL);
}

bool dut_read_file(const char *name, void **bytes, size_t *size) {
  return files && files->read(files->context, &lockstack_dut, name, bytes, size) == DUT_FILE_READ;
}

void dut_note_file(const char *path, const char *sum) {
  if (files) files->note(files->context, path, sum);
  else early = true;
}

/* ---- bytes as a stream, which frees them when it is closed */

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
  const off64_t base = whence == SEEK_SET   ? 0
                       : whence == SEEK_CUR ? (off64_t)s->at
                                            : (off64_t)s->size,
                to = base + *offset;
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

/* Appends a line end: Verilator's $readmem drops a last word without a blank or line end
 * behind it. */
static void end_line(const char *name, void **bytes, size_t *size) {
  bool memory = false;
  for (unsigned i = 0; i < dut_num_reads; i++)
    memory = memory || (dut_reads[i].depth && strcmp(dut_reads[i].name, name) == 0);
  char *more = memory ? realloc(*bytes, *size + 1) : NULL;
  if (!more) return;
  more[(*size)++] = '\n';
  *bytes = more;
}

/* ---- streams */

#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* the linker's names */

FILE *__real_fopen(const char *name, const char *mode);
FILE *__real_freopen(const char *name, const char *mode, FILE *file);

FILE *__wrap_fopen(const char *name, const char *mode) {
  void *bytes;
  size_t size;
  if (*mode != 'r' || strchr(mode, '+')) {
    if (*mode != 'w') dut_note_file(NULL, NULL); /* what was there stays */
    return __real_fopen(name, mode);
  }
  if (!files) dut_note_file(NULL, NULL);
  switch (files ? files->read(files->context, &lockstack_dut, name, &bytes, &size) : DUT_FILE_OTHER) {
  case DUT_FILE_READ: return end_line(name, &bytes, &size), open_bytes(bytes, size);
  case DUT_FILE_OTHER: return __real_fopen(name, mode);
  default: return errno = ENOENT, NULL;
  }
}

FILE *__wrap_fopen64(const char *name, const char *mode) {
  return __wrap_fopen(name, mode);
}

FILE *__wrap_freopen(const char *name, const char *mode, FILE *file) {
  if (*mode != 'w') dut_note_file(NULL, NULL);
  return __real_freopen(name, mode, file);
}

FILE *__wrap_freopen64(const char *name, const char *mode, FILE *file) {
  return __wrap_freopen(name, mode, file);
}

/* ---- descriptors */

int __real_openat(int folder, const char *name, int flags, ...);

/* The bytes in an anonymous file, which can be mapped, too. */
static int open_copy(void *bytes, size_t size, int flags) {
  int copy = memfd_create("lockstack-image", flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
  for (size_t at = 0; copy >= 0 && at < size;) {
    const ssize_t n = write(copy, (const char *)bytes + at, size - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) close(copy), copy = -1;
    else at += (size_t)n;
  }
  if (copy >= 0) lseek(copy, 0, SEEK_SET);
  free(bytes);
  return copy;
}

static int open_any(int folder, const char *name, int flags, unsigned mode) {
  void *bytes;
  size_t size;
  const bool reads = (flags & O_ACCMODE) != O_WRONLY && !(flags & O_TRUNC);
  const bool plain = (flags & O_ACCMODE) == O_RDONLY && !(flags & (O_CREAT | O_DIRECTORY | O_PATH)) &&
                     (folder == AT_FDCWD || *name == '/');
  if (plain && files) switch (files->read(files->context, &lockstack_dut, name, &bytes, &size)) {
    case DUT_FILE_READ: return open_copy(bytes, size, flags);
    case DUT_FILE_OTHER: break;
    default: return errno = ENOENT, -1;
    }
  else if (reads) dut_note_file(NULL, NULL);
  return __real_openat(folder, name, flags, mode);
}

static unsigned mode_of(int flags, va_list more) {
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(more, unsigned) : 0;
}

int __wrap_openat(int folder, const char *name, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const unsigned mode = mode_of(flags, more);
  va_end(more);
  return open_any(folder, name, flags, mode);
}

int __wrap_openat64(int folder, const char *name, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const unsigned mode = mode_of(flags, more);
  va_end(more);
  return open_any(folder, name, flags, mode);
}

int __wrap_open(const char *name, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const unsigned mode = mode_of(flags, more);
  va_end(more);
  return open_any(AT_FDCWD, name, flags, mode);
}

int __wrap_open64(const char *name, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const unsigned mode = mode_of(flags, more);
  va_end(more);
  return open_any(AT_FDCWD, name, flags, mode);
}

int __wrap___open_2(const char *name, int flags) {
  return open_any(AT_FDCWD, name, flags, 0);
}

int __wrap___open64_2(const char *name, int flags) {
  return open_any(AT_FDCWD, name, flags, 0);
}

/* ---- the environment */

char *__real_getenv(const char *name);
char *__real_secure_getenv(const char *name);

static void note_variable(const char *name) {
  char variable[256];
  dut_note_file(snprintf(variable, sizeof variable, "$%s", name) < (int)sizeof variable ? variable : NULL, NULL);
}

char *__wrap_getenv(const char *name) {
  note_variable(name);
  return __real_getenv(name);
}

char *__wrap_secure_getenv(const char *name) {
  note_variable(name);
  return __real_secure_getenv(name);
}

/* ---- other ways to read: the content is unknown */

#define WRAP(name)
#define UNKNOWN(type, name, parameters, arguments) \
  type __real_##name parameters;                   \
  type __wrap_##name parameters {                  \
    dut_note_file(NULL, NULL);                     \
    return __real_##name arguments;                \
  }
#include "wraps.h"

/* vfork's child must not return from the function that called it, so this is a plain fork. */
pid_t __wrap_vfork(void) {
  return __wrap_fork();
}
