/* SPDX-License-Identifier: Apache-2.0 */
#include "offload_kernels.h"

#include "cli.h"

#include <string.h>

int offload_no_kernel(FILE *out, const char *file, const ptx_module_t *module) {
  unsigned functions = 0;
  for (uint32_t i = 0; i < module->num_funcs; i++) functions += !module->funcs[i].is_kernel && module->funcs[i].defined;
  if (!functions) return cli_error(EXIT_BAD, "%s: no kernel; a .entry with a body should be there", file);
  fprintf(out, "%s: no kernel; %u device function%s, not planned alone\n", file, functions, functions == 1 ? "" : "s");
  return EXIT_HELD;
}

int offload_kernels(FILE *out, const char *file, const ptx_module_t *module, const char *kernel, offload_each_t *each,
                    void *context) {
  unsigned kernels = 0;
  int code = EXIT_HELD;
  for (uint32_t i = 0; i < module->num_funcs && code == EXIT_HELD && !cli_interrupted; i++) {
    const ptx_func_t *func = &module->funcs[i];
    if (!func->is_kernel || !func->defined) continue;
    kernels++;
    if (!kernel || strcmp(kernel, func->name) == 0) code = each(context, file, module, func);
  }
  return kernels || code ? code : offload_no_kernel(out, file, module);
}
