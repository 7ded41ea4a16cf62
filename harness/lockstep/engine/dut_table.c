/* SPDX-License-Identifier: Apache-2.0 */
#include "dut_table.h"

#include "files.h"
#include "guard.h"

#include <dlfcn.h>
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
  guard_start(table);
  files_serve(table);
  *dut = table;
  return true;
}

void dut_seed(const dut_t *dut, uint64_t seed) {
  if (dut->seed) dut->seed(seed);
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

/* A valid port is a 1-bit scalar, a uint64_t in the struct. */
bool dut_port_valid(const dut_t *dut, const dut_port_t *port, const void *fields) {
  if (!port->valid) return true;
  int i = dut_find_port(dut, port->valid, port->dir == DUT_IN);
  uint64_t value;
  memcpy(&value, (const char *)fields + dut->ports[i].offset, sizeof value);
  return value != 0;
}

void dut_input_mask(const dut_t *dut, void *in_mask) {
  uint32_t *mask = in_mask;
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    if (p->dir != DUT_IN) continue;
    for (uint32_t bit = 0; bit < p->width; bit++) mask[p->offset / 4 + bit / 32] |= 1u << bit % 32;
  }
}
