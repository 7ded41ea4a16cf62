/* SPDX-License-Identifier: Apache-2.0
 *
 * The NSU's assembler and disassembler: encodings by hand, the program of the NSU paper, refusals
 * with line and column, and that assembling a disassembled word gives the word again.
 */
#include <inttypes.h>
#include <string.h>

#include "nsu_asm.h"
#include "nsu_isa.h"
#include "unit_test.h"

/* The word of one legal line. */
static uint64_t assemble_line(const char *line) {
  trouble_t trouble = {0};
  uint64_t word = 0;
  assert_int_equal(nsu_asm_line(line, &word, &trouble), 1);
  return word;
}

/* The encodings are worked out by hand from the field table at the head of nsu_isa.def. */
static void test_encodings(void **state) {
  (void)state;
  assert_int_equal(assemble_line("ofld.beg F0, F15"), 0x01000000200000f0);
  assert_int_equal(assemble_line("ofld.end"), 0x0200000000000000);
  assert_int_equal(assemble_line("ld.b32 F1"), 0x0310000000000000);
  assert_int_equal(assemble_line("ST f2 // comment"), 0x0802000000000000);
  assert_int_equal(assemble_line("ldc.b32 F3, [20]"), 0x0930000000000014);
  assert_int_equal(assemble_line("mul.f32 F2, F0, F1"), 0x4220100000000000);
  assert_int_equal(assemble_line("fma.rn.f32 F4, F3, F2, F1"), 0x4343210000000000);
  assert_int_equal(assemble_line("fma.rn.ftz.f32 F4, F3, F2, F1"), 0xc343210000000000);
  assert_int_equal(assemble_line("cvt.ftz.f64.f32 F4, F3"), 0xc840300000000000);
  assert_int_equal(assemble_line("add.s32 F1, F2, -1"), 0x12120002ffffffff);
  assert_int_equal(assemble_line("mov.b32 F1, 0f3F800000"), 0x101000023f800000);
  assert_int_equal(assemble_line("@!F9 sub.s32 F1, F2, F3"), 0x131230e400000000);
  assert_int_equal(assemble_line(".word 0x123456789abcdef0"), 0x123456789abcdef0);
}

/* NSU paper, Fig. 3 (b). The count is that of all instructions, also where the buffer is too
 * small. */
static void test_program(void **state) {
  (void)state;
  const char *text = "ofld.beg F0 // Initialize F0\n\n  ld.b32 F1\nmul.f32 F2, F0, F1\nst F2\nofld.end F2";
  trouble_t trouble = {0};
  uint64_t words[8];
  assert_int_equal(nsu_asm("fig3", text, words, 8, &trouble), 5);
  assert_int_equal(isa_opcode(words[2]), OP_FMUL);
  assert_int_equal(nsu_asm("fig3", text, words, 2, &trouble), 5);
}

/* The text is refused, and the message contains `message`; a column counts from 1. */
static void expect_error(const char *text, const char *message) {
  trouble_t trouble = {0};
  uint64_t words[4];
  assert_int_equal(nsu_asm("t", text, words, 4, &trouble), -1);
  assert_non_null(strstr(trouble.text, message));
}

/* Each mistake is told with line and column. */
static void test_refused_lines(void **state) {
  (void)state;
  expect_error("\nadd.s64 F1, F2, F3", "t:2:1: unknown instruction 'add.s64'");
  expect_error("add.ftz.f64 F2, F4, F6", "t:1:1: unknown instruction 'add.ftz.f64'"); /* PTX has no such */
  expect_error("fma.ftz.rn.f32 F4, F3, F2, F1", "unknown instruction");
  expect_error("add.s32 F1, F2", "t:1:15: ',' expected");
  expect_error("add.s32 F1, F16, F2", "t:1:13: no such register");
  expect_error("add.s32 F1, F2, F3 F4", "t:1:20: end of line expected");
  expect_error("add.s32 F1, F2, 4294967296", "does not fit 32 bits");
  expect_error("mov.b32 F1, 1.5", "not a number");
  expect_error("mov.b32 F1, 0f123", "8 hexadecimal digits");
  expect_error("ldc.b32 F1, [6]", "a multiple of 4");
  expect_error("@F1 ld.b32 F2", "takes no guard");
  expect_error("ofld.beg F0,F1,F2,F3,F4,F5,F6,F7", "at most 7");
  expect_error(".word x", "number expected");
}

/* The word as text and back. */
static void round_trip(uint64_t word) {
  trouble_t trouble = {0};
  char text[NSU_DISASM_SIZE];
  uint64_t again = ~word;
  nsu_disasm(word, text);
  if (nsu_asm_line(text, &again, &trouble) != 1 || again != word)
    fail_msg("0x%016" PRIx64 " -> %s -> 0x%016" PRIx64, word, text, again);
}

/* Random words, and for the first of them each opcode with the zero field (bit 32) cleared. */
static void test_round_trip(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (int i = 0; i < 300000; i++) {
    uint64_t word = test_random(&seed);
    round_trip(word); /* mostly .word */
    word &= ~(0x1ull << 32);
    for (unsigned code = 0; i < 2000 && code < 256; code++) round_trip(isa_set_opcode(word, code));
  }
}

/* What a reader sees: every opcode appears under its own name, with all its operands. */
static void test_text(void **state) {
  (void)state;
  static const char *const lines[] = {
      "ofld.beg F0, F3",          "ofld.end",      "ld.s8 F7", "st F2", "ldc.b32 F1, [16]", "selp.b32 F1, F2, F3, F4",
      "@!F3 add.s32 F1, F2, 0x7", "abs.f32 F1, F2"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    char text[NSU_DISASM_SIZE];
    nsu_disasm(assemble_line(lines[i]), text);
    assert_string_equal(text, lines[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_encodings), cmocka_unit_test(test_program),
                                     cmocka_unit_test(test_refused_lines), cmocka_unit_test(test_round_trip),
                                     cmocka_unit_test(test_text)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
