/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of track_table, the register track table: where each register of each warp has a
 * valid copy (MPU paper, section IV-B1, Fig. 3: FBValid, NBValid; rtl/lsu/track_table.ports).
 *
 * Call track_table_eval for the look-ups of a cycle, then track_table_step with the same inputs for
 * its clock edge. Look-ups show the state before the updates of the same cycle. Warps and registers
 * beyond the table give 0, and updates of them are ignored.
 */
#ifndef TRACK_TABLE_H
#define TRACK_TABLE_H

#include <stdbool.h>

#include "track_table_ports.h"

enum { TRACK_TABLE_LOOKUPS = 5 };

typedef struct {
  uint8_t copies[Warps][Regs]; /* bit 0: the far-bank copy is valid; bit 1: the near-bank one */
} track_table_t;

void track_table_reset(track_table_t *s);
void track_table_eval(const track_table_t *s, const track_table_in_t *in, track_table_out_t *out);
void track_table_step(track_table_t *s, const track_table_in_t *in);
/* Always true: without an update, step changes nothing. */
bool track_table_idle(const track_table_t *s);

#endif
