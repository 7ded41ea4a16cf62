/* SPDX-License-Identifier: Apache-2.0
 *
 * Where addresses and blocks of threads are, by every rule: places are one to one, results the same
 * by all maps, blocks at the cores that the rule says, batches one after the other.
 */
#include <stdio.h>
#include <string.h>

#include "mpu_bed.h"
#include "mpu_map.h"
#include "unit_test.h"

#define HEAD                                                                                                         \
  ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u32 n)\n{\n"              \
  ".reg .pred %p<9>; .reg .b32 %r<20>;\n"                                                                            \
  ".reg .b64 %d<9>;\nld.param.u64 %d1, [a];\nld.param.u32 %r9, [n];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n" \
  "mov.u32 %r3, %ntid.x;\n"

/* Four cores with this map. */
static mpu_config_t machine_with_map(unsigned unit_bytes, unsigned core_bytes) {
  mpu_config_t c = bed_machine(0);
  c.unit_bytes = unit_bytes, c.core_bytes = core_bytes;
  return c;
}

/* ---- Addresses ------------------------------------------------------------------------------- */

/* The map's inverse, from mpu_map.h's description:
 * unit's piece, core's piece, core, rest. */
static uint64_t address_of_place(const mpu_config_t *c, mpu_place_t p) {
  const uint64_t pieces = c->core_bytes / c->unit_bytes / 4, piece = p.addr / c->unit_bytes % pieces,
                 rest = p.addr / c->unit_bytes / pieces;
  return (rest * mpu_config_cores(c) + p.core) * c->core_bytes + (piece * 4 + p.nbu) * c->unit_bytes +
         p.addr % c->unit_bytes;
}

/* Every address has a place of its own: the place gives it back, and is in the machine. */
static void check_one_to_one(const mpu_config_t *c, uint64_t *seed) {
  const mpu_map_t map = mpu_map(c);
  const uint64_t total = mpu_map_bytes(map);
  assert_true(total == (UINT64_C(1) << 28) * mpu_config_cores(c));
  for (unsigned i = 0; i < 4000; i++) {
    uint64_t a;
    if (i < 1000) a = i * 32;
    else if (i < 2000) a = total - 1 - (i - 1000) * 32;
    else a = test_random(seed) % total;
    const mpu_place_t p = mpu_map_place(map, a);
    assert_true(p.core < mpu_config_cores(c) && p.nbu < 4 && p.addr < 1u << MPU_UNIT_BITS);
    assert_true(address_of_place(c, p) == a);
    assert_true(mpu_map_image(p.core * 4u + p.nbu, p.addr) < total);
  }
  assert_true(mpu_map_stripe(map) == (uint64_t)c->core_bytes * mpu_config_cores(c));
  assert_int_equal(mpu_map_place(map, mpu_map_stripe(map)).core, 0);
  assert_int_equal(mpu_map_place(map, mpu_map_stripe(map)).addr, c->core_bytes / 4);
}

/* All maps of 8 to 128 cores. */
static void test_addresses(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (unsigned cores = 1; cores <= 16; cores *= 2)
    for (unsigned unit = 32; unit <= 1024; unit *= 2)
      for (unsigned core = 4 * unit; core <= 65536; core *= 2) {
        mpu_config_t c = machine_with_map(unit, core);
        c.cubes_x = 8, c.cores_x = cores, c.cores_y = 1;
        assert_null(REFUSAL(mpu_config_check, &c));
        check_one_to_one(&c, &seed);
      }
}

/* Words, their addresses and neighbours in other pieces: out[i]
 * = in[i] + in[n - 1 - i] + in[i + 1], 0 behind the last. */
static const char mix[] = HEAD
    "mad.lo.u32 %r4, %r2, %r3, %r1;\nsetp.ge.u32 %p1, %r4, %r9;\n@%p1 ret;\nmad.wide.u32 %d2, %r4, 4, %d1;\n"
    "sub.u32 %r5, %r9, %r4;\nmad.wide.u32 %d3, %r5, 4, %d1;\nld.global.u32 %r6, [%d2];\nld.global.u32 %r7, [%d3+-4];\n"
    "add.u32 %r6, %r6, %r7;\nadd.u32 %r8, %r4, 1;\nsetp.lt.u32 %p2, %r8, %r9;\n@%p2 ld.global.u32 %r7, [%d2+4];\n"
    "@!%p2 mov.u32 %r7, 0;\nadd.u32 %r6, %r6, %r7;\nmad.wide.u32 %d4, %r9, 4, %d2;\nst.global.u32 [%d4], %r6;\nret;\n"
    "}\n";

/* Six maps with blocks by address, and with blocks
 * by number in batches: the results are the same. */
static void test_results(void **state) {
  (void)state;
  enum { N = 5003 };
  static uint32_t in[N], data[2 * N];
  static const unsigned maps[][2] = {{32, 128}, {64, 4096}, {128, 512}, {128, 4096}, {256, 1024}, {1024, 65536}};
  uint64_t seed = 3;
  for (unsigned i = 0; i < N; i++) in[i] = (uint32_t)test_random(&seed);
  for (unsigned k = 0; k < 2 * sizeof maps / sizeof *maps; k++) {
    mpu_config_t c = machine_with_map(maps[k / 2][0], maps[k / 2][1]);
    c.blocks_to = k % 2 ? MPU_BLOCKS_BY_NUMBER : MPU_BLOCKS_BY_ADDRESS;
    c.batches = k % 2;
    bed_t bed = {
        .ptx = mix, .grid = {(N + 127) / 128, 1, 1}, .block = {128, 1, 1}, .data = data, .bytes = sizeof data, .n = N};
    memset(data, 0, sizeof data);
    memcpy(data, in, sizeof in);
    if (bed_run(&bed, &c)) fail_msg("%u, %u: %s", c.unit_bytes, c.core_bytes, bed.error.text);
    for (uint32_t i = 0; i < N; i++) assert_int_equal(data[N + i], in[i] + in[N - 1 - i] + (i + 1 < N ? in[i + 1] : 0));
  }
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* Of block b words 4 b .. 4 b + 2: core, first and last
 * cycle; even blocks take longer than odd ones. */
static const char place[] =
    HEAD "mov.u32 %r4, %clock;\nand.b32 %r5, %r2, 1;\nxor.b32 %r5, %r5, 1;\nmul.lo.u32 %r5, %r5, 60;\n"
         "L: setp.eq.u32 %p1, %r5, 0;\n"
         "@%p1 bra M;\nsub.u32 %r5, %r5, 1;\nbra L;\nM: mov.u32 %r6, %smid;\nmad.wide.u32 %d2, %r2, 16, %d1;\n"
         "bar.sync 0;\nmov.u32 %r7, %clock;\nsetp.ne.u32 %p2, %r1, 0;\n@%p2 ret;\n"
         "st.global.u32 [%d2], %r6;\nst.global.u32 [%d2+4], %r4;\nst.global.u32 [%d2+8], %r7;\nret;\n}\n";

enum { BLOCKS = 64, CORES = 4 };
typedef struct {
  uint32_t core, first, last, unused;
} seen_t;

static const seen_t *run_blocks(const mpu_config_t *c, uint32_t blocks, uint32_t threads) {
  static seen_t seen[BLOCKS];
  bed_t bed = {.ptx = place, .grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .data = seen, .bytes = sizeof seen};
  memset(seen, 0, sizeof seen);
  if (bed_run(&bed, c)) fail_msg("%s", bed.error.text);
  return seen;
}

/* Block b goes to core b modulo 4. */
static void test_by_number(void **state) {
  (void)state;
  mpu_config_t c = machine_with_map(128, 512);
  c.blocks_to = MPU_BLOCKS_BY_NUMBER;
  for (uint32_t blocks = 1; blocks <= BLOCKS; blocks = blocks * 2 + 1) {
    const seen_t *seen = run_blocks(&c, blocks, 64);
    for (uint32_t b = 0; b < blocks; b++) assert_int_equal(seen[b].core, b % CORES);
  }
}

/* Block b goes to the core that has its threads' words, 4 bytes a thread. */
static void test_by_address(void **state) {
  (void)state;
  for (unsigned core_bytes = 512; core_bytes <= 4096; core_bytes *= 2) {
    const mpu_config_t c = machine_with_map(128, core_bytes);
    const seen_t *seen = run_blocks(&c, BLOCKS, 128);
    for (uint32_t b = 0; b < BLOCKS; b++) assert_int_equal(seen[b].core, b * 128 * 4 / core_bytes % CORES);
  }
}

/* A block whose words several cores have goes to these in turn, so that none is left out. */
static void test_spread(void **state) {
  (void)state;
  const mpu_config_t c = machine_with_map(128, 512);
  for (unsigned cores = 1; cores <= 8; cores *= 2) { /* that have words of a block */
    const seen_t *seen = run_blocks(&c, BLOCKS, 128 * cores);
    for (uint32_t b = 0; b < BLOCKS; b++)
      assert_int_equal(seen[b].core, (b * cores + b * cores / CORES % cores) % CORES);
  }
}

/* By address with 512 bytes a core a block of 128 threads goes where it goes by number. */
static void test_both_rules(void **state) {
  (void)state;
  mpu_config_t c = machine_with_map(128, 512);
  seen_t by_address[BLOCKS];
  memcpy(by_address, run_blocks(&c, BLOCKS, 128), sizeof by_address);
  c.blocks_to = MPU_BLOCKS_BY_NUMBER;
  assert_memory_equal(by_address, run_blocks(&c, BLOCKS, 128), sizeof by_address);
}

/* Blocks of a core that began while an earlier one of it that is not in its batch still ran. */
static unsigned count_overlaps(const mpu_config_t *c) {
  const seen_t *seen = run_blocks(c, BLOCKS, 32);
  unsigned count = 0;
  for (uint32_t b = 0; b < BLOCKS; b++)
    for (uint32_t earlier = b % CORES; earlier < b; earlier += CORES)
      count += b / CORES / c->blocks != earlier / CORES / c->blocks && seen[b].first < seen[earlier].last;
  return count;
}

/* With batches no block begins while one of the
 * core's earlier batch runs. Without them some do. */
static void test_batches(void **state) {
  (void)state;
  mpu_config_t c = machine_with_map(128, 512);
  c.blocks_to = MPU_BLOCKS_BY_NUMBER;
  for (c.blocks = 1; c.blocks <= 8; c.blocks++) {
    c.batches = true;
    assert_int_equal(count_overlaps(&c), 0);
    c.batches = false;
    if (c.blocks == 3) assert_true(count_overlaps(&c) > 0);
  }
}

int main(void) {
  static const struct CMUnitTest tests[] = {cmocka_unit_test(test_addresses), cmocka_unit_test(test_results),
                                            cmocka_unit_test(test_by_number), cmocka_unit_test(test_by_address),
                                            cmocka_unit_test(test_spread),    cmocka_unit_test(test_both_rules),
                                            cmocka_unit_test(test_batches)};
  return cmocka_run_group_tests_name("mpu_map", tests, NULL, NULL);
}
