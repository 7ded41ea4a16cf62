/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a table of config_key_t of a list of keys: the schema of the YAML file, of --set and of the
 * report.
 *
 *   #define KEYS_OF gpu_config_t
 *   static const config_key_t keys[] = {
 *   #include "part_gpu.def"
 *       {0}};
 */
#ifndef CONFIG_KEYS_H
#define CONFIG_KEYS_H

#include "config.h"

#define CONFIG_ENTRY(key, field, type, least, most, names, text) \
  {key, text, type, offsetof(KEYS_OF, field), sizeof(((KEYS_OF *)0)->field), least, most, names},
#define KEY_UINT(key, field, least, most, text) CONFIG_ENTRY(key, field, CONFIG_UINT, least, most, NULL, text)
#define KEY_REAL(key, field, least, most, text) CONFIG_ENTRY(key, field, CONFIG_REAL, least, most, NULL, text)
#define KEY_BOOL(key, field, text) CONFIG_ENTRY(key, field, CONFIG_BOOL, 0, 1, NULL, text)
#define KEY_TEXT(key, field, text) CONFIG_ENTRY(key, field, CONFIG_TEXT, 0, 0, NULL, text)
#define KEY_ENUM(key, field, names, text) \
  CONFIG_ENTRY(key, field, CONFIG_ENUM, 0, sizeof names / sizeof *names - 2, names, text)

#endif
