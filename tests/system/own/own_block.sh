# SPDX-License-Identifier: Apache-2.0
#
# A block outside of the tree in the verbs that go through Yosys: proofs, area, mutants.
# timeout: 600
source "$(dirname "$0")/../lib.sh"

cp -r "$source/docs/example" own
folder=$(realpath own)

# --- prove: X_proof.sv and X.prove beside the RTL
runs 0 "$lockstack" prove own --json p.json
matches "$out" 'property +adds +pdr +- +proved' 'the table'
matches "$out" 'broken +subtracts / adds +pdr +[0-9]+ +refuted' 'a broken copy'
matches "$out" 'own: 8 of 8 hold' 'the total'
for pair in held=true block="$folder" properties.1.name=adds properties.1.block="$folder" properties.1.status=proved \
  covers.0.reached=true \
  broken_copies.0.refuted=true; do
  equal "$(json p.json "${pair%%=*}")" "${pair#*=}" "${pair%%=*}"
done
matches "$(json p.json sources)" '^[0-9a-f]{8}$' 'the checksum'
runs 0 "$lockstack" prove own --set Bits=8
matches "$out" 'property +adds .* Bits=8' 'other parameters'

# What does not hold, in changed RTL; a part in a file of its own, which a broken copy may change,
# too
mkdir changed
sed "s/if (rst) /if (rst \&\& value_i == 0)/" own/accum.sv >changed/accum.sv
runs 1 "$lockstack" prove own --first --rtl changed --json p.json
matches "$out" 'property +cleared +pdr +[0-9]+ +refuted .*does not hold' 'a property of changed RTL'
[ -s "$(json p.json properties.0.trace)" ] || wrong 'no waveform of the counterexample'
cp -r own parts
instance='plus #(.Bits(Bits)) u_plus (.a (sum_o), .b (value_i), .y (next));'
sed "s/sum_o + value_i/next/; s/^);/);\n  logic [Bits-1:0] next;\n  $instance/" own/accum.sv >parts/accum.sv
cat >parts/plus.v <<'END'
module plus #(parameter Bits = 16) (input [Bits-1:0] a, input [Bits-1:0] b, output [Bits-1:0] y);
  assign y = a + b;
endmodule
END
sed -i 's/adds accum.sv/adds plus.v/; s/^- sum_o + value_i/- a + b/; s/^+ sum_o - value_i/+ a - b/' parts/accum.prove
runs 0 "$lockstack" prove parts --first
matches "$out" 'broken +subtracts / adds +pdr +[0-9]+ +refuted' 'a broken copy of a part'
first=$("$lockstack" prove own --first --json - | sed -n 's/.*"sources": //p')
sed -i 's/^params    Bits=1$/params    Bits=2/' own/accum.prove
[ "$first" = "$("$lockstack" prove own --json - 2>/dev/null | sed -n 's/.*"sources": //p')" ] &&
  wrong 'a changed proof has the same checksum'

# An output port of the wrapper is no claim: abc took it for one, and refuted what holds
cp -r own shown
sed -i "s/^  input .* value_i$/&,\n  output logic [Bits-1:0] sum/; s/, last_sum, sum;/, last_sum;/" shown/accum_proof.sv
grep -q 'output logic' shown/accum_proof.sv || wrong 'the wrapper has no output port'
runs 0 "$lockstack" prove shown --first
matches "$out" 'shown: 5 of 5 hold' 'a wrapper with an output port'
printf 'cover never 3\n' >>shown/accum.prove
sed -i "s/^    wraps: .*/&\n    never:   cover (sum != sum);/" shown/accum_proof.sv
runs 1 "$lockstack" prove shown --first
matches "$out" 'cover +never +cover +3 +unreached' 'a cover that cannot be, beside an output port'

# Bad input
mv parts/accum_proof.sv .
refuses 2 'parts/accum_proof.sv: is missing: a proof is X_proof.sv' "$lockstack" prove parts
mv parts/accum.prove .
refuses 2 'parts/accum.prove: is missing' "$lockstack" prove parts
refuses 2 'no port file X.ports in this folder' "$lockstack" prove changed
refuses 2 "no block 'nowhere'" "$lockstack" prove nowhere
printf 'property more pdr\n' >>own/accum.prove
refuses 2 'own/accum.prove:[0-9]+: property more has no broken copy' "$lockstack" prove own
cp -r "$source/docs/example" 'my own'
runs 0 "$lockstack" prove 'my own' --first
runs 0 "$lockstack" area 'my own' --out 'my areas'
matches "$out" 'accum +[0-9]+ +16 ' 'a folder with a blank'

# --- area
runs 0 "$lockstack" area own --out areas --json a.json
matches "$out" 'accum +[0-9]+ +16 ' 'the row'
for pair in block="$folder" target=ge params= status=ok flipflops=16 cached=false; do
  equal "$(json a.json "${pair%%=*}")" "${pair#*=}" "${pair%%=*}"
done
runs 0 "$lockstack" area own --out areas --json a.json
equal "$(json a.json cached)" true 'the same again'
cells=$(json a.json cells)
sed -i 's/sum_o + value_i/sum_o * value_i/' own/accum.sv
runs 0 "$lockstack" area own --out areas --json a.json
[ "$(json a.json cached)" = false ] && [ "$(json a.json cells)" -gt "$cells" ] || wrong 'RTL that has changed'
runs 0 "$lockstack" area own --out areas --set Bits=8 --target ice40 --json a.json
equal "$(json a.json params)" 'Bits=8' 'other parameters'
equal "$(json a.json flipflops)" 8 'flip-flops of an FPGA'
runs 0 "$lockstack" area own parts --out areas --json a.json
equal "$(json a.json blocks.1.block)" "$(realpath parts)" 'one of several'
runs 0 "$lockstack" area own --out areas --sweep Bits=4,8 --draw pictures
[ -s pictures/area.svg ] || wrong 'no curve'
refuses 2 'a folder is synthesised whole' "$lockstack" area own --parts
refuses 2 'give yours a file of its own by --budget FILE' "$lockstack" area own --ratchet
head -1 "$source/synth/budget.csv" >budget.csv
runs 1 "$lockstack" area own --out areas --ratchet --budget budget.csv
runs 0 "$lockstack" area own --out areas --ratchet --budget budget.csv --update --reason 'the first'
runs 0 "$lockstack" area own --out areas --ratchet --budget budget.csv
mkdir twin,1 && cp own/accum* twin,1
runs 1 "$lockstack" area twin,1 --out areas --ratchet --budget budget.csv
matches "$out" "it has no line 'twin%2C1/accum'" 'a block of the same name'
runs 0 "$lockstack" area twin,1 --out areas --ratchet --budget budget.csv --update --reason 'another'
runs 0 env -C own "$lockstack" area ../own ../twin,1 --out ../areas --ratchet --budget ../budget.csv
equal "$(sed -n '/^#/d; s/^[^,]*,\([^,]*\),.*/\1/p' budget.csv | paste -sd' ')" 'own/accum twin%2C1/accum' 'its lines'
refuses 2 'no port file X.ports in this folder' "$lockstack" area changed
refuses 2 'accum has no parameter Depth' "$lockstack" area own --set Depth=1
rm own/accum.sv
refuses 2 'own/accum.v: is missing' "$lockstack" area own
