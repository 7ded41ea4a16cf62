/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a proof's description, tests/formal/X.prove. It says which claims of tests/formal/X.sv
 * are checked, by which method and for which parameters. It also lists broken copies of the RTL:
 * each breaks one line, and its property must refute that copy. tests/formal/README.md explains
 * the format.
 */
#ifndef PROOF_H
#define PROOF_H

#include <stdbool.h>
#include <stddef.h>

#include "trouble.h"

/* Sizes in characters, with the ending 0; PROOF_MOST is the limit of each list in a description. */
enum { PROOF_NAME = 64, PROOF_TEXT = 512, PROOF_PATH = 4096, PROOF_MOST = 64 };

typedef enum { METHOD_PDR, METHOD_INDUCTION, METHOD_BMC, METHOD_COVER } method_t;

/* A property or a cover: the label of one statement of X.sv. */
typedef struct {
  char name[PROOF_NAME];
  method_t method;
  unsigned depth;        /* cycles to look at; 0 for pdr, which needs none */
  char only[PROOF_TEXT]; /* conditions on parameters, "Bound>0 NumReq=4"; "": none */
} claim_t;

/* The RTL file with `from` replaced by `to`; `property` must
 * not hold of it. A line with several is as many of these. */
typedef struct {
  char name[PROOF_NAME], property[PROOF_NAME];
  char file[PROOF_TEXT]; /* below rtl/, or below the folder of a block outside the tree */
  char only[PROOF_TEXT];
  char from[PROOF_TEXT], to[PROOF_TEXT];
  unsigned line; /* line of the description */
} broken_t;

typedef struct {
  char name[PROOF_NAME];
  long value, least, most;
  /* least and most are plain numbers in the port file; other bounds are checked when all values
   * are known (port_params.h) */
  bool bounded;
  char values[PROOF_TEXT]; /* a text: its values with blanks between; the numbers are places in them. "": a number */
} param_t;

typedef struct {
  char block[PROOF_NAME];
  char subject[PROOF_PATH]; /* name in results: the block, or its folder outside the tree */
  char path[PROOF_PATH];
  char params[PROOF_MOST][PROOF_TEXT]; /* "NumReq=4 Bound=0" */
  claim_t claims[PROOF_MOST];
  broken_t broken[PROOF_MOST];
  param_t defaults[PROOF_MOST]; /* the port file's */
  unsigned num_params, num_claims, num_broken, num_defaults;
} proof_t;

/* Call proof_read_ports first: proof_read checks names and values against `defaults`. root is
 * the tree; a port file may use lists of the tree. False: trouble is INPUT and names file and
 * line. */
bool proof_read_ports(proof_t *proof, const char *root, const char *path, trouble_t *trouble);
bool proof_read(proof_t *proof, const char *path, trouble_t *trouble);

/* Leaves one set of parameters: the description's first set with "Name=Value" put in. */
bool proof_set(proof_t *proof, const char *setting, trouble_t *trouble);

/* True when all conditions of `only` hold. A parameter that params does not name has the port
 * file's value. */
bool proof_applies(const proof_t *proof, const char *only, const char *params);

/* The value of one of `defaults`: as params says, else as the port file says. */
/* A value as Verilog has it: 4, or of a text "SLOW" in quotes. */
const char *proof_value_text(const param_t *param, long value, char text[PROOF_NAME]);
long proof_value(const proof_t *proof, const char *params, const param_t *param);

const claim_t *proof_claim(const proof_t *proof, const char *name); /* NULL: none */
const char *method_name(method_t method);

#endif
