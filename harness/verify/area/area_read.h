/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads what Yosys said: lists of cells and of black boxes, and the longest path by abc or ltp.
 * Text in, figures out.
 */
#ifndef AREA_READ_H
#define AREA_READ_H

#include "area.h"

/* Reads `stat` of a mapped block into cells, flipflops and area. skip() says which names are no
 * cells: memories and parts. Cells that the RTL names count. Writes into `text`. False: INPUT, a
 * cell is not of the target or has no area. */
bool area_read_cells(area_t *area, char *text, const area_target_t *target,
                     bool (*skip)(const void *context, const char *cell), const void *context, trouble_t *trouble);

/* Reads a `dump` of black boxes: memories (sram_*) become macros, cells of the library are
 * passed over, all others are parts. Equal parts are counted; their figures stay 0. Writes into
 * `text`. */
bool area_read_boxes(area_t *area, char *text, const area_target_t *target, trouble_t *trouble);

bool area_has_cell(const area_target_t *target, const char *name); /* Has the library this cell, used or not? */

double area_read_delay(const char *abc); /* ps; below 0: no logic between registers */
long area_read_levels(const char *ltp);  /* below 0: no logic */

#endif
