/* SPDX-License-Identifier: Apache-2.0
 *
 * The NSU disassembler. The text is made from the fields that the instruction uses and assembled
 * again. If another word comes out, some unused field was set, and the text becomes .word.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "nsu_asm.h"
#include "nsu_isa.h"

/* The text so far; `used` stays below NSU_DISASM_SIZE. */
typedef struct {
  char *text;
  size_t used;
} out_t;

/* Appends as printf does; what does not fit is cut off. */
static void append_text(out_t *o, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(o->text + o->used, NSU_DISASM_SIZE - o->used, format, args);
  va_end(args);
  o->used += (size_t)n;
  if (o->used >= NSU_DISASM_SIZE) o->used = NSU_DISASM_SIZE - 1;
}

/* The registers of OFLD.BEG or OFLD.END. */
static void add_list(out_t *o, uint64_t word) {
  unsigned count = isa_imm(word) >> 28;
  for (unsigned k = 0; k < count && k < 7; k++) append_text(o, "%sF%u", k ? ", " : " ", isa_imm(word) >> (4 * k) & 15);
}

/* The operands a, b and c that the opcode has. ST has no destination before them, hence no
 * comma. */
static void add_sources(out_t *o, uint64_t word, const isa_op_t *op) {
  const char *comma = op->kind == ISA_ST ? " " : ", ";
  if (op->sources & 1) {
    append_text(o, "%sF%u", comma, isa_ra(word));
    comma = ", ";
  }
  if (op->sources & 2) {
    if (isa_immb(word)) append_text(o, "%s0x%" PRIx32, comma, isa_imm(word));
    else append_text(o, "%sF%u", comma, isa_rb(word));
  }
  if (op->sources & 4) append_text(o, ", F%u", isa_rc(word));
}

void nsu_disasm(uint64_t word, char text[NSU_DISASM_SIZE]) {
  const isa_op_t *op = isa_op(isa_opcode(word));
  out_t o = {text, 0};
  trouble_t trouble = {0};
  uint64_t again = 0;
  if (op) {
    if (isa_guard(word)) append_text(&o, "@%sF%u ", isa_ginv(word) ? "!" : "", isa_rg(word));
    append_text(&o, "%s", op->mnemonic);
    if (op->kind == ISA_BEG || op->kind == ISA_END) add_list(&o, word);
    else if (op->kind != ISA_ST) append_text(&o, " F%u", isa_rd(word));
    if (op->kind == ISA_LDC) append_text(&o, ", [%" PRIu32 "]", isa_imm(word));
    add_sources(&o, word, op);
    if (nsu_asm_line(text, &again, &trouble) == 1 && again == word) return;
  }
  snprintf(text, NSU_DISASM_SIZE, ".word 0x%016" PRIx64, word);
}
