/* SPDX-License-Identifier: Apache-2.0
 *
 * What Yosys is given of the tree: its sources, and the Verilog packages made from its lists.
 */
#ifndef GENERATED_H
#define GENERATED_H

#include <stddef.h>

#include "trouble.h"

/* Writes to gen (PROOF_PATH characters) the folder of the generated packages: the build's, or one
 * below `work` that portgen fills now from the installed files. False: portgen cannot make them,
 * TROUBLE_ENVIRONMENT. */
bool cli_generated(char *gen, const char *work, trouble_t *trouble);

const char *cli_source(void); /* the tree, or where its files were installed */

#endif
