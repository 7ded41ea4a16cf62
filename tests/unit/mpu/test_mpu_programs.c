/* SPDX-License-Identifier: Apache-2.0
 *
 * Random kernels on every kind of machine (mpu_bed.h), compared with the GPU model: memory is the
 * same in the end.
 *
 *   test_mpu_programs [FIRST COUNT]             other seeds than those of the suite; prints a
 *                                               kernel that differs
 *   test_mpu_programs FILE GRID BLOCK SEED      that kernel, cut down by hand
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_rig.h"
#include "mpu_bed.h"
#include "mpu_program.h"
#include "unit_test.h"

static uint64_t first_seed = 1;
static unsigned num_seeds = 200;

static void fill_buffer(uint8_t *data, size_t bytes, uint64_t seed) {
  for (size_t i = 0; i < bytes; i++) data[i] = (uint8_t)test_random(&seed);
}

/* The kernel on a GPU of four SMs without offloading: the reference. */
static int run_on_gpu(const mpu_program_text_t *p, uint8_t *data, size_t bytes) {
  gpu_config_t c = gpu_config_default();
  c.num_sms = 4;
  c.nsu.ratio = 0;
  gpu_rig_t *r = rig_new(&c, p->out.text, p->out.used, "random.ptx", false);
  if (r->err.kind) fail_msg("%s\n%s", p->out.text, r->err.text);
  uint64_t at = gpu_malloc(r->gpu, bytes, &r->err);
  gpu_copy_in(r->gpu, at, data, bytes, &r->err);
  gpu_launch_t l = {.grid = {p->grid, 1, 1}, .block = {p->block, 1, 1}, .params = &at, .param_bytes = sizeof at};
  int status = rig_run(r, &l, 10000000);
  if (status) fputs(p->out.text, stderr), print_message("%s\n", r->err.text);
  gpu_copy_out(r->gpu, data, at, bytes, &r->err);
  rig_free(r);
  return status;
}

/* Prints the kernel and fails with the first byte that differs. */
static void report_difference(const mpu_program_text_t *p, uint64_t seed, unsigned machine, const bed_t *b,
                              const uint8_t *right, size_t bytes) {
  const uint8_t *data = b->data;
  size_t at = 0, wrong = 0;
  for (size_t i = bytes; i-- > 0;)
    if (data[i] != right[i]) at = i, wrong++;
  fputs(p->out.text, stderr);
  fail_msg("seed %llu on %s: %s; %zu of %zu bytes differ, the first at %zu: 0x%02x, not 0x%02x; grid %u block %u",
           (unsigned long long)seed, bed_machine_name(machine), b->error.kind ? b->error.text : "ran", wrong, bytes, at,
           data[at], right[at], p->grid, p->block);
}

/* Results do not depend on how much there is of anything. */
static void vary_machine(mpu_config_t *c, uint64_t seed) {
  if (test_random(&seed) % 3 == 0) return;
  c->tsv_beats = 1 + (unsigned)(test_random(&seed) % 2);
  c->tsv_duplex = test_random(&seed) % 2;
  c->exe_queue = 1 + (unsigned)(test_random(&seed) % 4);
  c->warps = 2 + (unsigned)(test_random(&seed) % 15);
  c->blocks = 1 + (unsigned)(test_random(&seed) % 4);
  c->collect_latency = (unsigned)(test_random(&seed) % 8);
  c->alu_latency = 1 + (unsigned)(test_random(&seed) % 20);
  c->sfu_interval = 1 + (unsigned)(test_random(&seed) % 8);
  c->smem_latency = (unsigned)(test_random(&seed) % 61);
  c->local_ideal = test_random(&seed) % 4 == 0;
  c->l1i_ideal = test_random(&seed) % 2;
  c->l1i_bytes = 128u << test_random(&seed) % 6, c->l1i_ways = 1, c->l1i_mshrs = 1 + (unsigned)(test_random(&seed) % 8);
}

/* The bus moves no more than it can, each request has its
 * answer, and instructions are as many wherever they run. */
static void check_counts(const mpu_config_t *c, const mpu_stats_t *s, uint64_t *instructions) {
  uint64_t beats = 0;
  for (unsigned i = 0; i < 16; i++) beats += s->tsv_beats_down[i] + s->tsv_beats_up[i];
  assert_true(beats <= s->tsv_busy * c->tsv_beats * (c->tsv_duplex ? 2 : 1));
  assert_true(s->packets[0] == s->packets[1] && s->packets[0] == s->remote_transfers);
  assert_true(!*instructions || s->warp_instructions == *instructions);
  *instructions = s->warp_instructions;
}

/* One kernel on the GPU and then on all near-bank machines with parts of random sizes. */
static void run_program(const mpu_program_text_t *p, uint64_t seed) {
  size_t bytes = mpu_program_bytes(p);
  uint64_t instructions = 0;
  uint8_t *in = malloc(bytes), *right = malloc(bytes), *data = malloc(bytes);
  fill_buffer(in, bytes, seed);
  memcpy(right, in, bytes);
  assert_int_equal(run_on_gpu(p, right, bytes), 0);
  for (unsigned m = 0; m < BED_MACHINES; m++) {
    mpu_config_t c = bed_machine(m);
    bed_t b = {.ptx = p->out.text, .grid = {p->grid, 1, 1}, .block = {p->block, 1, 1}, .data = data, .bytes = bytes};
    vary_machine(&c, seed * BED_MACHINES + m);
    memcpy(data, in, bytes);
    if (bed_run(&b, &c) || memcmp(data, right, bytes) != 0) report_difference(p, seed, m, &b, right, bytes);
    check_counts(&c, &b.stats, &instructions);
  }
  free(in), free(right), free(data);
}

/* 200 seeds, or those of the command line. */
static void test_programs(void **state) {
  (void)state;
  static mpu_program_text_t p;
  for (unsigned i = 0; i < num_seeds; i++) {
    mpu_program_make(&p, first_seed + i);
    run_program(&p, first_seed + i);
  }
}

/* A result in the second row of the pair that it is computed
 * from, under a partial mask: found after many seeds. */
static void test_rare(void **state) {
  (void)state;
  static mpu_program_text_t p;
  mpu_program_make(&p, 101493);
  run_program(&p, 101493);
}

static const char *file;
static mpu_program_text_t given;

/* A kernel from a file, with grid, block and seed from the command line. */
static void test_file(void **state) {
  (void)state;
  FILE *f = fopen(file, "r");
  assert_non_null(f);
  given.out.used = fread(given.out.text, 1, sizeof given.out.text - 1, f);
  fclose(f);
  run_program(&given, first_seed);
}

int main(int argc, char **argv) {
  if (argc == 3) first_seed = strtoull(argv[1], NULL, 0), num_seeds = (unsigned)strtoul(argv[2], NULL, 0);
  if (argc == 5)
    file = argv[1], given.grid = (uint32_t)atoi(argv[2]), given.block = (uint32_t)atoi(argv[3]),
    first_seed = strtoull(argv[4], NULL, 0);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rare), cmocka_unit_test(test_programs)},
                          one[] = {cmocka_unit_test(test_file)};
  if (file) return cmocka_run_group_tests_name("mpu_programs", one, NULL, NULL);
  return cmocka_run_group_tests_name("mpu_programs", tests, NULL, NULL);
}
