/* SPDX-License-Identifier: Apache-2.0
 *
 * Hints to caches: what they say changes neither a result nor a time here. A cache policy's
 * register is written, but nobody reads it.
 */
#ifndef SIMT_HINT_H
#define SIMT_HINT_H

#include "simt_operand.h"

/* The instruction without its policy, ld.global.L2::cache_hint.f32
 * d, [a], policy: *copy where there is one, else itself. */
const ptx_instr_t *simt_without_policy(const ptx_instr_t *in, ptx_instr_t *copy);

int simt_decode_policy(simt_decoder_t *d, simt_op_t *op); /* createpolicy. -1: refused */

#endif
