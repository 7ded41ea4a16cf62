/* SPDX-License-Identifier: Apache-2.0
 *
 * The wires of tom_busy: flits of each link since the last cycle. A packet counts at once, and its
 * flits go on the wires at the link's rate.
 */
#include "tom_links.h"

#include <math.h>
#include <stdlib.h>

#include "bits.h"
#include "block_engine.h"

/* Places of all ports. false: the engine lacks one. */
static bool find_wires(tom_links_t *l) {
  struct {
    const char *name;
    unsigned *at;
  } wires[] = {{"tx_flits", &l->at.tx_flits},
               {"rx_flits", &l->at.rx_flits},
               {"limit", &l->at.limit},
               {"hot_tx", &l->at.hot_tx},
               {"hot_rx", &l->at.hot_rx}};
  for (unsigned i = 0; i < sizeof wires / sizeof *wires; i++) {
    const int place = offload_instance_place(&l->instance, wires[i].name);
    if (place < 0) return false;
    *wires[i].at = (unsigned)place;
  }
  return true;
}

/* If a link carries no whole number of flits a cycle, the share refers to what the link carries. */
static uint64_t limit_of(const gpu_config_t *c) {
  return (uint64_t)lround(100 * c->tom.busy * c->link_flits / gpu_config_link_flits(c));
}

int tom_links_init(tom_links_t *l, const gpu_shared_t *sh) {
  const block_engine_t *const *engines = sh->engine[GPU_HARDWARE_tom_busy];
  *l = (tom_links_t){.sh = sh};
  if (!gpu_config_instances(sh->config, GPU_HARDWARE_tom_busy)) return 0;
  if (offload_instance_open(&l->instance, engines, 0)) return -1;
  l->flits = gpu_config_link_flits(sh->config), l->limit = limit_of(sh->config);
  while (l->flits >> l->bits) l->bits++;
  return find_wires(l) && (l->in = calloc(engines[0]->in_words, sizeof(uint64_t))) ? 0 : -1;
}

void tom_links_deinit(tom_links_t *l) {
  offload_instance_close(&l->instance);
  free(l->in);
  l->in = NULL;
}

/* Flits of all links in one direction. */
static void put_flits(tom_links_t *l, unsigned way, const uint64_t *flits, uint64_t *wires) {
  for (unsigned k = 0; k < l->sh->config->num_stacks; k++) {
    const uint64_t waiting = flits[k] - l->told[way][k], now = waiting < l->flits ? waiting : l->flits;
    bits_put((uint32_t *)(void *)wires, k * l->bits, l->bits, now);
    l->told[way][k] += now;
  }
}

void tom_links_tick_xbar(tom_links_t *l) {
  uint64_t *in = l->in;
  if (!l->instance.state) return;
  put_flits(l, 0, l->sh->flits->sent, in + l->at.tx_flits);
  put_flits(l, 1, l->sh->flits->got, in + l->at.rx_flits);
  in[l->at.limit] = l->limit;
  offload_instance_step(&l->instance, in, l->sh->fault);
}

void tom_links_tick_core(tom_links_t *l) {
  if (!l->instance.state) return;
  const uint64_t *out = offload_instance_out(&l->instance);
  l->now[1] = l->now[0];
  l->now[0] = (unsigned)(out[l->at.hot_tx] | out[l->at.hot_rx] << 1);
}
