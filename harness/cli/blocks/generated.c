/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the generated packages are: in a build folder beside the objects. An installed Lockstack
 * has none, so each run makes its own.
 */
#include "generated.h"
#include "cli.h"
#include "file.h"
#include "process.h"
#include "proof.h"

#include <string.h>
#include <unistd.h>

bool cli_generated(char *gen, const char *work, trouble_t *trouble) {
  char tool[PROOF_PATH + 16], file[PROOF_PATH + 16], log[PROOF_PATH];
  snprintf(gen, PROOF_PATH, "%s/../gen", cli_objects());
  snprintf(file, sizeof file, "%s/nsu_pkg.sv", gen);
  if (access(file, R_OK) == 0) return true;
  snprintf(gen, PROOF_PATH, "%.4000s/gen", work);
  snprintf(tool, sizeof tool, "%s/portgen", cli_objects());
  snprintf(log, sizeof log, "%.4000s/gen.log", work);
  char *argv[] = {tool, "--root", (char *)cli_source(), "--tree", "-o", gen, NULL};
  if (file_folder(gen) && process_run(argv, log, 600, NULL, NULL) == 0) return true;
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "portgen could not make the packages in %s; its log is %s", gen,
                     log);
}

const char *cli_source(void) {
  char *root = (char *)cli_data("");
  size_t n = strlen(root);
  while (n > 1 && root[n - 1] == '/') root[--n] = 0;
  return root;
}
