/* SPDX-License-Identifier: Apache-2.0
 *
 * What icarus_vpi.c and icarus_shim.cpp agree on.
 */
#ifndef ICARUS_FRAME_H
#define ICARUS_FRAME_H

enum { ICARUS_FD = 3 };                    /* of the socket, in vvp */
enum { ICARUS_ALL = 1, ICARUS_CLOCK = 2 }; /* what a frame starts with */

#endif
