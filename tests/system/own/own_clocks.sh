# SPDX-License-Identifier: Apache-2.0
#
# A FIFO of two clocks that get one: `new --clock a,b`, each device and verb, and that a clock
# without a line is refused. timeout: 600
source "$(dirname "$0")/../lib.sh"

mkdir src
cat >src/crossing.v <<'EOF'
module crossing (input wclk, input rclk, input rst, input put, input [7:0] data, output full,
                 input take, output [7:0] head, output empty);
  reg [7:0] rows [0:3];
  reg [2:0] wr, rd, wr_gray, rd_gray, wr_late, wr_seen, rd_late, rd_seen;
  wire [2:0] wr_next = wr + (put && !full), rd_next = rd + (take && !empty);
  assign full = wr_gray == {~rd_seen[2:1], rd_seen[0]};
  assign empty = rd_gray == wr_seen;
  assign head = rows[rd[1:0]];
  always @(posedge wclk)
    if (rst) {wr, wr_gray, rd_late, rd_seen} <= 0;
    else begin
      if (put && !full) rows[wr[1:0]] <= data;
      wr <= wr_next; wr_gray <= wr_next ^ wr_next >> 1;
      rd_late <= rd_gray; rd_seen <= rd_late;
    end
  always @(posedge rclk)
    if (rst) {rd, rd_gray, wr_late, wr_seen} <= 0;
    else begin
      rd <= rd_next; rd_gray <= rd_next ^ rd_next >> 1;
      wr_late <= wr_gray; wr_seen <= wr_late;
    end
endmodule
EOF
refuses 2 'two clocks, wclk and rclk.*--clock wclk,rclk gives both the same clock' "$lockstack" new crossing --from src/crossing.v
refuses 2 '--clock: crossing has no input wide of one bit' "$lockstack" new crossing --from src/crossing.v --clock wclk,wide
refuses 2 'wait for an edge of rclk, too: wclk,put,rclk' "$lockstack" new crossing --from src/crossing.v --clock wclk,put
runs 0 "$lockstack" new crossing --from src/crossing.v --clock wclk,rclk --json n.json
equal "$(json n.json from.clock)" wclk,rclk 'both'
matches "$(tr '\n' ' ' <crossing/crossing.ports)" 'CLOCK\(wclk\) CLOCK\(rclk\) RESET\(rst, high, sync\)' 'a line for each'

# What is written is seen two cycles later on the other side, as the synchronisers have it.
cat >crossing/crossing.c <<'EOF'
#include "crossing.h"
void crossing_reset(crossing_t *s) {
  for (int i = 0; i < 3; i++) s->written[i] = s->taken[i] = 0;
}
void crossing_eval(const crossing_t *s, const crossing_in_t *in, crossing_out_t *out) {
  (void)in;
  out->full = s->written[0] - s->taken[2] == 4, out->empty = s->taken[0] == s->written[2];
  out->head = s->rows[s->taken[0] % 4];
}
void crossing_step(crossing_t *s, const crossing_in_t *in) {
  const bool full = s->written[0] - s->taken[2] == 4, empty = s->taken[0] == s->written[2];
  if (in->put && !full) s->rows[s->written[0] % 4] = (uint8_t)in->data;
  for (int i = 2; i > 0; i--) s->written[i] = s->written[i - 1], s->taken[i] = s->taken[i - 1];
  s->written[0] += in->put && !full, s->taken[0] += in->take && !empty;
}
EOF
sed -i 's/uint64_t cycles;.*/uint8_t rows[4];\n  uint32_t written[3], taken[3];/' crossing/crossing.h
sed -i 's/OUT(head, 8, always)/OUT(valid, 1, always)\nOUT(head, 8, valid)/; s/OUT(empty, 1, always)//' crossing/crossing.ports
sed -i 's/out->empty = \(.*\);/out->valid = !(\1);/' crossing/crossing.c
sed -i 's/output \[7:0\] head, output empty/output [7:0] head, output valid/; s/assign empty =/wire empty =/; s/^endmodule/  assign valid = !empty;\nendmodule/' src/crossing.v
for dut in rtl icarus cxxrtl netlist; do
  runs 0 "$lockstack" check crossing --dut $dut --cycles 5000 --json c.json
  equal "$(json c.json outcome) $(json c.json cycles)" 'PASS 5000' "as $dut"
done
runs 0 "$lockstack" check crossing --cycles 2000 --wave w.fst
runs 0 "$lockstack" mutate crossing --json m.json
equal "$(json m.json survived)" 0 'no mutant survives'
runs 0 "$lockstack" cover crossing --prove
runs 0 "$lockstack" faults crossing --count 200
runs 0 "$lockstack" power crossing --cycles 2000
runs 0 "$lockstack" area crossing

# A register that takes a pointer a cycle too early
sed -i 's/wr_seen <= wr_late/wr_seen <= wr_gray/' src/crossing.v
for dut in rtl icarus cxxrtl netlist; do
  runs 1 "$lockstack" check crossing --no-wave --dut $dut --cycles 5000 --json c.json
  equal "$(json c.json outcome)" DIVERGED "as $dut: seen too early"
done
sed -i '/CLOCK(rclk)/d' crossing/crossing.ports
sed -i 's/^IN(put/IN(rclk, 1, always)\nIN(put/' crossing/crossing.ports
refuses 2 'registers wait for an edge of input rclk.*a second entry, CLOCK\(rclk\)' "$lockstack" check crossing --cycles 1000
