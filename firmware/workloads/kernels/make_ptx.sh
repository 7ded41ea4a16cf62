#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Prints the PTX of a CUDA source: make_ptx.sh CLANG SOURCE FLAG...
clang=$1 source=$2
shift 2
echo '// SPDX-License-Identifier: Apache-2.0'
exec "$clang" "$@" -o - "$source"
