/* SPDX-License-Identifier: Apache-2.0
 *
 * Firmware in the place of ofld_ratio: keys ratio.firmware_*, its image from the tree or a file, its engine.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "offload_firmware.h"
#include "part_gpu_families.h"
#include "ratio_image.h"

static struct {
  offload_firmware_t firmware;
  uint32_t file[CTRL_ROM_BYTES / 4];
} one;

static outcome_t refuse(char *error, size_t size, const char *path, const char *what) {
  snprintf(error, size, "ratio.firmware_image: %s: %s", path, what);
  return OUTCOME_BAD_INPUT;
}

/* Words as the core reads them: little-endian. */
static void put_words(const char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) one.file[i / 4] |= (uint32_t)(unsigned char)bytes[i] << 8 * (i % 4);
}

static outcome_t read_image(const char *path, unsigned *words, char *error, size_t size) {
  char what[96];
  size_t bytes = 0;
  FILE *file = fopen(path, "rb");
  if (!file) return refuse(error, size, path, strerror(errno));
  char *text = file_rest(file, CTRL_ROM_BYTES, &bytes);
  const int why = errno;
  fclose(file);
  snprintf(what, sizeof what, "it has more than the %d bytes of the controller's ROM", CTRL_ROM_BYTES);
  if (!text) return refuse(error, size, path, why == EFBIG ? what : strerror(why));
  memset(one.file, 0, sizeof one.file);
  put_words(text, bytes);
  free(text);
  snprintf(what, sizeof what, "%zu bytes; a multiple of 4 from 4 on would be right, as objcopy -O binary makes it", bytes);
  *words = (unsigned)(bytes / 4);
  return bytes && bytes % 4 == 0 ? OUTCOME_PASS : refuse(error, size, path, what);
}

outcome_t part_gpu_firmware_engine(const part_nsu_values_t *v, const ctrl_settings_t *settings, engines_config_t *engines, char *error, size_t size) {
  offload_firmware_config_t config = {.image = ratio_image,
                                      .words = ratio_image_words,
                                      .settings = *settings,
                                      .epoch_cycles = v->epoch_cycles,
                                      .at_once = v->firmware_time == PART_NSU_TIME_ZERO,
                                      .divider = v->firmware_divider,
                                      .limit = v->firmware_limit};
  const bool own = strcmp(v->firmware_image, "ratio") != 0;
  const outcome_t outcome = own ? read_image(v->firmware_image, &config.words, error, size) : OUTCOME_PASS;
  if (own) config.image = one.file;
  if (outcome != OUTCOME_PASS) return outcome;
  part_gpu_firmware_free();
  offload_firmware_init(&one.firmware, &config);
  engines->firmware = &one.firmware.engine;
  return OUTCOME_PASS;
}

unsigned part_gpu_decisions(const gpu_decision_t **decisions) {
  *decisions = one.firmware.decision;
  return one.firmware.decisions;
}

void part_gpu_firmware_count(gpu_stats_t *stats) {
  stats->firmware_decisions = one.firmware.decisions;
  for (unsigned i = 0; i < one.firmware.decisions; i++) stats->firmware_wait += one.firmware.decision[i].cycles;
  stats->firmware_missed = one.firmware.ctrl.bus.missed;
}

void part_gpu_firmware_free(void) {
  offload_firmware_deinit(&one.firmware);
}
