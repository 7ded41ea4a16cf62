/* SPDX-License-Identifier: Apache-2.0
 *
 * Both directions of one NSU's packet port, one phit a cycle each:
 *
 *   peer.take --> sending --make_beat--> out --emit_phit-->  NSU (in_phit)
 *   peer.give <-- cls[].packet <--absorb_beat-- cls[].beat <-- in <--receive_phit--  NSU (out_phit)
 *
 * A beat has NSU_PHITS phits. The receiver keeps OutCredits beats for each class.
 */
#include "nsu_port.h"

#include <string.h>

void nsu_port_init(nsu_port_t *port, unsigned stack, unsigned credit_batch, packet_pool_t *pool,
                   const nsu_peer_t *peer) {
  memset(port, 0, sizeof *port);
  port->stack = stack;
  port->pool = pool;
  port->peer = *peer;
  port->last_class = 1;
  port->credit.batch = credit_batch;
  port->credits[0] = port->credits[1] = NSU_IN_CREDITS;
}

/* Copies bits [from, from + width) of src to [to, to + width) of dst, word by word. Bit 0 is the
 * lowest of word 0. */
static void copy_bits(uint32_t *dst, unsigned to, const uint32_t *src, unsigned from, unsigned width) {
  for (unsigned done = 0; done < width;) {
    unsigned n = width - done < 32 ? width - done : 32;
    unsigned s = from + done, d = to + done;
    if (n > 32 - s % 32) n = 32 - s % 32;
    if (n > 32 - d % 32) n = 32 - d % 32;
    uint32_t mask = n == 32 ? ~0u : (1u << n) - 1;
    uint32_t bits = src[s / 32] >> s % 32 & mask;
    dst[d / 32] = (dst[d / 32] & ~(mask << d % 32)) | bits << d % 32;
    done += n;
  }
}

/* The last phit of a beat may be narrower. */
static unsigned phit_bits(unsigned phit) {
  unsigned left = NSU_BEAT_BITS - phit * PortBits;
  return left < PortBits ? left : PortBits;
}

/* Node numbers have four bits on the wires; 15 is the GPU. */
enum { WIRE_GPU = 15 };

static unsigned to_wire(unsigned node) {
  return node == PKT_GPU ? WIRE_GPU : node;
}

static uint16_t from_wire(unsigned node) {
  return (uint16_t)(node == WIRE_GPU ? PKT_GPU : node);
}

/* Puts the present beat of the packet into port->out. Beat k of a command carries register k, and
 * its header says k. */
static void make_beat(nsu_port_t *port) {
  uint32_t hdr[PKT_HDR_WORDS];
  pkt_hdr_t h = port->sending->hdr;
  h.src = to_wire(port->sending->src), h.dst = to_wire(port->sending->dst);
  h.beat = port->send_beat;
  pkt_pack(&h, hdr);
  memcpy(port->out.words, port->sending->data[port->send_beat], PKT_LINE_BYTES);
  copy_bits(port->out.words, PKT_LINE_BITS, hdr, 0, PKT_HDR_W);
}

/* Takes the next packet, of the two classes in turn if both have one. A class without a credit is
 * left out. */
static bool start_packet(nsu_port_t *port) {
  for (unsigned turn = 1; turn <= 2 && !port->sending; turn++) {
    unsigned cls = (port->last_class + turn) % 2;
    if (!port->credits[cls] || !(port->sending = port->peer.take(port->peer.ctx, cls))) continue;
    port->last_class = port->send_class = cls;
    port->send_beat = port->send_phit = 0;
  }
  return port->sending;
}

/* A beat takes one credit, at its first phit. */
static void emit_phit(nsu_port_t *port, nsu_in_t *in) {
  if (!port->sending && !start_packet(port)) return;
  if (!port->send_phit) {
    if (!port->credits[port->send_class]) return;
    port->credits[port->send_class]--;
    make_beat(port);
  }
  in->in_valid = 1;
  in->in_class = port->send_class;
  copy_bits(in->in_phit, 0, port->out.words, port->send_phit * PortBits, phit_bits(port->send_phit));
  if (++port->send_phit < NSU_PHITS) return;
  port->send_phit = 0;
  if (++port->send_beat < packet_lines(port->sending)) return;
  packet_free(port->pool, port->sending);
  port->sending = NULL;
}

/* The last phit completes a beat, which needs a free place of its class: the NSU had a credit for
 * it. */
static void receive_phit(nsu_port_t *port, const nsu_out_t *out) {
  copy_bits(port->in.words, port->in_phits * PortBits, out->out_phit, 0, phit_bits(port->in_phits));
  if (++port->in_phits < NSU_PHITS) return;
  port->in_phits = 0;
  nsu_port_class_t *c = &port->cls[out->out_class];
  if (c->count == OutCredits) {
    port->error = "the NSU sent a beat without a credit";
    return;
  }
  c->beat[(c->first + c->count++) % OutCredits] = port->in;
}

/* ---- credits of the NSU's buffers ---- */

/* Takes the credits out of a packet that has come whole. An acknowledgement carries all that have
 * been gathered so far. A packet of credits alone goes on only when credits are due, else it ends
 * here. */
static void gather_credits(nsu_port_t *port, nsu_port_class_t *c) {
  packet_t *p = c->packet;
  if ((p->hdr.type != PKT_OFLD_ACK && p->hdr.type != PKT_CREDIT) || !ni_credits_take(&port->credit, p)) return;
  if (p->hdr.type == PKT_OFLD_ACK || ni_credits_due(&port->credit, false)) {
    ni_credits_give(&port->credit, p);
    return;
  }
  packet_free(port->pool, p);
  c->packet = NULL;
  c->complete = false;
  port->gathered++;
}

/* The NSU is at rest, so no acknowledgement need come: gathered credits go in a packet of their
 * own. */
static void give_at_rest(nsu_port_t *port, const nsu_out_t *out) {
  nsu_port_class_t *c = &port->cls[1];
  port->rest = out->probe_used ? 0 : port->rest + (port->rest < NSU_REST);
  if (c->packet || !ni_credits_due(&port->credit, port->rest == NSU_REST)) return;
  if (!(c->packet = packet_new(port->pool, PKT_CREDIT))) {
    port->error = "out of memory";
    return;
  }
  c->packet->src = (uint16_t)port->stack, c->packet->dst = PKT_GPU;
  c->packet->hdr.src = c->packet->hdr.target = port->stack, c->packet->hdr.dst = WIRE_GPU;
  ni_credits_give(&port->credit, c->packet);
  c->complete = true;
}

/* ---- beats to packets ---- */

/* Moves one beat into the packet being assembled. True: the beat's credit goes back to the NSU. */
static bool absorb_beat(nsu_port_t *port, nsu_port_class_t *c) {
  if (c->complete || !c->count) return false;
  const nsu_beat_t *beat = &c->beat[c->first];
  uint32_t hdr[PKT_HDR_WORDS] = {0};
  pkt_hdr_t h;
  copy_bits(hdr, 0, beat->words, PKT_LINE_BITS, PKT_HDR_W);
  pkt_unpack(hdr, &h);
  if (!c->packet) {
    c->packet = packet_new(port->pool, (unsigned)h.type);
    if (!c->packet) {
      port->error = "out of memory";
      return false;
    }
    c->packet->hdr = h;
    c->packet->src = from_wire((unsigned)h.src), c->packet->dst = from_wire((unsigned)h.dst);
  }
  if (h.beat >= PKT_MAX_CMD_REGS) {
    port->error = "the NSU sent a beat beyond its packet";
    return false;
  }
  memcpy(c->packet->data[h.beat], beat->words, PKT_LINE_BYTES);
  c->complete = h.beat + 1 == packet_lines(c->packet);
  if (c->complete) gather_credits(port, c);
  c->first = (c->first + 1) % OutCredits;
  c->count--;
  return true;
}

/* Hands on a complete packet, if the peer takes it now. */
static void give_packet(nsu_port_t *port, nsu_port_class_t *c) {
  if (!c->complete) return;
  c->packet->hdr.beat = 0;
  if (!port->peer.give(port->peer.ctx, c->packet)) return;
  c->packet = NULL;
  c->complete = false;
}

/* Packets go out before beats come in, so that a full class frees its place in the same cycle. */
void nsu_port_cycle(nsu_port_t *port, const nsu_out_t *out, nsu_in_t *in) {
  memset(in, 0, sizeof *in);
  in->stack_id = port->stack;
  for (unsigned cls = 0; cls < 2; cls++) {
    give_packet(port, &port->cls[cls]);
    if (absorb_beat(port, &port->cls[cls])) in->out_credit |= 1u << cls;
    port->credits[cls] += out->in_credit >> cls & 1;
  }
  give_at_rest(port, out);
  if (out->out_valid) receive_phit(port, out);
  emit_phit(port, in);
}

bool nsu_port_idle(const nsu_port_t *port) {
  return !port->sending && !port->in_phits && ni_credits_none(&port->credit) && port->credits[0] == NSU_IN_CREDITS &&
         port->credits[1] == NSU_IN_CREDITS && !port->cls[0].packet && !port->cls[1].packet && !port->cls[0].count &&
         !port->cls[1].count;
}
