/* SPDX-License-Identifier: Apache-2.0
 *
 * Decoder of texture and surface instructions. Unsupported forms (cube maps, several samples, mip
 * maps by gradients, depth comparisons, sust.p) are refused with a reason.
 */
#include "texture_decode.h"

/* ---- what they have in common ---------------------------------------------------------------- */

/* Shape of the texture. -1: refused. */
static int decode_shape(simt_decoder_t *d, simt_op_t *op) {
  static const struct {
    ptx_mod_t mod;
    uint8_t shape;
    const char *why;
  } shapes[] = {{PTX_MOD_t1d, 1, NULL},
                {PTX_MOD_t2d, 2, NULL},
                {PTX_MOD_t3d, 3, NULL},
                {PTX_MOD_a1d, 1 | TEXTURE_LAYERED, NULL},
                {PTX_MOD_a2d, 2 | TEXTURE_LAYERED, NULL},
                {PTX_MOD_cube, 0, "cube maps"},
                {PTX_MOD_acube, 0, "cube maps"},
                {PTX_MOD_t2dms, 0, "textures of several samples"},
                {PTX_MOD_a2dms, 0, "textures of several samples"}};
  for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    if (!ptx_has(d->in, shapes[i].mod)) continue;
    op->src_bytes = shapes[i].shape;
    return shapes[i].why ? simt_refuse(d, shapes[i].why) : 0;
  }
  return simt_refuse(d, "a texture or surface without a shape");
}

/* A handle: in a register, of a reference by name, or of a kernel parameter. -1: refused. */
static int decode_handle(simt_decoder_t *d, const ptx_operand_t *o, uint32_t *at) {
  const ptx_var_t *v = o->kind == PTX_OPND_VAR || (o->kind == PTX_OPND_ADDR && o->base == PTX_BASE_VAR)
                           ? &d->k->module->vars[o->index]
                           : NULL;
  if (o->imm || (!v && (o->kind == PTX_OPND_ADDR ? o->base != PTX_BASE_REG : o->kind != PTX_OPND_REG)))
    return simt_refuse(d, "a handle that is computed");
  if (!v) {
    const simt_reg_t *r = &d->k->regs[o->index];
    *at = r->at;
    return r->bytes == 8 ? 0 : simt_refuse(d, "a handle of fewer than 64 bits");
  }
  if (v->num_dims || (v->type != PTX_TEXREF && v->type != PTX_SAMPLERREF && v->type != PTX_SURFREF))
    return simt_refuse(d, "a variable that is no reference");
  if (v->space == PTX_SPACE_PARAM && !d->unit)
    *at = simt_konst_operand(
        d, (simt_konst_t){.kind = SIMT_K_PARAM, .lane_bytes = 8, .bytes = 8, .value = (int64_t)v->offset});
  else if (v->space == PTX_SPACE_GLOBAL) *at = simt_var_operand(d, &(ptx_operand_t){.index = o->index}, 8);
  else return simt_refuse(d, "a reference that is passed to a function");
  return 0;
}

/* Layer and coordinates. PTX ignores coordinates beyond the dimensions. -1: refused. */
static int decode_coordinates(simt_decoder_t *d, const simt_op_t *op, const ptx_operand_t *o, uint32_t *layer,
                              uint32_t *const at[3]) {
  const ptx_operand_t *e = o->kind == PTX_OPND_VEC ? &d->k->func->elements[o->first] : o;
  const unsigned count = o->kind == PTX_OPND_VEC ? o->count : 1, dims = op->src_bytes & TEXTURE_DIMS,
                 layered = op->src_bytes & TEXTURE_LAYERED ? 1 : 0;
  if (count < dims + layered) return simt_refuse(d, "too few coordinates");
  if (layered) *layer = simt_operand(d, &e[0], 4, 4);
  for (unsigned i = 0; i < dims; i++) *at[i] = simt_operand(d, &e[layered + i], 4, 4);
  return 0;
}

/* ---- tex, tld4 ------------------------------------------------------------------------------- */

/* Four words; or four halves, in four registers or two. */
static int decode_results(simt_decoder_t *d, simt_op_t *op) {
  const ptx_operand_t *o = &d->in->operand[0];
  const unsigned type = d->in->type[0], count = type == PTX_F16X2 ? 2 : 4;
  if (o->kind == PTX_OPND_PAIR) return simt_refuse(d, "a predicate of what is resident");
  if (d->in->num_types != 2 || (type != PTX_U32 && type != PTX_S32 && type != PTX_F32 && type != PTX_B32 &&
                                type != PTX_F16 && type != PTX_F16X2))
    return simt_refuse(d, "type of the result");
  if (o->kind != PTX_OPND_VEC || o->count != count) return simt_refuse(d, "number of results");
  for (unsigned i = 0; i < count; i++) op->v[i] = simt_operand(d, &d->k->func->elements[o->first + i], 4, 4);
  op->vec = (uint8_t)count, op->bytes = op->reg_bytes = 4, op->type = (uint8_t)type;
  return 0;
}

/* Level and offsets. Textures have one level, so any level is that one. */
static int decode_level(simt_decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  uint32_t *const offset[3] = {&op->d, &op->e, &op->x};
  const unsigned first = ptx_has(in, PTX_MOD_level) ? 3 : 2, dims = op->src_bytes & TEXTURE_DIMS;
  if (in->num_operands < first) return simt_refuse(d, "form");
  if (in->num_operands == first) return 0;
  const ptx_operand_t *o = &in->operand[first];
  if (in->num_operands > first + 1u || o->kind != PTX_OPND_VEC) return simt_refuse(d, "a depth to compare with");
  if (o->count < dims) return simt_refuse(d, "too few offsets");
  for (unsigned i = 0; i < dims; i++) *offset[i] = simt_operand(d, &d->k->func->elements[o->first + i], 4, 4);
  return 0;
}

/* Channel that tld4 gathers: .r, .g, .b or .a. */
static uint8_t channel_of(const ptx_instr_t *in) {
  static const ptx_mod_t channels[] = {PTX_MOD_NONE, PTX_MOD_g, PTX_MOD_b, PTX_MOD_a};
  for (uint8_t i = 1; i < 4; i++)
    if (ptx_has(in, channels[i])) return i;
  return 0;
}

/* tex and tld4. */
static int decode_fetch(simt_decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  if (ptx_has(in, PTX_MOD_grad)) return simt_refuse(d, "mip maps, by gradients");
  if (decode_shape(d, op) || decode_results(d, op)) return -1;
  if (in->operand[1].kind != PTX_OPND_ADDR || !in->operand[1].count) return simt_refuse(d, "form");
  if (decode_level(d, op)) return -1;
  if (in->type[1] != PTX_S32 && in->type[1] != PTX_F32) return simt_refuse(d, "type of the coordinates");
  if (in->op == PTX_OP_tld4 && ((op->src_bytes & TEXTURE_DIMS) != 2 || in->type[1] != PTX_F32))
    return simt_refuse(d, "form");
  if (in->type[1] == PTX_S32) op->flags |= SIMT_SIGNED;
  op->sub = in->op == PTX_OP_tld4 ? TEXTURE_GATHER : TEXTURE_FETCH;
  op->round = channel_of(in);
  const ptx_operand_t *part = &d->k->func->elements[in->operand[1].first];
  if (in->operand[1].count == 2 && decode_handle(d, part++, &op->c)) return -1;
  op->v[TEXTURE_LAYER] = SIMT_NO_OPERAND;
  return decode_coordinates(d, op, part, &op->v[TEXTURE_LAYER],
                            (uint32_t *const[3]){&op->v[TEXTURE_X], &op->v[TEXTURE_X + 1], &op->v[TEXTURE_X + 2]});
}

/* ---- txq, suq -------------------------------------------------------------------------------- */

/* txq and suq. round becomes the index in `what`, which has the order of texture_query_t. */
static int decode_query(simt_decoder_t *d, simt_op_t *op) {
  static const ptx_mod_t what[] = {PTX_MOD_width,
                                   PTX_MOD_height,
                                   PTX_MOD_depth,
                                   PTX_MOD_array_size,
                                   PTX_MOD_channel_data_type,
                                   PTX_MOD_channel_order,
                                   PTX_MOD_normalized_coords,
                                   PTX_MOD_num_mipmap_levels,
                                   PTX_MOD_num_samples,
                                   PTX_MOD_force_unnormalized_coords,
                                   PTX_MOD_filter_mode,
                                   PTX_MOD_addr_mode_0,
                                   PTX_MOD_addr_mode_1,
                                   PTX_MOD_addr_mode_2,
                                   PTX_MOD_memory_layout};
  const ptx_instr_t *in = d->in;
  op->sub = TEXTURE_QUERY;
  op->vec = 1, op->bytes = op->reg_bytes = 4;
  op->v[0] = simt_operand(d, &in->operand[0], 4, 4);
  while (op->round < sizeof what / sizeof *what && !ptx_has(in, what[op->round])) op->round++;
  return op->round == sizeof what / sizeof *what || in->operand[1].kind != PTX_OPND_ADDR ? simt_refuse(d, "form") : 0;
}

/* OpenCL's number of the channel type (texture_formats.def). */
static uint32_t data_type(const rt_texture_t *t) {
  static const uint32_t whole[] = {
#define TEXEL(name, bytes, kind, number, whole, unit) whole,
#include "texture_formats.def"
#undef TEXEL
  };
  static const uint32_t unit[] = {
#define TEXEL(name, bytes, kind, number, whole, unit) unit,
#include "texture_formats.def"
#undef TEXEL
  };
  return t->unit ? unit[t->format] : whole[t->format];
}

/* PTX numbers wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border from 0. */
static uint32_t address_number(unsigned mode) {
  static const uint8_t number[] = {
      [RT_ADDRESS_WRAP] = 0, [RT_ADDRESS_MIRROR] = 1, [RT_ADDRESS_CLAMP] = 3, [RT_ADDRESS_BORDER] = 4};
  return number[mode];
}

/* OpenCL's numbers of R, RG and RGBA. */
static uint32_t channel_order(unsigned channels) {
  switch (channels) {
  case 1: return 0x10b0;
  case 2: return 0x10b2;
  default: return 0x10b5;
  }
}

uint32_t texture_query(const rt_texture_t *t, texture_query_t what) {
  switch (what) {
  case TEXTURE_WIDTH: return t->width;
  case TEXTURE_HEIGHT: return t->height;
  case TEXTURE_DEPTH: return t->depth;
  case TEXTURE_ARRAY_SIZE: return t->layers;
  case TEXTURE_DATA_TYPE: return data_type(t);
  case TEXTURE_ORDER: return channel_order(t->channels);
  case TEXTURE_NORMALIZED: return t->normalized;
  case TEXTURE_LEVELS:
  case TEXTURE_SAMPLES: return 1;
  case TEXTURE_FILTER: return t->filter;
  case TEXTURE_ADDRESS_0:
  case TEXTURE_ADDRESS_1:
  case TEXTURE_ADDRESS_2: return address_number(t->address[what - TEXTURE_ADDRESS_0]);
  default: return 0;
  }
}

int texture_decode(simt_decoder_t *d, simt_op_t *op) {
  const bool query = d->in->op == PTX_OP_txq || d->in->op == PTX_OP_suq;
  op->kind = SIMT_TEXTURE;
  if (query ? decode_query(d, op) : decode_fetch(d, op)) return -1;
  return decode_handle(d, &d->in->operand[1], &op->base);
}

/* ---- suld, sust ------------------------------------------------------------------------------ */

/* What an access outside of the surface does. */
static uint8_t outside_of(const ptx_instr_t *in) {
  if (ptx_has(in, PTX_MOD_clamp)) return SURFACE_CLAMP;
  return ptx_has(in, PTX_MOD_zero) ? SURFACE_ZERO : SURFACE_TRAP;
}

/* suld.b and sust.b access bytes, without a conversion. */
int surface_decode(simt_decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  const bool store = in->op == PTX_OP_sust;
  const ptx_operand_t *address = &in->operand[store ? 0 : 1];
  const unsigned bytes = in->num_types == 1 ? ptx_type_bytes(in->type[0]) : 0;
  if (!ptx_has(in, PTX_MOD_b)) return simt_refuse(d, "stores of numbers in the surface's format");
  if (decode_shape(d, op)) return -1;
  if (!bytes || bytes > 8 || in->num_operands != 2 || address->kind != PTX_OPND_ADDR || address->count != 1)
    return simt_refuse(d, "form");
  if (simt_data_operands(d, op, &in->operand[store ? 1 : 0], bytes)) return -1;
  if (op->vec != in->vec || bytes * op->vec > TEXTURE_TEXEL_BYTES) return simt_refuse(d, "access size");
  op->kind = store ? SIMT_STORE : SIMT_LOAD;
  op->space = SIMT_SURFACE;
  op->bytes = (uint8_t)bytes;
  op->type = in->type[0];
  op->round = outside_of(in);
  if (decode_handle(d, address, &op->base)) return -1;
  return decode_coordinates(d, op, &d->k->func->elements[address->first], &op->d,
                            (uint32_t *const[3]){&op->a, &op->b, &op->c});
}
