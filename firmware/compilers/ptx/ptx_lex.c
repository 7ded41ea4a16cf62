/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory, errors and tokens of the PTX reader.
 *
 *    source --lex_next--> p->tok      blanks and comments are skipped before a token
 *
 *    name   add  %r1  $L__BB0_2       dot    .global  .L1::evict_last
 *    number 12  0x1F  0f3F800000      punct  ; , << >=          string  "a file"
 *
 * A token keeps its place in the source, so messages can quote it and show line and column.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "one_line.h"
#include "ptx_internal.h"

/* ---- Errors and memory ----------------------------------------------------------------------- */

/* The message is one line: "file:line:column: why". */
void ptx_fail(parser_t *p, const token_t *at, const char *format, ...) {
  char why[TROUBLE_TEXT];
  va_list args;
  p->err->line = at->line;
  p->err->column = at->column;
  va_start(args, format);
  line_vprintf(why, sizeof why, format, args);
  va_end(args);
  trouble_set(&p->err->trouble, TROUBLE_INPUT, "%s:%d:%d: %s", p->file, at->line, at->column, why);
  longjmp(p->on_error, 1);
}

void ptx_fail_memory(parser_t *p) {
  trouble_set(&p->err->trouble, TROUBLE_ENVIRONMENT, "%s: out of memory; free some, or simulate on a larger machine",
              p->file);
  longjmp(p->on_error, 1);
}

/* Bump allocation in chunks of 64 KB or more, aligned to 16 bytes. calloc zeroes each chunk
 * once. */
void *arena_alloc(parser_t *p, size_t bytes) {
  enum { CHUNK = 64 * 1024 };
  arena_chunk_t *chunk = p->owner->chunks;
  bytes = (bytes + 15) & ~(size_t)15;
  if (!chunk || chunk->size - chunk->used < bytes) {
    size_t size = bytes > CHUNK ? bytes : CHUNK;
    chunk = calloc(1, sizeof *chunk + size);
    if (!chunk) ptx_fail_memory(p);
    chunk->size = size;
    chunk->next = p->owner->chunks;
    p->owner->chunks = chunk;
  }
  void *at = (char *)(chunk + 1) + chunk->used;
  chunk->used += bytes;
  return at;
}

char *arena_string(parser_t *p, const char *text, size_t length) {
  char *copy = arena_alloc(p, length + 1);
  memcpy(copy, text, length);
  return copy;
}

void *arena_copy(parser_t *p, const void *data, size_t bytes) {
  if (!bytes) return NULL;
  return memcpy(arena_alloc(p, bytes), data, bytes);
}

uint32_t vector_grow(parser_t *p, void **data, uint32_t *count, uint32_t *room, size_t element) {
  if (*count == *room) {
    uint32_t larger = *room ? *room * 2 : 64;
    void *grown = larger > *room ? realloc(*data, larger * element) : NULL;
    if (!grown) ptx_fail_memory(p);
    *data = grown;
    *room = larger;
  }
  memset((char *)*data + *count * element, 0, element);
  return (*count)++;
}

/* ---- Characters ------------------------------------------------------------------------------ */

/* The character `ahead` of the place; -1 behind the end. */
static int peek_char(const parser_t *p, size_t ahead) {
  return p->pos + ahead < p->size ? (unsigned char)p->source[p->pos + ahead] : -1;
}

static bool is_name_char(int c) {
  return c == '_' || c == '$' || (c >= 0 && isalnum(c));
}

/* Empties the token and notes its place. glued: it follows the token before without a blank. */
static void start_token(parser_t *p, token_t *t) {
  *t = (token_t){
      .line = p->line, .column = (int)(p->pos - p->line_start) + 1, .at = p->pos, .glued = p->pos == p->prev_end};
}

/* The newline has been passed. */
static void step_line(parser_t *p) {
  p->line++;
  p->line_start = p->pos;
}

/* A comment that does not end is reported at its start. */
static void skip_comment(parser_t *p) {
  token_t open;
  start_token(p, &open);
  p->pos += 2;
  while (!(peek_char(p, 0) == '*' && peek_char(p, 1) == '/')) {
    if (peek_char(p, 0) < 0) ptx_fail(p, &open, "comment that does not end; close it with */");
    if (p->source[p->pos++] == '\n') step_line(p);
  }
  p->pos += 2;
}

static void skip_to_line_end(parser_t *p) {
  while (peek_char(p, 0) >= 0 && peek_char(p, 0) != '\n') p->pos++;
}

static void skip_blanks(parser_t *p) {
  for (;;) {
    int c = peek_char(p, 0);
    if (c == '\n') {
      p->pos++;
      step_line(p);
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      p->pos++;
    } else if (c == '/' && peek_char(p, 1) == '/') {
      skip_to_line_end(p);
    } else if (c == '/' && peek_char(p, 1) == '*') {
      skip_comment(p);
    } else {
      return;
    }
  }
}

void lex_skip_line(parser_t *p) {
  p->pos = p->tok.at;
  skip_to_line_end(p);
  lex_next(p);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* 99: no digit of any base. */
static int digit_value(int c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

/* An integer of the base; fails if it needs more than 64 bits. */
static void lex_digits(parser_t *p, token_t *t, unsigned base) {
  size_t first = p->pos;
  while (digit_value(peek_char(p, 0)) < (int)base) {
    uint64_t digit = (uint64_t)digit_value(peek_char(p, 0));
    if (t->integer > (UINT64_MAX - digit) / base)
      ptx_fail(p, t, "integer does not fit in 64 bits; use at most 0xffffffffffffffff");
    t->integer = t->integer * base + digit;
    p->pos++;
  }
  if (p->pos == first) ptx_fail(p, t, "number without digits; write digits of base %u", base);
}

/* 0f3F800000 or 0d3FF0000000000000: exactly 8 or 16 digits. */
static void lex_float_bits(parser_t *p, token_t *t, unsigned digits) {
  t->kind = digits == 8 ? TOK_F32 : TOK_F64;
  p->pos += 2;
  for (unsigned i = 0; i < digits; i++, p->pos++) {
    int value = digit_value(peek_char(p, 0));
    if (value > 15) ptx_fail(p, t, "floating-point bits cut short; write exactly %u hexadecimal digits", digits);
    t->integer = t->integer << 4 | (uint64_t)value;
  }
}

/* 1.5 or 2.0e-3, of at most 63 characters. */
static void lex_decimal_float(parser_t *p, token_t *t) {
  char text[64];
  size_t n = 0, at = p->pos;
  int last = 0, c;
  while ((c = peek_char(p, 0)) >= 0 &&
         (isdigit(c) || c == '.' || c == 'e' || c == 'E' || ((c == '+' || c == '-') && (last == 'e' || last == 'E')))) {
    if (n + 1 < sizeof text) text[n++] = (char)c;
    last = c;
    p->pos++;
  }
  text[n] = 0;
  char *end;
  double value = strtod(text, &end);
  if (*end || p->pos - at != n) ptx_fail(p, t, "malformed number; write it like 1.5, 2.0e-3 or 0f3F800000");
  memcpy(&t->integer, &value, sizeof value);
  t->kind = TOK_F64;
  t->is_decimal = true;
}

/* Digits followed by a dot or an exponent. Nothing is consumed. */
static bool looks_like_float(const parser_t *p) {
  size_t i = 0;
  while (isdigit(peek_char(p, i))) i++;
  int c = peek_char(p, i), d = peek_char(p, i + 1);
  if (c == '.') return true;
  return (c == 'e' || c == 'E') && (isdigit(d) || ((d == '+' || d == '-') && isdigit(peek_char(p, i + 2))));
}

/* 0f, 0d, 0x, 0b, an octal after 0, or decimal; U behind an integer makes it unsigned. */
static void lex_number(parser_t *p, token_t *t) {
  int next = peek_char(p, 1) | 32;
  t->kind = TOK_INT;
  if (peek_char(p, 0) == '0' && next == 'f') {
    lex_float_bits(p, t, 8);
  } else if (peek_char(p, 0) == '0' && next == 'd') {
    lex_float_bits(p, t, 16);
  } else if (peek_char(p, 0) == '0' && (next == 'x' || next == 'b')) {
    p->pos += 2;
    lex_digits(p, t, next == 'x' ? 16 : 2);
  } else if (looks_like_float(p)) {
    lex_decimal_float(p, t);
  } else {
    lex_digits(p, t, peek_char(p, 0) == '0' ? 8 : 10);
  }
  if (t->kind == TOK_INT && peek_char(p, 0) == 'U') {
    t->is_unsigned = true;
    p->pos++;
  }
  if (is_name_char(peek_char(p, 0))) ptx_fail(p, t, "malformed number; digits end where '%c' stands", peek_char(p, 0));
}

uint64_t float_bits(const token_t *token, ptx_type_t type) {
  double wide;
  float narrow;
  uint32_t bits = 0;
  if (token->kind == TOK_F32 && type == PTX_F64) { /* a value that f64 holds exactly */
    bits = (uint32_t)token->integer;
    memcpy(&narrow, &bits, 4);
    wide = narrow;
    uint64_t out;
    memcpy(&out, &wide, 8);
    return out;
  }
  if (token->kind == TOK_F64 && type == PTX_F32) {
    memcpy(&wide, &token->integer, 8);
    narrow = (float)wide;
    memcpy(&bits, &narrow, 4);
    return bits;
  }
  return token->integer;
}

/* ---- Tokens ---------------------------------------------------------------------------------- */

static void lex_string(parser_t *p, token_t *t) {
  size_t first = ++p->pos;
  t->kind = TOK_STRING;
  while (peek_char(p, 0) != '"') {
    if (peek_char(p, 0) < 0 || peek_char(p, 0) == '\n')
      ptx_fail(p, t, "string that does not end on its line; close it with \"");
    p->pos += peek_char(p, 0) == '\\' && peek_char(p, 1) == '"' ? 2 : 1;
  }
  t->text = p->source + first;
  t->length = p->pos++ - first;
}

static void lex_name(parser_t *p, token_t *t) {
  size_t first = p->pos++;
  while (is_name_char(peek_char(p, 0))) p->pos++;
  t->kind = TOK_NAME;
  t->text = p->source + first;
  t->length = p->pos - first;
}

/* A dot and a name. `::` joins parts of one name: .shared::cta, .L1::evict_last. */
static void lex_dot(parser_t *p, token_t *t) {
  size_t first = ++p->pos;
  while (is_name_char(peek_char(p, 0)) ||
         (peek_char(p, 0) == ':' && peek_char(p, 1) == ':' && is_name_char(peek_char(p, 2))) ||
         (peek_char(p, 0) == ':' && p->pos > first && p->source[p->pos - 1] == ':' && is_name_char(peek_char(p, 1))))
    p->pos++;
  t->kind = TOK_DOT;
  t->text = p->source + first;
  t->length = p->pos - first;
  if (!t->length) ptx_fail(p, t, "'.' without a name; write a directive, type or modifier after it");
}

/* Two characters if they make an operator, else one that PTX knows. */
static void lex_punct(parser_t *p, token_t *t, int c) {
  static const char pairs[][3] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
  t->kind = TOK_PUNCT;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    if (c == pairs[i][0] && peek_char(p, 1) == pairs[i][1]) {
      t->punct = (uint16_t)(c | peek_char(p, 1) << 8);
      p->pos += 2;
      return;
    }
  }
  if (!strchr(",;:{}[]()@!+-*/%<>=|&^~?#", c) || c == 0) {
    if (isprint(c)) ptx_fail(p, t, "character '%c' has no meaning here; remove it", c);
    ptx_fail(p, t, "byte 0x%02x has no meaning in PTX; the file must be plain text", (unsigned)c);
  }
  t->punct = (uint16_t)c;
  p->pos++;
}

/* A name may begin with %, but %5 is an operator and a number. */
void lex_next(parser_t *p) {
  token_t *t = &p->tok;
  p->prev_end = p->pos;
  skip_blanks(p);
  start_token(p, t);
  int c = peek_char(p, 0);
  if (c < 0) t->kind = TOK_END;
  else if (isdigit(c)) lex_number(p, t);
  else if (c == '"') lex_string(p, t);
  else if (is_name_char(c) || (c == '%' && is_name_char(peek_char(p, 1)) && !isdigit(peek_char(p, 1)))) lex_name(p, t);
  else if (c == '.') lex_dot(p, t);
  else lex_punct(p, t, c);
  t->end = p->pos;
}

bool tok_is(const parser_t *p, unsigned punct) {
  return p->tok.kind == TOK_PUNCT && p->tok.punct == punct;
}

static bool token_is(const token_t *t, const char *text) {
  return strlen(text) == t->length && memcmp(t->text, text, t->length) == 0;
}

bool tok_is_name(const parser_t *p, const char *name) {
  return p->tok.kind == TOK_NAME && token_is(&p->tok, name);
}

bool tok_is_dot(const parser_t *p, const char *name) {
  return p->tok.kind == TOK_DOT && token_is(&p->tok, name);
}

bool tok_accept(parser_t *p, unsigned punct) {
  if (!tok_is(p, punct)) return false;
  lex_next(p);
  return true;
}

void tok_expect(parser_t *p, unsigned punct, const char *where) {
  if (!tok_accept(p, punct))
    ptx_fail(p, &p->tok, "%s where '%c' should stand %s", tok_text(p, &p->tok), (int)punct, where);
}

/* Shortened to 60 characters; what does not print becomes '?'. */
const char *tok_text(parser_t *p, const token_t *token) {
  enum { MOST = 60 };
  char text[MOST + 1], *quoted = arena_alloc(p, MOST + 3);
  if (token->kind == TOK_END) return "the file ends";
  word_shorten(text, MOST, p->source + token->at, token->end - token->at);
  for (char *c = text; *c; c++)
    if (!isprint((unsigned char)*c)) *c = '?';
  snprintf(quoted, MOST + 3, "'%s'", text);
  return quoted;
}
