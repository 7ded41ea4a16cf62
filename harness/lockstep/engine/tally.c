/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts valid bits instead of outputs, since outputs share few valid bits. An input leaves the
 * watched list once it has changed. After some hundred cycles most runs watch none.
 */
#include "tally.h"

#include "lockstep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The port that qualifies this one, or each of its elements; NULL: none. */
static const char *valid_name(const dut_port_t *p) {
  return p->valid ? p->valid : p->each;
}

static uint64_t all_bits(uint32_t width) {
  return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

/* Adds the qualifying port of an output, unless it is in the list. */
static void add_valid(tally_t *t, const char *name) {
  const int port = dut_find_port(t->dut, name, false);
  for (unsigned i = 0; i < t->num_valid; i++)
    if (t->valid[i].port == (unsigned)port) return;
  if (port < 0) return;
  const dut_port_t *p = &t->dut->ports[port];
  t->valid[t->num_valid++] =
      (tally_valid_t){.port = (unsigned)port, .word = p->offset / 8, .off = p->off, .bits = all_bits(p->width)};
}

/* Adds an input to those that have not changed yet. */
static void add_input(tally_t *t, unsigned port) {
  const dut_port_t *p = &t->dut->ports[port];
  const int valid = valid_name(p) ? dut_find_port(t->dut, valid_name(p), true) : -1;
  t->num_inputs++;
  t->still[t->num_still++] = (tally_still_t){.port = port,
                                             .word = p->offset / 8,
                                             .words = p->size / 8,
                                             .valid = valid < 0 ? -1 : (int32_t)(t->dut->ports[valid].offset / 8),
                                             .first = t->values + p->offset / 8};
}

bool tally_open(tally_t *t, const dut_t *dut) {
  *t = (tally_t){.dut = dut,
                 .valid = calloc(dut->num_ports + 1, sizeof *t->valid),
                 .still = calloc(dut->num_ports + 1, sizeof *t->still),
                 .values = calloc(1, dut->in_size + 8)};
  if (!t->valid || !t->still || !t->values) return false;
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    if (p->dir == DUT_IN) add_input(t, i);
    else if (valid_name(p)) add_valid(t, valid_name(p));
  }
  return true;
}

void tally_close(tally_t *t) {
  free(t->valid);
  free(t->still);
  free(t->values);
  *t = (tally_t){0};
}

tally_t tally_take(tally_t *t) {
  const tally_t taken = *t;
  *t = (tally_t){0};
  return taken;
}

/* ---- counting */

/* Counts the cycles in which a valid word is not 0, and the bits seen. */
static void count_valid(tally_valid_t *v, const char *out, size_t stride, unsigned n) {
  const char *at = out + (size_t)v->word * 8;
  for (unsigned i = 0; i < n; i++, at += stride) {
    uint64_t now;
    memcpy(&now, at, sizeof now);
    v->cycles += now != 0;
    v->seen |= now;
  }
}

/* True if the input changes in these cycles, while it is valid. */
static bool changes(tally_still_t *s, const char *in, size_t stride, unsigned n) {
  for (unsigned i = 0; i < n; i++, in += stride) {
    const uint64_t *words = (const uint64_t *)in;
    if (s->valid >= 0 && !words[s->valid]) continue;
    if (s->known && memcmp(s->first, words + s->word, s->words * 8)) return true;
    if (!s->known) memcpy(s->first, words + s->word, s->words * 8);
    s->known = true;
  }
  return false;
}

void tally_count(tally_t *t, const void *in, const void *out, size_t stride, unsigned n) {
  t->cycles += n;
  for (unsigned i = 0; i < t->num_valid; i++) count_valid(&t->valid[i], out, stride, n);
  for (unsigned i = t->num_still; i-- > 0;)
    if (changes(&t->still[i], in, stride, n)) t->still[i] = t->still[--t->num_still];
}

/* ---- what came of it */

const tally_valid_t *tally_valid(const tally_t *t, unsigned port) {
  const char *valid = valid_name(&t->dut->ports[port]);
  for (unsigned i = 0; valid && i < t->num_valid; i++)
    if (strcmp(t->dut->ports[t->valid[i].port].name, valid) == 0) return &t->valid[i];
  return NULL;
}

uint64_t tally_missing(const tally_valid_t *v) {
  return v->bits & ~v->seen & ~v->off;
}

tally_state_t tally_state(const tally_t *t, unsigned port) {
  const tally_valid_t *v = tally_valid(t, port);
  if (t->dut->ports[port].dir == DUT_PROBE && t->dut->no_probes) return TALLY_ABSENT;
  if (!t->cycles || (v && tally_missing(v))) return TALLY_NEVER;
  return v && !v->seen ? TALLY_OFF : TALLY_COMPARED;
}

/* A port without a valid bit counts all compared cycles. */
uint64_t tally_cycles(const tally_t *t, unsigned port) {
  const tally_valid_t *v = tally_valid(t, port);
  if (tally_state(t, port) == TALLY_ABSENT) return 0;
  return v ? v->cycles : t->cycles;
}

uint64_t tally_compared(const tally_t *t) {
  uint64_t most = 0;
  for (unsigned i = 0; i < t->dut->num_ports; i++) {
    const uint64_t cycles = t->dut->ports[i].dir == DUT_IN ? 0 : tally_cycles(t, i);
    if (cycles > most) most = cycles;
  }
  return most;
}

uint64_t tally_probe_values(const tally_t *t) {
  uint64_t n = 0;
  for (unsigned i = 0; i < t->dut->num_ports; i++)
    if (t->dut->ports[i].dir == DUT_PROBE) n += tally_cycles(t, i);
  return n;
}

const char *tally_state_name(tally_state_t state) {
  static const char *const names[] = {"compared", "never", "off", "absent"};
  return names[state];
}

static bool is_output(const tally_t *t, unsigned port) {
  return t->dut->ports[port].dir != DUT_IN;
}

unsigned tally_outputs(const tally_t *t, tally_state_t state) {
  unsigned n = 0;
  for (unsigned i = 0; i < t->dut->num_ports; i++) n += is_output(t, i) && tally_state(t, i) == state;
  return n;
}

bool tally_unsent(const tally_t *t) {
  return t->num_inputs && t->num_still == t->num_inputs;
}

const tally_valid_t *tally_on(const tally_t *t) {
  for (unsigned i = 0; i < t->num_valid; i++)
    if (t->valid[i].seen & t->valid[i].off) return &t->valid[i];
  return NULL;
}

/* ---- lists */

static void add_list_name(char *text, size_t size, const char *name, int element) {
  const size_t n = strlen(text);
  if (n + strlen(name) + 24 > size) { /* room for what says that there are more */
    if (n + 8 < size && strcmp(text + n - (n > 3 ? 3 : 0), "...")) snprintf(text + n, size - n, ", ...");
    return;
  }
  if (element < 0) snprintf(text + n, size - n, "%s%s", n ? ", " : "", name);
  else snprintf(text + n, size - n, "%s%s[%d]", n ? ", " : "", name, element);
}

/* Of elements those that are missing, of others the name alone. */
static void add_output(const tally_t *t, unsigned port, tally_state_t state, char *text, size_t size) {
  const tally_valid_t *v = tally_valid(t, port);
  const char *name = t->dut->ports[port].name;
  const uint64_t missing = v ? tally_missing(v) : 0;
  if (state != TALLY_NEVER || !t->cycles || missing == v->bits) {
    add_list_name(text, size, name, -1);
    return;
  }
  for (int bit = 0; bit < 64; bit++)
    if (missing >> bit & 1) add_list_name(text, size, name, bit);
}

const char *tally_list(const tally_t *t, tally_state_t state, char *text, size_t size) {
  *text = 0;
  for (unsigned i = 0; i < t->dut->num_ports; i++)
    if (is_output(t, i) && tally_state(t, i) == state) add_output(t, i, state, text, size);
  return text;
}

const char *tally_list_still(const tally_t *t, char *text, size_t size) {
  *text = 0;
  for (unsigned port = 0; port < t->dut->num_ports; port++)
    for (unsigned i = 0; i < t->num_still; i++)
      if (t->still[i].port == port) add_list_name(text, size, t->dut->ports[port].name, -1);
  return text;
}
