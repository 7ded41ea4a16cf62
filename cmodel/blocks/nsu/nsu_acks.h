/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_acks -- golden model of the count of writes in flight; contract: rtl/nsu/nsu_acks.ports.
 */
#ifndef NSU_ACKS_H
#define NSU_ACKS_H

#include <stdbool.h>

#include "nsu_acks_ports.h"

typedef struct {
  unsigned count[NumWarps]; /* writes that memory has not acknowledged */
  uint64_t zero;            /* slots whose count is 0 */
  bool err_noreq;
} nsu_acks_t;

void nsu_acks_reset(nsu_acks_t *s);
void nsu_acks_eval(const nsu_acks_t *s, const nsu_acks_in_t *in, nsu_acks_out_t *out);
void nsu_acks_step(nsu_acks_t *s, const nsu_acks_in_t *in);
bool nsu_acks_idle(const nsu_acks_t *s); /* while inc and dec are 0 */

#endif
