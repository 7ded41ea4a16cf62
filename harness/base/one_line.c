/* SPDX-License-Identifier: Apache-2.0 */
#include "one_line.h"

#include <ctype.h>

void make_one_line(char *text) {
  for (; *text; text++)
    if (iscntrl((unsigned char)*text)) *text = ' ';
}
