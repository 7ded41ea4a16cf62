/* SPDX-License-Identifier: Apache-2.0
 *
 * The NSU assembler. A line is scanned once from left to right: guard, mnemonic, operands as the
 * opcode's entry in nsu_isa.def asks for.
 *
 *    @!F4    fma.rn.f32   F3, F2, 0x10, F1    // comment
 *    guard   mnemonic     d   a   b     c
 *
 * Scanners return false after an error, and each step runs only if the one before succeeded.
 */
#include "nsu_asm.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "nsu_isa.h"

typedef struct {
  const char *line, *at; /* at: the next character to read */
  trouble_t *trouble;
  bool failed;
} scan_t;

/* Notes the first error of the line as "COLUMN: what". Always returns false. */
__attribute__((format(printf, 3, 4))) static bool scan_fail(scan_t *s, const char *where, const char *format, ...) {
  if (s->failed) return false;
  char what[TROUBLE_TEXT];
  s->failed = true;
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  return trouble_set(s->trouble, TROUBLE_INPUT, "%d: %s", (int)(where - s->line) + 1, what);
}

static void skip_blank(scan_t *s) {
  while (*s->at == ' ' || *s->at == '\t' || *s->at == '\r') s->at++;
}

/* Is the rest of the line blank or a comment? */
static bool at_end(scan_t *s) {
  skip_blank(s);
  return !*s->at || *s->at == ';' || (s->at[0] == '/' && s->at[1] == '/');
}

/* Steps over the character, and blanks before it, if it comes next. */
static bool accept_char(scan_t *s, char c) {
  skip_blank(s);
  if (*s->at != c) return false;
  s->at++;
  return true;
}

static bool expect_char(scan_t *s, char c) {
  return accept_char(s, c) || scan_fail(s, s->at, "'%c' expected", c);
}

static bool is_register(const char *p) {
  return (*p == 'F' || *p == 'f') && isdigit((unsigned char)p[1]);
}

/* F0 .. F15. */
static bool scan_register(scan_t *s, uint64_t *number) {
  skip_blank(s);
  if (!is_register(s->at)) return scan_fail(s, s->at, "register expected; F0 to F%d", ISA_NUM_REGS - 1);
  char *end;
  unsigned long n = strtoul(s->at + 1, &end, 10);
  if (n >= ISA_NUM_REGS || isalnum((unsigned char)*end))
    return scan_fail(s, s->at, "no such register; F0 to F%d", ISA_NUM_REGS - 1);
  s->at = end;
  *number = n;
  return true;
}

/* A float's bits, 0f and eight hexadecimal digits, or an integer that fits 32 bits,
 * signed or unsigned. */
static bool scan_number(scan_t *s, uint64_t *value) {
  skip_blank(s);
  const char *start = s->at;
  char *end;
  if (start[0] == '0' && (start[1] == 'f' || start[1] == 'F')) {
    size_t digits = strspn(start + 2, "0123456789abcdefABCDEF");
    if (digits != 8) return scan_fail(s, start, "a float's bits are 0f and 8 hexadecimal digits");
    *value = strtoul(start + 2, &end, 16);
  } else {
    if (!isdigit((unsigned char)*start) && *start != '-') return scan_fail(s, start, "number expected");
    errno = 0;
    long long n = strtoll(start, &end, 0);
    if (end == start || isalnum((unsigned char)*end) || *end == '.')
      return scan_fail(s, start, "not a number; decimal, 0x hexadecimal, or a float's bits as 0f3F800000");
    if (errno || n < INT32_MIN || n > UINT32_MAX) return scan_fail(s, start, "number does not fit 32 bits");
    *value = (uint64_t)n & UINT32_MAX;
  }
  s->at = end;
  return true;
}

/* @F4 or @!F4, if a guard comes next. */
static bool scan_guard(scan_t *s, uint64_t *word) {
  if (!accept_char(s, '@')) return true;
  uint64_t number;
  *word = isa_set_guard(*word, 1);
  if (accept_char(s, '!')) *word = isa_set_ginv(*word, 1);
  if (!scan_register(s, &number)) return false;
  *word = isa_set_rg(*word, number);
  return true;
}

/* Any case of letters. NULL: no opcode has the name. */
static const isa_op_t *scan_mnemonic(scan_t *s, uint64_t *word) {
  skip_blank(s);
  size_t length = strcspn(s->at, " \t\r;,/");
  for (unsigned code = 0; code < 256; code++) {
    const isa_op_t *op = isa_op(code);
    if (!op || strlen(op->mnemonic) != length || strncasecmp(op->mnemonic, s->at, length)) continue;
    s->at += length;
    *word = isa_set_opcode(*word, code);
    return op;
  }
  scan_fail(s, s->at, "unknown instruction '%.*s'; nsu_isa.def lists them", (int)length, s->at);
  return NULL;
}

/* The registers of OFLD.BEG or OFLD.END: four bits each from bit 0 on, their count in bits
 * 31..28. */
static bool scan_list(scan_t *s, uint64_t *word) {
  uint64_t imm = 0, number;
  unsigned count = 0;
  while (!at_end(s)) {
    if (count && !expect_char(s, ',')) return false;
    if (count == 7) return scan_fail(s, s->at, "too many registers; at most 7 cross with a command or acknowledgement");
    if (!scan_register(s, &number)) return false;
    imm |= number << (4 * count++);
  }
  *word = isa_set_imm(*word, imm | (uint64_t)count << 28);
  return true;
}

/* Operand b: a register, or a number in the immediate field. */
static bool scan_b(scan_t *s, uint64_t *word) {
  uint64_t value;
  skip_blank(s);
  if (is_register(s->at)) {
    if (!scan_register(s, &value)) return false;
    *word = isa_set_rb(*word, value);
    return true;
  }
  if (!scan_number(s, &value)) return false;
  *word = isa_set_imm(isa_set_immb(*word, 1), value);
  return true;
}

/* ", [16]": the byte offset of a constant, a multiple of 4. */
static bool scan_constant(scan_t *s, uint64_t *word) {
  uint64_t offset;
  if (!expect_char(s, ',') || !expect_char(s, '[')) return false;
  const char *start = s->at;
  if (!scan_number(s, &offset)) return false;
  if (offset % 4) return scan_fail(s, start, "constants are words; a multiple of 4");
  *word = isa_set_imm(*word, offset);
  return expect_char(s, ']');
}

/* Bits 0, 1 and 2 of op->sources say whether there are operands a, b and c. */
static bool scan_operands(scan_t *s, const isa_op_t *op, uint64_t *word) {
  uint64_t number;
  if (op->kind == ISA_BEG || op->kind == ISA_END) return scan_list(s, word);
  if (op->kind == ISA_ST) {
    if (!scan_register(s, &number)) return false;
    *word = isa_set_ra(*word, number);
    return true;
  }
  if (!scan_register(s, &number)) return false;
  *word = isa_set_rd(*word, number);
  if (op->kind == ISA_LDC) return scan_constant(s, word);
  if (op->sources & 1) {
    if (!expect_char(s, ',') || !scan_register(s, &number)) return false;
    *word = isa_set_ra(*word, number);
  }
  if ((op->sources & 2) && (!expect_char(s, ',') || !scan_b(s, word))) return false;
  if (op->sources & 4) {
    if (!expect_char(s, ',') || !scan_register(s, &number)) return false;
    *word = isa_set_rc(*word, number);
  }
  return true;
}

/* .word takes any 64 bits, so that every image can be written as text. */
static bool scan_word(scan_t *s, uint64_t *word) {
  static const char directive[] = ".word";
  s->at += sizeof directive - 1;
  skip_blank(s);
  char *end;
  errno = 0;
  if (!isdigit((unsigned char)*s->at)) return scan_fail(s, s->at, "number expected; .word takes one of 64 bits");
  *word = strtoull(s->at, &end, 0);
  if (errno || isalnum((unsigned char)*end)) return scan_fail(s, s->at, "not a 64-bit number");
  s->at = end;
  return true;
}

static bool scan_instruction(scan_t *s, uint64_t *word) {
  if (!strncasecmp(s->at, ".word", 5)) return scan_word(s, word);
  const char *start = s->at;
  if (!scan_guard(s, word)) return false;
  const isa_op_t *op = scan_mnemonic(s, word);
  if (!op) return false;
  if (isa_guard(*word) && op->kind != ISA_ALU)
    return scan_fail(s, start, "%s takes no guard; the GPU has applied it to the packets", op->mnemonic);
  return scan_operands(s, op, word);
}

int nsu_asm_line(const char *line, uint64_t *word, trouble_t *trouble) {
  scan_t s = {line, line, trouble, false};
  if (at_end(&s)) return 0;
  *word = 0;
  if (scan_instruction(&s, word) && !at_end(&s)) scan_fail(&s, s.at, "end of line expected");
  return s.failed ? -1 : 1;
}

long nsu_asm(const char *name, const char *text, uint64_t *words, size_t max, trouble_t *trouble) {
  size_t count = 0;
  for (unsigned number = 1; *text; number++) {
    size_t length = strcspn(text, "\n");
    char *line = strndup(text, length);
    if (!line) return trouble_fail(trouble, TROUBLE_ENVIRONMENT, "%s:%u:1: out of memory", name, number);
    uint64_t word;
    trouble_t reason = {0};
    int got = nsu_asm_line(line, &word, &reason);
    free(line);
    if (got < 0) return trouble_fail(trouble, reason.kind, "%s:%u:%s", name, number, reason.text);
    if (got && count < max) words[count] = word;
    count += (size_t)got;
    text += length + (text[length] == '\n');
  }
  return (long)count;
}
