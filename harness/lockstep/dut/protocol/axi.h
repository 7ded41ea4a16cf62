/* SPDX-License-Identifier: Apache-2.0
 *
 * AXI4 with bursts (AMBA AXI Protocol Specification, IHI 0022, chapters A3 and A5): five streams
 * (stream.h), and what goes between them: write data in the order of the addresses, with wlast
 * behind the last beat; answers behind their requests, with their IDs. Interfaces may have writes
 * or reads alone. AXI4-Lite is the same with bursts of one beat.
 */
#ifndef PROTOCOL_AXI_H
#define PROTOCOL_AXI_H

#include "protocol.h"

/* ---- bursts that are under way, the oldest first ---- */

enum { AXI_BURSTS = 16 };

typedef struct {
  uint64_t id[AXI_BURSTS];
  uint16_t length[AXI_BURSTS]; /* beats, less one */
  uint16_t beat;               /* of the oldest */
  uint8_t first, count;
} axi_bursts_t;

static inline bool axi_room(const axi_bursts_t *b) {
  return b->count < AXI_BURSTS;
}

static inline void axi_begin(axi_bursts_t *b, uint64_t id, uint64_t length) {
  const unsigned at = (b->first + b->count) % AXI_BURSTS;
  if (!axi_room(b)) return;
  b->id[at] = id, b->length[at] = (uint16_t)length, b->count++;
}

/* The oldest burst's ID; whether its coming beat is its last. */
static inline uint64_t axi_id(const axi_bursts_t *b) {
  return b->id[b->first];
}
static inline bool axi_last(const axi_bursts_t *b) {
  return b->beat == b->length[b->first];
}

/* A beat of the oldest burst. */
static inline void axi_beat(axi_bursts_t *b) {
  if (!b->count) return;
  if (!axi_last(b)) b->beat++;
  else b->beat = 0, b->count--, b->first = (uint8_t)((b->first + 1) % AXI_BURSTS);
}

/* The oldest burst ends, however long it is. */
static inline void axi_end(axi_bursts_t *b) {
  b->beat = b->length[b->first];
  axi_beat(b);
}

/* ---- rules between the channels ---- */

/* Requests that were taken, and not answered. */
typedef struct {
  uint32_t addresses, data, reads; /* of writes: addresses, and bursts of data */
} axi_answers_t;

/* What is taken in this cycle: valid and ready. Of data the last beat of a burst counts. */
typedef struct {
  bool address, data, read, write_answer, read_answer;
} axi_taken_t;

/* An answer may come in the cycle in which its request is taken. Returns the broken rule, or
 * NULL. */
static inline const char *axi_answers_watch(axi_answers_t *w, bool bvalid, bool rvalid, axi_taken_t taken) {
  const char *broken = NULL;
  w->addresses += taken.address, w->data += taken.data, w->reads += taken.read;
  if (bvalid && !(w->addresses && w->data)) broken = "axi: bvalid before address and data of a write";
  else if (rvalid && !w->reads) broken = "axi: rvalid before the address of a read";
  if (taken.write_answer && w->addresses && w->data) w->addresses--, w->data--;
  if (taken.read_answer && w->reads) w->reads--;
  return broken;
}

/* Write data of a manager that begins no burst before its address. address, data: there is a new
 * one in this cycle, taken or not. */
static inline const char *axi_data_watch(axi_bursts_t *w, bool address, uint64_t length, bool data, bool last) {
  if (address) axi_begin(w, 0, length);
  if (!data) return NULL;
  const char *broken = NULL;
  if (!w->count) broken = "axi: wvalid before the address";
  else if (last != axi_last(w)) broken = "axi: wlast is not with the last beat";
  axi_beat(w);
  return broken;
}

#endif
