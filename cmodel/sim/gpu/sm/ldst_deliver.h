/* SPDX-License-Identifier: Apache-2.0
 *
 * The data of a line, delivered to the load that waits for it: into registers, or to the texels or
 * the tile of the access.
 */
#ifndef LDST_DELIVER_H
#define LDST_DELIVER_H

#include "ldst_access.h"

/* words: the line's GPU_LINE_WORDS words. lanes: what l1_mshr_t.wait.lanes has of the line. */
void ldst_deliver(const ldst_access_t *a, uint32_t lanes, const uint32_t *words);

#endif
