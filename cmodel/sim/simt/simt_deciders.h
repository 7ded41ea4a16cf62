/* SPDX-License-Identifier: Apache-2.0
 *
 * Deciders: the registers on which it depends how a kernel's loops go on.
 *
 * A register decides if its value in the next round can change the way of a loop or what the loop
 * does to memory: a branch's predicate, an address, what is stored, and all from which these are
 * computed, inside of loops. Only what a loop hands on to its next round counts, which is what
 * lives where a backward branch goes. A counter of rounds that is used behind the loop alone
 * decides nothing, so the watchdog sees through it.
 */
#ifndef SIMT_DECIDERS_H
#define SIMT_DECIDERS_H

#include "simt.h"

/* Fills deciders of a decoded kernel without calls. False: out of host memory. */
bool simt_deciders_find(simt_kernel_t *k);

#endif
