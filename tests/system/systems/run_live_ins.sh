# SPDX-License-Identifier: Apache-2.0
#
# Blocks that need 4 to 7 registers of the GPU, as many as a command holds (live_ins.ptx):
# offloaded, and right; and on NSUs in lockstep.
source "$(dirname "$0")/../lib.sh"

for live in 4 5 6 7; do
  sed "/\/\/ [$((live + 1))-9]$/d" "$source/tests/system/programs/live_ins.ptx" >live.ptx
  runs 0 "$lockstack" offload live.ptx
  matches "$out" "1 store, $live registers sent" "what the compiler sends of $live"
  engine=()
  [ $live = 7 ] && engine=(--engine 'nsu[0]=lockstep')
  runs 0 "$lockstack" run nsu vadd --ptx live.ptx --set workload.n=3001 --set offload.ratio=1 "${engine[@]}" \
    --json a.json
  equal "$(json a.json result_ok) $(json a.json blocks_offloaded) $(json a.json lockstep.divergences)" 'true 94 0' \
    "$live registers"
done
