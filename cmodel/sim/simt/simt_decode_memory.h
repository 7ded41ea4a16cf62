/* SPDX-License-Identifier: Apache-2.0
 *
 * The decoder's part for memory: loads and stores, atomics, barriers, and what they order.
 */
#ifndef SIMT_DECODE_MEMORY_H
#define SIMT_DECODE_MEMORY_H

#include "simt_operand.h"

/* Each fills in op for d->in; -1: refused. */
int simt_decode_access(simt_decoder_t *d, simt_op_t *op);
int simt_decode_atomic(simt_decoder_t *d, simt_op_t *op);
int simt_decode_barrier(simt_decoder_t *d, simt_op_t *op);

/* SIMT_RELEASE, SIMT_ACQUIRE and SIMT_BEYOND of an instruction's modifiers. A fence orders in both
 * directions. A cluster is a single CTA here. */
uint8_t simt_order_of(const ptx_instr_t *in);

#endif
