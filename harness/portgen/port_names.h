/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of the RTL where they are written in other languages. Verilog allows any printable
 * character in a name (\a+b ), and words that C, C++ and Python keep for themselves.
 *
 *   char name[PORT_NAME];
 *   port_name_model("in", name)      "in_"      in the port file, in C and in Python
 *   port_name_verilog("a+b", name)   "\a+b "    in Verilog
 *   port_name_member("name", name)   "lockstack_pin_name"   in the Verilated class
 */
#ifndef PORT_NAMES_H
#define PORT_NAMES_H

#include <stdbool.h>

enum { PORT_NAME = 512 /* bytes of a name in any of these languages */ };

/* True for letters, digits and _, a letter or _ first. */
bool port_name_plain(const char *name);

/* The name in the port file and in models. Each character other than a letter, digit or _ becomes
 * _; `_` is appended to a word of C, C++, Python or a port file, and to a macro of C's library. */
void port_name_model(const char *rtl, char name[PORT_NAME]);

/* The same of a parameter, which is a macro of the model: `_` is appended to words in small letters
 * too, because C's headers may use such a word. */
void port_name_param(const char *rtl, char name[PORT_NAME]);

/* What C's names of a block begin with, as in fifo_t and fifo_in_t: its name, with `_` behind it if
 * C or this tree has such types already (div_t, time_t). */
void port_name_stem(const char *block, char name[PORT_NAME]);

/* The name as a whole Verilog identifier. Escaped if it is not plain, or a word of
 * SystemVerilog. */
void port_name_verilog(const char *rtl, char name[PORT_NAME]);

/* The C++ member for the port in the Verilated class, after recipe_members.c has renamed it: the
 * RTL's own name if no member or macro of C++ can have it. */
void port_name_member(const char *rtl, char name[PORT_NAME]);

/* The name as Verilator spells it in C++ and in -G: "a__02bb" for "a+b". */
void port_name_encoded(const char *rtl, char name[PORT_NAME]);

/* The RTL's name for one that Verilator writes in C++: "a+b" for "a__02bb", "int" for
 * "__SYM__int". */
void port_name_decoded(const char *verilated, char name[PORT_NAME]);

/* The name as cxxrtl writes it, without the p_ in front: "a__b" for "a_b". */
void port_name_cxxrtl(const char *rtl, char name[PORT_NAME]);

/* A C string literal of the text, quotes included. */
void port_name_quoted(const char *rtl, char name[PORT_NAME]);

/* An interface's inputs are one port of the RTL, "s.in", its outputs another, "s.out"; of an array
 * of them "s.0.in". Writes the interface's name, "s" or "s[0]". False: the name is none of these;
 * it is written as it is. */
bool port_name_interface(const char *rtl, char name[PORT_NAME]);

/* A C string literal of the scope that fields of a struct's port have in waveforms: the port, or
 * its interface. */
void port_name_scope(const char *rtl, char name[PORT_NAME]);

#endif
