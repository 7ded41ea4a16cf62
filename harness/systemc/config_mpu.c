/* SPDX-License-Identifier: Apache-2.0
 *
 * Configuration of the system mpu.
 */
#include "config.h"
#include "config_keys.h"

static const char *const policies[] = {[MPU_ANNOTATED] = "annotated", [MPU_HW_DEFAULT] = "default", [MPU_ALL_NEAR] = "near",
                                       [MPU_ALL_FAR] = "far", [MPU_NUM_POLICIES] = NULL};

static const config_key_t keys[] = {
#include "config_mpu.def"
};

static void defaults(system_config_t *config) {
  config->mpu = mpu_config_default();
}

static const char *check(system_config_t *config) {
  return mpu_config_check(&config->mpu);
}

const config_schema_t config_mpu = {"mpu", keys, sizeof keys / sizeof *keys, defaults, check};
