/* SPDX-License-Identifier: Apache-2.0
 *
 * track_table -- golden model of the register track table; contract: rtl/lsu/track_table.ports.
 *
 * track_table_idle: always, as only inputs change it.
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
bool track_table_idle(const track_table_t *s);

#endif
