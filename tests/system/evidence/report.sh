#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# report: the page from a database with everything in it, an empty one and a hostile one, each in
# headless Chromium: it opens without an error and without a request, every picture has content,
# every link leads somewhere, nothing is wider than a phone, it prints.
# shellcheck disable=SC2016,SC2154 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
folder=$source/tests/system/evidence/report tab=$'\t'

browser=$(command -v chromium) || { echo 'chromium is not installed: apt-get install chromium'; checks=1 failures=1; \
  exit 1; }
flags=(--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
  --disable-component-update
  --disable-sync --disable-extensions --disable-dev-shm-usage --user-data-dir="$here/profile" --hide-scrollbars)

# opened PAGE [WIDTH [FLAG...]]: what check.js says of a copy of the page, in $said; a policy
# forbids the copy every request. It is in a frame, because a window cannot be as narrow as a
# phone.
opened() {
  local page=$1 width=${2-360}
  { sed -n '/<head>/q; p' "$page"; echo '<head>'
    echo "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">"
    echo '<script>'; cat "$folder/check.js"; echo '</script>'
    sed '1,/<head>/d' "$page"; } >copy.html
  { echo '<!DOCTYPE html><html><body><iframe style="border:0" height="640" width="'"$width"'" srcdoc="'
    sed 's/&/\&amp;/g; s/"/\&quot;/g' copy.html
    echo '"></iframe><script>var timer = setInterval(function () {
      var text = document.querySelector("iframe").contentDocument.body.textContent;
      if (/^CHECKED|^CHECK check/m.test(text)) { clearInterval(timer); document.body.textContent = text; }
    }, 20);</script></body></html>'; } >frame.html
  said=$(timeout 120 "$browser" "${flags[@]}" "${@:3}" --window-size=1400,900 --virtual-time-budget=20000 --dump-dom \
    "file://$here/frame.html" \
    2>browser.log | grep -aE '(^|>)CHECK' | sed 's/^.*>CHECK/CHECK/; s/<.*//')
}
clean() { # clean PAGE WIDTH WHAT [FLAG...]
  opened "$1" "$2" "${@:4}"
  checks=$((checks + 1))
  [[ $said =~ ^CHECKED\ [0-9]+\ pictures,\ [0-9]+\ links,\ [0-9]+\ texts\ at\ $2\ pixels ]] ||
    wrong "$3: ${said:-$(tail -n 3 browser.log)}"
}

# --- a database with everything
job() { local IFS=$tab; printf '%s\n' "$*"; }
add() { "$build/tests/add_results" "$@" || wrong "add_results $*"; }
part() { json "$folder/results.json" "$1" >"$2"; }
for name in check mutate prove cover guided faults area area8 reproduce; do part $name $name.json; done
runs 0 "$lockstack" check arb_rr --cycles 2000 --json arb.json
printf '%s\n' "$out" >arb.txt
runs 0 "$lockstack" network --topology mesh:3x2 --rate 0.1,0.3,0.5 --cycles 2000 --json sweep.json
runs 0 "$lockstack" network --topology tree --pattern tree-saturation --rate 0.14 --cycles 2000 --compare base,crit \
  --epoch 500 --json heat.json
runs 0 "$lockstack" area fifo --sweep Depth=1,2,5 --sweep Width=8 --json two.json
runs 0 "$lockstack" area fifo --sweep Depth=2,1,5 --json area_sweep.json
cat >inside.json <<'END'
{"schema": "lockstack.check/1", "block": "lsu_rfport", "outcome": "DIVERGED",
 "failure": {"cycle": 7, "port": "rq_gnt", "rule": {"file": "rtl/lsu/lsu_rfport.ports", "line": 21, "text": "OUT(rq_gnt, 2, always)"},
   "drivers": [{"name": "i_read.gnt_o", "part": "i_read", "module": "arb_rr", "file": "rtl/lib/arb_rr.sv"}, {"name": "own_q"}]},
 "inside": {"parts": 3, "judged": 2, "unjudged": "i_other (mine: not a block)", "cut": false, "part": "i_read", "module": "arb_rr",
   "file": "rtl/lib/arb_rr.sv", "cycle": 5, "port": "probe_mask", "rtl": "0xc", "model": "0x8", "rule": null, "also": "i_write (arb_rr)",
   "inputs": [{"name": "req", "value": "0x3", "from": [{"name": "rq_i"}]}]}}
END
cat >asserted.json <<'END'
{"schema": "lockstack.check/1", "block": "nsu_acks", "outcome": "DUT_ASSERT",
 "failure": {"cycle": 9, "text": "nsu_acks.sv:80: lost", "assertion": {"text": "cnt_q != 0", "label": null, "file": "rtl/nsu/nsu_acks.sv", "line": 80,
   "instance": "TOP.nsu_acks"}},
 "inside": {"parts": 2, "judged": 2, "unjudged": null, "cut": true, "part": null}}
END
# of_now FILE BLOCK: a check says of which sources it is, and counts while they are those of the
# tree
of_now() {
  runs 0 "$lockstack" check "$2" --cycles 2000 --no-wave --json now.json
  sed -i "s|\"block\": *\"$2\",|& \"sources\": \"$(json now.json sources)\",|" "$1"
}
of_now check.json nsu_tx
of_now inside.json lsu_rfport
of_now asserted.json nsu_acks
for day in 10 11 12; do
  { job PASS 1.5 - arb.json arb.txt 'check arb_rr --cycles 2000'
    [ $day = 12 ] || job FAIL 2 'nsu_tx DIVERGED' check.json arb.txt 'check nsu_tx --cycles 400000'
    [ $day = 12 ] || job FAIL 2 'lsu_rx STUCK' - arb.txt 'check lsu_rx --cycles 5000'
    [ $day != 11 ] || job FAIL 2 'lsu_rfport DIVERGED' inside.json arb.txt 'check lsu_rfport'
    [ $day != 11 ] || job FAIL 2 'nsu_acks DUT_ASSERT' asserted.json arb.txt 'check nsu_acks'
    [ $day != 12 ] || job PASS 2 - arb.json - 'check lsu_rx --cycles 5000'
  } | add full.db smoke 2026-11-${day}T02:00:00.000Z 2026-11-${day}T02:01:05.000Z dc40f0b21708
done
{ for name in mutate prove cover faults area; do job PASS 2 - $name.json - "$name arb_rr"; done
  job PASS 2 - area8.json - 'area arb_rr --set NumReq=8'
  job PASS 2 - area_sweep.json - 'area fifo --sweep Depth=2,1,5'
  job PASS 2 - two.json - 'area fifo --sweep Depth=1,2,5 --sweep Width=8'
  job PASS 2 - guided.json - 'cover arb_rr --compare'
  job PASS 2 - sweep.json - 'network --topology mesh:3x2 --rate 0.1,0.3,0.5'
  job PASS 2 - heat.json - 'network --topology tree --compare base,crit'
  job PASS 30 - reproduce.json - 'reproduce mpu --scale small --workloads axpy'
  job TIMEOUT 600 - - - 'run nsu vadd'
  job - 0 - - - 'run nsu bfs'
} | add full.db nightly 2026-11-13T02:00:00.000Z 2026-11-13T03:00:00.000Z dc40f0b21708
runs 0 "$lockstack" report --db full.db --out full.html --json full.json
matches "$out" 'full.html: 4 runs, 24 jobs, 4 of [0-9]+ blocks' 'the summary'

# The facts
equal "$(json full.json schema)" lockstack.report/1 'the schema'
index() { # index LIST KEY VALUE: where in a list of the facts
  local i n
  n=$(json full.json "$1.#")
  for ((i = 0; i < n; i++)); do [ "$(json full.json "$1.$i.$2")" != "$3" ] || { echo "$i"; return; }; done
  echo none
}
block=blocks.$(index blocks name arb_rr)
for pair in check.cycles=8000.0 check.jobs=4.0 check.divergences=0.0 mutation.killed=37 mutation.mutants=4 \
  area.cells=34 area.variants.0.params=NumReq=8 \
  coverage.toggle.hit=86 guided.points=130 area.paper.0.ratio=0.864 faults.silent=8 proofs.properties.#=4 ports.#=4 \
    family=lib; do
  equal "$(json full.json "$block.${pair%%=*}")" "${pair#*=}" "$block.${pair%%=*}"
done
equal "$(json full.json "$block.rtl_lines")" "$(wc -l <"$source/rtl/lib/arb_rr.sv")" 'the lines of RTL'
for pair in runs=4 jobs=24 passed=16 failed=6 other=1 divergences=3; do
  equal "$(json full.json "totals.${pair%=*}")" "${pair#*=}" "totals.${pair%=*}"; done
equal "$(json full.json failures.#)" 5 'buckets of failures'
stuck=$(index failures signature 'lsu_rx STUCK') tx=$(index failures signature 'nsu_tx DIVERGED')
equal "$(json full.json "failures.$stuck.open") $(json full.json "failures.$stuck.count")" 'false 2' \
  'one that passes since'
equal "$(json full.json "failures.$tx.open") $(json full.json "failures.$tx.failure.port")" 'true out_valid' \
  'one that still fails'
equal "$stuck" 4 'the place of what passes since'

# The page
page=$(<full.html)
for text in '1 of 14 jobs that did not pass' 'id="block-nsu_5ftx"' '<svg class="cycles"' 'Waveform of cycles 0 to 6' \
  'class="wrong"' 'out_phit' \
  './lockstack replay /tmp/results/out/nsu_tx-mixed-1.replay' 'cf_valid=0x1 out_credit=0x1' 'Guided by coverage' \
    'class="map"' 'No results yet' 'mpu-02' \
  '4 different failures are open' 'Mean latency in cycles'; do
  matches "$page" "$text" 'the page'
done
equal "$(grep -o 'Area over [A-Z][a-z]*' full.html | sort | uniq -c |
  tr -s ' ')" "$(printf ' 2 Area over Depth\n')" 'sweeps that are drawn'
outside='<(link|script|img|iframe|object)[^>]*(src|href)="(https?:|//)|@import|url\('
equal "$(grep -cE "$outside" full.html)" 0 'what the page asks for outside of itself'
for text in 'First wrong inside: <code>i_read</code> \(arb_rr, <code>rtl/lib/arb_rr.sv</code>\), cycle 5' \
  ', cycle 5: <code>probe_mask</code> is <code>0xc</code>, should be <code>0x8</code>' \
  'Wrong in the same cycle: i_write \(arb_rr\)' 'Not judged: i_other \(mine: not a block\)' \
  '<th scope="row">req</th><td><code>0x3</code></td><td><code>rq_i</code></td>' \
  'It comes from <code>i_read.gnt_o</code> \(arb_rr, <code>rtl/lib/arb_rr.sv</code>\), <code>own_q</code>' \
    'rtl/lsu/lsu_rfport.ports:21' \
  'each of 2 parts that were judged does what its model does, as far as there was time' \
    '<code>cnt_q != 0</code> in TOP.nsu_acks'; do
  matches "$page" "$text" 'where it is wrong, on the page'
done
clean full.html 360 'on a phone'
matches "$said" '^CHECKED ([2-9][0-9]) pictures, ([7-9][0-9]|[1-9][0-9][0-9]) links' 'what was looked at'
clean full.html 1280 'on a desktop, dark' --force-dark-mode
matches "$said" 'dark$' 'the colours'

# In print
timeout 120 "$browser" "${flags[@]}" --no-pdf-header-footer --print-to-pdf=full.pdf \
  "file://$here/full.html" >browser.log 2>&1
sheets=$(grep -ac '/Type */Page\b' full.pdf)
checks=$((checks + 1))
[ "$sheets" -ge 4 ] && [ "$sheets" -le 40 ] || wrong "$sheets sheets of paper: $(tail -n 3 browser.log)"

# --- each check of the page fires
sed '/<\/main>/,$d' full.html >broken.html && cat "$folder/broken.html" >>broken.html
opened broken.html
for kind in 'error: .*undefinedFunction' 'console: said on the console' 'request: ' 'link: #nowhere leads nowhere' \
  'link: https://example.com/ leads out' 'id: twice' 'picture: svg.chart is empty' 'picture: svg.flat has no size' \
    'title: svg.untitled' \
  'scope: no scope' 'contrast: p. 2' 'overflow: 5[0-9]* of 360' 'overflow: div#wide'; do
  matches "$said" "CHECK $kind" 'a broken page'
done

# --- nothing in it
"$build/tests/add_results" empty.db smoke 2026-11-10T02:00:00.000Z 2026-11-10T02:00:00.000Z dc40f0b21708 </dev/null ||
  wrong 'an empty run'
runs 0 "$lockstack" report --db empty.db --out empty.html
matches "$(<empty.html)" 'No results yet' 'a page without results'

# --- cells, area, timing and power: of two libraries over two commits. What has no `sources` is of what is there now.
hw() { printf '{"schema": "lockstack.%s/1", "block": "arb_rr", %s}\n' "$1" "$2" >"$3"; }
odd='odd, \"lib\"' stale='"sources": "00000000", '
timing() { # SHORTEST UNIT FMAX HOLD
  printf '"timing": {"tool": "OpenSTA", "unit": "%s", "sdc": null, "period": 2, "shortest_period": %s, "fmax_mhz": %s,' "$2" "$1" "$3"
  printf '"setup": {"slack": 0.25, "violated": 0}, "hold": %s, "macros_untimed": 0, ' "$4"
  printf '"unclocked": 0, "unwanted": 0, "undelayed": 0, "library_left_out": 0, "paths": []}'
}
area() { # LIBRARY CELLS WHERE-AREA-AND-PATH
  printf '"target": "%s", "params": "", "status": "ok", "cells": %s, "flipflops": 4, "method": "flat", %s' "$1" "$2" \
    "$3"
}
power() { # LIBRARY TOGGLES POWER
  printf '"dut": "netlist", "cells": "%s", "params": "", "outcome": "PASS", "cycles": 5000, "profile": "all", "seed": 1,' "$1"
  printf '"activity": {"nets": 9, "cycles": 4998, "in_reset": 2, "toggles_per_cycle": %s}, "power": %s' "$2" "$3"
}
watts() { printf '{"clock_ns": 2, "switched_loads": 0, "joules_per_cycle": %s, "all": {"watts": %s}}' "$1" "$2"; }
no_hold='{"slack": null, "violated": 0}'
hw area "$stale$(area ge 40 '"ge": 70.5, "longest_path_fo4": 7.5')" g1.json
hw area "$(area ge 36 '"ge": 65, "longest_path_fo4": 6.866, '"$(timing 12.5 FO4 null "$no_hold")")" g2.json
hw area "$stale$(area "$odd" 50 '"um2": 1600, "longest_path_ns": 0.75, '"$(timing 1.5 ns 666.6 \
  '{"slack": 0.1, "violated": 0}')")" o1.json
hw area "$(area "$odd" 50 '"um2": 1552.125, "longest_path_ns": 0.30000000000000004, '"$(timing 1.25 ns 800 \
  '{"slack": -0.5, "violated": 3}')")" o2.json
hw area "$(area ge 80 '"ge": 130, "longest_path_fo4": 9, '"$(timing null FO4 null "$no_hold")")" s2.json
sed -i 's|"sdc": null|"sdc": "x/slow.sdc"|; s/"params": ""/"params": "NumReq=8"/' s2.json
hw area "$(area ice40 37 '"um2": null, "luts": 27, "longest_path_levels": 7')" i2.json
hw power "$stale$(power "$odd" 0.25 "$(watts 2e-12 0.001)")" p1.json
hw power "$(power "$odd" 0.5 "$(watts 1.5e-12 0.00075)")" p2.json
hw power "$(power ge 0.3125 '{"clock_ns": null, "switched_loads": 30.75, "joules_per_cycle": null, "all": null}')" \
  q2.json
hw power '"cells": "ge", "params": "", "outcome": "DIVERGED", "cycles": 7, "profile": "all", "seed": 1' f2.json
for run in 1 2; do area ge 4$run '"ge": 70, "longest_path_fo4": 7' >mine; hw area "$(<mine)" mine$run.json; done
sed -i 's|arb_rr|/x/mine|' mine[12].json
{ job PASS 1 - mine1.json - 'area /x/mine'
  job PASS 1 - g1.json - 'area arb_rr --timing'; job PASS 1 - o1.json - 'area arb_rr --liberty x'; job PASS 1 \
    - p1.json - 'power arb_rr --liberty x'
} | add hw.db nightly 2026-11-10T02:00:00.000Z 2026-11-10T02:01:00.000Z aaaa40f0b217
{ job PASS 1 - mine2.json - 'area /x/mine'
  job PASS 1 - g2.json - 'area arb_rr --timing'; job PASS 1 - o2.json - 'area arb_rr --liberty x'; job PASS 1 \
    - p2.json - 'power arb_rr --liberty x'
  job PASS 1 - s2.json - 'area arb_rr --set NumReq=8 --timing --sdc x/slow.sdc'; job PASS 1 - q2.json - 'power arb_rr'
  job PASS 1 - i2.json - 'area arb_rr --target ice40'; job FAIL 1 - f2.json - 'power arb_rr --cycles 7'
} | add hw.db nightly 2026-11-11T02:00:00.000Z 2026-11-11T02:01:00.000Z bbbb40f0b217
runs 0 "$lockstack" report --db hw.db --out hw.html --csv hw.csv --json hw.json
old=aaaa40f0b217,0,2026-11-10T02:00:00.000Z,0 new=bbbb40f0b217,0,2026-11-11T02:00:00.000Z,1
columns='block,verb,library,params,run,commit,changed,started,of_now,command,cells,flipflops,area,area_unit,path,path_unit,method'
columns+=',shortest_period,period_unit,fmax_mhz,period,sdc,setup_slack,setup_violated,hold_slack,hold_violated'
columns+=',profile,seed,cycles,counted_cycles,toggles_per_cycle,switched_loads,joules_per_cycle,watts,clock_ns'
equal "$(<hw.csv)" "$columns
arb_rr,area,ge,,1,$old,area arb_rr --timing,40,4,70.5,GE,7.5,FO4,flat,,,,,,,,,,,,,,,,,,
arb_rr,area,\"odd, \"\"lib\"\"\",,1,$old,area arb_rr --liberty x,50,4,1600,um2,0.75,ns,flat,1.5,ns,666.6,2,,0.25,0,0.1,0,,,,,,,,,
arb_rr,power,\"odd, \"\"lib\"\"\",,1,$old,power arb_rr --liberty x,,,,,,,,,,,,,,,,,all,1,5000,4998,0.25,,2e-12,0.001,2
arb_rr,area,ge,,2,$new,area arb_rr --timing,36,4,65,GE,6.866,FO4,flat,12.5,FO4,,2,,0.25,0,,0,,,,,,,,,
arb_rr,area,\"odd, \"\"lib\"\"\",,2,$new,area arb_rr --liberty x,50,4,1552.125,um2,0.30000000000000004,ns,flat,1.25,ns,800,2,,0.25,0,-0.5,3,,,,,,,,,
arb_rr,power,\"odd, \"\"lib\"\"\",,2,$new,power arb_rr --liberty x,,,,,,,,,,,,,,,,,all,1,5000,4998,0.5,,1.5e-12,0.00075,2
arb_rr,area,ge,NumReq=8,2,$new,area arb_rr --set NumReq=8 --timing --sdc x/slow.sdc,80,4,130,GE,9,FO4,flat,,FO4,,2,x/slow.sdc,0.25,0,,0,,,,,,,,,
arb_rr,power,ge,,2,$new,power arb_rr,,,,,,,,,,,,,,,,,all,1,5000,4998,0.3125,30.75,,,
arb_rr,area,ice40,,2,$new,area arb_rr --target ice40,37,4,27,LUT,7,levels,flat,,,,,,,,,,,,,,,,,,
/x/mine,area,ge,,1,${old%0}1,area /x/mine,41,4,70,GE,7,FO4,flat,,,,,,,,,,,,,,,,,,
/x/mine,area,ge,,2,$new,area /x/mine,42,4,70,GE,7,FO4,flat,,,,,,,,,,,,,,,,,," 'the CSV'
cells() { sed -n '/id="block-arb_5frr"/,/<\/section>/p' hw.html | grep "^<tr><th scope=\"row\">$1<" |
  sed 's/<[^>]*>/|/g; s/||*/|/g; s/\xe2\x80\xaf/ /g'; }
equal "$(cells ge | head -n 1)" \
  '|ge|defaults|36|4|65 GE|6.866 FO4|12.50 FO4|setup 0.250 FO4|no hold|at 2 FO4|30.75 loads|–|0.312|all, 4 998 cycles|bbbb40f0|' 'cells of no process'
odd_row='|odd, &quot;lib&quot;|defaults|50|4|1 552 µm²|0.300 ns|1.250 ns|800 MHz|setup 0.250 ns|hold -0.500 ns|at 2 ns|1.500 pJ|750 µW|at 2 ns|'
equal "$(cells 'odd, &quot;lib&quot;')" "${odd_row}0.500|all, 4 998 cycles|bbbb40f0|" 'another library'
equal "$(cells ge | tail -n 1)" '|ge|NumReq=8|80|4|130 GE|9 FO4|–|setup 0.250 FO4|no hold|by slow.sdc|–|–|–|bbbb40f0|' \
  'another set of parameters'
equal "$(cells ice40)" '|ice40|defaults|37|4|27 LUT|7 levels|–|–|–|–|–|bbbb40f0|' 'an FPGA'
matches "$(<hw.html)" '<div class="bad">hold -0.500' 'a violation'
matches "$(<hw.html)" '3 of 9 results are of other sources than those there now' 'results that are stale'
matches "$(<hw.html)" 'Unchanged: Cells \(1 of 2\), Flip-flops</p>' 'what is the same at both commits'
curves=$(printf '%s, odd, &quot;lib&quot;;' 'Shortest period' Fmax 'Energy in each cycle' Power \
  'Toggles of a net in each cycle')
equal "$(sed -n 's/^<figure><figcaption>\([^<]*\).*/\1/p' hw.html | grep -v '^Jobs\|^Dur' | tr '\n' ';')" \
  "Cells, ge;Cells, ge;Area, ge;Area, odd, &quot;lib&quot;;Longest path, ge;Longest path, odd, &quot;lib&quot;;$curves" 'curves'
matches "$(<hw.html)" '<title>ge: 1, 41</title>.*<title>ge: 2, 42</title>' 'a curve over runs, of a block of somebody'
matches "$(<hw.html)" '<title>ge: aaaa40, 40</title>.*<title>ge: bbbb40, 36</title>' 'a curve'
clean hw.html 360 'hardware on a phone'
clean hw.html 1280 'hardware, dark' --force-dark-mode

# --- hostile strings
evil=$'<script>alert(1)</script>"\'>&amp;\x01\x1b[31m\xff\xfe\xc0\xaf\xe2\x80\xae</style></title></svg>'
printf '%s' "$evil" >evil.txt
for name in check window network figures cover area power; do json "$folder/hostile.json" $name >evil-$name.json; done
printf '{"block": "\xff\\u0000", "failure": {"cycle": 1e400}}' >bytes.json
printf '[1, 2' >cut.json
{ job FAIL 1e300 "$evil" evil-check.json evil.txt "check $evil"; job FAIL 1 - evil-window.json evil.txt \
  'check "><script>'
  job PASS 1 - evil-network.json evil.txt 'network <b>'; job PASS 1 - evil-figures.json - 'reproduce <b>'
  job PASS 1 - bytes.json - 'check other'; job PASS 1 - evil-cover.json - 'cover arb_rr'
  job PASS 1 - cut.json evil.txt 'mutate arb_rr'; job PASS 1 - cut.json - 'check arb_rr'; } >hostile.txt
add hostile.db "$evil" "$evil" "$evil" "$evil" <hostile.txt
for commit in "$evil" '</svg>'; do # curves need two
  { job PASS 1 - evil-area.json - "area $evil"; job PASS 1 - evil-power.json - 'power <b>'; } |
    add hostile.db "$evil" "$evil" "$evil" "$commit"
  sed -i 's/1e+\?300/2e300/g; s/1e+\?308/1.5e308/g' evil-area.json evil-power.json
done
runs 0 "$lockstack" report --db hostile.db --out hostile.html --csv hostile.csv --json hostile.json
equal "$(grep -c 'What changed over 2 commits' hostile.html) $(grep -c '^arb_rr,' hostile.csv)" '1 4' 'hostile hardware'
matches "$(json hostile.json failures.#)" '^2$' 'buckets of a hostile database'
iconv -f UTF-8 -t UTF-8 hostile.html >same.html || wrong 'bytes that are not UTF-8'
[ "$(tr -d '\n\t' <hostile.html | LC_ALL=C tr -dc '\000-\037\177' | wc -c)" -eq 0 ] || wrong 'control characters'
equal "$(grep -c '<script>' hostile.html)" 1 'scripts in a hostile page'
clean hostile.html 360 'a hostile page'

# --- a library of cells is of no block's sources: a result is of the file that was there
cp "$source/synth/cells/ge.lib" mine.lib
printf 'jobs:\n  - area: {block: arb_rr, liberty: mine.lib}\n' >mine.yaml
runs 0 "$lockstack" regress mine.yaml --db mine.db
of_mine() { # 1: it counts
  runs 0 "$lockstack" report --db mine.db --out mine.html --csv mine.csv
  equal "$(cut -d, -f1,3,9 mine.csv | tail -n +2)" "arb_rr,mine.lib,$1" "a result of mine.lib${2:-}"
}
of_mine 1
echo '/* changed */' >>mine.lib
of_mine 0 ' that has changed since'
matches "$(<mine.html)" 'mine.lib has changed' 'why it does not count'
rm mine.lib
of_mine 1 ' that is not there, as on another machine'

# --- bad input, and places that nobody named
runs 0 "$lockstack" report --db full.db --json -
equal "$(json - totals.jobs <<<"$out") $(ls lockstack-out)" '24 report.html' \
  'the default page, and JSON alone on standard output'
refuses 2 'nofile.db: no such database' "$lockstack" report --db nofile.db
refuses 2 'not a database' "$lockstack" report --db full.html
refuses 2 'nofolder/: no such folder' "$lockstack" report --db full.db --out nofolder/a.html
refuses 2 'cannot write: it is a folder' "$lockstack" report --db full.db --out "$here"
refuses 3 'cannot write: No space left' "$lockstack" report --db full.db --out /dev/full
refuses 2 'nofolder/: no such folder' "$lockstack" report --db full.db --csv nofolder/a.csv
refuses 2 '--csv and --blocks: one of both' "$lockstack" report --blocks --csv a.csv
refuses 2 "'x': files of results are for --blocks" "$lockstack" report x
printf '{"schema": "lockstack.check/1", "block": "fifo"}' >check.json
printf '{"schema": "lockstack.mutate/1", "block": "mine"}' >mine.json
printf '{"schema": "lockstack.mutate/1", "block": "fifo", "interrupted": true}' >half.json
refuses 2 'nofile.json: unable to open' "$lockstack" report --blocks nofile.json
refuses 2 'full.html:1: ' "$lockstack" report --blocks full.html
refuses 2 'check.json: should be what `cover`, `mutate`, `area` or `prove` write' "$lockstack" report \
  --blocks check.json
refuses 2 'mine.json: is of a block that is not in `list blocks`' "$lockstack" report --blocks mine.json
refuses 2 'half.json: is of a measurement that was interrupted' "$lockstack" report --blocks half.json
