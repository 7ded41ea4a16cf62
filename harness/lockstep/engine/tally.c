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

/* Adds a qualifier, unless it is in the list. */
static void add_qualifier(tally_t *t, const char *text, const dut_term_t *terms, unsigned num) {
  for (unsigned i = 0; i < t->num_valid; i++)
    if (strcmp(t->valid[i].text, text) == 0) return;
  if (!num) return;
  const dut_port_t *first = &t->dut->ports[terms[0].port];
  tally_valid_t *v = &t->valid[t->num_valid++];
  *v = (tally_valid_t){
      .text = text, .num_terms = num, .port = terms[0].port, .word = first->offset / 8, .bits = all_bits(first->width)};
  v->simple = num == 1 && !terms[0].inverted;
  memcpy(v->terms, terms, num * sizeof *terms);
  for (unsigned i = 0; i < num; i++)
    if (!terms[i].inverted) v->off |= t->dut->ports[terms[i].port].off;
}

/* Adds what qualifies an output. Bits that the port file holds at 0 are looked at one by one,
 * too. */
static void add_valid(tally_t *t, const dut_port_t *p) {
  dut_term_t terms[DUT_TERMS_MOST];
  const unsigned num = dut_terms(t->dut, p, terms);
  add_qualifier(t, valid_name(p), terms, num);
  for (unsigned i = 0; num > 1 && i < num; i++) {
    const dut_port_t *by = &t->dut->ports[terms[i].port];
    if (by->off && !terms[i].inverted) add_qualifier(t, by->name, &terms[i], 1);
  }
}

/* Adds an input to those that have not changed yet. */
static void add_input(tally_t *t, unsigned port) {
  const dut_port_t *p = &t->dut->ports[port];
  t->num_inputs++;
  t->still[t->num_still++] = (tally_still_t){.port = port,
                                             .word = p->offset / 8,
                                             .words = p->size / 8,
                                             .qualified = valid_name(p) != NULL,
                                             .first = t->values + p->offset / 8};
}

bool tally_open(tally_t *t, const dut_t *dut) {
  *t = (tally_t){.dut = dut,
                 .valid = calloc((size_t)dut->num_ports * (1 + DUT_TERMS_MOST) + 1, sizeof *t->valid),
                 .still = calloc(dut->num_ports + 1, sizeof *t->still),
                 .values = calloc(1, dut->in_size + 8)};
  if (!t->valid || !t->still || !t->values) return false;
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    if (p->dir == DUT_IN) add_input(t, i);
    else if (valid_name(p)) add_valid(t, p);
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

/* The bits of a qualifier that are on: those that all of its ports say. */
static uint64_t on_now(const tally_t *t, const tally_valid_t *v, const char *out) {
  uint64_t on = v->bits;
  for (unsigned i = 0; i < v->num_terms; i++) {
    uint64_t value;
    memcpy(&value, out + t->dut->ports[v->terms[i].port].offset, sizeof value);
    on &= v->terms[i].inverted ? ~value : value;
  }
  return on;
}

/* Counts the cycles in which a qualifier has a bit that is on, and the bits seen. */
static void count_valid(const tally_t *t, tally_valid_t *v, const char *out, size_t stride, unsigned n) {
  const char *at = out + (size_t)v->word * 8;
  for (unsigned i = 0; i < n; i++, at += stride) {
    uint64_t now;
    if (v->simple) memcpy(&now, at, sizeof now);
    else now = on_now(t, v, out + i * stride);
    v->cycles += now != 0;
    v->seen |= now;
  }
}

/* True if the input changes in these cycles, while it is valid. */
static bool changes(const tally_t *t, tally_still_t *s, const char *in, size_t stride, unsigned n) {
  for (unsigned i = 0; i < n; i++, in += stride) {
    const uint64_t *words = (const uint64_t *)in;
    if (s->qualified && !dut_port_on(t->dut, &t->dut->ports[s->port], in)) continue;
    if (s->known && memcmp(s->first, words + s->word, s->words * 8)) return true;
    if (!s->known) memcpy(s->first, words + s->word, s->words * 8);
    s->known = true;
  }
  return false;
}

void tally_count(tally_t *t, const void *in, const void *out, size_t stride, unsigned n) {
  t->cycles += n;
  for (unsigned i = 0; i < t->num_valid; i++) count_valid(t, &t->valid[i], out, stride, n);
  for (unsigned i = t->num_still; i-- > 0;)
    if (changes(t, &t->still[i], in, stride, n)) t->still[i] = t->still[--t->num_still];
}

/* ---- what came of it */

const tally_valid_t *tally_valid(const tally_t *t, unsigned port) {
  const char *valid = valid_name(&t->dut->ports[port]);
  for (unsigned i = 0; valid && i < t->num_valid; i++)
    if (strcmp(t->valid[i].text, valid) == 0) return &t->valid[i];
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
    if (t->valid[i].simple && t->valid[i].seen & t->valid[i].off) return &t->valid[i];
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
