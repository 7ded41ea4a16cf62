/* SPDX-License-Identifier: Apache-2.0 */
#include "router_params.h"

#include <stdio.h>
#include <string.h>

#include "router_depth.h"

enum { MAX_INPUT_VCS = 64, MAX_VCS = 16 };

static const struct {
  const char *name;
  long initial, least, most;
  size_t offset;
} params[] = {
#define PARAM(name, value, least, most, text) {#name, value, least, most, offsetof(router_params_t, name)},
#include "gen/ports_begin.h"
#include "router.ports"
#include "gen/ports_end.h"
};

enum { NUM_PARAMS = sizeof params / sizeof *params };

/* Parameter number i. */
static long param_value(const router_params_t *p, unsigned i) {
  return *(const long *)((const char *)p + params[i].offset);
}

router_params_t router_params_default(void) {
  return (router_params_t){
#define PARAM(name, value, least, most, text) .name = (value),
#include "gen/ports_begin.h"
#include "router.ports"
#include "gen/ports_end.h"
  };
}

bool router_params_set(router_params_t *p, const char *name, long value) {
  for (unsigned i = 0; i < NUM_PARAMS; i++) {
    if (strcmp(params[i].name, name)) continue;
    *(long *)((char *)p + params[i].offset) = value;
    return true;
  }
  return false;
}

/* The priority buffer's flits come out of the other VCs' of its class. */
static bool check_depths(const router_params_t *p, trouble_t *trouble) {
  for (unsigned vc = 0; vc < (unsigned)p->NumVCs; vc++)
    if (router_vc_depth(p, vc) < 1 || router_vc_depth(p, vc) > (unsigned)p->Depth)
      return trouble_set(trouble, TROUBLE_INPUT,
                         "Tr takes four flits of a class's buffers for the priority buffer: a VC would be left with "
                         "none; more Depth or NumVCs");
  return true;
}

/* ": NumVCs of 4 would be right"; nothing where no number would. */
static bool refuse_vcs(const router_params_t *p, trouble_t *trouble) {
  const long most = MAX_INPUT_VCS / p->Ports - p->Tr * p->Classes, right = most - most % p->Classes;
  char hint[64] = "";
  if (right > 0) snprintf(hint, sizeof hint, ": NumVCs of %ld would be right", right);
  return trouble_set(trouble, TROUBLE_INPUT, "%ld ports of %u VCs; at most %d input VCs a router%s", p->Ports,
                     router_vcs(p), MAX_INPUT_VCS, hint);
}

bool router_params_check(const router_params_t *p, trouble_t *trouble) {
  for (unsigned i = 0; i < NUM_PARAMS; i++)
    if (param_value(p, i) < params[i].least || param_value(p, i) > params[i].most)
      return trouble_set(trouble, TROUBLE_INPUT, "%s is %ld; it should be %ld to %ld", params[i].name,
                         param_value(p, i), params[i].least, params[i].most);
  const char *wrong = NULL;
  if (p->NumVCs % p->Classes) wrong = "NumVCs should be a multiple of Classes";
  else if (p->FlitBits % 64) wrong = "FlitBits should be a multiple of 64";
  else if (router_vcs(p) > MAX_VCS) wrong = "more than 16 VCs a port, priority buffers counted";
  else if (p->Ports * router_vcs(p) > MAX_INPUT_VCS) return refuse_vcs(p, trouble);
  else if (p->Width && !p->Crit) wrong = "Width needs Crit";
  else if (p->Width && !p->OutDepth)
    wrong = "Width needs OutDepth: flits wait for a narrow link in an output FIFO of 1 to 16";
  else if (p->Width && p->EpochCycles <= p->Penalty)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "an epoch of %ld cycles ends before links have changed their width, which takes %ld; more "
                       "EpochCycles or less Penalty",
                       p->EpochCycles, p->Penalty);
  else if (p->PairSent && !p->RankNext)
    wrong = "PairSent lists pairs at an epoch's end, so that RankNext should be 1 with it";
  else if (p->Dist && (p->Crit || p->Tr)) wrong = "Dist goes with neither Crit nor Tr";
  else if (p->KeepVC && p->Tr) wrong = "KeepVC does not go with Tr: the priority buffer is another VC";
  return wrong ? trouble_set(trouble, TROUBLE_INPUT, "%s", wrong) : check_depths(p, trouble);
}

void router_params_text(const router_params_t *p, char *text, size_t size) {
  size_t used = 0;
  if (size) *text = 0;
  for (unsigned i = 0; i < NUM_PARAMS && used < size; i++)
    if (param_value(p, i) != params[i].initial)
      used +=
          (size_t)snprintf(text + used, size - used, "%s%s=%ld", used ? "," : "", params[i].name, param_value(p, i));
}

unsigned router_vcs(const router_params_t *p) {
  return (unsigned)(p->NumVCs + p->Tr * p->Classes);
}

unsigned router_vc_class(const router_params_t *p, unsigned vc) {
  return vc >= (unsigned)p->NumVCs ? vc - (unsigned)p->NumVCs : vc / (unsigned)(p->NumVCs / p->Classes);
}

unsigned router_vc_depth(const router_params_t *p, unsigned vc) {
  return router_depth((unsigned)p->NumVCs, (unsigned)p->Classes, (unsigned)p->Tr, (unsigned)p->Depth, vc);
}
