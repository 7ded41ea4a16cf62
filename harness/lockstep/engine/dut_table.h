/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads objects (dut.h) and looks up the ports of their tables.
 *
 *   if (!dut_load("build/release/dut/nsu.so", &dut, &trouble)) return cli_trouble(&trouble);
 *   dut_seed(dut, 7);
 *   const int sum = dut_find_port(dut, "sum", false);
 */
#ifndef DUT_TABLE_H
#define DUT_TABLE_H

#include "dut.h"
#include "trouble.h"

/* Loads an object. Its table stays valid until the program ends. ENVIRONMENT: the file is no
 * object. */
bool dut_load(const char *path, const dut_t **dut, trouble_t *trouble);

/* Seeds $random and $urandom of devices that are created from now on. */
void dut_seed(const dut_t *dut, uint64_t seed);

/* Index of a port in dut->ports by name and direction (`in`: inputs; else outputs and probes); -1:
 * none. */
int dut_find_port(const dut_t *dut, const char *name, bool in);
/* counts the ones of the port's value */
unsigned dut_port_bits(const dut_port_t *port, const void *fields);
/* the label of the port's value, if the port is an enum; NULL: none */
const char *dut_port_label(const dut_t *dut, const dut_port_t *port, const void *fields);
/* the port's valid bit is on */
bool dut_port_valid(const dut_t *dut, const dut_port_t *port, const void *fields);

/* Sets a bit of `mask` for each bit of X_in_t that a port has; other bits cannot be driven. The
 * caller zeroes `mask`, dut->in_size bytes. */
void dut_input_mask(const dut_t *dut, void *mask);

#endif
