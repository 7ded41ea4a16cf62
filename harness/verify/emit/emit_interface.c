/* SPDX-License-Identifier: Apache-2.0 */
#include "emit_interface.h"

#include <string.h>

void emit_interfaces(emit_t *e) {
  for (const xml_node_t *node = xml_next(e->netlist, e->netlist); node && !e->failed;
       node = xml_next(e->netlist, (xml_node_t *)node))
    if (xml_is(node, "iface")) emit_refuse(e, node, "an interface");
}
