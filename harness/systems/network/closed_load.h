/* SPDX-License-Identifier: Apache-2.0
 *
 * A closed loop on a network: SMs whose warps wait for what they asked memory for, so that a slow
 * network gets fewer requests. Each terminal is a node of some SMs and one memory.
 *
 *   closed_load_t *load = closed_load_new(&config, terminals);
 *   each cycle: closed_load_receive(load, packet.tag, terminal, now);  for each packet that came
 *               closed_load_cycle(load, now, port);                    sends packets by port
 *
 * Rules:
 *   - A warp executes ordinary instructions, in number geometric, then one of memory.
 *   - An SM issues at most `issue` instructions a cycle, to its warps in turn.
 *   - A load has one access; a divergent load has 2 to `accesses`. Each goes to a terminal drawn
 *     at random. The warp goes on when all answers have come.
 *   - A store has accesses like a load, and no warp waits for it.
 *   - An access to the SM's own node does not use the network.
 *   - A memory answers each request `memory_latency` cycles after it came.
 *   - An SM sends no access while `queue` requests wait at its terminal. The warp tries again in
 *     its next turn.
 * An SM's random numbers depend on the seed and the SM's number alone.
 */
#ifndef CLOSED_LOAD_H
#define CLOSED_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "trouble.h"

/* CLOSED_FLIT_BITS: the NUPIM paper's links, 80 GB/s at 2.5 GHz. */
enum { CLOSED_FLIT_BITS = 256, CLOSED_MAX_SEEDS = 64 };

typedef struct closed_config {
  unsigned sms, warps;     /* SMs a terminal, 1..16; warps an SM, 1..64 */
  double issue;            /* instructions an SM and cycle of the network, above 0, at most 4 */
  double instructions;     /* of a warp, one of which is of memory; mean: 1..1,000,000 */
  double divergent;        /* share of memory instructions that have several accesses */
  unsigned accesses;       /* the most accesses of one instruction, 2..32 */
  double stores;           /* share of memory instructions that are stores */
  unsigned memory_latency; /* cycles, 0..65535 */
  unsigned queue;          /* requests, 1..1024 */
  uint64_t seed;
} closed_config_t;

/* The defaults:
 *
 *   terminal      4 SMs of 24 warps; a source queue of 16 requests
 *   instructions  0.56 an SM and cycle (1.4 GHz of 2.5); one of 60 is of memory
 *   memory        46 % divergent (NUPIM paper, III-C) with up to 8 accesses; 15 % stores; 200
 *                 cycles */
closed_config_t closed_config_default(void);
bool closed_config_check(const closed_config_t *config,
                         trouble_t *trouble); /* false: bad input, and what would be right */

enum { CLOSED_REQUEST, CLOSED_ANSWER };

typedef struct closed_packet {
  uint64_t tag; /* goes into closed_load_receive at the destination */
  uint16_t source, dest;
  uint8_t kind;   /* CLOSED_REQUEST, CLOSED_ANSWER */
  bool data;      /* it carries a line: a store's request, a load's answer */
  bool divergent; /* its instruction has several accesses */
} closed_packet_t;

/* The network below. send copies the packet. */
typedef struct closed_port {
  void (*send)(void *context, const closed_packet_t *packet);
  unsigned (*waiting)(void *context, unsigned terminal); /* requests that wait at the terminal's source */
  void *context;
} closed_port_t;

typedef struct closed_stats {
  uint64_t instructions;           /* executed, memory instructions included */
  uint64_t loads, load_cycles;     /* loads that ended; their cycles from turn to last answer */
  uint64_t accesses, own_accesses; /* all accesses; those to the own node */
  uint64_t full_turns;             /* turns of warps that could not send */
  uint64_t idle_slots;             /* issue slots for which an SM had no warp */
} closed_stats_t;

typedef struct closed_load closed_load_t;

/* config must have passed closed_config_check. */
closed_load_t *closed_load_new(const closed_config_t *config, unsigned terminals); /* NULL: out of memory */
void closed_load_free(closed_load_t *load);
bool closed_load_cycle(closed_load_t *load, uint64_t now, const closed_port_t *port); /* false: out of memory */
/* Takes a packet that arrived at a terminal: a request at a memory, an answer at a warp. False: out
 * of memory. */
bool closed_load_receive(closed_load_t *load, uint64_t tag, unsigned terminal, uint64_t now);
closed_stats_t closed_load_stats(const closed_load_t *load);
uint64_t closed_load_instructions(const closed_load_t *load, unsigned terminal); /* of the terminal's SMs */
unsigned closed_load_waiting(const closed_load_t *load);                         /* warps that wait for answers */

#endif
