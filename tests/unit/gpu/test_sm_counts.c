/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels whose cycles, stalls and cache accesses are counted by hand: of one SM, memory behind it
 * of one latency.
 */
#include <stdio.h>
#include <string.h>

#include "gpu_rig.h"
#include "unit_test.h"

#define HEAD ".version 6.0\n.target sm_35\n.address_size 64\n"
#define ENTRY                                                                                            \
  HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<64>;\n.reg .b64 %rd<16>;\n" \
       ".reg .f32 %f<8>;\n"

typedef struct {
  gpu_rig_t *rig;
  uint64_t p;
} bed_t;

/* One SM with one scheduler. */
static gpu_config_t one_sm(void) {
  gpu_config_t c = gpu_config_default();
  c.num_sms = 1;
  c.sm.schedulers = 1;
  return c;
}

/* A kernel with one parameter, a buffer of so many bytes. */
static bed_t counted_bed_new(const gpu_config_t *config, const char *ptx, uint64_t bytes) {
  bed_t b = {rig_new(config, ptx, strlen(ptx), "counted.ptx", config->nsu.ratio > 0), 0};
  if (b.rig->err.kind) fail_msg("%s", b.rig->err.text);
  b.p = gpu_malloc(b.rig->gpu, bytes, &b.rig->err);
  return b;
}

/* A launch; errors fail the test. */
static gpu_stats_t bed_run(bed_t *b, uint32_t ctas, uint32_t threads) {
  const gpu_launch_t l = {.grid = {ctas, 1, 1}, .block = {threads, 1, 1}, .params = &b->p, .param_bytes = sizeof b->p};
  if (rig_run(b->rig, &l, 2000000)) fail_msg("%s", b->rig->err.text);
  if (b->rig->broken) fail_msg("%s", b->rig->broken);
  return gpu_stats(b->rig->gpu);
}

static void bed_words(bed_t *b, uint32_t *words, unsigned n) {
  assert_int_equal(gpu_copy_out(b->rig->gpu, words, b->p, 4ull * n, &b->rig->err), 0);
}

/* ---- Schedulers ------------------------------------------------------------------------------ */

/* Four moves of numbers to registers of the same number; four sums of them in r3. */
#define MOV4(a, b, c, d) \
  "mov.u32 %r" #a ", " #a ";\nmov.u32 %r" #b ", " #b ";\nmov.u32 %r" #c ", " #c ";\nmov.u32 %r" #d ", " #d ";\n"
#define ADD4(a, b, c, d) \
  "add.u32 %r3, %r3, %r" #a ";\nadd.u32 %r3, %r3, %r" #b ";\nadd.u32 %r3, %r3, %r" #c ";\nadd.u32 %r3, %r3, %r" #d ";\n"

/* Each warp reads the clock, issues 16 instructions that wait for nothing, and reads it again. */
static const char clocks[] = ENTRY "mov.u32 %r1, %clock;\n" MOV4(10, 11, 12, 13) MOV4(14, 15, 16, 17) MOV4(
    18, 19, 20, 21) MOV4(22, 23, 24, 25) "mov.u32 %r2, %clock;\nmov.u32 %r3, 0;\n" ADD4(10, 11, 12, 13)
    ADD4(14, 15, 16, 17) ADD4(18, 19, 20, 21) ADD4(
        22, 23, 24,
        25) "ld.param.u64 %rd1, [p];\nmov.u32 %r4, %tid.x;\nmul.wide.u32 %rd2, %r4, 12;\nadd.s64 %rd3, %rd1, %rd2;\n"
            "st.global.u32 [%rd3], %r1;\nst.global.u32 [%rd3+4], %r2;\nst.global.u32 [%rd3+8], %r3;\nret;\n}\n";

/* gto: a warp keeps the scheduler, 17 cycles from one reading to the other. lrr: all warps of the
 * scheduler take turns, so 17 for each, and they begin a cycle apart. */
static void check_schedulers(unsigned policy, unsigned number, unsigned warps) {
  gpu_config_t c = one_sm();
  c.sm.schedulers = number;
  c.sm.scheduler = policy;
  bed_t b = counted_bed_new(&c, clocks, 12 * 1536);
  uint32_t got[48 * 32][3];
  bed_run(&b, 1, 32 * warps);
  bed_words(&b, &got[0][0], 3 * 32 * warps);
  for (unsigned w = 0; w < warps; w++) {
    const unsigned mates = (warps - w % number + number - 1) / number;
    for (unsigned i = 32 * w; i < 32 * w + 32; i++) {
      assert_int_equal(got[i][1] - got[i][0], policy == GPU_SCHEDULER_lrr ? 17 * mates : 17);
      if (policy == GPU_SCHEDULER_lrr) assert_int_equal(got[i][0] - got[0][0], w / number);
      assert_int_equal(got[i][2], (10 + 25) * 16 / 2);
    }
  }
  rig_free(b.rig);
}

/* Both rules, one to four schedulers, one to eleven warps. */
static void test_schedulers(void **state) {
  (void)state;
  for (unsigned policy = 0; policy < GPU_SCHEDULERS; policy++)
    for (unsigned number = 1; number <= GPU_SCHEDULERS_MOST; number++)
      for (unsigned warps = 1; warps <= 11; warps += 1 + (warps == 5)) check_schedulers(policy, number, warps);
}

/* ---- Execution units ------------------------------------------------------------------------- */

enum { OF_A_KIND = 16 };

/* As `clocks`, of instructions that take a unit: a letter each, f(p32), i(nteger), s(pecial),
 * d(ouble). Returns the cycles from the first reading of any warp to the last of any. */
static unsigned cycles_of_units(const gpu_config_t *c, const char *kinds, unsigned warps) {
  char text[4096];
  size_t used = (size_t)snprintf(text, sizeof text, "%s.reg .f64 %%fd<2>;\nmov.u32 %%r1, %%clock;\n", ENTRY);
  for (unsigned i = 0; i < OF_A_KIND; i++) {
    const char kind = kinds[i % strlen(kinds)];
    char *at = text + used;
    const size_t room = sizeof text - used;
    switch (kind) {
    case 'f': used += (size_t)snprintf(at, room, "add.f32 %%f0, 0f3f800000, 0f3f800000;\n"); break;
    case 'i': used += (size_t)snprintf(at, room, "mov.u32 %%r%u, 7;\n", 10 + i); break;
    case 's': used += (size_t)snprintf(at, room, "sqrt.rn.f32 %%f0, 0f3f800000;\n"); break;
    default: used += (size_t)snprintf(at, room, "add.f64 %%fd0, 0d3ff0000000000000, 0d3ff0000000000000;\n");
    }
  }
  snprintf(text + used, sizeof text - used,
           "mov.u32 %%r2, %%clock;\nld.param.u64 %%rd1, [p];\nmov.u32 %%r4, %%tid.x;\nmul.wide.u32 %%rd2, %%r4, 8;\n"
           "add.s64 %%rd3, %%rd1, %%rd2;\n"
           "st.global.u32 [%%rd3], %%r1;\nst.global.u32 [%%rd3+4], %%r2;\nret;\n}\n");
  bed_t b = counted_bed_new(c, text, 8 * 2048);
  static uint32_t got[2048][2];
  uint32_t first = UINT32_MAX, last = 0;
  bed_run(&b, 1, 32 * warps);
  bed_words(&b, &got[0][0], 2 * 32 * warps);
  for (unsigned i = 0; i < 32 * warps; i++)
    first = got[i][0] < first ? got[i][0] : first, last = got[i][1] > last ? got[i][1] : last;
  rig_free(b.rig);
  return last - first;
}

/* One warp: an instruction of a kind every so many cycles, those
 * of two kinds between each other; an interval of 1 is none.
 * Cycles: the first reading, 15 intervals between 16 instructions (7 of a kind where
 * two take turns), the second reading. Moves and readings are integer instructions. */
static void test_intervals(void **state) {
  (void)state;
  gpu_config_t c = one_sm();
  c.sm.alu_latency = c.sm.sfu_latency = 1; /* nobody waits for a register that is written twice */
  assert_int_equal(cycles_of_units(&c, "f", 1), 17);
  assert_int_equal(cycles_of_units(&c, "i", 1), 17);
  c.sm.fp_interval = 2;
  assert_int_equal(cycles_of_units(&c, "f", 1), 1 + 15 * 2 + 1);
  assert_int_equal(cycles_of_units(&c, "i", 1), 17);
  c.sm.int_interval = 2;
  assert_int_equal(cycles_of_units(&c, "i", 1), 17 * 2);
  assert_int_equal(cycles_of_units(&c, "fi", 1), 18); /* the reading of the clock waits for the last move */
  c.sm.fp_interval = c.sm.int_interval = 1, c.sm.sfu_interval = 8, c.sm.dp_interval = 4;
  assert_int_equal(cycles_of_units(&c, "s", 1), 1 + 15 * 8 + 1);
  assert_int_equal(cycles_of_units(&c, "d", 1), 1 + 15 * 4 + 1);
  assert_int_equal(cycles_of_units(&c, "sd", 1), 1 + 7 * 8 + 1 + 1);
}

/* Of a scheduler's own units, each with its interval, warps of other
 * schedulers see nothing; of the SM's, all warps wait for one. */
static void test_partitions(void **state) {
  (void)state;
  gpu_config_t c = one_sm();
  c.sm.alu_latency = c.sm.sfu_latency = 1, c.sm.fp_interval = 2, c.sm.sfu_interval = 8, c.sm.dp_interval = 4;
  for (unsigned number = 1; number <= GPU_SCHEDULERS_MOST; number++) {
    c.sm.schedulers = number;
    for (unsigned own = 0; own < 2; own++) {
      c.sm.partitions = own;
      const unsigned warps = own ? 1 : number; /* at a unit */
      assert_in_range(cycles_of_units(&c, "f", number), 16 * 2 * warps - 1, 16 * 2 * warps + number);
      assert_in_range(cycles_of_units(&c, "s", number), 16 * 8 * warps - 7, 16 * 8 * warps);
      assert_in_range(cycles_of_units(&c, "d", number), 16 * 4 * warps - 3, 16 * 4 * warps);
    }
  }
}

/* 64 warps, on four schedulers: a turn each. Instructions of a warp: the clock, 16
 * moves, the clock and a move, 16 sums, four for the address, three stores, ret. */
static void test_64_warps(void **state) {
  (void)state;
  gpu_config_t c = one_sm();
  c.sm.threads = 2048, c.sm.registers = 65536, c.sm.schedulers = 4, c.sm.scheduler = GPU_SCHEDULER_lrr;
  bed_t b = counted_bed_new(&c, clocks, 12 * 2048);
  static uint32_t got[2048][3];
  bed_run(&b, 2, 1024);
  bed_words(&b, &got[0][0], 3 * 1024); /* both CTAs write the same places */
  for (unsigned i = 0; i < 1024; i++) assert_int_equal(got[i][2], (10 + 25) * 16 / 2);
  assert_int_equal(gpu_stats(b.rig->gpu).warp_instructions, 64 * (1 + 16 + 2 + 16 + 4 + 3 + 1));
  rig_free(b.rig);
}

/* ---- SMs ------------------------------------------------------------------------------------- */

/* CTAs go round the SMs: with as many, each SM has one. */
static void test_every_sm(void **state) {
  (void)state;
  static const unsigned sms[] = {1, 63, 64, 65, 72, 127, 128};
  for (unsigned k = 0; k < sizeof sms / sizeof *sms; k++) {
    gpu_config_t c = gpu_config_default();
    c.num_sms = sms[k];
    bed_t b = counted_bed_new(
        &c,
        ENTRY "mov.u32 %r1, %smid;\nmov.u32 %r2, %nsmid;\nmov.u32 %r3, %ctaid.x;\nld.param.u64 %rd1, [p];\n"
              "mul.wide.u32 %rd2, %r3, 8;\n"
              "add.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r1;\nst.global.u32 [%rd3+4], %r2;\nret;\n}\n",
        8 * 128);
    uint32_t got[128][2];
    bed_run(&b, sms[k], 32);
    bed_words(&b, &got[0][0], 2 * sms[k]);
    for (unsigned i = 0; i < sms[k]; i++) {
      assert_int_equal(got[i][0], i);
      assert_int_equal(got[i][1], sms[k]);
    }
    rig_free(b.rig);
  }
}

/* ---- Instruction cache ----------------------------------------------------------------------- */

static char text[1 << 16];

/* A kernel of one warp: n moves of which none waits for another, in a loop of `rounds`,
 * and a store: n + 7 instructions, of which the n + 3 after the first are the loop. */
static const char *write_moves(unsigned n, unsigned rounds) {
  size_t used = (size_t)snprintf(text, sizeof text, "%s", ENTRY "mov.u32 %r1, 0;\nLOOP:\n");
  for (unsigned i = 0; i < n; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "mov.u32 %%r%u, %u;\n", 2 + i % 20, i);
  used += (size_t)snprintf(
      text + used, sizeof text - used,
      "add.u32 %%r1, %%r1, 1;\nsetp.lt.u32 %%p1, %%r1, %u;\n@%%p1 bra LOOP;\nld.param.u64 %%rd1, [p];\n"
      "st.global.u32 [%%rd1], %%r1;\n"
      "ret;\n}\n",
      rounds);
  return text;
}

typedef struct {
  unsigned bytes, ways, mshrs; /* bytes 0: ideal */
} l1i_shape_t;

/* That kernel with an instruction cache of this
 * shape. Counts that hold for each are checked here. */
static gpu_stats_t run_moves(unsigned n, unsigned rounds, l1i_shape_t shape, unsigned sms, unsigned warps) {
  gpu_config_t c = one_sm();
  uint32_t word;
  c.num_sms = sms;
  c.sm.registers = 65536;
  c.l1i.ideal = !shape.bytes;
  if (shape.bytes) c.l1i.bytes = shape.bytes, c.l1i.ways = shape.ways, c.l1i.mshrs = shape.mshrs;
  bed_t b = counted_bed_new(&c, write_moves(n, rounds), 128);
  const gpu_stats_t s = bed_run(&b, sms, 32 * warps);
  bed_words(&b, &word, 1);
  assert_int_equal(word, rounds);
  rig_free(b.rig);
  assert_int_equal(s.warp_instructions, sms * warps * (1 + rounds * (n + 3) + 3));
  assert_int_equal(s.l1i_hits + s.l1i_misses + s.l1i_merges, shape.bytes ? s.warp_instructions : 0);
  assert_int_equal(s.l2_hits + s.l2_misses + s.l2_merges, s.l1i_misses + s.l1_misses);
  return s;
}

/* NSU paper, Table 2 (test_gpu_parts.c). */
static const l1i_shape_t paper = {4096, 4, 2};

/* Straight on, each line of 16 instructions misses once; in a loop that fits,
 * in its first round alone. n + 7 instructions of 8 bytes, in lines of 128. */
static void test_l1i_lines(void **state) {
  (void)state;
  static const unsigned sizes[] = {1, 9, 10, 11, 25, 26, 100, 400, 505};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    for (unsigned rounds = 1; rounds <= 3; rounds += 2) {
      const unsigned lines = (sizes[k] + 7 + 15) / 16;
      const gpu_stats_t s = run_moves(sizes[k], rounds, paper, 1, 1);
      assert_int_equal(s.l1i_misses, lines);
      assert_int_equal(s.l1i_merges, 0);
      assert_int_equal(s.l2_misses, lines); /* they come from memory */
      assert_int_equal(run_moves(sizes[k], rounds, (l1i_shape_t){0}, 1, 1).l1i_misses, 0);
    }
}

/* One line of cache and a loop over two: each round misses
 * both, but for the first line's, which the round begins in. */
static void test_l1i_thrashes(void **state) {
  (void)state;
  const unsigned n = 16 + 8, rounds = 7; /* instruction 0 is before the loop, 1 to 27 are it, 28 to 30 behind it */
  assert_int_equal(run_moves(n, rounds, (l1i_shape_t){128, 1, 1}, 1, 1).l1i_misses, 2 * rounds);
  assert_int_equal(run_moves(n, rounds, (l1i_shape_t){256, 2, 1}, 1, 1).l1i_misses, 2);
  assert_int_equal(run_moves(n, rounds, (l1i_shape_t){256, 1, 1}, 1, 1).l1i_misses, 2);
}

/* A line more that is missed costs as much as each other: what
 * a READ takes to memory and back, instead of nothing. */
static void test_l1i_time(void **state) {
  (void)state;
  uint64_t cost = 0;
  for (unsigned lines = 4; lines <= 12; lines++) { /* from where nobody waits for the first ones' results */
    const unsigned n = 16 * lines - 7;
    const uint64_t ideal = run_moves(n, 1, (l1i_shape_t){0}, 1, 1).core_cycles,
                   real = run_moves(n, 1, paper, 1, 1).core_cycles;
    const uint64_t before = run_moves(n - 16, 1, (l1i_shape_t){0}, 1, 1).core_cycles,
                   then = run_moves(n - 16, 1, paper, 1, 1).core_cycles;
    const uint64_t more = (real - ideal) - (then - before);
    if (cost) assert_in_range(more, cost - 2, cost + 2); /* two clocks meet differently */
    cost = more;
  }
  const gpu_config_t c = gpu_config_default();
  assert_true(cost > 100 + c.l2.latency); /* the rig's memory, and the L2 on the way */
}

/* Warps and SMs share what one of them has asked for; any
 * number of MSHRs gives all of them their instructions. */
static void test_l1i_shared(void **state) {
  (void)state;
  for (unsigned mshrs = 1; mshrs <= 64; mshrs *= 8) {
    const unsigned n = 200, lines = (n + 7 + 15) / 16;
    const gpu_stats_t s = run_moves(n, 2, (l1i_shape_t){4096, 4, mshrs}, 3, 24);
    assert_int_equal(s.l1i_misses, 3 * lines);
    assert_true(s.l1i_merges > 0);
    assert_int_equal(s.l2_misses, lines);
    assert_int_equal(s.l2_hits + s.l2_merges, 2 * lines);
    /* each throws out what the other needs: still all are right */
    run_moves(n, 3, (l1i_shape_t){128, 1, mshrs}, 2, 48);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_schedulers),   cmocka_unit_test(test_intervals), cmocka_unit_test(test_partitions),
      cmocka_unit_test(test_64_warps),     cmocka_unit_test(test_every_sm),  cmocka_unit_test(test_l1i_lines),
      cmocka_unit_test(test_l1i_thrashes), cmocka_unit_test(test_l1i_time),  cmocka_unit_test(test_l1i_shared)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
