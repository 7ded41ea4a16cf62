/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays in .npy files. A file of version 1.0:
 *
 *    \x93NUMPY  1  0  | length, 2 bytes | head ... \n | elements
 *                        4 in version 2.0
 *
 * The head is a dictionary as Python writes it. It has exactly 'descr', 'fortran_order' and
 * 'shape', in any order. Blanks and a newline follow.
 */
#include "npy.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

enum { MAGIC = 6, KEY_DESCR = 1, KEY_ORDER = 2, KEY_SHAPE = 4, ALL_KEYS = 7 };

static const char magic[MAGIC + 1] = "\x93NUMPY";

/* The head while it is read. The take_ functions skip blanks, then step over what they look for
 * or return false. */
typedef struct {
  const char *at, *end; /* of the head */
  npy_t *npy;
  trouble_t *trouble;
} head_t;

/* ---- words of the head ---- */

static void skip_blanks(head_t *h) {
  while (h->at < h->end && isspace((unsigned char)*h->at)) h->at++;
}

static bool take_char(head_t *h, char c) {
  skip_blanks(h);
  if (h->at == h->end || *h->at != c) return false;
  h->at++;
  return true;
}

static bool take_word(head_t *h, const char *word) {
  const size_t length = strlen(word);
  skip_blanks(h);
  if ((size_t)(h->end - h->at) < length || strncmp(h->at, word, length) != 0) return false;
  h->at += length;
  return true;
}

/* 'text' or "text", of at most 31 characters. */
static bool take_string(head_t *h, char text[32]) {
  char quote = 0;
  if (take_char(h, '\'')) quote = '\'';
  else if (take_char(h, '"')) quote = '"';
  size_t length = 0;
  while (quote && h->at < h->end && *h->at != quote && length < 31) text[length++] = *h->at++;
  text[length] = 0;
  return quote && h->at < h->end && *h->at++ == quote;
}

/* A decimal number of at most 64 bits. */
static bool take_number(head_t *h, uint64_t *number) {
  skip_blanks(h);
  const char *first = h->at;
  for (*number = 0; h->at < h->end && isdigit((unsigned char)*h->at); h->at++)
    if (__builtin_mul_overflow(*number, 10, number) ||
        __builtin_add_overflow(*number, (uint64_t)(*h->at - '0'), number))
      return false;
  if (h->at < h->end && *h->at == 'L') h->at++; /* as Python 2 wrote them */
  return h->at > first;
}

/* ---- its keys ---- */

/* '<f4' and the like. '|' stands for elements of one byte, which have no order of bytes. */
static bool read_descr(head_t *h) {
  char text[32];
  if (take_char(h, '['))
    return trouble_set(h->trouble, TROUBLE_INPUT, "its elements are records; one number each would be right");
  if (!take_string(h, text))
    return trouble_set(h->trouble, TROUBLE_INPUT, "'descr' in its head is no text of a type, such as '<f4'");
  if (*text == '>')
    return trouble_set(h->trouble, TROUBLE_INPUT, "its elements are big endian (%s); '<%s' would be right", text,
                       text + 1);
  const bool known =
      strlen(text) == 3 && (*text == '<' || (*text == '|' && text[2] == '1')) && isdigit((unsigned char)text[2]);
  h->npy->type = known ? element_of(text[1], (unsigned)(text[2] - '0')) : NULL;
  return h->npy->type ||
         trouble_set(h->trouble, TROUBLE_INPUT,
                     "its elements are '%s'; <i1 to <i8, <u1 to <u8, <f2, <f4 or <f8 would be right", text);
}

/* C order alone: False. */
static bool read_order(head_t *h) {
  if (take_word(h, "False")) return true;
  return take_word(h, "True")
             ? trouble_set(h->trouble, TROUBLE_INPUT,
                           "it is in Fortran order; numpy.ascontiguousarray before it is saved would be right")
             : trouble_set(h->trouble, TROUBLE_INPUT, "'fortran_order' in its head is neither True nor False");
}

/* (3, 4), (3,) or (). */
static bool read_shape(head_t *h) {
  npy_t *n = h->npy;
  if (!take_char(h, '('))
    return trouble_set(h->trouble, TROUBLE_INPUT, "'shape' in its head is no list such as (3, 4)");
  n->count = 1;
  for (n->dims = 0; !take_char(h, ')');) {
    if (n->dims == NPY_DIMS) return trouble_set(h->trouble, TROUBLE_INPUT, "it has more than %d dimensions", NPY_DIMS);
    uint64_t *size = &n->shape[n->dims++];
    if (!take_number(h, size))
      return trouble_set(h->trouble, TROUBLE_INPUT, "'shape' in its head is no list such as (3, 4)");
    if (__builtin_mul_overflow(n->count, *size, &n->count))
      return trouble_set(h->trouble, TROUBLE_INPUT, "it has more elements than any memory");
    if (!take_char(h, ',') && (h->at == h->end || *h->at != ')'))
      return trouble_set(h->trouble, TROUBLE_INPUT, "'shape' in its head is no list such as (3, 4)");
  }
  return true;
}

/* One key of the dictionary; a key may occur once. */
static bool read_key(head_t *h, unsigned *keys) {
  static const struct {
    const char *name;
    unsigned key;
    bool (*read)(head_t *h);
  } known[] = {
      {"descr", KEY_DESCR, read_descr}, {"fortran_order", KEY_ORDER, read_order}, {"shape", KEY_SHAPE, read_shape}};
  char name[32];
  if (!take_string(h, name) || !take_char(h, ':'))
    return trouble_set(h->trouble, TROUBLE_INPUT, "its head is no dictionary such as {'descr': '<f4', ..}");
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(known[i].name, name) != 0) continue;
    if (*keys & known[i].key) return trouble_set(h->trouble, TROUBLE_INPUT, "its head has '%s' twice", name);
    *keys |= known[i].key;
    return known[i].read(h);
  }
  return trouble_set(h->trouble, TROUBLE_INPUT, "its head has an unknown key '%s'", name);
}

/* All three keys must be there, and nothing behind the dictionary. */
static bool read_head(head_t *h) {
  unsigned keys = 0;
  if (!take_char(h, '{'))
    return trouble_set(h->trouble, TROUBLE_INPUT, "its head is no dictionary such as {'descr': '<f4', ..}");
  while (!take_char(h, '}')) {
    if (!read_key(h, &keys)) return false;
    if (!take_char(h, ',') && (h->at == h->end || *h->at != '}'))
      return trouble_set(h->trouble, TROUBLE_INPUT, "its head ends early, or has no comma between keys");
  }
  skip_blanks(h);
  if (h->at != h->end) return trouble_set(h->trouble, TROUBLE_INPUT, "its head has more behind the dictionary");
  return keys == ALL_KEYS ||
         trouble_set(h->trouble, TROUBLE_INPUT, "its head lacks 'descr', 'fortran_order' or 'shape'");
}

/* ---- the file ---- */

/* Checks magic and version, and finds the head's bounds. */
static bool find_head(head_t *h, const uint8_t *file, size_t size) {
  if (size < MAGIC + 2 || memcmp(file, magic, MAGIC) != 0)
    return trouble_set(h->trouble, TROUBLE_INPUT, "no .npy file: it does not begin with \\x93NUMPY and a version");
  const unsigned major = file[MAGIC], minor = file[MAGIC + 1], field = major == 1 ? 2 : 4;
  if (major < 1 || major > 2 || minor)
    return trouble_set(h->trouble, TROUBLE_INPUT, "version %u.%u of .npy; 1.0 or 2.0 would be right", major, minor);
  size_t length = 0;
  for (unsigned i = 0; i < field && MAGIC + 2 + i < size; i++) length |= (size_t)file[MAGIC + 2 + i] << (8 * i);
  const size_t from = MAGIC + 2 + field;
  if (size < from || length > size - from)
    return trouble_set(h->trouble, TROUBLE_INPUT, "the file is cut off in its head");
  h->at = (const char *)file + from;
  h->end = h->at + length;
  h->npy->at = from + length;
  return true;
}

/* The elements must fill the rest of the file exactly. */
bool npy_parse(npy_t *n, const void *file, size_t size, trouble_t *trouble) {
  head_t h = {.npy = n, .trouble = trouble};
  uint64_t bytes;
  *n = (npy_t){0};
  if (!find_head(&h, file, size) || !read_head(&h)) return false;
  const uint64_t there = size - n->at;
  if (__builtin_mul_overflow(n->count, n->type->bytes, &bytes))
    return trouble_set(trouble, TROUBLE_INPUT, "it has more elements than any memory");
  if (there != bytes)
    return trouble_set(trouble, TROUBLE_INPUT, "%s: %" PRIu64 " bytes of elements, not the %" PRIu64 " of its shape",
                       there < bytes ? "the file is cut off" : "the file is too long", there, bytes);
  return true;
}

/* Blanks fill the head up to a multiple of 64 bytes, as NumPy does it for alignment. */
void npy_head(FILE *out, const element_t *type, unsigned dims, const uint64_t *shape) {
  char text[512];
  enum { BEFORE = MAGIC + 4, ALIGN = 64 };
  int used = snprintf(text, sizeof text, "{'descr': '%c%c%u', 'fortran_order': False, 'shape': (",
                      type->bytes == 1 ? '|' : '<', type->kind, type->bytes);
  for (unsigned i = 0; i < dims; i++)
    used += snprintf(text + used, sizeof text - (size_t)used, "%s%" PRIu64 "%s", i ? " " : "", shape[i],
                     dims == 1 || i + 1 < dims ? "," : "");
  used += snprintf(text + used, sizeof text - (size_t)used, "), }");
  const int length = (BEFORE + used + 1 + ALIGN - 1) / ALIGN * ALIGN - BEFORE;
  fwrite(magic, 1, MAGIC, out);
  fputc(1, out);
  fputc(0, out);
  fputc(length & 0xff, out);
  fputc(length >> 8, out);
  fprintf(out, "%-*s\n", length - 1, text);
}
