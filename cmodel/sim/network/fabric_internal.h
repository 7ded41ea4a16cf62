/* SPDX-License-Identifier: Apache-2.0
 *
 * What fabric.c (routers and wires), fabric_terminal.c (terminals) and fabric_waits.c (watchdog)
 * share.
 *
 *    cycle c:   wires of        terminals        routers that are awake
 *               c - 1           read             .
 *               c               put credits      read
 *               c + 1           put flits        write
 *
 * First the terminals act, then each router that is awake steps, and its outputs go to where
 * they end. What a cycle reads and what it writes are different copies ([now & 1] and the
 * other), so the order of visits is free.
 */
#ifndef FABRIC_INTERNAL_H
#define FABRIC_INTERNAL_H

#include "fabric_types.h"
#include "router_header.h"
#include "trouble.h"

enum {
  SET_WORDS = TOPOLOGY_MAX_ROUTERS / 64,
  MAX_VCS = 16,
  MAX_FLIT_WORDS = 16,
  NO_RECORD = 0xffffffff,
  NO_TERMINAL = 0xffffffff,
  MAX_RECORDS = 1 << 22
};

/* A set of numbers below 1024, in which the least and the greatest are found without a search. */
typedef struct numbers {
  uint64_t used; /* words that are not zero */
  uint64_t word[SET_WORDS];
} numbers_t;

static inline void numbers_add(numbers_t *s, unsigned i) {
  s->word[i / 64] |= UINT64_C(1) << i % 64;
  s->used |= UINT64_C(1) << i / 64;
}

static inline unsigned numbers_take(numbers_t *s, bool greatest) {
  unsigned w = greatest ? 63 - (unsigned)__builtin_clzll(s->used) : (unsigned)__builtin_ctzll(s->used);
  unsigned b = greatest ? 63 - (unsigned)__builtin_clzll(s->word[w]) : (unsigned)__builtin_ctzll(s->word[w]);
  s->word[w] &= ~(UINT64_C(1) << b);
  if (!s->word[w]) s->used &= ~(UINT64_C(1) << w);
  return 64 * w + b;
}

/* Above its header a flit carries the number of its packet's record and its place in the packet.
 * Further words are a function of these two (payload_word), which the sink checks. */
#define FLIT_AT(field, value) ((uint64_t)(value) << FLIT_##field##_LSB)

enum { INDEX_LSB = 32, INDEX_BITS = 10, RECORD_LSB = 42 };

typedef struct record { /* a packet that has begun to leave its source */
  fabric_packet_t packet;
  uint16_t next;    /* index of the flit that its sink sees next */
  uint16_t router;  /* where its head is: this router's input */
  uint8_t port, vc; /* vc: at its source */
  uint8_t at_sink;  /* its head has left the last router */
  bool used;
  uint32_t next_free;
} record_t;

typedef struct queue { /* a ring that grows; room is a power of two */
  fabric_packet_t *packet;
  uint32_t first, count, room;
} queue_t;

typedef struct terminal {
  queue_t queue[2];
  uint32_t record[2]; /* by class: of the packet that is being sent; NO_RECORD: none */
  uint16_t sent[2];
  uint16_t router;
  uint8_t port, turn;
  uint8_t vc[2], last[2]; /* by class: VC of the packet that is being sent; the last normal VC that was chosen */
  uint8_t credits[MAX_VCS];
  uint16_t stored[MAX_VCS]; /* flits in the sink, if it has limited room */
  uint16_t owed[MAX_VCS];   /* credits that have not gone back to the router */
  uint32_t due;             /* bits: VCs of which a credit may go now */
  uint32_t packets;         /* that wait or are being sent */
} terminal_t;

typedef struct late { /* a flit or a credit on a link of more than one cycle */
  uint16_t router;
  uint8_t port, vc;
  bool credit;
} late_t;

typedef struct slot { /* what arrives in one cycle of the wheel */
  late_t *late;
  uint64_t *flit; /* [room][flit_words] */
  uint32_t count, room;
} slot_t;

enum { WHEEL = FABRIC_WHEEL };

struct fabric {
  fabric_config_t config;
  router_layout_t at;
  uint64_t now;
  unsigned routers, ports, vcs, classes, vcs_class; /* vcs_class: normal VCs of a class */
  uint8_t depth[MAX_VCS], vc_class[MAX_VCS];        /* flits of a VC's buffer; its class */
  const block_engine_t *const *engine;
  void **state;
  uint8_t *states;
  const topology_port_t *wire;    /* [routers][ports] */
  uint64_t *in[2];                /* [routers][in_words] */
  const uint64_t **out;           /* [routers]: the engines' */
  bool rest;                      /* after the last cycle nothing was left to do */
  numbers_t awake[2], sending[2]; /* by cycle: routers, terminals */
  terminal_t *terminal;
  unsigned visiting;  /* the terminal that is acting, NO_TERMINAL: none */
  uint64_t *eject[2]; /* [terminals][flit_words]: the ejection wires */
  uint8_t *credit[2]; /* [terminals]: VC + 1 of the credit on the wire */
  slot_t wheel[WHEEL];
  uint64_t *narrow; /* [routers][ports]: cycle from which a narrow link is free */
  uint64_t late;    /* flits and credits on the wheel */
  record_t *record;
  uint32_t records, free_record;
  uint64_t in_flight;
  uint64_t epoch_end; /* the last cycle of this epoch */
  fabric_stats_t stats;
  fabric_port_stats_t *port_stats; /* [routers][ports] */
  trouble_t fault;                 /* the first */
};

/* A router's input wires of a cycle. */
static inline uint64_t *fabric_in(const fabric_t *f, uint64_t cycle, unsigned router) {
  return f->in[cycle & 1] + (size_t)router * f->at.in_words;
}

/* Puts a flit, or a credit, on the wire that ends at a router's port in a cycle, and wakes the
 * router. */
static inline void fabric_put_flit(fabric_t *f, uint64_t cycle, unsigned router, unsigned port, const uint64_t *flit) {
  const unsigned words = f->at.flit_words;
  uint64_t *in = fabric_in(f, cycle, router), *to = in + f->at.in_flit + port * words;
  in[f->at.in_valid] |= UINT64_C(1) << port;
  to[0] = flit[0];
  for (unsigned w = 1; w < words; w++) to[w] = flit[w];
  numbers_add(&f->awake[cycle & 1], router);
}

static inline void fabric_put_credit(fabric_t *f, uint64_t cycle, unsigned router, unsigned port, unsigned vc) {
  uint64_t *in = fabric_in(f, cycle, router);
  in[f->at.ocr_valid] |= UINT64_C(1) << port;
  in[f->at.ocr_vc] = (in[f->at.ocr_vc] & ~(UINT64_C(15) << 4 * port)) | (uint64_t)vc << 4 * port;
  numbers_add(&f->awake[cycle & 1], router);
}

/* fabric_terminal.c. init: false is out of memory. cycle: all terminals that have something to
 * do. */
bool fabric_terminals_init(fabric_t *f);
void fabric_terminals_free(fabric_t *f);
void fabric_terminals_cycle(fabric_t *f);

/* The record of a flit's packet. */
static inline uint32_t fabric_record_of(uint64_t header) {
  return (uint32_t)(header >> RECORD_LSB);
}

#endif
