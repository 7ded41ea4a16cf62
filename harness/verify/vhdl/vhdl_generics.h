/* SPDX-License-Identifier: Apache-2.0
 *
 * The generics of an entity: what the source says, and, from a small entity that ghdl synthesises
 * (the probe), which values they have.
 */
#ifndef VHDL_GENERICS_H
#define VHDL_GENERICS_H

#include "ghdl_gates.h"
#include "trouble.h"

#include <stdbool.h>
#include <stdio.h>

/* OTHER: a type that no parameter has, such as a string. */
typedef enum { VHDL_INTEGER, VHDL_BOOLEAN, VHDL_BIT, VHDL_VECTOR, VHDL_OTHER } vhdl_kind_t;

enum { VHDL_GENERICS = 64, VHDL_NAME = 128, VHDL_BITS = 64 };

typedef struct {
  char name[VHDL_NAME], mark[VHDL_NAME]; /* as written; the type's name in small letters */
  vhdl_kind_t kind;
  bool has_default;
  unsigned line, end;       /* end: of its declaration, in the clause */
  char bits[VHDL_BITS + 1]; /* its value: 32 bits of an integer, one of a boolean or bit; "": none */
} vhdl_generic_t;

typedef struct {
  vhdl_generic_t at[VHDL_GENERICS];
  unsigned count;
  char *clause, *context; /* the text between the brackets; library and use clauses before the entity */
} vhdl_generics_t;

bool vhdl_generics_read(const char *path, const char *entity, vhdl_generics_t *g, trouble_t *trouble);
void vhdl_generics_free(vhdl_generics_t *g);

/* The value that "A=1,B=2" gives the generic. False: none. */
bool vhdl_generics_given(const char *params, const vhdl_generic_t *generic, long long *value);

#define VHDL_PROBE "lockstack_generics"

/* The probe, an entity VHDL_PROBE with an output for each generic that is no OTHER. */
void vhdl_generics_probe(const vhdl_generics_t *g, FILE *to);
/* Takes the values from the probe's netlist. */
bool vhdl_generics_values(vhdl_generics_t *g, const ghdl_gates_t *probe);

/* "-gDepth=4" for a value of the generic; "": not a value that it can have. */
void vhdl_generics_option(const vhdl_generic_t *generic, long long value, char *text, unsigned size);

/* The parameters of the module: "parameter integer Depth = 4, parameter [0:0] Fast = 1'b1". */
void vhdl_generics_parameters(const vhdl_generics_t *g, FILE *to);

#endif
