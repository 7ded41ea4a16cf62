/* SPDX-License-Identifier: Apache-2.0
 *
 * Firmware in the place of ofld_ratio: keys ratio.firmware_*, the image from the tree or a file,
 * the engine, and the core that executes the image.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "judged.h"
#include "offload_firmware.h"
#include "part_gpu_families.h"
#include "ratio_image.h"

typedef struct {
  offload_firmware_t firmware;
  uint32_t file[CTRL_ROM_BYTES / 4]; /* the image, if it is none of the tree */
} own_t;

/* One line about the image; always false. */
static bool refuse_image(trouble_t *trouble, const char *path, const char *what) {
  return trouble_set(trouble, TROUBLE_INPUT, "ratio.firmware_image: %s: %s", path, what);
}

/* Words as the core reads them: little-endian. */
static void put_words(uint32_t *words, const char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) words[i / 4] |= (uint32_t)(unsigned char)bytes[i] << 8 * (i % 4);
}

/* Reads a raw binary; image must be all zero. A file that is empty, no whole words or larger than
 * the ROM is refused. */
static bool read_image(const char *path, uint32_t image[CTRL_ROM_BYTES / 4], unsigned *words, trouble_t *trouble) {
  char what[96];
  size_t bytes = 0;
  judged_file(path);
  FILE *file = fopen(path, "rb");
  if (!file) return refuse_image(trouble, path, strerror(errno));
  char *text = file_rest(file, CTRL_ROM_BYTES, &bytes);
  const int why = errno;
  fclose(file);
  snprintf(what, sizeof what, "it has more than the %d bytes of the controller's ROM", CTRL_ROM_BYTES);
  if (!text) return refuse_image(trouble, path, why == EFBIG ? what : strerror(why));
  put_words(image, text, bytes);
  free(text);
  snprintf(what, sizeof what, "%zu bytes; a multiple of 4 from 4 on would be right, as objcopy -O binary makes it",
           bytes);
  *words = (unsigned)(bytes / 4);
  return (bytes && bytes % 4 == 0) || refuse_image(trouble, path, what);
}

/* engines->discard. The firmware is the first member of own_t. */
static void discard_firmware(const block_engine_t *engine) {
  own_t *own = (own_t *)offload_firmware_of(engine); /* its first member */
  offload_firmware_deinit(&own->firmware);
  free(own);
}

bool part_gpu_firmware_engine(const part_nsu_values_t *v, const ctrl_settings_t *settings, engines_config_t *engines,
                              trouble_t *trouble) {
  offload_firmware_config_t config = {.image = ratio_image,
                                      .words = ratio_image_words,
                                      .settings = *settings,
                                      .epoch_cycles = v->epoch_cycles,
                                      .at_once = v->firmware_time == PART_NSU_TIME_ZERO,
                                      .divider = v->firmware_divider,
                                      .limit = v->firmware_limit};
  own_t *own = calloc(1, sizeof *own);
  if (!own) return trouble_memory(trouble);
  if (strcmp(v->firmware_image, "ratio") != 0) {
    config.image = own->file;
    if (!read_image(v->firmware_image, own->file, &config.words, trouble)) return free(own), false;
  }
  offload_firmware_init(&own->firmware, &config);
  engines->firmware = &own->firmware.engine;
  engines->discard = discard_firmware;
  return true;
}

bool part_gpu_engines_rv_core(const composition_t *c, engines_config_t *engines, trouble_t *trouble) {
  (void)c, (void)trouble;
  engines->in_size = sizeof(rv_core_in_t);
  engines->out_size = sizeof(rv_core_out_t);
  return true;
}

/* NULL: the part's ratio is not firmware's. */
static const offload_firmware_t *firmware_of(const part_t *p) {
  return offload_firmware_of(p->engine[GPU_HARDWARE_ofld_ratio][0]);
}

unsigned part_gpu_decisions(const part_t *p, const gpu_decision_t **decisions) {
  const offload_firmware_t *f = firmware_of(p);
  *decisions = f ? f->decision : NULL;
  return f ? f->decisions : 0;
}

void part_gpu_firmware_count(const part_t *p, gpu_stats_t *stats) {
  const offload_firmware_t *f = firmware_of(p);
  if (!f) return;
  stats->firmware_decisions = f->decisions;
  for (unsigned i = 0; i < f->decisions; i++) stats->firmware_wait += f->decision[i].cycles;
  stats->firmware_missed = f->ctrl.bus.missed;
}
