# SPDX-License-Identifier: Apache-2.0
#
# What the scripts for OpenSTA share (harness/verify/timing, sta.h). Before it ask.tcl sets
#
#   top        the netlist's module                libraries  Liberty files
#   netlist    its file
#   clock      the clock's port; "": it has none   ideal      ports that no cell drives: clock and reset
#   period     of the clock, in seconds; 0: the shortest is looked for
#   sdc        the user's constraints instead of these; "": none
#   driver     the cell that drives inputs         paths      how many of the worst are told
#   answer     the file for what was found: lines of words with tabs between, `end` behind the last one

proc say {args} {
  global out
  puts $out [join $args "\t"]
}

proc read_all {} {
  global libraries netlist top
  foreach file $libraries { read_liberty $file }
  read_verilog $netlist
  link_design $top
}

proc make_clock {period} {
  global clock
  if {$clock eq ""} { create_clock -name clock -period $period } else { create_clock -name clock -period $period [get_ports $clock] }
}

# Inputs that a cell drives.
proc driven_inputs {} {
  global ideal
  set inputs {}
  foreach port [all_inputs] {
    if {[lsearch -exact $ideal [lindex [split [get_full_name $port] "\["] 0]] < 0} { lappend inputs $port }
  }
  return $inputs
}

proc drive {inputs} {
  global driver
  if {$driver ne "" && [llength $inputs]} { set_driving_cell -lib_cell $driver $inputs }
}

# What `work` finds goes into the answer, and its end or its error.
proc answer_with {work} {
  global out answer
  set out [open $answer w]
  if {[catch $work why]} { say error $why } else { say end }
  close $out
}
