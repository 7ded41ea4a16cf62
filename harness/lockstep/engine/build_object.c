/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds the objects of blocks of the tree for the default build:
 *   build_object TREE OBJECTS BLOCK...
 * Exit status 2: what a block consists of does not build; 3: the environment failed.
 */
#include "build.h"
#include "process.h"

#include <stdio.h>

int main(int argc, char **argv) {
  char path[BUILD_PATH];
  trouble_t trouble;
  process_begin();
  if (argc < 4) return fprintf(stderr, "build_object TREE OBJECTS BLOCK...\n"), 2;
  const places_t places = {.source = argv[1], .objects = argv[2]};
  for (int i = 3; i < argc; i++) {
    block_t block;
    if (!block_find(&block, &places, argv[i], NULL, &trouble) || !block_object(&block, &places, "rtl", path, &trouble))
      return fprintf(stderr, "%s\n", trouble.text), (int)trouble.kind;
  }
  return 0;
}
