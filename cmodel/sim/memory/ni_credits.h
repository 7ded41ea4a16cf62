/* SPDX-License-Identifier: Apache-2.0
 *
 * Credits of an NSU's buffers on their way to the GPU: the network interface gathers them.
 *
 * The NSU tells of freed entries with each acknowledgement, and else at once, with a CREDIT packet
 * of its own each time. Such a packet ends here: what it says waits for the next acknowledgement
 * and goes with it. It goes as a packet of its own if
 *   - it frees a command: blocks wait for those, an NSU has few (Table 2: 10), or
 *   - `batch` data and address entries wait, or
 *   - the NSU is at rest, so that no acknowledgement need come.
 * Nothing waits for ever: an NSU that is not at rest has a warp, whose block has all its entries
 * and ends with an acknowledgement. NSU paper, section 4.3 (credits ride on acknowledgements); the
 * rest is ours.
 */
#ifndef NI_CREDITS_H
#define NI_CREDITS_H

#include <stdbool.h>

#include "packet.h"

typedef struct {
  unsigned batch;       /* 1..1023; 0: all go at once */
  unsigned cmd, rd, wr; /* entries that wait */
} ni_credits_t;

/* false, and nothing changed: more than a packet can say */
bool ni_credits_take(ni_credits_t *c, const packet_t *credit);
bool ni_credits_due(const ni_credits_t *c, bool at_rest); /* they go as a packet of their own */
void ni_credits_give(ni_credits_t *c, packet_t *packet);  /* they go with this one: an OFLD_ACK, or a CREDIT */
bool ni_credits_none(const ni_credits_t *c);

#endif
