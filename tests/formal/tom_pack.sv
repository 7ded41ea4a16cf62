// SPDX-License-Identifier: Apache-2.0
//
// tom_pack_proof -- a request is its header and a row for each register, the lowest first, each as
// it was read, the last beat marked. It comes in time while there are places. There are never more
// beats than places; no place is lost or made, and false credits are flagged.
//
// Nothing is assumed of the inputs. Some bits of rows and header are compared.

`default_nettype none

module tom_pack_proof #(
  parameter int PackCycles = 3,
  parameter int OutCredits = 2
) (
  input wire logic          clk_i,
  input wire logic          go_valid_i,
  input wire logic [1:0]    go_warp_i,
  input wire logic [2:0]    go_stack_i,
  input wire logic [31:0]   go_pc_i,
  input wire logic [31:0]   go_exit_i,
  input wire logic [31:0]   go_mask_i,
  input wire logic [63:0]   go_in_i,
  input wire logic [63:0]   go_out_i,
  input wire logic [1023:0] rd_data_i,
  input wire logic          credit_i
);

  localparam int CredW = $clog2(OutCredits + 1);

  logic             rst_n = 1'b0;                // low in the first cycle only
  logic             go_ready, rd_valid, out_valid, out_last, err;
  logic [1:0]       rd_warp;
  logic [5:0]       rd_reg;
  logic [1023:0]    beat;
  logic [CredW-1:0] credits;
  logic [63:0]      left;

  tom_pack #(.Warps(4), .PackCycles(PackCycles), .OutCredits(OutCredits)) u_dut (
    .clk_i, .rst_ni (rst_n), .go_valid_i, .go_warp_i, .go_stack_i, .go_pc_i, .go_exit_i, .go_mask_i, .go_in_i,
    .go_out_i, .go_ready_o (go_ready), .rd_valid_o (rd_valid), .rd_warp_o (rd_warp), .rd_reg_o (rd_reg), .rd_data_i,
    .out_valid_o (out_valid), .out_beat_o (beat), .out_last_o (out_last), .credit_i, .err_o (err),
    .probe_credits_o (credits), .probe_left_o (left)
  );

  logic [63:0] rest, lower;  // registers still to be read; those below this one
  logic [1:0]  warp;
  logic [8:0]  words, now_words, then_words;  // some header bits, and "alone"; of the older, of the newer request
  logic [2:0]  heads;  // headers still to go out
  logic        first, go, ends_row, read_q, read_q2, last_q, last_q2, wrong, starved, waits;
  logic [2:0]  data_q;  // three bits of the row
  logic [1:0]  quiet;  // cycles without a request, up to 3
  logic [7:0]  age, used;  // cycles since the go; places in use, below 0 after early credits

  assign go       = go_valid_i && go_ready;
  assign lower    = rest & ~({64{1'b1}} << rd_reg);
  assign ends_row = rd_valid && (rest & ~(64'd1 << rd_reg)) == '0;
  assign words    = {go_in_i == '0, go_warp_i[0], go_stack_i[2], go_pc_i[31], go_exit_i[0], go_mask_i[7], go_in_i[0],
                     go_in_i[63], go_out_i[63]};

  always @(posedge clk_i) begin
    rst_n   <= 1'b1;
    read_q  <= rd_valid;
    read_q2 <= read_q;
    last_q  <= ends_row;
    last_q2 <= last_q;
    data_q  <= {rd_data_i[1023], rd_data_i[500], rd_data_i[0]};
    if (!rst_n) begin
      {rest, heads, used, quiet, age} <= '0;
      {read_q, read_q2, wrong, waits, starved} <= '0;
      first <= 1'b1;
    end else begin
      rest  <= go ? go_in_i : rd_valid ? rest & ~(64'd1 << rd_reg) : rest;
      heads <= heads + 3'(go) - 3'(out_valid && first);
      if (go) warp <= go_warp_i;
      if (go && heads == 3'(out_valid && first)) now_words <= words;
      else if (out_valid && first) now_words <= then_words;
      if (go) then_words <= words;
      if (out_valid) first <= out_last;
      quiet   <= !go_ready ? 2'd0 : quiet + 2'(quiet != 2'd3);
      used    <= used + 8'(out_valid) - 8'(credit_i && credits != CredW'(OutCredits));
      wrong   <= wrong || (credit_i && credits == CredW'(OutCredits));
      age     <= go ? 8'd1 : age + 8'(age != 8'd255);
      waits   <= go || (waits && !(out_valid && first && heads == 3'd1));
      starved <= !go && (starved || credits == '0);
    end
  end

  always_comb if (rst_n) begin
    // Rules 1 and 2: the lowest register that is left.
    lowest_row:  assert (!rd_valid || (rest[rd_reg] && lower == '0 && rd_warp == warp));
    // Rule 4: the next request when all rows are chosen.
    all_rows:    assert (!go_ready || rest == '0);
    // Rules 1 and 2: a row goes out two cycles after its read, the last one marked.
    each_sent:   assert (!read_q2 || (out_valid && !first && out_last == last_q2));
    // Rule 2.
    its_row:     assert (!out_valid || first || (read_q2 && {beat[1023], beat[500], beat[0]} == data_q));
    // Rule 1: one header a request.
    one_header:  assert (heads <= 3'd2 && (!out_valid || !first || heads != '0) &&
                         (quiet != 2'd3 || !go_ready || heads == '0));
    // Rule 1: the header's fields.
    whole:       assert (!out_valid || !first || {out_last, beat[0], beat[10], beat[63], beat[64], beat[103], beat[128],
                                                  beat[191], beat[255]} == now_words);
    // Rule 3: never more beats than places.
    no_more:     assert ($signed({used[7], used}) + $signed(9'(out_valid)) <= $signed(9'(OutCredits)));
    // Rule 1: the header goes out PackCycles after its go, and not earlier.
    in_time:     assert (!waits || starved || age < 8'(PackCycles) || (age == 8'(PackCycles) && out_valid && first));
    not_early:   assert (!out_valid || !first || heads != 3'd1 || age >= 8'(PackCycles));
    // Rule 5.
    flagged:     assert (err == wrong);
    // A request begins while another goes out; all places are in use.
    two_at_once: cover (out_valid && heads == 3'd2);
    all_places:  cover (credits == '0 && out_valid && rest != '0);
  end
endmodule

`default_nettype wire
