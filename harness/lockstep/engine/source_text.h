/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of source that a report quotes: a port's entry in the port file, and an assertion of the
 * RTL as written.
 */
#ifndef SOURCE_TEXT_H
#define SOURCE_TEXT_H

#include "dut.h"

enum { SOURCE_TEXT = 512, SOURCE_PATH = 4096 };

/* The path as a person would type it: relative to the current folder. */
const char *source_short(const char *path);

/* A line of a file without its leading and trailing blanks. False: no such file or line. */
bool source_line(const char *path, unsigned line, char text[SOURCE_TEXT]);

typedef struct {
  char file[SOURCE_PATH];
  unsigned line;
  char instance[SOURCE_TEXT]; /* "TOP.lsu_ext.i_xact" */
  char label[SOURCE_TEXT];    /* "": no label */
  /* The condition: "!a_valid || up_hit". If a line has several assertions, the first one's. */
  char text[SOURCE_TEXT];
} source_assertion_t;

/* Parses the text of a DUT_ASSERT, "rtl/lsu/lsu_ext.sv:236: Assertion failed in TOP.lsu_ext:
 * 'assert' failed.". False: another text, or the file cannot be read. */
bool source_assertion(const char *text, source_assertion_t *assertion);

#endif
