/* SPDX-License-Identifier: Apache-2.0
 *
 * Models of routers with several parameter sets in one test. Each variant is a table with one
 * instance behind it: router_rig.c, compiled once for each variant that
 * cmodel/blocks/router/CMakeLists.txt lists. A variant has at most 16 ports; its flits have 64
 * bits, and arrays count by port.
 */
#ifndef ROUTER_RIG_H
#define ROUTER_RIG_H

#include <stdbool.h>
#include <stdint.h>

enum { RIG_PORTS = 16 };

typedef struct {
  uint16_t in_valid, ocr_valid, link;
  uint64_t flit[RIG_PORTS];
  uint8_t ocr_vc[RIG_PORTS];
  bool epoch, cfg_valid;
  unsigned cfg_dest, cfg_port;
} rig_in_t;

typedef struct {
  uint16_t out_valid, cr_valid, crit_port, off, stall;
  uint64_t flit[RIG_PORTS];
  uint8_t cr_vc[RIG_PORTS], width[RIG_PORTS];
  unsigned err, list_len;
  uint8_t list[64];
} rig_out_t;

typedef struct {
  unsigned ports, vcs, normal_vcs, classes;
  unsigned stages; /* cycles from the cycle in which a flit is stored to that in which it is on the next wire */
  unsigned (*depth)(unsigned vc);
  void (*reset)(void);
  rig_out_t (*cycle)(const rig_in_t *in); /* the outputs of the cycle; then the clock edge */
  bool (*idle)(void);
  bool (*sleeps)(void); /* a step with all inputs 0 changes nothing at all */
} router_rig_t;

extern const router_rig_t rig_four, rig_lookahead, rig_spec, rig_two, rig_small, rig_big, rig_priority, rig_width,
    rig_dist, rig_bound;

#endif
