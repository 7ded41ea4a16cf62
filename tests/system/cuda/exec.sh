#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# exec: programs by the driver and the runtime API on several machines, with right results, and
# what is reported of them. timeout: 600

. "${BASH_SOURCE%/*}/../lib.sh"
programs=$build/tests kernels=$source/tests/exec/kernels.ptx
driver() { "$lockstack" exec "${@:2}" -- "$programs/exec_driver" "$kernels" $1; }

# What the program writes is its own alone, on standard output; ours is on standard error, or in a
# file.
runs 0 "$lockstack" exec --json a.json -- "$programs/exec_vadd" 5000 3
equal "$out" 'sums are right' 'the output'
matches "$err" 'exec_vadd \(process [0-9]+\) on baseline.*launch kernel .* 3 add +20 +256 ' 'the report'
equal "$(json a.json processes.0.launches.2.kernel) $(json a.json \
  processes.0.launches.2.grid.0) $(json a.json exit_status)" 'add 20 0' 'a launch'
equal "$(json a.json processes.0.launches.0.error)$(json a.json failed)" 'false' 'a launch that ended well'
sum=0
for i in 0 1 2; do sum=$((sum + $(json a.json processes.0.launches.$i.cycles))); done
equal "$(json a.json processes.0.cycles) $(json a.json processes.0.parts.gpu.counters.core_cycles)" "$sum $sum" \
  'cycles of all launches'
runs 0 "$lockstack" exec --report r.txt -- "$programs/exec_vadd" 100
equal "$err" '' 'nothing on standard error, with --report'
matches "$(<r.txt)" ' 1 launches together ' 'the report in a file'

# The machine says the same of the same launches, each time.
runs 0 "$lockstack" exec --json b.json -- "$programs/exec_vadd" 5000 3
equal "$(json b.json processes.0.cycles)" "$sum" 'cycles, once more'

# A launch is the one that `run` has of the same kernel and sizes.
for system in baseline nsu mpu; do
  runs 0 "$lockstack" run $system vadd --set workload.n=20000 --json run.json
  runs 0 "$lockstack" exec --system $system --json exec.json -- "$programs/exec_vadd" 20000 1 \
    "$source/firmware/workloads/kernels/vadd/vadd.ptx" vadd
  equal "$(json exec.json processes.0.cycles)" "$(json run.json cycles)" "cycles of vadd on $system"
  equal "$(json exec.json processes.0.energy.total_nj)" "$(json run.json energy.total_nj)" "energy of vadd on $system"
done

# Calls of device functions: recursion, and through addresses (calls.cu, by clang).
calls=("$programs/exec_vadd" 2000 1 "$source/tests/system/programs/calls.ptx" vadd)
for system in baseline nsu mpu tom near nupim v100; do
  runs 0 "$lockstack" exec --system $system --report r.txt -- "${calls[@]}"
  equal "$out" 'sums are right' "calls on $system"
done
runs 1 "$lockstack" exec --set gpu.stack=32 -- "${calls[@]}"
matches "$err" 'kernel vadd: the warp of thread .* has no room in its stack of 32 bytes for a call of depth' \
  'a stack that is too small'
runs 1 "$lockstack" exec --system mpu --set mpu.stack=32 -- "${calls[@]}"
matches "$err" 'of 32 bytes for a call of depth, of [0-9]+ calls deep; a larger mpu.stack would be right' \
  'the same on mpu'

parts='modules memory shared loop launches threads forks absent versions pools'
for system in baseline nsu mpu tom near; do
  runs 0 driver "$parts" --system $system --report r.txt
  for part in $parts; do matches "$out" "(^|"$'\n'")$part held" "$part on $system"; done
done
runs 0 driver loop --system nsu --set offload.ratio=1 --engine 'nsu[0]=lockstep' --json l.json
equal "$(json l.json processes.0.lockstep.divergences)" 0 'divergences'
[ "$(json l.json processes.0.lockstep.cycles)" -gt 1000 ] || wrong 'nothing was in lockstep'

for how in 11_plain 12_lz4 13_zstd; do
  runs 1 "$lockstack" exec --json e.json -- "$programs/exec_runtime_$how" compute properties errors
  equal "$out" $'compute held\nproperties held\nerrors held' "exec_runtime_$how"
  matches "$err" 'kernel store: thread \(ctaid 0,0,0 tid 0,0,0\) writes 4 bytes at address 0x30' 'the fault'
  matches "$err" 'kernel scale: a block of 157 warps is more than' 'a block with more threads than the machine has'
  equal "$(json e.json failed) $(json e.json exit_status) $(json e.json processes.1.launches.0.kernel)" 'true 0 scale' \
    'a second machine after a reset'
done
# A program that was compiled in parts, and the linker of the driver API.
parts=("$programs/exec_parts" "$source/tests/exec/parts_kernel.ptx" "$source/tests/exec/parts_library.ptx")
for system in baseline nsu mpu tom; do
  runs 0 "$lockstack" exec --system $system --report r.txt -- "${parts[@]}"
  equal "$out" $'registered held\nlinked held' "parts on $system"
done
runs 2 "$lockstack" exec --report r.txt -- "${parts[@]}" missing
equal "$out" $'registered held\nlinked held\ntwice held\nmissing held' 'parts that do not fit'
matches "$err" "module 4 of the program, part 2:7:32: 'calls' is declared twice" 'what two define'
matches "$err" "a call of 'twice', which nothing defines" 'what nobody defines'

runs 1 driver 'faults misaligned'
equal "$out" $'faults held\nmisaligned held' 'statuses of faults'
matches "$err" 'is misaligned|not a multiple|aligned' 'a misaligned address'

runs 1 driver limits
matches "$err" 'kernel sums: a block needs 1048576 bytes of shared memory, more than the 49152 of an SM' \
  'a block that is too large'

# A function that is not there says its name, once, and is in the report.
runs 0 driver absent --json n.json
matches "$err" 'lockstack: cuGraphLaunch is not supported' 'an absent function'
equal "$(json n.json processes.0.absent.0.name) $(json n.json processes.0.absent.0.calls)" 'cuGraphLaunch 2' \
  'calls of it'

# Processes that a program starts have a machine each; so have several exec at once.
runs 0 "$lockstack" exec --json m.json -- sh -c "$programs/exec_vadd 100 & $programs/exec_vadd 200; wait"
equal "$out" $'sums are right\nsums are right' 'two processes'
equal "$(json m.json processes.0.launches.0.kernel) $(json m.json processes.1.launches.0.kernel)" 'add add' \
  'both in one report'
pids=()
for i in 1 2 3; do "$lockstack" exec --report "many$i" -- "$programs/exec_vadd" 2000 >"out$i" 2>&1 & pids+=($!); done
for i in 1 2 3; do wait "${pids[i - 1]}" || wrong "exec number $i of several ended with $?"; done
equal "$(cat out1 out2 out3)" $'sums are right\nsums are right\nsums are right' 'several at once'

# The program's status, input and environment are its own.
runs 7 "$lockstack" exec -- sh -c "$programs/exec_vadd 100; exit 7"
equal "$(echo through | "$lockstack" exec -- sh -c "cat; $programs/exec_vadd 100" 2>r.txt)" $'through\nsums are right' \
  'standard input'

# Ctrl-C: what ran is reported.
"$lockstack" exec --json c.json --report c.txt -- "$programs/exec_driver" "$kernels" forever >begins 2>/dev/null &
pid=$!
for ((i = 0; i < 600; i++)); do [ -s begins ] && break; sleep 0.1; done
sleep 1
kill -TERM $pid
wait $pid
equal $? 3 'the status after TERM'
matches "$(<c.txt)" ' 1 sums +8 +128 ' 'launches until then'
equal "$(json c.json interrupted)" true 'interrupted'

# Bad input: one line.
refuses 2 "no program './nothing'" "$lockstack" exec -- ./nothing
refuses 2 "no program 'no_such_program' on the PATH" "$lockstack" exec -- no_such_program
echo text >text
refuses 2 "'./text' is not a program" "$lockstack" exec -- ./text
echo 'int main(void) { return 0; }' >empty.c
runs 0 cc -static empty.c -o static
refuses 2 'static is linked statically, so no libcuda can be given to it; linked with -cudart shared' "$lockstack" \
  exec -- ./static
runs 0 cc -shared -Wl,-soname,libcudart.so.10.2 empty.c -o old.so
runs 0 cc -Wl,--no-as-needed empty.c ./old.so -o old
refuses 2 'old needs libcudart.so.10.2; libcuda.so.1 and libcudart.so.11.0, .12 and .13 are what there is' \
  "$lockstack" exec -- ./old
refuses 2 'called no function of CUDA' "$lockstack" exec -- true
refuses 1 'ended with status 1 before it called a function of CUDA' "$lockstack" exec -- false
refuses 2 'a PROGRAM is missing' "$lockstack" exec
refuses 2 "unknown key 'gpu.nothing'" "$lockstack" exec --set gpu.nothing=1 -- true
refuses 2 "unknown system 'nothing'" "$lockstack" exec --system nothing -- true
refuses 2 'no instance' "$lockstack" exec --engine 'nsu=rtl' -- true
refuses 2 'standard output is the program' "$lockstack" exec --json - -- true
runs 2 "$lockstack" exec -- "$programs/exec_runtime_12_code" compute
equal "$(grep -c . <<<"$err")" 1 'lines of a program without PTX'
matches "$err" 'machine code alone; compiled with -gencode arch=compute_75,code=compute_75' 'how PTX comes into it'

# The compute capability: what a program is told, and whose PTX it gets.
for arch in 70 80; do
  printf '.version 7.0\n.target sm_%s\n.address_size 64\n.visible .entry of_%s() { ret; }\n' $arch $arch >of_$arch.ptx
done
runs 0 "$programs/fatbin" both.fatbin plain 70 of_70.ptx zstd 80 of_80.ptx
cat >capability.c <<'E'
#include <cuda.h>
#include <stdio.h>

int main(void) {
  static const char *const names[] = {"of_70", "of_80"};
  static char image[1 << 16];
  int major = 0, minor = 0, by_attribute = 0, binary = 0;
  CUcontext context;
  CUmodule module;
  CUfunction function;
  FILE *file = fopen("both.fatbin", "rb");
  if (!file || !fread(image, 1, sizeof image, file) || cuInit(0) || cuCtxCreate(&context, 0, 0) || cuModuleLoadData(&module, image)) return 1;
  if (cuDeviceComputeCapability(&major, &minor, 0) || cuDeviceGetAttribute(&by_attribute, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0)) return 1;
  printf("%d.%d %d", major, minor, by_attribute);
  for (int i = 0; i < 2; i++)
    if (!cuModuleGetFunction(&function, module, names[i]) && !cuFuncGetAttribute(&binary, CU_FUNC_ATTRIBUTE_BINARY_VERSION, function))
      printf(" %s %d\n", names[i], binary);
  return fclose(file);
}
E
runs 0 cc -I"$source/harness/cuda/include" capability.c -L"$build/exec" -lcuda -o capability
for told in '7.5 7 of_70 75' '8.0 8 of_80 80' '12.1 12 of_80 121' '6.1 6 of_70 61'; do
  runs 0 "$lockstack" exec --capability "${told%% *}" --json k.json -- ./capability
  equal "$out" "$told" 'the capability'
  equal "$(json k.json capability)" "${told%% *}" 'and in the report'
done
runs 0 "$lockstack" exec -- ./capability
equal "$out" '7.5 7 of_70 75' 'the capability if nobody says otherwise'
for bad in 8 8.x 4.0 13.0 8.01; do
  refuses 2 "--capability: '$bad' should be a compute capability from 5.0 to 12.9" "$lockstack" exec \
    --capability "$bad" -- true
done

# Ours before any other: also where a path in the program leads to another libcuda.
mkdir other
runs 0 cc -shared -Wl,-soname,libcuda.so.1 empty.c -o other/libcuda.so.1
for tags in enable disable; do
  runs 0 cc -I"$source/harness/cuda/include" "$source/tests/exec/vadd.c" \
    -L"$build/exec" -lcuda -Wl,--$tags-new-dtags,-rpath,"$here/other" -o path_$tags
  runs 0 "$lockstack" exec -- ./path_$tags 100
  equal "$out" 'sums are right' "a path in the program, $tags-new-dtags"
done

# Without exec the libraries say what they are for.
LD_LIBRARY_PATH=$build/exec "$programs/exec_vadd" >no.txt 2>&1 && wrong 'a program ran without exec'
matches "$(<no.txt)" 'lockstack exec -- PROGRAM' 'what is said without exec'

# CUDA C++, compiled by clang with the calls that it makes.
command -v clang >/dev/null || exit 0
cat >kernel.cu <<'EOF'
#include "cuda_runtime_api.h"
#include <stdio.h>
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = 0);
#ifdef __CUDA_ARCH__
#include <__clang_cuda_builtin_vars.h>
#define X (blockIdx.x * blockDim.x + threadIdx.x)
#else
#define X 0
#endif
__device__ int offset;
template <typename T> __global__ void twice(T *x, int n) { int i = X; if (i < n) x[i] = x[i] + x[i] + offset; }
int main() {
  int host[300], *x, three = 3;
  for (int i = 0; i < 300; i++) host[i] = i;
  cudaMalloc((void **)&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(&offset, &three, 4, 0, cudaMemcpyHostToDevice);
  twice<int><<<3, 100>>>(x, 300);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 300; i++) if (host[i] != 2 * i + 3) return printf("%d: %d\n", i, host[i]), 1;
  return puts("twice is right") < 0;
}
EOF
flags=(-x cuda -nocudainc -nocudalib -Wno-unknown-cuda-version -I"$source/harness/cuda/include" --cuda-gpu-arch=sm_70 \
  -Xclang -target-sdk-version=11.5)
runs 0 clang "${flags[@]}" -O2 --cuda-device-only -S kernel.cu -o kernel.ptx
runs 0 "$programs/fatbin" kernel.fatbin lz4 70 kernel.ptx
runs 0 clang "${flags[@]}" -O1 --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang kernel.fatbin -c kernel.cu \
  -o kernel.o
runs 0 cc kernel.o -o twice "$build/exec/libcudart.so.12" "$build/exec/libcuda.so.1"
for system in baseline nsu mpu; do
  runs 0 "$lockstack" exec --system $system -- ./twice
  equal "$out" 'twice is right' "CUDA C++ on $system"
done
