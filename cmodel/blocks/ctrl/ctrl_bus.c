/* SPDX-License-Identifier: Apache-2.0
 *
 * ROM, RAM and registers as ctrl_map.h says. One answer is on its way on each of the two buses at
 * most.
 */
#include "ctrl_bus.h"

#include <assert.h>

void ctrl_bus_reset(ctrl_bus_t *b, const uint32_t *image, unsigned words, const ctrl_settings_t *settings) {
  assert(words <= CTRL_ROM_BYTES / 4);
  *b = (ctrl_bus_t){.image = image, .words = words, .settings = *settings};
}

void ctrl_bus_in(const ctrl_bus_t *b, rv_core_in_t *in) {
  *in = (rv_core_in_t){
      .irq = b->irq,
      .im_req_ready = 1,
      .im_rsp_valid = b->im.valid,
      .im_rsp_data = b->im.data,
      .im_rsp_err = b->im.err,
      .dm_req_ready = 1,
      .dm_rsp_valid = b->dm.valid,
      .dm_rsp_data = b->dm.data,
      .dm_rsp_err = b->dm.err,
  };
}

/* The word of ROM at this address; an error elsewhere. Instructions come from here only. */
static ctrl_answer_t ctrl_bus_rom(const ctrl_bus_t *b, uint32_t address) {
  const uint32_t word = (address - CTRL_ROM) / 4;
  if (word >= CTRL_ROM_BYTES / 4) return (ctrl_answer_t){.valid = true, .err = true};
  return (ctrl_answer_t){.valid = true, .data = word < b->words ? b->image[word] : 0};
}

/* A data read: RAM, registers, ROM. */
static ctrl_answer_t ctrl_bus_read(const ctrl_bus_t *b, uint32_t address) {
  if (address - CTRL_RAM < CTRL_RAM_BYTES)
    return (ctrl_answer_t){.valid = true, .data = b->ram[(address - CTRL_RAM) / 4]};
  switch (address) {
  case CTRL_EPOCH: return (ctrl_answer_t){.valid = true, .data = b->epoch};
  case CTRL_COUNT: return (ctrl_answer_t){.valid = true, .data = b->count};
  case CTRL_PREV: return (ctrl_answer_t){.valid = true, .data = b->prev};
  case CTRL_RATIO: return (ctrl_answer_t){.valid = true, .data = b->ratio};
  case CTRL_INIT: return (ctrl_answer_t){.valid = true, .data = b->settings.init};
  case CTRL_STEP_INIT: return (ctrl_answer_t){.valid = true, .data = b->settings.step_init};
  case CTRL_STEP_MIN: return (ctrl_answer_t){.valid = true, .data = b->settings.step_min};
  case CTRL_STEP_MAX: return (ctrl_answer_t){.valid = true, .data = b->settings.step_max};
  case CTRL_WINDOW: return (ctrl_answer_t){.valid = true, .data = b->settings.window};
  case CTRL_MOVE_BY: return (ctrl_answer_t){.valid = true, .data = b->settings.move_by};
  default: return ctrl_bus_rom(b, address);
  }
}

/* Replaces the bytes that mask names. */
static void ctrl_bus_write_bytes(uint32_t *word, unsigned mask, uint32_t data) {
  for (unsigned byte = 0; byte < 4; byte++)
    if (mask >> byte & 1) *word = (*word & ~(0xffu << 8 * byte)) | (data & 0xffu << 8 * byte);
}

/* RAM takes bytes, registers whole words only. Read-only registers and ROM give an error. */
static ctrl_answer_t ctrl_bus_write(ctrl_bus_t *b, uint32_t address, unsigned mask, uint32_t data) {
  const ctrl_answer_t good = {.valid = true}, bad = {.valid = true, .err = true};
  if (address - CTRL_RAM < CTRL_RAM_BYTES) {
    ctrl_bus_write_bytes(&b->ram[(address - CTRL_RAM) / 4], mask, data);
    return good;
  }
  if (mask != 15) return bad;
  if (address == CTRL_EPOCH) {
    b->irq = false;
    return good;
  }
  if (address != CTRL_RATIO || data > CTRL_RATIO_ALL) return bad;
  b->ratio = data;
  b->decisions++;
  return good;
}

/* An answer that the core takes makes room for the next request. */
void ctrl_bus_step(ctrl_bus_t *b, const rv_core_in_t *in, const rv_core_out_t *out) {
  const uint32_t address = (uint32_t)out->dm_req_addr;
  if (in->im_rsp_valid && out->im_rsp_ready) b->im = (ctrl_answer_t){0};
  if (in->dm_rsp_valid && out->dm_rsp_ready) b->dm = (ctrl_answer_t){0};
  if (out->im_req_valid && in->im_req_ready) b->im = ctrl_bus_rom(b, (uint32_t)out->im_req_addr);
  if (!out->dm_req_valid || !in->dm_req_ready) return;
  if (out->dm_req_write) b->dm = ctrl_bus_write(b, address, (unsigned)out->dm_req_mask, (uint32_t)out->dm_req_data);
  else b->dm = ctrl_bus_read(b, address);
}

/* prev is the epoch before, even if the core missed it. */
void ctrl_bus_epoch_end(ctrl_bus_t *b, uint32_t count) {
  const uint32_t before = b->last;
  b->epochs++;
  b->last = count;
  if (b->irq) {
    b->missed++;
    return;
  }
  b->epoch = b->epochs;
  b->count = count;
  b->prev = before;
  b->irq = true;
}
