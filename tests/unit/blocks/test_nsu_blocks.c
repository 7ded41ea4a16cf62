/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules of the NSU's blocks on their golden models, with numbers worked out by hand from the NSU
 * paper and from rtl/nsu/README.md: read data merged by mask, write addresses, write packets,
 * counters of acknowledgements and credits, the issue stage, and the order of warps.
 */
#include <string.h>

#include "nsu_acks.h"
#include "nsu_credits.h"
#include "nsu_hdr.h"
#include "nsu_issue.h"
#include "nsu_rdbuf.h"
#include "nsu_warps.h"
#include "nsu_wgen.h"
#include "nsu_wrbuf.h"
#include "unit_test.h"

/* --- Merging by mask */

static nsu_rdbuf_t rdbuf;

/* A response with the words first_word + i for the threads in `mask`, of a load of the threads
 * in `lmask`. */
static void rdbuf_packet(nsu_rdbuf_in_t *in, uint32_t mask, uint32_t lmask, uint32_t first_word) {
  pkt_hdr_t hdr = {.type = PKT_RDF_RESP, .sm = 7, .warp = 3, .seq = 1, .mask = mask, .lmask = lmask, .size = 2};
  memset(in, 0, sizeof *in);
  in->wr_valid = 1;
  pkt_pack(&hdr, in->wr_hdr);
  for (unsigned i = 0; i < 32; i++) in->wr_data[i] = first_word + i;
}

/* One cycle with these inputs; the outputs of the next one, which looks up the load of this
 * test. */
static nsu_rdbuf_out_t rdbuf_cycle(const nsu_rdbuf_in_t *in) {
  nsu_rdbuf_out_t out;
  nsu_rdbuf_in_t idle = {.lk_sm = 7, .lk_warp = 3, .lk_seq = 1};
  nsu_rdbuf_step(&rdbuf, in);
  nsu_rdbuf_eval(&rdbuf, &idle, &out);
  return out;
}

/* A load whose threads lie in two lines: two responses, in either order, make one entry. */
static void test_merge(void **state) {
  nsu_rdbuf_in_t in;
  (void)state;
  nsu_rdbuf_reset(&rdbuf);
  rdbuf_packet(&in, 0xffff0000, 0xffffffff, 1000);
  nsu_rdbuf_out_t out = rdbuf_cycle(&in);
  assert_int_equal(out.lk_hit, 0);
  assert_int_equal(out.probe_level, 1);
  rdbuf_packet(&in, 0x0000ffff, 0xffffffff, 2000);
  out = rdbuf_cycle(&in);
  assert_int_equal(out.lk_hit, 1);
  assert_int_equal(out.cpl_valid, 1);
  assert_int_equal(out.cpl_sm, 7);
  assert_int_equal(out.probe_level, 1);
  out = rdbuf_cycle(&(nsu_rdbuf_in_t){.take = 1, .take_idx = out.lk_idx});
  assert_int_equal(out.lk_hit, 0);
  assert_int_equal(out.probe_level, 0);
  assert_int_equal(out.row_mask, 0xffffffff);
  assert_int_equal(out.row[0], 2000);
  assert_int_equal(out.row[15], 2015);
  assert_int_equal(out.row[16], 1016);
  assert_int_equal(out.row[31], 1031);
}

/* A response must bring new threads of the load's own mask, with the same lmask, before it is
 * complete. Each other one is a merge error and changes nothing. */
static void test_merge_errors(void **state) {
  nsu_rdbuf_in_t in;
  (void)state;
  nsu_rdbuf_reset(&rdbuf);
  rdbuf_packet(&in, 0x3, 0x7, 0);
  assert_int_equal(rdbuf_cycle(&in).err_merge, 0);
  assert_int_equal(rdbuf_cycle(&in).err_merge, 1); /* threads that are there */
  rdbuf_packet(&in, 0x4, 0xf, 0);
  assert_int_equal(rdbuf_cycle(&in).err_merge, 1); /* another lmask */
  rdbuf_packet(&in, 0xc, 0x7, 0);
  assert_int_equal(rdbuf_cycle(&in).err_merge, 1); /* a thread outside */
  rdbuf_packet(&in, 0x4, 0x7, 0);
  assert_int_equal(rdbuf_cycle(&in).cpl_valid, 1);
  rdbuf_packet(&in, 0x0, 0x7, 0);
  nsu_rdbuf_out_t out = rdbuf_cycle(&in); /* complete already */
  assert_int_equal(out.err_merge, 1);
  assert_int_equal(out.err_overflow, 0);
  assert_int_equal(out.probe_level, 1);
}

/* A load whose threads are all guarded off sends one
 * packet with empty masks and completes at once. */
static void test_empty_load(void **state) {
  nsu_rdbuf_in_t in;
  (void)state;
  nsu_rdbuf_reset(&rdbuf);
  rdbuf_packet(&in, 0, 0, 0);
  nsu_rdbuf_out_t out = rdbuf_cycle(&in);
  assert_int_equal(out.lk_hit, 1);
  assert_int_equal(out.cpl_valid, 1);
}

/* Table 2: 256 entries. The 257th instruction has no place, and the 256 are whole. */
static void test_overflow(void **state) {
  nsu_rdbuf_in_t in;
  (void)state;
  nsu_rdbuf_reset(&rdbuf);
  for (unsigned i = 0; i < 257; i++) {
    rdbuf_packet(&in, 1, 1, i);
    HDR_SET(in.wr_hdr, sm, i & 0xff);
    HDR_SET(in.wr_hdr, warp, i >> 8);
    nsu_rdbuf_out_t out = rdbuf_cycle(&in);
    assert_int_equal(out.err_overflow, i == 256);
    assert_int_equal(out.probe_level, i < 256 ? i + 1 : 256);
  }
}

/* --- Write addresses */

/* A WTA gives each thread's address by an offset (0x7c bytes into the line), an aligned one by
 * its number (4 * 31 = 0x7c, too). Both end as 0x12345678fc here. */
static void test_write_addresses(void **state) {
  static nsu_wrbuf_t wrbuf;
  nsu_wrbuf_in_t in = {.wr_valid = 1, .lk_sm = 2};
  nsu_wrbuf_out_t out;
  pkt_hdr_t hdr = {.type = PKT_WTA, .sm = 2, .mask = 0x1, .lmask = 0x80000001, .size = 2, .addr = 0x1234567880};
  (void)state;
  nsu_wrbuf_reset(&wrbuf);
  hdr.offs[0] = 0x7c; /* misaligned: the offset counts */
  pkt_pack(&hdr, in.wr_hdr);
  nsu_wrbuf_step(&wrbuf, &in);
  hdr.mask = 0x80000000;
  hdr.aligned = 1; /* thread i at addr + 4 i */
  pkt_pack(&hdr, in.wr_hdr);
  nsu_wrbuf_step(&wrbuf, &in);
  nsu_wrbuf_step(&wrbuf, &(nsu_wrbuf_in_t){.take = 1});
  nsu_wrbuf_eval(&wrbuf, &in, &out);
  assert_int_equal(out.row_mask, 0x80000001);
  assert_int_equal(bits_get(out.row, 0, 40), 0x12345678fc);
  assert_int_equal(bits_get(out.row, 31 * 40, 40), 0x12345678fc);
}

/* --- Write generation */

typedef struct {
  unsigned packets;
  pkt_hdr_t hdr[32];
  uint32_t data[32][32];
} writes_t;

/* The write packets of one store. Thread i writes 0xabcdef00 + i to addrs[i]. */
static void generate_writes(uint32_t mask, unsigned size, const uint64_t *addrs, writes_t *w) {
  static nsu_wgen_t wgen;
  nsu_wgen_in_t in = {
      .stack_id = 5, .start = 1, .slot = 9, .sm = 1, .warp = 2, .seq = 3, .mask = mask, .size = size, .wr_ready = 1};
  nsu_wgen_out_t out = {.done = 0};
  memset(w, 0, sizeof *w);
  for (unsigned i = 0; i < 32; i++) {
    bits_put(in.addrs, i * 40, 40, addrs[i]);
    in.data[i] = 0xabcdef00 + i;
  }
  nsu_wgen_reset(&wgen);
  nsu_wgen_step(&wgen, &in);
  in.start = 0;
  while (!out.done) {
    nsu_wgen_eval(&wgen, &in, &out);
    if (out.wr_valid) {
      pkt_unpack(out.wr_hdr, &w->hdr[w->packets]);
      memcpy(w->data[w->packets++], out.wr_data, 128);
    }
    nsu_wgen_step(&wgen, &in);
  }
  assert_true(nsu_wgen_idle(&wgen));
}

/* 32 adjacent words are one line and one aligned packet, to the stack in the address (3), from
 * ours (5). */
static void test_aligned_store(void **state) {
  uint64_t addrs[32];
  writes_t w;
  (void)state;
  for (unsigned i = 0; i < 32; i++) addrs[i] = 0x300001000 + 4 * i;
  generate_writes(0xffffffff, 2, addrs, &w);
  assert_int_equal(w.packets, 1);
  assert_int_equal(w.hdr[0].type, PKT_WRITE);
  assert_int_equal(w.hdr[0].aligned, 1);
  assert_int_equal(w.hdr[0].dst, 3);
  assert_int_equal(w.hdr[0].src, 5);
  assert_int_equal(w.hdr[0].addr, 0x300001000);
  assert_int_equal(w.hdr[0].slot, 9);
  assert_int_equal(w.hdr[0].mask, 0xffffffff);
  assert_int_equal(w.data[0][31], 0xabcdef1f);
}

/* One word further: 31 threads in the first line, one in the next. */
static void test_misaligned_store(void **state) {
  uint64_t addrs[32];
  writes_t w;
  (void)state;
  for (unsigned i = 0; i < 32; i++) addrs[i] = 0x1004 + 4 * i;
  generate_writes(0xffffffff, 2, addrs, &w);
  assert_int_equal(w.packets, 2);
  assert_int_equal(w.hdr[0].mask, 0x7fffffff);
  assert_int_equal(w.hdr[0].aligned, 0);
  assert_int_equal(w.hdr[0].offs[0], 4);
  assert_int_equal(w.hdr[0].offs[30], 124);
  assert_int_equal(w.hdr[0].offs[31], 0);
  assert_int_equal(w.hdr[1].mask, 0x80000000);
  assert_int_equal(w.hdr[1].addr, 0x1080);
  assert_int_equal(w.hdr[1].offs[31], 0);
  assert_int_equal(w.hdr[1].lmask, 0xffffffff);
  assert_int_equal(w.data[1][30], 0);
  assert_int_equal(w.data[1][31], 0xabcdef1f);
}

/* A line a thread, bytes, some threads off; lines in order of their lowest thread. */
static void test_divergent_store(void **state) {
  uint64_t addrs[32];
  writes_t w;
  (void)state;
  for (unsigned i = 0; i < 32; i++) addrs[i] = 0x8000 - 128 * i + i % 3;
  generate_writes(0xfffffff0, 0, addrs, &w);
  assert_int_equal(w.packets, 28);
  for (unsigned n = 0; n < 28; n++) {
    assert_int_equal(w.hdr[n].mask, 1u << (n + 4));
    assert_int_equal(w.hdr[n].addr, 0x8000 - 128 * (n + 4));
    assert_int_equal(w.hdr[n].offs[n + 4], (n + 4) % 3);
    assert_int_equal(w.data[n][n + 4], n + 4); /* the low byte of 0xabcdef00 + i */
  }
  generate_writes(0, 2, addrs, &w);
  assert_int_equal(w.packets, 0);
}

/* --- Counters */

/* The counter of a slot goes up with a write and down with its acknowledgement, both in one
 * cycle, too. There are 48 slots, and `zero` has a bit for each. */
static void test_acknowledgements(void **state) {
  nsu_acks_t acks;
  nsu_acks_out_t out;
  (void)state;
  nsu_acks_reset(&acks);
  nsu_acks_step(&acks, &(nsu_acks_in_t){.inc = 1, .inc_slot = 47});
  nsu_acks_step(&acks, &(nsu_acks_in_t){.inc = 1, .inc_slot = 47, .dec = 1, .dec_slot = 47});
  nsu_acks_eval(&acks, NULL, &out);
  assert_int_equal(out.zero, 0x7fffffffffff); /* of 48 slots, all but the last */
  nsu_acks_step(&acks, &(nsu_acks_in_t){.dec = 1, .dec_slot = 47});
  nsu_acks_eval(&acks, NULL, &out);
  assert_int_equal(out.zero, 0xffffffffffff);
  nsu_acks_step(&acks, &(nsu_acks_in_t){.dec = 1, .dec_slot = 47, .inc = 1, .inc_slot = 47});
  nsu_acks_eval(&acks, NULL, &out);
  assert_int_equal(out.err_noreq, 1); /* nothing was in flight; the write of this cycle counts */
  assert_int_equal(out.zero, 0x7fffffffffff);
  nsu_acks_step(&acks, &(nsu_acks_in_t){.dec = 1, .dec_slot = 48});
  nsu_acks_eval(&acks, NULL, &out);
  assert_int_equal(out.err_noreq, 1); /* no such slot */
}

/* Freed entries wait as credits until a packet takes them along; a count ends at 255. */
static void test_credit_counts(void **state) {
  nsu_credits_t credits;
  nsu_credits_out_t out;
  (void)state;
  nsu_credits_reset(&credits);
  nsu_credits_step(&credits, &(nsu_credits_in_t){.rd_free = 1});
  nsu_credits_step(&credits, &(nsu_credits_in_t){.rd_free = 1, .take = 1}); /* what this cycle frees is not lost */
  nsu_credits_eval(&credits, NULL, &out);
  assert_int_equal(out.cr_rd, 1);
  assert_int_equal(out.pending, 1);
  for (unsigned i = 0; i < 300; i++) nsu_credits_step(&credits, &(nsu_credits_in_t){.cmd_free = 1});
  nsu_credits_eval(&credits, NULL, &out);
  assert_int_equal(out.cr_cmd, 255);
}

/* --- Issue */

/* What the stage finds for a begun warp in slot 5 when it is given these answers. */
static nsu_issue_out_t fetch_instruction(unsigned opcode, nsu_issue_in_t answers) {
  static nsu_issue_t stage;
  nsu_issue_out_t out;
  nsu_issue_reset(&stage);
  nsu_issue_step(&stage, &(nsu_issue_in_t){.sel_valid = 1, .sel_slot = 5, .sel_begun = 1});
  answers.ic_hit = 1;
  answers.ic_data = isa_set_opcode(0, opcode);
  nsu_issue_eval(&stage, &answers, &out);
  assert_int_equal(out.d_valid, 1);
  assert_int_equal(out.d_slot, 5);
  assert_int_equal(out.d_next, ISA_FETCH_KNOWN);
  return out;
}

/* A load waits for read data and a store for a write address; other instructions wait for
 * neither. */
static void test_what_is_there(void **state) {
  const nsu_issue_in_t both = {.rd_hit = 1, .rd_idx = 700, .wr_hit = 1, .wr_idx = 800};
  (void)state;
  assert_int_equal(fetch_instruction(OP_LD, (nsu_issue_in_t){.wr_hit = 1}).d_there, 0);
  assert_int_equal(fetch_instruction(OP_ST, (nsu_issue_in_t){.rd_hit = 1}).d_there, 0);
  assert_int_equal(fetch_instruction(OP_LD, both).d_there, 1);
  assert_int_equal(fetch_instruction(OP_LD, both).d_entry, 700);
  assert_int_equal(fetch_instruction(OP_ST, both).d_entry, 800);
  assert_int_equal(fetch_instruction(OP_MOV, both).d_there, 0);
}

/* What was found for a slot is dispatched of it; the next
 * fetch of the same cycle does not get in its way. */
static void test_kept_instruction(void **state) {
  static nsu_issue_t stage;
  nsu_issue_out_t out;
  nsu_issue_in_t in = {.ic_hit = 1, .ic_data = isa_set_opcode(0, OP_LD)};
  (void)state;
  nsu_issue_reset(&stage);
  nsu_issue_step(&stage, &(nsu_issue_in_t){.sel_valid = 1, .sel_slot = 5, .sel_begun = 1});
  nsu_issue_step(&stage, &in);
  nsu_issue_step(&stage, &(nsu_issue_in_t){.sel_valid = 1, .sel_slot = 5, .sel_begun = 1});
  in.ic_data = isa_set_opcode(0, OP_ST);
  in.go_valid = 1;
  in.go_slot = 5;
  nsu_issue_eval(&stage, &in, &out);
  assert_int_equal(out.go_ld | out.rd_take, 1);
  assert_int_equal(out.go_st, 0);
  nsu_issue_step(&stage, &in);
  nsu_issue_eval(&stage, &in, &out);
  assert_int_equal(out.go_st & out.wr_take, 1);
  assert_int_equal(out.d_valid, 0);
}

/* One cycle with these inputs; what shows in the next one with the same units. */
static nsu_warps_out_t warps_cycle(nsu_warps_t *warps, nsu_warps_in_t in) {
  nsu_warps_out_t out;
  nsu_warps_step(warps, &in);
  nsu_warps_eval(warps, &in, &out);
  return out;
}

/* A turn is not lost to a warp whose unit is busy, and its own comes when the unit is ready. */
static void test_busy_unit(void **state) {
  static nsu_warps_t warps;
  (void)state;
  nsu_warps_reset(&warps);
  warps_cycle(&warps, (nsu_warps_in_t){.sp_valid = 1, .sp_pc = 0x1000});
  /* slot 0 is fetched for */
  warps_cycle(&warps, (nsu_warps_in_t){.sp_valid = 1, .sp_pc = 0x2000});
  warps_cycle(&warps, (nsu_warps_in_t){.d_valid = 1, .d_slot = 0, .d_kind = ISA_ST, .d_there = 1}); /* slot 1 is */
  nsu_warps_out_t out = warps_cycle(&warps, (nsu_warps_in_t){.d_valid = 1, .d_slot = 1, .d_kind = ISA_ALU});
  assert_int_equal(out.probe_ready, 3);
  assert_int_equal(out.go_valid, 0);
  const nsu_warps_in_t ex = {.ex_ready = 1}, st = {.st_ready = 1};
  nsu_warps_eval(&warps, &ex, &out);
  assert_int_equal(out.go_valid, 1);
  assert_int_equal(out.go_slot, 1);
  out = warps_cycle(&warps, ex);
  assert_int_equal(out.go_valid, 0);
  assert_int_equal(out.sel_slot, 1); /* its next instruction, while that one is under way */
  assert_int_equal(out.sel_pc, 0x2008);
  nsu_warps_eval(&warps, &st, &out);
  assert_int_equal(out.go_slot, 0);
  assert_int_equal(out.go_mem, 1);
}

/* Of what a warp has under way nothing else goes, though it is known and its unit is ready. */
static void test_one_under_way(void **state) {
  static nsu_warps_t warps;
  const nsu_warps_in_t found = {.d_valid = 1, .d_kind = ISA_ALU, .ex_ready = 1};
  (void)state;
  nsu_warps_reset(&warps);
  warps_cycle(&warps, (nsu_warps_in_t){.sp_valid = 1});
  warps_cycle(&warps, (nsu_warps_in_t){0});
  assert_int_equal(warps_cycle(&warps, found).go_valid, 1);
  assert_int_equal(warps_cycle(&warps, (nsu_warps_in_t){.ex_ready = 1}).sel_valid, 1);
  assert_int_equal(warps_cycle(&warps, (nsu_warps_in_t){.ex_ready = 1}).go_valid, 0);
  nsu_warps_out_t out = warps_cycle(&warps, found);
  assert_int_equal(out.go_valid, 0);
  assert_int_equal(out.probe_ready, 0);
  out = warps_cycle(&warps, (nsu_warps_in_t){.ex_done = 1, .ex_ready = 1});
  assert_int_equal(out.go_valid, 1);
  assert_int_equal(out.go_pc, 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_merge),
      cmocka_unit_test(test_merge_errors),
      cmocka_unit_test(test_empty_load),
      cmocka_unit_test(test_overflow),
      cmocka_unit_test(test_write_addresses),
      cmocka_unit_test(test_aligned_store),
      cmocka_unit_test(test_misaligned_store),
      cmocka_unit_test(test_divergent_store),
      cmocka_unit_test(test_acknowledgements),
      cmocka_unit_test(test_credit_counts),
      cmocka_unit_test(test_what_is_there),
      cmocka_unit_test(test_kept_instruction),
      cmocka_unit_test(test_busy_unit),
      cmocka_unit_test(test_one_under_way),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
