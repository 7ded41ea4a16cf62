// SPDX-License-Identifier: Apache-2.0
//
// lsu_gather_proof -- a load is written once all its transfers are there, with its own bytes, and
// is done once. An entry in use is not given again.
//
// The entry's number is in the low bits of warp and id, so both tell the loads under way apart.
// Byte p of a transfer is {a, p, b} with bits a and b of the transfer, so all bytes of a transfer
// differ. The wrapper watches any one thread.

`default_nettype none

module lsu_gather_proof #(
  parameter  int Gathers = 2,
  localparam int IdxW    = Gathers > 1 ? $clog2(Gathers) : 1
) (
  input  wire logic        clk_i,
  input  wire logic        alloc_i,
  input  wire logic [7:0]  reg_i,
  input  wire logic [1:0]  size_i,
  input  wire logic        sign_i,
  input  wire logic [4:0]  off_i,
  input  wire logic        wr_valid_i,
  input  wire logic [3:0]  wr_idx_i,
  input  wire logic [3:0]  wr_k_i,
  input  wire logic [2:0]  bits_i,            // a, b
  input  wire logic        rw_gnt_i,
  input  wire logic [4:0]  thread_i           // in the cycle of reset: the thread that is watched
);

  logic               rst_n = 1'b0;           // low in the first cycle only
  logic               free, rw_valid, done, err;
  logic [3:0]         idx;
  logic [5:0]         rw_warp;
  logic [7:0]         rw_reg, done_id;
  logic [1023:0]      rw_data, shifted;
  logic [255:0]       data;
  logic [Gathers-1:0] probe;

  logic [Gathers-1:0] used, all_there;
  // Each entry: transfers that came, and what the load brought.
  logic [8:0]         got [0:Gathers-1];
  logic [26:0]        bits [0:Gathers-1];  // a and b of the transfers that are there
  logic [7:0]         rg [0:Gathers-1];
  logic [1:0]         size [0:Gathers-1];
  logic               sign [0:Gathers-1];
  logic [4:0]         off [0:Gathers-1];
  logic [3:0]         n [0:Gathers-1];
  logic [4:0]         thread;
  logic [3:0]         al_n, k;
  logic [IdxW-1:0]    now;  // the load that is written now
  logic               stored, wrong_q, high, over, over_q;
  logic [IdxW-1:0]    over_idx;
  logic [9:0]         first, at;
  logic [2:0]         bits_k;
  logic [7:0]         bytes [0:7];            // of the watched thread
  logic [31:0]        wanted;

  always_comb begin
    for (int p = 0; p < 32; p++) data[p*8 +: 8] = {bits_i[2], 5'(p), bits_i[1:0]};
  end

  lsu_gather #(.Gathers(Gathers)) u_dut (
    .clk_i, .rst_ni (rst_n), .free_o (free), .idx_o (idx), .alloc_i, .al_warp_i (6'(idx)), .al_reg_i (reg_i),
    .al_size_i (size_i), .al_sign_i (sign_i), .al_off_i (off_i), .al_n_i (al_n), .al_id_i (8'(idx)), .wr_valid_i,
    .wr_idx_i, .wr_k_i, .wr_data_i (data), .rw_valid_o (rw_valid), .rw_warp_o (rw_warp), .rw_reg_o (rw_reg),
    .rw_data_o (rw_data), .rw_gnt_i, .done_o (done), .done_id_o (done_id), .err_o (err), .probe_complete_o (probe)
  );

  // Transfers of an access: from the first byte to the last, in units of 32 bytes.
  assign al_n    = 4'((10'(off_i) + (10'd32 << size_i) + 10'd31) >> 5);
  assign now     = rw_warp[IdxW-1:0];
  assign shifted = rw_data >> {thread, 5'd0};
  assign over    = rw_valid && rw_gnt_i && (size[now] != 2'd3 || high);

  always_comb begin
    // Rule 3: a transfer that is expected; the watched thread's bytes and its word.
    stored = 1'b0;
    for (int i = 0; i < Gathers; i++) begin
      if (wr_valid_i && 32'(wr_idx_i) == i && used[i] && wr_k_i < n[i] && ((got[i] >> wr_k_i) & 9'd1) == '0)
        stored = 1'b1;
      all_there[i] = used[i] && got[i] == 9'((10'd1 << n[i]) - 10'd1);
    end
    // The watched thread's first byte in the access; the next seven follow.
    first  = 10'(off[now]) + (10'(thread) << size[now]);
    at     = '0;
    k      = '0;
    bits_k = '0;
    for (int m = 0; m < 8; m++) begin
      at     = first + 10'(m);
      k      = at[8:5];
      bits_k = 3'(bits[now] >> (32'(k) * 3));
      bytes[m] = {bits_k[2], at[4:0], bits_k[1:0]};
    end
    // Rule 7: sign extension; the two rows of eight-byte accesses.
    case (size[now])
      2'd0:    wanted = {{24{sign[now] && bytes[0][7]}}, bytes[0]};
      2'd1:    wanted = {{16{sign[now] && bytes[1][7]}}, bytes[1], bytes[0]};
      2'd2:    wanted = {bytes[3], bytes[2], bytes[1], bytes[0]};
      default: wanted = high ? {bytes[7], bytes[6], bytes[5], bytes[4]} : {bytes[3], bytes[2], bytes[1], bytes[0]};
    endcase
  end

  // Rules 1, 3 and 8: an entry fills up, and is free after the last grant of its rows.
  always @(posedge clk_i) begin
    rst_n    <= 1'b1;
    wrong_q  <= rst_n && wr_valid_i && !stored;
    over_q   <= rst_n && over;
    over_idx <= now;
    if (!rst_n) begin
      used   <= '0;
      high   <= 1'b0;
      thread <= thread_i;
    end else begin
      if (rw_valid && rw_gnt_i) high <= !over;
      for (int i = 0; i < Gathers; i++) begin
        if (stored && 32'(wr_idx_i) == i) begin
          got[i]  <= got[i] | (9'd1 << wr_k_i);
          bits[i] <= (bits[i] & ~(27'd7 << (32'(wr_k_i) * 3))) | (27'(bits_i) << (32'(wr_k_i) * 3));
        end
        if (over && 32'(now) == i) used[i] <= 1'b0;
        if (alloc_i && 32'(idx) == i) begin
          used[i] <= 1'b1;
          got[i]  <= '0;
          rg[i]   <= reg_i;
          size[i] <= size_i;
          sign[i] <= sign_i;
          off[i]  <= off_i;
          n[i]    <= al_n;
        end
      end
    end
  end

  always_comb if (rst_n) begin
    // Rule 1: lsu_issue allocates only a free entry.
    assume (!alloc_i || free);
    // lsu_rfport grants only requests.
    assume (!rw_gnt_i || rw_valid);
    // Accesses are aligned to their size: the LSU refuses others.
    assume ((off_i & ((5'd1 << size_i) - 5'd1)) == '0);
    // Rules 1 and 4: the entry offered is not in use; the probe shows complete entries.
    not_in_use:   assert (free == (used != {Gathers{1'b1}}) && (!free || (used & (Gathers'(1) << idx)) == '0) &&
                          probe == all_there);
    // Rules 5 and 6: a row is written when all transfers are there.
    all_of_it:    assert (!rw_valid || (32'(rw_warp) < Gathers && all_there[now]));
    // Rule 7: the right register, with the watched thread's bytes, extended.
    its_row:      assert (!rw_valid || (rw_reg == rg[now] + 8'(high) && shifted[31:0] == wanted));
    // Rule 8: done after the last grant, once, with the id.
    done_once:    assert (done == over_q && (!done || done_id == 8'(over_idx)));
    // Rule 3: a transfer that is not expected.
    flagged:      assert (err == wrong_q);
    // A load ends while all entries are complete.
    two_there:    cover (over && all_there == {Gathers{1'b1}});
  end
endmodule

`default_nettype wire
