/* SPDX-License-Identifier: Apache-2.0
 *
 * Interfaces of a module, by the names and directions of its ports: AXI-Stream, AXI4-Lite, AXI4,
 * APB, Wishbone, and pairs of ready and valid. A name may have anything before and behind what the
 * protocol calls a signal, with `_` between: s_axis_tvalid, S_AXI_AWADDR, i_wb_cyc, cfg_psel_i.
 *
 * What lacks a signal that its protocol needs, or has one with a wrong direction, is no interface:
 * `left` says why.
 */
#ifndef INTERFACES_H
#define INTERFACES_H

#include "look.h"

typedef enum {
  INTERFACE_AXI,
  INTERFACE_AXI_LITE,
  INTERFACE_AXI_STREAM,
  INTERFACE_APB,
  INTERFACE_WISHBONE,
  INTERFACE_HANDSHAKE, /* ready and valid */
  INTERFACE_KINDS
} interface_kind_t;

/* SERVES: the block is asked, or takes a stream. ASKS: it asks, or offers one. OVERHEARS: both
 * sides of a stream are inputs. */
typedef enum { INTERFACE_SERVES, INTERFACE_ASKS, INTERFACE_OVERHEARS } interface_role_t;

enum { INTERFACE_MOST = 32, INTERFACE_LEFT = 16, CHANNEL_PAYLOAD = 16 };

/* Channels of AXI. Streams have the first one; APB and Wishbone have requests and answers. */
enum { CHANNEL_AW, CHANNEL_W, CHANNEL_AR, CHANNEL_B, CHANNEL_R, CHANNELS };
enum { CHANNEL_REQUEST = 0, CHANNEL_ANSWER = 1 };

/* Ports are indices in module_t's; -1: there is none. APB: valid is psel, ready pready. Wishbone:
 * valid is stb, ready the slave's stall. */
typedef struct {
  int valid, ready, payload[CHANNEL_PAYLOAD];
  const char *word[CHANNEL_PAYLOAD]; /* what the protocol calls it, "tlast"; "" of ready and valid */
  unsigned num_payload;
} interface_channel_t;

typedef struct {
  interface_kind_t kind;
  interface_role_t role;
  char name[MODULE_NAME]; /* "s_axis": what its ports' names have in common, else that of its valid */
  interface_channel_t channel[CHANNELS];
  int enable, cycle, ack, error, retry; /* APB: penable; Wishbone: cyc, ack, err, rty */
} interface_t;

typedef struct {
  interface_t all[INTERFACE_MOST];
  unsigned count;
  char left[INTERFACE_LEFT][2 * MODULE_NAME]; /* "s_apb: APB without penable" */
  unsigned num_left;
} interfaces_t;

void interfaces_find(const module_t *module, const look_pins_t *pins, interfaces_t *found);

/* "AXI-Stream, the block takes". Returns text. */
const char *interface_text(const interface_t *interface, char text[64]);

/* Has the channel's valid one bit, whatever the parameters are? */
bool interface_single(const module_t *module, const interface_channel_t *channel);

/* Of a stream for each bit of valid: do all have this payload together, as it has no part for each?
 */
bool interface_shared(const module_t *module, const interface_channel_t *channel, unsigned payload);

/* The index of the port that is 1 when this one has a meaning, as the protocol has it; -1: none.
 * Nobody has written down what a pair of ready and valid promises: -1. */
int interface_qualifier(const interfaces_t *found, const module_t *module, unsigned port);

#endif
