/* SPDX-License-Identifier: Apache-2.0 */
#include "port_names.h"
#include "port_taken.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each list has a blank before and behind each name. */

/* Models in Python have ports as attributes, parameters as names. */
static const char words_of_python[] =
    " False None True and as assert async await break class continue def del elif else except finally for from global "
    "if import in is lambda nonlocal not or pass raise return try while with yield ";

/* The shims are C++ and have ports as fields. */
static const char words_of_cpp[] =
    " alignas alignof and and_eq bitand bitor catch char16_t char32_t char8_t class co_await co_return co_yield compl "
    "concept const_cast consteval constexpr constinit decltype delete dynamic_cast explicit export friend module "
    "mutable namespace new noexcept not not_eq nullptr operator or or_eq override private protected public "
    "reinterpret_cast requires static_cast template this throw try typeid typename using virtual wchar_t xor xor_eq ";

/* Macros where fields of ports are used: of coverage points (points.c), and of systems' headers. */
static const char macros_of_fields[] = " out last_in last_out major minor makedev i386 VERILATOR ";

/* Kinds of entries of a port file. Some are macros without arguments where fields are used. */
static const char words_of_port_files[] =
    " KIND CLOCK RESET PARAM IN OUT ERROR OFF PROBE IN_V OUT_V PROBE_V IN_S OUT_S PROBE_S IN_N OUT_N PROBE_N "
    "FIELD FIELD_V ENUM LABEL ARRAY ARRAY_V COVER COVER_LET COVER_STREAK COVER_LEVEL COVER_LAST COVER_AXIS COVER_CROSS ";

/* Macros of C++ shims, and names in a new block's own files, that a parameter would change. */
static const char names_beside_params[] =
    " BUSY SPARSE FILE DIR State IS DUT PIN CELL STATE STATES SRAM PART WIRE COUNT ELEMENTS POINT NO_BINS NUM_POINTS "
    "RESET_CYCLES IData CData SData QData EData WData ENDS WRAP UNKNOWN DUT_SYMS TYPE_OF ";

/* Members of the class that Verilator makes, and of what it derives from. */
static const char members_of_class[] =
    " name eval eval_step eval_end_step final trace traceBaseModel traceConfig contextp rootp hierName modelName "
    "threads eventsPending nextTimeSlot prepareClone atClone m_context std TOP EOF main ";

static const char words_of_systemverilog[] =
    " accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin bind "
    "bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config "
    "const constraint context continue cover covergroup coverpoint cross deassign default defparam design disable dist "
    "do edge else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface "
    "endmodule endpackage endprimitive endprogram endproperty endspecify endsequence endtable endtask enum event "
    "eventually expect export extends extern final first_match for force foreach forever fork forkjoin function "
    "generate genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir "
    "include initial inout input inside instance int integer interconnect interface intersect join join_any join_none "
    "large let liblist library local localparam logic longint macromodule matches medium modport module nand negedge "
    "nettype new nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed parameter pmos "
    "posedge primitive priority program property protected pull0 pull1 pulldown pullup pulsestyle_ondetect "
    "pulsestyle_onevent pure rand randc randcase randsequence rcmos real realtime ref reg reject_on release repeat "
    "restrict return rnmos rpmos rtran rtranif0 rtranif1 s_always s_eventually s_nexttime s_until s_until_with "
    "scalared sequence shortint shortreal showcancelled signed small soft solve specify specparam static string strong "
    "strong0 strong1 struct super supply0 supply1 sync_accept_on sync_reject_on table tagged task this throughout time "
    "timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg type typedef union unique unique0 "
    "unsigned until until_with untyped use uwire var vectored virtual void wait wait_order wand weak weak0 weak1 while "
    "wildcard wire with within wor xnor xor ";

static bool is_in(const char *list, const char *name) {
  const size_t n = strlen(name);
  for (const char *at = list; n && (at = strstr(at, name)); at += n)
    if (at[-1] == ' ' && at[n] == ' ') return true;
  return false;
}

static bool is_letter(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

bool port_name_plain(const char *name) {
  if (!*name || isdigit((unsigned char)*name)) return false;
  while (is_letter(*name)) name++;
  return !*name;
}

/* A type in C by its form: uint64_t, words_in_t. */
static bool is_type(const char *name) {
  const size_t n = strlen(name);
  return n > 2 && strcmp(name + n - 2, "_t") == 0;
}

static bool is_kept(const char *name) {
  return is_type(name) || port_taken(name) || is_in(words_of_python, name) || is_in(words_of_cpp, name) ||
         is_in(words_of_port_files, name);
}

/* Copies the name with `_` for other characters, and before a digit at its start. */
static void copy_plain(const char *rtl, char name[PORT_NAME]) {
  size_t n = 0;
  if (!isalpha((unsigned char)*rtl) && *rtl != '_' && !ispunct((unsigned char)*rtl)) name[n++] = '_';
  for (; *rtl && n < PORT_NAME / 2; rtl++) name[n++] = (char)(is_letter(*rtl) ? *rtl : '_');
  name[n] = 0;
}

void port_name_model(const char *rtl, char name[PORT_NAME]) {
  copy_plain(rtl, name);
  if (is_kept(name) || is_in(macros_of_fields, name)) strcat(name, "_");
}

void port_name_param(const char *rtl, char name[PORT_NAME]) {
  bool small = true;
  copy_plain(rtl, name);
  for (const char *p = name; *p; p++) small = small && !isupper((unsigned char)*p);
  if (small || is_kept(name) || is_in(names_beside_params, name)) strcat(name, "_");
}

void port_name_stem(const char *block, char name[PORT_NAME]) {
  static const char types[] =
      " div ldiv lldiv imaxdiv time clock clockid timer timer_t size ssize wchar wint wctype wctrans mbstate off off64 "
      "fpos key id pid uid gid mode dev ino nlink blkcnt blksize fsblkcnt fsfilcnt suseconds useconds sig_atomic sigset "
      "sighandler locale ptrdiff max_align intptr uintptr intmax uintmax int8 int16 int32 int64 uint8 uint16 uint32 "
      "uint64 int_least8 int_fast8 register float double error errno caddr daddr quad u_quad loff socklen random rng "
      "stim stim_profile dut dut_port dut_param device state python python_state stream apb axi_lite wishbone ";
  snprintf(name, PORT_NAME, "%.500s%s", block, is_in(types, block) ? "_" : "");
}

void port_name_verilog(const char *rtl, char name[PORT_NAME]) {
  const bool bare = port_name_plain(rtl) && !is_in(words_of_systemverilog, rtl);
  snprintf(name, PORT_NAME, "%s%.500s%s", bare ? "" : "\\", rtl, bare ? "" : " ");
}

/* Verilator's own names, and types: VL_IN8, vlSymsp, VerilatedContext, uint32_t, QData. */
static bool is_of_class(const char *name) {
  const size_t n = strlen(name);
  return strncasecmp(name, "vl", 2) == 0 || strncmp(name, "Verilated", 9) == 0 || strncmp(name, "Vdut", 4) == 0 ||
         (n == 5 && strcmp(name + 1, "Data") == 0) || strstr(name, "__");
}

void port_name_member(const char *rtl, char name[PORT_NAME]) {
  size_t n = 0;
  if (port_name_plain(rtl) && !is_of_class(rtl) && !is_kept(rtl) && !is_in(members_of_class, rtl) &&
      !is_in(macros_of_fields, rtl)) {
    snprintf(name, PORT_NAME, "%s", rtl);
    return;
  }
  n = (size_t)snprintf(name, PORT_NAME, "lockstack_pin_");
  for (; *rtl && n + 4 < PORT_NAME; rtl++)
    if (isalnum((unsigned char)*rtl)) name[n++] = *rtl;
    else n += (size_t)snprintf(name + n, PORT_NAME - n, "_%02x", (unsigned char)*rtl);
  name[n] = 0;
}

/* Two _ in a row are encoded, too; Verilator's characters have a sign. */
void port_name_encoded(const char *rtl, char name[PORT_NAME]) {
  size_t n = 0;
  for (const char *p = rtl; *p && n + 16 < PORT_NAME; p++) {
    if (*p == '_' && p[1] == '_') n += (size_t)snprintf(name + n, PORT_NAME - n, "___05F"), p++;
    else if (*p == '_' || (p == rtl ? isalpha((unsigned char)*p) : isalnum((unsigned char)*p))) name[n++] = *p;
    else n += (size_t)snprintf(name + n, PORT_NAME - n, "__0%02x", (unsigned)(signed char)*p);
  }
  name[n] = 0;
}

/* "__02b" is a +, and so on; a character above 127 may have the sign's digits: "__0ffffffc3". */
void port_name_decoded(const char *verilated, char name[PORT_NAME]) {
  static const char mark[] = "__SYM__";
  size_t n = 0;
  const char *p = verilated;
  if (strncmp(p, mark, sizeof mark - 1) == 0) p += sizeof mark - 1;
  while (*p && n + 1 < PORT_NAME) {
    const char *code = strncmp(p, "__0", 3) ? NULL : p + 3 + (strncmp(p + 3, "ffffff", 6) ? 0 : 6);
    if (code && isxdigit((unsigned char)code[0]) && isxdigit((unsigned char)code[1])) {
      name[n++] = (char)strtol((char[]){code[0], code[1], 0}, NULL, 16);
      p = code + 2;
    } else name[n++] = *p++;
  }
  name[n] = 0;
}

void port_name_cxxrtl(const char *rtl, char name[PORT_NAME]) {
  size_t n = 0;
  for (; *rtl && n + 5 < PORT_NAME; rtl++) {
    if (*rtl == '_') n += (size_t)snprintf(name + n, PORT_NAME - n, "__");
    else if (isalnum((unsigned char)*rtl)) name[n++] = *rtl;
    else n += (size_t)snprintf(name + n, PORT_NAME - n, "_%x_", (unsigned char)*rtl);
  }
  name[n] = 0;
}

void port_name_quoted(const char *rtl, char name[PORT_NAME]) {
  size_t n = 0;
  name[n++] = '"';
  for (; *rtl && n + 3 < PORT_NAME; rtl++) {
    if (*rtl == '"' || *rtl == '\\') name[n++] = '\\';
    name[n++] = *rtl;
  }
  name[n++] = '"';
  name[n] = 0;
}

bool port_name_interface(const char *rtl, char name[PORT_NAME]) {
  const char *end = strrchr(rtl, '.');
  snprintf(name, PORT_NAME, "%s", rtl);
  if (!end || end == rtl || (strcmp(end, ".in") && strcmp(end, ".out"))) return false;
  name[end - rtl] = 0;
  char *index = strrchr(name, '.');
  if (!index || !index[1] || index[1 + strspn(index + 1, "0123456789")]) return true;
  *index = '[', strcat(name, "]");
  return true;
}

void port_name_scope(const char *rtl, char name[PORT_NAME]) {
  char scope[PORT_NAME];
  port_name_interface(rtl, scope);
  port_name_quoted(scope, name);
}
