/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole NSU's golden model on the program of the NSU paper, Fig. 3 (b): F2 = F0 * F1 for 32
 * threads, F0 from the command, F1 from read data, F2 to memory and back to the GPU. Then small
 * programs around the rules of rtl/nsu/README.md. The test plays the network: it returns credits
 * and serves fetches.
 */
#include <stdlib.h>
#include <string.h>

#include "nsu.h"
#include "nsu_asm.h"
#include "nsu_hdr.h"
#include "unit_test.h"

enum { MAX_BEATS = 64 };

typedef struct {
  pkt_hdr_t hdr;
  uint32_t line[32];
} beat_t;

/* The NSU and what came out of it. Credits are returned at once; fetches are served from `code`. */
typedef struct {
  nsu_t nsu;
  uint64_t cycles, err, pc;
  size_t length;
  uint64_t code[64];
  uint32_t constants[32]; /* the line of constants, at any address */
  unsigned beats;
  beat_t beat[MAX_BEATS];
} bench_t;

/* One cycle. A packet that leaves gives its credit back at once and goes into b->beat. */
static void bench_cycle(bench_t *b, nsu_in_t *in) {
  nsu_out_t out;
  in->stack_id = 2;
  nsu_eval(&b->nsu, in, &out);
  in->out_credit = out.out_valid ? 1u << out.out_class : 0;
  nsu_step(&b->nsu, in);
  b->cycles++;
  b->err |= out.err;
  if (!out.out_valid) return;
  assert_true(b->beats < MAX_BEATS);
  beat_t *beat = &b->beat[b->beats++];
  memcpy(beat->line, out.out_phit, sizeof beat->line);
  pkt_unpack(out.out_phit + 32, &beat->hdr);
  assert_int_equal(out.out_class, pkt_type_class((unsigned)beat->hdr.type));
}

/* A packet arrives. By default PortBits is a whole beat, so one cycle is enough. */
static void send_packet(bench_t *b, const pkt_hdr_t *hdr, const uint32_t *line) {
  nsu_in_t in = {.in_valid = 1, .in_class = (uint64_t)pkt_type_class((unsigned)hdr->type)};
  if (line) memcpy(in.in_phit, line, 128);
  pkt_pack(hdr, in.in_phit + 32);
  bench_cycle(b, &in);
}

/* Answers a fetch of instructions or constants with its line; beyond the program there are
 * zeros. */
static void serve_fetch(bench_t *b, const pkt_hdr_t *fetch) {
  uint32_t line[32];
  bool code = fetch->type == PKT_IFETCH;
  pkt_hdr_t fill = {.type = code ? PKT_IFILL : PKT_CFILL, .addr = fetch->addr};
  memcpy(line, b->constants, sizeof line);
  for (unsigned i = 0; code && i < 16; i++) {
    uint64_t n = (fetch->addr + 8 * i - b->pc) / 8, word = n < b->length ? b->code[n] : 0;
    memcpy(&line[2 * i], &word, 8);
  }
  send_packet(b, &fill, line);
}

/* Runs until the NSU sleeps; serves fetches; other packets stay in b->beat. */
static void run_to_rest(bench_t *b) {
  for (unsigned limit = 0; limit < 5000; limit++) {
    if (b->beats && (b->beat[b->beats - 1].hdr.type == PKT_IFETCH || b->beat[b->beats - 1].hdr.type == PKT_CFETCH)) {
      pkt_hdr_t fetch = b->beat[--b->beats].hdr;
      serve_fetch(b, &fetch);
    } else if (nsu_idle(&b->nsu)) {
      return;
    } else {
      bench_cycle(b, &(nsu_in_t){0});
    }
  }
  fail_msg("the NSU does not come to rest");
}

/* A reset NSU with this program at pc. */
static bench_t *new_bench(uint64_t pc, const char *text) {
  static bench_t bench;
  trouble_t trouble = {0};
  memset(&bench, 0, sizeof bench);
  nsu_reset(&bench.nsu);
  bench.pc = pc;
  long n = nsu_asm("test", text, bench.code, 64, &trouble);
  if (n < 0) fail_msg("%s", trouble.text);
  bench.length = (size_t)n;
  return &bench;
}

/* The command that begins a block: one beat for each register that it carries, at least one. */
static void send_command(bench_t *b, uint32_t mask, unsigned count, uint32_t regs[][32]) {
  pkt_hdr_t hdr = {.type = PKT_CMD, .sm = 5, .warp = 11, .addr = b->pc, .mask = mask, .count = count, .cbase = 0x7000};
  for (unsigned k = 0; k < (count ? count : 1); k++) {
    hdr.beat = k;
    send_packet(b, &hdr, count ? regs[k] : NULL);
  }
}

/* A response with data for the threads in `mask` of a load of those in `lmask`. */
static void send_data(bench_t *b, unsigned seq, uint32_t mask, uint32_t lmask, const uint32_t *words) {
  pkt_hdr_t hdr = {.type = PKT_RDF_RESP, .sm = 5, .warp = 11, .seq = seq, .mask = mask, .lmask = lmask, .size = 2};
  send_packet(b, &hdr, words);
}

/* The addresses of a store: a line's, with one word a thread. */
static void send_address(bench_t *b, unsigned seq, uint32_t mask, uint64_t addr) {
  pkt_hdr_t hdr = {.type = PKT_WTA,
                   .sm = 5,
                   .warp = 11,
                   .seq = seq,
                   .mask = mask,
                   .lmask = mask,
                   .size = 2,
                   .aligned = 1,
                   .addr = addr};
  send_packet(b, &hdr, NULL);
}

/* The next packet of this type, which is then forgotten. */
static beat_t expect_packet(bench_t *b, unsigned type) {
  for (unsigned i = 0; i < b->beats; i++)
    if (b->beat[i].hdr.type == type) {
      beat_t beat = b->beat[i];
      memmove(&b->beat[i], &b->beat[i + 1], (--b->beats - i) * sizeof *b->beat);
      return beat;
    }
  fail_msg("no %s", pkt_type_name(type));
  abort();
}

/* The bits of a number. */
static uint32_t float_bits(float f) {
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return bits;
}

static const char fig3[] = "ofld.beg F0\nld.b32 F1\nmul.f32 F2, F0, F1\nst F2\nofld.end F2\n";

/* A block of five instructions with all of its packets: F2 = F0 * F1 for i * 0.5. It waits for
 * its data, then for its addresses, then for the write's acknowledgement, and each freed entry
 * gives a credit. */
static void test_fig3(void **state) {
  uint32_t f0[1][32], f1[32];
  (void)state;
  bench_t *b = new_bench(0xd08, fig3);
  for (unsigned i = 0; i < 32; i++) {
    f0[0][i] = float_bits((float)i);
    f1[i] = float_bits(0.5f);
  }
  send_command(b, 0xffffffff, 1, f0);
  run_to_rest(b);
  assert_int_equal(expect_packet(b, PKT_CREDIT).hdr.cr_cmd, 1); /* the command's entry is free after OFLD.BEG */
  assert_int_equal(b->nsu.warps.in_state[WARP_WAIT_RD], 1);
  send_data(b, 0, 0xffff, 0xffffffff, f1);
  run_to_rest(b);
  assert_int_equal(b->nsu.warps.in_state[WARP_WAIT_RD], 1); /* half of the threads' data is not enough */
  send_data(b, 0, 0xffff0000, 0xffffffff, f1);
  run_to_rest(b);
  assert_int_equal(b->nsu.warps.in_state[WARP_WAIT_WR], 1);
  assert_int_equal(expect_packet(b, PKT_CREDIT).hdr.cr_rd, 1);
  send_address(b, 1, 0xffffffff, 0x400000800);
  run_to_rest(b);
  beat_t write = expect_packet(b, PKT_WRITE);
  assert_int_equal(write.hdr.addr, 0x400000800);
  assert_int_equal(write.hdr.dst, 4);
  assert_int_equal(write.hdr.src, 2);
  assert_int_equal(write.hdr.seq, 1);
  assert_int_equal(write.line[3], 0x3fc00000); /* 3 * 0.5 */
  assert_int_equal(expect_packet(b, PKT_CREDIT).hdr.cr_wr, 1);
  assert_int_equal(b->nsu.warps.in_state[WARP_EN], 1); /* no acknowledgement before the write's own */
  assert_int_equal(b->beats, 0);
  send_packet(b, &(pkt_hdr_t){.type = PKT_WRITE_ACK, .slot = write.hdr.slot}, NULL);
  run_to_rest(b);
  beat_t ack = expect_packet(b, PKT_OFLD_ACK);
  assert_int_equal(ack.hdr.sm, 5);
  assert_int_equal(ack.hdr.warp, 11);
  assert_int_equal(ack.hdr.dst, 15);
  assert_int_equal(ack.hdr.count, 1);
  assert_int_equal(ack.line[31], 0x41780000); /* 31 * 0.5 = 15.5 */
  assert_int_equal(b->beats, 0);
  assert_int_equal(b->err, 0);
  assert_int_equal(b->nsu.warps.in_state[WARP_FREE], 0xffffffffffff);
}

/* Data and address before the command; then nothing
 * waits, and the credits ride on the acknowledgement. */
static void test_data_first(void **state) {
  uint32_t f0[1][32], f1[32];
  (void)state;
  bench_t *b = new_bench(0xd08, "ofld.beg F0\nld.b32 F1\nmul.f32 F2, F0, F1\nofld.end F2\n");
  for (unsigned i = 0; i < 32; i++) f0[0][i] = f1[i] = float_bits(3.0f);
  send_data(b, 0, 0x0000000f, 0x0000000f, f1);
  run_to_rest(b);
  send_command(b, 0x0000000f, 1, f0);
  run_to_rest(b);
  unsigned cmd = 0, rd = 0;
  for (unsigned i = 0; i < b->beats; i++) {
    cmd += (unsigned)b->beat[i].hdr.cr_cmd;
    rd += (unsigned)b->beat[i].hdr.cr_rd;
  }
  assert_int_equal(cmd, 1);
  assert_int_equal(rd, 1);
  beat_t ack = expect_packet(b, PKT_OFLD_ACK);
  assert_int_equal(ack.line[3], 0x41100000); /* 9 */
  assert_int_equal(ack.line[4], 0);          /* a thread that is off */
}

/* A guard of zeros and ones, a constant, an immediate: threads
 * with an odd number get 8 + constant, others keep F0. */
static void test_guard_and_constant(void **state) {
  uint32_t f0[1][32];
  (void)state;
  bench_t *b = new_bench(0x2000, "ofld.beg F0\nldc.b32 F3, [8]\nand.b32 F1, F0, 1\n@F1 add.s32 F0, F3, 8\n"
                                 "@!F1 add.s32 F0, F0, 100\nofld.end F0\n");
  for (unsigned i = 0; i < 32; i++) f0[0][i] = i;
  b->constants[2] = 1000; /* constant base 0x7000, imm 8 */
  send_command(b, 0xffffffff, 1, f0);
  run_to_rest(b);
  beat_t ack = expect_packet(b, PKT_OFLD_ACK);
  for (unsigned i = 0; i < 32; i++) assert_int_equal(ack.line[i], i % 2 ? 1008 : 100 + i);
}

/* OFLD.BEG and OFLD.END without registers, and with four: a beat a register. */
static void test_register_lists(void **state) {
  uint32_t regs[4][32];
  (void)state;
  bench_t *b = new_bench(0x40, "ofld.beg\nofld.end\n");
  send_command(b, 0xffffffff, 0, NULL);
  run_to_rest(b);
  beat_t ack = expect_packet(b, PKT_OFLD_ACK);
  assert_int_equal(ack.hdr.count, 0);
  assert_int_equal(ack.line[7], 0);
  b = new_bench(0x40, "ofld.beg F15, F1, F7, F8\nofld.end F8, F7, F1, F15\n");
  for (unsigned k = 0; k < 4; k++)
    for (unsigned i = 0; i < 32; i++) regs[k][i] = 100 * k + i;
  send_command(b, 0xffffffff, 4, regs);
  run_to_rest(b);
  for (unsigned k = 0; k < 4; k++) {
    ack = expect_packet(b, PKT_OFLD_ACK);
    assert_int_equal(ack.hdr.count, 4);
    assert_int_equal(ack.hdr.beat, k);
    assert_int_equal(ack.line[9], 100 * (3 - k) + 9);
  }
}

/* Each illegal program or packet raises its own error flag. A warp with an illegal opcode halts. */
static void test_error_flags(void **state) {
  (void)state;
  bench_t *b = new_bench(0x40, "ofld.beg\n.word 0\n");
  send_command(b, 1, 0, NULL);
  run_to_rest(b);
  assert_int_equal(b->err, 1u << ERR_BAD_OPCODE);
  assert_int_equal(b->nsu.warps.in_state[WARP_HALT], 1);
  b = new_bench(0x40, "mov.b32 F0, F1\n");
  send_command(b, 1, 0, NULL);
  run_to_rest(b);
  assert_int_equal(b->err, 1u << ERR_NOT_BEG);
  b = new_bench(0x40, "ofld.beg F0\n"); /* the command carries none */
  send_command(b, 1, 0, NULL);
  run_to_rest(b);
  assert_int_equal(b->err, 1u << ERR_NOT_BEG);
  b = new_bench(0, "ofld.beg\n");
  send_packet(b, &(pkt_hdr_t){.type = PKT_WRITE_ACK, .slot = 3}, NULL);
  send_packet(b, &(pkt_hdr_t){.type = PKT_IFILL, .addr = 0x80}, NULL);
  send_packet(b, &(pkt_hdr_t){.type = PKT_READ}, NULL);
  send_packet(b, &(pkt_hdr_t){.type = PKT_CMD, .beat = 1, .count = 2}, NULL);
  run_to_rest(b);
  assert_int_equal(b->err, 1u << ERR_WACK_NOREQ | 1u << ERR_IFILL_NOREQ | 1u << ERR_BAD_TYPE | 1u << ERR_CMD_BEAT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fig3),
      cmocka_unit_test(test_data_first),
      cmocka_unit_test(test_guard_and_constant),
      cmocka_unit_test(test_register_lists),
      cmocka_unit_test(test_error_flags),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
