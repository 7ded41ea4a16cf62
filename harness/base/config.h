/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys: what can be set of a model, each with its type, range, unit, meaning and the source of its
 * default.
 *
 * A list of keys beside the model (gpu_keys.def) makes the fields of the struct of values, their
 * defaults and a table of config_key_t (key_list.h). The functions here take such a table.
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
  const char *key, *text; /* "gpu.sms", "streaming multiprocessors"; NULL: the end of a table */
  const char *source;     /* of the default: "T2: 64; MoreCore 72"; "": the text says it, or there is none */
  const char *unit;       /* "cycles"; "": a plain number */
  config_type_t type;
  size_t offset, size; /* of the field; CONFIG_TEXT: a char array */
  double least, most;
  const char *const *names; /* CONFIG_ENUM: of the values from 0 on, NULL behind the last */
} config_key_t;

const config_key_t *config_find(const config_key_t *keys, const char *name); /* NULL: not there. keys may be NULL */

/* False: what is wrong and what would be right. */
bool config_store(const config_key_t *key, void *values, const char *text, trouble_t *trouble);

/* False: the first value that is out of its key's range, and what
 * would be right. What a text must be its model knows. */
bool config_check(const config_key_t *keys, const void *values, trouble_t *trouble);

double config_value(const config_key_t *key, const void *values);                       /* not of a text */
void config_text(const config_key_t *key, const void *values, char *text, size_t size); /* as config_store takes it */

#endif
