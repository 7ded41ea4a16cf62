/* SPDX-License-Identifier: Apache-2.0
 *
 * A filter in front of a stream (fopencookie), so that no code that prints has to know of
 * terminals. Control characters become '?'; words that are outcomes get their colour. Both streams
 * are line-buffered, so that the filter sees every word whole.
 *
 *   fprintf(stdout) -> line buffer -> filter_terminal_text -> write(fd)
 *                                       letters: a word, perhaps coloured
 *                                       control: '?'
 *                                       the rest: as it is
 */
#include "terminal.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Colours are the codes of ECMA-48 ("\033[31m" is red). */
enum { CHUNK = 4096, RED = 31, GREEN = 32, YELLOW = 33 };

/* A stream that cleans and colours what is written to it. */
typedef struct {
  int fd;
  bool colours;
} terminal_t;

static terminal_t standard_out = {.fd = STDOUT_FILENO}, standard_error = {.fd = STDERR_FILENO}, for_machines;

static const struct {
  const char *word;
  int colour;
} words[] = {
    {"PASS", GREEN},    {"BETTER", GREEN},       {"FAIL", RED},         {"FAILED", RED},      {"WRONG", RED},
    {"DIVERGED", RED},  {"DUT_ASSERT", RED},     {"MODEL_ASSERT", RED}, {"MODEL_CRASH", RED}, {"STIM_CRASH", RED},
    {"STUCK", RED},     {"NOT_COMPARED", RED},   {"BAD_INPUT", YELLOW}, {"INFRA", YELLOW},    {"TIMEOUT", YELLOW},
    {"KILLED", YELLOW}, {"INTERRUPTED", YELLOW},
};

static bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* The colour of an outcome's name; 0: it is an ordinary word. */
static int colour_of(const char *word, size_t length) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i].word) == length && memcmp(words[i].word, word, length) == 0) return words[i].colour;
  return 0;
}

/* Writes all bytes, or returns false with errno. */
static bool write_terminal_bytes(int fd, const char *bytes, size_t size) {
  while (size) {
    ssize_t n = write(fd, bytes, size);
    if (n <= 0) return false;
    bytes += n, size -= (size_t)n;
  }
  return true;
}

/* ASCII's control characters except new line and tabulator, and the two-byte control characters
 * of UTF-8, U+0080 to U+009F. */
static bool is_control(const unsigned char *at, size_t left) {
  if (*at < 0x20) return *at != '\n' && *at != '\t';
  return *at == 0x7f || (*at == 0xc2 && left > 1 && at[1] >= 0x80 && at[1] < 0xa0);
}

/* A word in its colour, or plain where it has none. False: the terminal is gone. */
static bool write_terminal_word(const terminal_t *t, const char *word, size_t length) {
  char start[8];
  const int colour = t->colours ? colour_of(word, length) : 0;
  if (!colour) return write_terminal_bytes(t->fd, word, length);
  snprintf(start, sizeof start, "\033[%dm", colour);
  return write_terminal_bytes(t->fd, start, strlen(start)) && write_terminal_bytes(t->fd, word, length) &&
         write_terminal_bytes(t->fd, "\033[0m", 4);
}

/* How many bytes follow that are neither letters nor control characters. */
static size_t plain_length(const char *at, size_t left) {
  size_t n = 0;
  while (n < left && !is_letter(at[n]) && !is_control((const unsigned char *)at + n, left - n)) n++;
  return n;
}

/* The cookie's write function: returns how many bytes of the text are done, 0 for an error. */
static ssize_t filter_terminal_text(void *cookie, const char *bytes, size_t size) {
  const terminal_t *t = cookie;
  for (size_t at = 0; at < size;) {
    size_t n = 0;
    bool done;
    while (at + n < size && is_letter(bytes[at + n])) n++;
    if (n) done = write_terminal_word(t, bytes + at, n);
    else if ((n = plain_length(bytes + at, size - at))) done = write_terminal_bytes(t->fd, bytes + at, n);
    else n = (unsigned char)bytes[at] == 0xc2 ? 2 : 1, done = write_terminal_bytes(t->fd, "?", 1);
    if (!done) return at ? (ssize_t)at : 0;
    at += n;
  }
  return (ssize_t)size;
}

/* A filtered stream to t->fd if that is a terminal, else `stream` itself. */
static FILE *filter_stream(terminal_t *t, FILE *stream) {
  if (!isatty(t->fd)) return stream;
  FILE *filtered = fopencookie(t, "w", (cookie_io_functions_t){.write = filter_terminal_text});
  if (!filtered) return stream;
  setvbuf(filtered, NULL, _IOLBF, CHUNK);
  return filtered;
}

void terminal_start(void) {
  const char *none = getenv("NO_COLOR"), *kind = getenv("TERM");
  standard_out.colours = !(none && *none) && kind && *kind && strcmp(kind, "dumb") != 0;
  stdout = filter_stream(&standard_out, stdout);
  stderr = filter_stream(&standard_error, stderr);
}

/* Moves the descriptor and not only the stream: a block's object, its simulator and the programs
 * that they start have streams and buffers of their own. */
FILE *terminal_for_machines(void) {
  fflush(stdout);
  const int own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  FILE *file = own < 0 ? NULL : fdopen(own, "w");
  if (!file) return NULL;
  const int other = dup2(STDERR_FILENO, STDOUT_FILENO) < 0 ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
  if (other >= 0) dup2(other, STDOUT_FILENO), close(other);
  for_machines = (terminal_t){own, standard_out.colours};
  return filter_stream(&for_machines, file);
}

void terminal_clear_line(void) {
  fflush(stderr);
  write_terminal_bytes(STDERR_FILENO, "\r\033[K", 4);
}
