/* SPDX-License-Identifier: Apache-2.0
 *
 * k-means, assignment step, with 32-bit pointers.
 */
#include "kmn/kmn.cu"
