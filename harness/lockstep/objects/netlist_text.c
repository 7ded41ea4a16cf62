/* SPDX-License-Identifier: Apache-2.0 */
#include "netlist_text.h"

#include <string.h>

void netlist_text(FILE *to, const char *text) {
  for (const char *line = text, *end; *line; line = end) {
    const size_t length = strcspn(line, "\n"), word = strncmp(line, "  ", 2) ? 0 : 2 + strcspn(line + 2, " \n");
    const char *close =
        word && length == word + 3 && strncmp(line + word, " #(", 3) == 0 ? strstr(line, "\n  ) ") : NULL;
    end = line + length + (line[length] != 0);
    if (!close) {
      fwrite(line, 1, (size_t)(end - line), to);
      continue;
    }
    const char *name = close + 5;
    const int name_length = (int)strcspn(name, " ") + (*name == '\\'); /* with the blank that ends it */
    for (const char *at = end; at < close; at = strchr(at, '\n') + 1) {
      const int label = (int)strcspn(at + 5, "(");
      const char *value = at + 6 + label, *last = at + strcspn(at, "\n") - 1; /* "32'sd4)," */
      const int all = (int)(last - value) - (*last == ','), bits = (int)strspn(value, "0123456789");
      fprintf(to, "  defparam %.*s.%.*s = ", name_length, name, label, at + 5);
      if (bits && strncmp(value + bits, "'sd", 3) == 0)
        fprintf(to, "%.*s'%.*s;\n", bits, value, all - bits - 2, value + bits + 2);
      else fprintf(to, "%.*s;\n", all, value);
    }
    fprintf(to, "%.*s %.*s (\n", (int)word, line, name_length, name);
    end = strchr(name, '\n') + 1;
  }
}
