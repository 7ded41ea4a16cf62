/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions on both machines that execute kernels: each row of instr_rows.def on a GPU and on
 * near-bank processors of every policy, against what the host computes. Branches beside their
 * table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_rig.h"
#include "mpu_bed.h"
#include "unit_test.h"

#define KERNEL(body)                                                                                        \
  ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_a, .param .u32 k_n)\n{\n" \
  ".reg .pred %p<9>; .reg .b16 %h<9>; "                                                                     \
  ".reg .b32 %r<99>; .reg .b64 %d<9>;\n.shared .align 16 .b8 sh[4096];\nld.param.u64 %d1, [k_a];\n"         \
  "mov.u32 %r1, %tid.x;\nmad.wide.u32 %d2, %r1, 4, %d1;\n" body "\nst.global.u32 [%d2+4096], %r0;\nret;\n}\n"

enum { INPUTS = 1024, WORDS = 2 * INPUTS };

/* ---- What is expected ------------------------------------------------------------------------ */

/* Ones at positions from .. from + count - 1 of a word of so many bits. */
static uint32_t bits_from(uint32_t from, uint32_t count, uint32_t bits) {
  uint32_t r = 0;
  for (uint32_t i = 0; i < bits; i++) r |= (uint32_t)(i >= from && i - from < count) << i;
  return r;
}

/* dp4a: four products of bytes. */
static uint32_t dot4(uint32_t a, uint32_t b, bool a_signed, bool b_signed) {
  uint32_t sum = 0;
  for (unsigned k = 0; k < 32; k += 8) {
    const uint8_t p = (uint8_t)(a >> k), q = (uint8_t)(b >> k);
    sum += (uint32_t)((a_signed ? (int8_t)p : (int)p) * (b_signed ? (int8_t)q : (int)q));
  }
  return sum;
}

/* dp2a: two products, each of a half of a and one of the low bytes of b. */
static uint32_t dot2(uint32_t a, uint32_t b, bool a_signed, bool b_signed) {
  uint32_t sum = 0;
  for (unsigned k = 0; k < 2; k++) {
    const uint16_t p = (uint16_t)(a >> 16 * k);
    const uint8_t q = (uint8_t)(b >> 8 * k);
    sum += (uint32_t)((a_signed ? (int16_t)p : (int)p) * (b_signed ? (int8_t)q : (int)q));
  }
  return sum;
}

/* Lanes of t's warp that are members and have the same value under the mask. */
static uint32_t lanes_like(const uint32_t *in, uint32_t t, uint32_t n, uint32_t bits, uint32_t members) {
  uint32_t lanes = 0;
  for (uint32_t i = 0; i < 32; i++) {
    const uint32_t other = (t & ~31u) + i;
    if (other < n && members >> i & 1 && (in[other] & bits) == (in[t] & bits)) lanes |= 1u << i;
  }
  return lanes;
}

/* redux.sync over t's warp: how says sum, logic, or
 * minimum (l, L) and maximum; small letters without sign. */
static uint32_t reduce(const uint32_t *in, uint32_t t, uint32_t n, char how, uint32_t members) {
  uint32_t r = 0;
  bool first = true;
  for (uint32_t i = t & ~31u; i < n && i <= (t | 31); i++) {
    const uint32_t v = in[i];
    if (!(members >> i % 32 & 1)) continue;
    const bool less = how == 'l' || how == 'g' ? v < r : (int32_t)v < (int32_t)r;
    if (first) r = v;
    else if (how == '+') r += v;
    else if (how == '&') r &= v;
    else if (how == '|') r |= v;
    else if (how == '^') r ^= v;
    else if ((how == 'l' || how == 'L') == less) r = v;
    first = false;
  }
  return r;
}

/* How many of the words have the bit; odd(): bit 0. */
static uint32_t count_bit(const uint32_t *in, uint32_t n, unsigned bit) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < n; i++) count += in[i] >> bit & 1;
  return count;
}

static uint32_t odd(const uint32_t *in, uint32_t n) {
  return count_bit(in, n, 0);
}

/* How many of the words have each of the low bits, folded into one word. */
static uint32_t fold_of_counts(const uint32_t *in, uint32_t n, unsigned bits) {
  uint32_t r = 0;
  for (unsigned b = 0; b < bits; b++) r = 3 * r + count_bit(in, n, b);
  return r;
}

/* Four branches through a table of three targets. */
static uint32_t four_turns(uint32_t x, uint32_t t) {
  uint32_t r = t;
  for (uint32_t i = 0; i < 4; i++) {
    const uint32_t targets[3] = {r + 10, 3 * x + r, r ^ x};
    r = targets[(i + t) % 3];
  }
  return r;
}

static uint32_t distance(int64_t a, int64_t b) {
  return (uint32_t)(a < b ? b - a : a - b);
}

/* The sum of the bytes' distances and t; of it bytes 3 and 1,
 * each with the byte opposite added, the others are y's. */
static uint32_t bytes_differ(uint32_t x, uint32_t y, uint32_t t) {
  uint32_t r = t, d = 0;
  for (unsigned k = 0; k < 32; k += 8) r += distance(x >> k & 255, y >> k & 255);
  for (unsigned k = 0; k < 32; k += 8) d |= (k & 8 ? (r >> k) + (r >> (24 - k)) : y >> k) % 256 << k;
  return d;
}

/* 0 to 15: two bits of fraction, ties to even. */
static uint32_t e5m2_of_small(uint32_t n) {
  static const uint8_t codes[16] = {0,    0x3c, 0x40, 0x42, 0x44, 0x45, 0x46, 0x47,
                                    0x48, 0x48, 0x49, 0x4a, 0x4a, 0x4a, 0x4b, 0x4c};
  return codes[n];
}

/* 64 bits as one word in which both halves count. */
static uint32_t fold(uint64_t v) {
  return (uint32_t)v + 5 * (uint32_t)(v >> 32);
}

#define ROW(name, threads, body, expr)                                        \
  static uint32_t expect_##name(const uint32_t *in, uint32_t t, uint32_t n) { \
    const uint32_t x = in[t], y = in[t + 64];                                 \
    (void)x, (void)y, (void)n;                                                \
    return (uint32_t)(expr);                                                  \
  }
#include "instr_rows.def"
#undef ROW

typedef struct {
  const char *name, *ptx;
  uint32_t threads;
  uint32_t (*expect)(const uint32_t *in, uint32_t t, uint32_t n);
} row_t;

static row_t rows[] = {
#define ROW(name, threads, body, expr) {#name, KERNEL(body), threads, expect_##name},
#include "instr_rows.def"
#undef ROW
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Random inputs, then zeros for the results. */
static void fill_inputs(uint32_t *data) {
  uint64_t seed = 99;
  for (unsigned i = 0; i < WORDS; i++) data[i] = i < INPUTS ? (uint32_t)test_random(&seed) : 0;
}

/* Every thread's result, and nothing behind the last thread's. */
static void check_results(const row_t *row, const char *machine, const uint32_t *data) {
  static uint32_t in[WORDS];
  fill_inputs(in);
  for (uint32_t t = 0; t < INPUTS; t++) {
    const uint32_t want = t < row->threads ? row->expect(in, t, row->threads) : 0;
    if (data[INPUTS + t] != want) fail_msg("%s: thread %u has 0x%x, not 0x%x", machine, t, data[INPUTS + t], want);
  }
}

/* ---- Machines -------------------------------------------------------------------------------- */

/* What the launch gives. */
static int run_on_gpu(const char *ptx, uint32_t threads, uint32_t *data, trouble_t *err) {
  gpu_config_t c = gpu_config_default();
  c.num_sms = c.num_stacks = 2;
  c.nsu.ratio = 0;
  gpu_rig_t *rig = rig_new(&c, ptx, strlen(ptx), "module.ptx", false);
  rt_ptr_t at;
  if (rig->err.kind) fail_msg("%s", rig->err.text);
  assert_int_equal(rig->runtime.malloc(rig->runtime.ctx, WORDS * sizeof *data, &at), 0);
  assert_int_equal(rig->runtime.memcpy_h2d(rig->runtime.ctx, at, data, WORDS * sizeof *data), 0);
  uint32_t params[3] = {(uint32_t)at, (uint32_t)(at >> 32), 0};
  const gpu_launch_t l = {
      .kernel = "k", .grid = {1, 1, 1}, .block = {threads, 1, 1}, .params = params, .param_bytes = sizeof params};
  const int status = rig_run(rig, &l, 1000000);
  *err = rig->err;
  if (!status) assert_int_equal(rig->runtime.memcpy_d2h(rig->runtime.ctx, data, at, WORDS * sizeof *data), 0);
  rig_free(rig);
  return status;
}

static int run_on_mpu(const char *ptx, uint32_t threads, unsigned machine, uint32_t *data, trouble_t *err) {
  const mpu_config_t c = bed_machine(machine);
  bed_t bed = {.ptx = ptx, .grid = {1, 1, 1}, .block = {threads, 1, 1}, .data = data, .bytes = WORDS * sizeof *data};
  const int status = bed_run(&bed, &c);
  *err = bed.error;
  return status;
}

/* The row on a GPU and on all near-bank machines. */
static void test_row(void **state) {
  const row_t *row = *state;
  static uint32_t data[WORDS];
  trouble_t err;
  fill_inputs(data);
  if (run_on_gpu(row->ptx, row->threads, data, &err)) fail_msg("GPU: %s", err.text);
  check_results(row, "GPU", data);
  for (unsigned m = 0; m < BED_MACHINES; m++) {
    fill_inputs(data);
    if (run_on_mpu(row->ptx, row->threads, m, data, &err)) fail_msg("%s: %s", bed_machine_name(m), err.text);
    check_results(row, bed_machine_name(m), data);
  }
}

/* A thread that wants a target that its table does not
 * have ends the run, on either machine, with its line. */
static void test_no_target(void **state) {
  (void)state;
  static const char ptx[] =
      KERNEL("T: .branchtargets A, B;\nand.b32 %r10, %r1, 3;\nbrx.idx %r10, T;\nA: mov.u32 %r0, 1;\nB:");
  static const char want[] = "branches by index 2, its table has 2 targets";
  static uint32_t data[WORDS];
  trouble_t err;
  assert_int_equal(run_on_gpu(ptx, 64, data, &err), 2);
  if (!strstr(err.text, want) || !strstr(err.text, "module.ptx:13: kernel k: ")) fail_msg("%s", err.text);
  for (unsigned m = 0; m < BED_MACHINES; m++) {
    assert_int_equal(run_on_mpu(ptx, 64, m, data, &err), 2);
    if (!strstr(err.text, want) || !strstr(err.text, "module.ptx:13: kernel k: "))
      fail_msg("%s: %s", bed_machine_name(m), err.text);
  }
}

/* What PTX leaves undefined, and threads that wait for ever,
 * end the run on either machine: `line` of their body. */
static void check_wrong(const char *ptx, unsigned line, const char *want) {
  static uint32_t data[WORDS];
  char place[48];
  trouble_t err;
  snprintf(place, sizeof place, "module.ptx:%u: kernel k: ", 11 + line);
  fill_inputs(data);
  assert_int_equal(run_on_gpu(ptx, 64, data, &err), 2);
  if (!strstr(err.text, want) || !strstr(err.text, place)) fail_msg("%s, not %s%s", err.text, place, want);
  for (unsigned m = 0; m < BED_MACHINES; m++) {
    assert_int_equal(run_on_mpu(ptx, 64, m, data, &err), 2);
    if (!strstr(err.text, want) || !strstr(err.text, place))
      fail_msg("%s: %s, not %s%s", bed_machine_name(m), err.text, place, want);
  }
}

/* A lane must be in its own mask, lanes that meet must have
 * one mask, and lanes of a mask must come to one instruction. */
static void test_members(void **state) {
  (void)state;
  static const char outside[] = "has lane 8, which is not in its own membermask 0x000000ff; PTX leaves that undefined";
  static const char several[] =
      "has lane 0 with membermask 0xffffffff and, in it, lane 1 with 0xfffffffe; one for both would be right";
  static const char deadlock[] =
      "is deadlocked: its lanes 0x0000ffff wait for lanes 0xffff0000 of their membermask, which wait at another "
      "instruction";
#define HIGH "and.b32 %r2, %r1, 31;\nsetp.ge.u32 %p1, %r2, 16;\n"
#define MASKS "and.b32 %r2, %r1, 31;\nsetp.eq.u32 %p1, %r2, 0;\nselp.b32 %r3, 0xffffffff, 0xfffffffe, %p1;\n"
  check_wrong(KERNEL("vote.sync.ballot.b32 %r0, %p1, 0xff;"), 0, outside);
  check_wrong(KERNEL("vote.sync.all.pred %p2, %p1, 0xff;"), 0, outside);
  check_wrong(KERNEL("mov.u32 %r3, 0xff;\nmatch.any.sync.b32 %r0, %r1, %r3;"), 1, outside);
  check_wrong(KERNEL("redux.sync.add.u32 %r0, %r1, 0xff;"), 0, outside);
  check_wrong(KERNEL("shfl.sync.idx.b32 %r0, %r1, 0, 31, 0xff;"), 0, outside);
  check_wrong(KERNEL("mov.u32 %r3, 0xff;\nshfl.sync.idx.b32 %r0|%p1, %r1, 0, 31, %r3;"), 1, outside);
  check_wrong(KERNEL("mov.u32 %r3, 0xff;\nbar.warp.sync %r3;"), 1, outside);
  check_wrong(KERNEL(MASKS "vote.sync.any.pred %p2, %p1, %r3;"), 3, several);
  check_wrong(KERNEL(MASKS "bar.warp.sync %r3;"), 3, several);
  check_wrong(
      KERNEL(HIGH "@!%p1 bra L;\nbar.warp.sync 0xffff0000;\nvote.sync.any.pred %p2, %p1, -1;\nL: bar.warp.sync -1;"), 5,
      deadlock);
}

/* Halves of a warp that wait for each other with masks of their own never meet. */
static void test_members_differ(void **state) {
  (void)state;
  check_wrong(
      KERNEL(HIGH "@!%p1 bra L;\nbar.warp.sync 0xffff8000;\nbra E;\nL: bar.warp.sync 0x0001ffff;\nE:"), 3,
      "is deadlocked: its lanes 0xffff0000 wait for lanes 0x00008000 of their membermask, which wait at another "
      "instruction");
}

/* Two halves of a warp, the lower one at L, exchange values at instructions of their own: `low` for
 * lanes below 16 and `high` for the others, and the lane times `grows`. The near-bank processor
 * says that it cannot. */
static const struct {
  const char *ptx;
  uint32_t low, high, grows;
} apart[] = {
#define APART(high, low)                                                                                      \
  KERNEL("and.b32 %r2, %r1, 31;\nsetp.lt.u32 %p1, %r2, 16;\nand.b32 %r3, %r1, 1;\nsetp.eq.u32 %p2, %r3, 1;\n" \
         "add.u32 %r10, %r2, 100;\n"                                                                          \
         "add.u32 %r11, %r2, 200;\n@%p1 bra L;\n" high "\nbra E;\nL: " low "\nE:")
    {APART("vote.sync.ballot.b32 %r0, %p2, -1;", "mov.u32 %r4, -1;\nvote.sync.ballot.b32 %r0, !%p2, %r4;"), 0xaaaa5555,
     0xaaaa5555, 0},
    {APART("vote.sync.all.pred %p3, %p2, -1;\nselp.b32 %r0, 1, 2, %p3;",
           "vote.sync.all.pred %p4, %p1, -1;\nselp.b32 %r0, 3, 4, %p4;"),
     4, 2, 0},
    {APART("vote.sync.any.pred %p3, %p1, -1;\nselp.b32 %r0, 1, 2, %p3;",
           "vote.sync.any.pred %p4, %p2, -1;\nselp.b32 %r0, 3, 4, %p4;"),
     3, 1, 0},
    {APART("shfl.sync.bfly.b32 %r0, %r10, 16, 31, -1;",
           "shfl.sync.bfly.b32 %r4|%p3, %r11, 16, 31, -1;\nselp.b32 %r0, %r4, 0, %p3;"),
     116, 184, 1},
    {APART("redux.sync.add.u32 %r0, 1, -1;", "redux.sync.add.u32 %r0, 1000, -1;"), 16016, 16016, 0},
    {APART("mov.u64 %d5, 0x100000001;\nmatch.any.sync.b64 %r0, %d5, -1;",
           "cvt.u64.u32 %d6, %r3;\nmul.lo.u64 %d6, %d6, 0x100000001;\nmatch.any.sync.b64 %r0, %d6, -1;\n"
           "@!%p2 mov.u32 %r0, 7;\n@%p2 xor.b32 %r0, %r0, 0xffffaaad;"),
     7, 0xffffaaaa, 0},
};

static void test_apart(void **state) {
  (void)state;
  static uint32_t data[WORDS];
  trouble_t err;
  for (unsigned i = 0; i < sizeof apart / sizeof *apart; i++) {
    fill_inputs(data);
    if (run_on_gpu(apart[i].ptx, 64, data, &err)) fail_msg("%s", err.text);
    for (uint32_t t = 0; t < 64; t++) {
      const uint32_t want = (t % 32 < 16 ? apart[i].low : apart[i].high) + apart[i].grows * (t % 32);
      if (data[INPUTS + t] != want) fail_msg("%u: thread %u has 0x%x, not 0x%x", i, t, data[INPUTS + t], want);
    }
    assert_int_equal(run_on_mpu(apart[i].ptx, 64, 0, data, &err), 2);
    if (!strstr(err.text, "is deadlocked: its lanes")) fail_msg("%s", err.text);
  }
  check_wrong(APART("vote.sync.any.pred %p3, %p2, -1;", "vote.sync.all.pred %p3, %p2, -1;"), 7,
              "is deadlocked: its lanes 0xffff0000 wait for lanes 0x0000ffff");
}

/* ---- Random paths with meetings -------------------------------------------------------------- */

/* Each stretch of a program parts threads by a bit of x. On either way are some turns of a loop,
 * and threads that leave (32 and more: none), by a way that never joins, so then the two ways join
 * nowhere. Then the warp meets, or each of its halves or tiles, at an instruction for both ways or
 * at one of each. */
typedef struct {
  unsigned bit, operation, tile, apart, turns[2], leaves[2];
} stretch_t;
enum { STRETCHES = 5, OPERATIONS = 5, TEXT = 16384 };

/* The tile of 8, 16 or 32 lanes that the lane is in. */
static uint32_t group_of(const stretch_t *s, unsigned lane) {
  return (s->tile == 32 ? ~0u : (1u << s->tile) - 1) << lane / s->tile * s->tile;
}

/* What lane i finds out of those that came. */
static uint32_t meeting_result(const stretch_t *s, const uint32_t x[32], uint32_t came, unsigned i) {
  uint32_t ballot = 0, sum = 0, like = 0, any = 0;
  for (uint32_t m = came & group_of(s, i); m; m &= m - 1) {
    const unsigned j = (unsigned)__builtin_ctz(m);
    ballot |= (x[j] >> 2 & 1) << j, sum += x[j], like |= (uint32_t)(((x[j] ^ x[i]) & 3) == 0) << j,
        any |= !(x[j] & 0x70);
  }
  const uint32_t found[OPERATIONS] = {ballot, sum, like, any ? 77 : 5, 9};
  return found[s->operation];
}

/* What each lane of one warp leaves: the value at which it left, or the last one. */
static void expect_meetings(const stretch_t *all, uint32_t first, uint32_t *out) {
  uint32_t x[32], stay = ~0u;
  for (unsigned i = 0; i < 32; i++) x[i] = (first + i) * 2654435769u;
  for (const stretch_t *s = all; s < all + STRETCHES; s++) {
    for (unsigned i = 0; i < 32; i++) {
      const unsigned way = x[i] >> s->bit & 1;
      if (!(stay >> i & 1)) continue;
      for (uint32_t turns = (x[i] & s->turns[way]) + 1; turns; turns--) x[i] = x[i] * 3 + way + 1;
      if ((x[i] >> 8 & 31) == s->leaves[way]) stay &= ~(1u << i), out[i] = x[i] + 1;
    }
    uint32_t found[32];
    for (unsigned i = 0; i < 32; i++) found[i] = meeting_result(s, x, stay, i);
    for (unsigned i = 0; i < 32; i++) x[i] = (x[i] ^ found[i]) * 5 + 1;
  }
  for (unsigned i = 0; i < 32; i++)
    if (stay >> i & 1) out[i] = x[i];
}

static const char *const operations[OPERATIONS] = {
    "and.b32 %r5, %r2, 4;\nsetp.ne.u32 %p2, %r5, 0;\nvote.sync.ballot.b32 %r6, %p2, %r4;\n",
    "redux.sync.add.u32 %r6, %r2, %r4;\n", "and.b32 %r5, %r2, 3;\nmatch.any.sync.b32 %r6, %r5, %r4;\n",
    "and.b32 %r5, %r2, 0x70;\nsetp.eq.u32 %p2, %r5, 0;\nvote.sync.any.pred %p3, %p2, %r4;\n"
    "selp.b32 %r6, 77, 5, %p3;\n",
    "bar.warp.sync %r4;\nmov.u32 %r6, 9;\n"};

/* One of a stretch's two ways: some turns of a loop, lanes
 * that leave, and the meeting if it is the way's own. */
static void write_way(FILE *f, const stretch_t *s, unsigned n, unsigned way) {
  fprintf(f,
          "W%u_%u: and.b32 %%r7, %%r2, %u;\nL%u_%u: mad.lo.u32 %%r2, %%r2, 3, %u;\nsetp.eq.u32 %%p5, %%r7, 0;\n"
          "sub.u32 %%r7, %%r7, 1;\n@!%%p5 bra L%u_%u;\n",
          n, way, s->turns[way], n, way, way + 1, n, way);
  if (s->leaves[way] < 32)
    fprintf(f, "bfe.u32 %%r3, %%r2, 8, 5;\nsetp.eq.u32 %%p4, %%r3, %u;\n@%%p4 bra OUT;\n", s->leaves[way]);
  if (s->apart) fputs(operations[s->operation], f);
  fprintf(f, "bra %c%u;\n", s->apart ? 'J' : 'S', n);
}

/* The program of expect_meetings() in PTX. */
static void write_meetings(const stretch_t *all, char text[TEXT]) {
  static const char frame[] = KERNEL("BODY");
  const char *body = strstr(frame, "BODY");
  FILE *f = fmemopen(text, TEXT, "w");
  fprintf(f, "%.*smul.lo.u32 %%r2, %%r1, 2654435769;\nand.b32 %%r8, %%r1, 31;\n", (int)(body - frame), frame);
  for (unsigned n = 0; n < STRETCHES; n++) {
    const stretch_t *s = &all[n];
    fprintf(f,
            "and.b32 %%r4, %%r8, %u;\nmov.u32 %%r3, 0x%x;\nshl.b32 %%r4, %%r3, %%r4;\nand.b32 %%r3, %%r2, %u;\n"
            "setp.ne.u32 %%p1, %%r3, 0;\n@%%p1 bra W%u_1;\n",
            32 - s->tile, group_of(s, 0), 1u << s->bit, n);
    write_way(f, s, n, 0);
    write_way(f, s, n, 1);
    if (!s->apart) fprintf(f, "S%u:\n%s", n, operations[s->operation]);
    fprintf(f, "J%u: xor.b32 %%r2, %%r2, %%r6;\nmad.lo.u32 %%r2, %%r2, 5, 1;\n", n);
  }
  fprintf(f,
          "mov.u32 %%r0, %%r2;\nbra END;\nOUT: add.u32 %%r2, %%r2, 1;\nst.global.u32 [%%d2+4096], %%r2;\nret;\nEND:%s",
          body + 4);
  fclose(f);
}

/* 60 programs of five stretches. In every second one the ways may meet
 * at instructions of their own, which the near-bank processor cannot. */
static void test_meetings(void **state) {
  (void)state;
  static uint32_t data[WORDS], want[64];
  static char text[TEXT];
  uint64_t seed = 77;
  trouble_t err;
  for (unsigned round = 0; round < 60; round++) {
    stretch_t all[STRETCHES];
    for (unsigned n = 0; n < STRETCHES; n++) {
      const uint32_t r = (uint32_t)test_random(&seed), operation = r >> 8 & 0xff, leaves = (uint32_t)test_random(&seed);
      all[n] = (stretch_t){r & 31, operation % OPERATIONS,     32u >> (r >> 16 & 3),
                           0,      {r >> 18 & 3, r >> 20 & 3}, {leaves & 127, leaves >> 8 & 127}};
      all[n].apart = round % 2 || all[n].operation == 4 ? operation / 8 % 2 : 0;
    }
    write_meetings(all, text);
    expect_meetings(all, 0, want);
    expect_meetings(all, 32, want + 32);
    for (unsigned m = 0; m <= BED_MACHINES; m++) {
      if (m && round % 2) break; /* exchange values at one instruction alone */
      fill_inputs(data);
      if (m ? run_on_mpu(text, 64, m - 1, data, &err) : run_on_gpu(text, 64, data, &err))
        fail_msg("round %u, %u: %s\n%s", round, m, err.text, text);
      for (uint32_t t = 0; t < 64; t++)
        if (data[INPUTS + t] != want[t])
          fail_msg("round %u, %u: thread %u has 0x%x, not 0x%x\n%s", round, m, t, data[INPUTS + t], want[t], text);
    }
  }
}

int main(void) {
  static const struct CMUnitTest others[] = {cmocka_unit_test(test_no_target), cmocka_unit_test(test_members),
                                             cmocka_unit_test(test_members_differ), cmocka_unit_test(test_apart),
                                             cmocka_unit_test(test_meetings)};
  static struct CMUnitTest tests[ROWS + sizeof others / sizeof *others];
  for (unsigned i = 0; i < ROWS; i++)
    tests[i] = (struct CMUnitTest){.name = rows[i].name, .test_func = test_row, .initial_state = &rows[i]};
  memcpy(tests + ROWS, others, sizeof others);
  return cmocka_run_group_tests_name("instr_rows", tests, NULL, NULL);
}
