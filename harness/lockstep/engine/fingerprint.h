/* SPDX-License-Identifier: Apache-2.0
 *
 * Detects whether a block's sources have changed since a measurement. The fingerprint is a checksum
 * over everything that RTL, port file, golden model and stimulus consist of: those files, the
 * modules that the RTL names, the headers and models that the C includes, and the family's lists
 * (*.def).
 *
 * Coverage adds the waivers. Mutants add what the block may expect of its neighbours (X.env.sv).
 * HARDWARE covers RTL, modules and lists alone; PROVE adds the files of tests/formal. Parameters
 * count; comments, white space and PARAM_RULE of port files do not. `ifdef FORMAL` counts for
 * mutants, whose proofs read it, and for proofs.
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

/* Writes the fingerprint as text. False: a file could not be read, or there are too many files. */
bool block_fingerprint(const block_t *block, const places_t *places, fingerprint_of_t of, char text[FINGERPRINT_TEXT],
                       trouble_t *trouble);

/* Calls see() for each of these files. `there` is false for a file that would be read in place of
 * one of them if it existed. */
typedef void block_file_t(void *context, const char *path, bool there);
bool block_files(const block_t *block, const places_t *places, fingerprint_of_t of, block_file_t *see, void *context,
                 trouble_t *trouble);

#endif
