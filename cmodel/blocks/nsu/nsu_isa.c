/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of the instruction set by opcode, made from rtl/nsu/nsu_isa.def. An opcode that the list
 * does not name has an entry of zeros.
 */
#include "nsu_isa.h"

#include <stddef.h>

static const isa_op_t ops[256] = {
#define ISA_OP(name, code, mnemonic, kind, sources) [code] = {#name, mnemonic, ISA_##kind, ISA_SRC_##sources},
#include "nsu_isa.def"
};

const isa_op_t *isa_op(unsigned opcode) {
  return opcode < 256 && ops[opcode].name ? &ops[opcode] : NULL;
}

static const uint8_t pairs[256] = {
#define ISA_PAIR(name, operands) [OP_##name] = (operands),
#include "nsu_isa.def"
};

unsigned isa_pairs(unsigned opcode) {
  return opcode < 256 ? pairs[opcode] : 0;
}

static const uint8_t ftz[256] = {
#define ISA_FTZ(name) [OP_##name] = OP_##name##_FTZ,
#include "nsu_isa.def"
};

unsigned isa_ftz(unsigned opcode) {
  return opcode < 256 ? ftz[opcode] : 0;
}

static const uint8_t plain[256] = {
#define ISA_FTZ(name) [OP_##name##_FTZ] = OP_##name,
#include "nsu_isa.def"
};

unsigned isa_plain(unsigned opcode) {
  return opcode < 256 && plain[opcode] ? plain[opcode] : opcode;
}
