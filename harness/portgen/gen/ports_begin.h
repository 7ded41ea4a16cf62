/* SPDX-License-Identifier: Apache-2.0
 *
 * Include this before `#include PORTS_FILE`. Every port-file macro that the includer has not
 * defined expands to nothing. Port files (rtl/FAM/X.ports) are lists of these macros;
 * docs/own-block.md explains them.
 */
#ifndef KIND
#define KIND(kind)
#endif
#ifndef CLOCK
#define CLOCK(name)
#endif
#ifndef RESET
#define RESET(name, level, sync)
#endif
#ifndef PARAM
#define PARAM(name, value, least, most, text)
#endif
#ifndef IN
#define IN(name, width, valid)
#endif
#ifndef OUT
#define OUT(name, width, valid)
#endif
#ifndef ERROR
#define ERROR(name)
#endif
#ifndef OFF
#define OFF(name, bits)
#endif
#ifndef PROBE
#define PROBE(name, width, valid)
#endif
#ifndef IN_V
#define IN_V(name, width, valid)
#endif
#ifndef OUT_V
#define OUT_V(name, width, valid)
#endif
#ifndef PROBE_V
#define PROBE_V(name, width, valid)
#endif
#ifndef IN_S
#define IN_S(name, type, valid)
#endif
#ifndef OUT_S
#define OUT_S(name, type, valid)
#endif
#ifndef PROBE_S
#define PROBE_S(name, type, valid)
#endif
/* n elements of one shape in a vector. C code that does not define these macros sees a vector that
 * is always valid. portgen reads them as kinds of their own. */
#ifdef PORTGEN
#define IN_N(name, n, width, valid)
#define OUT_N(name, n, width, valid)
#define PROBE_N(name, n, width, valid)
#else
#ifndef IN_N
#define IN_N(name, n, width, valid) IN_V(name, ((n) * (width)), always)
#endif
#ifndef OUT_N
#define OUT_N(name, n, width, valid) OUT_V(name, ((n) * (width)), always)
#endif
#ifndef PROBE_N
#define PROBE_N(name, n, width, valid) PROBE_V(name, ((n) * (width)), always)
#endif
#endif
#ifndef COVER
#define COVER(name, condition, text)
#endif
#ifndef COVER_LET
#define COVER_LET(name, value)
#endif
#ifndef COVER_STREAK
#define COVER_STREAK(name, condition)
#endif
#ifndef COVER_LEVEL
#define COVER_LEVEL(name, change)
#endif
#ifndef COVER_LAST
#define COVER_LAST(name, condition, value)
#endif
#ifndef COVER_AXIS
#define COVER_AXIS(name, index, text, ...)
#endif
#ifndef COVER_CROSS
#define COVER_CROSS(name, a, b, text)
#endif
