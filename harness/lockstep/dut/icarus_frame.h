/* SPDX-License-Identifier: Apache-2.0
 *
 * The protocol between icarus_vpi.c and icarus_shim.cpp.
 */
#ifndef ICARUS_FRAME_H
#define ICARUS_FRAME_H

enum { ICARUS_FD = 3 };                    /* file descriptor of the socket, in vvp */
enum { ICARUS_ALL = 1, ICARUS_CLOCK = 2 }; /* first byte of a frame */

#endif
