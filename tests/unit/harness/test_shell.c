/* SPDX-License-Identifier: Apache-2.0
 *
 * The shell's promises: which parts tick when, clocks of a part in their order, phases, sleep and
 * waking, channels. SystemC elaborates once a process, so all of it is one machine, and `shell
 * reversed` is the same with the parts in the other order.
 */
#include "unit_test.h"

#include <stdio.h>
#include <string.h>

#include "channel.h"

/* A line for each tick, in instants; ticks of an instant
 * and phase in the order of the parts' names. */
enum { TICKS = 512 };
static struct {
  uint64_t at, cycle;
  char part, clock;
} said[TICKS];
static unsigned num_said;

/* Notes a tick of a part in the instant of now. */
static void note_tick(char part, unsigned clock, uint64_t cycle) {
  assert_true(num_said < TICKS);
  said[num_said].at = shell_now, said[num_said].cycle = cycle;
  said[num_said].part = part, said[num_said++].clock = (char)('0' + clock);
}

/* Ticks of a part: "0.0 1.1 ...", clock and cycle of that clock, an instant behind an @. */
static const char *ticks_of(char part) {
  static char text[4096];
  size_t used = 0;
  *text = 0;
  for (unsigned i = 0; i < num_said; i++)
    if (said[i].part == part)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%c.%u@%u", used ? " " : "", said[i].clock,
                               (unsigned)said[i].cycle, (unsigned)said[i].at);
  return text;
}

static channel_t channel;
static shell_part_t *sleeper, *late;
static char items[32];
static unsigned sent, got, got_at[32], room_in[32];
static bool phase1_saw;
static unsigned flag;

/* a: two clocks, 4 and 6 ticks; fills the channel as
 * fast as it goes, ten items, from tick 12 on. */
static void a_tick(void *self, unsigned clock, uint64_t cycle) {
  (void)self;
  note_tick('a', clock, cycle);
  if (clock != 0 || shell_now < 12) return;
  for (; sent < 10 && channel_has_room(&channel); sent++) {
    room_in[sent] = (unsigned)shell_now;
    channel_put(&channel, &items[sent]);
  }
}

/* b: the channel's reader, a clock of 4 ticks, two items each; sleeps while it is empty. */
static void b_tick(void *self, unsigned clock, uint64_t cycle) {
  (void)self;
  note_tick('b', clock, cycle);
  for (unsigned n = 0; n < 2; n++) {
    const char *item = channel_take(&channel);
    if (!item) break;
    assert_ptr_equal(item, &items[got]);
    got_at[got++] = (unsigned)shell_now;
  }
}

/* b sleeps while the channel is empty. */
static bool b_idle(const void *self) {
  (void)self;
  return channel_is_empty(&channel);
}

/* c: phase 0, sets a flag; d: phase 1, sees it in the same instant, and wakes e. */
static void c_tick(void *self, unsigned clock, uint64_t cycle) {
  (void)self;
  note_tick('c', clock, cycle);
  flag = (unsigned)shell_now;
}

static void d_tick(void *self, unsigned clock, uint64_t cycle) {
  (void)self;
  note_tick('d', clock, cycle);
  if (shell_now % 8 == 0) phase1_saw &= flag == shell_now;
  if (shell_now == 16) shell_wake(sleeper);
  if (shell_now == 16) shell_wake(sleeper); /* twice is once */
}

/* e: phase 0, always idle; ticks once at the start,
 * and once for each time that somebody wakes it. */
static void e_tick(void *self, unsigned clock, uint64_t cycle) {
  (void)self;
  note_tick('e', clock, cycle);
  if (shell_now == 20) shell_wake(late);
}

/* f: phase 1, always idle: woken by phase 0 in an instant, it ticks in that. */
static void f_tick(void *self, unsigned clock, uint64_t cycle) {
  (void)self;
  note_tick('f', clock, cycle);
}

static bool always_idle(const void *self) {
  (void)self;
  return true;
}

/* The machine runs until instant 40. */
static bool runs_until_40(const void *self) {
  (void)self;
  return shell_now < 40;
}

static const shell_kind_t kind_a = {.name = "a", .clocks = 2, .tick = a_tick, .running = runs_until_40};
static const shell_kind_t kind_b = {.name = "b", .clocks = 1, .tick = b_tick, .idle = b_idle};
static const shell_kind_t kind_c = {.name = "c", .clocks = 1, .tick = c_tick};
static const shell_kind_t kind_d = {.name = "d", .clocks = 1, .phase = 1, .tick = d_tick};
static const shell_kind_t kind_e = {.name = "e", .clocks = 1, .tick = e_tick, .idle = always_idle};
static const shell_kind_t kind_f = {.name = "f", .clocks = 1, .phase = 1, .tick = f_tick, .idle = always_idle};
static bool reversed;

/* Expected ticks by hand: clocks of 4, 6 and 8 tick at their multiples, and a part's own clocks
 * of one instant in their order. Ten items go through a channel of four: an item put at 12 is
 * seen at the reader's next edge, 16, and two are taken at each of its edges. */
static void one_machine(void **state) {
  (void)state;
  static const uint64_t a[] = {4, 6}, four = 4, eight = 8;
  phase1_saw = true;
  shell_add(&kind_a, NULL, a);
  channel.reader = shell_add(&kind_b, NULL, &four);
  shell_add(&kind_c, NULL, &eight);
  shell_add(&kind_d, NULL, &four);
  sleeper = shell_add(&kind_e, NULL, &four);
  late = shell_add(&kind_f, NULL, &four);
  shell_elaborate(reversed);
  shell_run(1000);

  assert_int_equal(shell_now, 40); /* kind_a ended it */
  assert_string_equal(
      ticks_of('a'),
      "0.0@0 1.0@0 0.1@4 1.1@6 0.2@8 0.3@12 1.2@12 0.4@16 1.3@18 0.5@20 0.6@24 1.4@24 0.7@28 1.5@30 0.8@32 0.9@36 "
      "1.6@36 0.10@40");
  assert_string_equal(ticks_of('c'), "0.0@0 0.1@8 0.2@16 0.3@24 0.4@32 0.5@40");
  assert_true(phase1_saw);
  assert_string_equal(ticks_of('e'), "0.0@0 0.5@20"); /* woken in phase 1 of 16: at the next edge */
  assert_string_equal(ticks_of('f'), "0.0@0 0.5@20"); /* woken in phase 0 of 20: at once */
  /* Asleep from 0 until the first items of 12; they are seen at 16, as they are when it was
   * awake all the time. Depth 4: what is taken at 16 makes room at 20. */
  assert_string_equal(ticks_of('b'), "0.0@0 0.4@16 0.5@20 0.6@24 0.7@28 0.8@32");
  static const unsigned put[] = {12, 12, 12, 12, 20, 20, 24, 24, 28, 28},
                        taken[] = {16, 16, 20, 20, 24, 24, 28, 28, 32, 32};
  assert_int_equal(sent, 10);
  assert_int_equal(got, 10);
  assert_memory_equal(room_in, put, sizeof put);
  assert_memory_equal(got_at, taken, sizeof taken);
}

int main(int argc, char **argv) {
  reversed = argc > 1 && !strcmp(argv[1], "reversed");
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_machine)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
