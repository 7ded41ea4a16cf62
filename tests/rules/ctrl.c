/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of rtl/ctrl/README.md. Instructions are words as an assembler gives them, their text
 * beside them; what they do is the RISC-V manual's.
 */
#include "rule.h"

#include <stdbool.h>

#include "unit_test.h"

/* The instruction is asked for, comes, and is over so many cycles after its response: in the
 * cycle that can be seen on return. */
static void over_after(bed_t *b, uint32_t word, unsigned cycles) {
  if (shown(b, "probe_valid")) tick(b);
  see(b, "im_req_valid", 1);
  drive_input(b, "im_req_ready", 1);
  tick(b);
  see(b, "im_rsp_ready", 1);
  drive_input(b, "im_rsp_valid", 1);
  drive_input(b, "im_rsp_data", word);
  tick(b);
  for (unsigned i = 1; i < cycles; i++) {
    see(b, "probe_valid", 0);
    tick(b);
  }
  see(b, "probe_valid", 1);
  see(b, "probe_insn", word);
}

/* An instruction that is over after three cycles, as all are but loads, stores, products and
 * quotients. */
static void run_instr(bed_t *b, uint32_t word) {
  over_after(b, word, 3);
}

/* The instruction leaves this value in rd. */
static void see_rd(bed_t *b, uint32_t word, unsigned rd, uint32_t value) {
  run_instr(b, word);
  see(b, "probe_trap", 0);
  see(b, "probe_rd", rd);
  see(b, "probe_rd_value", value);
}

/* x1 = value: LUI and ADDI. */
static void set_x1(bed_t *b, uint32_t value) {
  run_instr(b, ((value + 0x800) & 0xfffff000) | 0xb7);
  see_rd(b, (value & 0xfff) << 20 | 0x00008093, 1, value);
}

/* x2 = value */
static void set_x2(bed_t *b, uint32_t value) {
  run_instr(b, ((value + 0x800) & 0xfffff000) | 0x137);
  see_rd(b, (value & 0xfff) << 20 | 0x00010113, 2, value);
}

/* The instruction that is over has trapped with this cause and mtval. */
static void see_trap(bed_t *b, unsigned cause, uint32_t tval) {
  see(b, "probe_trap", 1);
  see(b, "probe_rd", 0);
  see(b, "probe_mcause", cause);
  see(b, "probe_mtval", tval);
}

/* The word traps as an illegal instruction (cause 2), with the word in mtval. */
static void see_illegal(bed_t *b, uint32_t word) {
  run_instr(b, word);
  see_trap(b, 2, word);
}

/* A load or store up to its request on the bus, which is for this aligned address and these
 * bytes. */
static void run_to_request(bed_t *b, uint32_t word, uint32_t address, unsigned mask) {
  if (shown(b, "probe_valid")) tick(b);
  drive_input(b, "im_req_ready", 1);
  tick(b);
  drive_input(b, "im_rsp_valid", 1);
  drive_input(b, "im_rsp_data", word);
  tick(b);
  see(b, "dm_req_valid", 0);
  ticks(b, 2);
  see(b, "dm_req_valid", 1);
  see(b, "dm_req_addr", address);
  see(b, "dm_req_mask", mask);
}

/* The bus answers, and the instruction is over. */
static void answer_access(bed_t *b, uint32_t data, bool err) {
  drive_input(b, "dm_req_ready", 1);
  tick(b);
  drive_input(b, "dm_rsp_valid", 1);
  drive_input(b, "dm_rsp_data", data);
  drive_input(b, "dm_rsp_err", err);
  tick(b);
  see(b, "probe_valid", 1);
}

RULE(C1,
     "Every instruction of RV32I, M and Zicsr, MRET and WFI are there; FENCE does nothing, as accesses are in order.") {
  static const uint32_t words[] = {
      0x00001037, 0x00001017, 0x0080006f, 0x00000067, 0x00000463, 0x00001463, 0x00004463, 0x00005463, 0x00006463,
      0x00007463, 0x00000003, 0x00001003, 0x00002003, 0x00004003, 0x00005003, 0x00000023, 0x00001023, 0x00002023,
      0x00000013, 0x00002013, 0x00003013, 0x00004013, 0x00006013, 0x00007013, 0x01f01013, 0x01f05013, 0x41f05013,
      0x00000033, 0x40000033, 0x00001033, 0x00002033, 0x00003033, 0x00004033, 0x00005033, 0x40005033, 0x00006033,
      0x00007033, 0x0ff0000f, 0x8330000f, 0x00000073, 0x00100073, 0x02000033, 0x02001033, 0x02002033, 0x02003033,
      0x02004033, 0x02005033, 0x02006033, 0x02007033, 0x34001073, 0x34002073, 0x34003073, 0x34005073, 0x34006073,
      0x34007073, 0x30200073, 0x10500073,
  };
  bed_t *d = bed("rv_decode", "");
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
    drive_input(d, "instr", words[i]);
    see(d, "legal", 1);
    tick(d);
  }
  bed_t *b = bed("rv_core", "");
  run_instr(b, 0x0ff0000f); /* fence */
  see(b, "probe_trap", 0);
  see(b, "probe_rd", 0);
  see(b, "probe_memory", 0);
  see(b, "probe_next_pc", 4);
}

RULE(C2, "All else is illegal, FENCE.I, compressed ones and other modes' with it.") {
  bed_t *b = bed("rv_core", "");
  see_illegal(b, 0x0000100f); /* fence.i */
  see_illegal(b, 0x00000001); /* c.nop */
  see_illegal(b, 0x10200073); /* sret */
  see_illegal(b, 0x00200073); /* uret */
  see_illegal(b, 0x12000073); /* sfence.vma */
  see_illegal(b, 0x00000000);
  see_illegal(b, 0xffffffff);
  see_illegal(b, 0x02001013); /* slli by 32 */
  see_illegal(b, 0x40001013); /* slli with srai's bit */
  see_illegal(b, 0x00002063); /* branch 2 */
  see_illegal(b, 0x00003003); /* ld */
  see_illegal(b, 0x00003023); /* sd */
  see_illegal(b, 0x00001067); /* jalr 1 */
  see_illegal(b, 0x00004073); /* system 4 */
  see_illegal(b, 0x0000202f); /* lr.w and its kind */
}

RULE(C3, "A division by zero gives all ones and the dividend as remainder; the least number by -1 itself and 0.") {
  static const struct {
    uint32_t a, b, y[4]; /* of DIV, DIVU, REM, REMU */
  } of[] = {{0xfffffff9, 0, {0xffffffff, 0xffffffff, 0xfffffff9, 0xfffffff9}},
            {0x80000000, 0xffffffff, {0x80000000, 0, 0, 0x80000000}}};
  bed_t *b = bed("rv_core", "");
  for (unsigned i = 0; i < 2; i++) {
    set_x1(b, of[i].a);
    set_x2(b, of[i].b);
    for (unsigned op = 0; op < 4; op++) {
      over_after(b, 0x0220c1b3 | op << 12, 36); /* div, divu, rem, remu x3, x1, x2 */
      see(b, "probe_rd", 3);
      see(b, "probe_rd_value", of[i].y[op]);
    }
  }
}

RULE(C4, "Register 0 is 0.") {
  bed_t *b = bed("rv_core", "");
  run_instr(b, 0x12345037); /* lui x0, 0x12345 */
  see(b, "probe_rd", 0);
  see(b, "probe_rd_value", 0);
  see_rd(b, 0x00700093, 1, 7); /* addi x1, x0, 7 */
  see_rd(b, 0x001000b3, 1, 7); /* add x1, x0, x1 */
}

RULE(C5, "Registers keep their values in a reset.") {
  bed_t *b = bed("rv_core", "");
  see_rd(b, 0x00700093, 1, 7);
  tick(b);
  restart(b);
  see(b, "im_req_addr", 0);
  see(b, "probe_minstret", 0);
  see_rd(b, 0x00008113, 2, 7); /* addi x2, x1, 0 */
}

RULE(C6, "Words are little-endian. Loads and stores go out as aligned words with a mask of bytes.") {
  static const struct {
    uint32_t word, address, mask, rd_value;
  } loads[] = {{0x00308183, 0x1000, 8, 0xffffff88},  /* lb x3, 3(x1) */
               {0x0020c183, 0x1000, 4, 0x00000099},  /* lbu x3, 2(x1) */
               {0x00209183, 0x1000, 12, 0xffff8899}, /* lh x3, 2(x1) */
               {0x0040d183, 0x1004, 3, 0x0000aabb},  /* lhu x3, 4(x1) */
               {0x0040a183, 0x1004, 15, 0x8899aabb}};
  bed_t *b = bed("rv_core", "");
  set_x1(b, 0x1000);
  for (unsigned i = 0; i < 5; i++) {
    run_to_request(b, loads[i].word, loads[i].address, loads[i].mask);
    see(b, "dm_req_write", 0);
    answer_access(b, 0x8899aabb, false);
    see(b, "probe_rd_value", loads[i].rd_value);
  }
  run_to_request(b, 0x003080a3, 0x1000, 2); /* sb x3, 1(x1) */
  see(b, "dm_req_write", 1);
  see(b, "dm_req_data", 0xbbbbbbbb);
  answer_access(b, 0, false);
  see(b, "probe_rd", 0);
  run_to_request(b, 0x00309323, 0x1004, 12); /* sh x3, 6(x1) */
  see(b, "dm_req_data", 0xaabbaabb);
  answer_access(b, 0, false);
}

RULE(C7, "An instruction takes five cycles where buses answer in the next one; loads and stores seven, products and "
         "quotients 38.") {
  bed_t *b = bed("rv_core", "");
  tick(b); /* the request waits: one cycle before those that are counted */
  hold(b, "im_req_ready", 1);
  hold(b, "im_rsp_valid", 1);
  hold(b, "dm_req_ready", 1);
  hold(b, "dm_rsp_valid", 1);
  hold(b, "im_rsp_data", 0x00000013); /* addi */
  ticks(b, 4);
  see(b, "probe_valid", 1);
  hold(b, "im_rsp_data", 0x00002003); /* lw */
  for (unsigned i = 0; i < 6; i++) {
    tick(b);
    see(b, "probe_valid", 0);
  }
  tick(b);
  see(b, "probe_valid", 1);
  hold(b, "im_rsp_data", 0x02000033); /* mul */
  for (unsigned i = 0; i < 37; i++) {
    tick(b);
    see(b, "probe_valid", 0);
  }
  tick(b);
  see(b, "probe_valid", 1);
}

RULE(C8,
     "An address that is no multiple of the access's size traps, and nothing goes out on the bus; so does a jump to "
     "what is no multiple of four, "
     "at the jump: mepc is the jump's.") {
  bed_t *b = bed("rv_core", "");
  set_x1(b, 0x1001);
  run_instr(b, 0x0000a183); /* lw x3, 0(x1) */
  see_trap(b, 4, 0x1001);
  run_instr(b, 0x00309023); /* sh x3, 0(x1) */
  see_trap(b, 6, 0x1001);
  run_instr(b, 0x00108167); /* jalr x2, 1(x1): 0x1002 */
  see_trap(b, 0, 0x1002);
  see(b, "probe_mepc", 0);  /* where the trap before has gone to */
  run_instr(b, 0x0060006f); /* j .+6 */
  see_trap(b, 0, 6);
  run_instr(b, 0x00001363); /* bnez x0, .+6: not taken */
  see(b, "probe_trap", 0);
}

RULE(C9, "rsp_err traps: at the instruction that was to be fetched, or at the load or store.") {
  bed_t *b = bed("rv_core", "");
  set_x1(b, 0x100);
  run_instr(b, 0x00008067); /* jr x1 */
  tick(b);
  see(b, "im_req_addr", 0x100);
  drive_input(b, "im_req_ready", 1);
  tick(b);
  drive_input(b, "im_rsp_valid", 1);
  drive_input(b, "im_rsp_err", 1);
  tick(b);
  see(b, "probe_valid", 1);
  see_trap(b, 1, 0x100);
  see(b, "probe_mepc", 0x100);
  set_x1(b, 0x1000);
  run_to_request(b, 0x00308183, 0x1000, 8);
  answer_access(b, 0, true);
  see_trap(b, 5, 0x1003);
  see(b, "probe_mepc", 8);
  run_to_request(b, 0x00308023, 0x1000, 1); /* sb x3, 0(x1) */
  answer_access(b, 0, true);
  see_trap(b, 7, 0x1000);
}

RULE(C10, "mtval is the address of 0, 1, 4 to 7, the instruction of 2, pc of EBREAK, 0 of ECALL and an interrupt.") {
  bed_t *b = bed("rv_core", "");
  see_illegal(b, 0x0000100f);
  run_instr(b, 0x00000013);
  run_instr(b, 0x00100073); /* ebreak */
  see_trap(b, 3, 4);
  see_illegal(b, 0x0000100f);
  run_instr(b, 0x00000073); /* ecall */
  see_trap(b, 11, 0);
  see_illegal(b, 0x0000100f);
  set_x1(b, 0x800);
  run_instr(b, 0x30409073); /* csrw mie, x1 */
  hold(b, "irq", 1);
  run_instr(b, 0x30046073); /* csrsi mstatus, 8 */
  see(b, "probe_intr", 1);
  tick(b);
  see(b, "probe_mcause", 27);
  see(b, "probe_mtval", 0);
}

RULE(C11, "What traps writes no register and does not count in minstret.") {
  bed_t *b = bed("rv_core", "");
  see_rd(b, 0x00700093, 1, 7); /* addi x1, x0, 7 */
  see(b, "probe_minstret", 1);
  run_instr(b, 0x002000ef); /* jal x1, .+2 */
  see_trap(b, 0, 6);
  see(b, "probe_minstret", 1);
  see_rd(b, 0x00008113, 2, 7); /* addi x2, x1, 0 */
  see(b, "probe_minstret", 2);
}

/* mie and mstatus let the interrupt through, mtvec is x1. */
static void open_to_interrupts(bed_t *b, uint32_t mtvec) {
  set_x2(b, 0x800);
  run_instr(b, 0x30411073); /* csrw mie, x2 */
  set_x1(b, mtvec);
  run_instr(b, 0x30509073); /* csrw mtvec, x1 */
  run_instr(b, 0x30046073); /* csrsi mstatus, 8 */
}

RULE(C12, "A trap goes to mtvec's base; with mtvec's bit 0 an interrupt goes 44 bytes further.") {
  for (unsigned bit = 0; bit < 2; bit++) {
    bed_t *b = bed("rv_core", "");
    open_to_interrupts(b, 0x400 | bit);
    see_illegal(b, 0);
    see(b, "probe_next_pc", 0x400);
    run_instr(b, 0x30046073); /* csrsi mstatus, 8 */
    hold(b, "irq", 1);
    tick(b);
    run_instr(b, 0x00000013);
    see(b, "probe_intr", 1);
    see(b, "probe_next_pc", bit ? 0x42c : 0x400);
  }
}

RULE(C13, "A control register that does not exist, or one that can only be read and would be written, is an illegal "
          "instruction; the set and clear "
          "forms with register 0 or immediate 0 do not write.") {
  bed_t *b = bed("rv_core", "");
  see_illegal(b, 0x7c0020f3); /* csrr x1, 0x7c0 */
  see_illegal(b, 0xf1401073); /* csrw mhartid, x0 */
  see_illegal(b, 0xf140e073); /* csrsi mhartid, 1 */
  set_x1(b, 5);
  run_instr(b, 0x34009073);    /* csrw mscratch, x1 */
  see_rd(b, 0xf14020f3, 1, 0); /* csrr x1, mhartid */
  set_x1(b, 5);
  see_rd(b, 0xf14070f3, 1, 0); /* csrrci x1, mhartid, 0 */
  see_rd(b, 0x340030f3, 1, 5); /* csrrc x1, mscratch, x0 */
  see_rd(b, 0x3400b0f3, 1, 5); /* csrrc x1, mscratch, x1 */
  see_rd(b, 0x340020f3, 1, 0); /* csrr x1, mscratch */
}

/* All ones are written into the control register, and this is read from it. */
static void see_kept(bed_t *b, unsigned csr, uint32_t value) {
  set_x1(b, 0xffffffff);
  run_instr(b, csr << 20 | 0x00009073);
  see(b, "probe_trap", 0);
  see_rd(b, csr << 20 | 0x00002173, 2, value);
}

RULE(C14,
     "mcause keeps bits 31 and 3:0, mtvec all but bit 1, mepc all but 1:0; mstatus has MIE and MPIE, mie has MEIE; MPP "
     "is always 3.") {
  bed_t *b = bed("rv_core", "");
  see_kept(b, 0x342, 0x8000000f);
  see_kept(b, 0x305, 0xfffffffd);
  see_kept(b, 0x341, 0xfffffffc);
  see_kept(b, 0x300, 0x00001888);
  see_kept(b, 0x304, 0x00000800);
  run_instr(b, 0x30001073);             /* csrw mstatus, x0 */
  see_rd(b, 0x30002173, 2, 0x00001800); /* csrr x2, mstatus */
  see_kept(b, 0x301, 0x40001100);       /* misa: what is not named has no bits to write */
}

RULE(C15, "The performance counters but mcycle and minstret, their events, mcountinhibit, mstatush, mconfigptr and the "
          "three ids of the implementation "
          "are 0.") {
  bed_t *b = bed("rv_core", "");
  static const unsigned zero[] = {0xb03, 0xb1f, 0xb83, 0xb9f, 0x323, 0x33f, 0x320, 0x310},
                        none[] = {0xb01, 0xb20, 0xb81, 0xba0, 0x321, 0x322, 0xc00};
  static const unsigned ids[] = {0xf11, 0xf12, 0xf13, 0xf15};
  for (unsigned i = 0; i < 8; i++) see_kept(b, zero[i], 0);
  for (unsigned i = 0; i < 4; i++) see_rd(b, ids[i] << 20 | 0x00002173, 2, 0);
  for (unsigned i = 0; i < 7; i++) see_illegal(b, none[i] << 20 | 0x00002173);
}

RULE(C16, "mip.MEIP is `irq` of the cycle before; software cannot write it.") {
  bed_t *b = bed("rv_csr", "");
  hold(b, "addr", 0x344);
  drive_input(b, "irq", 1);
  see(b, "rdata", 0);
  tick(b);
  see(b, "rdata", 0x800);
  tick(b);
  see(b, "rdata", 0);
  bed_t *c = bed("rv_core", "");
  see_kept(c, 0x344, 0);
}

RULE(C17,
     "It is taken behind an instruction that ends without a trap, also where that has just enabled it: mepc is the "
     "next one's. A trap disables it.") {
  bed_t *b = bed("rv_core", "");
  hold(b, "irq", 1);
  open_to_interrupts(b, 0x400); /* the last of them enables it */
  see(b, "probe_intr", 1);
  const uint32_t next = (uint32_t)shown(b, "probe_pc") + 4;
  tick(b);
  see(b, "probe_mepc", next);
  see(b, "im_req_addr", 0x400);
  run_instr(b, 0x30200073); /* mret: back, enabled again, and so it comes again */
  see(b, "probe_intr", 1);
  tick(b);
  see(b, "probe_mepc", next);
  bed_t *c = bed("rv_core", "");
  open_to_interrupts(c, 0x400);
  tick(c);
  hold(c, "irq", 1);
  run_instr(c, 0x00000000);
  see(c, "probe_trap", 1);
  see(c, "probe_intr", 0);
  see(c, "probe_mie", 0);
}

RULE(C18, "WFI waits for an interrupt that mie lets through, and goes on whether mstatus lets it be taken or not; "
          "`sleeping` says so.") {
  for (unsigned enabled = 0; enabled < 2; enabled++) {
    bed_t *b = bed("rv_core", "");
    open_to_interrupts(b, 0x400);
    if (!enabled) run_instr(b, 0x30047073); /* csrci mstatus, 8 */
    tick(b);
    drive_input(b, "im_req_ready", 1);
    tick(b);
    drive_input(b, "im_rsp_valid", 1);
    drive_input(b, "im_rsp_data", 0x10500073); /* wfi */
    ticks(b, 3);
    for (unsigned i = 0; i < 100; i++) {
      see(b, "sleeping", 1);
      see(b, "probe_valid", 0);
      tick(b);
    }
    drive_input(b, "irq", 1);
    tick(b);
    see(b, "sleeping", 0);
    see(b, "probe_valid", 1);
    see(b, "probe_intr", enabled);
  }
  bed_t *c = bed("rv_core", "");
  hold(c, "irq", 1); /* mie does not let it through */
  drive_input(c, "im_req_ready", 1);
  tick(c);
  drive_input(c, "im_rsp_valid", 1);
  drive_input(c, "im_rsp_data", 0x10500073);
  ticks(c, 100);
  see(c, "sleeping", 1);
}
