/* SPDX-License-Identifier: Apache-2.0
 *
 * A GPU's network interfaces: their ports and clocks.
 */
#ifndef PART_NI_H
#define PART_NI_H

enum { PART_NI_GPU, PART_NI_NET };
enum { PART_NI_LINK, PART_NI_NETWORK };

#endif
