/* SPDX-License-Identifier: Apache-2.0
 *
 * What is offered at the end of a link, by protocol. The part that offers owns the struct; the part
 * that uses the port gets its address from part_peer.
 */
#ifndef PROTOCOLS_H
#define PROTOCOLS_H

#include "channel.h"
#include "memory_image.h"
#include "mpu_net.h"
#include "network.h"
#include "ni_bridge.h"
#include "packet.h"

enum { PROTOCOL_CLASSES = 2 }; /* message classes: requests, responses */
enum { PORT_TO_LOGIC, PORT_FROM_LOGIC };

/* "packets": queues of packet_t each way, a channel for each message class. */
typedef struct {
  channel_t to[PROTOCOL_CLASSES];   /* into the part that offers; its shell part is the reader */
  channel_t from[PROTOCOL_CLASSES]; /* out of it; a user that sleeps sets itself as the reader */
  /* [2], of a stack in an ideal machine: past all links, between GPU and logic layer. A user that
   * sleeps sets itself as the reader of PORT_TO_LOGIC. */
  channel_t *direct;
  packet_pool_t *pool;   /* the pool that all packets come from */
  memory_image_t *image; /* the data of all stacks */
  unsigned stack;        /* number of the stack */
  uint64_t period;       /* of the clock that moves packets there, in ticks */
  ni_bridge_t *bridge;   /* of a place on the logic layer; the user may set it. NULL: another port */
} packet_port_t;

/* "terminal": a place of the memory network. The user pushes and pops packets there itself, in
 * phase 0; the network moves in phase 1. */
typedef struct {
  network_t *network;
  packet_pool_t *pool;
  memory_image_t *image;
  unsigned node;
  shell_part_t *reader; /* is woken when a packet can be popped */
} terminal_port_t;

/* "mesh": one network of all cores. Each core pushes and pops at its own place, in phase 0; the
 * network moves in phase 1. */
typedef struct {
  mpu_net_t *net;
  /* The user's: called when cores have a packet, one bit each from core 64 * word on. */
  void (*arrived)(void *context, unsigned word, uint64_t cores);
  void *context;
} mesh_port_t;

#endif
