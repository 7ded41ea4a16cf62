#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# Each run of a verb has a folder of its own: runs of blocks of one name beside each other judge
# their own block, what a report names stays as it is, and what nobody needs goes. What is kept of
# an area is of what its files have now.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

block() { mkdir -p "$1" && cp "$source"/docs/example/accum* "$1/"; }
block good
block bad
sed -i "s/sum_o + value_i/sum_o + value_i + Bits'(value_i == 7)/" bad/accum.sv
for b in good bad; do sed -i '/^params *Bits=1$/d; s/Bits=16/Bits=4/' $b/accum.prove; done

# later NAME TOOL...: the tool waits, the first time that it is started, until there is NAME.go;
# then there is NAME.waits
mkdir late
later() {
  local name=$1 tool
  shift
  for tool in "$@"; do
    cat >"late/$tool" <<END
#!/usr/bin/env bash
export PATH="$PATH"
if mkdir "$here/$name.once" 2>/dev/null; then
  touch "$here/$name.waits"
  while [ ! -e "$here/$name.go" ]; do sleep 0.05; done
fi
exec $tool "\$@"
END
    chmod +x "late/$tool"
  done
}
until_there() { for _ in {1..1200}; do [ -e "$1" ] && return; sleep 0.05; done; wrong "no $1"; }

# A proof stands still between its problem and abc's answer; another one of a block of the same
# name runs meanwhile. Both say what they say alone.
later prove yosys-abc
env PATH="$here/late:$PATH" "$lockstack" prove ./bad --json bad.json >bad.txt 2>&1 &
pid=$!
until_there prove.waits
runs 0 "$lockstack" prove ./good
touch prove.go
wait $pid
equal $? 1 'exit status of the proof that stood still'
equal "$(json bad.json properties.0.status) $(json bad.json properties.1.status)" 'proved refuted' 'its properties'

# The waveform that its report names is that of its own run, after an edit and another run, too; a
# proof that holds leaves nothing
first=$(json bad.json properties.1.trace)
[ -s "$first" ] || wrong "no waveform $first"
sum=$(cksum <"$first")
sed -i 's/value_i == 7/value_i == 9/' bad/accum.sv
runs 1 "$lockstack" prove ./bad --json again.json
equal "$(cksum <"$first")" "$sum" 'the first waveform'
[ "$(json again.json properties.1.trace)" != "$first" ] || wrong "two runs name the same waveform $first"
count=$(find lockstack-out/prove -mindepth 1 -maxdepth 1 -type d | wc -l)
runs 0 "$lockstack" prove ./good
equal "$(find lockstack-out/prove -mindepth 1 -maxdepth 1 -type d | wc -l)" "$count" 'folders after a proof that holds'

# A run that is killed leaves its folder to the next one, which removes it; of those that are kept
# there are eight
later killed yosys-abc
env PATH="$here/late:$PATH" "$lockstack" prove ./good --out k >/dev/null 2>&1 &
pid=$!
until_there killed.waits
[ -d k/prove/accum.1 ] || wrong 'no folder of the run'
kill -KILL $pid
wait $pid 2>/dev/null
runs 0 "$lockstack" prove ./good --out k
touch killed.go
[ ! -e k/prove/accum.1 ] || wrong 'the folder of a killed run is still there'
for n in {1..10}; do mkdir -p "few/prove/accum.$n" && touch "few/prove/accum.$n/.kept"; done
runs 1 "$lockstack" prove ./bad --out few --json few.json
equal "$(find few/prove -mindepth 1 -maxdepth 1 -type d | wc -l)" 9 'folders that are kept, and the newest'
matches "$(json few.json properties.1.trace)" '/few/prove/accum\.11/' 'its number'

# Mutants: gates of the one block, inputs of the other
later mutate yosys
sed -i 's/value_i == 9/value_i == 0/' bad/accum.sv
mutate=(--count 20 --set Bits=4 --cycles 2000 --no-proofs)
runs 0 "$lockstack" mutate ./good "${mutate[@]}" --json alone.json
env PATH="$here/late:$PATH" "$lockstack" mutate ./good "${mutate[@]}" --json beside.json >/dev/null 2>&1 &
pid=$!
until_there mutate.waits
runs 1 "$lockstack" mutate ./bad "${mutate[@]}"
touch mutate.go
wait $pid
equal $? 0 'exit status of the mutants that stood still'
equal "$(json beside.json killed) $(json beside.json mutants.3.cell)" \
  "$(json alone.json killed) $(json alone.json mutants.3.cell)" 'its mutants'
equal "$(find lockstack-out/mutate -mindepth 1 -type d)" '' 'folders of mutants'

# Areas: an entry that is cut short, by any of its files, is made again; so is one of an image that
# has changed, or of an included file of any name
block image
sed -i "s/^  always_ff/  logic [3:0] rom [0:3]; initial \$readmemh(\"rom.hex\", rom);\n\`include \"more.txt\"\n  always_ff/" image/accum.sv
sed -i "s/sum_o + value_i/sum_o + value_i + Bits'(rom[value_i[1:0]])/" image/accum.sv
printf '1\n2\n4\n8\n' >image/rom.hex
echo '  // nothing more' >image/more.txt
area() { "$lockstack" area "$here/image" --set Bits=4 --out "$here/kept" --json "$here/area.json"; }
in_image() { (cd image && area); }
runs 0 in_image
cells=$(json area.json cells)
runs 0 in_image
equal "$(json area.json cached)" true 'the same again'
entry=$(echo kept/accum-*)
for file in cells.txt boxes.txt abc.txt entry; do
  for size in 0 20; do
    truncate -s $size "$entry/$file"
    runs 0 in_image
    equal "$(json area.json cached) $(json area.json cells)" "false $cells" "an entry whose $file has $size bytes"
  done
done
rm "$entry/cells.txt"
runs 0 in_image
equal "$(json area.json cached)" false 'an entry without a file'
printf '0\n0\n0\n0\n' >image/rom.hex
runs 0 in_image
equal "$(json area.json cached)" false 'an entry of another image'
[ "$(json area.json cells)" != "$cells" ] || wrong 'the image is of no matter'
echo '  // something' >image/more.txt
runs 0 in_image
equal "$(json area.json cached)" false 'an entry of another included file'
runs 0 in_image
equal "$(json area.json cached)" true 'an entry of what is there'
mkdir image/first image/second && echo '  // nothing' >image/second/less.txt
sed -i 's/^`include "more.txt"/`include "less.txt"/' image/accum.sv
printf 'files: [accum.sv]\nincludes: [first, second]\n' >image/accum.yaml
runs 0 in_image
runs 0 in_image
equal "$(json area.json cached)" true 'an entry of a file in the second folder'
echo '  // nothing, elsewhere' >image/first/less.txt
runs 0 in_image
equal "$(json area.json cached)" false 'an entry of a file that is in the first folder now'
equal "$(find kept -mindepth 1 -maxdepth 1 ! -name 'accum-*' ! -name .lock)" '' 'what areas leave'
