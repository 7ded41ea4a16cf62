/* SPDX-License-Identifier: Apache-2.0
 *
 * What a person reads about a failure: cycle, the first wrong probe or output, both values in aligned lines, header
 * fields that differ, other wrong ports, and the last transactions before it.
 */
#ifndef REPORT_H
#define REPORT_H

#include "run.h"

#include <stdio.h>

/* ls stands at the failure (ls->out, ls->rtl_out). */
void report_failure(FILE *out, const lockstep_t *ls, const failure_t *failure);

/* The last `most` cycles of the recording that are not idle, oldest first: inputs, and below them what struct outputs and
 * probes (packets) the model showed in that cycle. Plays the recording on the pair. */
void report_transactions(FILE *out, lockstep_t *ls, const trace_t *trace, size_t most);

/* A port's value: "0x0005"; wide ones in groups of 32 bits. buf of size bytes is returned. */
char *report_value(const dut_port_t *port, const void *fields, char *buf, size_t size);

#endif
