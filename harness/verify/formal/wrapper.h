/* SPDX-License-Identifier: Apache-2.0
 *
 * The wrapper of a proof, module X_proof: its file, the parameters that it is given, and whether
 * the block inside has the values that it should.
 */
#ifndef WRAPPER_H
#define WRAPPER_H

#include "engine.h"

/* tests/formal/X.sv, or X_proof.sv of a block outside
 * of the tree. PROOF_PATH characters. Returns path. */
char *wrapper_path(const engine_t *engine, const proof_t *proof, char *path);

/* Of all the block's parameters, at these values, those that the wrapper
 * declares. INPUT: it lacks one that `params` sets. */
bool wrapper_params(const engine_t *engine, const proof_t *proof, const char *params, char *text, size_t size,
                    trouble_t *trouble);

/* After elaboration, of what Yosys says in work/values.txt: the wrapper has these values, and so
 * has the block in it where the wrapper itself does not say another value. At least one instance of
 * the block has all values that `params` names. INPUT: there is none, or the RTL's own default
 * would decide. */
bool wrapper_check(const engine_t *engine, const proof_t *proof, const char *params, const char *work,
                   trouble_t *trouble);

#endif
