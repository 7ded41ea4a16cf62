/* SPDX-License-Identifier: Apache-2.0 */
#include "nsu_node.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "nsu_port.h"
#include "nsu_ports.h"

enum { LINES_KNOWN = 4096 };

struct nsu_object {
  const dut_t *dut;
};

struct nsu_node {
  instance_t core;
  nsu_port_t port;
  nsu_peer_t peer;
  nsu_out_t out; /* of the cycle before */
  nsu_node_stats_t stats;
  uint64_t line[LINES_KNOWN]; /* instruction lines seen */
};

const nsu_object_t *nsu_object_load(const char *path, const char **why) {
  static nsu_object_t object; /* one NSU variant a process */
  static char error[512];
  *why = NULL;
  if (!dut_load(path, &object.dut, error, sizeof error)) *why = error;
  else if (strcmp(object.dut->block, "nsu")) *why = "not an NSU";
  else if (object.dut->in_size != sizeof(nsu_in_t) || object.dut->out_size != sizeof(nsu_out_t)) *why = "an NSU with other ports";
  return *why ? NULL : &object;
}

static void see_line(nsu_node_t *node, uint64_t addr) {
  for (uint64_t i = 0; i < node->stats.icache_lines; i++)
    if (node->line[i] == addr) return;
  if (node->stats.icache_lines < LINES_KNOWN) node->line[node->stats.icache_lines++] = addr;
}

static packet_t *take(void *ctx, unsigned cls) {
  nsu_node_t *node = ctx;
  packet_t *packet = node->peer.take(node->peer.ctx, cls);
  if (packet && packet->hdr.type == PKT_IFILL) see_line(node, packet->hdr.addr);
  return packet;
}

static bool give(void *ctx, packet_t *packet) {
  nsu_node_t *node = ctx;
  return node->peer.give(node->peer.ctx, packet);
}

nsu_node_t *nsu_node_new(const nsu_object_t *object, engine_t engine, unsigned stack, packet_pool_t *pool,
                         const nsu_peer_t *peer, const char **why) {
  nsu_node_t *node = calloc(1, sizeof *node);
  const nsu_in_t quiet = {.stack_id = stack};
  *why = node ? instance_open(&node->core, object->dut, engine, &quiet) : "out of memory";
  if (*why) {
    nsu_node_free(node);
    return NULL;
  }
  node->peer = *peer;
  nsu_port_init(&node->port, stack, pool, &(nsu_peer_t){node, take, give});
  return node;
}

void nsu_node_free(nsu_node_t *node) {
  if (!node) return;
  instance_close(&node->core);
  free(node);
}

void nsu_node_cycle(nsu_node_t *node) {
  nsu_in_t in;
  nsu_port_cycle(&node->port, &node->out, &in);
  const char *failed = instance_cycle(&node->core, &in, &node->out);
  if (failed && !node->port.error) node->port.error = failed;
  node->stats.instructions += node->out.probe_issue;
  node->stats.warp_cycles += (uint64_t)__builtin_popcountll(node->out.probe_used);
  node->stats.errors |= node->out.err;
}

/* Outputs of the cycle before must have been seen, too: a credit or a phit that is on the wires now is not lost. */
bool nsu_node_idle(const nsu_node_t *node) {
  return instance_idle(&node->core) && nsu_port_idle(&node->port) && !node->out.in_credit && !node->out.out_valid;
}

const char *nsu_node_capture(nsu_node_t *node, const capture_t *capture) {
  char path[NSU_NODE_TEXT];
  mkdir(capture->folder, 0777);
  snprintf(path, sizeof path, "%.400s/nsu-system-%u-%" PRIu64 ".replay", capture->folder, node->port.stack, capture->seed);
  const char *failed = instance_capture(&node->core, path, capture);
  if (!failed) snprintf(node->stats.replay, sizeof node->stats.replay, "%s", path);
  return failed;
}

const char *nsu_node_error(const nsu_node_t *node) {
  return node->port.error;
}

nsu_node_stats_t nsu_node_stats(const nsu_node_t *node) {
  nsu_node_stats_t stats = node->stats;
  stats.cycles = node->core.cycles;
  stats.compared = node->core.compared;
  stats.divergences = node->core.diverged;
  if (!node->core.diverged) return stats;
  stats.first_cycle = instance_first_cycle(&node->core);
  instance_first(&node->core, stats.first, sizeof stats.first);
  return stats;
}
