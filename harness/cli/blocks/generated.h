/* SPDX-License-Identifier: Apache-2.0
 *
 * What Yosys is given: the tree, and the Verilog packages made of its lists.
 */
#ifndef GENERATED_H
#define GENERATED_H

#include <stddef.h>

#include "trouble.h"

/* Folder of the generated packages, PROOF_PATH characters: the build's, or made below `work` from
 * the installed files. ENVIRONMENT: portgen cannot make them. */
bool cli_generated(char *gen, const char *work, trouble_t *trouble);

const char *cli_source(void); /* the tree, or where its files were installed */

#endif
