#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Prints the firmware's image as words for C, or writes it as it is in ROM: make_image.sh SOURCE.c
# [IMAGE.bin], needs Debian 12's gcc-riscv64-unknown-elf. In this folder:
#   sh make_image.sh ratio.c > ratio_image.def
#   sh make_image.sh mine.c mine.bin                 for --set ratio.firmware_image=mine.bin
# RISCV: the tools' prefix, where it is not riscv64-unknown-elf-.
source=${1:?make_image.sh SOURCE.c [IMAGE.bin]}
binary=${2:+$(realpath "$2")}
here=$(cd "$(dirname "$0")" && pwd) || exit 3
prefix=${RISCV:-riscv64-unknown-elf-}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
set -e
cp "$here/start.S" "$source" "$work"
cd "$work"
map="$here/../../cmodel/blocks/ctrl"
"${prefix}gcc" -E -P -x c -I "$map" "$here/ratio.ld.in" -o ratio.ld
"${prefix}gcc" -march=rv32im_zicsr -mabi=ilp32 -mcmodel=medany -ffreestanding -nostdlib -Os -msmall-data-limit=0 -Wall \
  -Wextra -Werror -I "$map" \
  -Wl,--build-id=none,-T,ratio.ld start.S "$(basename "$source")" -o image.elf
"${prefix}objcopy" -O binary image.elf image.bin
[ -z "$binary" ] || { cp image.bin "$binary"; exit; }
echo "/* SPDX-License-Identifier: Apache-2.0 -- firmware/controller/$(basename \
  "$source") as words: made by make_image.sh, do not edit. */"
od -An -v -tx4 -w32 image.bin | sed 's/ \([0-9a-f]*\)/ 0x\1,/g; s/^ //'
