/* SPDX-License-Identifier: Apache-2.0 */
#include "network_policy.h"

#include <string.h>

typedef struct policy {
  const char *name;
  long crit, tr, width, dist, vcs;
} policy_t;

static const policy_t policies[NUM_POLICIES] = {
#define X(id, name, crit, tr, width, dist, vcs, text) {name, crit, tr, width, dist, vcs},
    NETWORK_POLICIES(X)
#undef X
};

const char *network_policy_name(network_policy_t policy) {
  return policies[policy].name;
}

bool network_policy_find(const char *name, network_policy_t *policy) {
  for (unsigned p = 0; p < NUM_POLICIES; p++) {
    if (strcmp(name, policies[p].name) != 0) continue;
    *policy = (network_policy_t)p;
    return true;
  }
  return false;
}

void network_policy_apply(network_policy_t policy, router_params_t *p) {
  const policy_t *what = &policies[policy];
  p->Crit = what->crit, p->Tr = what->tr, p->Width = what->width, p->Dist = what->dist;
  p->NumVCs *= what->vcs;
  if (p->Width && !p->OutDepth) p->OutDepth = NETWORK_OUT_DEPTH;
}
