/* SPDX-License-Identifier: Apache-2.0
 *
 * The crossbar. `want` and `wanted` are bit masks, so that a cycle looks only at outputs that an
 * input wants.
 */
#include "xbar.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_packet.h"

/* Arrays by port. -1: out of host memory; xbar_deinit frees. */
static int make_ports(xbar_t *x) {
  const unsigned ports = x->num_ports, words = x->words;
  x->in = calloc(ports, sizeof *x->in);
  x->out = calloc(ports, sizeof *x->out);
  x->in_busy = calloc(ports, sizeof *x->in_busy);
  x->out_busy = calloc(ports, sizeof *x->out_busy);
  x->next_in = calloc(ports, sizeof *x->next_in);
  x->next_class = calloc(ports, sizeof *x->next_class);
  bool all = x->in && x->out && x->in_busy && x->out_busy && x->next_in && x->next_class;
  for (unsigned c = 0; c < XBAR_CLASSES; c++) {
    x->want[c] = calloc((size_t)ports * words, sizeof *x->want[c]);
    x->wanted[c] = calloc(words, sizeof *x->wanted[c]);
    all = all && x->want[c] && x->wanted[c];
  }
  return all ? 0 : -1;
}

int xbar_init(xbar_t *x, const gpu_config_t *config) {
  memset(x, 0, sizeof *x);
  x->num_sms = config->num_sms;
  x->num_ports = config->num_sms + gpu_config_slices(config) + (config->nodes ? config->num_stacks : 0);
  x->bytes = config->xbar.bytes;
  x->latency = config->xbar.latency;
  x->in_size = config->xbar.in_queue;
  x->out_size = config->xbar.out_queue;
  x->words = (x->num_ports + 63) / 64;
  if (make_ports(x)) return -1;
  for (unsigned p = 0; p < x->num_ports; p++) {
    for (unsigned c = 0; c < XBAR_CLASSES; c++) {
      x->in[p][c].slots = calloc(x->in_size, sizeof(xbar_slot_t));
      x->out[p][c].slots = calloc(x->out_size, sizeof(xbar_slot_t));
      if (!x->in[p][c].slots || !x->out[p][c].slots) return -1;
    }
  }
  return 0;
}

void xbar_deinit(xbar_t *x) {
  for (unsigned p = 0; x->in && x->out && p < x->num_ports; p++) {
    for (unsigned c = 0; c < XBAR_CLASSES; c++) {
      free(x->in[p][c].slots);
      free(x->out[p][c].slots);
    }
  }
  free(x->in);
  free(x->out);
  free(x->in_busy);
  free(x->out_busy);
  for (unsigned c = 0; c < XBAR_CLASSES; c++) free(x->want[c]), free(x->wanted[c]);
  free(x->next_in);
  free(x->next_class);
}

/* Next free slot of a queue, which must have room. */
static xbar_slot_t *queue_push(xbar_queue_t *q, unsigned size) {
  assert(q->count < size);
  unsigned at = q->head + q->count++;
  return &q->slots[at >= size ? at - size : at];
}

static xbar_slot_t queue_pop(xbar_queue_t *q, unsigned size) {
  xbar_slot_t slot = q->slots[q->head];
  q->head = q->head + 1 == size ? 0 : q->head + 1;
  q->count--;
  return slot;
}

/* Sets or clears the bit of an input in the mask of its oldest packet's output. */
static void set_want(xbar_t *x, unsigned in, unsigned cls, bool on) {
  const xbar_queue_t *q = &x->in[in][cls];
  unsigned out = q->slots[q->head].out;
  uint64_t *word = &x->want[cls][out * x->words + (in >> 6)];
  uint64_t bit = 1ull << (in & 63);
  *word = on ? *word | bit : *word & ~bit;
  if (on) x->wanted[cls][out >> 6] |= 1ull << (out & 63);
}

void xbar_send(xbar_t *x, unsigned in, unsigned cls, unsigned out, packet_t *packet) {
  xbar_queue_t *q = &x->in[in][cls];
  xbar_slot_t *slot = queue_push(q, x->in_size);
  *slot = (xbar_slot_t){packet, 0, out};
  if (q->count == 1) set_want(x, in, cls, true);
  x->waiting++;
  x->in_flight++;
}

packet_t *xbar_pop(xbar_t *x, unsigned out, unsigned cls) {
  assert(xbar_front(x, out, cls));
  x->in_flight--;
  return queue_pop(&x->out[out][cls], x->out_size).packet;
}

/* True if some bit is set. */
static bool any_bit_set(const uint64_t *words, unsigned count) {
  uint64_t all = 0;
  for (unsigned w = 0; w < count; w++) all |= words[w];
  return all != 0;
}

/* The next input from next_in on, cyclically, that wants the output and is not busy. -1: none. */
static int choose_input(const xbar_t *x, unsigned out, const uint64_t *want) {
  unsigned from = x->next_in[out];
  for (unsigned pass = 0; pass < 2; pass++) { /* first from next_in up, then from 0 */
    for (unsigned w = pass ? 0 : from >> 6; w < x->words; w++) {
      uint64_t bits = want[w];
      if (!pass && w == from >> 6) bits &= ~0ull << (from & 63);
      for (; bits; bits &= bits - 1) {
        unsigned in = w * 64 + (unsigned)__builtin_ctzll(bits);
        if (x->in_busy[in] <= x->time) return (int)in;
      }
    }
  }
  return -1;
}

/* Moves an input's oldest packet to the output, and occupies both for the packet's length. */
static void grant_packet(xbar_t *x, unsigned out, unsigned cls, unsigned in) {
  set_want(x, in, cls, false);
  xbar_queue_t *q = &x->in[in][cls];
  packet_t *packet = queue_pop(q, x->in_size).packet;
  if (q->count) set_want(x, in, cls, true);
  unsigned bytes = packet_bytes(packet), cycles = (bytes + x->bytes - 1) / x->bytes;
  *queue_push(&x->out[out][cls], x->out_size) = (xbar_slot_t){packet, x->time + cycles + x->latency, 0};
  x->in_busy[in] = x->out_busy[out] = x->time + cycles;
  x->next_in[out] = in + 1 == x->num_ports ? 0 : in + 1;
  x->next_class[out] = (uint8_t)((cls + 1) % XBAR_CLASSES);
  x->waiting--;
  if (out < x->num_sms) x->down_bytes += bytes;
  else x->up_bytes += bytes;
}

/* True if an input wants the output in this class. Clears a stale bit of `wanted`. */
static bool is_wanted(xbar_t *x, unsigned out, unsigned cls) {
  uint64_t *word = &x->wanted[cls][out >> 6];
  const uint64_t bit = 1ull << (out & 63);
  if (*word & bit && !any_bit_set(&x->want[cls][out * x->words], x->words)) *word &= ~bit;
  return *word & bit;
}

/* Grants one packet at an output, of the first class in turn with a candidate and room. */
static void serve_output(xbar_t *x, unsigned out) {
  for (unsigned k = 0, cls = x->next_class[out]; k < XBAR_CLASSES; k++, cls = cls + 1 == XBAR_CLASSES ? 0 : cls + 1) {
    if (!is_wanted(x, out, cls) || x->out[out][cls].count == x->out_size) continue;
    const int in = choose_input(x, out, &x->want[cls][out * x->words]);
    if (in < 0) continue;
    grant_packet(x, out, cls, (unsigned)in);
    return;
  }
}

void xbar_tick(xbar_t *x) {
  x->time++;
  if (!x->waiting) return;
  for (unsigned w = 0; w < x->words; w++) {
    uint64_t outs = 0;
    for (unsigned c = 0; c < XBAR_CLASSES; c++) outs |= x->wanted[c][w];
    for (; outs; outs &= outs - 1) {
      const unsigned out = w * 64 + (unsigned)__builtin_ctzll(outs);
      if (x->out_busy[out] <= x->time) serve_output(x, out);
    }
  }
}
