/* SPDX-License-Identifier: Apache-2.0
 *
 * Embeds the fat binary FATBIN in a program, with the wrapper that a compiler's host code hands to
 * __cudaRegisterFatBinary.
 */
#ifndef EXEC_FAT_BINARY_H
#define EXEC_FAT_BINARY_H

#include <stdint.h>

__asm__(".pushsection .nv_fatbin, \"a\"\n.balign 8\nfat_binary:\n.incbin \"" FATBIN "\"\n.balign 8\n.popsection\n");
extern const char fat_binary[];

static const struct {
  uint32_t number, version;
  const void *data, *files;
} fat_wrapper = {0x466243b1, 1, fat_binary, NULL};

#endif
