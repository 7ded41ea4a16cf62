/* SPDX-License-Identifier: Apache-2.0 */
#include "image_check.h"

#include "files.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const dut_read_t *read;
  const char *path;
  unsigned number; /* of the line */
  uint64_t address, last, words;
  trouble_t *trouble;
} image_t;

/* ---- words: IEEE 1800, 21.4 */

static const char *skip_blank(image_t *m, const char *p) {
  for (;;) {
    if (*p == '\n') m->number++, p++;
    else if (isspace((unsigned char)*p)) p++;
    else if (p[0] == '/' && p[1] == '/') p = strchrnul(p, '\n');
    else if (p[0] == '/' && p[1] == '*') {
      for (p += 2; *p && (p[0] != '*' || p[1] != '/'); p++) m->number += *p == '\n';
      p += *p ? 2 : 0;
    } else return p;
  }
}

static bool is_digit(const dut_read_t *read, char c) {
  return c == '_' || strchr("xXzZ?", c) || (read->hex ? isxdigit((unsigned char)c) != 0 : c == '0' || c == '1');
}

/* The value of a digit; x, z and ? have none and count as 0. */
static int digit_value(char c) {
  if (isdigit((unsigned char)c)) return c - '0';
  return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 0;
}

/* Width of the word, from its highest 1 on. */
static uint64_t width_of(const dut_read_t *read, const char *word, size_t length) {
  uint64_t bits = 0;
  for (size_t i = 0; i < length; i++) {
    const char c = word[i];
    if (c == '_') continue;
    const int digit = digit_value(c);
    if (bits) bits += read->hex ? 4 : 1;
    else
      for (int left = digit; left; left >>= 1) bits++;
  }
  return bits;
}

#define WRONG(m, what, ...) \
  trouble_set((m)->trouble, TROUBLE_INPUT, "%s:%u: " what, (m)->path, (m)->number, __VA_ARGS__)

/* Checks that a word fits: its width, and its address in the memory. */
static bool take_word(image_t *m, const char *word, size_t length) {
  const dut_read_t *read = m->read;
  const int shown = (int)(length < 40 ? length : 40);
  if (width_of(read, word, length) > read->bits)
    return WRONG(m, "'%.*s' is wider than the %u bits of a word of the memory", shown, word, read->bits);
  if (m->address < read->first || m->address > m->last)
    return WRONG(m, "'%.*s' is for address %" PRIu64 "; the addresses to read are %" PRIu64 " to %" PRIu64, shown, word,
                 m->address, read->start, m->last);
  m->address++, m->words++;
  return true;
}

/* Reads "@" and a hexadecimal address. */
static bool take_address(image_t *m, const char *p, char **end) {
  m->address = strtoull(p + 1, end, 16);
  return isxdigit((unsigned char)p[1]) || WRONG(m, "%s", "an address should follow the @, in hexadecimal");
}

/* Checks all words of an image, and the addresses (@) between them. */
static bool judge_words(image_t *m, const char *text) {
  bool good = true;
  for (const char *p = skip_blank(m, text); *p && good; p = skip_blank(m, p)) {
    size_t n = 0;
    char *end;
    if (*p == '@') {
      good = take_address(m, p, &end);
      p = end;
      continue;
    }
    while (p[n] && is_digit(m->read, p[n])) n++;
    const bool ends = !p[n] || isspace((unsigned char)p[n]) || p[n] == '/' || p[n] == '@';
    good =
        n && ends ? take_word(m, p, n) : WRONG(m, "'%c' is no %s digit", p[n], m->read->hex ? "hexadecimal" : "binary");
    p += n;
  }
  return good;
}

/* ---- one file of the RTL */

/* Checks one call that reads a file, and the file. */
static bool judge_one(const dut_t *dut, const dut_read_t *read, FILE *partial, trouble_t *trouble) {
  image_t m = {.read = read, .number = 1, .address = read->start, .trouble = trouble};
  char *text;
  if (!files_find(dut, read->name, &text, &m.path))
    return trouble_set(
        trouble, TROUBLE_INPUT,
        "no file %s, which the RTL reads, beside the source that names it; or two sources name files that differ",
        read->name);
  const uint64_t all = read->first + read->depth - 1;
  m.last = read->end < all ? read->end : all;
  const bool good = !read->depth || judge_words(&m, text);
  free(text);
  const uint64_t wanted = m.last - read->start + 1;
  if (good && read->depth && partial && m.words < wanted)
    fprintf(partial,
            "IMAGE %s: %" PRIu64 " of %" PRIu64 " words; the others are 0 in two-state devices and X in Icarus\n",
            m.path, m.words, wanted);
  return good;
}

bool images_judge(const dut_t *dut, char **partial, trouble_t *trouble) {
  bool good = true;
  size_t size;
  FILE *to = partial ? open_memstream(partial, &size) : NULL;
  for (unsigned i = 0; i < dut->num_reads && good; i++) good = judge_one(dut, &dut->reads[i], to, trouble);
  if (to) fclose(to);
  return good;
}

/* Splits a line "image 1 NAME FOLDER". */
static bool take_image(char *at, dut_image_t *image) {
  char *blank = strchr(at + 2, ' ');
  if (!blank) return false;
  *blank = 0;
  *image = (dut_image_t){.name = at + 2, .folder = blank + 1, .source = *at == '1'};
  return true;
}

/* Splits a line "read NAME 1 8 4 0 0 3". */
static bool take_read(char *at, dut_read_t *read) {
  char *blank = strchr(at, ' ');
  unsigned hex;
  if (!blank || sscanf(blank, "%u %" SCNu32 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &hex, &read->bits,
                       &read->depth, &read->first, &read->start, &read->end) != 6)
    return false;
  *blank = 0;
  read->name = at, read->hex = hex;
  return true;
}

bool images_judge_lines(char *text, trouble_t *trouble) {
  size_t lines = 1;
  for (const char *p = text; *p; p++) lines += *p == '\n';
  dut_image_t *images = calloc(lines, sizeof *images);
  dut_read_t *reads = calloc(lines, sizeof *reads);
  dut_t dut = {.images = images, .reads = reads};
  for (char *at = text, *end; images && reads && *at; at = end) {
    end = strchrnul(at, '\n');
    if (*end) *end++ = 0;
    if (strncmp(at, "image ", 6) == 0) dut.num_images += take_image(at + 6, &images[dut.num_images]);
    else if (strncmp(at, "read ", 5) == 0) dut.num_reads += take_read(at + 5, &reads[dut.num_reads]);
  }
  const bool good = images && reads ? images_judge(&dut, NULL, trouble) : trouble_memory(trouble);
  free(images), free(reads);
  return good;
}
