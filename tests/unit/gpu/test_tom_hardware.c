/* SPDX-License-Identifier: Apache-2.0
 *
 * What is between the GPU and instances of TOM's blocks, with engines that are the test's: what
 * they are told, in which cycle, and what is made of what they say; queues in front of them lose
 * nothing.
 */
#include "unit_test.h"

#include <string.h>

#include "bits.h"
#include "block_engine.h"
#include "page_table.h"
#include "ring.h"
#include "tom_admission.h"
#include "tom_links.h"
#include "tom_marks.h"
#include "tom_ranges_ports.h"

enum { WORDS = 16, STACK_BITS = 3 };

/* ---- An engine that says what the test wants: ports have places of the test's ---- */

static uint64_t says[WORDS], got[WORDS];
static unsigned steps;
static bool refuses;
static const char *const *wires; /* a port's place is that of its name in here */

/* The port's place, or -1. */
static int wire_place(const void *context, const char *port) {
  (void)context;
  for (int i = 0; wires[i]; i++)
    if (!strcmp(wires[i], port)) return i;
  return -1;
}

/* The engine's calls. */
static bool open_engine(void *state, const void *context, unsigned instance) {
  (void)state, (void)context;
  assert_int_equal(instance, 0);
  return !refuses;
}

static const void *engine_out(void *state) {
  (void)state;
  return says;
}

static void engine_step(void *state, const void *in) {
  (void)state;
  memcpy(got, in, sizeof got);
  steps++;
}

static const block_engine_t engine = {.name = "test",
                                      .state_size = 8,
                                      .in_words = WORDS,
                                      .out_words = WORDS,
                                      .place = wire_place,
                                      .open = open_engine,
                                      .out = engine_out,
                                      .step = engine_step};
static const block_engine_t *const engines[] = {&engine};

/* Before each test. */
static int reset_engine(void **state) {
  (void)state;
  memset(says, 0, sizeof says);
  memset(got, 0, sizeof got);
  steps = 0, refuses = false, wires = NULL;
  return 0;
}

/* ---- Who may go ---- */

/* Ports of tom_gate: inputs from 0 on, outputs from 8 on. */
enum { ASK, ASK_STACK, LIMIT, CTRL, DONE, SEEN, TARGET, GNT = 8, NAK, PENDING, IRQ, ERR };
static const char *const gate_wires[] = {[ASK] = "ask",         [ASK_STACK] = "ask_stack",
                                         [LIMIT] = "limit",     [CTRL] = "ctrl",
                                         [DONE] = "done",       [SEEN] = "seen",
                                         [TARGET] = "target",   [7] = "?",
                                         [GNT] = "gnt",         [NAK] = "nak",
                                         [PENDING] = "pending", [IRQ] = "irq",
                                         [ERR] = "err",         NULL};

/* The stack that an SM asks for, three bits each. */
static unsigned asked_stack(unsigned sm) {
  return (unsigned)bits_get((const uint32_t *)(const void *)&got[ASK_STACK], sm * STACK_BITS, STACK_BITS);
}

/* SMs 2 and 5 ask; one is granted, one refused. */
static void requests_stand_until_answered(void **state) {
  (void)state;
  gpu_config_t c = gpu_config_default();
  trouble_t fault = {0};
  tom_admission_t a;
  unsigned stack;
  wires = gate_wires;
  c.num_sms = 8, c.num_stacks = 4, c.tom.warps = 48, c.tom.queue = 16, c.tom_control = false;
  assert_int_equal(tom_admission_init(&a, &c, engines), 0);
  tom_admission_wire(&a, 2, true, 3);
  tom_admission_wire(&a, 5, true, 1);
  assert_true(tom_admission_asks(&a, 2, &stack) && !tom_admission_asks(&a, 3, &stack));
  tom_admission_asks(&a, 2, &stack);
  assert_int_equal(stack, 3);
  tom_answers_t r = tom_admission_tick(&a, 0x81, 77, &fault);
  assert_int_equal(r.granted | r.refused | r.enough, 0);
  assert_int_equal(got[ASK], 1 << 2 | 1 << 5);
  assert_int_equal(asked_stack(2), 3);
  assert_int_equal(asked_stack(5), 1);
  assert_int_equal(got[LIMIT], 64); /* 48 warps and 16 places in the queue */
  assert_int_equal(got[CTRL], 0);
  assert_int_equal(got[SEEN], 0x81);
  assert_int_equal(got[TARGET], 77);
  says[GNT] = 1 << 2, says[NAK] = 1 << 5, says[IRQ] = 1;
  r = tom_admission_tick(&a, 0, 0, &fault); /* it stood until it was answered */
  assert_int_equal(got[ASK], 1 << 2 | 1 << 5);
  assert_int_equal(r.granted, 1 << 2);
  assert_int_equal(r.refused, 1 << 5);
  assert_true(r.enough);
  says[GNT] = says[NAK] = 0;
  tom_admission_wire(&a, 5, false, 0); /* until whoever asked takes it away */
  tom_admission_tick(&a, 0, 0, &fault);
  assert_int_equal(got[ASK], 1 << 2);
  assert_int_equal(fault.kind, 0);
  tom_admission_deinit(&a);
}

/* Of three blocks that end at a stack at once one is told a cycle. */
static void ends_are_told_one_a_cycle(void **state) {
  (void)state;
  gpu_config_t c = gpu_config_default();
  trouble_t fault = {0};
  tom_admission_t a;
  wires = gate_wires;
  c.num_stacks = 4, c.tom_control = true;
  assert_int_equal(tom_admission_init(&a, &c, engines), 0);
  for (unsigned i = 0; i < 3; i++) tom_admission_ended(&a, 1);
  tom_admission_ended(&a, 3);
  tom_admission_tick(&a, 0, 0, &fault);
  assert_int_equal(got[DONE], 1 << 1 | 1 << 3);
  assert_int_equal(got[CTRL], 1);
  assert_int_equal(got[LIMIT], c.tom.warps);
  for (unsigned i = 0; i < 2; i++) {
    tom_admission_tick(&a, 0, 0, &fault);
    assert_int_equal(got[DONE], 1 << 1);
  }
  /* a byte for each stack */
  says[PENDING] = 0x30201ff;
  assert_int_equal(tom_admission_pending(&a, 0), 255);
  assert_int_equal(tom_admission_pending(&a, 3), 3);
  tom_admission_tick(&a, 0, 0, &fault);
  assert_int_equal(got[DONE], 0);
  assert_int_equal(fault.kind, 0);
  says[ERR] = 1;
  tom_admission_tick(&a, 0, 0, &fault);
  assert_int_equal(fault.kind, 1);
  assert_string_equal(fault.text, "an instance of tom_gate says that a stack ended a block that it was not given");
  tom_admission_deinit(&a);
}

/* Ports that it has not, and an instance that does not open. */
static void cannot_be_had(void **state) {
  (void)state;
  static const char *const none[] = {"ask", NULL};
  gpu_config_t c = gpu_config_default();
  tom_admission_t a;
  c.offload_policy = GPU_OFFLOAD_tom, c.tom_control = true;
  gpu_shared_t sh = {.config = &c, .engine = {[GPU_HARDWARE_tom_busy] = engines}};
  tom_links_t l;
  wires = none; /* other ports */
  assert_int_equal(tom_admission_init(&a, &c, engines), -1);
  tom_admission_deinit(&a);
  assert_int_equal(tom_links_init(&l, &sh), -1);
  tom_links_deinit(&l);
  refuses = true;
  wires = gate_wires;
  assert_int_equal(tom_admission_init(&a, &c, engines), -1);
  tom_admission_deinit(&a);
}

/* ---- Links ---- */

enum { TX, RX, BUSY_LIMIT, HOT_TX, HOT_RX };
static const char *const busy_wires[] = {"tx_flits", "rx_flits", "limit", "hot_tx", "hot_rx", NULL};

/* Flits of a link in this cycle, two bits each. */
static unsigned flits_told(unsigned way, unsigned link) {
  return (unsigned)bits_get((const uint32_t *)(const void *)&got[way], link * 2, 2);
}

/* Links of two and a half flits a cycle: a packet of eight flits is on its
 * way for three of the block's cycles, three flits at most in each. */
static void links_carry_flits(void **state) {
  (void)state;
  gpu_config_t c = gpu_config_default();
  trouble_t fault = {0};
  gpu_link_flits_t carried = {{0}, {0}};
  tom_links_t l;
  wires = busy_wires;
  c.num_stacks = 4, c.link_flits = 2.5, c.tom.busy = 0.6, c.offload_policy = GPU_OFFLOAD_tom, c.tom_control = true;
  gpu_shared_t sh = {.config = &c, .flits = &carried, .fault = &fault, .engine = {[GPU_HARDWARE_tom_busy] = engines}};
  assert_int_equal(tom_links_init(&l, &sh), 0);
  carried.sent[1] = 8, carried.got[3] = 2;
  static const unsigned sent[] = {3, 3, 2, 0}, came[] = {2, 0, 0, 0};
  for (unsigned t = 0; t < 4; t++) {
    tom_links_tick_xbar(&l);
    assert_int_equal(flits_told(TX, 1), sent[t]);
    assert_int_equal(flits_told(TX, 0) + flits_told(TX, 2) + flits_told(TX, 3), 0);
    assert_int_equal(flits_told(RX, 3), came[t]);
    assert_int_equal(got[BUSY_LIMIT], 50); /* 60 % of two and a half are 50 % of three */
  }
  says[HOT_TX] = 1; /* seen by the SMs in the second cycle of theirs */
  tom_links_tick_core(&l);
  assert_false(tom_links_tx(&l) || tom_links_rx(&l));
  tom_links_tick_core(&l);
  assert_true(tom_links_tx(&l) && !tom_links_rx(&l));
  says[HOT_TX] = 0, says[HOT_RX] = 1;
  tom_links_tick_core(&l);
  assert_true(tom_links_tx(&l) && !tom_links_rx(&l));
  tom_links_tick_core(&l);
  assert_true(tom_links_rx(&l) && !tom_links_tx(&l));
  tom_links_deinit(&l);
  c.tom_control = false; /* there is no instance, and no link is ever busy */
  steps = 0;
  assert_int_equal(tom_links_init(&l, &sh), 0);
  tom_links_tick_xbar(&l);
  tom_links_tick_core(&l);
  assert_false(tom_links_tx(&l) || tom_links_rx(&l));
  assert_int_equal(steps, 0);
  tom_links_deinit(&l);
}

/* ---- Marks, with the test's table ---- */

static struct {
  uint64_t start, bytes;
  bool marked;
} table[TOM_MARKS_ENTRIES];
static tom_ranges_out_t ranges_out;
static unsigned looked_up, takes; /* addresses; cycles of a look-up that are left */

/* The table as tom_ranges has it; a look-up takes three cycles. */
static void ranges_step(void *state, const void *wires_in) {
  const tom_ranges_in_t *in = wires_in;
  (void)state;
  steps++;
  ranges_out.rd_mark = table[in->rd_idx].marked;
  if (in->cfg_valid) {
    assert_int_equal(ranges_out.busy, 0);
    table[in->cfg_idx].start = in->cfg_start, table[in->cfg_idx].bytes = in->cfg_bytes,
    table[in->cfg_idx].marked = false;
  }
  if (takes) takes--;
  if (in->q_valid) {
    assert_true(ranges_out.q_ready);
    looked_up++, takes = 3;
    for (unsigned i = 0; i < in->count; i++)
      table[i].marked |= in->q_addr >= table[i].start && in->q_addr - table[i].start < table[i].bytes;
  }
  ranges_out.busy = takes > 0, ranges_out.q_ready = !takes;
}

static const void *ranges_say(void *state) {
  (void)state;
  return &ranges_out;
}

static const block_engine_t ranges = {
    .name = "test", .state_size = 8, .open = open_engine, .out = ranges_say, .step = ranges_step};
static const block_engine_t *const ranges_engines[] = {&ranges};

/* 90 allocations, every third one accessed: three pages by three SMs, four times each. */
static void marks_are_looked_up(void **state) {
  (void)state;
  enum { USED = 90, SMS = 3 };
  trouble_t fault = {0};
  tom_marks_t m;
  ranges_out = (tom_ranges_out_t){.q_ready = 1}, looked_up = takes = 0;
  assert_int_equal(tom_marks_init(&m, ranges_engines), 0);
  for (unsigned i = 0; i < USED; i++) tom_marks_write(&m, i, (uint64_t)(i + 1) << 20, 10000, i + 1, &fault);
  assert_true(tom_marks_idle(&m));
  unsigned pages = 0;
  for (unsigned i = 0; i < USED; i += 3)
    for (unsigned sm = 0; sm < SMS; sm++)
      for (unsigned k = 0; k < 3; k++, pages++)
        for (unsigned again = 0; again < 4; again++)
          assert_true(tom_marks_access(&m, sm, ((uint64_t)(i + 1) << 20) + k * PAGE_BYTES + again * 100));
  assert_int_equal(m.queue.count, pages); /* of each page and SM one; many more than the block has places for */
  for (unsigned t = 0; !tom_marks_idle(&m); t++) tom_marks_tick(&m, &fault);
  assert_int_equal(looked_up, pages);
  steps = 0;
  tom_marks_tick(&m, &fault);
  assert_int_equal(steps, 0); /* there is nothing to do */
  assert_true(tom_marks_read_now(&m, 3, &fault) && !tom_marks_read_now(&m, 4, &fault));
  unsigned cycles = 1;
  while (!tom_marks_read(&m, &fault)) cycles++;
  assert_int_equal(cycles, USED + 1);
  for (unsigned i = 0; i < USED; i++) assert_int_equal(m.marked[i], i % 3 == 0);
  /* A page that was sent counts for nothing when entries
   * are others; who writes waits for what is under way. */
  tom_marks_access(&m, 0, 88 << 20);
  assert_true(tom_marks_idle(&m));
  tom_marks_access(&m, 0, 77 << 20);
  tom_marks_write(&m, 0, 1 << 20, 10, USED, &fault);
  assert_int_equal(looked_up, pages + 1);
  tom_marks_access(&m, 0, 88 << 20);
  assert_false(tom_marks_idle(&m));
  tom_marks_deinit(&m);
}

/* ---- A queue that grows ---- */

/* More comes than goes for 9000 steps, then the other way round; order is kept. */
static void rings_grow(void **state) {
  (void)state;
  ring_t r = {.size = sizeof(uint32_t)};
  uint64_t seed = 1;
  uint32_t in = 0, off = 0;
  for (unsigned n = 0; n < 20000; n++) {
    if (test_random(&seed) % 1000 < (n < 9000 ? 700u : 300u)) {
      assert_true(ring_put(&r, &in));
      in++;
    } else if (in != off) {
      assert_int_equal(*(const uint32_t *)ring_front(&r), off++);
      ring_drop(&r);
    }
    assert_int_equal(r.count, in - off);
    assert_true((ring_front(&r) == NULL) == (in == off));
  }
  assert_true(in > 5000 && r.room > 64);
  ring_deinit(&r);
  assert_null(ring_front(&r));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup(requests_stand_until_answered, reset_engine),
                                     cmocka_unit_test_setup(ends_are_told_one_a_cycle, reset_engine),
                                     cmocka_unit_test_setup(cannot_be_had, reset_engine),
                                     cmocka_unit_test_setup(links_carry_flits, reset_engine),
                                     cmocka_unit_test_setup(marks_are_looked_up, reset_engine),
                                     cmocka_unit_test(rings_grow)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
