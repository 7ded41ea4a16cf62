/* SPDX-License-Identifier: Apache-2.0
 *
 * A router that is not the real one, behind the fabric's engine interface: packets keep their VC,
 * five cycles from wire to wire, no allocation worth the name. With faults, to see the fabric's
 * checks fire.
 */
#ifndef FAKE_ROUTER_H
#define FAKE_ROUTER_H

#include "fabric.h"

/* What is wrong with a fake. FAKE_PAYLOAD to
 * FAKE_RECORD damage a flit, FAKE_WAY and FAKE_OPEN
 * send it to another port, FAKE_ERR raises `err`, and FAKE_FAILED reports a failure. */
typedef enum {
  FAKE_SOUND,
  FAKE_PAYLOAD,
  FAKE_UPPER_WORD,
  FAKE_TWICE,
  FAKE_HEAD,
  FAKE_VC,
  FAKE_RECORD,
  FAKE_WAY,
  FAKE_OPEN,
  FAKE_ERR,
  FAKE_FAILED
} fake_fault_t;

extern block_engine_t fake_router_engine;

void fake_router_setup(const topology_t *t, const router_params_t *p); /* before fabric_new: sizes of all fakes */
/* Gives the fake of this state a fault from now on; FAKE_SOUND takes it away. */
void fake_router_break(void *state, fake_fault_t fault);
unsigned fake_router_epochs(const void *state); /* pulses seen */

#endif
