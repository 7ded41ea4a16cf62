#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Is the PTX in the tree what clang 14 makes of its source? check_ptx.sh CLANG SOURCE PTX FLAG...;
# 77: not clang 14.
clang=$1 source=$2 ptx=$3
shift 3
"$clang" --version | grep -q 'version 14\.' || exit 77
made=$(mktemp) || exit 3
trap 'rm -f "$made"' EXIT
sh "$(dirname "$0")/make_ptx.sh" "$clang" "$source" "$@" >"$made" || exit 1
cmp "$made" "$ptx" || { echo "$ptx is not what clang makes of $source; build the target kernels-ptx"; exit 1; }
