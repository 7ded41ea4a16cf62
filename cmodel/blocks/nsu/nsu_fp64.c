/* SPDX-License-Identifier: Apache-2.0
 *
 * The binary64 instructions. Sums and products are exact (fp_exact.h); the conversions use the
 * host.
 */
#include "nsu_fp64.h"

#include <math.h>
#include <string.h>

#include "fp_exact.h"
#include "nsu_alu.h"
#include "nsu_isa.h"

/* binary32 to binary64, exact; NaN becomes canonical. */
static uint64_t widen(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  const double d = f;
  uint64_t wide;
  memcpy(&wide, &d, sizeof wide);
  return isnan(f) ? NSU_NAN64 : wide;
}

/* binary64 to binary32, to nearest, with subnormal results; NaN becomes canonical. */
static uint32_t narrow(uint64_t bits) {
  double d;
  memcpy(&d, &bits, sizeof d);
  const float f = (float)d;
  uint32_t word;
  memcpy(&word, &f, sizeof word);
  return isnan(d) ? NSU_NAN : word;
}

uint64_t nsu_fp64_cvt(unsigned op, uint64_t b) {
  const fp_format_t binary32 = {8, 23};
  switch (op) {
  case OP_CVT_F64_F32: return widen((uint32_t)b);
  case OP_CVT_F32_F64: return narrow(b);
  case OP_CVT_F64_F32_FTZ: return widen((uint32_t)fp_flushed(binary32, (uint32_t)b));
  case OP_CVT_F32_F64_FTZ: return fp_flushed(binary32, narrow(b)); /* .ftz does not flush a binary64 operand */
  default: return 0;
  }
}

uint64_t nsu_fp64(unsigned op, uint64_t a, uint64_t b, uint64_t c) {
  const fp_format_t binary64 = {11, 52};
  switch (op) {
  case OP_DADD:
  case OP_DSUB:
  case OP_DMUL:
  case OP_DFMA: return fp_exact(binary64, (fp_mode_t)(op - OP_DADD), a, b, c);
  default: return nsu_fp64_cvt(op, b);
  }
}
