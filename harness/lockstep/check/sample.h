/* SPDX-License-Identifier: Apache-2.0
 *
 * Draws sets of a block's parameters for `--sample`. The values of a parameter fall into classes:
 * its least and its most, values at which a port's width changes, powers of two, one below and one
 * above these, and the rest; of a range of up to SAMPLE_FEW values each is its own class. Sets are
 * chosen so that each class, then each pair of classes of two parameters, comes soon.
 *
 *   sample_t sample;
 *   ok = sample_draw(&sample, root, "X.ports", fixed, seed, 8, &trouble);
 *   ... sample.sets[i] for i < sample.count: "Depth=7,Width=100" ...
 *   sample_free(&sample);
 *
 * The same seed and port file give the same sets. Each set keeps ranges and rules of the port file,
 * is there once, and is not the default set.
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "port_sets.h"

#include <stdint.h>

enum { SAMPLE_FEW = 6, SAMPLE_CLASSES = 8, SAMPLE_TEXT = 1024, SAMPLE_MOST = 1000 };

typedef struct {
  char (*sets)[SAMPLE_TEXT]; /* as --set has it; what is as by default is left out */
  unsigned count;            /* fewer than asked for: there are no more */
  /* Pairs of classes of two parameters that are not fixed: all but those for which no set was
   * found, and those that the sets have. */
  unsigned pairs, met;
} sample_t;

/* fixed: settings that all sets have (--set); "": none. INPUT: the port file cannot be read, or has
 * no parameter that is not fixed, or the sets are too long to be given. */
bool sample_draw(sample_t *sample, const char *root, const char *ports, const char *fixed, uint64_t seed,
                 unsigned count, trouble_t *trouble);
void sample_free(sample_t *sample);

#endif
