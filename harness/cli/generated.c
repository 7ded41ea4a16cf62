/* SPDX-License-Identifier: Apache-2.0 */
#include "generated.h"
#include "cli.h"
#include "file.h"
#include "process.h"
#include "proof.h"

#include <string.h>
#include <unistd.h>

int cli_generated(char *gen, const char *work, char *error, size_t size) {
  char tool[PROOF_PATH + 16], file[PROOF_PATH + 16], log[PROOF_PATH];
  snprintf(gen, PROOF_PATH, "%s/../gen", cli_objects());
  snprintf(file, sizeof file, "%s/nsu_pkg.sv", gen);
  if (access(file, R_OK) == 0) return 0;
  snprintf(gen, PROOF_PATH, "%.4000s/gen", work);
  snprintf(tool, sizeof tool, "%s/portgen", cli_objects());
  snprintf(log, sizeof log, "%.4000s/gen.log", work);
  char *argv[] = {tool, "--root", (char *)cli_source(), "--tree", "-o", gen, NULL};
  if (file_folder(gen) && process_run(argv, log, 600, NULL, NULL) == 0) return 0;
  snprintf(error, size, "portgen could not make the packages in %.3000s; its log is %.900s", gen, log);
  return EXIT_ENV;
}

const char *cli_source(void) {
  char *root = (char *)cli_data("");
  size_t n = strlen(root);
  while (n > 1 && root[n - 1] == '/') root[--n] = 0;
  return root;
}
