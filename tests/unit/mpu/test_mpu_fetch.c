/* SPDX-License-Identifier: Apache-2.0
 *
 * The near-bank processor's instruction cache: which instructions miss it, what is read for them
 * and of whom, that every one is the right one.
 */
#include <stdio.h>
#include <string.h>

#include "core_fetch.h"
#include "mpu_bed.h"
#include "unit_test.h"

#define HEAD                                                                             \
  ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n" \
  ".reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %d<9>;\n"

static char text[1 << 16];

/* n moves of which none waits for another, in a loop of `rounds`, and a store:
 * n + 7 instructions, of which the n + 3 after the first are the loop. */
static const char *write_moves(unsigned n, unsigned rounds) {
  size_t used = (size_t)snprintf(text, sizeof text, "%s", HEAD "mov.u32 %r1, 0;\nLOOP:\n");
  for (unsigned i = 0; i < n; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "mov.u32 %%r%u, %u;\n", 2 + i % 20, i);
  snprintf(text + used, sizeof text - used,
           "add.u32 %%r1, %%r1, 1;\nsetp.lt.u32 %%p1, %%r1, %u;\n@%%p1 bra LOOP;\nld.param.u64 %%d1, [a];\n"
           "st.global.u32 [%%d1], %%r1;\nret;\n}\n",
           rounds);
  return text;
}

typedef struct {
  unsigned bytes, ways, mshrs; /* bytes 0: ideal */
  bool once;                   /* one copy for all cores */
} shape_t;

static const shape_t ideal = {0}, paper = {131072, 4, 4, false};

/* One row of cores, no refreshes: cycles depend on fetches alone. */
static mpu_config_t machine_of(unsigned cores, shape_t shape) {
  mpu_config_t c = bed_machine(0);
  c.cores_x = cores, c.cores_y = 1;
  c.mc.vault.refresh = false;
  c.blocks_to = MPU_BLOCKS_BY_NUMBER;
  c.l1i_ideal = !shape.bytes;
  if (shape.bytes)
    c.l1i_bytes = shape.bytes, c.l1i_ways = shape.ways, c.l1i_mshrs = shape.mshrs, c.l1i_copies = !shape.once;
  return c;
}

/* The program of write_moves() in a block a core. The result and the number of
 * instructions are right, and each instruction was a hit, a miss or a merge. */
static mpu_stats_t run_moves_on(const mpu_config_t *c, unsigned n, unsigned rounds, unsigned warps) {
  uint32_t word = 0;
  const unsigned cores = mpu_config_cores(c);
  bed_t bed = {.ptx = write_moves(n, rounds),
               .grid = {cores, 1, 1},
               .block = {32 * warps, 1, 1},
               .data = &word,
               .bytes = sizeof word};
  if (bed_run(&bed, c)) fail_msg("%s", bed.error.text);
  const mpu_stats_t s = bed.stats;
  assert_int_equal(word, rounds);
  assert_int_equal(s.warp_instructions, cores * warps * (1 + rounds * (n + 3) + 3));
  assert_int_equal(s.l1i_hits + s.l1i_misses + s.l1i_merges, c->l1i_ideal ? 0 : s.warp_instructions);
  return s;
}

static mpu_stats_t run_shape(unsigned n, unsigned rounds, shape_t shape, unsigned cores, unsigned warps) {
  const mpu_config_t c = machine_of(cores, shape);
  return run_moves_on(&c, n, rounds, warps);
}

/* Straight on, each line of 16 instructions misses once; in a loop that fits,
 * in its first round alone. A line is four reads: a beat down, five up each. */
static void test_lines(void **state) {
  (void)state;
  static const unsigned sizes[] = {1, 8, 9, 10, 25, 26, 100, 400, 1000};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    for (unsigned rounds = 1; rounds <= 3; rounds += 2) {
      const unsigned lines = (sizes[k] + 7 + 15) / 16;
      const mpu_stats_t s = run_shape(sizes[k], rounds, paper, 1, 1), none = run_shape(sizes[k], rounds, ideal, 1, 1);
      assert_int_equal(s.l1i_misses, lines);
      assert_int_equal(s.l1i_merges, 0);
      assert_int_equal(s.dram_reads - none.dram_reads, 4 * lines);
      assert_int_equal(s.tsv_down[MPU_USE_fetches], 4 * lines);
      assert_int_equal(s.tsv_up[MPU_USE_fetches], 20 * lines);
      assert_int_equal(none.tsv_up[MPU_USE_fetches] + none.l1i_misses, 0);
    }
}

/* One line of cache and a loop over two: each round misses
 * both, but for the first line's, which the round begins in. */
static void test_thrashes(void **state) {
  (void)state;
  const unsigned n = 16 + 8, rounds = 7; /* instruction 0 is before the loop, 1 to 27 are it, 28 to 30 behind it */
  assert_int_equal(run_shape(n, rounds, (shape_t){128, 1, 1, false}, 1, 1).l1i_misses, 2 * rounds);
  assert_int_equal(run_shape(n, rounds, (shape_t){256, 2, 1, false}, 1, 1).l1i_misses, 2);
  assert_int_equal(run_shape(n, rounds, (shape_t){256, 1, 1, false}, 1, 1).l1i_misses, 2);
}

/* A line more that is missed costs as much as each
 * other: what its reads take, instead of nothing. */
static void test_time(void **state) {
  (void)state;
  uint64_t before = 0, cost = 0;
  for (unsigned lines = 4; lines <= 12; lines++) {
    const unsigned n = 16 * lines - 7;
    const uint64_t more = run_shape(n, 1, paper, 1, 1).cycles - run_shape(n, 1, ideal, 1, 1).cycles;
    if (cost) assert_in_range(more - before, cost - 16, cost + 16); /* rows are open or not */
    if (before) cost = more - before;
    before = more;
  }
  const near_mc_config_t mc = near_mc_config_default();
  assert_true(cost > mc.vault.timing.tCL + 4 * 5 / 2); /* a column's time, and 20 beats up */
}

/* A core reads its own copy; where there is one for all, it
 * reads of those that have it, packets for each 32 bytes. */
static void test_copies(void **state) {
  (void)state;
  const unsigned n = 200, lines = (n + 7 + 15) / 16, cores = 4;
  const mpu_stats_t own = run_shape(n, 1, paper, cores, 4), none = run_shape(n, 1, ideal, cores, 4),
                    once = run_shape(n, 1, (shape_t){131072, 4, 4, true}, cores, 4);
  assert_int_equal(own.l1i_misses, cores * lines);
  assert_int_equal(own.packets[0], none.packets[0]);
  assert_int_equal(own.tsv_up[MPU_USE_fetches], cores * lines * 20);
  assert_int_equal(once.l1i_misses, cores * lines);
  assert_int_equal(once.dram_reads - none.dram_reads, cores * lines * 4);
  assert_int_equal(once.packets[0] - none.packets[0], (cores - 1) * lines * 4); /* 4 KB a core: all of it is one's */
  assert_int_equal(once.packets[1] - none.packets[1], (cores - 1) * lines * 4);
  assert_int_equal(once.tsv_up[MPU_USE_fetches], lines * 20);
  assert_int_equal(once.tsv_up[MPU_USE_remote] - none.tsv_up[MPU_USE_remote], (cores - 1) * lines * 20);
}

/* Warps share what one of them has asked for. Whatever the cache and the
 * map, all get their instructions: run_moves_on() looks at the result. */
static void test_shapes(void **state) {
  (void)state;
  for (unsigned mshrs = 1; mshrs <= 32; mshrs *= 2)
    for (unsigned once = 0; once < 2; once++) {
      const unsigned n = 200, lines = (n + 7 + 15) / 16;
      const mpu_stats_t s = run_shape(n, 2, (shape_t){4096, 4, mshrs, once}, 2, 16);
      assert_int_equal(s.l1i_misses, 2 * lines);
      assert_true(s.l1i_merges > 0);
      run_shape(n, 3, (shape_t){128, 1, mshrs, once}, 2, 32); /* each throws out what the other needs */
      for (unsigned unit = 32; unit <= 1024; unit *= 2) {
        mpu_config_t c = machine_of(2, (shape_t){1024, 2, mshrs, once});
        c.unit_bytes = unit, c.core_bytes = 4 * unit;
        c.ponb = unit == 64;
        run_moves_on(&c, n, 1, 8);
      }
    }
}

/* ---- What is wrong is found ------------------------------------------------------------------ */

typedef struct {
  mpu_rig_t rig;
  ptx_module_t *module;
  uint64_t code;
} loaded_t;

/* A machine with a module of 107 instructions, whose
 * copy begins at the first address that is given out. */
static void load_moves(loaded_t *l) {
  const mpu_config_t c = machine_of(1, paper);
  ptx_error_t bad = {0};
  write_moves(100, 1);
  l->module = ptx_parse(text, strlen(text), "fetch.ptx", &bad);
  if (!l->module) fail_msg("%s", bad.trouble.text);
  if (mpu_rig_open(&l->rig, &c) || mpu_load(l->rig.mpu, l->module, &l->rig.error)) fail_msg("%s", l->rig.error.text);
  l->code = mpu_map_stripe(mpu_map(&c)); /* the first address that is given out */
}

/* An instruction that memory has changed is found
 * when it is brought, and ends the run with status 1. */
static void test_wrong_line(void **state) {
  (void)state;
  loaded_t l;
  load_moves(&l);
  const uint32_t wrong[2] = {32, 5}; /* of a kernel that there is not */
  if (mpu_copy_in(l.rig.mpu, l.code + 32 * CORE_FETCH_INSTR_BYTES, wrong, sizeof wrong, &l.rig.error))
    fail_msg("%s", l.rig.error.text);
  uint64_t buffer = mpu_malloc(l.rig.mpu, 64, &l.rig.error);
  const mpu_launch_t launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}, .params = &buffer, .param_bytes = sizeof buffer};
  if (mpu_launch(l.rig.mpu, &launch, &l.rig.error)) fail_msg("%s", l.rig.error.text);
  assert_int_equal(mpu_rig_run(&l.rig), 1);
  if (!strstr(l.rig.error.text, "core 0 wants instruction 32 of kernel 0 and was brought 32 of 5"))
    fail_msg("%s", l.rig.error.text);
  mpu_rig_close(&l.rig);
  ptx_free(l.module);
}

/* An answer without a request is a fault of the machine. */
static void test_not_asked_for(void **state) {
  (void)state;
  static core_fetch_t f;
  core_base_t base = {.id = 3};
  const uint32_t data[8] = {0};
  assert_int_equal(core_fetch_answer(&f, &base, CORE_FETCH_IDS + 7, data), 0);
  assert_int_equal(base.fault.kind, 1);
  assert_non_null(strstr(base.fault.text, "core 3 was brought instructions that it has not asked for"));
}

/* A module that is unloaded gives its instructions' memory back. */
static void test_unload(void **state) {
  (void)state;
  loaded_t l;
  load_moves(&l);
  const uint64_t behind = mpu_malloc(l.rig.mpu, 64, &l.rig.error);
  assert_true(behind > l.code);
  mpu_unload(l.rig.mpu, l.module);
  assert_int_equal(mpu_malloc(l.rig.mpu, 64, &l.rig.error), l.code);
  mpu_rig_close(&l.rig);
  ptx_free(l.module);
}

/* Sets are a power of two, lines have 128 bytes, ways and MSHRs are
 * 1 to 32. By default fetches are ideal, and the cache has 128 KB. */
static void test_config(void **state) {
  (void)state;
  static const struct {
    shape_t shape;
    const char *wrong;
  } row[] = {{{128, 1, 1, false}, NULL},
             {{131072, 32, 32, false}, NULL},
             {{384, 3, 1, false}, NULL},
             {{384, 1, 1, false}, "sets"},
             {{100, 1, 1, false}, "l1i.bytes: 100"},
             {{200, 1, 1, false}, "128 bytes"},
             {{4096, 0, 1, false}, "ways"},
             {{4096, 33, 1, false}, "ways"},
             {{256, 4, 1, false}, "sets"},
             {{4096, 4, 0, false}, "l1i.mshrs: 0"},
             {{4096, 4, 33, false}, "from 1 to 32"}};
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    const mpu_config_t c = machine_of(1, row[i].shape);
    const char *wrong = REFUSAL(mpu_config_check, &c);
    if (!row[i].wrong != !wrong || (wrong && !strstr(wrong, row[i].wrong)))
      fail_msg("row %u: %s", i, wrong ? wrong : "accepted");
  }
  const mpu_config_t c = mpu_config_default();
  assert_true(c.l1i_ideal && c.l1i_bytes == 128 << 10);
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lines),         cmocka_unit_test(test_thrashes), cmocka_unit_test(test_time),
      cmocka_unit_test(test_copies),        cmocka_unit_test(test_shapes),   cmocka_unit_test(test_wrong_line),
      cmocka_unit_test(test_not_asked_for), cmocka_unit_test(test_unload),   cmocka_unit_test(test_config)};
  return cmocka_run_group_tests_name("mpu_fetch", tests, NULL, NULL);
}
