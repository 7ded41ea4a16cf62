/* SPDX-License-Identifier: Apache-2.0 */
#include "port_label.h"

#include <stdio.h>
#include <string.h>

/* True if the name in the port file is what a model has in place of `rtl`, with any number of _. */
static bool stands_for(const char *name, const char *rtl) {
  char model[PORT_NAME];
  port_name_model(rtl, model);
  const size_t n = strlen(model);
  return strncmp(name, model, n) == 0 && !name[n + strspn(name + n, "_")];
}

const char *port_label(const dut_port_t *p, char label[PORT_NAME]) {
  const size_t n = strlen(p->pin), k = strlen(p->name);
  const char *const suffix = p->dir == DUT_IN ? "_i" : "_o";
  const bool ours = n > 2 && strcmp(p->pin + n - 2, suffix) == 0;
  if (p->of && port_name_interface(p->pin, label))
    return strncat(label, p->name + strlen(p->of), PORT_NAME - strlen(label) - 1);
  snprintf(label, PORT_NAME, "%s", p->name);
  if (strcmp(p->pin, p->name) == 0 || (ours && k == n - 2 && strncmp(p->pin, p->name, k) == 0)) return label;
  snprintf(label, PORT_NAME, "%s", p->pin);
  if (stands_for(p->name, label)) return label;
  if (ours) label[n - 2] = 0;
  if (ours && stands_for(p->name, label)) return label;
  snprintf(label, PORT_NAME, "%s", p->name);
  return label;
}
