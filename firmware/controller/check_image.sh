#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Is the image in the tree what the compiler of Debian 12 makes of its source? check_image.sh
# SOURCE.c IMAGE.def; 77: that compiler is not there.
source=$1 image=$2
"${RISCV:-riscv64-unknown-elf-}gcc" -dumpversion 2>/dev/null | grep -q '^12\.' || exit 77
made=$(mktemp) || exit 3
trap 'rm -f "$made"' EXIT
sh "$(dirname "$0")/make_image.sh" "$source" >"$made" || exit 1
cmp "$made" "$image" || { echo "$image is not what the compiler makes of $source: sh make_image.sh $source > $image"; \
  exit 1; }
