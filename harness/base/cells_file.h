/* SPDX-License-Identifier: Apache-2.0
 *
 * The file of a library of standard cells, for cells_choose: synth/cells.d/README.md says what its
 * keys mean.
 */
#ifndef CELLS_FILE_H
#define CELLS_FILE_H

#include "cells.h"

/* Into cells, whose name and units without a key are set. INPUT: "FILE:LINE:COLUMN: what is wrong",
 * a file of it is not there; ENVIRONMENT: its package is not installed. */
bool cells_file_read(cells_t *cells, const char *path, trouble_t *trouble);

#endif
