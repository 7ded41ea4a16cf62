/* SPDX-License-Identifier: Apache-2.0
 *
 * Where data of offloaded blocks should be, learnt from the first instances (TOM paper, section
 * 4.3): what analyzers find, out of which memory kernels run meanwhile, what is moved where, and
 * that nothing is lost on the way.
 */
#include "tom_rig.h"

#include <stdlib.h>

#include "page_table.h"
#include "tom_engines.h"

/* ---- An analyzer ----------------------------------------------------------------------------- */

/* Lines of an instance at most, and how many instances there are. */
enum { LINES = 40, INSTANCES = 300 };

/* Of each instance all lines are known: what is found is counted
 * once more, map by map. Several warps are under way at a time. */
static void instances_are_counted(void **state) {
  (void)state;
  enum { AT_ONCE = 5, LOW_OF_GPU = 20 };
  const gpu_config_t c = {.num_stacks = STACKS};
  trouble_t fault = {0};
  tom_watch_t w;
  uint64_t seed = 3, accesses = 0, seen = 0, same[TOM_WATCH_MAPS] = {0}, touched[TOM_WATCH_MAPS] = {0};
  assert_int_equal(tom_watch_init(&w, &c, tom_map_engines, 0), 0);
  for (unsigned i = 0; i < INSTANCES; i += AT_ONCE) {
    uint64_t line[AT_ONCE][LINES];
    unsigned warp[AT_ONCE], lines[AT_ONCE];
    for (unsigned k = 0; k < AT_ONCE; k++) {
      warp[k] = (unsigned)(test_random(&seed) % GPU_MAX_WARPS / AT_ONCE) * AT_ONCE % 45 + k;
      lines[k] = (unsigned)(test_random(&seed) % LINES);
      assert_true(tom_watch_begin(&w, warp[k]));
    }
    for (unsigned n = 0; n < LINES; n++)
      for (unsigned k = 0; k < AT_ONCE; k++) {
        if (n > lines[k]) continue;
        if (n == lines[k]) {
          /* of no instance */
          assert_true(tom_watch_end(&w, warp[k]) && tom_watch_access(&w, warp[k], 0, 0) && tom_watch_end(&w, warp[k]));
          continue;
        }
        line[k][n] = test_random(&seed) & test_random(&seed) & 0xffffff80;
        assert_true(tom_watch_access(&w, warp[k], line[k][n], (unsigned)(line[k][n] >> LOW_OF_GPU) % STACKS));
        if (test_random(&seed) & 1) seen += tom_watch_tick(&w, &fault);
      }
    for (unsigned k = 0; k < AT_ONCE; k++) {
      accesses += lines[k];
      for (unsigned m = 0; m < TOM_WATCH_MAPS; m++) {
        bool there[STACKS] = {false};
        const unsigned low = m ? 6 + m : LOW_OF_GPU;
        for (unsigned n = 0; n < lines[k]; n++) {
          const unsigned stack = (unsigned)(line[k][n] / (1u << low) % STACKS);
          same[m] += stack == line[k][0] / (1u << low) % STACKS;
          touched[m] += !there[stack];
          there[stack] = true;
        }
      }
    }
  }
  assert_false(tom_watch_settled(&w));
  while (!tom_watch_settled(&w)) seen += tom_watch_tick(&w, &fault);
  assert_int_equal(seen, INSTANCES);
  assert_int_equal(w.sum.instances, INSTANCES);
  assert_int_equal(w.sum.accesses, accesses);
  for (unsigned m = 0; m < TOM_WATCH_MAPS; m++) {
    assert_int_equal(w.sum.map[m].same, same[m]);
    assert_int_equal(w.sum.map[m].stacks, touched[m]);
  }
  tom_watched_t twice = w.sum;
  tom_watched_add(&twice, &w.sum);
  assert_int_equal(twice.instances + twice.accesses, 2 * (INSTANCES + accesses));
  assert_int_equal(twice.map[3].same, 2 * same[3]);
  assert_false(tom_watch_tick(&w, &fault)); /* nothing more */
  assert_int_equal(fault.kind, 0);
  tom_watch_deinit(&w);
}

/* map[k] is that of bit 6 + k, for k from 1 on; the one
 * with most accesses in the first one's stack wins. */
static void the_best_bit(void **state) {
  (void)state;
  tom_watched_t w = {0};
  w.map[0].same = 1000;                    /* the GPU's map is not asked */
  assert_int_equal(tom_watch_best(&w), 7); /* of equals the lowest */
  w.map[5].same = w.map[8].same = 10;
  assert_int_equal(tom_watch_best(&w), 11);
  w.map[10].same = 11;
  assert_int_equal(tom_watch_best(&w), 16);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* b[i] = sum over n rows of a, of `step` bytes. */
#define SUM(step)                                                                                                 \
  "mov.u32 %r5, 0;\nmov.u32 %r6, 0;\n"                                                                            \
  "LOOP:\nld.global.u32 %r7, [%d4];\nadd.s32 %r5, %r5, %r7;\nadd.s64 %d4, %d4, " step ";\nadd.s32 %r6, %r6, 1;\n" \
  "setp.lt.u32 %p2, %r6, %r9;\n@%p2 bra LOOP;\nst.global.u32 [%d5], %r5;\n"

/* a has 1 MB. 12 CTAs of four warps are 48 instances. */
enum { WORDS = 1 << 18, OUT = 8192, CTAS = 12, THREADS = 128, ROWS = 16 };

/* The host is 200 cycles away; an instance is looked at to its end. */
static gpu_config_t learning_config(void) {
  gpu_config_t c = rig_config();
  c.map.mode = GPU_MAP_tmap;
  c.host.latency = 200, c.learn.look = 0;
  return c;
}

/* test_free() it. */
static uint32_t *random_words(unsigned words) {
  uint32_t *data = test_calloc(words, sizeof *data);
  uint64_t seed = 7;
  for (unsigned i = 0; i < words; i++) data[i] = (uint32_t)test_random(&seed);
  return data;
}

/* b against sums on the host. */
static void check_sums(rig_t *r, const uint32_t *data, uint64_t b, unsigned threads, unsigned step, unsigned rows) {
  uint32_t *out = rig_result(r, b, threads);
  for (unsigned i = 0; i < threads; i++) {
    uint32_t want = 0;
    for (unsigned k = 0; k < rows; k++) want += data[i + k * step / 4];
    assert_int_equal(out[i], want);
  }
  test_free(out);
}

/* Reads of stacks' SMs in their own stack, or in others. */
static uint64_t stack_reads(const rig_t *r, bool own) {
  uint64_t reads = 0;
  for (unsigned k = 0; k < STACKS; k++) {
    const stack_sm_stats_t s = stack_sm_stats(r->sm[k]);
    reads += own ? s.reads_own : s.reads_other;
  }
  return reads;
}

typedef struct {
  gpu_stats_t gpu;
  uint64_t own, other; /* reads of stacks' SMs */
} run_t;

/* What no instance accesses is where the GPU's map has
 * it. `before`: bytes that were allocated before. */
static void expect_gpus_map(const rig_t *r, uint64_t before, const uint32_t *data) {
  page_table_t pt;
  const address_map_shape_t shape = {STACKS, r->config.stack_bytes, 1, 0, NULL};
  bool environment;
  assert_int_equal(page_table_init(&pt, address_maps[GPU_MAP_bmap], &shape), 0);
  page_table_alloc(&pt, before, &environment);
  const uint64_t at = page_table_alloc(&pt, OUT * sizeof *data, &environment);
  for (unsigned i = 0; i < OUT; i += PKT_LINE_BYTES / 4) {
    const uint64_t vaddr = at + i * sizeof *data;
    const uint64_t line = page_table_physical(&pt, page_table_find(&pt, vaddr)->frame | vaddr % PAGE_BYTES);
    assert_memory_equal(memory_image_line(r->image, line), data + i, PKT_LINE_BYTES);
  }
  page_table_deinit(&pt);
}

/* Sums over rows that are so far apart; a third allocation is nobody's. */
static run_t run_sums(const gpu_config_t *c, const char *body, unsigned step) {
  uint32_t *data = random_words(WORDS);
  rig_t *r = rig_make(c, body);
  const uint64_t a = rig_room(r, WORDS, data), none = rig_room(r, OUT, data), b = rig_room(r, OUT, NULL);
  rig_launch(r, CTAS, THREADS, a, b, ROWS);
  check_sums(r, data, b, CTAS * THREADS, step, ROWS);
  uint32_t *kept = rig_result(r, none, OUT);
  assert_memory_equal(kept, data, OUT * sizeof *data);
  test_free(kept);
  if (gpu_stats(r->gpu).learn_ranges) expect_gpus_map(r, WORDS * sizeof *data, data);
  const run_t got = {rig_counts(r), stack_reads(r, true), stack_reads(r, false)};
  rig_done(r);
  test_free(data);
  return got;
}

/* The bit by which rows of an instance are in one stack;
 * what instances access goes there, and only that. */
static void learns_a_bit(void **state) {
  (void)state;
  const gpu_config_t c = learning_config();
  const run_t near = run_sums(&c, SUM("128"), 128), far = run_sums(&c, SUM("4096"), 4096);
  /* 16 rows of 128 bytes, from the first 16 of them on: bits 7 to 11 change */
  assert_int_equal(near.gpu.learn_bit, 12);
  assert_int_equal(far.gpu.learn_bit, 7);
  assert_int_equal(near.gpu.learn_ranges, 1);
  assert_int_equal(near.gpu.learn_instances, TOM_LEARN_LEAST);
  assert_int_equal(near.gpu.learn_accesses, TOM_LEARN_LEAST * ROWS);
  assert_int_equal(far.other, 0);
  assert_true(near.other < near.own / 4); /* of the warps behind the first 16 some go over its end */
  assert_true(far.own > 0 && far.gpu.tom_offloaded > 0);
  assert_true(near.gpu.learn_cycles > (uint64_t)ROWS * c.host.latency); /* of each instance one row after the other */
  /* and a line of b each */
  assert_true(far.gpu.host_packets >= TOM_LEARN_LEAST * ROWS && far.gpu.host_packets <= TOM_LEARN_LEAST * (ROWS + 1));
  assert_int_equal(far.gpu.host_bytes, 160 * far.gpu.host_packets); /* 16 there and 144 back, or the other way round */
}

/* The other way round: by the GPU's map rows are everywhere. */
static void else_data_are_everywhere(void **state) {
  (void)state;
  gpu_config_t c = learning_config();
  c.map.mode = GPU_MAP_bmap;
  const run_t r = run_sums(&c, SUM("4096"), 4096);
  assert_true(r.other > 0);
  assert_int_equal(r.gpu.learn_cycles + r.gpu.host_packets + r.gpu.watched_instances, 0);
}

/* While it is learnt, SMs of stacks have nothing to do, links but to
 * the host neither; the host's latency and bandwidth are paid for. */
static void out_of_the_hosts_memory(void **state) {
  (void)state;
  gpu_config_t c = learning_config();
  c.learn.share = 1;
  const run_t quick = run_sums(&c, SUM("4096"), 4096);
  assert_int_equal(quick.gpu.learn_instances, CTAS * THREADS / 32); /* all, in the end */
  c.learn.look = 0, c.host.latency = 2000;
  const run_t slow = run_sums(&c, SUM("4096"), 4096);
  c.host.latency = 200, c.host.bytes = 1;
  const run_t narrow = run_sums(&c, SUM("4096"), 4096);
  assert_int_equal(quick.gpu.tom_offloaded, 0);
  assert_int_equal(quick.gpu.sent_packets[PKT_READ], 0);
  assert_true(slow.gpu.core_cycles > quick.gpu.core_cycles + (uint64_t)ROWS * 1500);
  assert_true(narrow.gpu.core_cycles > quick.gpu.core_cycles);
  assert_true(narrow.gpu.core_cycles > narrow.gpu.host_bytes / 2); /* the two ways together */
}

/* An instance has been seen when it has accessed so many lines. */
static void looks_no_further(void **state) {
  (void)state;
  gpu_config_t c = learning_config();
  c.learn.look = 3;
  const run_t r = run_sums(&c, SUM("4096"), 4096);
  assert_int_equal(r.gpu.learn_accesses, TOM_LEARN_LEAST * 3);
  assert_true(r.gpu.host_packets <= TOM_LEARN_LEAST * 4); /* a warp may have one more under way when all stop */
  c.learn.look = ROWS + 1;                                /* it ends before */
  assert_int_equal(run_sums(&c, SUM("4096"), 4096).gpu.learn_accesses, TOM_LEARN_LEAST * ROWS);
}

/* Stores, and atomics at the L2, are under way when it is chosen: none is lost. b[i] is the number
 * of rows, b[4096] of threads and rows; bytes from b[6144] on that of each thread. */
static void nothing_is_lost(void **state) {
  (void)state;
  static const char body[] =
      "mov.u32 %r6, 0;\nst.global.u32 [%d5], %r6;\nadd.s64 %d6, %d2, 16384;\n"
      "cvt.u64.u32 %d7, %r4;\nadd.s64 %d7, %d7, %d2;\nst.global.u8 [%d7+24576], %r4;\n"
      "LOOP:\nld.global.u32 %r7, [%d5];\nld.global.u32 %r8, [%d4];\nadd.s32 %r7, %r7, 1;\nst.global.u32 [%d5], %r7;\n"
      "add.s32 %r6, %r6, 1;\nsetp.lt.u32 %p2, %r6, %r9;\n@%p2 bra LOOP;\nred.global.add.u32 [%d6], %r6;\n";
  for (unsigned latency = 1; latency < 1500; latency = latency * 3 + 1) {
    gpu_config_t c = learning_config();
    c.host.latency = latency, c.l1i.ideal = latency & 2;
    rig_t *r = rig_make(&c, body);
    r->latency = 400;
    const uint64_t a = rig_room(r, OUT, NULL), b = rig_room(r, OUT, NULL);
    rig_launch(r, CTAS, THREADS, a, b, ROWS);
    uint32_t *out = rig_result(r, b, OUT);
    for (unsigned i = 0; i < CTAS * THREADS; i++) assert_int_equal(out[i], ROWS);
    for (unsigned i = 0; i < CTAS * THREADS; i++) assert_int_equal(((const uint8_t *)(out + 6144))[i], i & 255);
    assert_int_equal(out[4096], CTAS * THREADS * ROWS);
    assert_int_equal(rig_counts(r).learn_ranges, 2);
    test_free(out);
    rig_done(r);
  }
}

/* What the L1s and the L2 had of the host's memory is not taken for what is there
 * now: the host writes between two launches, of which the first ends it. */
static void caches_forget(void **state) {
  (void)state;
  const gpu_config_t c = learning_config();
  uint32_t *data = random_words(WORDS);
  rig_t *r = rig_make(&c, SUM("4096"));
  const uint64_t a = rig_room(r, WORDS, data), b = rig_room(r, OUT, NULL);
  rig_launch(r, CTAS, THREADS, a, b, ROWS);
  check_sums(r, data, b, CTAS * THREADS, 4096, ROWS);
  for (unsigned i = 0; i < WORDS; i++) data[i] ^= 0x5a5a5a5a;
  assert_int_equal(gpu_copy_in(r->gpu, a, data, WORDS * sizeof *data, &r->err), 0);
  rig_launch(r, CTAS, THREADS, a, b, ROWS);
  check_sums(r, data, b, CTAS * THREADS, 4096, ROWS);
  rig_done(r);
  test_free(data);
}

/* Launches of four warps: after the fourth enough instances have been
 * seen. What the host writes and reads meanwhile is in its own memory. */
static void over_launches(void **state) {
  (void)state;
  const gpu_config_t c = learning_config();
  uint32_t *data = random_words(WORDS);
  rig_t *r = rig_make(&c, SUM("4096"));
  const uint64_t a = rig_room(r, WORDS, data), b = rig_room(r, OUT, NULL);
  for (unsigned n = 1; n <= 6; n++) {
    data[n]++;
    assert_int_equal(gpu_copy_in(r->gpu, a, data, WORDS * sizeof *data, &r->err), 0);
    rig_launch(r, 1, THREADS, a, b, ROWS);
    check_sums(r, data, b, THREADS, 4096, ROWS);
    const gpu_stats_t s = gpu_stats(r->gpu);
    assert_int_equal(s.learn_bit, n < 4 ? 0 : 7);
    assert_int_equal(s.tom_offloaded > 0, n > 4);
  }
  rig_done(r);
  test_free(data);
}

/* CTAs are begun as instances are still to be seen: of 12 CTAs of four
 * warps, with a long way to the host, four end it before a fifth begins. */
static void no_more_ctas_than_needed(void **state) {
  (void)state;
  const gpu_config_t c = learning_config();
  const run_t r = run_sums(&c, SUM("4096"), 4096);
  assert_int_equal(r.gpu.tom_kept_learning, TOM_LEARN_LEAST);
  assert_int_equal(r.gpu.tom_offloaded, CTAS * THREADS / 32 - TOM_LEARN_LEAST);
}

/* A module in which nothing can be offloaded runs out of the GPU's memory. */
static void nothing_to_learn(void **state) {
  (void)state;
  const gpu_config_t c = learning_config();
  uint32_t *data = random_words(OUT);
  rig_t *r = rig_make(&c, "ld.global.u32 %r5, [%d4];\nbar.sync 0;\nst.global.u32 [%d5], %r5;\n");
  const uint64_t a = rig_room(r, OUT, data), b = rig_room(r, OUT, NULL);
  rig_launch(r, 2, 64, a, b, 1);
  check_sums(r, data, b, 128, 0, 1);
  const gpu_stats_t s = rig_counts(r);
  assert_int_equal(s.tom_instances + s.host_packets + s.learn_cycles + s.learn_bit, 0);
  rig_done(r);
  test_free(data);
}

/* A kernel without candidates before one with them: what it works on is in the GPU's memory as
 * before any launch. What the second one's instances access goes from there to where the bit says,
 * which takes as long as the links need for it. */
static void a_kernel_without_candidates(void **state) {
  (void)state;
  static const char two[] =
      SUM("4096") "ret;\n}\n"
                  ".visible .entry other(.param .u64 a, .param .u64 b, .param .u32 n)\n{\n.reg .b32 %r<8>;\n"
                  ".reg .b64 %d<8>;\n"
                  "ld.param.u64 %d1, [a];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d3, %r1, 4;\nadd.s64 %d4, %d1, %d3;\n"
                  "ld.global.u32 %r2, [%d4];\nadd.s32 %r2, %r2, 1;\nbar.sync 0;\nst.global.u32 [%d4], %r2;\n";
  const gpu_config_t c = learning_config();
  uint32_t *data = random_words(WORDS);
  rig_t *r = rig_make(&c, two);
  const uint64_t a = rig_room(r, WORDS, data), b = rig_room(r, OUT, NULL);
  r->kernel = "other";
  rig_launch(r, 1, THREADS, a, b, ROWS);
  for (unsigned i = 0; i < THREADS; i++) data[i]++;
  gpu_stats_t s = gpu_stats(r->gpu);
  assert_int_equal(s.host_packets, 0);
  assert_int_equal(s.learn_ranges + s.learn_cycles, 0);
  const uint64_t before = s.core_cycles;
  r->kernel = "k";
  rig_launch(r, CTAS, THREADS, a, b, ROWS);
  check_sums(r, data, b, CTAS * THREADS, 4096, ROWS);
  s = rig_counts(r);
  assert_int_equal(s.host_packets, 0);
  assert_int_equal(s.learn_bit, 7);
  assert_int_equal(s.learn_ranges, 1);
  assert_int_equal(s.learn_moved, WORDS * sizeof *data);
  assert_true(s.core_cycles - before > s.learn_moved / (PACKET_FLIT_BYTES * c.link_flits * STACKS));
  assert_true(s.tom_offloaded > 0);
  rig_done(r);
  test_free(data);
}

/* A long way to a candidate whose condition holds in few CTAs: while
 * none begins, one CTA more is begun for each access of the host. */
static void more_ctas_while_none_begins(void **state) {
  (void)state;
  enum { MANY = 36, STEPS = 8 };
#define STEP(row)                \
  "ld.global.u32 %r7, [%d4+" row \
  "];\nbar.sync 0;\nand.b32 %r7, %r7, 0;\ncvt.u64.u32 %d6, %r7;\nadd.s64 %d4, %d4, %d6;\n"
  static const char body[] = STEP("65536") STEP("131072") STEP("196608") STEP("262144") STEP("327680") STEP("393216")
      STEP("458752") STEP("524288") "setp.lt.u32 %p1, %r2, 32;\n@%p1 mov.u32 %r9, 1;\n" SUM("4096");
  gpu_config_t c = learning_config();
  uint32_t *data = random_words(WORDS);
  c.host.latency = 1000;
  rig_t *r = rig_make(&c, body);
  const uint64_t a = rig_room(r, WORDS, data), b = rig_room(r, OUT, NULL);
  rig_launch(r, MANY, THREADS, a, b, ROWS);
  check_sums(r, data, b, 32 * THREADS, 0, 1);
  const gpu_stats_t s = rig_counts(r);
  assert_true(s.tom_kept_condition >= 32 * THREADS / 32);
  assert_true(s.learn_instances > 0);
  /* loads in front, a row, a store; all the rows */
  const uint64_t batch = (STEPS + 1 + 1) * c.host.latency, last = (STEPS + ROWS) * c.host.latency;
  /* as long as four CTAs after four would take: 16 warps would be enough */
  assert_true(s.learn_cycles < 32 / 4 * batch + last);
  assert_true(s.learn_cycles > 32 * (uint64_t)c.host.latency); /* and not all at once */
  rig_done(r);
  test_free(data);
}

/* Two CTAs, of which the first one is enough to learn from: the
 * second one goes where none is, and both compute at once. */
static void the_next_sm(void **state) {
  (void)state;
  enum { LARGE = 768, ROUNDS = 512, SLOTS = 2 };
#define ADDS "add.s32 %r10, %r1, 1;\nadd.s32 %r11, %r1, 2;\nadd.s32 %r12, %r1, 3;\nadd.s32 %r13, %r1, 4;\n"
  static const char body[] = SUM("4096") "mov.u32 %r6, 0;\nMORE:\n" ADDS ADDS
                                         "add.s32 %r6, %r6, 1;\nsetp.lt.u32 %p2, %r6, 512;\n@%p2 bra MORE;\n";
  const gpu_config_t c = learning_config();
  uint32_t *data = random_words(WORDS);
  rig_t *r = rig_make(&c, body);
  const uint64_t a = rig_room(r, WORDS, data), b = rig_room(r, OUT, NULL);
  rig_launch(r, 2, LARGE, a, b, ROWS);
  check_sums(r, data, b, 2 * LARGE, 4096, ROWS);
  const gpu_stats_t s = rig_counts(r);
  /* the adds of one CTA, if its SM issues all the time */
  const uint64_t alone = (uint64_t)ROUNDS * 11 * (LARGE / 32) / SLOTS;
  assert_true(s.learn_instances < LARGE / 32 && s.tom_offloaded > 0);
  assert_true(s.core_cycles - s.learn_cycles < alone * 3 / 2);
  rig_done(r);
  test_free(data);
}

/* The table of allocations has 100 entries, while it is learnt. */
static void a_hundred_allocations(void **state) {
  (void)state;
  const gpu_config_t c = learning_config();
  uint32_t *data = random_words(WORDS);
  rig_t *r = rig_make(&c, SUM("4096"));
  const uint64_t a = rig_room(r, WORDS, data), b = rig_room(r, OUT, NULL);
  uint64_t last = 0;
  for (unsigned i = 2; i < TOM_LEARN_ALLOCATIONS; i++) last = rig_room(r, 1, NULL);
  assert_int_equal(gpu_malloc(r->gpu, 4, &r->err), 0);
  assert_int_equal(r->err.kind, 2);
  assert_string_equal(
      r->err.text,
      "more than 100 allocations while it is learnt where data should be; as many at most, or map.mode=bmap, would be "
      "right");
  r->err = (trouble_t){0};
  assert_int_equal(gpu_release(r->gpu, last, &r->err), 0);
  rig_room(r, 1, NULL);
  rig_launch(r, CTAS, THREADS, a, b, ROWS);
  check_sums(r, data, b, CTAS * THREADS, 4096, ROWS);
  assert_int_equal(gpu_stats(r->gpu).learn_ranges, 1);
  for (unsigned i = 0; i < 10; i++) rig_room(r, 1, NULL); /* and afterwards any number */
  rig_done(r);
  test_free(data);
}

/* Candidates are watched, none goes; by the GPU's map, or after one was learnt. */
static void only_watched(void **state) {
  (void)state;
  gpu_config_t c = learning_config();
  c.tom_watch = true;
  for (unsigned n = 0; n < 2; n++) {
    c.map.mode = n ? GPU_MAP_tmap : GPU_MAP_bmap;
    const gpu_stats_t s = run_sums(&c, SUM("4096"), 4096).gpu;
    assert_int_equal(s.tom_offloaded, 0);
    assert_int_equal(s.watched_instances, CTAS * THREADS / 32);
    assert_int_equal(s.watched_accesses, CTAS * THREADS / 32 * ROWS);
    assert_int_equal(s.watched_best, s.watched_accesses);
    assert_int_equal(s.watched_learnt, s.watched_accesses);
    assert_int_equal(s.learn_ranges, n);
    if (n) assert_true(s.watched_own > 0);
    else assert_true(s.watched_own < s.watched_accesses * 3 / 4);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(instances_are_counted),
                                     cmocka_unit_test(the_best_bit),
                                     cmocka_unit_test(learns_a_bit),
                                     cmocka_unit_test(else_data_are_everywhere),
                                     cmocka_unit_test(out_of_the_hosts_memory),
                                     cmocka_unit_test(looks_no_further),
                                     cmocka_unit_test(nothing_is_lost),
                                     cmocka_unit_test(caches_forget),
                                     cmocka_unit_test(over_launches),
                                     cmocka_unit_test(no_more_ctas_than_needed),
                                     cmocka_unit_test(nothing_to_learn),
                                     cmocka_unit_test(a_kernel_without_candidates),
                                     cmocka_unit_test(more_ctas_while_none_begins),
                                     cmocka_unit_test(the_next_sm),
                                     cmocka_unit_test(a_hundred_allocations),
                                     cmocka_unit_test(only_watched)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
