/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes a failure to a person: cycle, first wrong probe or output, both values in aligned
 * lines, header fields that differ, and other wrong ports.
 */
#ifndef REPORT_H
#define REPORT_H

#include "run.h"

#include <stdio.h>

/* `ls` must stand at the failure (ls->out, ls->rtl_out). */
void report_failure(FILE *out, const lockstep_t *ls, const failure_t *failure);

/* Prints the inputs of a cycle that are not zero, "req=0x5 update=0x1", with packets decoded; or
 * "reset". */
void report_inputs(FILE *out, const dut_t *dut, const trace_cycle_t *cycle);

/* Prints the packets (struct outputs and probes) that the model shows, decoded, one a line. */
void report_packets(FILE *out, const lockstep_t *ls);

/* True if cycle `at` brings something: a reset, a 1-bit input that is on, or inputs that differ
 * from the cycle before. */
bool report_brings(const dut_t *dut, const trace_t *trace, size_t at);

/* The value of a port: "0x0005"; wide values in groups of 32 bits. Returns buf (`size` bytes). */
char *report_value(const dut_port_t *port, const void *fields, char *buf, size_t size);

#endif
