/* SPDX-License-Identifier: Apache-2.0 */
#include "texels.h"

#include <string.h>

#include "simt_lanes.h"
#include "texture_decode.h"

void texels_place(texels_t *t, unsigned lane, unsigned tap, uint64_t paddr) {
  const uint64_t line = paddr & ~(uint64_t)(GPU_LINE_BYTES - 1);
  unsigned i = 0;
  while (i < t->lines && t->line[i] != line) i++;
  if (i == t->lines) t->line[t->lines++] = line;
  t->which[lane][tap] = (uint8_t)i;
  t->offset[lane][tap] = (uint8_t)(paddr & (GPU_LINE_BYTES - 1));
}

void texels_take(texels_t *t, unsigned line, const uint32_t *words) {
  for (uint32_t m = t->mask; m; m &= m - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(m), bytes = rt_texture_texel(t->texture[lane]);
    for (unsigned k = 0; k < t->fetch[lane].taps; k++)
      if (texels_wants(t, lane, k) && t->which[lane][k] == line)
        memcpy(t->texel[lane][k], (const uint8_t *)words + t->offset[lane][k], bytes);
  }
}

/* As halves, where the instruction wants those; of whole numbers they are the lower bits. */
static void to_halves(const rt_texture_t *t, unsigned type, uint32_t value[4]) {
  for (unsigned k = 0; k < 4; k++)
    value[k] = texture_is_real(t) ? half_bits(HALF_F16, (double)as_f32(value[k]), HALF_NEAREST) : value[k] & 0xffff;
  if (type == PTX_F16X2) value[0] |= value[1] << 16, value[1] = value[2] | value[3] << 16;
}

void texels_write(const texels_t *t, const simt_op_t *op, simt_warp_t *w) {
  uint32_t value[4];
  for (uint32_t m = t->mask; m; m &= m - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(m);
    if (op->sub == TEXTURE_GATHER)
      texture_gather(t->texture[lane], t->sampler[lane], &t->fetch[lane], t->texel[lane], op->round, value);
    else texture_value(t->texture[lane], t->sampler[lane], &t->fetch[lane], t->texel[lane], value);
    if (op->type == PTX_F16 || op->type == PTX_F16X2) to_halves(t->texture[lane], op->type, value);
    for (unsigned k = 0; k < op->vec; k++)
      if (op->v[k] != SIMT_NO_OPERAND) ((uint32_t *)simt_dst(w, op->v[k]))[lane] = value[k];
  }
}
