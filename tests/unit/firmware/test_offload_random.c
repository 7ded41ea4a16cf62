/* SPDX-License-Identifier: Apache-2.0
 *
 * Offloading changes no result. One thread executes random straight-line kernels twice: as they
 * stand, and partitioned as the offload compiler says, with its NSU code. Memory must end the same.
 *
 * The PTX side is a small interpreter of its own. The NSU side executes encoded instructions with
 * the arithmetic of the golden model. In the partitioned run the GPU does all reads while it walks
 * through the block and all writes happen after it, as far apart as the machine can take them. Each
 * second kernel uses binary64.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nsu_alu.h"
#include "nsu_fp64.h"
#include "nsu_isa.h"
#include "offload.h"
#include "program_text.h"
#include "unit_test.h"

enum { MEMORY = 1024, BASE = 0x1000, DUMP = 512, MAX_REGS = 128 };

/* ---- Programs -------------------------------------------------------------------------------- */

typedef struct {
  program_text_t out;
  bool fp64;
} program_t;

/* Perhaps a guard, in one of six cases. */
static void say_guard(program_t *p) {
  if (pick(&p->out, 6) == 0) say(&p->out, "@%s%%p%u ", pick(&p->out, 2) ? "!" : "", pick(&p->out, 3));
}

/* A base register and an offset that is a multiple of `size`, below 256. */
static void say_address(program_t *p, unsigned size) {
  unsigned offset = pick(&p->out, 32) * 8 + (size < 8 ? pick(&p->out, 8 / size) * size : 0);
  say(&p->out, "[%%a%u+%u]", pick(&p->out, 3), offset);
}

/* A load of one of the widths that the compiler splits or widens in its own way. */
static void say_load(program_t *p) {
  say_guard(p);
  static const char *const narrow[] = {"u8", "s8", "b8", "u16", "s16", "u32", "s32", "b32"};
  static const unsigned bytes[] = {1, 1, 1, 2, 2, 4, 4, 4};
  unsigned type = pick(&p->out, 8);
  switch (pick(&p->out, 10)) {
  case 8: say(&p->out, "ld.global.%s %%d%u, ", narrow[type], pick(&p->out, 3)), say_address(p, bytes[type]); break;
  case 9: say(&p->out, "ld.global.%s %%r%u, ", narrow[type], pick(&p->out, 6)), say_address(p, bytes[type]); break;
  case 0: say(&p->out, "ld.global.u8 %%h%u, ", pick(&p->out, 3)), say_address(p, 1); break;
  case 1: say(&p->out, "ld.global.s16 %%h%u, ", pick(&p->out, 3)), say_address(p, 2); break;
  case 2: say(&p->out, "ld.global.u64 %%d%u, ", pick(&p->out, 3)), say_address(p, 8); break;
  case 3:
    say(&p->out, "ld.global.v2.u32 {%%r%u, %%r%u}, ", pick(&p->out, 3), 3 + pick(&p->out, 3)), say_address(p, 8);
    break;
  default: say(&p->out, "ld.global.u32 %%r%u, ", pick(&p->out, 6)), say_address(p, 4); break;
  }
  say(&p->out, ";\n");
}

/* A store of 1, 4 or 8 bytes, or of two words. */
static void say_store(program_t *p) {
  say_guard(p);
  say(&p->out, "st.global.");
  switch (pick(&p->out, 6)) {
  case 0: say(&p->out, "u8 "), say_address(p, 1), say(&p->out, ", %%h%u;\n", pick(&p->out, 3)); break;
  case 1: say(&p->out, "u64 "), say_address(p, 8), say(&p->out, ", %%d%u;\n", pick(&p->out, 3)); break;
  case 2:
    say(&p->out, "v2.u32 "), say_address(p, 8), say(&p->out, ", {%%r%u, %%r%u};\n", pick(&p->out, 6), pick(&p->out, 6));
    break;
  default: say(&p->out, "u32 "), say_address(p, 4), say(&p->out, ", %%r%u;\n", pick(&p->out, 6)); break;
  }
}

/* A register, or in one of four cases a constant from -100 to 99. */
static void say_operand(program_t *p) {
  if (pick(&p->out, 4)) say(&p->out, "%%r%u", pick(&p->out, 6));
  else say(&p->out, "%d", (int)pick(&p->out, 200) - 100);
}

#define LENGTH(array) (unsigned)(sizeof(array) / sizeof *(array))

/* With .ftz or without. */
static const char *random_ftz(program_t *p) {
  return pick(&p->out, 2) ? ".ftz" : "";
}

/* Arithmetic of 64 bits, with registers and with constants: 0.3, -2 and the least normal number. */
static void say_double(program_t *p) {
  static const char *const binary[] = {"add.f64", "sub.rn.f64", "mul.f64"};
  static const char *const numbers[] = {"0d3FD3333333333333", "0dC000000000000000", "0d0010000000000000"};
  say_guard(p);
  switch (pick(&p->out, 6)) {
  case 0:
    say(&p->out, "fma.rn.f64 %%d%u, %%d%u, %%d%u, %%d%u;\n", pick(&p->out, 3), pick(&p->out, 3), pick(&p->out, 3),
        pick(&p->out, 3));
    break;
  case 1: say(&p->out, "cvt%s.f64.f32 %%d%u, %%r%u;\n", random_ftz(p), pick(&p->out, 3), pick(&p->out, 6)); break;
  case 2: say(&p->out, "cvt.rn%s.f32.f64 %%r%u, %%d%u;\n", random_ftz(p), pick(&p->out, 6), pick(&p->out, 3)); break;
  case 3:
    say(&p->out, "%s.f64 %%d%u, %%d%u;\n", pick(&p->out, 2) ? "neg" : "abs", pick(&p->out, 3), pick(&p->out, 3));
    break;
  case 4:
    say(&p->out, "%s %%d%u, %%d%u, %s;\n", binary[pick(&p->out, 3)], pick(&p->out, 3), pick(&p->out, 3),
        numbers[pick(&p->out, 3)]);
    break;
  default:
    say(&p->out, "%s %%d%u, %%d%u, %%d%u;\n", binary[pick(&p->out, 3)], pick(&p->out, 3), pick(&p->out, 3),
        pick(&p->out, 3));
    break;
  }
}

/* Arithmetic of 32 bits: each opcode that a block may have. */
static void say_arithmetic(program_t *p) {
  static const char *const binary[] = {"add.s32", "sub.s32",     "mul.lo.s32",  "mul.hi.u32", "and.b32",
                                       "or.b32",  "xor.b32",     "min.s32",     "max.u32",    "shl.b32",
                                       "shr.u32", "shr.s32",     "add.f32",     "sub.f32",    "mul.f32",
                                       "div.u32", "add.ftz.f32", "sub.ftz.f32", "mul.ftz.f32"};
  static const char *const compares[] = {"lt.s32",  "eq.s32", "hi.u32",      "ge.s32",
                                         "ltu.f32", "gt.f32", "ltu.ftz.f32", "gt.ftz.f32"};
  static const char *const unary[] = {
      "not.b32", "neg.s32",     "abs.s32",     "cvt.rn.f32.s32",  "cvt.s32.s8",          "cvt.u32.u16",
      "mov.u32", "neg.ftz.f32", "abs.ftz.f32", "cvt.ftz.f32.f32", "cvt.rmi.ftz.s32.f32", "cvt.rn.ftz.f32.s32"};
  say_guard(p);
  switch (pick(&p->out, 12)) {
  case 0:
    say(&p->out, "setp.%s %%p%u, %%r%u, %%r%u;\n", compares[pick(&p->out, LENGTH(compares))], pick(&p->out, 3),
        pick(&p->out, 6), pick(&p->out, 6));
    break;
  case 1:
    say(&p->out, "selp.b32 %%r%u, ", pick(&p->out, 6)), say_operand(p), say(&p->out, ", "), say_operand(p),
        say(&p->out, ", %%p%u;\n", pick(&p->out, 3));
    break;
  case 2:
    say(&p->out, "mad.lo.s32 %%r%u, ", pick(&p->out, 6)), say_operand(p), say(&p->out, ", "), say_operand(p),
        say(&p->out, ", "), say_operand(p), say(&p->out, ";\n");
    break;
  case 3:
    say(&p->out, "fma.rn%s.f32 %%r%u, %%r%u, %%r%u, %%r%u;\n", random_ftz(p), pick(&p->out, 6), pick(&p->out, 6),
        pick(&p->out, 6), pick(&p->out, 6));
    break;
  case 4:
    say(&p->out, "%s %%r%u, %%r%u;\n", unary[pick(&p->out, LENGTH(unary))], pick(&p->out, 6), pick(&p->out, 6));
    break;
  case 5: say(&p->out, "xor.b64 %%d%u, %%d%u, %%d%u;\n", pick(&p->out, 3), pick(&p->out, 3), pick(&p->out, 3)); break;
  case 6:
    say(&p->out, pick(&p->out, 2) ? "cvt.s64.s32 %%d%u, %%r%u;\n" : "mov.b64 %%d%u, {%%r%u, %%r0};\n", pick(&p->out, 3),
        pick(&p->out, 6));
    break;
  case 7: say(&p->out, "cvt.u32.u64 %%r%u, %%d%u;\n", pick(&p->out, 6), pick(&p->out, 3)); break;
  case 8: say(&p->out, "cvt.u32.u16 %%r%u, %%h%u;\n", pick(&p->out, 6), pick(&p->out, 3)); break;
  case 9:
    say(&p->out, "setp.ne.and.s32 %%p%u, %%r%u, %d, !%%p%u;\n", pick(&p->out, 3), pick(&p->out, 6),
        (int)pick(&p->out, 9), pick(&p->out, 3));
    break;
  default:
    say(&p->out, "%s %%r%u, ", binary[pick(&p->out, LENGTH(binary))], pick(&p->out, 6)), say_operand(p),
        say(&p->out, ", "), say_operand(p), say(&p->out, ";\n");
    break;
  }
}

/* A new pointer %a<k>: the base plus at most 248, from a constant or from a register. */
static void say_pointer(program_t *p) {
  if (pick(&p->out, 2)) say(&p->out, "add.s64 %%a%u, %%base, %u;\n", pick(&p->out, 3), 8 * pick(&p->out, 16));
  else
    say(&p->out, "and.b32 %%r6, %%r%u, 248; cvt.u64.u32 %%d3, %%r6; add.s64 %%a%u, %%base, %%d3;\n", pick(&p->out, 6),
        pick(&p->out, 3));
}

/* A kernel of 5 to 34 random pieces. Its head gives each register a value, and its tail stores
 * all of them behind the bytes that the pieces use. */
static void make_program(program_t *p, uint64_t seed) {
  p->out.used = 0;
  p->out.seed = seed;
  p->fp64 = seed % 2;
  say(&p->out,
      ".version 6.0\n.target sm_35\n.address_size 64\n"
      ".visible .entry k(.param .u64 k_base, .param .u32 k_n)\n{\n"
      ".reg .pred %%p<3>; .reg .b16 %%h<3>; .reg .b32 %%r<8>; .reg .b64 %%d<4>; .reg .b64 %%a<3>; .reg .b64 %%base;\n"
      "ld.param.u64 %%base, [k_base];\nld.param.u32 %%r7, [k_n];\nmov.u64 %%a0, %%base;\n"
      "mov.u64 %%a1, %%base;\nadd.s64 %%a2, %%base, 64;\n");
  for (unsigned i = 0; i < 6; i++) say(&p->out, "mov.u32 %%r%u, %u;\n", i, pick(&p->out, 1u << 30));
  for (unsigned i = 0; i < 3; i++)
    say(&p->out, "setp.lt.u32 %%p%u, %%r%u, 400000000;\ncvt.u16.u32 %%h%u, %%r%u;\ncvt.u64.u32 %%d%u, %%r%u;\n", i, i,
        i, i, i, i);
  say(&p->out, "bra L;\nL:\n");
  for (unsigned i = 0, n = 5 + pick(&p->out, 30); i < n; i++) {
    unsigned what = pick(&p->out, 10);
    if (what < 3) say_load(p);
    else if (what < 5) say_store(p);
    else if (p->fp64 && what < 8) say_double(p);
    else if (what < 9) say_arithmetic(p);
    else say_pointer(p);
  }
  if (pick(&p->out, 3) == 0) say(&p->out, "add.u32 %%r1, %%r1, %%r7;\n");
  say(&p->out, "bra DONE;\nDONE:\n");
  for (unsigned i = 0; i < 6; i++) say(&p->out, "st.global.u32 [%%base+%u], %%r%u;\n", DUMP + 4 * i, i);
  for (unsigned i = 0; i < 3; i++)
    say(&p->out,
        "st.global.u64 [%%base+%u], %%d%u;\nst.global.u16 [%%base+%u], %%h%u;\nselp.u32 %%r6, 1, 0, %%p%u;\n"
        "st.global.u32 [%%base+%u], %%r6;\n",
        DUMP + 64 + 8 * i, i, DUMP + 96 + 2 * i, i, i, DUMP + 112 + 4 * i);
  for (unsigned i = 0; i < 3; i++) say(&p->out, "st.global.u64 [%%base+%u], %%a%u;\n", DUMP + 128 + 8 * i, i);
  say(&p->out, "ret;\n}\n");
}

/* ---- PTX, one thread ------------------------------------------------------------------------- */

typedef struct {
  const ptx_module_t *module;
  const ptx_func_t *f;
  uint64_t reg[MAX_REGS];
  uint8_t memory[MEMORY];
  uint8_t params[16];
} thread_t;

/* Ones in so many bytes. */
static uint64_t width_mask(unsigned bytes) {
  return bytes >= 8 ? UINT64_MAX : (UINT64_C(1) << (8 * bytes)) - 1;
}

/* A register keeps as many bytes as its type has, a predicate one bit. */
static void set_reg(thread_t *t, int32_t reg, uint64_t value) {
  assert_true(reg >= 0 && reg < MAX_REGS);
  unsigned bytes = ptx_type_bytes(t->f->regs[reg].type);
  t->reg[reg] = t->f->regs[reg].type == PTX_PRED ? value & 1 : value & width_mask(bytes);
}

/* A register's value, a predicate's inverted if it is negated, or a constant. */
static uint64_t operand_value(const thread_t *t, const ptx_operand_t *o) {
  if (o->kind == PTX_OPND_REG) return o->negated ? !t->reg[o->index] : t->reg[o->index];
  assert_true(o->kind == PTX_OPND_IMM || o->kind == PTX_OPND_FLOAT);
  return (uint64_t)o->imm;
}

/* Does the guard let this instruction write? */
static bool enabled(const thread_t *t, const ptx_instr_t *in) {
  return !in->guarded || (t->reg[in->guard] != 0) != in->guard_negated;
}

/* Where the access goes in the thread's memory. An address outside of it fails the test. */
static uint8_t *operand_place(thread_t *t, const ptx_instr_t *in, unsigned slot) {
  const ptx_operand_t *o = &in->operand[slot];
  uint64_t at = t->reg[o->index] + (uint64_t)o->imm - BASE;
  assert_true(at + ptx_access_bytes(in) <= MEMORY);
  return t->memory + at;
}

/* Element k of a vector; a single operand is its own element. */
static const ptx_operand_t *vector_element(const thread_t *t, const ptx_operand_t *o, unsigned k) {
  return o->kind == PTX_OPND_VEC ? &t->f->elements[o->first + k] : o;
}

/* The number of these bits. */
static float as_float(uint64_t bits) {
  float f;
  uint32_t b = (uint32_t)bits;
  memcpy(&f, &b, 4);
  return f;
}

/* The bits of a number; each NaN is the one that PTX gives. */
static uint32_t as_bits(float f) {
  uint32_t b;
  memcpy(&b, &f, 4);
  return isnan(f) ? 0x7fffffff : b;
}

/* .ftz: of an operand or a result of this type */
static uint64_t flushed(const ptx_instr_t *in, unsigned type, uint64_t bits) {
  const bool flushes = ptx_has(in, PTX_MOD_ftz) && type == PTX_F32 && fabsf(as_float(bits)) < FLT_MIN;
  return flushes ? bits & UINT32_C(0x80000000) : bits;
}

/* The number of these bits. */
static double as_double(uint64_t bits) {
  double d;
  memcpy(&d, &bits, 8);
  return d;
}

/* The bits of a number; each NaN is the NSU's. */
static uint64_t double_bits(double d) {
  uint64_t b;
  memcpy(&b, &d, 8);
  return isnan(d) ? NSU_NAN64 : b;
}

/* The host's double arithmetic, with the NSU's NaN. */
static uint64_t binary64(const ptx_instr_t *in, uint64_t a, uint64_t b, uint64_t c) {
  switch (in->op) {
  case PTX_OP_add: return double_bits(as_double(a) + as_double(b));
  case PTX_OP_sub: return double_bits(as_double(a) - as_double(b));
  case PTX_OP_mul: return double_bits(as_double(a) * as_double(b));
  case PTX_OP_fma: return double_bits(fma(as_double(a), as_double(b), as_double(c)));
  case PTX_OP_neg: return a ^ UINT64_C(1) << 63;
  case PTX_OP_abs: return a & ~(UINT64_C(1) << 63);
  default: fail(); return 0;
  }
}

/* Comparisons of PTX. Those with `u` hold for NaN, the others do not. */
static bool compare_values(unsigned cmp, ptx_type_t type, uint64_t a, uint64_t b) {
  int32_t s = (int32_t)a, r = (int32_t)b;
  float x = as_float(a), y = as_float(b);
  bool f = type == PTX_F32;
  switch (cmp) {
  case PTX_MOD_lt: return s < r;
  case PTX_MOD_eq: return s == r;
  case PTX_MOD_ne: return s != r;
  case PTX_MOD_ge: return s >= r;
  case PTX_MOD_hi: return (uint32_t)a > (uint32_t)b;
  case PTX_MOD_gt: return f ? x > y : s > r;
  case PTX_MOD_ltu: return !(x >= y);
  default: fail(); return false;
  }
}

/* Shifts by more than 31 give 0, or the sign. */
static uint32_t shift(const ptx_instr_t *in, uint32_t a, uint32_t n) {
  if (in->op == PTX_OP_shl) return n > 31 ? 0 : a << n;
  if (in->type[0] == PTX_S32) return (uint32_t)((int32_t)a >> (n > 31 ? 31 : n));
  return n > 31 ? 0 : a >> n;
}

/* The host's arithmetic of 32 bits. Division by 0 gives all ones. */
static uint32_t arithmetic(const ptx_instr_t *in, uint32_t a, uint32_t b, uint32_t c) {
  bool f = in->type[0] == PTX_F32;
  switch (in->op) {
  case PTX_OP_add: return f ? as_bits(as_float(a) + as_float(b)) : a + b;
  case PTX_OP_sub: return f ? as_bits(as_float(a) - as_float(b)) : a - b;
  case PTX_OP_mul:
    if (f) return as_bits(as_float(a) * as_float(b));
    return ptx_has(in, PTX_MOD_hi) ? (uint32_t)((uint64_t)a * b >> 32) : a * b;
  case PTX_OP_div: return b ? a / b : UINT32_MAX;
  case PTX_OP_mad: return a * b + c;
  case PTX_OP_fma: return as_bits(fmaf(as_float(a), as_float(b), as_float(c)));
  case PTX_OP_and: return a & b;
  case PTX_OP_or: return a | b;
  case PTX_OP_xor: return a ^ b;
  case PTX_OP_min: return (int32_t)a < (int32_t)b ? a : b;
  case PTX_OP_max: return a > b ? a : b;
  case PTX_OP_shl:
  case PTX_OP_shr: return shift(in, a, b);
  case PTX_OP_not: return ~a;
  case PTX_OP_neg: return f ? as_bits(-as_float(a)) : 0 - a;
  case PTX_OP_abs:
    if (f) return as_bits(fabsf(as_float(a)));
    return (int32_t)a < 0 ? 0 - a : a;
  default: fail(); return 0;
  }
}

/* cvt.rmi.s32.f32: NaN gives 0, and numbers beyond the range give its end. */
static uint32_t floor_of(float x) {
  const float below = floorf(x);
  if (isnan(x)) return 0;
  if (below >= 0x1p31f) return INT32_MAX;
  return below < -0x1p31f ? (uint32_t)INT32_MIN : (uint32_t)(int32_t)below;
}

/* cvt between the types that say_arithmetic() and say_double() use. */
static uint64_t convert(const ptx_instr_t *in, uint64_t a) {
  unsigned to = in->type[0], from = in->type[1];
  if (to == PTX_F32 && from == PTX_F32) return as_bits(as_float(a));
  if (from == PTX_F32 && to == PTX_S32) return floor_of(as_float(a));
  if (to == PTX_F64) return double_bits((double)as_float(a));
  if (from == PTX_F64) return as_bits((float)as_double(a));
  if (to == PTX_F32) return as_bits((float)(int32_t)a);
  if (from == PTX_S8) return (uint64_t)(int64_t)(int8_t)a;
  if (from == PTX_S32) return (uint64_t)(int64_t)(int32_t)a;
  return a & width_mask(ptx_type_bytes((ptx_type_t)from));
}

/* A load of a parameter or of memory, sign-extended if the type has a sign. */
static void execute_load(thread_t *t, const ptx_instr_t *in) {
  unsigned bytes = ptx_type_bytes((ptx_type_t)in->type[0]);
  const uint8_t *at =
      in->space == PTX_SPACE_PARAM ? t->params + t->module->vars[in->operand[1].index].offset : operand_place(t, in, 1);
  for (unsigned k = 0; k < in->vec; k++) {
    uint64_t value = 0;
    memcpy(&value, at + k * bytes, bytes);
    if (ptx_type_kind((ptx_type_t)in->type[0]) == 'S')
      value = (uint64_t)((int64_t)(value << (64 - 8 * bytes)) >> (64 - 8 * bytes));
    set_reg(t, vector_element(t, &in->operand[0], k)->index, value);
  }
}

/* A store of each element, one behind the other. */
static void execute_store(thread_t *t, const ptx_instr_t *in) {
  unsigned bytes = ptx_type_bytes((ptx_type_t)in->type[0]);
  for (unsigned k = 0; k < in->vec; k++) {
    uint64_t value = operand_value(t, vector_element(t, &in->operand[1], k));
    memcpy(operand_place(t, in, 0) + k * bytes, &value, bytes);
  }
}

/* One instruction of PTX under its guard. Branches go to the next instruction in these kernels. */
static void execute_instr(thread_t *t, const ptx_instr_t *in) {
  uint64_t v[4] = {0};
  int32_t d = in->operand[0].index;
  if (!enabled(t, in) || in->op == PTX_OP_bra || in->op == PTX_OP_ret) return;
  if (in->op == PTX_OP_ld || in->op == PTX_OP_st) {
    in->op == PTX_OP_ld ? execute_load(t, in) : execute_store(t, in);
    return;
  }
  if (in->operand[1].kind == PTX_OPND_VEC) {
    const ptx_operand_t *e = &t->f->elements[in->operand[1].first];
    set_reg(t, d, (operand_value(t, &e[0]) & UINT32_MAX) | operand_value(t, &e[1]) << 32);
    return;
  }
  const unsigned type = in->type[0];
  for (unsigned k = 1; k < in->num_operands; k++)
    v[k] = flushed(in, in->op == PTX_OP_cvt ? in->type[1] : type, operand_value(t, &in->operand[k]));
  switch (in->op) {
  case PTX_OP_setp:
    set_reg(t, d, compare_values(in->mod[0], (ptx_type_t)in->type[0], v[1], v[2]) && (in->num_operands < 4 || v[3]));
    break;
  case PTX_OP_selp: set_reg(t, d, v[3] ? v[1] : v[2]); break;
  case PTX_OP_mov: set_reg(t, d, v[1]); break;
  case PTX_OP_cvt: set_reg(t, d, flushed(in, type, convert(in, v[1]))); break;
  default:
    if (type == PTX_F64) set_reg(t, d, binary64(in, v[1], v[2], v[3]));
    else if (ptx_type_bytes((ptx_type_t)type) == 8) set_reg(t, d, in->op == PTX_OP_xor ? v[1] ^ v[2] : v[1] + v[2]);
    else set_reg(t, d, flushed(in, type, arithmetic(in, (uint32_t)v[1], (uint32_t)v[2], (uint32_t)v[3])));
  }
}

/* ---- The NSU, one thread --------------------------------------------------------------------- */

typedef struct {
  bool active;
  uint8_t bytes;
  uint8_t *place; /* store */
  uint32_t word;  /* load, right-aligned */
} access_t;

typedef struct {
  uint32_t f[ISA_NUM_REGS];
  access_t access[64];
  uint32_t next;
  thread_t *t;
} nsu_t;

static uint32_t doubles; /* instructions on pairs */

/* The next load of the block, extended as its opcode says. */
static void nsu_load(nsu_t *n, uint64_t w) {
  const access_t *a = &n->access[n->next++];
  uint32_t *d = &n->f[isa_rd(w)];
  if (!a->active) return;
  switch (isa_opcode(w)) {
  case OP_LD_U8: *d = (uint8_t)a->word; break;
  case OP_LD_S8: *d = (uint32_t)(int8_t)a->word; break;
  case OP_LD_U16: *d = (uint16_t)a->word; break;
  case OP_LD_S16: *d = (uint32_t)(int16_t)a->word; break;
  default: *d = a->word;
  }
}

/* A register, or two as 64 bits; a pair starts at an even number. */
static uint64_t get_pair(const nsu_t *n, unsigned reg, bool pair) {
  assert_true(!pair || reg % 2 == 0);
  return n->f[reg] | (pair ? (uint64_t)n->f[reg + 1] << 32 : 0);
}

/* An instruction with operands of 64 bits, which are pairs of registers. */
static void nsu_double(nsu_t *n, uint64_t w, bool on) {
  const unsigned pairs = isa_pairs(isa_opcode(w));
  uint64_t d = nsu_fp64(isa_opcode(w), get_pair(n, isa_ra(w), pairs & ISA_PAIR_A),
                        get_pair(n, isa_rb(w), pairs & ISA_PAIR_B), get_pair(n, isa_rc(w), pairs & ISA_PAIR_C));
  assert_true(!(pairs & ISA_PAIR_D) || isa_rd(w) % 2 == 0);
  doubles++;
  if (!on) return;
  n->f[isa_rd(w)] = (uint32_t)d;
  if (pairs & ISA_PAIR_D) n->f[isa_rd(w) + 1] = (uint32_t)(d >> 32);
}

/* One instruction of the NSU's code. Loads and stores take the accesses in their order. */
static void nsu_step(nsu_t *n, uint64_t w) {
  const isa_op_t *op = isa_op(isa_opcode(w));
  bool on = !isa_guard(w) || (n->f[isa_rg(w)] != 0) != isa_ginv(w);
  if (isa_pairs(isa_opcode(w))) {
    nsu_double(n, w, on);
    return;
  }
  assert_non_null(op);
  switch (op->kind) {
  case ISA_LD: nsu_load(n, w); break;
  case ISA_ST: {
    const access_t *a = &n->access[n->next++];
    if (a->active) memcpy(a->place, &n->f[isa_ra(w)], a->bytes);
    break;
  }
  case ISA_LDC: memcpy(&n->f[isa_rd(w)], n->t->params + isa_imm(w), 4); break;
  case ISA_ALU: {
    uint32_t b = isa_immb(w) ? isa_imm(w) : n->f[isa_rb(w)];
    uint32_t d = nsu_alu(isa_opcode(w), n->f[isa_ra(w)], b, n->f[isa_rc(w)]);
    if (on) n->f[isa_rd(w)] = d;
    break;
  }
  default: fail();
  }
}

/* What the GPU does with a load or store of a block: a packet for each word, numbered from
 * `seq`. */
static void send_words(nsu_t *n, thread_t *t, const ptx_instr_t *in, unsigned seq) {
  offload_access_t access = offload_access(in);
  bool is_load = in->op == PTX_OP_ld, on = enabled(t, in);
  for (unsigned k = 0; k < access.words; k++) {
    access_t *a = &n->access[seq + k];
    *a = (access_t){.active = on, .bytes = access.word_bytes};
    if (!on) continue;
    a->place = operand_place(t, in, is_load) + k * access.word_bytes;
    if (is_load) memcpy(&a->word, a->place, a->bytes);
  }
}

/* One block: sends its registers, walks through it as the GPU, executes the NSU's code, takes
 * the returned registers. Both instructions at its ends must name the registers that the plan
 * names. */
static void run_block(thread_t *t, const offload_block_t *b) {
  static nsu_t n;
  memset(&n, 0xa5, sizeof n);
  n.next = 0;
  n.t = t;
  assert_int_equal(isa_opcode(b->nsu[0]), OP_OFLD_BEG);
  assert_int_equal(isa_imm(b->nsu[0]) >> 28, b->num_sent);
  for (uint32_t s = 0; s < b->num_sent; s++) {
    assert_int_equal(isa_imm(b->nsu[0]) >> (4 * s) & 15, b->sent[s].nsu_reg);
    n.f[b->sent[s].nsu_reg] = (uint32_t)(t->reg[b->sent[s].reg] >> (32 * b->sent[s].half));
  }
  for (uint32_t i = b->first; i <= b->last; i++) {
    const ptx_instr_t *in = &t->f->instrs[i];
    unsigned role = b->role[i - b->first];
    if (role == OFFLOAD_GPU || role == OFFLOAD_BOTH) execute_instr(t, in);
    if (role == OFFLOAD_LOAD || role == OFFLOAD_STORE) send_words(&n, t, in, b->seq[i - b->first]);
  }
  for (uint32_t i = 1; i + 1 < b->num_nsu; i++) nsu_step(&n, b->nsu[i]);
  assert_int_equal(n.next, b->num_loads + b->num_stores);
  uint64_t end = b->nsu[b->num_nsu - 1];
  assert_int_equal(isa_imm(end) >> 28, b->num_returned);
  for (uint32_t r = 0; r < b->num_returned; r++) {
    const offload_reg_t *reg = &b->returned[r];
    uint64_t word = n.f[isa_imm(end) >> (4 * r) & 15], old = t->reg[reg->reg];
    bool pred = t->f->regs[reg->reg].type == PTX_PRED;
    if (pred) set_reg(t, reg->reg, word != 0);
    else if (reg->half) set_reg(t, reg->reg, (old & UINT32_MAX) | word << 32);
    else set_reg(t, reg->reg, (old & ~(uint64_t)UINT32_MAX) | word);
  }
}

/* A load of the block reads bytes that an earlier store of it writes. Finds out on a copy of the
 * thread. */
static bool overlaps(const thread_t *before, const offload_block_t *b) {
  static thread_t t;
  const uint8_t *place[1024] = {0};
  t = *before;
  for (uint32_t i = b->first; b->num_pairs && i <= b->first + b->pairs[b->num_pairs - 1].load; i++) {
    const ptx_instr_t *in = &t.f->instrs[i];
    unsigned role = b->role[i - b->first];
    if (role == OFFLOAD_GPU || role == OFFLOAD_BOTH) execute_instr(&t, in);
    if ((role == OFFLOAD_LOAD || role == OFFLOAD_STORE) && enabled(&t, in))
      place[i - b->first] = operand_place(&t, in, role == OFFLOAD_LOAD);
  }
  for (uint32_t p = 0; p < b->num_pairs; p++) {
    const uint8_t *st = place[b->pairs[p].store], *ld = place[b->pairs[p].load];
    if (st && ld && st < ld + ptx_access_bytes(&t.f->instrs[b->first + b->pairs[p].load]) &&
        ld < st + ptx_access_bytes(&t.f->instrs[b->first + b->pairs[p].store]))
      return true;
  }
  return false;
}

static uint32_t kept, looked; /* block instances that were looked at, and that stayed on the GPU */

/* The GPU's decision on a block: it stays if its accesses overlap. */
static bool goes_to_nsu(const thread_t *t, const offload_block_t *b) {
  bool stays = overlaps(t, b);
  looked += b->num_pairs > 0;
  kept += stays;
  return !stays;
}

/* The whole kernel, with the blocks of k, or without blocks if k is NULL. */
static void run_thread(thread_t *t, const offload_kernel_t *k) {
  uint32_t stay = 0; /* instructions below are executed as always */
  for (uint32_t i = 0; i < t->f->num_instrs; i++) {
    const offload_block_t *b = k && k->block_at[i] >= 0 && i >= stay ? &k->blocks[k->block_at[i]] : NULL;
    assert_true(!b || b->first == i);
    if (b && goes_to_nsu(t, b)) {
      run_block(t, b);
      i = b->last;
    } else {
      if (b) stay = b->last + 1;
      execute_instr(t, &t->f->instrs[i]);
    }
  }
}

/* A thread before its first instruction: the same random memory for the same seed. */
static void start_thread(thread_t *t, const ptx_module_t *m, uint64_t seed) {
  uint64_t base = BASE;
  uint32_t n = 12345;
  memset(t, 0, sizeof *t);
  t->module = m;
  t->f = ptx_find_kernel(m, NULL);
  for (unsigned i = 0; i < MEMORY; i++) t->memory[i] = (uint8_t)test_random(&seed);
  memcpy(t->params, &base, 8);
  memcpy(t->params + 8, &n, 4);
}

/* 4000 kernels. The last line makes sure that the interesting cases occurred. */
static void test_same_result(void **state) {
  (void)state;
  static program_t p;
  uint32_t blocks = 0, indirect = 0, arithmetic_count = 0, returned = 0;
  for (uint64_t seed = 1; seed <= 4000; seed++) {
    static thread_t plain, split;
    ptx_error_t err;
    make_program(&p, seed * 7919);
    ptx_module_t *m = ptx_parse(p.out.text, p.out.used, "random.ptx", &err);
    if (!m) print_message("%s\n%s\n", err.trouble.text, p.out.text);
    assert_non_null(m);
    offload_t *o = offload_compile(m);
    assert_non_null(o);
    start_thread(&plain, m, seed);
    start_thread(&split, m, seed);
    run_thread(&plain, NULL);
    run_thread(&split, &o->kernels[0]);
    if (memcmp(plain.memory, split.memory, MEMORY) != 0)
      print_message("seed %llu:\n%s\n", (unsigned long long)seed, p.out.text);
    assert_memory_equal(plain.memory, split.memory, MEMORY);
    for (uint32_t b = 0; b < o->kernels[0].num_blocks; b++) {
      const offload_block_t *block = &o->kernels[0].blocks[b];
      blocks++;
      indirect += block->indirect;
      arithmetic_count += block->count - block->num_loads > block->num_stores;
      returned += block->num_returned;
    }
    offload_free(o);
    ptx_free(m);
  }
  print_message(
      "%u blocks, %u of them indirect loads; %u with arithmetic; %u registers returned; of %u looked at, %u stayed on "
      "the GPU; %u on pairs\n",
      blocks, indirect, arithmetic_count, returned, looked, kept, doubles);
  assert_true(blocks > 4000 && indirect > 100 && arithmetic_count > 500 && returned > 1000 && kept > 100 &&
              looked > 10 * kept && doubles > 400);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_result)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
