/* SPDX-License-Identifier: Apache-2.0
 *
 * Which bin of access_bins.def it is, and its name.
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

unsigned lines_bin(unsigned lines); /* 1..32 */
unsigned spread_bin(uint64_t cycles);
const char *lines_bin_name(unsigned bin); /* "4to7"; "?": there is none */
const char *spread_bin_name(unsigned bin);

#endif
