/* SPDX-License-Identifier: Apache-2.0
 *
 * Launch files of one module: of what was read, arguments lie in the parameter block and addresses
 * in their buffers.
 */
#include "launch_parts.h"

#include "fuzz.h"

static void check_steps(const launch_file_t *l, const launch_step_t *step, unsigned steps) {
  for (unsigned i = 0; i < steps; i++) {
    check_steps(l, step[i].step, step[i].steps);
    fuzz_check(step[i].repeat >= 1 && (step[i].kernel != NULL) == !step[i].steps, "a launch or a group");
    for (uint32_t k = 0; k < step[i].patches; k++) {
      const launch_patch_t *p = &step[i].patch[k];
      fuzz_check(p->at + p->bytes <= step[i].param_bytes && p->buffer < l->buffers &&
                     p->offset <= l->buffer[p->buffer].bytes,
                 "an address");
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  trouble_t trouble = {0};
  launch_file_t *l = launch_file_read(fuzz_file(data, size),
                                      LOCKSTACK_SOURCE_DIR "/firmware/workloads/kernels/saxpy/saxpy.ptx", &trouble);
  if (!l) {
    fuzz_check_error(trouble.text);
    return 0;
  }
  check_steps(l, l->step, l->steps);
  for (unsigned i = 0; i < l->buffers; i++)
    fuzz_check(l->buffer[i].bytes == l->buffer[i].array.count * l->buffer[i].array.type->bytes, "a buffer's size");
  for (unsigned i = 0; i < l->compares; i++) {
    const launch_compare_t *c = &l->compare[i];
    fuzz_check((c->first + c->count) * c->type->bytes <= l->buffer[c->buffer].bytes, "what is compared is there");
  }
  launch_file_free(l);
  return 0;
}
