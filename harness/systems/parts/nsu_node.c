/* SPDX-License-Identifier: Apache-2.0
 *
 * One cycle of an NSU: the port reads the outputs of the cycle before and makes inputs, then the
 * engine shows its present outputs and steps.
 *
 *   outputs of cycle c-1 --> nsu_port_cycle --> inputs of cycle c
 *                               |     ^
 *                   packets out v     | packets in
 *                                peer
 */
#include "nsu_node.h"

#include <stdlib.h>
#include <string.h>

#include "nsu_isa.h"
#include "nsu_port.h"
#include "nsu_ports.h"

enum { LINES_KNOWN = 4096 };

struct nsu_node {
  const block_engine_t *engine;
  void *core; /* the engine's memory */
  bool open;
  nsu_port_t port;
  nsu_peer_t peer;
  nsu_out_t out; /* of the cycle before */
  nsu_node_stats_t stats;
  uint64_t errors;
  bool constant;              /* what its load unit does is a constant's look-up */
  uint64_t line[LINES_KNOWN]; /* instruction lines seen */
};

/* Counts different lines of instructions, up to LINES_KNOWN. */
static void note_icache_line(nsu_node_t *node, uint64_t addr) {
  for (uint64_t i = 0; i < node->stats.icache_lines; i++)
    if (node->line[i] == addr) return;
  if (node->stats.icache_lines < LINES_KNOWN) node->line[node->stats.icache_lines++] = addr;
}

/* The port's source of packets. It passes on the peer's and watches for instruction lines. */
static packet_t *take_for_nsu(void *ctx, unsigned cls) {
  nsu_node_t *node = ctx;
  packet_t *packet = node->peer.take(node->peer.ctx, cls);
  if (packet && packet->hdr.type == PKT_IFILL) note_icache_line(node, packet->hdr.addr);
  return packet;
}

static bool give_from_nsu(void *ctx, packet_t *packet) {
  nsu_node_t *node = ctx;
  return node->peer.give(node->peer.ctx, packet);
}

/* The engine's memory is zeroed and begins at a cache line. */
nsu_node_t *nsu_node_new(const block_engine_t *engine, unsigned instance, unsigned stack, unsigned credit_batch,
                         packet_pool_t *pool, const nsu_peer_t *peer) {
  enum { LINE = 64 };
  nsu_node_t *node = calloc(1, sizeof *node);
  size_t size = (engine->state_size + LINE - 1) / LINE * LINE;
  if (!node) return NULL;
  node->engine = engine;
  node->core = aligned_alloc(LINE, size);
  if (node->core) node->open = engine->open(memset(node->core, 0, size), engine->context, instance);
  if (!node->open) {
    nsu_node_free(node);
    return NULL;
  }
  node->peer = *peer;
  nsu_port_init(&node->port, stack, credit_batch, pool, &(nsu_peer_t){node, take_for_nsu, give_from_nsu});
  return node;
}

void nsu_node_free(nsu_node_t *node) {
  if (!node) return;
  if (node->open && node->engine->close) node->engine->close(node->core);
  free(node->core);
  free(node);
}

/* The engine's own error, unless the port found one before. */
static void note_failure(nsu_node_t *node) {
  const char *failed = node->engine->failed(node->core);
  if (failed && !node->port.error) node->port.error = failed;
}

/* The load unit does one thing at a time. A constant that hits is written back; one that misses is
 * dropped and issued again. So a write-back after an LDC is a hit. */
static void count_constants(nsu_node_t *node) {
  const nsu_out_t *out = &node->out;
  const isa_op_t *op = out->probe_issue ? isa_op(isa_opcode(out->probe_issue_instr)) : NULL;
  node->stats.constant_misses += out->probe_cmiss;
  if (out->probe_ld_wb && node->constant) {
    node->stats.constant_hits++;
    node->constant = false;
  }
  if (op && (op->kind == ISA_BEG || op->kind == ISA_LD || op->kind == ISA_LDC)) node->constant = op->kind == ISA_LDC;
}

/* Of an acknowledgement on the wires: one packet counts once. */
static bool is_first_beat(const uint32_t *words) {
  pkt_hdr_t h;
  pkt_unpack(words, &h);
  return !h.beat;
}

static void count_cycle(nsu_node_t *node) {
  const nsu_out_t *out = &node->out;
  node->stats.cycles++;
  node->stats.instructions += out->probe_issue;
  node->stats.blocks += out->probe_ack && is_first_beat(out->probe_ack_hdr);
  node->stats.warp_cycles += (uint64_t)__builtin_popcountll(out->probe_used);
  node->stats.icache_misses += out->probe_imiss;
  node->stats.credits_gathered = node->port.gathered;
  node->errors |= out->err;
  count_constants(node);
}

void nsu_node_cycle(nsu_node_t *node) {
  nsu_in_t in;
  nsu_port_cycle(&node->port, &node->out, &in);
  node->out = *(const nsu_out_t *)node->engine->out(node->core);
  node->engine->step(node->core, &in);
  if (node->engine->failed) note_failure(node);
  count_cycle(node);
}

/* The outputs of the last cycle must have been read, too: a credit or a phit that is on the wires
 * now must not get lost. */
bool nsu_node_idle(const nsu_node_t *node) {
  return node->engine->idle && node->engine->idle(node->core) && nsu_port_idle(&node->port) && !node->out.in_credit &&
         !node->out.out_valid;
}

const char *nsu_node_error(const nsu_node_t *node) {
  return node->port.error;
}

uint64_t nsu_node_errors(const nsu_node_t *node) {
  return node->errors;
}

nsu_node_stats_t nsu_node_stats(const nsu_node_t *node) {
  return node->stats;
}
