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

/* The same for what they begin with where the RTL declares no value; 0, as after loading: zeros. */
void dut_power_up(const dut_t *dut, uint64_t seed);

/* A value of a parameter, as --set takes it: a number, or the text that it stands for. */
const char *dut_param_text(const dut_param_t *param, int64_t value, char text[64]);

/* Index of a port in dut->ports by name and direction (`in`: inputs; else outputs and probes); -1:
 * none. */
int dut_find_port(const dut_t *dut, const char *name, bool in);
/* counts the ones of the port's value */
unsigned dut_port_bits(const dut_port_t *port, const void *fields);
/* the label of the port's value, if the port is an enum; NULL: none */
const char *dut_port_label(const dut_t *dut, const dut_port_t *port, const void *fields);
/* the port's valid bit is on */
bool dut_port_valid(const dut_t *dut, const dut_port_t *port, const void *fields);

enum { DUT_TERMS_MOST = 8 };

/* A port of those that qualify another one, or each element of it. */
typedef struct {
  unsigned port; /* index in dut->ports */
  bool inverted; /* !empty: its bits count when they are 0 */
} dut_term_t;

/* The ports that say together when `port` is valid, which is when all do. Returns how many; 0:
 * it always is. */
unsigned dut_terms(const dut_t *dut, const dut_port_t *port, dut_term_t terms[DUT_TERMS_MOST]);
/* Bit k: element k of the port is valid. Of a port without elements bit 0 counts. */
uint64_t dut_port_on(const dut_t *dut, const dut_port_t *port, const void *fields);

/* Which ports of its direction a port qualifies: those in which it stands as it is, those in which
 * ! is in front of it, both or none. */
enum { DUT_PLAIN = 1, DUT_INVERTED = 2 };
unsigned dut_qualifies(const dut_t *dut, const dut_port_t *port);
/* True if `by` is in the qualifier of `port` in this way. */
bool dut_is_term(const dut_port_t *port, const dut_port_t *by, bool inverted);

/* The inputs that count in a reset, cut to their widths, others 0: into `only`, X_in_t. Returns
 * `only`; NULL: there are none, or `in` is NULL. */
const void *dut_reset_inputs(const dut_t *dut, const void *in, void *only);

/* Sets a bit of `mask` for each bit of X_in_t that a port has; other bits cannot be driven. The
 * caller zeroes `mask`, dut->in_size bytes. */
void dut_input_mask(const dut_t *dut, void *mask);

#endif
