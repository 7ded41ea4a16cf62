/* SPDX-License-Identifier: Apache-2.0
 *
 * Dyadic convolution by fast Walsh transforms, with 32-bit pointers.
 */
#include "fwt/fwt.cu"
