/* SPDX-License-Identifier: Apache-2.0 */
#include "table_lines.h"

#include "judged.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool table_lines(const char *path, bool (*take)(void *context, const char *line), void *context, const char *should_be,
                 trouble_t *trouble) {
  char *line = NULL;
  size_t room = 0;
  judged_file(path);
  FILE *file = fopen(path, "re");
  bool ok = file || trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", path, strerror(errno));
  for (unsigned number = 1; ok && getline(&line, &room, file) >= 0; number++)
    if (*line != '#' && !take(context, line))
      ok = trouble_set(trouble, TROUBLE_INPUT, "%s:%u: should be: %s", path, number, should_be);
  if (file) fclose(file);
  free(line);
  return ok;
}
