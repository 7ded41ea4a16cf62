/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of instructions that go to SMs of stacks: a GPU and these, between them memory of two
 * latencies and nothing else. Kernels are written for one question each: what a block takes along
 * and brings back, who keeps it, and each step of coherence (TOM paper, section 4.4.2).
 */
#include "tom_rig.h"

#include <stdarg.h>
#include <stdio.h>

static unsigned what_is_free; /* gpu_tom_free_t, of the tests that run now */

/* The rig's machine; what it has for nothing is the group's. */
static gpu_config_t tom_config(void) {
  gpu_config_t c = rig_config();
  c.tom.free = what_is_free;
  return c;
}

/* All threads of a warp have stored `want`. */
static void expect_row(rig_t *r, uint64_t b, unsigned from, uint32_t want) {
  uint32_t *out = rig_result(r, b, from + ROW);
  for (unsigned i = from; i < from + ROW; i++) assert_int_equal(out[i], want);
  test_free(out);
}

/* text has 8192 bytes. */
static void append_text(char *text, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(text + strlen(text), 8192 - strlen(text), format, args);
  va_end(args);
}

/* ---- What goes along and comes back ---------------------------------------------------------- */

/* b[i] = 1000 + sum of n rows of a, but for thread 3 of each CTA, which goes round the loop. */
static const char sum[] =
    "mov.u32 %r5, 1000;\nmov.u32 %r6, 0;\nsetp.eq.u32 %p1, %r1, 3;\n@%p1 bra OUT;\n"
    "LOOP:\nld.global.u32 %r7, [%d4];\nadd.s32 %r5, %r5, %r7;\nadd.s64 %d4, %d4, 4096;\nadd.s32 %r6, %r6, 1;\n"
    "setp.lt.u32 %p2, %r6, %r9;\n@%p2 bra LOOP;\nOUT:\nst.global.u32 [%d5], %r5;\n";

enum { SUM_CTAS = 5, SUM_THREADS = 90 };

/* `sum` twice, with n rows. */
static gpu_stats_t run_sum(const gpu_config_t *c, uint32_t n) {
  enum { WORDS = 40 * 1024 };
  uint32_t *data = test_calloc(WORDS, sizeof *data);
  uint64_t seed = 7;
  for (unsigned i = 0; i < WORDS; i++) data[i] = (uint32_t)test_random(&seed);
  rig_t *r = rig_make(c, sum);
  const uint64_t a = rig_room(r, WORDS, data), b = rig_room(r, 1024, NULL);
  for (unsigned again = 0; again < 2; again++) { /* the second launch finds nothing of the first */
    rig_launch(r, SUM_CTAS, SUM_THREADS, a, b, n);
    uint32_t *out = rig_result(r, b, SUM_CTAS * SUM_THREADS);
    for (unsigned i = 0; i < SUM_CTAS * SUM_THREADS; i++) {
      uint32_t want = 1000;
      for (unsigned k = 0; k < n && i % SUM_THREADS != 3; k++) want += data[i + k * 1024];
      assert_int_equal(out[i], want);
    }
    test_free(out);
  }
  const gpu_stats_t s = rig_counts(r);
  rig_done(r);
  test_free(data);
  return s;
}

/* 30 rows are worth a block, two are not. */
static void sums_by_blocks(void **state) {
  (void)state;
  gpu_config_t c = tom_config();
  const gpu_stats_t all = run_sum(&c, 30), few = run_sum(&c, 2);
  /* arrivals from outside, not trips; warps of 32, 32 and 26 threads */
  assert_int_equal(all.tom_instances, 2 * SUM_CTAS * 3);
  assert_int_equal(all.tom_offloaded, all.tom_instances);
  assert_int_equal(few.tom_kept_condition, all.tom_instances);
}

/* With control a stack has no more blocks than warps; without, they wait. */
static void gates(void **state) {
  (void)state;
  gpu_config_t c = tom_config();
  c.tom.warps = 2, c.tom.queue = 0;
  const gpu_stats_t waits = run_sum(&c, 30);
  assert_int_equal(waits.tom_offloaded, waits.tom_instances);
  c.tom_control = true;
  const gpu_stats_t keeps = run_sum(&c, 30);
  assert_true(keeps.tom_kept_full > 0 && keeps.tom_offloaded > 0);
  c.tom.busy = 0, c.tom.window = 16; /* links are always busy: what does not save in both directions stays */
  const gpu_stats_t busy = run_sum(&c, 30);
  assert_int_equal(busy.tom_kept_channel, busy.tom_instances);
}

/* An SM of few warps, all of one CTA, or one more than a
 * CTA has: a block waits for the stores of its CTA's. */
static void few_warps(void **state) {
  (void)state;
  for (unsigned warps = SUM_THREADS / 32 + 1; warps <= 8; warps++) {
    gpu_config_t c = tom_config();
    c.sm.threads = 32 * warps, c.sm.ctas = 2;
    const gpu_stats_t s = run_sum(&c, 30);
    assert_int_equal(s.tom_offloaded, s.tom_instances);
  }
}

/* A stack's SM of up to 192 warps has so many blocks at once, and no more;
 * slots are used again. All warps of the GPU come at the same time. */
static void many_warps(void **state) {
  (void)state;
  enum { SMS = 12, CTAS = 2 * SMS * GPU_MAX_WARPS / 4, THREADS = 128, WORDS = 128 * 1024, ROWS = 40 };
  static const unsigned warps[] = {GPU_MAX_WARPS, 2 * GPU_MAX_WARPS, GPU_WIDEST_WARPS};
  uint32_t *data = test_calloc(WORDS, sizeof *data);
  uint64_t seed = 9;
  for (unsigned i = 0; i < WORDS; i++) data[i] = (uint32_t)test_random(&seed);
  for (unsigned w = 0; w < 3; w++)
    for (unsigned scheduler = 0; scheduler < 2; scheduler++) {
      gpu_config_t c = tom_config();
      c.num_sms = SMS, c.sm.ctas = 12, c.tom.warps = warps[w], c.sm.scheduler = scheduler, c.tom_control = true,
      c.tom.busy = 1, c.sm.schedulers = 1 + scheduler;
      rig_t *r = rig_make(&c, sum);
      const uint64_t a = rig_room(r, WORDS, data), b = rig_room(r, CTAS * THREADS, NULL);
      unsigned most = 0;
      rig_begin(r, CTAS, THREADS, a, b, ROWS);
      while (gpu_running(r->gpu)) {
        rig_tick(r);
        for (unsigned k = 0; k < STACKS; k++) {
          const unsigned blocks = stack_sm_blocks(r->sm[k]);
          if (blocks > most) most = blocks;
        }
      }
      uint32_t *out = rig_result(r, b, CTAS * THREADS);
      for (unsigned i = 0; i < CTAS * THREADS; i++) {
        uint32_t want = 1000;
        for (unsigned k = 0; k < ROWS && i % THREADS != 3; k++) want += data[i + k * 1024];
        assert_int_equal(out[i], want);
      }
      assert_int_equal(most, warps[w]);
      assert_true(rig_counts(r).tom_kept_full > 0);
      assert_true(rig_counts(r).tom_offloaded > STACKS * warps[w]); /* slots are used again */
      test_free(out);
      rig_done(r);
    }
  test_free(data);
}

/* A warp comes to one loop twice, first with too few trips: two instances.
 * A barrier keeps the loop around it from being a candidate. */
static void two_arrivals(void **state) {
  (void)state;
  const gpu_config_t c = tom_config();
  rig_t *r = rig_make(
      &c, "mov.u32 %r5, 0;\nmov.u32 %r12, 0;\n"
          "AGAIN:\nmov.u32 %r6, 0;\nmov.u64 %d8, %d4;\n"
          "LOOP:\nld.global.u32 %r7, [%d8];\nadd.s32 %r5, %r5, %r7;\nadd.s64 %d8, %d8, 128;\nadd.s32 %r6, %r6, 1;\n"
          "setp.lt.u32 %p2, %r6, %r9;\n@%p2 bra LOOP;\nbar.sync 0;\nadd.s32 %r9, %r9, 28;\nadd.s32 %r12, %r12, 1;\n"
          "setp.lt.u32 %p3, %r12, 2;\n@%p3 bra AGAIN;\nst.global.u32 [%d5], %r5;\n");
  uint32_t ones[ROW * 30];
  for (unsigned i = 0; i < ROW * 30; i++) ones[i] = 1;
  const uint64_t a = rig_room(r, ROW * 30, ones), b = rig_room(r, ROW, NULL);
  rig_launch(r, 1, ROW, a, b, 2);
  expect_row(r, b, 0, 2 + 30);
  const gpu_stats_t s = rig_counts(r);
  assert_int_equal(s.tom_kept_condition, 1);
  assert_int_equal(s.tom_offloaded, 1);
  rig_done(r);
}

/* Predicates go along and come back, those of other threads stay: %p4 adds a
 * second time, %p5 says whether the last row was odd; thread 3 goes round. */
static void predicates(void **state) {
  (void)state;
  const gpu_config_t c = tom_config();
  rig_t *r = rig_make(
      &c,
      "mov.u32 %r5, 0;\nmov.u32 %r6, 0;\nand.b32 %r11, %r1, 1;\nsetp.eq.u32 %p4, %r11, 0;\nsetp.eq.u32 %p5, %r1, 3;\n"
      "@%p5 bra OUT;\nLOOP:\nld.global.u32 %r7, [%d4];\nadd.s32 %r5, %r5, %r7;\n@%p4 add.s32 %r5, %r5, %r7;\n"
      "and.b32 %r13, %r7, 1;\n"
      "setp.ne.u32 %p5, %r13, 0;\nadd.s64 %d4, %d4, 128;\nadd.s32 %r6, %r6, 1;\nsetp.lt.u32 %p2, %r6, 30;\n"
      "@%p2 bra LOOP;\n"
      "OUT:\n@%p5 add.s32 %r5, %r5, 1000;\nst.global.u32 [%d5], %r5;\n");
  uint32_t data[ROW * 30];
  for (unsigned i = 0; i < ROW * 30; i++) data[i] = i % 7;
  const uint64_t a = rig_room(r, ROW * 30, data), b = rig_room(r, ROW, NULL);
  rig_launch(r, 1, ROW, a, b, 0);
  uint32_t *out = rig_result(r, b, ROW);
  for (unsigned i = 0; i < ROW; i++) {
    uint32_t want = 0;
    for (unsigned k = 0; k < 30 && i != 3; k++) want += data[i + k * ROW] * (i % 2 ? 1 : 2);
    assert_int_equal(out[i], want + (i == 3 || data[i + 29 * ROW] % 2 ? 1000 : 0));
  }
  assert_int_equal(rig_counts(r).tom_offloaded, 1);
  test_free(out);
  rig_done(r);
}

/* A live-in that is read on the way to the first access alone, and whose
 * register is another's then: the block begins anew with what it was. */
static void live_ins_are_saved(void **state) {
  (void)state;
  const gpu_config_t c = tom_config();
  char text[8192] = "";
  /* alive throughout: all registers but those of the block are taken */
  for (unsigned k = 0; k < 8; k++) append_text(text, "mov.u32 %%r%u, %u;\n", 50 + k, k);
  append_text(text, "bar.sync 0;\nshl.b32 %%r20, %%r4, 1;\nadd.s32 %%r21, %%r20, %%r4;\nmul.wide.u32 %%d6, %%r4, 4;\n"
                    "add.s64 %%d7, %%d1, %%d6;\n");
  append_text(text,
              "add.s32 %%r22, %%r21, 5;\nmul.wide.u32 %%d8, %%r22, 4;\nadd.s64 %%d9, %%d1, %%d8;\nmov.u32 %%r5, 0;\n");
  for (unsigned k = 0; k < 12; k++)
    append_text(text, "ld.global.u32 %%r%u, [%%d%u+%u];\n", 30 + k, k % 2 ? 9 : 7, 128 * k);
  for (unsigned k = 0; k < 12; k++) append_text(text, "add.s32 %%r5, %%r5, %%r%u;\n", 30 + k);
  append_text(text, "bar.sync 0;\n");
  for (unsigned k = 0; k < 8; k++) append_text(text, "add.s32 %%r5, %%r5, %%r%u;\n", 50 + k);
  append_text(text, "st.global.u32 [%%d5], %%r5;\n");
  rig_t *r = rig_make(&c, text);
  uint32_t data[ROW * 16];
  for (unsigned i = 0; i < ROW * 16; i++) data[i] = i * i;
  const uint64_t a = rig_room(r, ROW * 16, data), b = rig_room(r, ROW, NULL);
  rig_launch(r, 1, ROW, a, b, 0);
  uint32_t *out = rig_result(r, b, ROW);
  for (unsigned i = 0; i < ROW; i++) {
    uint32_t want = 0 + 1 + 2 + 3 + 4 + 5 + 6 + 7;
    for (unsigned k = 0; k < 12; k++) want += data[(k % 2 ? 3 * i + 5 : i) + k * ROW];
    assert_int_equal(out[i], want);
  }
  test_free(out);
  assert_int_equal(rig_counts(r).tom_offloaded, 1);
  rig_done(r);
}

/* ---- Coherence (section 4.4.2) --------------------------------------------------------------- */

enum { ROWS = 20 };

/* %r5 += sum of ROWS rows from %d4 on, in a block. */
static void append_sum(char *text, const char *label) {
  append_text(text,
              "mov.u32 %%r6, 0;\nmov.u64 %%d8, %%d4;\n%s:\nld.global.u32 %%r7, [%%d8];\nadd.s32 %%r5, %%r5, %%r7;\n"
              "add.s64 %%d8, %%d8, 128;\n",
              label);
  append_text(text, "add.s32 %%r6, %%r6, 1;\nsetp.lt.u32 %%p2, %%r6, %d;\n@%%p2 bra %s;\n", ROWS, label);
}

/* Rows from %d4 on become `value`, on the GPU: volatile stores are in no block. */
static void append_stores(char *text, unsigned value) {
  append_text(text, "mov.u32 %%r10, %u;\n", value);
  for (unsigned k = 0; k < ROWS; k++) append_text(text, "st.volatile.global.u32 [%%d4+%u], %%r10;\n", 128 * k);
}

/* %r5 += rows, on the GPU: single loads, barriers between them, save nothing. */
static void append_loads(char *text, const char *load) {
  for (unsigned k = 0; k < ROWS; k++)
    append_text(text, "%s.u32 %%r7, [%%d4+%u];\nbar.sync 0;\nadd.s32 %%r5, %%r5, %%r7;\n", load, 128 * k);
}

/* Step 1: what another warp of the CTA has put into memory, 7 into each
 * row, is there before the block reads it, however long that takes. */
static void check_drained(const char *puts) {
  char text[8192] = "mov.u32 %r5, 0;\nsetp.ge.u32 %p1, %r1, 32;\n@%p1 bra READ;\n";
  append_text(text, "%sREAD:\nbar.sync 0;\nsetp.lt.u32 %%p1, %%r1, 32;\n@%%p1 bra OUT;\nadd.s64 %%d4, %%d4, -128;\n",
              puts);
  append_sum(text, "LOOP");
  append_text(text, "OUT:\nst.global.u32 [%%d5], %%r5;\n");
  const gpu_config_t c = tom_config();
  rig_t *r = rig_make(&c, text);
  r->write_latency = 3000;
  const uint64_t a = rig_room(r, ROW * ROWS, NULL), b = rig_room(r, 2 * ROW, NULL);
  rig_launch(r, 1, 2 * ROW, a, b, 0);
  expect_row(r, b, ROW, 7 * ROWS);
  assert_int_equal(rig_counts(r).tom_offloaded, 1);
  rig_done(r);
}

/* By stores that are in no block. */
static void the_gpus_stores_are_drained(void **state) {
  (void)state;
  char text[4096] = "";
  append_stores(text, 7);
  check_drained(text);
}

/* By the L2, which writes it when the warp has its answer. */
static void the_gpus_atomics_are_drained(void **state) {
  (void)state;
  char text[4096] = "";
  for (unsigned k = 0; k < ROWS; k++)
    append_text(text, "%s [%%d4+%u], 7;\n", k % 2 ? "red.global.add.u32" : "atom.global.add.u32 %r7,", 128 * k);
  check_drained(text);
}

/* Step 2: the stack's SM has forgotten what an earlier block read. */
static void the_stacks_l1_is_empty_at_a_blocks_begin(void **state) {
  (void)state;
  char text[8192] = "mov.u32 %r5, 0;\n";
  append_sum(text, "LOOP1");
  append_stores(text, 9);
  append_sum(text, "LOOP2");
  append_text(text, "st.global.u32 [%%d5], %%r5;\n");
  const gpu_config_t c = tom_config();
  rig_t *r = rig_make(&c, text);
  const uint64_t a = rig_room(r, ROW * ROWS, NULL), b = rig_room(r, ROW, NULL);
  rig_launch(r, 1, ROW, a, b, 0);
  expect_row(r, b, 0, 9 * ROWS);
  assert_int_equal(rig_counts(r).tom_offloaded, 2);
  rig_done(r);
}

/* Steps 3 and 4: what a block writes, more lines than a list has, is named to the GPU and forgotten
 * there, by the L1 (load: ld.global) and by the L2 (ld.global.cg, which asks it). Returns the sum
 * of what the GPU reads behind the block; before it, rows were 1. */
static uint32_t sum_behind_writes(const char *load, unsigned lose, gpu_stats_t *stats) {
  uint32_t ones[ROW * ROWS], sum_of;
  for (unsigned i = 0; i < ROW * ROWS; i++) ones[i] = 1;
  char text[8192] = "mov.u32 %r5, 0;\n";
  append_loads(text, load);
  append_text(text,
              "mov.u32 %%r6, 0;\nmov.u64 %%d8, %%d4;\nLOOP:\nst.global.u32 [%%d8], 100;\nadd.s64 %%d8, %%d8, 128;\n"
              "add.s32 %%r6, %%r6, 1;\n");
  append_text(text, "setp.lt.u32 %%p2, %%r6, %d;\n@%%p2 bra LOOP;\nmov.u32 %%r5, 0;\nbar.sync 0;\n", ROWS);
  append_loads(text, load);
  append_text(text, "st.global.u32 [%%d5], %%r5;\n");
  const gpu_config_t c = tom_config();
  rig_t *r = rig_make(&c, text);
  r->lose_lines = lose;
  const uint64_t a = rig_room(r, ROW * ROWS, ones), b = rig_room(r, ROW, NULL);
  rig_launch(r, 1, ROW, a, b, 0);
  uint32_t *out = rig_result(r, b, ROW);
  sum_of = out[0];
  *stats = rig_counts(r);
  test_free(out);
  rig_done(r);
  return sum_of;
}

/* 20 lines are three lists of eight: one line
 * lost of each leaves 17 new ones and three old. */
static void what_blocks_write_is_forgotten(void **state) {
  (void)state;
  static const char *const loads[] = {"ld.global", "ld.global.cg"};
  gpu_stats_t s;
  for (unsigned i = 0; i < 2; i++) {
    assert_int_equal(sum_behind_writes(loads[i], 0, &s), 100 * ROWS);
    assert_int_equal(s.tom_offloaded, 1);
    assert_int_equal(s.tom_lines, ROWS);
    /* A line that is not named is stale: of each of the three lists one. */
    if (!what_is_free) assert_int_equal(sum_behind_writes(loads[i], 1, &s), 100 * (ROWS - 3) + 3);
  }
}

/* A line is named when it is in memory: the other CTA reads all of
 * them again and again, so the L2 has each as it was until then. */
static void lines_are_named_when_they_are_written(void **state) {
  (void)state;
  char text[8192] = "mov.u32 %r5, 0;\nmov.u32 %r6, 0;\nsetp.eq.u32 %p1, %r2, 1;\n@%p1 bra READ;\nmov.u64 %d8, %d4;\n"
                    "LOOP:\nst.global.u32 [%d8], 100;\nadd.s64 %d8, %d8, 128;\nadd.s32 %r6, %r6, 1;\n";
  append_text(text, "setp.lt.u32 %%p2, %%r6, %d;\n@%%p2 bra LOOP;\nbar.sync 0;\n", ROWS);
  append_loads(text, "ld.global.cg");
  append_text(text, "bra OUT;\nREAD:\nadd.s64 %%d4, %%d4, -128;\nAGAIN:\n");
  for (unsigned k = 0; k < ROWS; k++) append_text(text, "ld.volatile.global.u32 %%r7, [%%d4+%u];\n", 128 * k);
  append_text(
      text,
      "add.s32 %%r6, %%r6, 1;\nsetp.lt.u32 %%p2, %%r6, 200;\n@%%p2 bra AGAIN;\nOUT:\nst.global.u32 [%%d5], %%r5;\n");
  const gpu_config_t c = tom_config();
  rig_t *r = rig_make(&c, text);
  r->block_latency = 2000;
  const uint64_t a = rig_room(r, ROW * ROWS, NULL), b = rig_room(r, 2 * ROW, NULL);
  rig_launch(r, 2, ROW, a, b, 0);
  expect_row(r, b, 0, 100 * ROWS);
  const gpu_stats_t s = rig_counts(r);
  assert_int_equal(s.tom_offloaded, 1);
  assert_int_equal(s.tom_lines, ROWS);
  rig_done(r);
}

/* ---- Faults ---------------------------------------------------------------------------------- */

/* A block whose third row is nobody's: the line of the load, whoever executes it. */
static void a_fault_names_its_line(void **state) {
  (void)state;
  const gpu_config_t c = tom_config();
  rig_t *r = rig_make(&c, sum);
  const uint64_t a = rig_room(r, 2 * 1024, NULL), b = rig_room(r, 1024, NULL);
  rig_launch(r, 1, ROW, a, b, 30);
  assert_int_equal(r->err.kind, 2);
  assert_non_null(strstr(r->err.text, "t.ptx:24: kernel k: thread (ctaid 0,0,0 tid 0,0,0) reads 4 bytes"));
  rig_done(r);
}

/* Word of a block that nobody waits for: the packet is refused. */
static void an_answer_that_nobody_waits_for(void **state) {
  (void)state;
  const gpu_config_t c = tom_config();
  rig_t *r = rig_make(&c, sum);
  tom_job_t job = {.sm = 1, .warp = 5};
  packet_t *p = packet_new(r->pool, PACKET_OWN);
  tom_packet_fill(p, &(tom_packet_t){.kind = TOM_LINES, .job = &job});
  gpu_push(r->gpu, 0, p);
  for (unsigned i = 0; i < 200 && !gpu_fault(r->gpu); i++) rig_tick(r);
  assert_non_null(gpu_fault(r->gpu));
  assert_string_equal(gpu_fault(r->gpu)->text, "SM 1 warp 5 got word of a block that it does not wait for");
  r->err = *gpu_fault(r->gpu);
  rig_done(r);
}

/* What an ideal machine has for nothing: no list, no packet
 * over a link, no other stack; as many cycles less. */
static void an_ideal_machine(void **state) {
  (void)state;
  gpu_stats_t s[TOM_FREE_ALL + 1];
  for (what_is_free = 0; what_is_free <= TOM_FREE_ALL; what_is_free++) {
    const gpu_config_t c = tom_config();
    s[what_is_free] = run_sum(&c, 30);
  }
  what_is_free = TOM_FREE_NOTHING;
  assert_true(s[TOM_FREE_NOTHING].sent_packets[PACKET_OWN] > 0 && s[TOM_FREE_COHERENCE].sent_packets[PACKET_OWN] > 0);
  assert_int_equal(s[TOM_FREE_ALL].sent_packets[PACKET_OWN] + s[TOM_FREE_ALL].got_packets[PACKET_OWN], 0);
  assert_true(s[TOM_FREE_ALL].tom_away_cycles < s[TOM_FREE_NOTHING].tom_away_cycles);
  assert_true(s[TOM_FREE_ALL].core_cycles < s[TOM_FREE_NOTHING].core_cycles);
}

/* Setups of groups: the same tests on machines that have something for nothing. */
static int coherence_is_free(void **state) {
  (void)state;
  what_is_free = TOM_FREE_COHERENCE;
  return 0;
}

static int all_is_free(void **state) {
  (void)state;
  what_is_free = TOM_FREE_ALL;
  return 0;
}

int main(void) {
  static const struct CMUnitTest tests[] = {cmocka_unit_test(gates),
                                            cmocka_unit_test(few_warps),
                                            cmocka_unit_test(lines_are_named_when_they_are_written),
                                            cmocka_unit_test(a_fault_names_its_line),
                                            cmocka_unit_test(an_answer_that_nobody_waits_for),
                                            cmocka_unit_test(an_ideal_machine)};
  static const struct CMUnitTest right[] = {cmocka_unit_test(sums_by_blocks),
                                            cmocka_unit_test(many_warps),
                                            cmocka_unit_test(two_arrivals),
                                            cmocka_unit_test(predicates),
                                            cmocka_unit_test(live_ins_are_saved),
                                            cmocka_unit_test(the_gpus_stores_are_drained),
                                            cmocka_unit_test(the_gpus_atomics_are_drained),
                                            cmocka_unit_test(the_stacks_l1_is_empty_at_a_blocks_begin),
                                            cmocka_unit_test(what_blocks_write_is_forgotten)};
  return cmocka_run_group_tests_name("offload_tom", tests, NULL, NULL) +
         cmocka_run_group_tests_name("results are right", right, NULL, NULL) +
         cmocka_run_group_tests_name("with coherence for nothing", right, coherence_is_free, NULL) +
         cmocka_run_group_tests_name("with all for nothing", right, all_is_free, NULL);
}
