/* SPDX-License-Identifier: Apache-2.0
 *
 * The wrapper of a proof, module X_proof: where its file is, which parameters it gets, and
 * whether the block inside has the values that it should.
 */
#ifndef WRAPPER_H
#define WRAPPER_H

#include "engine.h"

/* tests/formal/X.sv, or X_proof.sv of a block outside the tree. path has PROOF_PATH characters.
 * Returns path. */
char *wrapper_path(const engine_t *engine, const proof_t *proof, char *path);

/* Writes "Name=Value,..." for those parameters of the block that the wrapper declares. INPUT:
 * the wrapper lacks a parameter that `params` sets. */
bool wrapper_params(const engine_t *engine, const proof_t *proof, const char *params, char *text, size_t size,
                    trouble_t *trouble);

/* Call it after elaboration; it reads work/values.txt. The wrapper must have these values, and
 * so must the block, unless the wrapper connects another value. At least one instance must have
 * all values of `params`. INPUT: no instance has them, or a default of the RTL would decide. */
bool wrapper_check(const engine_t *engine, const proof_t *proof, const char *params, const char *work,
                   trouble_t *trouble);

#endif
