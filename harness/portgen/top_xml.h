/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameters and types of the top module from Verilator's XML (--xml-only). The XML is written
 * after elaboration, so the parameters have the values that were given.
 *
 *   top_xml_t top;
 *   if (top_xml_read(&top, "design.xml")) ...
 *   top_xml_free(&top);
 */
#ifndef TOP_XML_H
#define TOP_XML_H

#include <stdbool.h>
#include <stddef.h>

enum { TOP_XML_NAME = 128, TOP_XML_FILES = 4096 };

typedef struct {
  unsigned width; /* in bits; 0: no plain vector */
  unsigned of;    /* the id of the type that this one renames; 0: none */
  bool is_signed;
} top_xml_type_t;

typedef struct {
  char name[TOP_XML_NAME], text[TOP_XML_NAME]; /* name, and value in Verilator's notation */
  char place[512];                             /* the declaration, "x.sv:3"; the file without its folder */
  unsigned width;                              /* of its type, in bits; 0: no plain vector */
  bool is_signed;
  bool number;     /* the value fits a long long; also a real that is whole */
  long long value; /* if `number` */
} top_xml_param_t;

typedef struct {
  top_xml_param_t *params;
  unsigned num_params;
  top_xml_type_t *types; /* indexed by Verilator's type id */
} top_xml_t;

/* False: the file cannot be read, or there is no memory. */
bool top_xml_read(top_xml_t *top, const char *path);
void top_xml_free(top_xml_t *top);

/* The type with this id; follows renamed types to the real one. */
top_xml_type_t top_xml_type(const top_xml_t *top, unsigned id);

/* The value of name="value" in the XML element on `line`. False: the element lacks it, and value is
 * "". */
bool top_xml_attribute(const char *line, const char *name, char *value, size_t size);
/* The same for a name: XML's &quot; and others are the characters again. */
bool top_xml_name(const char *line, char *name, size_t size);
/* the same for a decimal number; 0: missing */
unsigned top_xml_number(const char *line, const char *name);

/* Where a reader is, line by line; {0} at the start. */
typedef struct {
  bool inside; /* the top module */
  int depth;   /* of elements in it */
} top_xml_place_t;

/* Follows the elements of a file whose lines have lost their indentation. True: the line begins an
 * element right in the top module, as a port or a parameter does. Arguments of the module's
 * functions, and parameters of its generate blocks, lie deeper. */
bool top_xml_follow(top_xml_place_t *at, const char *line);

/* The number of the file in a location: "c" of loc="c,2,28,2,30". Below TOP_XML_FILES; 0: too many
 * files. */
unsigned top_xml_file(const char *place);

#endif
