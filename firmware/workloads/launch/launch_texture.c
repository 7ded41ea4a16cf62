/* SPDX-License-Identifier: Apache-2.0
 *
 * The section `textures`: buffers as textures and surfaces, samplers alone, and references of the
 * module that are bound to them.
 *
 *    row:     | texel | texel | ... | gap |        pitch bytes from row to row
 *    slice:   | row | row | ... |                  height rows; slices are layers or the depth
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch_parts.h"
#include "nearest.h"

enum { WORDS = 6 }; /* and a NULL */

/* The values of a texture's keys; NULL where a key is missing. */
typedef struct {
  const yaml_node_t *buffer, *offset, *as, *size, *layers, *channels, *type, *pitch, *address, *filter, *coordinates,
      *read, *border, *reference;
} nodes_t;

/* One of a few words, as its number in the list. */
static bool read_word(launch_reader_t *r, const yaml_node_t *node, const char *what, const char *const words[WORDS],
                      uint32_t *number) {
  const char *text = yaml_scalar(node);
  char all[120] = "";
  for (*number = 0; words[*number]; ++*number) {
    if (text && !strcmp(text, words[*number])) return true;
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", *number ? ", " : "", words[*number]);
  }
  return launch_wrong(r, node, "%s: '%.40s' is none; %s would be right", what, text ? text : "..", all);
}

/* A whole number from 1 to `most`. */
static bool read_u32(launch_reader_t *r, const yaml_node_t *node, const char *what, uint64_t most, uint32_t *value) {
  uint64_t wide = 0;
  bool good = launch_uint(r, node, what, 1, most, &wide);
  *value = (uint32_t)wide;
  return good;
}

/* ---- what is in memory ---- */

/* size: width, or [width, height], or [width, height, depth], in texels. */
static bool read_size(launch_reader_t *r, const yaml_node_t *node, rt_texture_t *t) {
  uint32_t *const dim[] = {&t->width, &t->height, &t->depth};
  const yaml_node_t *item;
  bool good = true;
  if (node->type != YAML_SEQUENCE_NODE) return read_u32(r, node, "size", 1u << 28, &t->width);
  for (size_t i = 0; good && (item = yaml_file_item(&r->yaml, node, i)); i++)
    good =
        i < 3 ? read_u32(r, item, "size", 1u << 28, dim[i]) : launch_wrong(r, item, "size: three dimensions at most");
  return good && (t->width ||
                  launch_wrong(r, node, "size: 100, or [width, height], or [width, height, depth], would be right"));
}

/* The format is the element type's place in texture_formats.def. */
static bool read_format(launch_reader_t *r, const nodes_t *n, const launch_buffer_t *b, rt_texture_t *t) {
  static const char *const names[] = {
#define TEXEL(name, bytes, kind, number, whole, unit) #name,
#include "texture_formats.def"
#undef TEXEL
      NULL};
  const element_t *type = b->array.type;
  if (n->type && !launch_type(r, n->type, &type)) return false;
  for (t->format = 0; names[t->format] && strcmp(names[t->format], type->name) != 0;) t->format++;
  if (!names[t->format])
    return launch_wrong(r, n->type ? n->type : n->buffer,
                        "type: a texture has no elements of type %s; u8 to s32, f16 and f32 are there", type->name);
  t->channels = 1;
  return !n->channels || read_u32(r, n->channels, "channels", 4, &t->channels);
}

/* Pitch, slice and offset in bytes. By default rows and layers follow each other without gaps. All
 * texels must lie in the buffer, but not the gap behind the last row. */
static bool read_place(launch_reader_t *r, const nodes_t *n, launch_texture_t *l) {
  rt_texture_t *t = &l->texture;
  const launch_buffer_t *b = &r->file->buffer[l->buffer];
  t->pitch = t->width * (uint64_t)rt_texture_texel(t);
  if (n->pitch && !launch_uint(r, n->pitch, "pitch", t->pitch, UINT32_MAX, &t->pitch)) return false;
  t->slice = t->pitch * (t->height ? t->height : 1);
  if (n->offset && !launch_uint(r, n->offset, "offset", 0, b->bytes, &l->offset)) return false;
  const uint64_t gap = t->pitch - t->width * (uint64_t)rt_texture_texel(t);
  uint64_t bytes, slices = 1;
  if (t->layers) slices = t->layers;
  if (t->depth) slices = t->depth;
  if (!__builtin_mul_overflow(t->slice, slices, &bytes) && bytes - gap <= b->bytes - l->offset) return true;
  return launch_wrong(r, n->size, "texture %s: its texels are more than the %" PRIu64 " bytes of %s", l->name,
                      b->bytes - l->offset, b->name);
}

/* Buffer, size, layers, format, place: each needs the one before. */
static bool read_memory(launch_reader_t *r, const nodes_t *n, launch_texture_t *l) {
  rt_texture_t *t = &l->texture;
  unsigned number;
  if (!launch_buffer_named(r, n->buffer, &number)) return false;
  l->buffer = (int)number;
  if (!n->size)
    return launch_wrong(r, n->buffer, "texture %s: its size is missing; 'size: [width, height]' would be right",
                        l->name);
  if (!read_size(r, n->size, t)) return false;
  if (n->layers && !read_u32(r, n->layers, "layers", 2048, &t->layers)) return false;
  if (!read_format(r, n, &r->file->buffer[number], t)) return false;
  return read_place(r, n, l);
}

/* ---- how it is read ---- */

/* One mode for all dimensions, or [x, y, z]. */
static bool read_address(launch_reader_t *r, const yaml_node_t *node, rt_texture_t *t) {
  static const char *const modes[WORDS] = {"wrap", "clamp", "mirror", "border"};
  const yaml_node_t *item;
  bool good = true;
  if (node->type != YAML_SEQUENCE_NODE) {
    good = read_word(r, node, "address", modes, &t->address[0]);
    t->address[1] = t->address[2] = t->address[0];
  } else
    for (size_t i = 0; good && (item = yaml_file_item(&r->yaml, node, i)); i++)
      good = i < 3 ? read_word(r, item, "address", modes, &t->address[i])
                   : launch_wrong(r, item, "address: three dimensions at most");
  return good;
}

/* At most four channels; missing ones are 0. */
static bool read_border(launch_reader_t *r, const yaml_node_t *node, rt_texture_t *t) {
  uint64_t count;
  uint8_t *colour;
  if (!launch_values(r, node, element_find("f32"), &count, &colour)) return false;
  if (count <= 4) memcpy(t->border, colour, count * sizeof *t->border);
  free(colour);
  return count <= 4 || launch_wrong(r, node, "border: four channels at most");
}

/* Modes by default: clamp, point, texels, element. */
static bool read_sampling(launch_reader_t *r, const nodes_t *n, rt_texture_t *t) {
  static const char *const filters[WORDS] = {"point", "linear"}, *const coordinates[WORDS] = {"texels", "normalized"},
                           *const reads[WORDS] = {"element", "normalized"};
  for (unsigned i = 0; i < 3; i++) t->address[i] = RT_ADDRESS_CLAMP;
  if (n->address && !read_address(r, n->address, t)) return false;
  if (n->filter && !read_word(r, n->filter, "filter", filters, &t->filter)) return false;
  if (n->coordinates && !read_word(r, n->coordinates, "coordinates", coordinates, &t->normalized)) return false;
  if (n->read && !read_word(r, n->read, "read", reads, &t->unit)) return false;
  return !n->border || read_border(r, n->border, t);
}

/* ---- a texture ---- */

/* The module's variable by name, at module level. */
static bool read_reference(launch_reader_t *r, const yaml_node_t *node, launch_texture_t *l) {
  const ptx_module_t *m = r->file->module;
  const char *name = yaml_scalar(node);
  nearest_t near;
  nearest_start(&near, name ? name : "");
  for (uint32_t i = 0; i < m->num_vars; i++) {
    const ptx_var_t *v = &m->vars[i];
    if (v->func != PTX_NONE || (v->type != PTX_TEXREF && v->type != PTX_SAMPLERREF && v->type != PTX_SURFREF)) continue;
    if (name && !strcmp(v->name, name)) return l->reference = v->name, true;
    nearest_try(&near, v->name);
  }
  return launch_wrong(r, node, "no texture or surface reference '%.80s' in %.160s%s", name ? name : "..", m->file,
                      nearest_text(&near));
}

/* A sampler alone has no texels, so their keys are refused. */
static bool read_nodes(launch_reader_t *r, const yaml_node_t *node, const nodes_t *n, launch_texture_t *l) {
  static const char *const kinds[WORDS] = {"texture", "linear", "pitch", "surface", "sampler"};
  trouble_t wrong;
  if (n->as && !read_word(r, n->as, "as", kinds, &l->texture.kind)) return false;
  l->buffer = -1;
  if (!n->buffer && l->texture.kind != RT_SAMPLER)
    return launch_wrong(r, node, "texture %s: its buffer is missing; 'buffer: NAME' would be right", l->name);
  if (l->texture.kind == RT_SAMPLER &&
      (n->buffer || n->size || n->layers || n->channels || n->type || n->pitch || n->offset))
    return launch_wrong(r, node,
                        "texture %s: a sampler has no texels; address, filter, coordinates and border are what it has",
                        l->name);
  if (n->buffer && !read_memory(r, n, l)) return false;
  if (!read_sampling(r, n, &l->texture)) return false;
  if (n->reference && !read_reference(r, n->reference, l)) return false;
  rt_texture_t at = l->texture;
  at.at = l->offset; /* buffers begin at multiples of 256 */
  return rt_texture_good(&at, &wrong) || launch_wrong(r, node, "texture %s: %s", l->name, wrong.text);
}

/* Textures and buffers share their names, as arguments may name either. */
static bool read_texture(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                         const yaml_node_t *value) {
  launch_reader_t *r = context;
  launch_file_t *file = r->file;
  nodes_t n;
  const launch_key_t keys[] = {{"buffer", &n.buffer},
                               {"size", &n.size},
                               {"as", &n.as},
                               {"type", &n.type},
                               {"channels", &n.channels},
                               {"layers", &n.layers},
                               {"pitch", &n.pitch},
                               {"offset", &n.offset},
                               {"address", &n.address},
                               {"filter", &n.filter},
                               {"coordinates", &n.coordinates},
                               {"read", &n.read},
                               {"border", &n.border},
                               {"reference", &n.reference},
                               {0}};
  (void)f;
  if (!launch_is_name(name))
    return launch_wrong(r, key, "'%.60s' is no name of a texture; letters, digits and _ would be right, a letter first",
                        name);
  if (launch_find_buffer(r, name) >= 0)
    return launch_wrong(r, key, "'%.60s' is a buffer's name; another one would be right", name);
  if (file->textures == LAUNCH_TEXTURES) return launch_wrong(r, key, "more than %d textures", LAUNCH_TEXTURES);
  launch_texture_t *l = &file->texture[file->textures++];
  snprintf(l->name, sizeof l->name, "%s", name);
  l->line = (unsigned)value->start_mark.line + 1;
  return launch_keys(r, value, "a texture", keys) && read_nodes(r, value, &n, l);
}

bool launch_read_textures(launch_reader_t *r, const yaml_node_t *node) {
  if (node->type != YAML_MAPPING_NODE)
    return launch_wrong(r, node, "textures: 'name: {buffer: x, size: [64, 48]}' would be right");
  if (!(r->file->texture = calloc(LAUNCH_TEXTURES, sizeof *r->file->texture))) return launch_no_memory(r, node);
  return yaml_file_each(&r->yaml, node, read_texture, r);
}
