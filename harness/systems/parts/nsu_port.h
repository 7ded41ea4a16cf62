/* SPDX-License-Identifier: Apache-2.0
 *
 * Packets to phits and back: the wires of one NSU's packet port, seen from the logic layer.
 *
 * nsu_port_cycle is called once a NSU cycle with the NSU's outputs of that cycle. It takes the phit
 * and the credits that come out and sets the inputs. Beats, phits and credits are those of
 * rtl/nsu/nsu_rx.ports and nsu_tx.ports.
 *
 * Packets come from `take` and go to `give`. If `give` refuses a packet, its class returns no more
 * credits, which stops this class of the NSU and not the other one. Credits of the NSU's buffers
 * are gathered on their way (ni_credits.h).
 */
#ifndef NSU_PORT_H
#define NSU_PORT_H

#include <stdbool.h>

#include "ni_credits.h"
#include "nsu_node.h"
#include "nsu_ports.h"
#include "packet.h"

enum {
  NSU_BEAT_BITS = PKT_HDR_W + PKT_LINE_BITS,
  NSU_BEAT_WORDS = (NSU_BEAT_BITS + 31) / 32,
  NSU_PHITS = (NSU_BEAT_BITS + PortBits - 1) / PortBits,
  NSU_IN_CREDITS = 4, /* beats of a class on their way to the NSU; the NSU takes each at once */
  /* Cycles without a warp in use after which the NSU is at rest: its last acknowledgement has come
   * out. */
  NSU_REST = 4,
};

typedef struct {
  uint32_t words[NSU_BEAT_WORDS + 2];
} nsu_beat_t;

typedef struct {
  packet_t *packet; /* the packet that is being assembled */
  bool complete;    /* the packet is whole and waits for `give` */
  nsu_beat_t beat[OutCredits];
  unsigned first, count;
} nsu_port_class_t;

typedef struct {
  unsigned stack;
  packet_pool_t *pool;
  nsu_peer_t peer;
  /* to the NSU */
  packet_t *sending;
  unsigned send_beat, send_phit, send_class, last_class;
  nsu_beat_t out;
  unsigned credits[2];
  /* from the NSU */
  nsu_beat_t in;
  unsigned in_phits;
  nsu_port_class_t cls[2];
  /* credits of freed entries that the NSU has sent in packets of their own */
  ni_credits_t credit;
  unsigned rest;     /* cycles without a warp in use, up to NSU_REST */
  uint64_t gathered; /* packets of credits alone that ended here */
  const char *error; /* NULL; else the NSU broke a rule of its port */
} nsu_port_t;

/* peer is copied, pool is kept. */
void nsu_port_init(nsu_port_t *port, unsigned stack, unsigned credit_batch, packet_pool_t *pool,
                   const nsu_peer_t *peer);
void nsu_port_cycle(nsu_port_t *port, const nsu_out_t *out, nsu_in_t *in);
bool nsu_port_idle(const nsu_port_t *port); /* nothing inside, all credits at home */

#endif
