/* SPDX-License-Identifier: Apache-2.0
 *
 * The functional coverage points of a port file, as one C function over the cycle's inputs and the
 * model's outputs. Compiled once for each object of kind rtl+cov with BLOCK, PORTS_FILE,
 * PORTS_HEADER, MODEL_HEADER and the parameters from variant.h; no other object has any of it.
 * docs/coverage.md says what the entries mean.
 */
#include MODEL_HEADER
#include PORTS_HEADER

#include "dut.h"
#include "points.h"
#include "variant.h"

#include <string.h>

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
typedef CAT(BLOCK, _in_t) in_t;
typedef CAT(BLOCK, _out_t) out_t;

#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wsign-compare"

/* --- what is remembered from cycle to cycle; zero after reset */

typedef struct {
  bool any; /* a cycle has been seen since reset: last_in and last_out are its */
  in_t last_in;
  out_t last_out;
#define COVER_STREAK(name, condition) int64_t name;
#define COVER_LEVEL(name, change) int64_t name;
#define COVER_LAST(name, condition, value) int64_t name; /* one more than it, so that 0 is none */
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
} state_t;

/* --- where each entry's points are */

#define COUNT(...) (sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))
enum {
  NO_BINS,
#define COVER_AXIS(name, index, text, ...) BINS_##name = COUNT(__VA_ARGS__),
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
};
enum {
#define COVER(name, condition, text) POINT_##name,
#define COVER_AXIS(name, index, text, ...) POINT_##name, LAST_##name = POINT_##name + BINS_##name - 1,
#define COVER_CROSS(name, a, b, text) POINT_##name, LAST_##name = POINT_##name + BINS_##a * BINS_##b - 1,
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
  NUM_POINTS
};

#define COVER_AXIS(name, index, text, ...) static const char *const labels_##name[] = {__VA_ARGS__};
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"

static const dut_cover_t covers[] = {
#define COVER(name, condition, text) {#name, text, __LINE__, POINT_##name, {NULL, NULL}, {1, 1}},
#define COVER_AXIS(name, index, text, ...) \
  {#name, text, __LINE__, POINT_##name, {labels_##name, NULL}, {BINS_##name, 1}},
#define COVER_CROSS(name, a, b, text) \
  {#name, text, __LINE__, POINT_##name, {labels_##a, labels_##b}, {BINS_##a, BINS_##b}},
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
    {0},
};

/* --- a cycle */

static void cycle(void *state, const void *in_bytes, const void *out_bytes, uint32_t *counts) {
  state_t *const s = state;
#define in (*(const in_t *)in_bytes)
#define out (*(const out_t *)out_bytes)
#define last_in (s->last_in)
#define last_out (s->last_out)
  const bool any = s->any;
  (void)counts;
  /* What the points may name: streaks count this cycle,
   * levels and last values are those before it. */
#define COVER_STREAK(name, condition) const int64_t name = s->name = (condition) ? s->name + 1 : 0;
#define COVER_LEVEL(name, change) const int64_t name = s->name;
#define COVER_LAST(name, condition, value) const int64_t name = s->name - 1;
#define COVER_LET(name, value) const int64_t name = (int64_t)(value);
#define COVER_AXIS(name, index, text, ...) const int64_t name = (index);
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
#define COVER(name, condition, text) counts[POINT_##name] += !!(condition);
#define COVER_AXIS(name, index, text, ...) \
  if (name >= 0 && name < BINS_##name) counts[POINT_##name + name]++;
#define COVER_CROSS(name, a, b, text) \
  if (a >= 0 && a < BINS_##a && b >= 0 && b < BINS_##b) counts[POINT_##name + a * BINS_##b + b]++;
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
#define COVER_LEVEL(name, change) s->name += (change);
#define COVER_LAST(name, condition, value) \
  if (condition) s->name = (int64_t)(value) + 1;
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
#undef last_in
#undef last_out
  s->any = true;
  s->last_in = in;
  s->last_out = out;
#undef in
#undef out
}

void dut_points_fill(dut_t *dut) {
  dut->covers = covers;
  dut->num_covers = sizeof covers / sizeof *covers - 1;
  dut->num_cover_points = NUM_POINTS;
  dut->cover_size = sizeof(state_t);
  dut->cover = cycle;
}
