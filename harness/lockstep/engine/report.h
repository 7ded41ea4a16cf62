/* SPDX-License-Identifier: Apache-2.0
 *
 * What a person reads about a failure: cycle, the first wrong probe or output, both values in
 * aligned lines, header fields that differ, and other wrong ports.
 */
#ifndef REPORT_H
#define REPORT_H

#include "run.h"

#include <stdio.h>

/* ls stands at the failure (ls->out, ls->rtl_out). */
void report_failure(FILE *out, const lockstep_t *ls, const failure_t *failure);

/* Inputs of a cycle that are not zero, "req=0x5 update=0x1", packets decoded; or "reset". */
void report_inputs(FILE *out, const dut_t *dut, const trace_cycle_t *cycle);

/* Packets (struct outputs and probes) that the model shows, decoded, a line each. */
void report_packets(FILE *out, const lockstep_t *ls);

/* Does a cycle bring anything: a reset, a 1-bit input that
 * is on, or inputs other than those of the cycle before? */
bool report_brings(const dut_t *dut, const trace_t *trace, size_t at);

/* A port's value: "0x0005"; wide ones in groups of 32 bits. buf of size bytes is returned. */
char *report_value(const dut_port_t *port, const void *fields, char *buf, size_t size);

#endif
