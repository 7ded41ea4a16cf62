/* SPDX-License-Identifier: Apache-2.0
 *
 * Interfaces by the names of their ports: a table of naming styles, and of names that only look
 * like them.
 */
#include "interfaces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Ports: "<a" is an input, ">a" an output, "<a:8" of 8 bits. */
static void read_ports(module_t *m, const char *text) {
  static const module_t none;
  *m = none;
  for (int n = 0; *text; text += n) {
    module_port_t *p = &m->ports[m->num_ports];
    char way, name[64];
    assert_int_equal(sscanf(text, " %c%63[^: ]%n", &way, name, &n), 2);
    text += n, n = 0;
    snprintf(p->name, sizeof p->name, "%s", name);
    p->output = way == '>', p->width = 1;
    if (*text == ':') assert_int_equal(sscanf(text, ":%u%n", &p->width, &n), 1);
    m->num_ports++;
  }
}

/* "s_axis: AXI-Stream, the block takes (tdata tlast); ..." with the payload's ports. */
static void describe(const char *ports, char *text, size_t size) {
  static interfaces_t found;
  static module_t m;
  char what[64];
  size_t n = 0;
  static const look_pins_t pins = {.clock = "clk", .clocks = "clk", .resets = {{.name = "rst"}}, .num_resets = 1};
  read_ports(&m, ports);
  interfaces_find(&m, &pins, &found);
  *text = 0;
  for (const interface_t *f = found.all; f < found.all + found.count; f++) {
    n += (size_t)snprintf(text + n, size - n, "%s%s: %s (", n ? "; " : "", f->name, interface_text(f, what));
    const char *blank = "";
    for (const interface_channel_t *c = f->channel; c < f->channel + CHANNELS; c++)
      for (unsigned i = 0; i < c->num_payload; i++, blank = " ")
        n += (size_t)snprintf(text + n, size - n, "%s%s", blank, m.ports[c->payload[i]].name);
    n += (size_t)snprintf(text + n, size - n, ")");
  }
  for (unsigned i = 0; i < found.num_left; i++)
    n +=
        (size_t)snprintf(text + n, size - n, "%s%.*s?", n ? "; " : "", (int)strcspn(found.left[i], ","), found.left[i]);
}

#define AXIS_IN(p, s) "<" p "tdata" s ":8 <" p "tvalid" s " >" p "tready" s " <" p "tlast" s
#define LITE(p, s)                                                                                                  \
  "<" p "awaddr" s ":8 <" p "awprot" s ":3 <" p "awvalid" s " >" p "awready" s " <" p "wdata" s ":32 <" p "wstrb" s \
  ":4 <" p "wvalid" s " >" p "wready" s " >" p "bresp" s ":2 >" p "bvalid" s " <" p "bready" s " <" p "araddr" s    \
  ":8 <" p "arvalid" s " >" p "arready" s " >" p "rdata" s ":32 >" p "rresp" s ":2 >" p "rvalid" s " <" p "rready" s

static const struct {
  const char *ports, *found;
} table[] = {
    /* AXI-Stream */
    {"<clk <rst " AXIS_IN("s_axis_", "") " >m_axis_tdata:8 >m_axis_tvalid <m_axis_tready >m_axis_tkeep",
     "s_axis: AXI-Stream, the block takes (s_axis_tdata s_axis_tlast); m_axis: AXI-Stream, the block offers "
     "(m_axis_tdata m_axis_tkeep)"},
    {"<S_AXIS_TVALID >S_AXIS_TREADY <S_AXIS_TDATA:8", "s_axis: AXI-Stream, the block takes (S_AXIS_TDATA)"},
    {"<tvalid_i >tready_o <tdata_i:8 >tvalid_o <tready_i >tdata_o:8",
     "tvalid_i: AXI-Stream, the block takes (tdata_i); tvalid_o: AXI-Stream, the block offers (tdata_o)"},
    {"<i_tvalid >i_tready <i_tdata:8 >o_tvalid <o_tready >o_tdata:8",
     "i: AXI-Stream, the block takes (i_tdata); o: AXI-Stream, the block offers (o_tdata)"},
    {"<axis_in_tvalid >axis_in_tready <axis_in_tdata:8 <axis_in_tuser",
     "axis_in: AXI-Stream, the block takes (axis_in_tdata axis_in_tuser)"},
    {"<s_axis_tvalid_0 >s_axis_tready_0 <s_axis_tdata_0:8 <s_axis_tvalid_1 >s_axis_tready_1 <s_axis_tdata_1:8",
     "s_axis_0: AXI-Stream, the block takes (s_axis_tdata_0); s_axis_1: AXI-Stream, the block takes (s_axis_tdata_1)"},
    {"<s_axis_tvalid <s_axis_tdata:8", "s_axis: AXI-Stream without tready, the block takes (s_axis_tdata)"},
    {"<tap_axis_tvalid <tap_axis_tready <tap_axis_tdata:8",
     "tap_axis: AXI-Stream, the block overhears (tap_axis_tdata)"},
    {"<s_axis_tvalid:4 >s_axis_tready:4 <s_axis_tdata:32 <s_axis_tid:3",
     "s_axis: AXI-Stream, the block takes (s_axis_tdata s_axis_tid)"},
    /* AXI */
    {LITE("s_axil_", ""),
     "s_axil: AXI4-Lite, the block serves (s_axil_awaddr s_axil_awprot s_axil_wdata s_axil_wstrb s_axil_araddr "
     "s_axil_bresp s_axil_rdata s_axil_rresp)"},
    {LITE("cfg_", "_0") " <irq",
     "cfg_0: AXI4-Lite, the block serves (cfg_awaddr_0 cfg_awprot_0 cfg_wdata_0 cfg_wstrb_0 cfg_araddr_0 cfg_bresp_0 "
     "cfg_rdata_0 cfg_rresp_0)"},
    {"<S_AXI_ARVALID >S_AXI_ARREADY <S_AXI_ARADDR:8 >S_AXI_RVALID <S_AXI_RREADY >S_AXI_RDATA:8",
     "s_axi: AXI4-Lite, the block serves (S_AXI_ARADDR S_AXI_RDATA)"},
    {">m_axi_arvalid <m_axi_arready >m_axi_araddr:8 >m_axi_arlen:8 <m_axi_rvalid >m_axi_rready <m_axi_rdata:8 "
     "<m_axi_rlast",
     "m_axi: AXI4, the block asks (m_axi_araddr m_axi_arlen m_axi_rdata m_axi_rlast)"},
    /* APB */
    {"<PSEL <PENABLE <PWRITE <PADDR:8 <PWDATA:32 >PREADY >PRDATA:32 >PSLVERR",
     "PSEL: APB, the block serves (PWRITE PADDR PWDATA PRDATA PSLVERR)"},
    {"<apb_psel_i <apb_penable_i <apb_pwrite_i <apb_paddr_i:8 <apb_pwdata_i:32 >apb_prdata_o:32",
     "apb: APB, the block serves (apb_pwrite_i apb_paddr_i apb_pwdata_i apb_prdata_o)"},
    {">m_psel >m_penable >m_paddr:8 >m_pwrite <m_pready <m_prdata:8",
     "m: APB, the block asks (m_paddr m_pwrite m_prdata)"},
    /* Wishbone */
    {"<i_wb_cyc <i_wb_stb <i_wb_we <i_wb_addr:2 <i_wb_data:8 <i_wb_sel >o_wb_stall >o_wb_ack >o_wb_data:8",
     "wb: Wishbone, the block serves (i_wb_we i_wb_addr i_wb_data i_wb_sel o_wb_data)"},
    {"<wb_cyc_i <wb_stb_i <wb_we_i <wb_adr_i:8 <wb_dat_i:8 >wb_dat_o:8 >wb_ack_o >wb_err_o",
     "wb: Wishbone, the block serves (wb_we_i wb_adr_i wb_dat_i wb_dat_o)"},
    {">wbm_cyc_o >wbm_stb_o >wbm_we_o >wbm_adr_o:8 >wbm_dat_o:8 <wbm_dat_i:8 <wbm_ack_i",
     "wbm: Wishbone, the block asks (wbm_we_o wbm_adr_o wbm_dat_o wbm_dat_i)"},
    {"<CYC_I <STB_I <WE_I <ADR_I:8 <DAT_I:8 >DAT_O:8 >ACK_O",
     "STB_I: Wishbone, the block serves (WE_I ADR_I DAT_I DAT_O)"},
    /* ready and valid */
    {"<in_valid >in_ready <in_data:8 <in_last >out_valid <out_ready >out_data:8 <enable",
     "in: ready/valid, the block takes (in_data in_last); out: ready/valid, the block offers (out_data)"},
    {"<valid_i >ready_o <data_i:8 >valid_o <ready_i >data_o:8 <flush_i",
     "valid_i: ready/valid, the block takes (data_i); valid_o: ready/valid, the block offers (data_o)"},
    {"<i_valid >o_ready <i_data:8 >o_valid <i_ready >o_data:8",
     "i_valid: ready/valid, the block takes (i_data); o_valid: ready/valid, the block offers (o_data)"},
    {"<wvalid_i >wready_o <wdata_i:8 >rvalid_o <rready_i >rdata_o:8 >full_o <clr_i <write_mask_i",
     "wvalid_i: ready/valid, the block takes (wdata_i); rvalid_o: ready/valid, the block offers (rdata_o)"},
    {"<rvld >rrdy <rdata:8 <wide", "rvld: ready/valid, the block takes (rdata)"},
    {"<req_val >req_rdy <req_msg:8", "req: ready/valid, the block takes (req_msg)"},
    {"<req_valid_i >req_ready_o <req_i:9 <required", "req: ready/valid, the block takes (req_i)"},
    {"<a_valid >a_ready <a_b_valid >a_b_ready <a_b_data <a_data",
     "a: ready/valid, the block takes (a_data); a_b: ready/valid, the block takes (a_b_data)"},
    /* friends that are false */
    {"<valid <data:8 >ready_count:4", ""},
    {"<invalid >already <data", ""},
    {"<valid <ready <data", ""},
    {"<valid:2 >ready <data", ""},
    {"<psel <paddr:8 <pwrite >prdata:8", "psel: looks like APB?"},
    {"<psel:4 <penable <paddr:8 <pwrite >prdata:8", "psel: looks like APB?; penable: looks like APB?"},
    {"<wb_we <wb_addr:5 <wb_data:32", ""},
    {"<wb_stb <wb_we <wb_adr", "wb: looks like Wishbone?"},
    {"<s_axi_awvalid <s_axi_awaddr:8 >s_axi_awready", "s_axi_awvalid: ready/valid, the block takes (s_axi_awaddr)"},
    {"<s_axis_tvalid:2 >s_axis_tready <s_axis_tdata:8", "s_axis: looks like AXI-Stream?"},
    {"<tvalids <tdata", ""},
    {"<sel <addr:8 >ack <stall", ""},
};

static void names_to_interfaces(void **state) {
  (void)state;
  char text[2048];
  unsigned wrong = 0;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    describe(table[i].ports, text, sizeof text);
    if (strcmp(text, table[i].found) == 0) continue;
    print_error("%s\n  found  %s\n  wanted %s\n", table[i].ports, text, table[i].found);
    wrong++;
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_to_interfaces)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
