/* SPDX-License-Identifier: Apache-2.0 */
#include "dut_table.h"

#include "files.h"
#include "guard.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* RTLD_LOCAL: every object exports the same symbol, so no object may see another one's. */
bool dut_load(const char *path, const dut_t **dut, trouble_t *trouble) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s", dlerror());
  const dut_t *table = dlsym(handle, "lockstack_dut");
  if (!table || table->version != DUT_VERSION) {
    trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: not a device of interface version %d; build it again", path,
                DUT_VERSION);
    dlclose(handle);
    return false;
  }
  if (table->wrong) {
    trouble_set(trouble, TROUBLE_INPUT, "%s: %s", table->ports_file, table->wrong);
    dlclose(handle);
    return false;
  }
  dut_power_up(table, 0);
  guard_start(table);
  files_serve(table);
  *dut = table;
  return true;
}

void dut_seed(const dut_t *dut, uint64_t seed) {
  if (dut->seed) dut->seed(seed);
}

void dut_power_up(const dut_t *dut, uint64_t seed) {
  if (dut->power_up) dut->power_up(seed);
}

const char *dut_param_text(const dut_param_t *p, int64_t value, char text[64]) {
  const char *at = p->values;
  snprintf(text, 64, "%" PRId64, value);
  if (!at) return text;
  for (at += strspn(at, " "); value > 0; value--) at += strcspn(at, " "), at += strspn(at, " ");
  snprintf(text, 64, "%.*s", (int)strcspn(at, " "), at);
  return text;
}

int dut_find_port(const dut_t *dut, const char *name, bool in) {
  for (unsigned i = 0; i < dut->num_ports; i++)
    if ((dut->ports[i].dir == DUT_IN) == in && strcmp(dut->ports[i].name, name) == 0) return (int)i;
  return -1;
}

unsigned dut_port_bits(const dut_port_t *port, const void *fields) {
  const uint32_t *words = (const uint32_t *)((const char *)fields + port->offset);
  unsigned n = 0;
  for (uint32_t i = 0; i < port->size / 4; i++) n += (unsigned)__builtin_popcount(words[i]);
  return n;
}

const char *dut_port_label(const dut_t *dut, const dut_port_t *port, const void *fields) {
  uint64_t value;
  if (port->shape != DUT_SCALAR) return NULL;
  memcpy(&value, (const char *)fields + port->offset, sizeof value);
  for (unsigned i = 0; i < dut->num_labels; i++)
    if (dut->labels[i].value == value && strcmp(dut->labels[i].port, port->name) == 0) return dut->labels[i].label;
  return NULL;
}

/* ---- qualifiers: portgen has checked what they are (port_qualifier.h) */

/* The next name of a qualifier's text, and whether ! is in front of it. *at is moved behind it.
 * False: there is no further one. */
static bool next_term(const char **at, const char **name, size_t *length, bool *inverted) {
  *at += strspn(*at, " &");
  *inverted = **at == '!';
  *name = *at += *inverted;
  *at += *length = strcspn(*at, " &");
  return *length;
}

static const char *qualifier_of(const dut_port_t *port) {
  const char *each = port->each ? port->each : "";
  return port->valid ? port->valid : each;
}

static int find_named(const dut_t *dut, const char *name, size_t length, bool in) {
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    if ((p->dir == DUT_IN) == in && strncmp(p->name, name, length) == 0 && !p->name[length]) return (int)i;
  }
  return -1;
}

unsigned dut_terms(const dut_t *dut, const dut_port_t *port, dut_term_t terms[DUT_TERMS_MOST]) {
  const char *at = qualifier_of(port), *name;
  size_t length;
  bool inverted;
  unsigned num = 0;
  while (num < DUT_TERMS_MOST && next_term(&at, &name, &length, &inverted)) {
    const int i = find_named(dut, name, length, port->dir == DUT_IN);
    if (i >= 0) terms[num++] = (dut_term_t){(unsigned)i, inverted};
  }
  return num;
}

bool dut_is_term(const dut_port_t *port, const dut_port_t *by, bool inverted) {
  const char *at = qualifier_of(port), *name;
  size_t length;
  bool has;
  if ((port->dir == DUT_IN) != (by->dir == DUT_IN)) return false;
  while (next_term(&at, &name, &length, &has))
    if (has == inverted && strncmp(by->name, name, length) == 0 && !by->name[length]) return true;
  return false;
}

unsigned dut_qualifies(const dut_t *dut, const dut_port_t *port) {
  unsigned how = 0;
  for (unsigned i = 0; i < dut->num_ports; i++) {
    if (!dut->ports[i].valid) continue;
    how |= dut_is_term(&dut->ports[i], port, false) ? DUT_PLAIN : 0;
    how |= dut_is_term(&dut->ports[i], port, true) ? DUT_INVERTED : 0;
  }
  return how;
}

/* What qualifies is a scalar, a uint64_t in the struct. */
uint64_t dut_port_on(const dut_t *dut, const dut_port_t *port, const void *fields) {
  dut_term_t terms[DUT_TERMS_MOST];
  const unsigned num = dut_terms(dut, port, terms);
  uint64_t on = UINT64_MAX;
  for (unsigned i = 0; i < num; i++) {
    const dut_port_t *by = &dut->ports[terms[i].port];
    uint64_t value;
    memcpy(&value, (const char *)fields + by->offset, sizeof value);
    on &= terms[i].inverted ? ~value : value;
    if (by->width < 64) on &= (UINT64_C(1) << by->width) - 1;
  }
  return on;
}

bool dut_port_valid(const dut_t *dut, const dut_port_t *port, const void *fields) {
  return !port->valid || dut_port_on(dut, port, fields);
}

void dut_input_mask(const dut_t *dut, void *in_mask) {
  uint32_t *mask = in_mask;
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    if (p->dir != DUT_IN) continue;
    for (uint32_t bit = 0; bit < p->width; bit++) mask[p->offset / 4 + bit / 32] |= 1u << bit % 32;
  }
}

const void *dut_reset_inputs(const dut_t *dut, const void *in, void *only) {
  const uint32_t *from = in;
  uint32_t *to = only;
  bool any = false;
  memset(only, 0, dut->in_size);
  for (unsigned i = 0; in && i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    if (p->dir != DUT_IN || !p->in_reset) continue;
    any = true;
    for (uint32_t bit = 0; bit < p->width; bit += 32)
      to[(p->offset + bit / 8) / 4] =
          from[(p->offset + bit / 8) / 4] & (p->width - bit < 32 ? (1u << (p->width - bit)) - 1 : ~0u);
  }
  return any ? only : NULL;
}
