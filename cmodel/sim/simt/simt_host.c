/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that the host executes for a kernel: the formats of printf, and messages of assertions.
 *
 * vprintf's format is split at each '%'. A conversion with PTX's sizes of arguments is printed by
 * the host's snprintf. An unknown conversion is printed as it stands.
 */
#include "simt_host.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "one_line.h"

enum {
  STRING = 4096 /* bytes of a format or a string, the rest is cut */,
  MOST = 1024 /* of a width or precision */,
  PIECE = 6000
};

static const struct {
  const char *name;
  unsigned params;
  uint8_t bytes[SIMT_HOST_PARAMS];
} of[] = {[SIMT_HOST_PRINT] = {"vprintf", 2, {8, 8}},
          [SIMT_HOST_ASSERT] = {"__assertfail", 5, {8, 8, 4, 8, 8}},
          [SIMT_HOST_MALLOC] = {"malloc", 1, {8}},
          [SIMT_HOST_FREE] = {"free", 1, {8}}};

unsigned simt_host_bytes(simt_host_t function, unsigned param) {
  return of[function].bytes[param];
}

simt_host_t simt_host_find(const char *name, const uint64_t *bytes, unsigned params) {
  for (unsigned f = 0; f < SIMT_HOST_NONE; f++) {
    bool same = !strcmp(of[f].name, name) && of[f].params == params;
    for (unsigned i = 0; same && i < params; i++) same = of[f].bytes[i] == bytes[i];
    if (same) return (simt_host_t)f;
  }
  return SIMT_HOST_NONE;
}

/* ---- strings ---- */

/* A string of the kernel, cut after STRING bytes. false: some byte cannot be read. */
static bool read_string(const simt_host_memory_t *m, uint64_t address, char to[STRING]) {
  for (unsigned i = 0; i < STRING; i++) {
    if (!m->read(m->ctx, address + i, &to[i], 1)) return false;
    if (!to[i]) return true;
  }
  to[STRING - 1] = 0;
  return true;
}

/* ---- printf ---- */

typedef struct {
  const simt_host_memory_t *memory;
  uint64_t args, at; /* start address; bytes taken so far */
  int taken;
  bool wrong;
} args_t;

/* The next argument, at the next multiple of its size. */
static uint64_t next_argument(args_t *a, unsigned bytes) {
  uint64_t value = 0;
  a->at = (a->at + bytes - 1) / bytes * bytes;
  a->wrong |= !a->memory->read(a->memory->ctx, a->args + a->at, &value, bytes);
  a->at += bytes;
  a->taken++;
  return value;
}

/* Adds text; false: out of host memory. */
static bool append_text(simt_host_text_t *t, const char *bytes, size_t size) {
  if (!size) return true;
  if (t->size + size > t->room) {
    char *more = realloc(t->bytes, 2 * (t->size + size));
    if (!more) return false;
    t->bytes = more, t->room = 2 * (t->size + size);
  }
  memcpy(t->bytes + t->size, bytes, size);
  t->size += size;
  return true;
}

typedef struct {
  char flags[8];
  int width, precision; /* -1: none */
  unsigned bytes;       /* of an integer argument */
  char kind;
} spec_t;

/* A width or precision: digits, or '*' with an argument. The value is clamped to MOST. */
static int read_number(const char **at, args_t *a) {
  int n = 0;
  if (**at == '*') {
    ++*at;
    n = (int32_t)next_argument(a, 4);
  } else
    for (; **at >= '0' && **at <= '9'; ++*at) n = n < MOST ? 10 * n + **at - '0' : n;
  if (n > MOST) return MOST;
  return n < -MOST ? -MOST : n;
}

/* Parses a conversion. *at is behind the '%', and then behind the conversion. */
static spec_t read_spec(const char **at, args_t *a) {
  spec_t s = {.width = -1, .precision = -1, .bytes = 4};
  for (unsigned n = 0; **at && strchr("-+ #0", **at); ++*at)
    if (n < 5 && !strchr(s.flags, **at)) s.flags[n++] = **at;
  if (**at == '*' || (**at >= '1' && **at <= '9')) s.width = read_number(at, a);
  if (s.width < -1) {
    if (!strchr(s.flags, '-')) strcat(s.flags, "-");
    s.width = -s.width;
  }
  if (**at == '.') ++*at, s.precision = read_number(at, a);
  for (; **at && strchr("hlqjztL", **at); ++*at)
    if (**at != 'h') s.bytes = 8;
  s.kind = **at;
  if (s.kind) ++*at;
  return s;
}

/* An argument of 4 or 8 bytes, sign-extended. */
static int64_t signed_of(uint64_t value, unsigned bytes) {
  return bytes == 4 ? (int32_t)value : (int64_t)value;
}

/* Prints one argument. false: an argument or a string cannot be read. */
static bool print_argument(const spec_t *s, args_t *a, char out[PIECE]) {
  char format[32], width[16] = "", precision[16] = "", string[STRING];
  double real;
  if (s->width >= 0) snprintf(width, sizeof width, "%d", s->width);
  if (s->precision >= 0) snprintf(precision, sizeof precision, ".%d", s->precision);
  const bool whole = strchr("diouxX", s->kind) != NULL;
  snprintf(format, sizeof format, "%%%s%s%s%s%c", s->flags, width, precision, whole ? "ll" : "",
           s->kind == 'p' ? 's' : s->kind);
  if (whole) {
    const uint64_t value = next_argument(a, s->bytes);
    if (s->kind == 'd' || s->kind == 'i') snprintf(out, PIECE, format, (long long)signed_of(value, s->bytes));
    else snprintf(out, PIECE, format, (unsigned long long)value);
  } else if (s->kind == 'c') {
    snprintf(out, PIECE, format, (int)next_argument(a, 4));
  } else if (s->kind == 's') {
    a->wrong |= !read_string(a->memory, next_argument(a, 8), string);
    if (a->wrong) return false;
    snprintf(out, PIECE, format, string);
  } else if (s->kind == 'p') {
    snprintf(string, sizeof string, "0x%" PRIx64, next_argument(a, 8));
    snprintf(out, PIECE, format, string);
  } else {
    const uint64_t bits = next_argument(a, 8);
    memcpy(&real, &bits, sizeof real);
    snprintf(out, PIECE, format, real);
  }
  return !a->wrong;
}

/* If the text exceeds the room, or an argument cannot be read, the whole call leaves no text. */
int simt_host_print(simt_host_text_t *t, const simt_host_memory_t *m, uint64_t format, uint64_t args) {
  char text[STRING], piece[PIECE];
  args_t a = {.memory = m, .args = args};
  const size_t before = t->size;
  if (!read_string(m, format, text)) return -1;
  for (const char *at = text; *at;) {
    const size_t plain = strcspn(at, "%");
    if (!append_text(t, at, plain)) return -2;
    at += plain;
    if (!*at) break;
    const char *begin = at++;
    const spec_t s = read_spec(&at, &a);
    if (s.kind == '%') strcpy(piece, "%");
    /* as it stands */
    else if (!s.kind || !strchr("diouxXcspfFeEgGaA", s.kind))
      snprintf(piece, sizeof piece, "%.*s", (int)(at - begin), begin);
    else if (!print_argument(&s, &a, piece)) break;
    if (a.wrong) break;
    if (!append_text(t, piece, strlen(piece))) return -2;
  }
  const bool full = t->size > SIMT_HOST_ROOM;
  if (full || a.wrong) t->size = before;
  t->lost += full;
  return a.wrong ? -1 : a.taken;
}

/* ---- assert ---- */

void simt_host_assertion(char line[SIMT_HOST_LINE], const simt_host_memory_t *m,
                         const uint64_t params[SIMT_HOST_PARAMS]) {
  char message[STRING] = "?", file[STRING] = "?", function[STRING] = "?";
  if (!read_string(m, params[0], message)) strcpy(message, "?");
  if (!read_string(m, params[1], file)) strcpy(file, "?");
  if (!read_string(m, params[3], function)) strcpy(function, "?");
  line_printf(line, SIMT_HOST_LINE, "assertion '%s' failed at %s:%u in %s", message, file, (unsigned)params[2],
              function);
}
