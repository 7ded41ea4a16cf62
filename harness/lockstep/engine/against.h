/* SPDX-License-Identifier: Apache-2.0
 *
 * Two devices in lockstep: a reference device stands in the golden model's place.
 *
 *   dut_load("X.so", &device, ...), dut_load("X-netlist.so", &reference, ...)
 *   pair = against_pair(device, reference, &trouble);      a table (dut.h) as any other
 *   lockstep_open(&ls, pair) ...                           run, trace, shrink, wave: all as usual
 *   counts = against_take(pair);                           bits that were known, failed assertions
 *
 * The pair's `model` is a device of the reference; the object's own model is never called. The
 * outputs are the reference's. Behind them (out_size is doubled) stands a one for each bit that the
 * reference shows as X or Z. A bit is compared while it is valid and neither side shows it, or what
 * qualifies it, as X or Z. The stimulus reads an X as 0.
 *
 * Nobody promised the RTL its inputs. A failed assertion of either side is counted by its place,
 * and the run goes on. The run ends when a device's process dies, a file is missing, or logic does
 * not settle.
 */
#ifndef AGAINST_H
#define AGAINST_H

#include "dut_table.h"

enum { AGAINST_PLACES = 32, AGAINST_TEXT = 512, AGAINST_LABEL = 48 };

/* An assertion that failed: its first text, and how often. A clock edge counts once. */
typedef struct {
  bool reference; /* of the reference; else of the device */
  char text[AGAINST_TEXT];
  uint64_t count;
} against_place_t;

/* Of an output, or of a probe that both sides have: its bits in the compared cycles in which they
 * were, or could be, valid. */
typedef struct {
  uint64_t known, unknown; /* compared, and not compared for an X */
  unsigned never;          /* bits of the port that were unknown at times and never known */
} against_port_t;

typedef struct {
  const dut_t *dut;        /* the pair */
  bool four_state;         /* one side knows X */
  uint64_t known, unknown; /* sums over outputs; probes are not in them */
  against_place_t *places; /* AGAINST_PLACES */
  unsigned num_places;
  uint64_t elsewhere;    /* failed assertions of further places */
  against_port_t port[]; /* dut->num_ports; of inputs all 0 */
} against_t;

/* The table of a pair, with all counts at 0; the same one for the same two devices. It stays valid
 * until the program ends. NULL: out of memory, or too many pairs. */
const dut_t *against_pair(const dut_t *device, const dut_t *reference, trouble_t *trouble);

/* The two sides of a pair. Of any other table the table itself, and NULL. */
const dut_t *against_device(const dut_t *dut);
const dut_t *against_reference(const dut_t *dut);

/* What a report calls the sides: "rtl" and "model"; of a pair "rtl" and "reference (netlist)". */
const char *against_device_label(const dut_t *dut);
const char *against_model_label(const dut_t *dut, char label[AGAINST_LABEL]);
/* The bits of `out` that are X or Z, by the ports' offsets; NULL: `dut` is no pair. */
const void *against_undefined(const dut_t *dut, const void *out);

/* For whoever owns a model's memory: before the memory is cleared or freed. Of a pair it ends the
 * reference's device; else it does nothing. `model` may be NULL. */
void against_end(const dut_t *dut, void *model);
/* Snapshots of the reference's device, where the pair has any (dut->save). NULL: out of memory, or
 * no pair. */
void *against_save(const dut_t *dut, const void *model);
void against_restore(const dut_t *dut, void *model, const void *snapshot);
void against_snapshot_free(const dut_t *dut, void *snapshot);

/* A copy of the counts since against_pair. NULL: no pair, or out of memory. */
against_t *against_take(const dut_t *dut);
void against_free(against_t *counts);

/* Length of the place at the beginning of an assertion's text, "rtl/uart.v:12". */
size_t against_place(const char *text);

/* False: no bit of any output was known; in a full run also if an output had none. */
bool against_was_compared(const against_t *counts, bool full);

/* Of known and unknown bits, the share that was known; 1 if there were none. */
double against_share(uint64_t known, uint64_t unknown);

#endif
