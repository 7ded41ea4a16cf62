/* SPDX-License-Identifier: Apache-2.0
 *
 * Have a block's sources changed since something was measured of it? A checksum of all that its
 * RTL, port file, golden model and stimulus consist of: those files, the modules that the RTL
 * names, the headers and models that the C includes, the family's lists (*.def); for coverage also
 * its waivers, for mutants what it may expect of its neighbours (X.env.sv). Or of its hardware
 * alone: RTL, its modules, the lists; for proofs with what tests/formal has of it. The block's
 * parameters count, comments and white space do not; `ifdef FORMAL` counts for mutants, whose
 * proofs read it, and for proofs.
 */
#ifndef FINGERPRINT_H
#define FINGERPRINT_H

#include "build.h"

enum { FINGERPRINT_TEXT = 9 }; /* eight hexadecimal digits */

typedef enum {
  FINGERPRINT_COVER,
  FINGERPRINT_MUTATE,
  FINGERPRINT_PROVE,
  FINGERPRINT_HARDWARE,
  FINGERPRINT_CHECK,
  FINGERPRINTS
} fingerprint_of_t;

/* False: a file could not be read, or there are too many. */
bool block_fingerprint(const block_t *block, const places_t *places, fingerprint_of_t of, char text[FINGERPRINT_TEXT],
                       trouble_t *trouble);

/* Calls see for each of these files, and with `there` false for one
 * that would be read instead of one of them, if it were there. */
typedef void block_file_t(void *context, const char *path, bool there);
bool block_files(const block_t *block, const places_t *places, fingerprint_of_t of, block_file_t *see, void *context,
                 trouble_t *trouble);

#endif
