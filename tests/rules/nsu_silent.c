/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of rtl/nsu/README.md about what the paper is silent on.
 */
#include <stdbool.h>
#include <string.h>

#include "nsu_bed.h"
#include "unit_test.h"

/* A response for the threads in `mask` of a load of the threads in `lmask`, with words first +
 * i. */
static void merge_packet(bed_t *b, unsigned seq, uint32_t mask, uint32_t lmask, uint32_t first) {
  drive_input(b, "wr_valid", 1);
  drive_input(b, "wr_hdr.sm", SM);
  drive_input(b, "wr_hdr.warp", WARP);
  drive_input(b, "wr_hdr.seq", seq);
  drive_input(b, "wr_hdr.mask", mask);
  drive_input(b, "wr_hdr.lmask", lmask);
  drive_input(b, "wr_hdr.size", 2);
  for (unsigned i = 0; i < 32; i++) drive_input_at(b, "wr_data", 32, i, first + i);
  tick(b);
}

/* Looks the load up in this cycle. */
static void look_up_load(bed_t *b, unsigned seq) {
  drive_input(b, "lk_sm", SM);
  drive_input(b, "lk_warp", WARP);
  drive_input(b, "lk_seq", seq);
}

/* Threads 0 to 23 load. The first response is of threads 4 to 15, with words from 1000; the
 * second of the others, with words from 2000. */
RULE(N8,
     "An entry of the read data and write address buffers belongs to one memory instruction; every packet carries the "
     "mask of the "
     "whole instruction (`lmask`), so the NSU knows when it is complete.") {
  bed_t *b = bed("nsu_rdbuf", "");
  merge_packet(b, 4, 0x0000fff0, 0x00ffffff, 1000);
  merge_packet(b, 5, 0x00ffffff, 0x00ffffff, 3000); /* another instruction's */
  see(b, "cpl_seq", 5);
  look_up_load(b, 4);
  see(b, "lk_hit", 0);
  see(b, "probe_level", 2);
  tick(b);
  merge_packet(b, 4, 0x00ff000f, 0x00ffffff, 2000);
  see(b, "cpl_valid", 1);
  see(b, "cpl_seq", 4);
  see(b, "probe_level", 2);
  look_up_load(b, 4);
  see(b, "lk_hit", 1);
  uint64_t index = shown(b, "lk_idx");
  drive_input(b, "take", 1);
  drive_input(b, "take_idx", index);
  tick(b);
  see(b, "row_mask", 0x00ffffff);
  for (unsigned i = 0; i < 24; i++) see_at(b, "row", 32, i, (i >= 4 && i < 16 ? 1000 : 2000) + i);
  see(b, "probe_level", 1);
  b = bed("nsu_endu", ""); /* and an acknowledgement that of its block */
  drive_input(b, "go", 1);
  drive_input(b, "go_instr", instr(I_OFLD_END, 0, 0, 0));
  drive_input(b, "go_mask", 0x00ffffff);
  tick(b);
  see(b, "ack_hdr.mask", 0x00ffffff);
  see(b, "ack_hdr.lmask", 0x00ffffff);
}

/* A header without masks makes an entry that is complete at once. Bit 39 of an instruction
 * says that it is guarded. */
RULE(N9,
     "A guarded load or store carries its own mask; an empty one sends one packet with empty masks, so that its entry "
     "exists and "
     "completes at once. Guards of LD and ST have therefore been applied by the GPU and their encoding has none.") {
  static const char *const buffers[] = {"nsu_rdbuf", "nsu_wrbuf"};
  for (unsigned k = 0; k < 2; k++) {
    bed_t *b = bed(buffers[k], "");
    drive_input(b, "wr_valid", 1);
    drive_input(b, "wr_hdr.seq", 9);
    tick(b);
    see(b, "cpl_valid", 1);
    see(b, "cpl_seq", 9);
    drive_input(b, "lk_seq", 9);
    see(b, "lk_hit", 1);
    see(b, "probe_level", 1);
    drive_input(b, "lk_seq", 9);
    drive_input(b, "take", 1);
    drive_input(b, "take_idx", shown(b, "lk_idx"));
    tick(b);
    see(b, "row_mask", 0);
  }
  bed_t *d = bed("nsu_decode", "");
  static const unsigned memory[] = {I_LD, I_LD_U8, I_LD_S8, I_LD_U16, I_LD_S16, I_ST, I_LDC};
  for (unsigned i = 0; i < 7; i++) {
    drive_input(d, "instr", instr(memory[i], 0, 0, 0));
    see(d, "legal", 1);
    drive_input(d, "instr", instr(memory[i], 0, 0, 0) | 1ull << 39);
    see(d, "legal", 0);
  }
}

RULE(N10,
     "1-, 2- and 4-byte accesses: an RDF response carries one word a thread, right-aligned; LD's opcode extends it.") {
  static const struct {
    unsigned op;
    uint32_t word, reg;
  } rows[] = {{I_LD, 0x89abcdef, 0x89abcdef}, {I_LD_U8, 0x89abcdef, 0xef},    {I_LD_S8, 0x89abcdef, 0xffffffef},
              {I_LD_S8, 0xffffff7f, 0x7f},    {I_LD_U16, 0x89abcdef, 0xcdef}, {I_LD_S16, 0x89abcdef, 0xffffcdef},
              {I_LD_S16, 0x00007f80, 0x7f80}, {I_LD_S16, 0xffff0080, 0x80},   {I_LD_S16, 0x00008000, 0xffff8000}};
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
    bed_t *b = bed("nsu_ldu", "");
    drive_input(b, "go", 1);
    drive_input(b, "go_instr", instr(rows[k].op, 6, 0, 0));
    drive_input(b, "go_slot", 11);
    tick(b);
    drive_input(b, "rd_mask", 0x80000001);
    drive_input_at(b, "rd_row", 32, 0, rows[k].word);
    drive_input_at(b, "rd_row", 32, 31, rows[k].word);
    see(b, "rf_wr_valid", 1);
    see(b, "rf_wr_slot", 11);
    see(b, "rf_wr_reg", 6);
    see(b, "rf_wr_mask", 0x80000001);
    see_at(b, "rf_wr_row", 32, 0, rows[k].reg);
    see_at(b, "rf_wr_row", 32, 31, rows[k].reg);
  }
}

RULE(N11, "A write carries words cut to size.") {
  static const uint32_t cut[] = {0xef, 0xcdef, 0x89abcdef};
  for (unsigned size = 0; size < 3; size++) {
    bed_t *b = bed("nsu_wgen", "");
    drive_input(b, "start", 1);
    drive_input(b, "mask", 0x3);
    drive_input(b, "size", size);
    for (unsigned i = 0; i < 32; i++) {
      drive_input_at(b, "addrs", 40, i, 0x4000 + (i << size));
      drive_input_at(b, "data", 32, i, 0x89abcdef);
    }
    tick(b);
    see(b, "wr_valid", 1);
    see(b, "wr_hdr.size", size);
    see(b, "wr_hdr.addr", 0x4000);
    see(b, "wr_hdr.aligned", 1);
    see(b, "wr_hdr.mask", 0x3);
    for (unsigned i = 0; i < 32; i++) see_at(b, "wr_data", 32, i, i < 2 ? cut[size] : 0);
  }
}

/* A warp of these fields in slot 0. */
static bed_t *warp(void) {
  bed_t *b = bed("nsu_warps", "");
  drive_input(b, "sp_valid", 1);
  drive_input(b, "sp_sm", SM);
  drive_input(b, "sp_warp", WARP);
  drive_input(b, "sp_pc", PC);
  tick(b);
  return b;
}

/* What the issue stage has found for slot 0; it goes in the next cycle. */
static void find_entry(bed_t *b, unsigned kind, bool there) {
  drive_input(b, "d_valid", 1);
  drive_input(b, "d_kind", kind);
  drive_input(b, "d_there", there);
  drive_input(b, "d_entry", 77);
  tick(b);
}

/* All four units take an instruction in the coming cycle. */
static void drive_ready(bed_t *b) {
  static const char *const units[] = {"ex_ready", "ld_ready", "st_ready", "en_ready"};
  for (unsigned i = 0; i < 4; i++) drive_input(b, units[i], 1);
}

RULE(N12, "8-byte and vector accesses are several 4-byte instructions, each with its own sequence number.") {
  static const char *const done[] = {"ld_done", "st_done", "ex_done"};
  static const unsigned kinds[] = {K_LD, K_ST, K_ALU};
  bed_t *b = warp();
  for (unsigned n = 0; n < 71; n++) { /* each LD and each ST counts, modulo 64; no other instruction does */
    unsigned k = n == 70 ? 2 : n % 2;
    see(b, "sel_valid", 1);
    see(b, "sel_seq", n % 64);
    see(b, "sel_pc", PC + 8 * n);
    tick(b);
    find_entry(b, kinds[k], true);
    drive_ready(b);
    see(b, "go_valid", 1);
    see(b, "go_seq", n % 64);
    tick(b);
    drive_input(b, done[k], 1);
    see(b, "sel_valid", 1);
    if (n < 70) continue;
    see(b, "sel_seq", 6);
  }
}

/* Seven beats fill one entry. Then BEG with a list of two: its registers are F5 and F14, nibbles
 * of 0xe5. */
RULE(N13, "A command carries at most `CmdRegs` registers; OFLD.BEG's list says where they go.") {
  bed_t *b = bed("nsu_cmdbuf", "");
  for (unsigned beat = 0; beat < 7; beat++) { /* seven, as many as BEG can name */
    drive_input(b, "wr_valid", 1);
    drive_input(b, "wr_hdr.count", 7);
    drive_input(b, "wr_hdr.beat", beat);
    tick(b);
    see(b, "err_overflow", 0);
    see(b, "err_beat", 0);
    see(b, "sp_valid", beat == 6);
  }
  see(b, "sp_count", 7);
  b = bed("nsu_ldu", "");
  drive_input(b, "go", 1);
  drive_input(b, "go_instr", instr(I_OFLD_BEG, 0, 0, 0) | 0x200000e5); /* two: F5, then F14 */
  drive_input(b, "go_idx", 3);
  drive_input(b, "go_mask", 0xff);
  tick(b);
  for (unsigned k = 0; k < 2; k++) {
    see(b, "cb_rd", 1);
    see(b, "cb_idx", 3);
    see(b, "cb_beat", k);
    tick(b);
    drive_input_at(b, "cb_data", 32, 0, 40 + k);
    drive_input(b, "rf_wr_gnt", 1);
    see(b, "rf_wr_reg", k ? 14 : 5);
    see(b, "rf_wr_mask", 0xff);
    see_at(b, "rf_wr_row", 32, 0, 40 + k);
    see(b, "done", k);
    see(b, "cb_free", k);
    tick(b);
  }
}

/* A second block, in the same slot: BEG of nothing, END of F3. */
RULE(N14, "Registers are not cleared between blocks.") {
  bed_t *b = nsu_at_end();
  see_ended(b);
  ticks(b, 5);
  bring_packet(b, CMD, 0, 0);
  drive_field(b, "addr", PC + 128);
  drive_field(b, "mask", ALL);
  tick(b);
  see_packet(b, IFETCH, 0);
  tick(b);
  bring_packet(b, IFILL, 1, 0);
  drive_input_at(b, "in_phit", 64, 0, instr(I_OFLD_BEG, 0, 0, 0));
  drive_input_at(b, "in_phit", 64, 1, instr(I_OFLD_END, 0, 0, 0) | 0x10000003);
  drive_field(b, "addr", PC + 128);
  tick(b);
  see_packet(b, CREDIT, 1);
  tick(b);
  see_packet(b, OFLD_ACK, 1);
  for (unsigned i = 0; i < 32; i++) see_at(b, "out_phit", 32, i, 2100 + 2 * i);
}

/* Slot 0 waits for its unit with an instruction of this kind. */
static bed_t *waits_for_unit(unsigned kind) {
  bed_t *b = warp();
  tick(b);
  find_entry(b, kind, true);
  return b;
}

RULE(N15,
     "An instruction is selected only when it goes to its unit in that cycle: all that it needs is there, the unit is "
     "ready, and no other "
     "of its warp is under way. So units work side by side, and no turn is lost to one that cannot go.") {
  static const unsigned kinds[] = {K_ALU, K_BEG, K_LDC, K_LD, K_ST, K_END}, unit[] = {0, 1, 1, 1, 2, 3};
  static const char *const ready[] = {"ex_ready", "ld_ready", "st_ready", "en_ready"};
  static const char *const go[] = {"go_ex", "go_ld", "go_st", "go_en"};
  static const unsigned ops[] = {I_ADD, I_OFLD_BEG, I_LDC, I_LD, I_ST, I_OFLD_END};
  for (unsigned k = 0; k < 6; k++) {
    bed_t *b = waits_for_unit(kinds[k]);
    for (unsigned u = 0; u < 4; u++) { /* the others' are not its */
      if (u == unit[k]) continue;
      drive_input(b, ready[u], 1);
      drive_input(b, "ack_zero", 1);
      see(b, "go_valid", 0);
      tick(b);
    }
    drive_input(b, ready[unit[k]], 1);
    if (k == 5) see(b, "go_valid", 0); /* its writes are not acknowledged */
    drive_input(b, "ack_zero", 1);
    see(b, "go_valid", 1);
    b = bed("nsu_issue", ""); /* and in that cycle the unit has it */
    drive_input(b, "sel_valid", 1);
    drive_input(b, "sel_begun", k != 1);
    tick(b);
    drive_input(b, "ic_hit", 1);
    drive_input(b, "ic_data", instr(ops[k], 0, 0, 0));
    see(b, "d_next", 0);
    see(b, "d_kind", kinds[k]);
    tick(b);
    drive_input(b, "go_valid", 1);
    see(b, "go_instr", instr(ops[k], 0, 0, 0));
    for (unsigned u = 0; u < 4; u++) see(b, go[u], u == unit[k]);
    see(b, "rd_take", k == 3);
    see(b, "wr_take", k == 4);
  }
}

RULE(N23,
     "What a warp's next instruction is, is found while the one before it is under way: code is straight, and the "
     "instruction cache has a "
     "turn for each instruction, as the units have. LDC alone is kept until it is done, as it may have to be tried "
     "again.") {
  bed_t *b = waits_for_unit(K_ALU);
  drive_ready(b);
  see(b, "go_valid", 1);
  tick(b);
  see(b, "sel_valid", 1); /* the next one is fetched at once */
  see(b, "sel_pc", PC + 8);
  tick(b);
  find_entry(b, K_ALU, true);
  drive_ready(b);
  see(b, "go_valid", 0); /* but one is under way */
  drive_input(b, "ex_done", 1);
  tick(b);
  drive_ready(b);
  see(b, "go_valid", 1);
  see(b, "go_pc", PC + 8);
  b = waits_for_unit(K_LDC);
  drive_ready(b);
  tick(b);
  see(b, "sel_valid", 0);
  drive_input(b, "ld_miss", 1);
  tick(b);
  drive_input(b, "cwake", 1);
  tick(b);
  drive_ready(b);
  see(b, "go_valid", 1); /* the same one */
  see(b, "go_pc", PC);
  tick(b);
  see(b, "sel_valid", 0);
  drive_input(b, "ld_done", 1);
  tick(b);
  see(b, "sel_valid", 1);
  see(b, "sel_pc", PC + 8);
}

RULE(N21,
     "Of the warps that may go, and of those whose next instruction is to be fetched, one is selected in turn, from "
     "the one above the "
     "last selected, slot 0 first after reset.") {
  bed_t *b = bed("nsu_warps", "");
  for (unsigned n = 0; n < 3; n++) { /* the first is selected while the others come */
    drive_input(b, "sp_valid", 1);
    drive_input(b, "sp_warp", n);
    if (n) see(b, "sel_slot", n - 1);
    if (n == 2) drive_input(b, "d_valid", 1); /* of slot 0: not in the cache */
    if (n == 2) drive_input(b, "d_next", 1);
    tick(b);
  }
  see(b, "sel_slot", 2);
  drive_input(b, "d_valid", 1); /* of slot 1: the same */
  drive_input(b, "d_slot", 1);
  drive_input(b, "d_next", 1);
  tick(b);
  drive_input(b, "d_valid", 1); /* of slot 2: the same, and all are asked for again */
  drive_input(b, "d_slot", 2);
  drive_input(b, "d_next", 1);
  see(b, "sel_valid", 0);
  tick(b);
  drive_input(b, "iwake", 1);
  tick(b);
  for (unsigned n = 0; n < 3; n++) { /* in turn: after 2 comes 0 */
    see(b, "sel_slot", n);
    if (n) drive_input(b, "d_valid", 1);
    if (n) drive_input(b, "d_slot", n - 1);
    drive_input(b, "d_kind", K_ALU);
    tick(b);
  }
  drive_input(b, "d_valid", 1);
  drive_input(b, "d_slot", 2);
  drive_input(b, "d_kind", K_ALU);
  tick(b);
  for (unsigned n = 0; n < 3; n++) {
    see(b, "probe_ready", 7u & 7u << n);
    drive_input(b, "ex_ready", 1);
    see(b, "go_slot", n);
    see(b, "go_warp", n);
    tick(b);
  }
}

/* What a warp waits for with an instruction of this kind: the event, and neither of the others. */
static void see_woken(unsigned kind, unsigned next, const char *event, bool fetched) {
  static const char *const events[] = {"iwake", "cwake", "rd_cpl", "wr_cpl"};
  bed_t *b = warp();
  tick(b);
  drive_input(b, "d_valid", 1);
  drive_input(b, "d_kind", kind);
  drive_input(b, "d_next", next);
  tick(b);
  if (kind == K_LDC && !next) {
    drive_ready(b);
    tick(b);
    drive_input(b, "ld_miss", 1);
    tick(b);
  }
  for (unsigned e = 0; e < 5; e++) {
    if (e < 4 && !strcmp(events[e], event)) continue;
    bool other = e == 4 && strchr(event, '_'); /* another instruction's data */
    const char *name = e < 4 ? events[e] : event;
    if (e == 4 && !other) continue;
    drive_input(b, name, 1);
    if (e >= 2) drive_input(b, *name == 'r' ? "rd_cpl_sm" : "wr_cpl_sm", SM);
    if (e >= 2) drive_input(b, *name == 'r' ? "rd_cpl_warp" : "wr_cpl_warp", WARP);
    if (other) drive_input(b, *name == 'r' ? "rd_cpl_seq" : "wr_cpl_seq", 1);
    tick(b);
    see(b, "sel_valid", 0);
    drive_ready(b);
    drive_input(b, "ack_zero", ~0ull);
    see(b, "go_valid", 0);
    see(b, "probe_ready", 0);
    tick(b);
  }
  drive_input(b, event, 1);
  drive_input(b, "rd_cpl_sm", SM);
  drive_input(b, "wr_cpl_sm", SM);
  drive_input(b, "rd_cpl_warp", WARP);
  drive_input(b, "wr_cpl_warp", WARP);
  drive_input(b, "rd_cpl_idx", 513);
  drive_input(b, "wr_cpl_idx", 514);
  tick(b);
  see(b, "sel_valid", fetched);
  if (fetched) see(b, "sel_pc", PC); /* the same instruction */
  drive_ready(b);
  see(b, "go_valid", !fetched);
  if (!fetched) see(b, "go_pc", PC);
  if (kind == K_LD || kind == K_ST) see(b, "go_entry", kind == K_LD ? 513 : 514);
}

RULE(N16,
     "One instruction of a warp is under way at a time, so that its registers need no other guard. LD waits for its "
     "data, ST for its "
     "addresses, OFLD.END for the last acknowledgement of its warp's writes, and an instruction or a constant that is "
     "in no cache for a "
     "fill, after which it is asked for again.") {
  static const struct { unsigned op, there; } looks[] = {{I_LD, 1}, {I_LD_S8, 1}, {I_ST, 2}, {I_ADD, 0}};
  for (unsigned k = 0; k < 4; k++) /* the issue stage looks where the instruction's data or addresses are */
    for (unsigned there = 0; there < 4; there++) {
      bed_t *b = bed("nsu_issue", "");
      drive_input(b, "sel_valid", 1);
      drive_input(b, "sel_slot", 4);
      drive_input(b, "sel_begun", 1);
      tick(b);
      drive_input(b, "ic_hit", 1);
      drive_input(b, "ic_data", instr(looks[k].op, 0, 0, 0));
      drive_input(b, "rd_hit", there & 1);
      drive_input(b, "rd_idx", 300);
      drive_input(b, "wr_hit", there >> 1);
      drive_input(b, "wr_idx", 400);
      see(b, "d_slot", 4);
      see(b, "d_there", (looks[k].there & there) != 0);
      if (looks[k].there & there) see(b, "d_entry", looks[k].there == 1 ? 300 : 400);
    }
  see_woken(K_ALU, 1, "iwake", true);
  see_woken(K_LD, 0, "rd_cpl", false);
  see_woken(K_ST, 0, "wr_cpl", false);
  see_woken(K_LDC, 0, "cwake", false);
  bed_t *b = waits_for_unit(K_END);
  drive_input(b, "ack_zero", ~1ull);
  drive_ready(b);
  see(b, "go_valid", 0);
  tick(b);
  drive_input(b, "ack_zero", 1);
  drive_ready(b);
  see(b, "go_valid", 1);
}

RULE(N17, "Input is accepted without waiting on output: `nsu_rx` has no way to refuse a phit, and "
          "tests/formal/nsu_accept.sh proves it of "
          "the whole.") {
  bed_t *b = nsu(); /* no credit ever comes back: requests and acknowledgements go no further */
  for (unsigned n = 0; n < 60; n++) {
    bring_packet(b, n % 3 ? RDF_RESP : CMD, n % 3 ? 1 : 0, n);
    drive_field(b, "addr", PC + 128 * n);
    drive_masks(b, n % 64);
    tick(b);
    see(b, "in_credit", n % 3 ? 2 : 1);
  }
  tick(b);
  see(b, "in_credit", 0);
}

RULE(N18, "What the credit rules forbid is dropped and reported on `err`;") {
  bed_t *b = bed("nsu_cmdbuf", ""); /* the eleventh of ten */
  for (unsigned n = 0; n < 11; n++) {
    drive_input(b, "wr_valid", 1);
    drive_input(b, "wr_hdr.sm", n);
    tick(b);
    see(b, "err_overflow", n == 10);
  }
  for (unsigned n = 0; n < 10; n++) {
    see(b, "sp_sm", n);
    drive_input(b, "sp_ready", 1);
    tick(b);
  }
  see(b, "sp_valid", 0);
  b = bed("nsu_rdbuf", ""); /* the 257th; then a thread that is there already */
  for (unsigned n = 0; n < 257; n++) {
    drive_input(b, "wr_hdr.sm", n / 64);
    drive_input(b, "wr_valid", 1);
    drive_input(b, "wr_hdr.seq", n % 64);
    drive_input(b, "wr_hdr.mask", 1);
    drive_input(b, "wr_hdr.lmask", 3);
    tick(b);
    see(b, "err_overflow", n == 256);
  }
  see(b, "probe_level", 256);
  drive_input(b, "wr_valid", 1);
  drive_input(b, "wr_hdr.mask", 1);
  drive_input(b, "wr_hdr.lmask", 3);
  tick(b);
  see(b, "err_merge", 1);
  see(b, "err_overflow", 0);
  b = nsu(); /* fills and acknowledgements of nothing */
  static const unsigned types[] = {IFILL, CFILL, WRITE_ACK}, errors[] = {E_IFILL_NOREQ, E_CFILL_NOREQ, E_WACK_NOREQ};
  for (unsigned k = 0; k < 3; k++) {
    bring_packet(b, types[k], 1, 0);
    tick(b);
    tick(b);
    see(b, "err", errors[k]);
    tick(b);
    see(b, "err", 0);
  }
  drive_input(b, "out_credit", 1);
  tick(b);
  see(b, "err", E_CR_OVERFLOW);
}

RULE(N19, "a warp that meets an illegal instruction halts until reset.") {
  bed_t *b = nsu_spawned();
  bring_packet(b, IFILL, 1, 0);
  drive_field(b, "addr", PC);
  for (unsigned i = 0; i < 32; i++) drive_input_at(b, "in_phit", 32, i, 0);
  tick(b);
  await(b, "err", E_BAD_OPCODE, 20);
  for (unsigned t = 0; t < 300; t++) {
    tick(b);
    see(b, "err", 0);
    see(b, "probe_fetch", 0);
    see(b, "probe_used", 1);
    see(b, "probe_ready", 0);
  }
}

/* All that there can be, freed one after the other. */
static void see_all_counted(void) {
  bed_t *b = bed("nsu_credits", "");
  for (unsigned freed = 0; freed < 1023; freed++) {
    drive_input(b, "rd_free", 1);
    drive_input(b, "wr_free", 1);
    tick(b);
  }
  see(b, "cr_rd", 1023);
  see(b, "cr_wr", 1023);
}

RULE(N20,
     "Credits for freed entries ride on the next offload acknowledgement, or go in a packet of their own when there is "
     "none to send. "
     "There are no more entries of a kind than its count holds (1,023 of data, of addresses), so that none is lost, "
     "however late it is told.") {
  see_all_counted();
  bed_t *b = bed("nsu_endu", ""); /* on the acknowledgement's first beat */
  drive_input(b, "go", 1);
  drive_input(b, "go_instr", instr(I_OFLD_END, 0, 0, 0));
  tick(b);
  drive_input(b, "cr_cmd", 3);
  drive_input(b, "cr_rd", 500);
  drive_input(b, "cr_wr", 7);
  drive_input(b, "ack_ready", 1);
  see(b, "ack_hdr.type", OFLD_ACK);
  see(b, "ack_hdr.cr_cmd", 3);
  see(b, "ack_hdr.cr_rd", 500);
  see(b, "ack_hdr.cr_wr", 7);
  see(b, "cr_take", 1);
  for (unsigned idle = 0; idle < 2; idle++) { /* a packet of their own only when no end is under way */
    bed_t *x = bed("nsu_tx", "");
    drive_input(x, "ack_idle", idle);
    drive_input(x, "cr_pending", 1);
    drive_input(x, "cr_cmd", 3);
    drive_input(x, "cr_rd", 500);
    drive_input(x, "cr_wr", 7);
    see(x, "cr_take", idle);
    ticks(x, 2);
    see(x, "out_valid", idle);
    if (!idle) continue;
    see(x, "out_class", 1);
    see_field(x, "type", CREDIT);
    see_field(x, "cr_cmd", 3);
    see_field(x, "cr_rd", 500);
    see_field(x, "cr_wr", 7);
  }
  bed_t *c = bed("nsu_credits", "");
  drive_input(c, "cmd_free", 1);
  drive_input(c, "rd_free", 1);
  tick(c);
  drive_input(c, "rd_free", 1);
  tick(c);
  see(c, "pending", 1);
  see(c, "cr_cmd", 1);
  see(c, "cr_rd", 2);
  see(c, "cr_wr", 0);
  drive_input(c, "take", 1);
  drive_input(c, "wr_free", 1); /* freed in the cycle in which the others are told */
  tick(c);
  see(c, "cr_cmd", 0);
  see(c, "cr_rd", 0);
  see(c, "cr_wr", 1);
}

/* Both classes have something to send for three cycles; from the second cycle on packets leave,
 * class 0 first. */
RULE(N22, "The output port sends a request first after reset; then the classes take turns where both have something to "
          "send.") {
  bed_t *b = bed("nsu_tx", "");
  for (unsigned t = 0; t < 8; t++) {
    if (t < 3) {
      drive_input(b, "wr_valid", 1);
      drive_input(b, "ack_valid", 1);
    }
    see(b, "out_valid", t >= 2);
    if (t >= 2) see(b, "out_class", t % 2);
    tick(b);
  }
}

/* Ours: the paper has no ports of registers. RTL and model have the order from this sentence. */
RULE(N24, "Of those that want the register file's one read port nsu_exec goes first, then nsu_stu, then nsu_endu; "
          "nsu_exec writes before nsu_ldu.") {
  bed_t *b = bed("nsu_regfile", "");
  for (unsigned who = 1; who < 8; who++) { /* bit 0 nsu_exec, 1 nsu_stu, 2 nsu_endu */
    drive_input(b, "ex_rd_valid", who & 1);
    drive_input(b, "st_rd_valid", who >> 1 & 1);
    drive_input(b, "en_rd_valid", who >> 2);
    see(b, "st_rd_gnt", who == 2 || who == 6);
    see(b, "en_rd_gnt", who == 4);
    tick(b);
  }
  for (unsigned exec = 0; exec < 2; exec++) {
    drive_input(b, "ex_wr_valid", exec);
    drive_input(b, "ld_wr_valid", 1);
    see(b, "ld_wr_gnt", !exec);
    tick(b);
  }
}

RULE(N25, "LDC reads the word at the constant base plus imm, a number of 32 bits without a sign.") {
  static const uint32_t offsets[] = {4, 0x7ffffffc, 0x80000000, 0xfffffffc};
  for (unsigned i = 0; i < 4; i++) {
    bed_t *b = bed("nsu_ldu", "");
    drive_input(b, "go", 1);
    drive_input(b, "go_instr", instr(I_LDC, 6, 0, 0) | offsets[i]);
    drive_input(b, "go_cbase", 0x100000000);
    tick(b);
    see(b, "cc_req", 1);
    see(b, "cc_addr", 0x100000000 + (uint64_t)offsets[i]);
  }
}
