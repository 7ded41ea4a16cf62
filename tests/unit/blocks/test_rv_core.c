/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs on the golden model of the controller's core, in the machine of ctrl.h. What they leave
 * in the registers is worked out by hand from the RISC-V manual (RV32IM with Zicsr, machine mode).
 * A program is begin_program(), instructions, run_program(); then x(n) is register n.
 */
#include "unit_test.h"

#include <string.h>

#include "ctrl.h"
#include "model_engine.h"
#include "rv_core.h"

static const model_port_t ports[] = {{0}};
MODEL_ENGINE(rv_core, ports)

static state_t core;
static ctrl_t ctrl;
static uint32_t program[CTRL_ROM_BYTES / 4];
static unsigned words;

/* Appends an instruction by its mnemonic. Stores and branches take rs1, rs2 and the immediate;
 * `csr` counts for CSR instructions alone. */
static void put_instruction(const char *mnemonic, unsigned rd, unsigned rs1, unsigned rs2, int imm, unsigned csr) {
  for (unsigned i = 0; i < RV_NUM_OPS; i++)
    if (strcmp(rv_ops[i].mnemonic, mnemonic) == 0) {
      program[words++] = rv_make(&rv_ops[i], rd, rs1, rs2, (uint32_t)imm, csr);
      return;
    }
  fail_msg("no %s", mnemonic);
}

/* Loads a constant as an assembler does: LUI with the upper 20 bits, rounded, and ADDI with the
 * rest. */
static void put_li(unsigned rd, uint32_t value) {
  put_instruction("lui", rd, 0, 0, (int)((value + 0x800) & ~0xfffu), 0);
  put_instruction("addi", rd, rd, 0, (int)(value & 0xfff), 0);
}

static void begin_program(void) {
  words = 0;
  memset(program, 0, sizeof program);
}

/* Runs the program, which ends with WFI, until the core sleeps. */
static void run_program(void) {
  put_instruction("wfi", 0, 0, 0, 0, 0);
  memset(&core, 0, sizeof core);
  assert_true(engine.open(&core, NULL, 0));
  ctrl_reset(&ctrl, &engine, &core, program, words, &(ctrl_settings_t){0});
  for (unsigned n = 0; !ctrl_idle(&ctrl); n++) {
    assert_true(n < 100000);
    ctrl_cycle(&ctrl);
  }
}

static uint32_t x(unsigned reg) {
  return core.model.x[reg];
}

/* 10! = 3628800 by a loop, then Euclid's algorithm with 4199000: gcd(3628800, 4199000) = 200. */
static void test_loop(void **state) {
  (void)state;
  begin_program();
  put_li(1, 10);
  put_li(2, 1);
  put_instruction("mul", 2, 2, 1, 0, 0);
  put_instruction("addi", 1, 1, 0, -1, 0);
  put_instruction("bne", 0, 1, 0, -8, 0);
  put_li(3, 4199000);
  put_instruction("addi", 4, 2, 0, 0, 0);
  put_instruction("remu", 5, 4, 3, 0, 0);
  put_instruction("addi", 4, 3, 0, 0, 0);
  put_instruction("addi", 3, 5, 0, 0, 0);
  put_instruction("bne", 0, 3, 0, -12, 0);
  run_program();
  assert_int_equal(x(2), 3628800);
  assert_int_equal(x(4), 200);
  assert_false(ctrl_failed(&ctrl));
}

/* The manual's table of what a division by zero and
 * an overflow give, and high words of products. */
static void test_muldiv(void **state) {
  static const struct {
    const char *op;
    uint32_t a, b, y;
  } of[] = {
      {"divu", 7, 0, 0xffffffff},
      {"remu", 7, 0, 7},
      {"div", 7, 0, 0xffffffff},
      {"rem", 0xfffffff9, 0, 0xfffffff9},
      {"div", 0x80000000, 0xffffffff, 0x80000000},
      {"rem", 0x80000000, 0xffffffff, 0},
      {"div", 0xfffffff9, 2, 0xfffffffd},
      {"rem", 0xfffffff9, 2, 0xffffffff},
      {"rem", 7, 0xfffffffe, 1},
      {"divu", 0xfffffff9, 2, 0x7ffffffc},
      {"remu", 0xfffffff9, 2, 1},
      {"mul", 0xffffffff, 0xffffffff, 1},
      {"mulh", 0xffffffff, 0xffffffff, 0},
      {"mulhu", 0xffffffff, 0xffffffff, 0xfffffffe},
      {"mulhsu", 0xffffffff, 0xffffffff, 0xffffffff},
      {"mulh", 0x80000000, 0x80000000, 0x40000000},
      {"mulhsu", 0x80000000, 0x80000000, 0xc0000000},
  };
  (void)state;
  for (unsigned i = 0; i < sizeof of / sizeof *of; i++) {
    begin_program();
    put_li(1, of[i].a);
    put_li(2, of[i].b);
    put_instruction(of[i].op, 3, 1, 2, 0, 0);
    run_program();
    assert_int_equal(x(3), of[i].y);
  }
}

/* Bytes and halfwords at each place of a word, sign-extended or not. RAM is 0 at first, and
 * memory is little-endian: byte 9 of the word at 8 is bits 15 to 8. */
static void test_memory(void **state) {
  (void)state;
  begin_program();
  put_li(1, CTRL_RAM);
  put_li(2, 0x8899aabb);
  put_instruction("sw", 0, 1, 2, 4, 0);
  put_instruction("sb", 0, 1, 2, 9, 0);
  put_instruction("sh", 0, 1, 2, 14, 0);
  put_instruction("lb", 3, 1, 0, 7, 0);
  put_instruction("lbu", 4, 1, 0, 6, 0);
  put_instruction("lh", 5, 1, 0, 6, 0);
  put_instruction("lhu", 6, 1, 0, 4, 0);
  put_instruction("lw", 7, 1, 0, 8, 0);
  put_instruction("lw", 8, 1, 0, 12, 0);
  run_program();
  assert_int_equal(x(3), 0xffffff88);
  assert_int_equal(x(4), 0x99);
  assert_int_equal(x(5), 0xffff8899);
  assert_int_equal(x(6), 0xaabb);
  assert_int_equal(x(7), 0x0000bb00);
  assert_int_equal(x(8), 0xaabb0000);
}

enum { TVAL_PC = 1, TVAL_INSTRUCTION = 2 }; /* mtval is the pc, or the instruction; no trap here has 1 or 2 */

/* One instruction that traps, with rs1 = value. The handler at 0x100 keeps mcause, mepc and
 * mtval in x28 to x30 and sleeps. tval may be TVAL_PC or TVAL_INSTRUCTION. The target register
 * stays 0. */
static void expect_trap(const char *mnemonic, unsigned rs1, unsigned rs2, int imm, uint32_t value, uint32_t cause,
                        uint32_t tval) {
  begin_program();
  put_li(1, value);
  put_li(2, 0x100);
  put_instruction("csrrw", 0, 2, 0, 0, RV_CSR_MTVEC);
  const uint32_t pc = 4 * words;
  put_instruction(mnemonic, 9, rs1, rs2, imm, 0x7c0); /* no such control register */
  words = 0x40;
  put_instruction("csrrs", 28, 0, 0, 0, RV_CSR_MCAUSE);
  put_instruction("csrrs", 29, 0, 0, 0, RV_CSR_MEPC);
  put_instruction("csrrs", 30, 0, 0, 0, RV_CSR_MTVAL);
  run_program();
  assert_true(ctrl_failed(&ctrl));
  assert_int_equal(x(28), cause);
  assert_int_equal(x(29), pc);
  if (tval == TVAL_PC) tval = pc;
  else if (tval == TVAL_INSTRUCTION) tval = program[pc / 4];
  assert_int_equal(x(30), tval);
  assert_int_equal(x(9), 0);
}

/* One instruction for each cause, with the address or instruction that the manual puts into
 * mtval. */
static void test_traps(void **state) {
  (void)state;
  expect_trap("jalr", 1, 0, 0, 0x202, RV_CAUSE_FETCH_MISALIGNED, 0x202);
  expect_trap("csrrw", 1, 0, 0, 0, RV_CAUSE_ILLEGAL, TVAL_INSTRUCTION);
  expect_trap("ebreak", 0, 0, 0, 0, RV_CAUSE_BREAKPOINT, TVAL_PC);
  expect_trap("ecall", 0, 0, 0, 0, RV_CAUSE_ECALL, 0);
  expect_trap("lw", 1, 0, 2, CTRL_RAM, RV_CAUSE_LOAD_MISALIGNED, CTRL_RAM + 2);
  expect_trap("lh", 1, 0, 3, CTRL_RAM, RV_CAUSE_LOAD_MISALIGNED, CTRL_RAM + 3);
  expect_trap("sh", 1, 1, 1, CTRL_RAM, RV_CAUSE_STORE_MISALIGNED, CTRL_RAM + 1);
  expect_trap("lbu", 1, 0, 5, 0x20000000, RV_CAUSE_LOAD_FAULT, 0x20000005);
  expect_trap("sb", 1, 0, 7, 0, RV_CAUSE_STORE_FAULT, 7);
}

/* A jump to where nothing is: the fetch traps there. */
static void test_fetch_fault(void **state) {
  (void)state;
  begin_program();
  put_li(1, 0x20000000);
  put_li(2, 0x100);
  put_instruction("csrrw", 0, 2, 0, 0, RV_CSR_MTVEC);
  put_instruction("jalr", 5, 1, 0, 0, 0);
  words = 0x40;
  put_instruction("csrrs", 28, 0, 0, 0, RV_CSR_MCAUSE);
  put_instruction("csrrs", 29, 0, 0, 0, RV_CSR_MEPC);
  run_program();
  assert_int_equal(x(5), 24);
  assert_int_equal(x(28), RV_CAUSE_FETCH_FAULT);
  assert_int_equal(x(29), 0x20000000);
}

/* An ADDI takes five cycles where memory answers at once, a product or quotient 38, a load
 * seven. The difference of the two counters includes one CSRRS, hence the 5. */
static void test_cycles(void **state) {
  static const struct {
    const char *op;
    unsigned cycles;
  } of[] = {{"addi", 5}, {"fence", 5}, {"mul", 38}, {"divu", 38}, {"lw", 7}};
  (void)state;
  for (unsigned i = 0; i < sizeof of / sizeof *of; i++) {
    begin_program();
    put_instruction("csrrs", 1, 0, 0, 0, RV_CSR_MCYCLE);
    put_instruction(of[i].op, 2, 0, 0, 0, 0);
    put_instruction("csrrs", 3, 0, 0, 0, RV_CSR_MCYCLE);
    put_instruction("csrrs", 4, 0, 0, 0, RV_CSR_MINSTRET);
    run_program();
    assert_int_equal(x(3) - x(1), 5 + of[i].cycles);
    assert_int_equal(x(4), 3);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_loop),  cmocka_unit_test(test_muldiv),      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_traps), cmocka_unit_test(test_fetch_fault), cmocka_unit_test(test_cycles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
