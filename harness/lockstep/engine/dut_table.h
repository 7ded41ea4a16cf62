/* SPDX-License-Identifier: Apache-2.0
 *
 * A loaded object (dut.h) and the ports of its table.
 *
 *   if (!dut_load("build/release/dut/nsu.so", &dut, &trouble)) return cli_trouble(&trouble);
 *   dut_seed(dut, 7);
 *   const int sum = dut_find_port(dut, "sum", false);
 */
#ifndef DUT_TABLE_H
#define DUT_TABLE_H

#include "dut.h"
#include "trouble.h"

/* Loads an object. The table stays loaded until the program ends. ENVIRONMENT: it is none. */
bool dut_load(const char *path, const dut_t **dut, trouble_t *trouble);

/* Devices created from now on draw their $random and $urandom from this seed. */
void dut_seed(const dut_t *dut, uint64_t seed);

/* Index of a port in dut->ports, by name and direction
 * (in: inputs, else outputs and probes); -1: none. */
int dut_find_port(const dut_t *dut, const char *name, bool in);
unsigned dut_port_bits(const dut_port_t *port, const void *fields);                /* ones in it */
bool dut_port_valid(const dut_t *dut, const dut_port_t *port, const void *fields); /* is its valid bit on? */

/* One bit for each bit of an input field: a stimulus cannot
 * drive bits a port does not have. mask: in_size zero bytes. */
void dut_input_mask(const dut_t *dut, void *mask);

#endif
