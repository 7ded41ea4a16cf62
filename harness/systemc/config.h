/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys: what can be set of a part, each once, with its type, range, meaning and the source of its
 * default.
 *
 * A part's table is made of its list (parts/part_X.def, config_keys.h); values are in a struct of
 * the part's own.
 */
#ifndef CONFIG_H
#define CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trouble.h"

enum { CONFIG_TEXT_SIZE = 160 };

typedef enum { CONFIG_UINT, CONFIG_REAL, CONFIG_BOOL, CONFIG_ENUM, CONFIG_TEXT } config_type_t;

typedef struct {
  const char *key, *text; /* "gpu.sms", "streaming multiprocessors (Table 2)"; NULL: the end of a table */
  config_type_t type;
  size_t offset, size; /* of the field; CONFIG_TEXT: a char array */
  double least, most;
  const char *const *names; /* CONFIG_ENUM: of the values from 0 on, NULL behind the last */
} config_key_t;

const config_key_t *config_find(const config_key_t *keys, const char *name); /* NULL: not there. keys may be NULL */

/* False: what is wrong and what would be right. */
bool config_store(const config_key_t *key, void *values, const char *text, trouble_t *trouble);

double config_value(const config_key_t *key, const void *values);                       /* not of a text */
void config_text(const config_key_t *key, const void *values, char *text, size_t size); /* as config_store takes it */

#endif
