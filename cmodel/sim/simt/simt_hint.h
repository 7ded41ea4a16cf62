/* SPDX-License-Identifier: Apache-2.0
 *
 * Cache hints. They change neither results nor timing here. createpolicy writes its register, but
 * nothing reads that register.
 */
#ifndef SIMT_HINT_H
#define SIMT_HINT_H

#include "simt_operand.h"

/* Returns an instruction without its cache policy operand (ld.global.L2::cache_hint.f32 d, [a],
 * policy). Uses *copy for it; returns `in` itself if there is no policy. */
const ptx_instr_t *simt_without_policy(const ptx_instr_t *in, ptx_instr_t *copy);

int simt_decode_policy(simt_decoder_t *d, simt_op_t *op); /* createpolicy; -1: refused */

#endif
