# SPDX-License-Identifier: Apache-2.0
#
# What a run is compared with is not simulated again while it is known: the same program, values,
# workload and data.
source "$(dirname "$0")/../lib.sh"

export XDG_CACHE_HOME=$here/cache
set=(--set workload.n=5003 --set gpu.sms=8)
known() { # WANTED WHAT OPTION...: whether the rival's cycles were known
  local wanted=$1 what=$2
  shift 2
  case "$*" in *workload.n=*) ;; *) set -- --set workload.n=5003 "$@" ;; esac
  runs 0 "$lockstack" run nsu saxpy --set gpu.sms=8 "$@" --json a.json
  equal "$(json a.json rival_known)" "$wanted" "$what"
}

known false 'the first run'
first=$(json a.json baseline_cycles)
known true 'the same again'
equal "$(json a.json baseline_cycles)" "$first" 'cycles of the rival'
matches "$out" 'cycles of its rival, known of an earlier run' 'the report'
known true 'what the rival has no key for' --set offload.ratio=1 --set clocks.nsu=700MHz
known true 'another engine of the system' --set offload.ratio=1 --engine 'nsu[0]=lockstep'
known false 'when it is asked for' --fresh
equal "$(json a.json baseline_cycles)" "$first" 'cycles of the rival'
known false 'another seed' --seed 2
known false 'another value' --set l1.latency=29
known false 'another clock' --set clocks.dram=1.25ns
known false 'another size' --set workload.n=5004
cp "$source/firmware/workloads/kernels/saxpy/saxpy.ptx" own.ptx
known false 'the same PTX as a file' --ptx own.ptx
known true 'that file again' --ptx own.ptx
printf '// another text\n' >>own.ptx
known false 'a file that has changed' --ptx own.ptx

# The rival by itself, too, and only with models and a right result.
runs 0 "$lockstack" run baseline saxpy "${set[@]}" --seed 3 --json b.json
known true 'that ran by itself' --seed 3
equal "$(json a.json baseline_cycles)" "$(json b.json cycles)" 'cycles of baseline'
runs 0 "$lockstack" run baseline saxpy "${set[@]}" --seed 4 --engine 'router[1]=lockstep'
known false 'that ran with RTL' --seed 4
sed 's/add\.f32/sub.f32/' "$source/firmware/workloads/kernels/vadd/vadd.ptx" >wrong.ptx
for _ in 1 2; do
  runs 1 "$lockstack" run nsu vadd "${set[@]}" --ptx wrong.ptx --json w.json
  equal "$(json w.json rival_known)" false 'after a wrong result'
done

# It is read from the file, which need not be good, or be there.
equal "$(sql cache/lockstack/known.db "SELECT count(*) > 5, min(workload) FROM rival")" '1|saxpy' 'what is kept'
sql cache/lockstack/known.db "UPDATE rival SET cycles = cycles + 1"
known false 'a row that is not whole'
equal "$(json a.json baseline_cycles)" "$first" 'cycles of the rival'
known true 'the row made anew'
printf 'garbage that is no database' >cache/lockstack/known.db
known false 'a file that is none'
known true 'a new file'
