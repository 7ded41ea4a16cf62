/* SPDX-License-Identifier: Apache-2.0
 *
 * What the writers of a new block's files share.
 */
#ifndef SCAFFOLD_INSIDE_H
#define SCAFFOLD_INSIDE_H

#include "scaffold.h"

#include <stdio.h>

/* False: clock or reset. */
bool scaffold_is_data(const scaffold_t *s, const module_port_t *p);

/* The port's name in the port file. */
const char *scaffold_field(const scaffold_t *s, const module_port_t *p);

/* A width with the parameters' names here. Returns text. */
const char *scaffold_expr(const scaffold_t *s, const char *expr, char text[2 * MODULE_EXPR]);

/* The port's width in C, in brackets if it is more than a word. Returns text. */
const char *scaffold_width(const scaffold_t *s, int port, char text[2 * MODULE_EXPR + 4]);

/* The width of a lane's part of a port, of so many lanes. Returns text. */
const char *scaffold_lane(const scaffold_t *s, int port, const char *lanes, char text[2 * MODULE_EXPR + 4]);

/* A name in C for an interface: one for each. Returns text. */
const char *scaffold_bus(const scaffold_t *s, const interface_t *interface, char text[PORT_NAME]);

/* The port in an expression of C, as `in->psel`; 0 where there is none. inputs, outputs: the
 * structs, "in->" and "out->". Returns text. */
const char *scaffold_value(const scaffold_t *s, int port, const char *inputs, const char *outputs,
                           char text[2 * PORT_NAME]);

/* X_stim.c */
void scaffold_write_stim(const scaffold_t *s, FILE *out);

/* `legal` of X_stim.c: false: no interface has inputs with rules, and nothing is written. */
bool scaffold_write_legal(const scaffold_t *s, FILE *out);

/* The watches of the block's own outputs, in X.h and X.c. The last one is false if there are none.
 */
void scaffold_write_watch_headers(const scaffold_t *s, FILE *out);
void scaffold_write_watch_state(const scaffold_t *s, FILE *out);
bool scaffold_write_watches(const scaffold_t *s, FILE *out);

#endif
