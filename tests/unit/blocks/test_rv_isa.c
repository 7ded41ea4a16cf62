/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of RISC-V instructions: no two lines match one word, fields come back from where they
 * were put, and the words of a real assembler decode as written.
 */
#include "unit_test.h"

#include <string.h>

#include "rv_isa.h"

/* Made by GNU as 2.40 for rv32im_zicsr, read from its listing. */
static const struct {
  uint32_t word;
  const char *mnemonic;
  unsigned rd, rs1, rs2;
  uint32_t imm;
} words[] = {
#include "rv_words.def"
};

/* Each word of rv_words.def decodes to its mnemonic and fields, and each instruction of the list
 * occurs. */
static void test_words(void **state) {
  (void)state;
  bool seen[RV_NUM_OPS] = {false};
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
    const rv_op_t *op = rv_op(words[i].word);
    assert_non_null(op);
    assert_string_equal(op->mnemonic, words[i].mnemonic);
    seen[op - rv_ops] = true;
    if (rv_has_rd(op->form)) assert_int_equal(rv_rd(words[i].word), words[i].rd);
    const bool rs2 = op->form == RV_FORM_R || op->form == RV_FORM_S || op->form == RV_FORM_B;
    if (rs2) assert_int_equal(rv_rs2(words[i].word), words[i].rs2);
    if (rs2 || op->form == RV_FORM_I || op->form == RV_FORM_H || op->form == RV_FORM_C)
      assert_int_equal(rv_rs1(words[i].word), words[i].rs1);
    if (op->form == RV_FORM_C) assert_int_equal(words[i].word >> 20, words[i].imm);
    else if (op->kind != RV_FENCE) assert_int_equal(rv_imm(op->form, words[i].word), words[i].imm);
  }
  for (unsigned i = 0; i < RV_NUM_OPS; i++) assert_true(seen[i]);
}

/* Two lines differ in a bit that both of them fix, so at most one matches a word. */
static void test_apart(void **state) {
  (void)state;
  for (unsigned i = 0; i < RV_NUM_OPS; i++) {
    assert_int_equal(rv_ops[i].match & ~rv_ops[i].mask, 0);
    for (unsigned j = i + 1; j < RV_NUM_OPS; j++)
      assert_true((rv_ops[i].match ^ rv_ops[j].match) & rv_ops[i].mask & rv_ops[j].mask);
  }
}

/* Words from random fields decode to the same line; made once more from their own fields they
 * are equal. */
static void test_made(void **state) {
  uint64_t seed = 1;
  (void)state;
  for (unsigned n = 0; n < 100000; n++) {
    const rv_op_t *op = &rv_ops[test_random(&seed) % RV_NUM_OPS];
    const unsigned rd = test_random(&seed) % 32, rs1 = test_random(&seed) % 32, rs2 = test_random(&seed) % 32;
    const uint32_t imm = (uint32_t)test_random(&seed),
                   word = rv_make(op, rd, rs1, rs2, imm, (unsigned)test_random(&seed) % 4096);
    assert_ptr_equal(rv_op(word), op);
    if (rv_has_rd(op->form)) assert_int_equal(rv_rd(word), rd);
    assert_int_equal(rv_make(op, rv_rd(word), rv_rs1(word), rv_rs2(word), rv_imm(op->form, word), word >> 20), word);
  }
}

/* Words that are no instruction of this core. */
static void test_none(void **state) {
  (void)state;
  assert_null(rv_op(0));
  assert_null(rv_op(0xffffffff));
  assert_null(rv_op(0x0000100f)); /* FENCE.I */
  assert_null(rv_op(0x30200173)); /* MRET with a register */
  assert_null(rv_op(0x10200073)); /* SRET */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_words), cmocka_unit_test(test_apart),
                                     cmocka_unit_test(test_made), cmocka_unit_test(test_none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
