# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# The dynamic ratio and the cache-aware decision (NSU paper, sections 7.2, 7.3): with models, RTL
# and in lockstep they decide the same, block by block; a ratio with a planted bug is seen, and its
# inputs become a replay file; what the keys do not allow is refused.
source "$(dirname "$0")/../lib.sh"

small=(--set workload.n=200003 --set gpu.sms=16 --set ratio.epoch_cycles=500)
stn=(--set workload.nx=128 --set workload.ny=64 --set workload.nz=16 --set ratio.epoch_cycles=500)

# The acceptance of the first slice, at the paper's own numbers.
runs 0 "$lockstack" run nsu vadd --set offload.policy=dynamic --engine ratio=lockstep --json paper.json
matches "$out" 'Result is right' 'the report'
equal "$(json paper.json lockstep.divergences)" 0 'divergences of the ratio at the paper'"'"'s epochs'
equal "$(json paper.json parts.gpu.tables.epochs.0.cycle)" 30002 'the cycle in which the first epoch of 30000 is seen'
equal "$(json paper.json parts.gpu.tables.epochs.0.ratio)" 2 'its ratio, 0.1'

for engine in model rtl lockstep; do
  runs 0 "$lockstack" run nsu vadd "${small[@]}" --set offload.policy=dynamic --engine ratio=$engine \
    --engine credits=$engine --json ratio_$engine.json
  runs 0 "$lockstack" run nsu stn "${stn[@]}" --set offload.policy=dynamic_cache --engine ratio=$engine \
    --engine score=$engine \
    --engine credits=$engine --json score_$engine.json
  for what in ratio score; do
    equal "$(json ${what}_$engine.json result_ok)" true "result_ok, $what=$engine"
    equal "$(json ${what}_$engine.json lockstep.divergences)" 0 "divergences, $what=$engine"
    equal "$(json ${what}_$engine.json cycles)" "$(json ${what}_model.json cycles)" "cycles, $what=$engine"
    equal "$(json ${what}_$engine.json parts.gpu.tables)" "$(json ${what}_model.json parts.gpu.tables)" \
      "epochs and blocks, $what=$engine"
    equal "$(json ${what}_$engine.json engines."$what"\[0\])" $engine "the engine of $what"
  done
done
checks=$((checks + 3))
[ "$(json ratio_lockstep.json lockstep.cycles)" -gt 5000 ] || wrong 'the ratio was not compared'
[ "$(json ratio_model.json parts.gpu.tables.epochs.10.ratio)" -ge 0 ] || wrong 'fewer than eleven epochs'
[ "$(json score_model.json parts.gpu.tables.blocks.0.suppressed)" -gt 0 ] ||
  wrong "no instance of stn's block was suppressed"
equal "$(json ratio_model.json parts.gpu.tables.blocks.0.suppressed)" 0 'suppressed without a score'

# All that was decided is counted at the block, too.
equal "$(json score_model.json parts.gpu.tables.blocks.0.offloaded)" \
  "$(json score_model.json blocks_offloaded)" 'instances offloaded, of the only block'
equal "$(json score_model.json parts.gpu.tables.blocks.0.kept)" \
  "$(json score_model.json blocks_kept)" 'instances kept, of the only block'

# A planted bug.
for bug in ofld_ratio_forgets ofld_score_stale ofld_credits_lost; do
  patch=$source/tests/lockstep/bugs/$bug.patch
  for file in $(sed -n 's,^+++ b/,,p' "$patch"); do mkdir -p "$(dirname "$file")" && cp "$source/$file" "$file"; done
  GIT_CEILING_DIRECTORIES=$here git apply "$patch" || wrong "the patch $bug no longer fits"
done
mkdir rtl_new && find rtl -name '*.sv' -exec cp {} rtl_new/ \;
runs 1 "$lockstack" run nsu vadd "${small[@]}" --set offload.policy=dynamic --rtl rtl_new --engine ratio=lockstep \
  --out out --json a.json
matches "$out" 'ratio\[0\] first differs in its cycle [0-9]+' 'the report of a divergence'
equal "$(json a.json lockstep.divergences)" 1 'divergences'
equal "$(json a.json result_ok)" true 'the model goes on and the result is right'
equal "$(json a.json cycles)" "$(json ratio_model.json cycles)" 'and in the same cycles'
replay=$(json a.json lockstep.instances.0.first.replay)
runs 1 "$lockstack" replay "$replay" --json b.json
equal "$(json b.json outcome)" DIVERGED 'outcome of the replay'
equal "$(json b.json block)" ofld_ratio 'the block of the replay'

runs 1 "$lockstack" run nsu stn "${stn[@]}" --set offload.policy=dynamic_cache --rtl rtl_new --engine score=lockstep \
  --out out --json c.json
matches "$out" 'score\[0\] first differs in its cycle [0-9]+' 'the report of a divergence of the score'

# The managers of NSUs' buffers: of every static run, too; one that loses credits is seen, its NSU
# has no blocks that should not be there.
runs 0 "$lockstack" run nsu vadd "${small[@]}" --engine 'credits[3]=lockstep' --engine 'credits[4]=rtl' --json m.json
equal "$(json m.json result_ok) $(json m.json lockstep.divergences)" 'true 0' 'managers in lockstep'
runs 1 "$lockstack" run nsu vadd "${small[@]}" --rtl rtl_new --engine credits=lockstep --out out --json l.json
matches "$out" 'credits\[[0-7]\] first differs in its cycle [0-9]+' 'the report of a divergence of a manager'
equal "$(json l.json result_ok) $(json l.json cycles)" "true $(json m.json cycles)" 'the model goes on'
refuses 2 "no instance 'credits'" "$lockstack" run nsu vadd --set offload.ratio=0 --engine credits=lockstep

refuses 2 "no instance 'ratio'; credits\[0\] to credits\[7\] or nsu\[0\] to nsu\[7\] or router\[0\] to router\[7\] would be right" \
  "$lockstack" run nsu vadd --engine ratio=lockstep
refuses 2 "no instance 'score'" "$lockstack" run nsu vadd --set offload.policy=dynamic --engine score=lockstep
refuses 2 'ratio.init is 0.12; a multiple of 0.05 would be right' "$lockstack" run nsu vadd --set ratio.init=0.12
refuses 2 'ratio.step_init is 0.15; from ratio.step_min to ratio.step_max, 0.2 to 0.15, would be right' "$lockstack" \
  run nsu vadd --set ratio.step_min=0.2
refuses 2 "offload.policy: 'fast' is not none, static, dynamic, dynamic_cache or tom" "$lockstack" run nsu vadd \
  --set offload.policy=fast
