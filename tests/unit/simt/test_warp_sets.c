/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of warps of one to three banks, against a state a warp and a search through all of them: who
 * waits for what, who is woken when, whom a scheduler chooses.
 */
#include "unit_test.h"

#include <string.h>

#include "warp_sets.h"

enum { STEPS = 20000 };
static const unsigned sizes[] = {1, 2, 48, 63, 64, 65, 96, 127, 128, 129, 191, 192};

/* ---- Who issues ------------------------------------------------------------------------------ */

/* The same state, plainly: who can issue, who started when, who issued last. */
typedef struct {
  unsigned warps;
  bool candidate[GPU_WIDEST_WARPS];
  uint64_t age[GPU_WIDEST_WARPS];
  int last;
} naive_t;

/* Loose round robin: the first candidate behind the warp that issued last. */
static unsigned next_of(const naive_t *n) {
  for (unsigned i = 1; i <= n->warps; i++) {
    const unsigned w = (unsigned)(n->last + (int)i) % n->warps;
    if (n->candidate[w]) return w;
  }
  return WARP_NONE;
}

/* Greedy then oldest: the last one as long as it
 * can, else the candidate that started first. */
static unsigned oldest_of(const naive_t *n) {
  unsigned best = WARP_NONE;
  if (n->last >= 0 && n->candidate[n->last]) return (unsigned)n->last;
  for (unsigned w = 0; w < n->warps; w++)
    if (n->candidate[w] && (best == WARP_NONE || n->age[w] < n->age[best])) best = w;
  return best;
}

/* Random candidates, many and few, and warps that start anew and so are the youngest. */
static void who_issues(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    static warp_sets_t s;
    naive_t n = {.warps = sizes[k], .last = -1};
    unsigned none = 0, some = 0;
    s = (warp_sets_t){.banks = warp_sets_banks(n.warps), .last = {-1, -1}};
    for (unsigned w = 0; w < n.warps; w++) warp_sets_start(&s, w), n.age[w] = w;
    for (unsigned step = 0; step < STEPS; step++) {
      uint64_t candidates[WARP_BANKS] = {0};
      const unsigned started = (unsigned)(test_random(&seed) % n.warps), one_of = 1u << test_random(&seed) % 9;
      warp_sets_start(&s, started);
      n.age[started] = n.warps + step;
      for (unsigned w = 0; w < n.warps; w++) {
        n.candidate[w] = test_random(&seed) % one_of == 0;
        if (n.candidate[w]) candidates[w / 64] |= 1ull << w % 64;
      }
      if (step % 64 == 0) n.last = -1;
      s.last[step & 1] = n.last;
      const unsigned next = warp_sets_choose(&s, GPU_SCHEDULER_lrr, step & 1, candidates),
                     oldest = warp_sets_choose(&s, GPU_SCHEDULER_gto, step & 1, candidates);
      assert_int_equal(next, next_of(&n));
      assert_int_equal(oldest, oldest_of(&n));
      if (next == WARP_NONE) none++;
      else n.last = (int)(step & 2 ? next : oldest), some++;
    }
    assert_true(none && some);
  }
}

/* A warp is the scheduler's that its slot modulo their number says, in all banks. */
static void whose_warps(void **state) {
  (void)state;
  for (unsigned schedulers = 1; schedulers <= GPU_SCHEDULERS_MOST; schedulers++) {
    static warp_sets_t s;
    s = (warp_sets_t){0};
    warp_sets_share(&s, schedulers);
    for (unsigned w = 0; w < GPU_WIDEST_WARPS; w++)
      for (unsigned k = 0; k < GPU_SCHEDULERS_MOST; k++)
        assert_int_equal(s.of[k][w / WARP_BANK] >> w % WARP_BANK & 1, w % schedulers == k);
  }
}

/* ---- Who waits, and until when --------------------------------------------------------------- */

/* Where a warp is; OUT: in no set. */
typedef enum { OUT, READY, ON_THE_WHEEL, DATA, ROOM } place_t;

/* Each warp is out, ready, on the wheel until a cycle, or
 * waits for data or room. A warp on the wheel is woken in its
 * cycle, and the counts of the sets are right in every cycle. */
static void who_waits(void **state) {
  (void)state;
  uint64_t seed = 2;
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    static warp_sets_t s;
    place_t place[GPU_WIDEST_WARPS] = {OUT};
    uint64_t until[GPU_WIDEST_WARPS] = {0};
    s = (warp_sets_t){.banks = warp_sets_banks(sizes[k])};
    unsigned woken_late = 0;
    for (uint64_t now = 1; now < STEPS; now++) {
      for (unsigned b = 0; b < s.banks; b++) /* woken: as due, or at least one turn of the wheel later */
        for (uint64_t woken = warp_bank_turn(&s.bank[b], now); woken;) {
          const unsigned w = warp_take(b, &woken);
          assert_int_equal(place[w], ON_THE_WHEEL);
          woken_late += until[w] != now;
          place[w] = OUT;
        }
      for (unsigned w = 0; w < sizes[k]; w++) assert_false(place[w] == ON_THE_WHEEL && until[w] <= now);
      const unsigned w = (unsigned)(test_random(&seed) % sizes[k]);
      warp_bank_t *b = warp_bank(&s, w);
      const uint64_t bit = warp_bit(w);
      if (place[w] == ON_THE_WHEEL) continue;
      warp_bank_clear(b, bit);
      place[w] = OUT;
      switch (test_random(&seed) % 5) {
      case 0:
        until[w] = now + 1 + test_random(&seed) % (WARP_WHEEL - 1);
        assert_false(warp_bank_until(b, bit, until[w], now));
        place[w] = ON_THE_WHEEL;
        break;
      case 1:
        assert_false(warp_bank_until(b, bit, SM_NEVER, now));
        place[w] = DATA;
        break;
      case 2:
        assert_true(warp_bank_until(b, bit, now, now));
        b->ready |= bit;
        place[w] = READY;
        break;
      case 3:
        b->ready |= bit;
        warp_bank_await_room(b, bit);
        place[w] = ROOM;
        break;
      default: break;
      }
      if (now % 7 == 0 && place[w] == ROOM) {
        warp_bank_room(b, bit);
        place[w] = READY;
      }
      if (now % 11 == 0 && place[w] == READY) {
        warp_bank_end(b, bit);
        place[w] = OUT;
      }
      unsigned ready = 0, data = 0, room = 0;
      for (unsigned i = 0; i < sizes[k]; i++)
        ready += place[i] == READY, data += place[i] == DATA, room += place[i] == ROOM;
      assert_int_equal(WARP_SETS_COUNT(&s, ready), ready);
      assert_int_equal(WARP_SETS_COUNT(&s, wait_data), data);
      assert_int_equal(WARP_SETS_COUNT(&s, wait_room), room);
    }
    assert_int_equal(woken_late, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(who_issues), cmocka_unit_test(whose_warps),
                                     cmocka_unit_test(who_waits)};
  return cmocka_run_group_tests_name("warp_sets", tests, NULL, NULL);
}
