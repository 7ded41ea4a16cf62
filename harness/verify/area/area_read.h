/* SPDX-License-Identifier: Apache-2.0
 *
 * What Yosys said: the lists of cells and of black boxes, abc's and ltp's longest path. Text in,
 * figures out.
 */
#ifndef AREA_READ_H
#define AREA_READ_H

#include "area.h"

/* `stat` of a mapped block; cells that the RTL has by name are there, too. skip() says which names
 * are no cells: memories and parts. `text` is written to. */
bool area_read_cells(area_t *area, char *text, const area_target_t *target,
                     bool (*skip)(const void *context, const char *cell), const void *context, trouble_t *trouble);

/* `dump` of black boxes: memories (sram_*) become macros, all others parts with their parameters,
 * equal ones counted; cells of the library are neither. A part's number of cells and area are not
 * known yet. `text` is written to. */
bool area_read_boxes(area_t *area, char *text, const area_target_t *target, trouble_t *trouble);

bool area_has_cell(const area_target_t *target, const char *name); /* Is it one of the library, mapped onto or not? */

double area_read_delay(const char *abc); /* ps; below 0: no logic between registers */
long area_read_levels(const char *ltp);  /* below 0: no logic */

#endif
