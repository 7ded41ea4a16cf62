/* SPDX-License-Identifier: Apache-2.0
 *
 * What Verilator's XML (--xml-only) says of the top module's parameters and of types: after
 * elaboration, so with the values that were given.
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
  unsigned width; /* 0: not a plain vector */
  unsigned of;    /* the type that it is another name of; 0: none */
  bool is_signed;
} top_xml_type_t;

typedef struct {
  char name[TOP_XML_NAME], text[TOP_XML_NAME]; /* text: the value as Verilator writes it */
  char place[512];                             /* "x.sv:3", its declaration; the file without its folder */
  unsigned width;                              /* in bits, of its type; 0: it is no plain vector */
  bool is_signed;
  bool number;     /* has a value that long long holds; also a real one that is whole */
  long long value; /* of a number */
} top_xml_param_t;

typedef struct {
  top_xml_param_t *params;
  unsigned num_params;
  top_xml_type_t *types;
} top_xml_t;

/* False: it cannot be read, or there is no memory. */
bool top_xml_read(top_xml_t *top, const char *path);
void top_xml_free(top_xml_t *top);

/* The type of this number, behind its other names. */
top_xml_type_t top_xml_type(const top_xml_t *top, unsigned id);

/* Of a line's element: name="value". False: it has none, value is "". */
bool top_xml_attribute(const char *line, const char *name, char *value, size_t size);
unsigned top_xml_number(const char *line, const char *name); /* of digits; 0: it has none */

/* The number of the file that a place begins with, "c" of loc="c,2,28,2,30"; below TOP_XML_FILES,
 * 0: there are too many. */
unsigned top_xml_file(const char *place);

#endif
