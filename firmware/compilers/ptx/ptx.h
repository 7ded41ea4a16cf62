/* SPDX-License-Identifier: Apache-2.0
 *
 * A PTX module in memory: what the reader returns and what simulators and the offload compiler work
 * on.
 *
 *   ptx_error_t err;
 *   ptx_module_t *m = ptx_read("vadd.ptx", &err);     NULL: err.trouble says why
 *   const ptx_func_t *k = ptx_find_kernel(m, "vadd");
 *   for (uint32_t i = 0; i < k->num_instrs; i++) ... k->instrs[i] ...
 *   ptx_free(m);
 *
 * The module is immutable after reading and may be shared by threads. All names and texts live as
 * long as the module. Everything is flat: instructions refer to registers, variables, functions,
 * labels and tables by number. Source: NVIDIA's PTX ISA document, versions 1.4 to 9.1.
 */
#ifndef PTX_H
#define PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trouble.h"

typedef enum {
  PTX_OP_NONE,
#define PTX_OP(name, least, most, dests, types_least, types_most, mods) PTX_OP_##name,
#include "ptx_op.def"
  PTX_NUM_OPS
} ptx_op_t;

typedef enum {
  PTX_NO_TYPE,
#define PTX_TYPE(name, text, bytes, kind) PTX_##name,
#include "ptx_names.def"
  PTX_NUM_TYPES
} ptx_type_t;

typedef enum {
  PTX_MOD_NONE,
  PTX_MOD_OTHER, /* a modifier of an instruction that allows any ("*"): only in instr.text */
#define PTX_MOD(name, text) PTX_MOD_##name,
#include "ptx_names.def"
  PTX_NUM_MODS
} ptx_mod_t;

typedef enum {
#define PTX_SREG(name, components, type) PTX_SREG_##name,
#include "ptx_names.def"
  PTX_NUM_SREGS
} ptx_sreg_t;

typedef enum {
  PTX_SPACE_GENERIC, /* none was written */
  PTX_SPACE_GLOBAL,
  PTX_SPACE_CONST,
  PTX_SPACE_PARAM, /* of the kernel or device function, or of a call */
  PTX_SPACE_SHARED,
  PTX_SPACE_LOCAL
} ptx_space_t;

enum {
  PTX_MAX_MODS = 12,
  PTX_MAX_TYPES = 4,
  PTX_MAX_OPERANDS = 9,
  PTX_NONE = -1 /* no register, no variable, no target */
};

/* ---- Variables: parameters, global, const, shared, local ------------------------------------- */

typedef enum { PTX_LINK_NONE, PTX_LINK_EXTERN, PTX_LINK_VISIBLE, PTX_LINK_WEAK, PTX_LINK_COMMON } ptx_linkage_t;

/* The address of `var` (or function) plus addend, stored at byte `at` of an
 * initialised variable. */
typedef struct {
  uint64_t at;
  int64_t addend;
  int32_t var;   /* index in module.vars, or PTX_NONE */
  int32_t func;  /* index in module.funcs, or PTX_NONE */
  uint8_t bytes; /* 4 or 8 */
  bool generic;  /* generic(sym): the address in generic space */
} ptx_reloc_t;

/* How a .samplerref reads outside of its texture: {addr_mode_0 = clamp_to_edge, filter_mode =
 * linear} (PTX ISA, section 5.3). A field that the source does not name is the first of its
 * kind. */
typedef enum { PTX_WRAP, PTX_MIRROR, PTX_CLAMP_OGL, PTX_CLAMP_TO_EDGE, PTX_CLAMP_TO_BORDER } ptx_address_mode_t;
typedef struct {
  uint8_t address[3]; /* ptx_address_mode_t */
  bool linear, unnormalized;
} ptx_sampler_t;

/* Constant memory (PTX ISA, "Constant State Space"): 64 KB, or 11 banks of that in PTX 1.x. */
enum { PTX_CONST_BYTES = 65536, PTX_CONST_BANKS = 11 };

typedef struct {
  const char *name;
  ptx_space_t space;
  ptx_linkage_t linkage;
  ptx_type_t type;  /* element */
  uint8_t vec;      /* 1, or 2, 4 for .v2 .v4 */
  uint8_t num_dims; /* 0: scalar */
  bool dynamic;     /* unsized .extern .shared: starts at func.shared_bytes rounded up to align */
  /* a .param declared in a body, for calls: offset counts from the start of call_param_bytes */
  bool is_call_param;
  bool banked;    /* .const[n] of PTX 1.x: one of PTX_CONST_BANKS */
  uint32_t align; /* bytes, a power of two */
  uint64_t size;  /* bytes, whole array */
  /* bytes from the start of the module's global or const segment, of a thread's local frame, or of
   * the kernel's parameter block. Shared: ptx_shared_offset(), as it depends on the kernel */
  uint64_t offset;
  uint64_t dim[4];              /* elements; more dimensions are refused */
  const uint8_t *init;          /* size bytes, or NULL: zero */
  const ptx_sampler_t *sampler; /* the declared modes of a .samplerref; NULL: none */
  const ptx_reloc_t *relocs;
  uint32_t num_relocs;
  int32_t func; /* function that declares it, or PTX_NONE: at module level */
  /* the first register of a .reg parameter of a device function; else PTX_NONE. The
   * function's first instructions load it, or each of its returns stores it. So calls pass
   * everything in .param variables */
  int32_t reg;
  ptx_space_t ptr_space; /* .ptr .global: what a pointer parameter points at (GENERIC: not said) */
  uint32_t ptr_align;    /* 0: not said */
  int line, column;
} ptx_var_t;

/* ---- Instructions ---------------------------------------------------------------------------- */

typedef enum {
  PTX_OPND_REG,   /* index: register. negated: !p (source predicate) */
  PTX_OPND_IMM,   /* imm: integer, sign-extended or as written with U */
  PTX_OPND_FLOAT, /* imm: bits; type: F32 (0f, or a decimal literal of an .f32 instruction) or F64 */
  PTX_OPND_SREG,  /* index: ptx_sreg_t; sel: component 0..3 (.x .y .z .w), envreg number */
  PTX_OPND_VAR,   /* index: variable, imm: offset. The variable's address (mov, cvta) */
  PTX_OPND_FUNC,  /* index: function (call target, or its address) */
  PTX_OPND_ADDR,  /* [base + imm]: base says what index is; elements: texture coordinates, otherwise none */
  PTX_OPND_VEC,   /* {a, b, ...}: elements first .. first + count - 1 of func.elements */
  PTX_OPND_PAIR,  /* p|q: two elements */
  PTX_OPND_LIST,  /* (a, b, ...) of a call: elements */
  PTX_OPND_LABEL, /* index: instruction */
  PTX_OPND_TABLE, /* index: in func.tables: .branchtargets, .calltargets, .callprototype */
  PTX_OPND_SINK   /* _ */
} ptx_opnd_kind_t;

typedef enum { PTX_BASE_NONE, PTX_BASE_REG, PTX_BASE_VAR } ptx_base_t;

typedef struct {
  uint8_t kind; /* ptx_opnd_kind_t */
  uint8_t type; /* ptx_type_t of a register, special register or FLOAT */
  uint8_t base; /* ADDR: ptx_base_t */
  /* SREG: component. REG of a video instruction: 0, or 1 + k for .b0 .b1 .b2 .b3, 5 + k for
   * .h0 .h1; 7 for .h10, 6 + n for n digits as .b3210 has: imm has them, a nibble each */
  uint8_t sel;
  bool negated;   /* !p of a predicate, -r of a video instruction */
  uint8_t count;  /* VEC, PAIR, LIST, ADDR: elements */
  int32_t index;  /* see kind; ADDR: register or variable */
  uint32_t first; /* elements */
  int64_t imm;
} ptx_operand_t;

typedef struct {
  uint16_t op; /* ptx_op_t */
  uint8_t num_types, num_mods, num_operands;
  uint8_t vec;                 /* 1, or 2, 4, 8 for .v2 .v4 .v8 */
  uint8_t space;               /* ptx_space_t */
  uint8_t type[PTX_MAX_TYPES]; /* ptx_type_t as written: cvt.rn.f32.s32: F32, S32; mad.lo.s32: S32; setp.eq.s32: S32 */
  uint8_t mod[PTX_MAX_MODS];   /* ptx_mod_t as written, spaces included, types and .vN excluded: ptx_has() */
  bool guarded;                /* @p: guard is its register */
  bool guard_negated;          /* @!p */
  /* not in the source: the ret at the closing brace of a body that may fall off its end; what
   * computes an operand such as %r1+4; what moves parameters between registers and .param
   * variables */
  bool implicit;
  int32_t guard;
  int32_t target;       /* bra: instruction index; else PTX_NONE */
  int32_t reconv;       /* bra, brx: instruction where diverged threads meet again (start of the immediate
                                      post-dominator), or func.num_instrs: nowhere before they exit */
  uint32_t block;       /* basic block */
  int32_t line, column; /* of the opcode */
  const char *text;     /* "ld.global.v4.f32" */
  const char *source;   /* the whole statement on one line, spaces normalised: "@%p1 bra $L__BB0_2;" */
  ptx_operand_t operand[PTX_MAX_OPERANDS];
} ptx_instr_t;

/* Was the modifier written? */
static inline bool ptx_has(const ptx_instr_t *instr, ptx_mod_t mod) {
  for (unsigned i = 0; i < instr->num_mods; i++)
    if (instr->mod[i] == mod) return true;
  return false;
}

/* ---- Functions ------------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  ptx_type_t type;
} ptx_reg_t;

typedef struct {
  const char *name;
  uint32_t instr; /* the instruction it stands before */
  int line, column;
} ptx_label_t;

typedef enum { PTX_TABLE_BRANCH, PTX_TABLE_CALL, PTX_TABLE_PROTOTYPE } ptx_table_kind_t;

typedef struct {
  const char *name;
  ptx_table_kind_t kind;
  uint32_t count;
  const int32_t *index; /* instructions (BRANCH), functions (CALL) */
} ptx_table_t;

/* A basic block: instrs first .. last. Entered only at first, left only after last. */
typedef struct {
  uint32_t first, last;
  uint32_t num_succs, num_preds;
  const uint32_t *succs; /* of a conditional branch: fall-through first */
  const uint32_t *preds;
  int32_t ipdom; /* immediate post-dominator block; PTX_NONE: the exit */
  bool reachable;
  const uint64_t *live_in, *live_out; /* bit r: register r; func.live_words words */
} ptx_block_t;

typedef struct {
  const char *name;
  bool is_kernel; /* .entry; otherwise .func */
  bool defined;   /* has a body */
  ptx_linkage_t linkage;
  bool noreturn;
  const char *file; /* the source of its body, which the lines of its instructions belong to */
  int line, column;
  uint32_t num_params;
  const int32_t *params; /* variables, in order */
  uint32_t num_rets;     /* of a device function */
  const int32_t *rets;
  uint64_t param_bytes;            /* the parameter block */
  uint32_t reqntid[3], maxntid[3]; /* threads of a block; 0, 0, 0: not said */
  uint32_t minnctapersm, maxnreg;  /* 0: not said */
  uint32_t num_regs;
  const ptx_reg_t *regs;
  uint32_t num_instrs;
  const ptx_instr_t *instrs;
  uint32_t num_elements;
  const ptx_operand_t *elements; /* of vectors, pairs and lists */
  uint32_t num_labels;
  const ptx_label_t *labels;
  uint32_t num_tables;
  const ptx_table_t *tables;
  uint64_t shared_bytes; /* static shared memory of a block: variables that the kernel, or what it calls, names */
  uint32_t num_shared;
  const int32_t *shared_var; /* these variables, dynamic ones last, and their offsets */
  const uint64_t *shared_offset;
  uint64_t local_bytes;      /* of a thread */
  uint64_t call_param_bytes; /* of the .param variables declared in the body (is_call_param) */
  uint32_t num_blocks;
  const ptx_block_t *blocks;
  uint32_t live_words; /* 64-bit words of a register set */
} ptx_func_t;

typedef struct ptx_module {
  const char *file;
  unsigned version_major, version_minor;
  const char *target;     /* "sm_35", with its options: "sm_20, map_f64_to_f32" */
  unsigned address_bytes; /* 4 or 8 */
  uint32_t num_vars;
  const ptx_var_t *vars; /* all of the module, variables of functions included */
  uint32_t num_funcs;
  const ptx_func_t *funcs;
  uint64_t global_bytes, const_bytes; /* segments that hold the module's variables of these spaces */
} ptx_module_t;

/* ---- Reading --------------------------------------------------------------------------------- */

typedef struct {
  trouble_t trouble; /* "file:line:column: what is wrong; what would be right" */
  int line, column;
} ptx_error_t;

/* Reads a file of at most 256 MB. NULL: *err says why. Free the module by ptx_free. */
ptx_module_t *ptx_read(const char *path, ptx_error_t *err);
/* As ptx_read, of `size` bytes of text; `file` is its name in messages. A NUL in the text is an
 * error. */
ptx_module_t *ptx_parse(const char *text, size_t size, const char *file, ptx_error_t *err);
/* Several sources as one module, as a linker makes it of objects compiled apart:
 *
 *    .extern    another source may define it
 *    .weak      the first counts, unless another source defines the name without .weak
 *    .common    the largest counts
 *    none       .visible neither: the name is its source's own
 *
 * The target is the first source's. `file` names the whole in messages. */
typedef struct {
  const char *text;
  size_t size;
  const char *file; /* in messages */
} ptx_source_t;
ptx_module_t *ptx_link(const ptx_source_t *source, unsigned count, const char *file, ptx_error_t *err);
/* Frees the module and all that it points at; NULL is allowed. */
void ptx_free(ptx_module_t *module);

/* NULL: no such entry. name NULL: the only kernel of the module, NULL when there are several. */
const ptx_func_t *ptx_find_kernel(const ptx_module_t *module, const char *name);

/* The most threads of a block, as .reqntid or .maxntid say: the product of their sizes (PTX ISA,
 * "Performance-Tuning Directives"). 0: not said. */
uint64_t ptx_block_most(const ptx_func_t *kernel);

/* ---- Names and facts ------------------------------------------------------------------------- */

/* Names as PTX writes them; "?" for values that are none. */
const char *ptx_op_name(ptx_op_t op);
/* Does the opcode compute registers from registers alone? Such an opcode touches no memory, no
 * other thread and no control flow, and does not read the carry. With .cc it writes the carry. */
bool ptx_op_computes(ptx_op_t op);
const char *ptx_type_name(ptx_type_t type); /* "f32" */
unsigned ptx_type_bytes(ptx_type_t type);
char ptx_type_kind(ptx_type_t type); /* 'P' 'B' 'U' 'S' 'F' 'X', 0 for PTX_NO_TYPE */
const char *ptx_mod_name(ptx_mod_t mod);
const char *ptx_sreg_name(ptx_sreg_t sreg); /* "tid" */
const char *ptx_space_name(ptx_space_t space);

/* The offset of a shared variable (index in module.vars) in the frame of a block of `kernel`,
 * dynamic ones included. For code of device functions ask the kernel that was launched. UINT64_MAX:
 * the kernel does not name it. */
uint64_t ptx_shared_offset(const ptx_func_t *kernel, int32_t var);

/* Memory access of ld, ldu, st, atom, red: bytes a thread moves (vector length x type). 0: not
 * a memory access. */
unsigned ptx_access_bytes(const ptx_instr_t *instr);

/* The registers that an instruction writes (ptx_defs) or reads (ptx_uses). A guard is
 * read. A guarded write does not end the old value's life. Returns how many there
 * are; at most `most` are stored. */
unsigned ptx_defs(const ptx_func_t *func, const ptx_instr_t *instr, int32_t *regs, unsigned most);
unsigned ptx_uses(const ptx_func_t *func, const ptx_instr_t *instr, int32_t *regs, unsigned most);
enum { PTX_MAX_INSTR_REGS = 320 }; /* enough for both, of any instruction */

/* Sets the bits of the registers alive just before instruction i. The set has func.live_words
 * words. */
void ptx_live_before(const ptx_func_t *func, uint32_t i, uint64_t *set);

#endif
