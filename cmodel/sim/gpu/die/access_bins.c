/* SPDX-License-Identifier: Apache-2.0 */
#include "access_bins.h"

typedef struct {
  uint64_t least;
  const char *name;
} bin_t;

static const bin_t lines[LINES_BINS] = {
#define LINES(least, name) {least, name},
#include "access_bins.def"
};

static const bin_t spread[SPREAD_BINS] = {
#define SPREAD(least, name) {least, name},
#include "access_bins.def"
};

static unsigned find_bin(const bin_t *bin, unsigned bins, uint64_t value) {
  while (bins > 1 && value < bin[bins - 1].least) bins--;
  return bins - 1;
}

unsigned lines_bin(unsigned count) {
  return find_bin(lines, LINES_BINS, count);
}

unsigned spread_bin(uint64_t cycles) {
  return find_bin(spread, SPREAD_BINS, cycles);
}

const char *lines_bin_name(unsigned bin) {
  return bin < LINES_BINS ? lines[bin].name : "?";
}

const char *spread_bin_name(unsigned bin) {
  return bin < SPREAD_BINS ? spread[bin].name : "?";
}
