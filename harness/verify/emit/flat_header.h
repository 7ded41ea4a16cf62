/* SPDX-License-Identifier: Apache-2.0
 *
 * The head of a module by its text: which ports are interfaces, and where to write into it. Only
 * flat.c uses it.
 */
#ifndef FLAT_HEADER_H
#define FLAT_HEADER_H

#include "trouble.h"

#include <stdbool.h>
#include <stddef.h>

enum { FLAT_PORTS = 64, FLAT_NAME = 128, FLAT_RANGE = 256 };

/* `bus_if.slave s [2]`: the text from begin to end. */
typedef struct {
  char name[FLAT_NAME], interface[FLAT_NAME], modport[FLAT_NAME], range[FLAT_RANGE];
  size_t begin, end;
  unsigned line;
} flat_port_t;

/* Places are offsets in the text. */
typedef struct {
  flat_port_t ports[FLAT_PORTS];
  unsigned num_ports;
  size_t name_end;                 /* behind the module's name and its imports */
  size_t params_begin, params_end; /* between the ( and ) of #( ); 0: there is none */
  size_t body;                     /* behind the head's ; */
  unsigned body_line;
} flat_header_t;

/* Reads the head of this module. True without ports: it has no interface, or there is no such
 * module. False: trouble says in "file:line: ..." which port cannot be taken. file: for messages.
 * */
bool flat_header_read(flat_header_t *header, const char *text, const char *module, const char *file,
                      trouble_t *trouble);

/* True if the module's parameters name this word. */
bool flat_header_has_param(const flat_header_t *header, const char *text, const char *name);

#endif
