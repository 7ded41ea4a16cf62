/* SPDX-License-Identifier: Apache-2.0
 *
 * Offload blocks whose loads may read what their stores write: one buffer passed twice, at every
 * distance, in words and in bytes. Instances that overlap stay on the GPU and are counted, the
 * others are offloaded; memory ends as if each warp went in lockstep.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_rig.h"
#include "unit_test.h"

/* REGION: words of a warp. */
enum { WARPS = 16, REGION = 256, WORDS = WARPS * REGION, BYTES = 4 * WORDS };

/* A warp has a region of 256 words of `a` and of `b`, at %d1 and %d2; its
 * distance, from a table of words, is in %r2, and 4 times the thread in %d3. */
#define KERNEL(body)                                                                                                  \
  ".version 6.0\n.target sm_35\n.address_size 64\n"                                                                   \
  ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 table)\n{\n"                                           \
  ".reg .pred %p<4>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %d<20>;\n"                                          \
  "ld.param.u64 %d10, [a]; ld.param.u64 %d11, [b]; ld.param.u64 %d12, [table]; mov.u32 %r1, %ctaid.x; mov.u32 %r0, "  \
  "%tid.x;\n"                                                                                                         \
  "mul.wide.u32 %d13, %r1, 1024; add.s64 %d1, %d10, %d13; add.s64 %d2, %d11, %d13; mul.wide.u32 %d3, %r0, 4;\n"       \
  "mul.wide.u32 %d14, %r1, 4; add.s64 %d15, %d12, %d14; ld.global.u32 %r2, [%d15]; setp.lt.u32 %p1, %r0, 8; bra L;\n" \
  "L:\n" body "\nret;\n}\n"

/* Two words each way; the second is read at the distance. The
 * looked at: three operations for its address, three accesses. */
#define COPY(guard)                                                                                             \
  KERNEL("add.s64 %d6, %d1, %d3; add.s64 %d7, %d2, %d3; ld.global.u32 %r3, [%d6]; add.u32 %r4, %r3, 5;\n" guard \
         " st.global.u32 [%d7], %r4; mul.wide.s32 %d4, %r2, 4; add.s64 %d5, %d3, %d4; add.s64 %d8, %d1, %d5;\n" \
         "ld.global.u32 %r5, [%d8]; xor.b32 %r6, %r5, 255; st.global.u32 [%d7+512], %r6;")
enum { COPY_SLOTS = 6 };

/* A byte is written, two bytes are read at a distance in bytes. */
static const char bytes_kernel[] = KERNEL(
    "add.s64 %d6, %d1, %d3; add.s64 %d7, %d2, %d3; ld.global.u32 %r3, [%d6]; st.global.u8 [%d7+1], %r3; cvt.u64.u32 "
    "%d4, %r2;\n"
    "add.s64 %d8, %d6, %d4; ld.global.u16 %h1, [%d8]; st.global.u16 [%d7+512], %h1;");

typedef struct {
  gpu_rig_t *rig;
  uint64_t a, other, table;
} bed_t;

/* Four SMs, with random times of answers. */
static bed_t overlap_bed_new(const char *ptx, double ratio) {
  gpu_config_t c = gpu_config_default();
  c.num_sms = 4;
  c.nsu.ratio = ratio;
  bed_t b = {.rig = rig_new(&c, ptx, strlen(ptx), "overlap.ptx", ratio > 0)};
  if (b.rig->err.kind) fail_msg("%s", b.rig->err.text);
  b.rig->random = 3;
  b.a = gpu_malloc(b.rig->gpu, BYTES, &b.rig->err);
  b.other = gpu_malloc(b.rig->gpu, BYTES, &b.rig->err);
  b.table = gpu_malloc(b.rig->gpu, 4 * WARPS, &b.rig->err);
  return b;
}

/* Both buffers get the same words; the table has each warp's distance. */
static void bed_fill(bed_t *b, const uint8_t *a, const uint32_t *table) {
  gpu_copy_in(b->rig->gpu, b->a, a, BYTES, &b->rig->err);
  gpu_copy_in(b->rig->gpu, b->other, a, BYTES, &b->rig->err);
  gpu_copy_in(b->rig->gpu, b->table, table, 4 * WARPS, &b->rig->err);
}

/* second: what the kernel gets as b. */
static int bed_run(bed_t *b, uint64_t second, uint32_t threads) {
  const uint64_t params[] = {b->a, second, b->table};
  gpu_launch_t l = {.grid = {WARPS, 1, 1}, .block = {threads, 1, 1}, .params = params, .param_bytes = sizeof params};
  int status = rig_run(b->rig, &l, 2000000);
  if (b->rig->broken) fail_msg("%s", b->rig->broken);
  return status;
}

/* BYTES random bytes. */
static void random_words(void *words, uint64_t seed) {
  for (unsigned i = 0; i < BYTES; i++) ((uint8_t *)words)[i] = (uint8_t)test_random(&seed);
}

static unsigned distance_of(unsigned warp) {
  return 7 * warp; /* 0 .. 105 */
}

/* The kernel on the host, warp by warp, instruction by instruction; shift:
 * words from a to b, of one buffer. Returns the warps that overlap. */
static unsigned copy_on_host(uint32_t *a, uint32_t *b, unsigned shift, unsigned guarded, unsigned threads,
                             bool one_buffer) {
  unsigned overlaps = 0;
  for (unsigned w = 0; w < WARPS; w++) {
    uint32_t *from = a + w * REGION, *to = b + w * REGION, first[32], second[32];
    unsigned distance = distance_of(w);
    bool overlap = false;
    for (unsigned i = 0; i < threads; i++) first[i] = from[i] + 5;
    for (unsigned i = 0; i < guarded; i++) to[i] = first[i];
    for (unsigned i = 0; i < threads; i++) second[i] = from[i + distance] ^ 255;
    for (unsigned i = 0; i < threads; i++) to[i + 128] = second[i];
    for (unsigned i = 0; i < threads; i++)
      overlap |= one_buffer && i + distance >= shift && i + distance - shift < guarded;
    overlaps += overlap;
  }
  return overlaps;
}

/* The kernel against the host: memory, and how many blocks went and stayed. */
static void run_copy(const char *ptx, unsigned shift, bool one_buffer, unsigned guarded, unsigned threads) {
  static uint32_t a[WORDS], b[WORDS], got[WORDS];
  uint32_t table[WARPS];
  bed_t bed = overlap_bed_new(ptx, 1);
  random_words(a, shift + 1);
  memcpy(b, a, sizeof b);
  for (unsigned w = 0; w < WARPS; w++) table[w] = distance_of(w);
  bed_fill(&bed, (uint8_t *)a, table);
  uint64_t second = one_buffer ? bed.a + 4 * shift : bed.other;
  const unsigned overlaps = copy_on_host(a, one_buffer ? a + shift : b, shift, guarded, threads, one_buffer);
  if (bed_run(&bed, second, threads)) fail_msg("%s", bed.rig->err.text);
  gpu_copy_out(bed.rig->gpu, got, bed.a, sizeof got, &bed.rig->err);
  assert_memory_equal(got, a, sizeof a);
  gpu_copy_out(bed.rig->gpu, got, bed.other, sizeof got, &bed.rig->err);
  if (!one_buffer) assert_memory_equal(got, b, sizeof b);
  gpu_stats_t s = gpu_stats(bed.rig->gpu);
  assert_int_equal(s.blocks_overlap, overlaps);
  assert_int_equal(s.blocks_kept, overlaps);
  assert_int_equal(s.blocks_offloaded, WARPS - overlaps);
  assert_int_equal(gpu_log(bed.rig->gpu).block[0].offloaded, WARPS - overlaps);
  assert_int_equal(gpu_log(bed.rig->gpu).block[0].kept, overlaps);
  assert_int_equal(s.look_slots, one_buffer ? WARPS * COPY_SLOTS : 0);
  assert_int_equal(packet_pool_live(bed.rig->pool), 0);
  rig_free(bed.rig);
}

/* They never overlap, and nothing is looked at. */
static void test_two_buffers(void **state) {
  (void)state;
  run_copy(COPY(""), 0, false, 32, 32);
}

/* a and b are the same words. */
static void test_one_buffer_twice(void **state) {
  (void)state;
  run_copy(COPY(""), 0, true, 32, 32);
  run_copy(COPY("@%p1"), 0, true, 8, 32);
}

/* Up to 96 words apart, within one allocation: regions do not reach into the next ones. */
static void test_one_buffer_shifted(void **state) {
  (void)state;
  for (unsigned shift = 1; shift < 96; shift += 13) {
    run_copy(COPY(""), shift, true, 32, 32);
    run_copy(COPY("@%p1"), shift, true, 8, 32);
    run_copy(COPY(""), shift, true, 20, 20); /* a warp of 20 threads */
  }
}

/* Neighbours in a word do not overlap. Thread j writes byte 4 j + 1; two bytes at 4 i
 * + distance have it if the distance is a multiple of 4 and not above 124, 31 words. */
static void test_bytes(void **state) {
  (void)state;
  static const uint32_t distance[WARPS] = {0, 2, 4, 6, 8, 62, 64, 66, 120, 122, 124, 126, 128, 130, 132, 134};
  static uint8_t a[BYTES], got[BYTES];
  bed_t bed = overlap_bed_new(bytes_kernel, 1);
  unsigned overlaps = 0;
  random_words(a, 5);
  bed_fill(&bed, a, distance);
  for (unsigned w = 0; w < WARPS; w++) {
    uint8_t *at = a + 4 * REGION * w, second[32][2];
    overlaps += distance[w] % 4 == 0 && distance[w] <= 124;
    for (unsigned i = 0; i < 32; i++) at[4 * i + 1] = at[4 * i];
    for (unsigned i = 0; i < 32; i++) memcpy(second[i], at + 4 * i + distance[w], 2);
    for (unsigned i = 0; i < 32; i++) memcpy(at + 4 * i + 512, second[i], 2);
  }
  if (bed_run(&bed, bed.a, 32)) fail_msg("%s", bed.rig->err.text);
  gpu_copy_out(bed.rig->gpu, got, bed.a, sizeof got, &bed.rig->err);
  assert_memory_equal(got, a, sizeof a);
  assert_int_equal(gpu_stats(bed.rig->gpu).blocks_overlap, overlaps);
  assert_int_equal(gpu_stats(bed.rig->gpu).blocks_offloaded, WARPS - overlaps);
  rig_free(bed.rig);
}

/* Two allocations are an answer for the launch as long as
 * pointers stay in theirs: one that does not is told. */
static void test_leaves_its_allocation(void **state) {
  (void)state;
  static const uint32_t zero[WORDS];
  uint32_t table[WARPS] = {0};
  bed_t bed = overlap_bed_new(COPY(""), 1);
  table[9] = (uint32_t)((bed.other - bed.a) / 4);
  bed_fill(&bed, (const uint8_t *)zero, table);
  assert_int_equal(bed_run(&bed, bed.other, 32), 2);
  assert_non_null(
      strstr(bed.rig->err.text,
             "overlap.ptx:13: kernel k: reads what line 12 wrote, through a pointer into another allocation"));
  rig_free(bed.rig);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_buffers), cmocka_unit_test(test_one_buffer_twice),
                                     cmocka_unit_test(test_one_buffer_shifted), cmocka_unit_test(test_bytes),
                                     cmocka_unit_test(test_leaves_its_allocation)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
