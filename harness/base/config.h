/* SPDX-License-Identifier: Apache-2.0
 *
 * Configuration keys of a model: each has a type, a range, a unit, a meaning and the source of its
 * default.
 *
 * A list of keys beside the model (gpu_keys.def) expands to the fields of a struct, to their
 * defaults, and to a table of config_key_t (key_list.h). The functions here work on such a table.
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
  const char *key, *text; /* key: "gpu.sms"; text: "streaming multiprocessors". NULL ends a table. */
  /* The source of the default: "T2: 64; MoreCore 72". "": the text says it, or there is none. */
  const char *source;
  const char *unit; /* "cycles"; "": a number without unit */
  config_type_t type;
  size_t offset, size;      /* of the field, in bytes; CONFIG_TEXT: a char array */
  double least, most;       /* the range, both ends included */
  const char *const *names; /* CONFIG_ENUM: names of the values from 0 on, ends with NULL */
} config_key_t;

/* The key of this name; NULL: unknown. `keys` may be NULL. */
const config_key_t *config_find(const config_key_t *keys, const char *name);

/* Parses `text` into the field of `key` in the struct at `values`. False: INPUT, what is wrong and
 * what would be right. */
bool config_store(const config_key_t *key, void *values, const char *text, trouble_t *trouble);

/* Checks every value against the range of its key. False: the first value out of range, and what
 * would be right. The model itself checks what a CONFIG_TEXT may hold. */
bool config_check(const config_key_t *keys, const void *values, trouble_t *trouble);

/* the value as a number; not for CONFIG_TEXT */
double config_value(const config_key_t *key, const void *values);
/* Writes the value as text in the form that config_store reads. */
void config_text(const config_key_t *key, const void *values, char *text, size_t size);

#endif
