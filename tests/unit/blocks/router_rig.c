/* SPDX-License-Identifier: Apache-2.0
 *
 * One variant of the router behind the table of router_rig.h. The command line gives its parameters
 * and VARIANT, the name of the table, and renames the model's functions, so that all variants link
 * into one test.
 */
#include "router_rig.h"

#include <stdlib.h>
#include <string.h>

#include "router.h"

static router_t router;

static void reset(void) {
  router_reset(&router);
}
static bool idle(void) {
  return router_idle(&router);
}

/* The rig's inputs as the model's: two words for each flit, a nibble for each credit's VC. */
static router_in_t drive(const rig_in_t *from) {
  router_in_t to = {.cfg_valid = from->cfg_valid,
                    .cfg_dest = from->cfg_dest,
                    .cfg_port = from->cfg_port,
                    .epoch = from->epoch,
                    .link = from->link,
                    .in_valid = from->in_valid,
                    .ocr_valid = from->ocr_valid};
  for (unsigned p = 0; p < Ports; p++) {
    to.in_flit[2 * p] = (uint32_t)from->flit[p];
    to.in_flit[2 * p + 1] = (uint32_t)(from->flit[p] >> 32);
    nibble_add(to.ocr_vc, p, from->ocr_vc[p]);
  }
  return to;
}

/* One cycle: the outputs before the clock edge, then the edge. */
static rig_out_t cycle(const rig_in_t *from) {
  router_in_t in = drive(from);
  router_out_t out;
  memset(&out, 0xff, sizeof out); /* eval writes every field */
  router_eval(&router, &in, &out);
  router_step(&router, &in);
  rig_out_t seen = {.out_valid = (uint16_t)out.out_valid,
                    .cr_valid = (uint16_t)out.cr_valid,
                    .crit_port = (uint16_t)out.probe_crit_port,
                    .off = (uint16_t)out.probe_off,
                    .stall = (uint16_t)out.probe_stall,
                    .err = (unsigned)out.err,
                    .list_len = (unsigned)out.probe_list_len};
  for (unsigned p = 0; p < Ports; p++) {
    seen.flit[p] = out.out_flit[2 * p] | (uint64_t)out.out_flit[2 * p + 1] << 32;
    seen.cr_vc[p] = (uint8_t)nibble(out.cr_vc, p);
    seen.width[p] = out.probe_width[0] >> 2 * p & 3;
  }
  for (unsigned place = 0; place < ListLen; place++)
    seen.list[place] = (uint8_t)(out.probe_list[place / 4] >> place % 4 * 8);
  return seen;
}

/* Tries the step on a copy, so that asking does not move the router. */
static bool sleeps(void) {
  const router_in_t none = {0};
  router_t after = router;
  router_step(&after, &none);
  return memcmp(&after, &router, sizeof after) == 0;
}

const router_rig_t VARIANT = {
    .ports = Ports,
    .vcs = VCS,
    .normal_vcs = NumVCs,
    .classes = Classes,
    .stages = 4 - Lookahead - Spec,
    .depth = vc_depth,
    .reset = reset,
    .cycle = cycle,
    .idle = idle,
    .sleeps = sleeps,
};
