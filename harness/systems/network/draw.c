/* SPDX-License-Identifier: Apache-2.0
 *
 * gnuplot as a process with its script on a pipe. Pictures are files in parts (whole.h) until
 * draw_close finds them complete: gnuplot's exit status does not tell that a disk is full.
 */
#include "draw.h"

#include "file.h"
#include "process.h"
#include "whole.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Before a long run: what would stop its pictures. */
bool draw_check(const char *folder, trouble_t *trouble) {
  struct stat info;
  if (!file_folder(folder)) return trouble_set(trouble, TROUBLE_INPUT, "%s: %s", folder, strerror(errno));
  if (stat(folder, &info) || !S_ISDIR(info.st_mode) || access(folder, W_OK))
    return trouble_set(trouble, TROUBLE_INPUT, "%s: not a folder that can be written to", folder);
  return process_there("gnuplot") ||
         trouble_set(trouble, TROUBLE_ENVIRONMENT, "gnuplot is missing: apt-get install gnuplot-nox");
}

enum { OUTPUTS = 3 };

const char *const draw_kinds[] = {"svg", "png", "pdf", NULL};

static whole_t output[OUTPUTS]; /* pictures of the gnuplot that runs */
static unsigned outputs;
static void (*on_pipe)(int); /* what a broken pipe did before */

/* A gnuplot that ends before it has read its whole script must not kill this process by SIGPIPE.
 * draw_close reports it. */
FILE *draw_open(void) {
  outputs = 0;
  FILE *gnuplot = popen("exec gnuplot -", "w");
  if (gnuplot) on_pipe = signal(SIGPIPE, SIG_IGN);
  return gnuplot;
}

bool draw_no_gnuplot(trouble_t *trouble) {
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "gnuplot could not be started");
}

const char *draw_colour(unsigned curve) {
  static const char *const colour[] = {"#1b5e9e", "#d95f02", "#1b9e77", "#a6267b",
                                       "#6a51a3", "#666666", "#8c6d31", "#17a2b8"};
  return colour[curve % (sizeof colour / sizeof *colour)];
}

int draw_mark(unsigned curve) {
  static const int mark[] = {7, 5, 9, 13, 11, 15, 6, 4};
  return mark[curve % (sizeof mark / sizeof *mark)];
}

const char *draw_kind(const char *path) {
  const char *dot = strrchr(path, '.');
  for (const char *const *kind = draw_kinds; dot && *kind; kind++)
    if (!strcmp(dot + 1, *kind)) return *kind;
  return NULL;
}

/* The PDF terminal takes inches and points. A picture in inches is its pixels / 96. */
static void set_terminal(FILE *gnuplot, const char *kind, unsigned width, unsigned height) {
  static const char look[] = "noenhanced background rgb 'white'";
  if (!strcmp(kind, "pdf"))
    fprintf(gnuplot, "set terminal pdfcairo size %.3f,%.3f font 'sans,8.25' %s\n", width / 96.0, height / 96.0, look);
  else
    fprintf(gnuplot, "set terminal %s size %u,%u font 'sans,11' %s\n", strcmp(kind, "png") ? kind : "pngcairo", width,
            height, look);
}

void draw_output(FILE *gnuplot, unsigned width, unsigned height, const char *format, ...) {
  char path[WHOLE_PATH];
  va_list args;
  va_start(args, format);
  vsnprintf(path, sizeof path, format, args);
  va_end(args);
  if (outputs == OUTPUTS || !draw_kind(path)) abort();
  set_terminal(gnuplot, draw_kind(path), width, height);
  fprintf(gnuplot, "set output \"%s\"\n", whole_begin(&output[outputs++], path));
}

/* Does the picture end as its format says? gnuplot does not see that it cannot write. */
static bool picture_ends(const char *path) {
  static const char svg[] = "</svg>", png[] = "IEND", pdf[] = "%%EOF";
  char end[32] = "";
  FILE *file = fopen(path, "rb");
  size_t n = file && fseek(file, -(long)sizeof end, SEEK_END) == 0 ? fread(end, 1, sizeof end, file) : 0;
  if (file) fclose(file);
  return memmem(end, n, svg, sizeof svg - 1) || memmem(end, n, png, sizeof png - 1) ||
         memmem(end, n, pdf, sizeof pdf - 1);
}

/* Names the good pictures and removes the others. Returns 0, or errno and the path of the first
 * picture that is missing. */
static int end_outputs(bool good, const char **path) {
  int first = 0;
  for (unsigned i = 0; i < outputs; i++) {
    whole_t *w = &output[i];
    bool device = strcmp(w->path, w->part) == 0;
    int error = 0;
    if (!good || !(device || picture_ends(w->part))) error = whole_no_room(w->part) ? ENOSPC : EIO;
    error = whole_end(w, error);
    if (error && !first) first = error, *path = w->path;
  }
  return first;
}

bool draw_close(FILE *gnuplot, trouble_t *trouble) {
  bool written = !ferror(gnuplot);
  int status = pclose(gnuplot);
  signal(SIGPIPE, on_pipe);
  const char *path = "";
  int failed = end_outputs(written && status == 0, &path);
  if (!failed && written && status == 0) return true;
  if (failed == EIO && status == 0)
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "gnuplot ended with status 0, but %s is not there to its end",
                       path);
  if (failed == ENOSPC || status == 0)
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", path, strerror(failed));
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "gnuplot failed (status %d)",
                     status < 0 ? status : process_status(status));
}

/* Written as a part first, like a picture. */
bool draw_csv(const char *folder, const char *name, void (*write)(FILE *out, const void *context), const void *context,
              trouble_t *trouble) {
  char path[WHOLE_PATH];
  whole_t whole;
  snprintf(path, sizeof path, "%.3000s/%.200s.csv", folder, name);
  FILE *file = fopen(whole_begin(&whole, path), "w");
  int error = file ? 0 : errno;
  if (file) write(file, context);
  if (file) error = whole_close(file, 0);
  error = whole_end(&whole, error);
  return !error || trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", path, strerror(error));
}

const char *draw_plain(const char *text, char *plain, size_t size) {
  size_t n = 0;
  for (; *text && n + 1 < size; text++)
    if (*text != '"' && *text != '\\' && *text != '\n') plain[n++] = *text;
  plain[n] = 0;
  return plain;
}
