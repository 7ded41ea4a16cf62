/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu_xact -- golden model of the transaction table; contract: rtl/lsu/lsu_xact.ports.
 */
#ifndef LSU_XACT_H
#define LSU_XACT_H

#include <stdbool.h>

#include "lsu_xact_ports.h"

typedef struct {
  struct {
    bool used;
    uint8_t kind;
    uint16_t ref;
  } entry[Xacts];
  unsigned err;
} lsu_xact_t;

void lsu_xact_reset(lsu_xact_t *s);
void lsu_xact_eval(const lsu_xact_t *s, const lsu_xact_in_t *in, lsu_xact_out_t *out);
void lsu_xact_step(lsu_xact_t *s, const lsu_xact_in_t *in);

#endif
