/* SPDX-License-Identifier: Apache-2.0
 *
 * The instruction list in C (nsu_isa.def). Fields tile the 64 bits of an instruction, set and get
 * are inverse, each opcode has one entry in the table and each mnemonic one opcode, and pairs and
 * .ftz follow rules that a decoder can use.
 */
#include "nsu_isa.h"
#include "unit_test.h"

#include <string.h>

/* Each bit belongs to exactly one field, whose mask reaches from lsb to msb without a gap. */
static void fields_tile_the_instruction(void **state) {
  (void)state;
  uint64_t seen = 0;
#define ISA_FIELD(name, msb, lsb)                                    \
  {                                                                  \
    uint64_t mask = isa_set_##name(0, ~0ull);                        \
    assert_int_equal(mask >> (lsb)&1, 1);                            \
    assert_int_equal(mask >> (msb)&1, 1);                            \
    assert_int_equal(__builtin_popcountll(mask), (msb) - (lsb) + 1); \
    assert_int_equal(seen &mask, 0);                                 \
    seen |= mask;                                                    \
  }
#include "nsu_isa.def"
  assert_true(seen == ~0ull);
}

/* A field takes as many low bits of the value as it has and leaves all other fields alone. */
static void set_then_get(void **state) {
  (void)state;
  uint64_t seed = 2;
  for (int i = 0; i < 10000; i++) {
    uint64_t instr = test_random(&seed), value = test_random(&seed);
#define ISA_FIELD(name, msb, lsb)                                                     \
  {                                                                                   \
    uint64_t mask = isa_set_##name(0, ~0ull), changed = isa_set_##name(instr, value); \
    assert_true(isa_##name(changed) == (uint32_t)(value & (mask >> (lsb))));          \
    assert_true((changed & ~mask) == (instr & ~mask));                                \
    assert_true(isa_set_##name(changed, isa_##name(instr)) == instr);                 \
  }
#include "nsu_isa.def"
  }
}

/* 0, all ones and numbers of more than eight bits are no opcodes. */
static void opcode_zero_is_illegal(void **state) {
  (void)state;
  assert_null(isa_op(0));
  assert_null(isa_op(256));
  assert_null(isa_op(0xff));
}

/* Each line of nsu_isa.def is in the table, and no two lines have one code. */
static void table_follows_the_list(void **state) {
  (void)state;
  unsigned count = 0, listed = 0;
  for (unsigned op = 0; op < 256; op++) count += isa_op(op) != NULL;
#define ISA_OP(opname, code, text, opkind, src)       \
  listed++;                                           \
  assert_string_equal(isa_op(code)->name, #opname);   \
  assert_string_equal(isa_op(code)->mnemonic, text);  \
  assert_int_equal(isa_op(code)->kind, ISA_##opkind); \
  assert_int_equal(isa_op(code)->sources, ISA_SRC_##src);
#include "nsu_isa.def"
  assert_int_equal(count, listed); /* two lines with one code would be one entry */
}

/* Only operands that exist are pairs, and every instruction of doubles has some. */
static void pairs_are_operands(void **state) {
  (void)state;
  for (unsigned op = 0; op < 300; op++) {
    const unsigned pairs = isa_pairs(op);
    if (!isa_op(op)) assert_int_equal(pairs, 0);
    else assert_int_equal(pairs >> 1 & ~isa_op(op)->sources, 0);
    if (isa_op(op)) assert_true(!pairs == !strstr(isa_op(op)->mnemonic, ".f64"));
  }
  assert_int_equal(isa_pairs(OP_CVT_F64_F32), ISA_PAIR_D);
  assert_int_equal(isa_pairs(OP_CVT_F32_F64), ISA_PAIR_B);
  assert_int_equal(isa_pairs(OP_DMUL), ISA_PAIR_D | ISA_PAIR_A | ISA_PAIR_B);
}

/* .ftz stands where PTX has it, behind roundings and comparisons. An opcode flushes exactly if
 * its two highest bits are set, and the rest of its code is that of the plain opcode. */
static void flushing_ones_are_pairs_of_others(void **state) {
  (void)state;
  unsigned found = 0;
  for (unsigned op = 0; op < 300; op++) {
    const unsigned with = isa_ftz(op);
    assert_true((isa_plain(op) != op) == (isa_op(op) && strstr(isa_op(op)->mnemonic, ".ftz")));
    if (isa_plain(op) != op) assert_int_equal(isa_ftz(isa_plain(op)), op);
    if (isa_op(op)) assert_int_equal(op >> 6 == 3, isa_plain(op) != op);
    if (!with) continue;
    found++;
    assert_int_equal(with, op | 0xc0);
    assert_int_equal(isa_pairs(with), isa_pairs(op));
    assert_int_equal(isa_op(with)->sources, isa_op(op)->sources);
    const char *at = strstr(isa_op(with)->mnemonic, ".ftz");
    const size_t head = (size_t)(at - isa_op(with)->mnemonic);
    assert_memory_equal(isa_op(with)->mnemonic, isa_op(op)->mnemonic, head);
    assert_string_equal(at + 4, isa_op(op)->mnemonic + head);
  }
  assert_int_equal(found, 39);
  assert_int_equal(isa_ftz(OP_DADD), 0);
  assert_int_equal(isa_ftz(OP_MOV), 0);
}

/* So a text of an instruction means one opcode. */
static void mnemonics_differ(void **state) {
  (void)state;
  for (unsigned a = 0; a < 256; a++)
    for (unsigned b = a + 1; b < 256; b++)
      if (isa_op(a) && isa_op(b)) assert_string_not_equal(isa_op(a)->mnemonic, isa_op(b)->mnemonic);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fields_tile_the_instruction),
      cmocka_unit_test(set_then_get),
      cmocka_unit_test(opcode_zero_is_illegal),
      cmocka_unit_test(table_follows_the_list),
      cmocka_unit_test(mnemonics_differ),
      cmocka_unit_test(pairs_are_operands),
      cmocka_unit_test(flushing_ones_are_pairs_of_others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
