/* SPDX-License-Identifier: Apache-2.0 */
#include "async_copy.h"

#include <string.h>

/* The part of a piece that is not read becomes zeros, as cp.async's src-size says. */
void async_copy_end(const async_copy_t *copy) {
  const unsigned bytes = copy->tile.piece_bytes;
  for (uint32_t m = copy->mask; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    uint8_t *to = copy->shared + copy->to[i];
    memcpy(to, copy->tile.bytes + i * bytes, copy->read[i]);
    memset(to + copy->read[i], 0, bytes - copy->read[i]);
  }
}

/* [to]: register, register width and offset of the destination in shared memory. */
static int decode_destination(simt_decoder_t *d, simt_op_t *op) {
  simt_op_t to = {.space = PTX_SPACE_SHARED};
  if (simt_address_operand(d, &to, &d->in->operand[0])) return -1;
  if (to.space != PTX_SPACE_SHARED || to.imm < INT32_MIN || to.imm > INT32_MAX) return simt_refuse(d, "destination");
  op->d = to.base;
  op->reg_bytes = to.flags & SIMT_ADDR32 ? 4 : 8;
  op->target = (uint32_t)(int32_t)to.imm;
  return 0;
}

/* Operands behind the size: the number of bytes to read, or a predicate that suppresses the
 * read. The policy of .L2::cache_hint changes no result and is ignored. */
static int decode_rest(simt_decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  const unsigned last = in->num_operands - (ptx_has(in, PTX_MOD_L2_cache_hint) ? 1u : 0u);
  if (last < 3 || last > 4) return simt_refuse(d, "form");
  if (last == 3) return 0;
  const ptx_operand_t *o = &in->operand[3];
  const bool predicate = o->kind == PTX_OPND_REG && d->k->func->regs[o->index].type == PTX_PRED;
  if (predicate) op->c = simt_operand(d, o, 1, 1);
  else op->b = simt_operand(d, o, 4, 4);
  if (o->negated) op->flags |= SIMT_NEG_C;
  return 0;
}

/* .ca copies 4, 8 or 16 bytes; .cg, which bypasses the L1, copies 16. */
static int decode_copy(simt_decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  const bool all = ptx_has(in, PTX_MOD_ca), l2 = ptx_has(in, PTX_MOD_cg);
  const bool shared = ptx_has(in, PTX_MOD_shared) || ptx_has(in, PTX_MOD_shared_cta);
  if (all == l2 || !shared || !ptx_has(in, PTX_MOD_global) || in->num_types || in->num_operands < 3)
    return simt_refuse(d, "form");
  const ptx_operand_t *size = &in->operand[2];
  const bool known = size->kind == PTX_OPND_IMM && (size->imm == 16 || (all && (size->imm == 4 || size->imm == 8)));
  if (!known) return simt_refuse(d, l2 ? "a size other than 16" : "a size other than 4, 8 and 16");
  op->kind = SIMT_COPY;
  op->space = PTX_SPACE_GLOBAL;
  op->bytes = (uint8_t)size->imm;
  op->vec = 1;
  if (l2) op->flags |= SIMT_UNCACHED;
  if (decode_destination(d, op)) return -1;
  return simt_address_operand(d, op, &in->operand[1]) ? -1 : decode_rest(d, op);
}

/* Bulk copies and copies that signal an mbarrier are refused. Machines with their own register
 * placement have no load/store unit for copies. */
int async_copy_decode(simt_decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  if (d->placement) return simt_refuse(d, "asynchronous copies");
  if (!ptx_has(in, PTX_MOD_async) || ptx_has(in, PTX_MOD_bulk) || ptx_has(in, PTX_MOD_mbarrier))
    return simt_refuse(d, "copies in bulk, or to an mbarrier");
  const bool commit = ptx_has(in, PTX_MOD_commit_group), group = ptx_has(in, PTX_MOD_wait_group),
             every = ptx_has(in, PTX_MOD_wait_all);
  if (!commit && !group && !every) return decode_copy(d, op);
  op->kind = SIMT_COPIES;
  op->sub = COPIES_AWAIT_ALL;
  if (commit) op->sub = COPIES_COMMIT;
  else if (group) op->sub = COPIES_AWAIT;
  if (in->num_operands != group || in->num_mods != 2) return simt_refuse(d, "form");
  if (!group) return 0;
  const ptx_operand_t *n = &in->operand[0];
  if (n->kind != PTX_OPND_IMM || n->imm < 0 || n->imm > INT32_MAX)
    return simt_refuse(d, "a number of groups that is none");
  op->target = (uint32_t)n->imm;
  return 0;
}
