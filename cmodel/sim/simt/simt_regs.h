/* SPDX-License-Identifier: Apache-2.0
 *
 * Register slots of a kernel: fills regs, reg_bytes, num_slots and hw_regs.
 */
#ifndef SIMT_REGS_H
#define SIMT_REGS_H

#include "simt.h"

int simt_regs_assign(simt_kernel_t *k); /* -1: out of host memory */

#endif
