/* SPDX-License-Identifier: Apache-2.0
 *
 * The lists of ptx_op.def and ptx_names.def as tables.
 */
#include <string.h>

#include "ptx_internal.h"

/* Tables by number, made of the lists; unused entries are zero. */
static const op_info_t ops[PTX_NUM_OPS] = {
#define PTX_OP(name, least, most, dests, types_least, types_most, mods) \
  [PTX_OP_##name] = {#name, least, most, dests, types_least, types_most, mods},
#include "ptx_op.def"
};

static const bool computes[PTX_NUM_OPS] = {
#define PTX_OP(name, ...)
#define PTX_COMPUTES(name, ...) [PTX_OP_##name] = true,
#include "ptx_op.def"
};

static const struct {
  const char *text;
  uint8_t bytes;
  char kind;
} types[PTX_NUM_TYPES] = {
#define PTX_TYPE(name, text, bytes, kind) [PTX_##name] = {text, bytes, #kind[0]},
#include "ptx_names.def"
};

static const char *const mods[PTX_NUM_MODS] = {
#define PTX_MOD(name, text) [PTX_MOD_##name] = text,
#include "ptx_names.def"
};

static const struct {
  const char *name;
  uint8_t components;
  uint8_t type;
} sregs[PTX_NUM_SREGS] = {
#define PTX_SREG(name, components, type) [PTX_SREG_##name] = {#name, components, PTX_##type},
#include "ptx_names.def"
};

/* Compares the first letter before strncmp: it settles nearly all of the long lists' names. */
static bool name_is(const char *name, const char *text, size_t length) {
  return name && name[0] == text[0] && strncmp(name, text, length) == 0 && name[length] == 0;
}

/* The reader has checked that the opcode exists. */
const op_info_t *op_info(ptx_op_t op) {
  return &ops[op];
}

/* The searches are linear; name_is makes them cheap. */
ptx_op_t op_find(const char *text, size_t length) {
  for (int i = 1; i < PTX_NUM_OPS; i++)
    if (name_is(ops[i].name, text, length)) return (ptx_op_t)i;
  return PTX_OP_NONE;
}

ptx_type_t type_find(const char *text, size_t length) {
  for (int i = 1; i < PTX_NUM_TYPES; i++)
    if (name_is(types[i].text, text, length)) return (ptx_type_t)i;
  return PTX_NO_TYPE;
}

ptx_mod_t mod_find(const char *text, size_t length) {
  for (int i = PTX_MOD_OTHER + 1; i < PTX_NUM_MODS; i++)
    if (name_is(mods[i], text, length)) return (ptx_mod_t)i;
  return PTX_MOD_NONE;
}

const char *ptx_op_name(ptx_op_t op) {
  return op > PTX_OP_NONE && op < PTX_NUM_OPS ? ops[op].name : "?";
}

bool ptx_op_computes(ptx_op_t op) {
  return op > PTX_OP_NONE && op < PTX_NUM_OPS && computes[op];
}

const char *ptx_type_name(ptx_type_t type) {
  return type > PTX_NO_TYPE && type < PTX_NUM_TYPES ? types[type].text : "?";
}

unsigned ptx_type_bytes(ptx_type_t type) {
  return type < PTX_NUM_TYPES ? types[type].bytes : 0;
}

char ptx_type_kind(ptx_type_t type) {
  return type < PTX_NUM_TYPES ? types[type].kind : 0;
}

const char *ptx_mod_name(ptx_mod_t mod) {
  return mod > PTX_MOD_OTHER && mod < PTX_NUM_MODS ? mods[mod] : "?";
}

const char *ptx_sreg_name(ptx_sreg_t sreg) {
  return sreg < PTX_NUM_SREGS ? sregs[sreg].name : "?";
}

unsigned sreg_components(ptx_sreg_t sreg) {
  return sregs[sreg].components;
}

ptx_type_t sreg_type(ptx_sreg_t sreg) {
  return (ptx_type_t)sregs[sreg].type;
}

const char *ptx_space_name(ptx_space_t space) {
  static const char *const names[] = {"generic", "global", "const", "param", "shared", "local"};
  return space <= PTX_SPACE_LOCAL ? names[space] : "?";
}

/* Levenshtein distance of two words, one row at a time; 99 when one is longer than 31. */
static size_t edit_distance(const char *a, size_t na, const char *b, size_t nb) {
  size_t row[33];
  if (na > 31 || nb > 31) return 99;
  for (size_t j = 0; j <= nb; j++) row[j] = j;
  for (size_t i = 1; i <= na; i++) {
    size_t corner = row[0];
    row[0] = i;
    for (size_t j = 1; j <= nb; j++) {
      size_t change = corner + (a[i - 1] != b[j - 1]);
      size_t insert = row[j - 1] + 1, drop = row[j] + 1;
      corner = row[j];
      row[j] = change < insert ? change : insert;
      if (drop < row[j]) row[j] = drop;
    }
  }
  return row[nb];
}

/* Is candidate closer to word than any before? At most 2 changes count, and not as many as the word
 * has letters. *best begins at 3. */
bool suggest(const char *word, size_t length, const char *candidate, size_t *best) {
  size_t d = edit_distance(word, length, candidate, strlen(candidate));
  if (d >= *best || d >= length) return false;
  *best = d;
  return true;
}
