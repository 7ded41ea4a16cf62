/* SPDX-License-Identifier: Apache-2.0
 *
 *   RTL files --liberty_named--> names --liberty_some--> named.lib
 *   named.lib --Yosys--> boxes.v --liberty_modules--> cells/NAME.v, one file a module
 */
#include "area_named.h"

#include "file.h"
#include "liberty_named.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PROOF_PATH fail when they are opened */

/* ---- which ones */

/* Adds the library's cells that this file names. */
static void look_in_file(const area_job_t *j, const char *path, words_t *names) {
  char *text = file_read(path);
  if (text) liberty_named(&j->target->cells->library, text, names);
  free(text);
}

/* The same for each Verilog file in each of these folders. */
static void look_in_folders(const area_job_t *j, const char *folders, words_t *names) {
  char folder[PROOF_PATH], pattern[PROOF_PATH + 32];
  glob_t found;
  while (rtl_next(&folders, folder, sizeof folder)) {
    snprintf(pattern, sizeof pattern, "%s/*.{v,sv,vh,svh}", folder);
    if (glob(pattern, GLOB_BRACE, NULL, &found)) continue;
    for (size_t i = 0; i < found.gl_pathc; i++) look_in_file(j, found.gl_pathv[i], names);
    globfree(&found);
  }
}

static void find_names(const area_job_t *j, words_t *names) {
  char path[PROOF_PATH];
  for (const char *at = j->own->files; rtl_next(&at, path, sizeof path);) look_in_file(j, path, names);
  look_in_folders(j, j->own->libraries, names);
  look_in_folders(j, j->own->includes, names);
}

/* ---- their modules */

static bool write_cells_text(const char *path, const char *text, size_t length) {
  FILE *file = fopen(path, "w");
  const bool ok = file && fwrite(text, 1, length, file) == length;
  return file ? fclose(file) == 0 && ok : false;
}

/* Callback of liberty_modules: writes one module as a black box. context is the folder. */
static bool write_module(void *context, const char *name, const char *text, size_t length) {
  char path[2 * PROOF_PATH];
  snprintf(path, sizeof path, "%s/%s.v", (const char *)context, name);
  char *box = NULL;
  const bool ok =
      asprintf(&box, "(* blackbox *) %.*s", (int)length, text) > 0 && write_cells_text(path, box, strlen(box));
  free(box);
  return ok;
}

/* Yosys makes the modules' ports from the Liberty file, so that no reader of pins is needed
 * here. */
static answer_t make_boxes(const area_job_t *j, const char *work, const words_t *names, trouble_t *trouble) {
  char liberty[PROOF_PATH], boxes[PROOF_PATH];
  char *text = liberty_some(&j->target->cells->library, names, false);
  snprintf(liberty, sizeof liberty, "%s/named.lib", work), snprintf(boxes, sizeof boxes, "%s/boxes.v", work);
  const bool written = text && write_cells_text(liberty, text, strlen(text));
  free(text);
  if (!written)
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", liberty, strerror(errno)), ANSWER_INFRA;
  FILE *script = yosys_open(work, "boxes", trouble);
  if (!script) return ANSWER_INFRA;
  fprintf(script, LIBERTY_BOXES, liberty, boxes);
  yosys_writes(script, work, "boxes.v");
  const answer_t closed = yosys_close(script, work, trouble);
  return closed == ANSWER_HOLDS ? yosys_run(j->stop, j->context, work, "boxes", trouble) : closed;
}

static answer_t write_modules(const char *work, char *folder, trouble_t *trouble) {
  char boxes[PROOF_PATH];
  snprintf(boxes, sizeof boxes, "%s/boxes.v", work);
  char *text = file_read(boxes);
  const bool ok = text && file_folder(folder) && liberty_modules(text, write_module, folder);
  free(text);
  if (!ok) trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", folder, strerror(errno));
  return ok ? ANSWER_HOLDS : ANSWER_INFRA;
}

answer_t area_named(const area_job_t *j, const char *work, rtl_t *own, trouble_t *trouble) {
  char folder[PROOF_PATH];
  words_t names = {0};
  answer_t answer = ANSWER_HOLDS;
  find_names(j, &names);
  snprintf(folder, sizeof folder, "%s/cells", work);
  if (names.count) answer = make_boxes(j, work, &names, trouble);
  if (names.count && answer == ANSWER_HOLDS) answer = write_modules(work, folder, trouble);
  if (names.count && answer == ANSWER_HOLDS && !rtl_add(own->libraries, folder)) {
    trouble_set(trouble, TROUBLE_INPUT, "%s: too many folders of libraries", j->block);
    answer = ANSWER_BAD;
  }
  words_free(&names);
  return answer;
}
