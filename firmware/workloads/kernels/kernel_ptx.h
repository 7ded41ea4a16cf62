/* SPDX-License-Identifier: Apache-2.0
 *
 * KERNEL_PTX(vadd) puts firmware/workloads/kernels/vadd/vadd.ptx into the program, between vadd_ptx
 * and vadd_ptx_end. A zero byte follows, so the text is a C string, too.
 *
 * KERNEL_WORKLOAD(vadd) then fills in the fields of a workload_t that follow from the name.
 */
#ifndef KERNEL_PTX_H
#define KERNEL_PTX_H

#define KERNEL_PTX(name)                                              \
  extern const char name##_ptx[], name##_ptx_end[];                   \
  __asm__(".pushsection .rodata\n"                                    \
          ".globl " #name "_ptx, " #name "_ptx_end\n" #name "_ptx:\n" \
          ".incbin \"" KERNELS_DIR "/" #name "/" #name ".ptx\"\n" #name "_ptx_end:\n.byte 0\n.popsection\n")

/* The first fields of a workload_t; `text` is workload_list.def's. */
#define WORKLOAD(name, bits, text) static const char name##_text[] __attribute__((unused)) = text;
#include "workload_list.def"
#define KERNEL_WORKLOAD(id)                                                                                      \
  .name = #id, .text = id##_text, .ptx_file = "firmware/workloads/kernels/" #id "/" #id ".ptx", .ptx = id##_ptx, \
  .ptx_end = id##_ptx_end

#endif
