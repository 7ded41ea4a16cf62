/* SPDX-License-Identifier: Apache-2.0
 *
 * Include this after `#include PORTS_FILE`: it undefines every port-file macro for the next use.
 */
#undef KIND
#undef CLOCK
#undef RESET
#undef PARAM
#undef IN
#undef OUT
#undef ERROR
#undef OFF
#undef PROBE
#undef IN_V
#undef OUT_V
#undef PROBE_V
#undef IN_S
#undef OUT_S
#undef PROBE_S
#undef IN_N
#undef OUT_N
#undef PROBE_N
#undef COVER
#undef COVER_LET
#undef COVER_STREAK
#undef COVER_LEVEL
#undef COVER_LAST
#undef COVER_AXIS
#undef COVER_CROSS
