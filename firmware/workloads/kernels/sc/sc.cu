/* SPDX-License-Identifier: Apache-2.0
 *
 * Stream clustering, at the size that Rodinia's own script takes.
 */
#include "stcl/stcl.cu"
