/* SPDX-License-Identifier: Apache-2.0
 *
 * Credits of an NSU's buffers on their way to the GPU: the network interface gathers them.
 *
 * The NSU tells of freed entries with each acknowledgement, and else at once, with a CREDIT
 * packet each time. Such a packet ends here. Its credits wait for the next acknowledgement and
 * go with it. They go as a packet of their own if
 *   - they free a command: blocks wait for commands, and an NSU has few (Table 2: 10), or
 *   - `batch` data and address entries wait, or
 *   - the NSU is at rest, so no acknowledgement need come.
 * Nothing waits for ever: an NSU that is not at rest has a warp, whose block has all its entries
 * and ends with an acknowledgement. NSU paper, section 4.3 (credits ride on acknowledgements);
 * the rest is ours.
 */
#ifndef NI_CREDITS_H
#define NI_CREDITS_H

#include <stdbool.h>

#include "packet.h"

typedef struct {
  unsigned batch;       /* 1..1023; 0: all go at once */
  unsigned cmd, rd, wr; /* entries that wait */
} ni_credits_t;

/* Adds a CREDIT packet's credits. False, and nothing changed: more than one packet can carry. */
bool ni_credits_take(ni_credits_t *c, const packet_t *credit);
bool ni_credits_due(const ni_credits_t *c, bool at_rest); /* they go as a packet of their own */
void ni_credits_give(ni_credits_t *c, packet_t *packet);  /* they go with this one: an OFLD_ACK, or a CREDIT */
bool ni_credits_none(const ni_credits_t *c);

#endif
