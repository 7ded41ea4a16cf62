/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that a decoded kernel finds at its start: constant operands, once a launch; special
 * registers, once a warp.
 */
#include <string.h>

#include "simt.h"
#include "simt_module.h"

/* An n-byte value, sign- or zero-extended. */
static int64_t little_endian(const uint8_t *bytes, unsigned n, bool sign) {
  uint64_t v = 0;
  memcpy(&v, bytes, n);
  unsigned shift = 64 - 8 * n;
  return sign ? (int64_t)(v << shift) >> shift : (int64_t)v;
}

/* Each constant is broadcast to 32 lanes, or to a whole predicate word. */
void simt_fill_consts(const simt_kernel_t *k, uint8_t *konsts, const uint8_t *params,
                      const simt_variables_t *variables) {
  for (uint32_t i = 0; i < k->num_konsts; i++) {
    const simt_konst_t *c = &k->konsts[i];
    int64_t v = c->value;
    if (c->kind == SIMT_K_PARAM) v = little_endian(params + c->value, c->bytes, c->sign);
    else if (c->kind == SIMT_K_CONST) v = little_endian(variables->const_segment + c->value, c->bytes, c->sign);
    else if (c->kind == SIMT_K_GLOBAL) v += (int64_t)variables->global_base;
    else if (c->kind == SIMT_K_REFERENCE) v = variables->reference ? (int64_t)variables->reference[c->value] : 0;
    if (c->lane_bytes == 8)
      for (unsigned l = 0; l < 32; l++) ((int64_t *)(konsts + c->at))[l] = v;
    else if (c->lane_bytes == 4)
      for (unsigned l = 0; l < 32; l++) ((uint32_t *)(konsts + c->at))[l] = (uint32_t)v;
    else *(uint32_t *)(konsts + c->at) = v ? ~0u : 0;
  }
}

_Static_assert(PTX_SREG_reserved_smem_offset_1 - PTX_SREG_reserved_smem_offset_begin == 4, "a range of ptx_names.def");

bool simt_is_reserved_shared(unsigned sreg) {
  return sreg >= PTX_SREG_reserved_smem_offset_begin && sreg <= PTX_SREG_reserved_smem_offset_1;
}

/* Clock registers are not here: mov reads them when it executes (simt_is_clock). */
bool simt_has_sreg(unsigned sreg) {
  if (simt_is_reserved_shared(sreg)) return true;
  switch (sreg) {
  case PTX_SREG_tid:
  case PTX_SREG_ntid:
  case PTX_SREG_ctaid:
  case PTX_SREG_nctaid:
  case PTX_SREG_laneid:
  case PTX_SREG_warpid:
  case PTX_SREG_nwarpid:
  case PTX_SREG_smid:
  case PTX_SREG_nsmid:
  case PTX_SREG_gridid:
  case PTX_SREG_lanemask_eq:
  case PTX_SREG_lanemask_le:
  case PTX_SREG_lanemask_lt:
  case PTX_SREG_lanemask_ge:
  case PTX_SREG_lanemask_gt:
  case PTX_SREG_clusterid:
  case PTX_SREG_nclusterid:
  case PTX_SREG_cluster_ctaid:
  case PTX_SREG_cluster_nctaid:
  case PTX_SREG_cluster_ctarank:
  case PTX_SREG_cluster_nctarank:
  case PTX_SREG_total_smem_size:
  case PTX_SREG_dynamic_smem_size:
  case PTX_SREG_envreg: return true;
  default: return false;
  }
}

/* %envreg1 and %envreg2: the halves of the workspace's address, as a CUDA driver sets them. Others
 * are 0. */
static uint32_t environment_register(unsigned number, uint64_t workspace) {
  if (number == 1) return (uint32_t)(workspace >> 32);
  return number == 2 ? (uint32_t)workspace : 0;
}

/* Value of a 32-bit special register for a lane. Each CTA is a cluster of its own. */
static uint32_t sreg_value(const simt_sreg_t *s, const simt_place_t *p, unsigned lane) {
  uint32_t thread = p->first_thread + lane, dims = s->sel < 3 ? s->sel : 3;
  const uint32_t reserved = (uint32_t)simt_reserved_at(p->total_shared);
  switch (s->sreg) {
  case PTX_SREG_tid:
    if (dims == 0) return thread % p->ntid[0];
    if (dims == 1) return thread / p->ntid[0] % p->ntid[1];
    return dims == 2 ? thread / p->ntid[0] / p->ntid[1] : 0;
  case PTX_SREG_ntid: return dims < 3 ? p->ntid[dims] : 0;
  case PTX_SREG_clusterid: /* each CTA is a cluster of its own */
  case PTX_SREG_ctaid: return dims < 3 ? p->ctaid[dims] : 0;
  case PTX_SREG_nclusterid:
  case PTX_SREG_nctaid: return dims < 3 ? p->nctaid[dims] : 0;
  case PTX_SREG_cluster_nctaid: return dims < 3;
  case PTX_SREG_cluster_nctarank: return 1;
  case PTX_SREG_laneid: return lane;
  case PTX_SREG_warpid: return p->warpid;
  case PTX_SREG_nwarpid: return p->nwarpid;
  case PTX_SREG_smid: return p->smid;
  case PTX_SREG_nsmid: return p->nsmid;
  case PTX_SREG_lanemask_eq: return 1u << lane;
  case PTX_SREG_lanemask_lt: return (1u << lane) - 1;
  case PTX_SREG_lanemask_le: return (2u << lane) - 1;
  case PTX_SREG_lanemask_ge: return ~((1u << lane) - 1);
  case PTX_SREG_lanemask_gt: return ~((2u << lane) - 1);
  case PTX_SREG_total_smem_size: return p->total_shared;
  case PTX_SREG_dynamic_smem_size: return p->dynamic_shared;
  case PTX_SREG_reserved_smem_offset_begin:
  case PTX_SREG_reserved_smem_offset_0:
  case PTX_SREG_reserved_smem_offset_1: return reserved;
  case PTX_SREG_reserved_smem_offset_end:
  case PTX_SREG_reserved_smem_offset_cap: return reserved + SIMT_RESERVED_SHARED;
  case PTX_SREG_envreg: return environment_register(s->sel, p->workspace);
  /* cluster_ctaid, cluster_ctarank */
  default: return 0;
  }
}

/* Only some registers differ between lanes. %gridid has 64 bits. */
void simt_fill_sregs(const simt_kernel_t *k, uint8_t *regs, const simt_place_t *place) {
  for (uint32_t i = 0; i < k->num_sregs; i++) {
    const simt_sreg_t *s = &k->sregs[i];
    uint32_t *to = (uint32_t *)(regs + s->at), first = sreg_value(s, place, 0);
    bool by_lane = s->sreg == PTX_SREG_tid || s->sreg == PTX_SREG_laneid ||
                   (s->sreg >= PTX_SREG_lanemask_eq && s->sreg <= PTX_SREG_lanemask_gt);
    for (unsigned lane = 0; lane < 32; lane++) {
      if (s->sreg == PTX_SREG_gridid) ((uint64_t *)(regs + s->at))[lane] = place->gridid;
      else to[lane] = by_lane ? sreg_value(s, place, lane) : first;
    }
  }
}
