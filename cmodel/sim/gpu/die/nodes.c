/* SPDX-License-Identifier: Apache-2.0 */
#include "nodes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parses "4*16" or "4". Returns what is behind the term; NULL: no term. */
static const char *parse_term(const char *at, unsigned long *sms, unsigned long *times) {
  char *end;
  if (*at < '0' || *at > '9') return NULL;
  *sms = strtoul(at, &end, 10), *times = 1;
  if (*end != '*') return end;
  if (end[1] < '0' || end[1] > '9') return NULL;
  *times = strtoul(end + 1, &end, 10);
  return end;
}

/* Fills in nodes while they fit; afterwards nodes and SMs must both be used up. */
bool nodes_parse(nodes_t *n, const char *list, unsigned num_nodes, unsigned sms, trouble_t *trouble) {
  unsigned long sum = 0, count = 0, each, times;
  for (const char *at = list;;) {
    if (!(at = parse_term(at, &each, &times)) || (*at && *at != ','))
      return trouble_set(trouble, TROUBLE_INPUT,
                         "gpu.node_sms: '%.60s' is no list of SMs; one such as 4*16, or 8*8,0*8, would be right", list);
    for (; times && count < num_nodes && sum + each <= sms; times--, count++)
      for (n->first_sm[count] = (uint16_t)sum; sum < n->first_sm[count] + each; sum++) n->of_sm[sum] = (uint16_t)count;
    if (times || !*at) break;
    at++;
  }
  n->nodes = num_nodes;
  n->first_sm[num_nodes] = (uint16_t)sms;
  if (count == num_nodes && sum == sms && !times) return true;
  return trouble_set(trouble, TROUBLE_INPUT,
                     "gpu.node_sms: '%.60s' does not say where %u SMs are at %u nodes; %u*%u%s would be right", list,
                     sms, num_nodes, sms / num_nodes, num_nodes, sms % num_nodes ? " with other gpu.sms" : "");
}
