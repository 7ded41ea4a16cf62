/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of the sources that a report quotes: the port file's entry of a port, and an assertion of
 * the RTL as it is written.
 */
#ifndef SOURCE_TEXT_H
#define SOURCE_TEXT_H

#include "dut.h"

enum { SOURCE_TEXT = 512, SOURCE_PATH = 4096 };

/* The path as a person would type it: without the current folder. */
const char *source_short(const char *path);

/* A line as it stands, without the blanks around it. False: no such file or line. */
bool source_line(const char *path, unsigned line, char text[SOURCE_TEXT]);

typedef struct {
  char file[SOURCE_PATH];
  unsigned line;
  char instance[SOURCE_TEXT]; /* "TOP.lsu_ext.i_xact" */
  char label[SOURCE_TEXT];    /* "": it has none */
  char text[SOURCE_TEXT];     /* "!a_valid || up_hit": the condition; the first one's, where a line has several */
} source_assertion_t;

/* From the text of a DUT_ASSERT, "rtl/lsu/lsu_ext.sv:236: Assertion failed in TOP.lsu_ext: 'assert'
 * failed.". False: the text is none, or the file cannot be read. */
bool source_assertion(const char *text, source_assertion_t *assertion);

#endif
