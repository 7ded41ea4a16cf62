/* SPDX-License-Identifier: Apache-2.0
 *
 * The section `buffers`: what each is made of and what is in it before the first launch.
 *
 * A buffer's type and size may come from its fill, so read_keys reads them in this order: type,
 * count or bytes, fill. After that both must be known.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "launch_parts.h"

/* ---- size ---- */

/* Appends a dimension; all dimensions together have at most LAUNCH_BYTES elements. */
static bool add_dim(launch_reader_t *r, const yaml_node_t *node, launch_array_t *a) {
  uint64_t size;
  if (!launch_uint(r, node, "count", 1, LAUNCH_BYTES, &size)) return false;
  if (a->dims == NPY_DIMS) return launch_wrong(r, node, "count: more than %d dimensions", NPY_DIMS);
  a->shape[a->dims++] = size;
  if (!__builtin_mul_overflow(a->count, size, &a->count) && a->count <= LAUNCH_BYTES) return true;
  return launch_wrong(r, node, "count: a buffer has 2^32 bytes at most");
}

/* count: 1000, or count: [rows, columns]. */
static bool read_count(launch_reader_t *r, const yaml_node_t *node, launch_array_t *a) {
  const yaml_node_t *item;
  bool good = true;
  a->count = 1;
  if (node->type != YAML_SEQUENCE_NODE) return add_dim(r, node, a);
  for (size_t i = 0; good && (item = yaml_file_item(&r->yaml, node, i)); i++) good = add_dim(r, item, a);
  return good && (a->dims || launch_wrong(r, node, "count: a number of elements, or [rows, columns], would be right"));
}

/* ---- contents ---- */

/* A number for iota or random. Whole ones are read as 64 bits: a step may be negative. */
static bool read_number(launch_reader_t *r, const yaml_node_t *node, const element_t *t, launch_number_t *number) {
  const element_t *as = t->kind == 'f' ? t : element_find(t->kind == 'u' ? "u64" : "s64");
  uint8_t value[ELEMENT_BYTES];
  trouble_t trouble = {.text = "a number would be right"};
  const char *text = yaml_scalar(node);
  if (!text || !element_read(as, text, true, value, &trouble)) return launch_wrong(r, node, "fill: %s", trouble.text);
  number->real = element_real(as, value), number->whole = element_whole(as, value);
  return true;
}

/* A list of exactly two numbers into b->first and b->second. */
static bool read_pair(launch_reader_t *r, const yaml_node_t *node, const char *what, launch_buffer_t *b) {
  const yaml_node_t *one = node->type == YAML_SEQUENCE_NODE ? yaml_file_item(&r->yaml, node, 0) : NULL,
                    *two = one ? yaml_file_item(&r->yaml, node, 1) : NULL;
  if (!two || yaml_file_item(&r->yaml, node, 2)) return launch_wrong(r, node, "fill: '%s' would be right", what);
  return read_number(r, one, b->array.type, &b->first) && read_number(r, two, b->array.type, &b->second);
}

/* Does the type have the whole number? 128 bits hold the ends of every iota. */
static bool fits_type(const element_t *t, __int128 value) {
  const unsigned bits = 8 * t->bytes;
  const __int128 most = ((__int128)1 << (t->kind == 'i' ? bits - 1 : bits)) - 1, least = t->kind == 'i' ? -most - 1 : 0;
  return value >= least && value <= most;
}

/* A whole number of the type as its value. */
static __int128 as_int128(const element_t *t, int64_t whole) {
  return t->kind == 'u' ? (__int128)(uint64_t)whole : (__int128)whole;
}

/* iota: [first, step]. The first and the last number must be of the type; those between
 * are then, too. */
static bool read_iota(launch_reader_t *r, const yaml_node_t *node, launch_buffer_t *b) {
  const element_t *t = b->array.type;
  b->fill = FILL_IOTA;
  if (!read_pair(r, node, "iota: [first, step]", b)) return false;
  if (t->kind == 'f') return true;
  const __int128 last = as_int128(t, b->first.whole) + (__int128)b->second.whole * (__int128)(b->array.count - 1);
  if (fits_type(t, as_int128(t, b->first.whole)) && fits_type(t, last)) return true;
  return launch_wrong(r, node, "fill: iota: the first or the last number is no %s", t->name);
}

/* random: [least, most]. Both ends are in the range for whole numbers. */
static bool read_random(launch_reader_t *r, const yaml_node_t *node, launch_buffer_t *b) {
  const element_t *t = b->array.type;
  b->fill = FILL_RANDOM;
  if (!read_pair(r, node, "random: [least, most]", b)) return false;
  const bool ordered =
      t->kind == 'f' ? b->first.real <= b->second.real && b->second.real - b->first.real < __builtin_inf()
                     : fits_type(t, as_int128(t, b->first.whole)) && fits_type(t, as_int128(t, b->second.whole)) &&
                           as_int128(t, b->first.whole) <= as_int128(t, b->second.whole);
  return ordered ||
         launch_wrong(r, node, "fill: random: the least and the most number of a range of %s would be right", t->name);
}

/* Is the size known by now? Only a list of values or a file may give it. */
static bool needs_count(launch_reader_t *r, const yaml_node_t *node, const launch_buffer_t *b) {
  return b->array.dims ||
         launch_wrong(r, node, "buffer %s: its size is missing; bytes, or type and count, would be right", b->name);
}

/* fill: random, without a range: [-1, 1) for floating types, all numbers for whole ones. */
static void any_random(launch_buffer_t *b) {
  const element_t *t = b->array.type;
  const unsigned bits = 8 * t->bytes;
  b->fill = FILL_RANDOM;
  b->first = (launch_number_t){-1, t->kind == 'i' ? (int64_t)(UINT64_MAX << (bits - 1)) : 0};
  b->second = (launch_number_t){1, t->kind == 'i' ? (int64_t)(((uint64_t)1 << (bits - 1)) - 1)
                                                  : (int64_t)(UINT64_MAX >> (64 - bits))};
}

/* fill: zeros, iota, random, or one value for all elements. */
static bool read_word(launch_reader_t *r, const yaml_node_t *node, launch_buffer_t *b) {
  const char *text = yaml_scalar(node);
  trouble_t trouble = {0};
  if (!strcmp(text, "random")) return any_random(b), true;
  b->first = (launch_number_t){0}, b->second = (launch_number_t){1, 1};
  b->fill = FILL_VALUE;
  if (!strcmp(text, "zeros")) b->fill = FILL_ZEROS;
  if (!strcmp(text, "iota")) b->fill = FILL_IOTA;
  if (b->fill == FILL_IOTA && b->array.type->kind != 'f' && !fits_type(b->array.type, (__int128)b->array.count - 1))
    return launch_wrong(r, node, "fill: iota: the last number is no %s", b->array.type->name);
  if (b->fill != FILL_VALUE || element_read(b->array.type, text, false, b->value, &trouble)) return true;
  return launch_wrong(r, node, "fill: %s; so would zeros, iota, random or {file: NAME}", trouble.text);
}

/* values: [1, 2, 3]; their number is the size, if no size is given. */
static bool read_list(launch_reader_t *r, const yaml_node_t *node, launch_buffer_t *b) {
  uint64_t count;
  if (!b->array.type)
    return launch_wrong(r, node, "buffer %s: the type of its values is missing; 'type: f32' would be right", b->name);
  if (!launch_values(r, node, b->array.type, &count, &b->data)) return false;
  b->fill = FILL_DATA;
  if (!b->array.dims) b->array.dims = 1, b->array.shape[0] = b->array.count = count;
  if (count == b->array.count) return true;
  return launch_wrong(r, node, "fill: %" PRIu64 " values for %" PRIu64 " elements", count, b->array.count);
}

/* fill: a word, or a mapping with exactly one of random, iota, file and values. */
static bool read_fill(launch_reader_t *r, const yaml_node_t *node, launch_buffer_t *b) {
  const yaml_node_t *random, *iota, *file, *values, *seed;
  const launch_key_t keys[] = {{"random", &random}, {"iota", &iota}, {"file", &file},
                               {"values", &values}, {"seed", &seed}, {0}};
  if (yaml_scalar(node)) return needs_count(r, node, b) && read_word(r, node, b);
  if (!launch_keys(r, node, "fill", keys)) return false;
  if (!!random + !!iota + !!file + !!values != 1)
    return launch_wrong(r, node, "fill: one of random, iota, file and values would be right");
  if (seed && !random) return launch_wrong(r, seed, "seed: only 'random' has one");
  if (seed && !launch_uint(r, seed, "seed", 0, UINT64_MAX, &b->seed)) return false;
  b->seeded = seed != NULL;
  if (values) return read_list(r, values, b);
  if (file) return b->fill = FILL_DATA, launch_data(r, file, &b->array, &b->data);
  if (!needs_count(r, node, b)) return false;
  return random ? read_random(r, random, b) : read_iota(r, iota, b);
}

/* ---- a buffer ---- */

/* bytes, or type and count. bytes alone are elements of type u8. */
static bool read_size(launch_reader_t *r, const yaml_node_t *node, launch_buffer_t *b, const yaml_node_t *bytes,
                      const yaml_node_t *type, const yaml_node_t *count) {
  uint64_t size = 0;
  if (type && !launch_type(r, type, &b->array.type)) return false;
  if (bytes && count) return launch_wrong(r, bytes, "buffer %s: either bytes or count", b->name);
  if (count && !type)
    return launch_wrong(r, count, "buffer %s: the type of its elements is missing; 'type: f32' would be right",
                        b->name);
  if (count) return read_count(r, count, &b->array);
  if (!bytes) return true;
  if (!launch_uint(r, bytes, "bytes", 1, LAUNCH_BYTES, &size)) return false;
  if (!type) b->array.type = element_find("u8");
  b->array.dims = 1, b->array.shape[0] = b->array.count = size / b->array.type->bytes;
  return size % b->array.type->bytes == 0 ||
         launch_wrong(r, node, "buffer %s: %" PRIu64 " bytes are not whole elements", b->name, size);
}

/* Letters, digits and _, not a digit first. inf and nan are numbers, so they are no names. */
bool launch_is_name(const char *name) {
  if (!isalpha((unsigned char)*name) && *name != '_') return false;
  for (const char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '_') return false;
  return strlen(name) < LAUNCH_NAME && strcasecmp(name, "inf") != 0 && strcasecmp(name, "nan") != 0;
}

/* One buffer's mapping. */
static bool read_keys(launch_reader_t *r, const yaml_node_t *node, launch_buffer_t *b) {
  const yaml_node_t *bytes, *type, *count, *fill, *align;
  const launch_key_t keys[] = {{"type", &type}, {"count", &count}, {"bytes", &bytes},
                               {"fill", &fill}, {"align", &align}, {0}};
  if (!launch_keys(r, node, "a buffer", keys) || !read_size(r, node, b, bytes, type, count)) return false;
  if ((fill && !read_fill(r, fill, b)) || !needs_count(r, node, b)) return false;
  if (align && !launch_uint(r, align, "align", 1, 1 << 20, &b->align)) return false;
  if (b->align & (b->align - 1)) return launch_wrong(r, align, "align: a power of two would be right");
  b->bytes = b->array.count * b->array.type->bytes;
  return b->bytes <= LAUNCH_BYTES || launch_wrong(r, node, "buffer %s: it has more than 2^32 bytes", b->name);
}

/* A buffer begins at a multiple of 256 unless `align` says more. */
static bool read_buffer(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                        const yaml_node_t *value) {
  launch_reader_t *r = context;
  launch_file_t *l = r->file;
  (void)f;
  if (!launch_is_name(name))
    return launch_wrong(r, key, "'%.60s' is no name of a buffer; letters, digits and _ would be right, a letter first",
                        name);
  if (l->buffers == LAUNCH_BUFFERS) return launch_wrong(r, key, "more than %d buffers", LAUNCH_BUFFERS);
  launch_buffer_t *b = &l->buffer[l->buffers++];
  *b = (launch_buffer_t){.align = 256};
  snprintf(b->name, sizeof b->name, "%s", name);
  return read_keys(r, value, b);
}

bool launch_read_buffers(launch_reader_t *r, const yaml_node_t *node) {
  if (node->type != YAML_MAPPING_NODE)
    return launch_wrong(r, node, "buffers: 'name: {type: f32, count: 1000}' would be right");
  if (!(r->file->buffer = calloc(LAUNCH_BUFFERS, sizeof *r->file->buffer))) return launch_no_memory(r, node);
  return yaml_file_each(&r->yaml, node, read_buffer, r);
}
