/* SPDX-License-Identifier: Apache-2.0
 *
 * SHA-256 (FIPS 180-4) of what is added piece by piece.
 */
#ifndef SHA256_H
#define SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t state[8], constants[64];
  uint64_t bytes;
  uint8_t block[64];
} sha256_t;

enum { SHA256_TEXT = 65 };

void sha256_start(sha256_t *sha);
void sha256_add(sha256_t *sha, const void *data, size_t size);
void sha256_end(sha256_t *sha, char text[SHA256_TEXT]); /* 64 hexadecimal digits */

#endif
