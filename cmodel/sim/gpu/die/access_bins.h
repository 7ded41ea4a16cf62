/* SPDX-License-Identifier: Apache-2.0
 *
 * Bins of access_bins.def: a value's bin, and the bin's name. The GPU counts memory instructions by
 * the lines that they access and by the spread of their answers.
 */
#ifndef ACCESS_BINS_H
#define ACCESS_BINS_H

#include <stdint.h>

enum {
#define LINES(least, name) +1
  LINES_BINS = 0
#include "access_bins.def"
  ,
#define SPREAD(least, name) +1
  SPREAD_BINS = 0
#include "access_bins.def"
};

unsigned lines_bin(unsigned lines); /* lines: 1 to 32 */
unsigned spread_bin(uint64_t cycles);
const char *lines_bin_name(unsigned bin); /* such as "4to7"; "?": no such bin */
const char *spread_bin_name(unsigned bin);

#endif
