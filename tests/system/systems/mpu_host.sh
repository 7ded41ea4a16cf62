# SPDX-License-Identifier: Apache-2.0
#
# A host program with the calls of the MPU paper, Listing 1 (mpu_host.c), linked with the
# simulator: it computes what it should, and each mistake that it can make ends with 2 and one
# line.
source "$(dirname "$0")/../lib.sh"

host=$build/tests/mpu_host
runs 0 "$host"
matches "$out" '^[0-9]+ cycles$' 'the host program'
refuses 2 'grid and block need at least 1' "$host" no_grid
refuses 2 'grid and block need at least 1' "$host" no_block
refuses 2 'a block of 128 warps is more than the 16 of a core' "$host" large_block
refuses 2 'grid or block is too large' "$host" large_grid
refuses 2 'no kernel VectorScalarMultiply in .*scalar_vector.ptx' "$host" no_kernel
refuses 2 '16 bytes of parameters were given, it has 24' "$host" few_arguments
refuses 2 '28 bytes of parameters were given, it has 24' "$host" many_arguments
refuses 2 'a block needs 1048576 bytes of shared memory, more than the 65536 of a core' "$host" much_shared
refuses 2 'address 0x[0-9a-f]+ is out of bounds of every allocation' "$host" too_long
refuses 2 'address 0x[0-9a-f]+ is not aligned' "$host" odd_address
refuses 2 'have no room for [0-9]+ bytes more' "$host" much_memory
refuses 2 'free of 0x[0-9a-f]+, which is not the start of an allocation' "$host" free_twice
refuses 2 'free of 0x[0-9a-f]+, which is not the start of an allocation' "$host" free_inside
refuses 2 'address 0x[0-9a-f]+ is out of bounds of every allocation' "$host" use_freed
refuses 2 'copy of [0-9]+ bytes at 0x[0-9a-f]+ is out of bounds' "$host" copy_beyond

# The same on the GPU.
runs 0 "$host" '' baseline
refuses 2 'free of 0x[0-9a-f]+, which is not the start of an allocation' "$host" free_twice baseline
refuses 2 'free of 0x[0-9a-f]+, which is not the start of an allocation' "$host" free_inside baseline
refuses 2 'writes 4 bytes at address 0x[0-9a-f]+, which is out of bounds of every allocation' "$host" use_freed baseline
