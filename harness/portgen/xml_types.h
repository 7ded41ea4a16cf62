/* SPDX-License-Identifier: Apache-2.0
 *
 * The types of a design, and the ports of its top module, from Verilator's XML (--xml-only):
 * structs with their fields, enums with their labels, arrays with their ranges.
 *
 *   xml_types_t types;
 *   if (xml_types_read(&types, "design.xml")) ...
 *   xml_types_free(&types);
 */
#ifndef XML_TYPES_H
#define XML_TYPES_H

#include "port_memory.h"

#include <stdbool.h>

typedef enum { XML_OTHER, XML_VECTOR, XML_STRUCT, XML_UNION, XML_ENUM, XML_PACKED, XML_UNPACKED } xml_kind_t;

/* In Verilator's numbers: files from 1. */
typedef struct {
  unsigned file, line, column, end;
} xml_place_t;

typedef struct {
  const char *name;  /* a field, or a label */
  unsigned type;     /* its type's id */
  const char *value; /* of a label: its bits in hexadecimal */
  xml_place_t place;
} xml_member_t;

typedef struct {
  xml_kind_t kind;
  const char *name;      /* without its package, "req_t"; "": none */
  unsigned width;        /* of a vector */
  unsigned of;           /* id of the elements' type, or of the type that is renamed; 0: none */
  long long left, right; /* range of an array */
  xml_member_t *members; /* fields, most significant first, or labels */
  unsigned count, room;
  bool renames, parameter; /* a typedef's name; a `parameter type` */
  xml_place_t place;
} xml_type_t;

typedef struct {
  const char *name, *type_name; /* type_name: as the declaration has it, "req_t" */
  unsigned type;
  bool output;
  xml_place_t place;
} xml_port_t;

typedef struct {
  xml_port_t is;     /* name and type */
  xml_place_t value; /* where its default is written */
} xml_param_t;

typedef struct {
  xml_type_t *types; /* by id */
  unsigned num_types;
  bool *used; /* by id: something in a module has the type */
  xml_port_t *ports;
  unsigned num_ports;
  xml_param_t *params; /* of the top module, but for types */
  unsigned num_params;
  const char **files; /* by number */
  xml_place_t module; /* the top module */
  port_arena_t arena;
} xml_types_t;

bool xml_types_read(xml_types_t *types, const char *path);
void xml_types_free(xml_types_t *types);

/* The type of this id behind all its names; never NULL. */
const xml_type_t *xml_type_of(const xml_types_t *types, unsigned id);

/* Its bits, of an unpacked array those of all elements; 0: it has none, as a real. */
unsigned xml_type_bits(const xml_types_t *types, unsigned id);

/* True if an unpacked array in a module has elements that are structs or unions; *place: where. */
bool xml_types_struct_array(const xml_types_t *types, xml_place_t *place);

/* The port of this name; NULL: none. */
const xml_port_t *xml_port(const xml_types_t *types, const char *name);

/* The enum of a port or of its elements, or of a field of `in`. Verilator shows them as plain
 * vectors, so that the enum is known by the name that the declaration has. NULL: none, or not
 * known. */
const xml_type_t *xml_port_enum(const xml_types_t *types, const xml_port_t *port);
const xml_type_t *xml_member_enum(const xml_types_t *types, const xml_type_t *in, const xml_member_t *member);

#endif
