# SPDX-License-Identifier: Apache-2.0
# timeout: 900
#
# A full system whose NSU has a planted bug: lockstep sees it, the run ends with 1, and the NSU's
# inputs become a small replay file that shows the same difference in the block alone. NSUs of two
# lanes: half the RTL to be compiled.
source "$(dirname "$0")/../lib.sh"

patch=$source/tests/lockstep/bugs/nsu_ack_slot.patch
for file in $(sed -n 's,^+++ b/,,p' "$patch"); do mkdir -p "$(dirname "$file")" && cp "$source/$file" "$file"; done
GIT_CEILING_DIRECTORIES=$here git apply "$patch" || wrong 'the patch no longer fits'
mkdir rtl_new && find rtl -name '*.sv' -exec cp {} rtl_new/ \;

runs 1 "$lockstack" run nsu saxpy --rtl rtl_new --engine 'nsu[3]=lockstep' --set nsu.lanes=2 --set workload.n=20011 \
  --set gpu.sms=8 --out out --json a.json
matches "$out" 'nsu\[3\] first differs in its cycle [0-9]+' 'the report of a divergence'
equal "$(json a.json lockstep.divergences)" 1 'divergences'
equal "$(json a.json lockstep.instances.11.divergences)" 1 'divergences of nsu[3]'
equal "$(json a.json result_ok)" true 'the model goes on and the result is right'
replay=$(json a.json lockstep.instances.11.first.replay)
runs 1 "$lockstack" replay "$replay" --json b.json
equal "$(json b.json outcome)" DIVERGED 'outcome of the replay'
matches "$(json a.json lockstep.instances.11.first.what)" "$(json b.json failure.port)" 'the port of the replay'
equal "$(json a.json lockstep.instances.11.first.window)" "$(json b.json window)" \
  'the end of the replay, in the result of the run'
checks=$((checks + 1))
[ "$(json b.json cycles)" -lt "$(json a.json lockstep.instances.11.first.cycle)" ] ||
  wrong 'the replay is not smaller than the run'
refuses 2 'no_such' "$lockstack" run nsu vadd --rtl no_such
refuses 2 'no instance in baseline is rtl or lockstep; --engine INSTANCE=lockstep would be right' "$lockstack" run \
  baseline vadd --rtl rtl_new
