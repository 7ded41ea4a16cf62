/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the YAML file of a standard-cell library for cells_choose. synth/cells.d/README.md explains
 * the keys.
 */
#ifndef CELLS_FILE_H
#define CELLS_FILE_H

#include "cells.h"

/* Fills in `cells` from the file at `path`; the caller has set the name and the default units.
 * INPUT: "FILE:LINE:COLUMN: what is wrong", or a file that the library names is missing.
 * ENVIRONMENT: the library's package is not installed. */
bool cells_file_read(cells_t *cells, const char *path, trouble_t *trouble);

#endif
