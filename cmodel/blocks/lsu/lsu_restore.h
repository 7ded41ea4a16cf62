/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu_restore -- golden model of the restored addresses of an offloaded access; contract:
 * rtl/lsu/lsu_restore.ports.
 */
#ifndef LSU_RESTORE_H
#define LSU_RESTORE_H

#include <stdbool.h>

#include "lsu_restore_ports.h"

typedef struct {
  char none; /* no state */
} lsu_restore_t;

void lsu_restore_reset(lsu_restore_t *s);
void lsu_restore_eval(const lsu_restore_t *s, const lsu_restore_in_t *in, lsu_restore_out_t *out);
void lsu_restore_step(lsu_restore_t *s, const lsu_restore_in_t *in);

#endif
