// SPDX-License-Identifier: Apache-2.0
//
// ofld_credits_proof -- no entry is given twice or lost. The oldest request is granted in the first
// cycle in which its credits are there, and no other before it. Requests leave once and in order. A
// false input is flagged and changes nothing else.
//
// A tag is the numbers that its request asks for, so that a grant says what it takes. The wrapper
// watches any one request, and counts the requests before it. Nothing is assumed.

`default_nettype none

module ofld_credits_proof #(
  parameter  int CmdEntries = 2,
  parameter  int RdEntries  = 3,
  parameter  int WrEntries  = 5,
  parameter  int Depth      = 2,
  localparam int CountW     = $clog2(Depth + 1)
) (
  input  wire logic       clk_i,
  input  wire logic       req_valid_i,
  input  wire logic [2:0] req_rd_i,
  input  wire logic [2:0] req_wr_i,
  input  wire logic       cr_valid_i,
  input  wire logic [7:0] cr_cmd_i,
  input  wire logic [9:0] cr_rd_i,
  input  wire logic [9:0] cr_wr_i,
  input  wire logic       remember_i  // watch this cycle's request
);

  logic              rst_n = 1'b0;             // low in the first cycle only
  logic              ready, gnt_valid, err;
  logic [5:0]        gnt_tag;
  logic [6:0]        cmd;
  logic [9:0]        rd, wr;
  logic [CountW-1:0] count;

  ofld_credits #(.CmdEntries(CmdEntries), .RdEntries(RdEntries), .WrEntries(WrEntries), .Depth(Depth),
                 .TagBits(6)) u_dut (
    .clk_i, .rst_ni (rst_n), .req_valid_i, .req_tag_i ({req_rd_i, req_wr_i}), .req_rd_i ({4'd0, req_rd_i}),
    .req_wr_i ({4'd0, req_wr_i}), .req_ready_o (ready), .gnt_valid_o (gnt_valid), .gnt_tag_o (gnt_tag), .cr_valid_i,
    .cr_cmd_i, .cr_rd_i, .cr_wr_i, .err_o (err), .probe_cmd_o (cmd), .probe_rd_o (rd), .probe_wr_o (wr),
    .probe_count_o (count)
  );

  logic [10:0] given_cmd, given_rd, given_wr;  // entries that are not free
  logic        honest, possible, stored, watched, wrong;
  logic [7:0]  inside, before;  // requests; those before the watched one
  logic [2:0]  want_rd, want_wr;

  assign honest   = {3'd0, cr_cmd_i} <= given_cmd && {1'b0, cr_rd_i} <= given_rd && {1'b0, cr_wr_i} <= given_wr;
  assign possible = 32'(req_rd_i) <= RdEntries && 32'(req_wr_i) <= WrEntries;
  assign stored   = req_valid_i && 32'(inside) < Depth && possible;

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      given_cmd <= '0;
      given_rd  <= '0;
      given_wr  <= '0;
      inside    <= '0;
      watched   <= 1'b0;
      wrong     <= 1'b0;
    end else begin
      given_cmd <= given_cmd + 11'(gnt_valid) - (cr_valid_i && honest ? {3'd0, cr_cmd_i} : 11'd0);
      given_rd  <= given_rd + (gnt_valid ? {8'd0, gnt_tag[5:3]} : 11'd0) - (cr_valid_i && honest ? {1'b0, cr_rd_i}
          : 11'd0);
      given_wr  <= given_wr + (gnt_valid ? {8'd0, gnt_tag[2:0]} : 11'd0) - (cr_valid_i && honest ? {1'b0, cr_wr_i}
          : 11'd0);
      inside    <= inside + 8'(stored) - 8'(gnt_valid);
      wrong     <= wrong || (cr_valid_i && !honest) || (req_valid_i && !stored);
      if (!watched && remember_i && stored) begin
        watched <= 1'b1;
        before  <= inside - 8'(gnt_valid);
        want_rd <= req_rd_i;
        want_wr <= req_wr_i;
      end else if (watched && gnt_valid) begin
        watched <= before != '0;
        before  <= before - 8'd1;
      end
    end
  end

  logic enough;

  assign enough = cmd != '0 && rd >= {8'd0, want_rd} && wr >= {8'd0, want_wr};

  always_comb if (rst_n) begin
    // Rules 1, 3 and 4: entries given and free ones are all entries.
    conserved: assert (32'(cmd) + 32'(given_cmd) == CmdEntries && 32'(rd) + 32'(given_rd) == RdEntries &&
                       32'(wr) + 32'(given_wr) == WrEntries);
    // Rule 5: false credits do not count.
    in_bounds: assert (32'(cmd) <= CmdEntries && 32'(rd) <= RdEntries && 32'(wr) <= WrEntries);
    // Rule 2: the queue is exact.
    waiting:   assert (32'(count) == 32'(inside) && ready == (32'(inside) < Depth) && (!gnt_valid || inside != '0));
    // Rule 3: the watched request is granted exactly when its credits are there.
    at_once:   assert (!watched || before != '0 || gnt_valid == enough);
    // Rule 3: with its own numbers.
    in_order:  assert (!watched || before != '0 || !gnt_valid || gnt_tag == {want_rd, want_wr});
    // Rule 5.
    flagged:   assert (err == wrong);
    // All entries are given; a request for all read entries has waited.
    all_given: cover (cmd == '0 && rd == '0 && wr == '0);
    waited:    cover (watched && before == '0 && gnt_valid && 32'(count) == Depth && 32'(want_rd) == RdEntries &&
                      given_cmd == '0);
  end
endmodule

`default_nettype wire
