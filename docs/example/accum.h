/* SPDX-License-Identifier: Apache-2.0 */
#include "accum_ports.h"
typedef struct accum {
  uint64_t sum;
} accum_t;
void accum_reset(accum_t *a);
void accum_eval(const accum_t *a, const accum_in_t *in, accum_out_t *out);
void accum_step(accum_t *a, const accum_in_t *in);
