/* SPDX-License-Identifier: Apache-2.0
 *
 * The VCs of a port, as rtl/router/README.md numbers them [R1, R2]. An includer needs NumVCs,
 * Classes and Tr (a port file's header).
 */
#ifndef ROUTER_VC_H
#define ROUTER_VC_H

#include <stdbool.h>

enum {
  VCS = (NumVCs) + (Tr) * (Classes), /* V: normal VCs, then a priority buffer a class */
  CLASS_VCS = (NumVCs) / (Classes),  /* normal VCs of a class */
  VC_MOST = 64                       /* input VCs of a router: P * V */
};
_Static_assert((NumVCs) % (Classes) == 0, "Classes: divides NumVCs");
_Static_assert(VCS <= 16, "NumVCs + Tr * Classes: at most 16, for VC numbers have 4 bits");

/* VC v of a port: a priority buffer, its class. */
static inline bool vc_is_priority(unsigned v) {
  return v >= NumVCs;
}
static inline unsigned vc_class(unsigned v) {
  return vc_is_priority(v) ? v - (NumVCs) : v / CLASS_VCS;
}
/* VCs of a class: its priority buffer (only with Tr), its first normal VC. */
static inline unsigned vc_priority(unsigned class) {
  return (NumVCs) + class;
}
static inline unsigned vc_first_of(unsigned class) {
  return class * CLASS_VCS;
}

#endif
