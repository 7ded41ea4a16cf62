# SPDX-License-Identifier: Apache-2.0
#
# A verdict is about the bytes that it names: each kind of input of a block is broken and mended
# behind the back of file times, and each device and verb must see it. The RTL adds what its
# package, include file, library module and memory image say; so does its model.
# timeout: 900
# shellcheck disable=SC2016
source "$(dirname "$0")/../lib.sh"

mkdir -p own foreign rtl/inc rtl/lib
printf '02\n03\n05\n07\n' >rtl/table.hex
cat >rtl/limits.sv <<'END'
package limits;
  localparam int STEP = 1;
endpackage
END
echo '`define HALF(x) ((x) / 2)' >rtl/inc/macros.svh
cat >rtl/lib/adder.v <<'END'
module adder(input [7:0] a, input [7:0] b, output [7:0] y);
  assign y = a + b;
endmodule
END
cat >rtl/mix.sv <<'END'
`include "macros.svh"
module mix(input logic clk, input logic rst, input logic add_i, input logic [7:0] value_i, output logic [7:0] sum_o);
  logic [7:0] rom [0:3];
  wire [7:0] next;
  initial $readmemh("table.hex", rom);
  adder plus(.a(sum_o + rom[value_i[1:0]]), .b(8'(`HALF(value_i)) + 8'(limits::STEP + `BIAS)), .y(next));
  always_ff @(posedge clk)
    if (rst) sum_o <= 0;
    else if (add_i) sum_o <= next;
endmodule
END
cat >own/mix.ports <<'END'
KIND(moore)
CLOCK(clk)
RESET(rst, high, sync)
IN(add, 1, always)
IN(value, 8, add)
OUT(sum, 8, always)
END
cat >own/mix.yaml <<'END'
files: [../rtl/limits.sv, ../rtl/mix.sv]
libraries: [../rtl/lib]
includes: [../rtl/inc]
defines: [BIAS=4]
END
cat >own/mix.h <<'END'
#include "mix_ports.h"
#include "part.h"
typedef struct mix { uint64_t sum; } mix_t;
void mix_reset(mix_t *m);
void mix_eval(const mix_t *m, const mix_in_t *in, mix_out_t *out);
void mix_step(mix_t *m, const mix_in_t *in);
END
printf '#include <stdint.h>\nuint64_t part_bias(void);\n#define PART 3\n' >own/part.h
printf '#include "part.h"\n#include <foreign.h>\nuint64_t part_bias(void) { return FOREIGN + PART + 1; }\n' >own/part.c
echo '#define FOREIGN 1' >foreign/foreign.h
cat >own/mix.c <<'END'
#include "mix.h"
static const uint8_t rom[4] = {2, 3, 5, 7};
void mix_reset(mix_t *m) { m->sum = 0; }
void mix_eval(const mix_t *m, const mix_in_t *in, mix_out_t *out) { (void)in, out->sum = m->sum; }
void mix_step(mix_t *m, const mix_in_t *in) {
  if (in->add) m->sum = (m->sum + rom[in->value & 3] + in->value / 2 + part_bias()) & 255;
}
END
cat >own/mix_stim.c <<'END'
#include "mix.h"
#include "rng.h"
#include "stim.h"
typedef struct { rng_t rng; } state_t;
static const stim_profile_t profiles[] = {{"busy", "adds"}};
static void init(void *state, uint64_t seed, unsigned profile) { (void)profile; rng_init(&((state_t *)state)->rng, seed); }
static void next(void *state, uint64_t cycle, const void *out, void *in) {
  mix_in_t *x = in;
  (void)cycle, (void)out;
  x->add = 1, x->value = rng_below(&((state_t *)state)->rng, 256);
}
const stim_t mix_stim = {.profiles = profiles, .num_profiles = 1, .state_size = sizeof(state_t), .init = init, .next = next};
END
export C_INCLUDE_PATH=$PWD/foreign
mkdir kept && cp -r own rtl foreign kept

# breaks FILE SED: another text with the times of the old one. mends FILE: the old text, older
# still.
breaks() {
  touch -r "$1" time && sed "$2" "$1" >new && mv new "$1" && touch -r time "$1"
  ! cmp -s "$1" "kept/$1" || wrong "$1: '$2' changes nothing"
}
mends() { cp "kept/$1" "$1" && touch -d 2001-01-01 "$1"; }

# FILE|what breaks it. What the model is made of is the same for each device.
rtl_inputs=('rtl/mix.sv|s/add_i) sum_o/!add_i) sum_o/' 'rtl/limits.sv|s/STEP = 1/STEP = 2/' \
  'rtl/inc/macros.svh|s,/ 2,/ 4,' 'rtl/lib/adder.v|s/a + b/a - b/'
  'rtl/table.hex|s/05/06/' 'own/mix.yaml|s/BIAS=4/BIAS=5/')
c_inputs=('own/mix.c|s/2, 3, 5, 7/2, 3, 4, 7/' 'own/part.c|s/PART + 1/PART + 2/' 'own/part.h|s/PART 3/PART 4/' \
  'foreign/foreign.h|s/1/2/')

# of an error the line
verdict() { "$lockstack" check ./own --no-wave --cycles 500 "$@" 2>&1 | tail -n 1 | sed -E 's/^([A-Z_]+) .*/\1/'; }
for dut in rtl icarus netlist cxxrtl; do
  equal "$(verdict --dut $dut)" PASS "$dut: all as it should be"
  inputs=("${rtl_inputs[@]}")
  [ $dut != rtl ] || inputs+=("${c_inputs[@]}")
  for input in "${inputs[@]}"; do
    breaks "${input%%|*}" "${input#*|}"
    equal "$(verdict --dut $dut)" DIVERGED "$dut: ${input%%|*} broken"
    mends "${input%%|*}"
  done
  equal "$(verdict --dut $dut)" PASS "$dut: all mended"
done

# The port file and the stimulus: a narrower port is refused, a stimulus that adds nothing compares
# a constant
breaks own/mix.ports 's/sum, 8/sum, 7/'
matches "$(verdict)" '^lockstack: ' 'a port file that is another one'
mends own/mix.ports
breaks own/mix_stim.c 's/x->add = 1/x->add = cycle > 9000/'
breaks rtl/mix.sv 's/rst) sum_o <= 0/rst) sum_o <= 0; else if (add_i \&\& value_i == 255) sum_o <= 0/'
equal "$(verdict)" "$("$lockstack" check ./own --no-wave --cycles 500 2>&1 | tail -n 1 |
  cut -d' ' -f1)" 'a stimulus of another kind, twice'
mends own/mix_stim.c
equal "$(verdict)" DIVERGED 'the old stimulus again'
mends rtl/mix.sv

# What is new and goes before what was read: a module in an earlier folder, a header beside the
# source, a model's second file, X.yaml
printf 'module adder(input [7:0] a, input [7:0] b, output [7:0] y);\n  assign y = a ^ b;\nendmodule\n' >rtl/lib/adder.sv
cp rtl/lib/adder.sv own/adder.sv
sed -i 's|libraries: .*|libraries: [., ../rtl/lib]|' own/mix.yaml
equal "$(verdict)" DIVERGED 'a module in a folder that is searched first'
rm own/adder.sv rtl/lib/adder.sv
mends own/mix.yaml
echo '#define FOREIGN 7' >own/foreign.h
equal "$(verdict)" DIVERGED 'a header in a folder that is searched first'
rm own/foreign.h
equal "$(verdict)" PASS 'and without it'

# grows WHAT FILE TEXT [OPTION...]: the file was not there, and the source asks for it in whatever
# way
grows() {
  local what=$1 file=$2 text=$3
  shift 3
  equal "$(verdict "$@")" PASS "$what, before"
  printf '%s\n' "$text" >"$file"
  equal "$(verdict "$@")" DIVERGED "$what"
  rm "$file"
}
# C: a macro's name, a question whose answer was no, by its name and by a macro's; a file of bytes
# that the assembler takes
by_macro='#define NAME <foreign.h>\n#include NAME'
breaks own/part.c "s|#include <foreign.h>|$by_macro|"
grows '#include of a macro' own/foreign.h '#define FOREIGN 7'
asks() { # asks NAME DEFINITION
  mends own/part.c && breaks own/part.c "s|#include <foreign.h>|&\n$2\n#if __has_include($1)\n#undef PART\n#define PART 9\n#endif|"
}
asks '"more.h"' ''
grows '__has_include' own/more.h ''
asks ASKED '#define ASKED "more.h"'
grows '__has_include of a macro' own/more.h ''
mends own/part.c && printf '\4' >own/one.bin
bytes='__asm__(".section .rodata\\npart_byte: .incbin \\"'$here'/own/one.bin\\"\\n.text");\nextern const unsigned char part_byte;'
breaks own/part.c "s|return FOREIGN.*|return part_byte + 1; }|; s|^uint64_t part_bias|$bytes\n&|"
equal "$(verdict)" PASS 'bytes of .incbin'
touch -r own/one.bin time && printf '\5' >own/one.bin && touch -r time own/one.bin
equal "$(verdict)" DIVERGED 'other bytes of .incbin'
# However it is written, and by a name from the source's folder: ccache does not see these
mends own/part.c && printf '\3' >own/one.bin && echo 'part_two: .byte 1' >own/two.s
bytes='__asm__(".section .rodata\\npart_byte: .inc" "bin\\t\\"one.bin\\"\\n.include\\t\\"two.s\\"\\n.text");\nextern const unsigned char part_byte, part_two;'
breaks own/part.c "s|return FOREIGN.*|return part_byte + part_two + 1; }|; s|^uint64_t part_bias|$bytes\n&|"
equal "$(verdict)" PASS 'bytes of .incbin behind a tab, and of .include'
touch -r own/one.bin time && printf '\5' >own/one.bin && touch -r time own/one.bin
equal "$(verdict)" DIVERGED 'other bytes of .incbin behind a tab'
printf '\3' >own/one.bin
touch -r own/two.s time && echo 'part_two: .byte 2' >own/two.s && touch -r time own/two.s
equal "$(verdict)" DIVERGED 'another text of .include'
mends own/part.c
# Verilog: `include within a line and by a macro, in a file of any ending; folders of an option of
# Verilator; a folder to come
mkdir first
sed -i 's|includes: .*|includes: [../first, ../rtl/inc]|' own/mix.yaml
breaks rtl/mix.sv 's|`include "macros.svh"|`define TEXTS "texts.txt"\n/* here */ `include `TEXTS|'
echo '/* and */ `include "macros.svh"' >rtl/inc/texts.txt
for dut in rtl cxxrtl; do grows "$dut: \`include of a macro" first/texts.txt '`define HALF(x) ((x) / 4)' --dut $dut; \
  done
mends rtl/mix.sv && breaks rtl/mix.sv 's|macros.svh|texts.txt|'
echo '`include "macros.svh"' >rtl/inc/texts.txt
for dut in rtl netlist icarus; do equal "$(verdict --dut $dut)" PASS "$dut: \`include in a text"; done
echo '`define HALF(x) ((x) / 4)' >first/macros.svh # Yosys takes the one beside
for dut in rtl netlist icarus; do
  refuses 2 'rtl/inc/macros.svh: Yosys reads this file where Verilator reads .*first/macros.svh: one name' \
    "$lockstack" check ./own --dut $dut
done
rm first/macros.svh
mends rtl/mix.sv
rmdir first
mends own/mix.yaml
# One name, two files: tools would take one each
sed 's/a + b/a ^ b/' rtl/lib/adder.v >rtl/lib/adder.sv
equal "$(verdict)" PASS 'two files of one module: Verilator'"'"'s'
refuses 2 'rtl/lib/adder.sv: Icarus reads this file where Verilator reads .*rtl/lib/adder.v: one name for two files' \
  "$lockstack" check ./own --dut icarus
rm rtl/lib/adder.sv

# Files that are touched, or that are the same again, are no reason to build
equal "$(verdict)" PASS 'all as it was'
object=$(find "$build/dut/cache" -name object.so -path '*/mix-*' -newer kept -exec grep -lF "$here/own/mix.c" {} + |
  head -n 1)
matches "$object" 'object.so' 'the object'
before=$(find "$build/dut/cache" -name object.so -path '*/mix-*' -newer kept -printf '%p %i %T@\n' | sort)
touch own/* rtl/*.sv rtl/lib/* foreign/*
equal "$(verdict)" PASS 'all touched'
equal "$(find "$build/dut/cache" -name object.so -path '*/mix-*' -newer kept -printf '%p %i %T@\n' |
  sort)" "$before" 'objects after a touch'

# Objects that are not whole, or of another block, are built again
for object in $(find "$build/dut/cache" -name object.so -path '*/mix-*' -newer kept); do
  cp "$object" whole
  for bytes in 0 10 4096 100000 "$(($(stat -c %s whole) - 1))"; do
    head -c "$bytes" whole >"$object"
    equal "$(verdict)" PASS "an object of $bytes bytes"
  done
  cp "$build/dut/portgen" "$object"
  equal "$(verdict)" PASS 'another program in its place'
  printf 'x' | dd of="$object" bs=1 seek=5000 conv=notrunc status=none
  equal "$(verdict)" PASS 'a byte that is another one'
  break
done

# Other verbs: coverage, faults and mutants are of the bytes that are there now
runs 0 "$lockstack" cover ./own --cycles 200 --runs 1 --least 1
runs 0 "$lockstack" faults ./own --count 5 --cycles 200
for input in 'rtl/table.hex|s/05/06/' 'rtl/inc/macros.svh|s,/ 2,/ 4,'; do
  breaks "${input%%|*}" "${input#*|}"
  runs 1 "$lockstack" cover ./own --cycles 200 --runs 1 --least 1
  runs 1 "$lockstack" check ./own --guided --cycles 500 --no-wave
  runs 1 "$lockstack" faults ./own --count 5 --cycles 200
  runs 1 "$lockstack" mutate ./own --count 5 --cycles 200 --no-proofs
  mends "${input%%|*}"
done

# A clock that was set back: all that was built is of the future
for last in "$build"/dut/cache/mix-*/last; do touch -d '+1 day' "${last%last}"*; done
breaks own/part.c 's/PART + 1/PART + 2/'
equal "$(verdict)" DIVERGED 'behind a clock that was set back'
mends own/part.c

# Two at once: one builds, the other waits
breaks own/part.c 's/PART + 1/1 + PART/'
verdict >one & verdict >two
wait
equal "$(cat one two | xargs)" 'PASS PASS' 'two checks of one block at once'
mends own/part.c

# An edit while the build runs: the object that comes of it is of the old text, and the next check
# sees the new one
breaks rtl/mix.sv 's/add_i) sum_o/add_i) \/* a text that is new *\/ sum_o/'
verdict >first &
for ((i = 0; i < 200; i++)); do
  grep -qs 'a text that is new' "$build"/dut/cache/mix-*/src/at"$here"/rtl/mix.sv && break
  sleep 0.02
done
breaks rtl/mix.sv 's/add_i) /!add_i) /'
wait
equal "$(verdict)" DIVERGED 'RTL that was saved while its build ran'
mends rtl/mix.sv
