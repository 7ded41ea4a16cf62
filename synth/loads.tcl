# SPDX-License-Identifier: Apache-2.0
#
# Cells of a mapped netlist with their pins, for `lockstack power` (harness/verify/timing, loads.h), by OpenSTA: nets, the loads that outputs see, how
# steeply pins rise and fall. sta.tcl goes before. A line a cell, then one for each of its pins; loads in farad, transitions in seconds.
# What no Liberty file has is a box: its line has the module that it is in and its name there, its pins have nets alone.

proc steepness {pin edge scale} {
  if {[catch {get_property $pin "actual_${edge}_transition_max"} slew]} { return 0 }
  if {![string is double -strict $slew]} { return 0 }
  return [expr {$slew * $scale}]
}

proc tell_cell {cell second} {
  say inst [get_full_name $cell] [get_property $cell ref_name]
  set pins [$cell pin_iterator]
  while {[$pins has_next]} {
    set pin [$pins next]
    set net [$pin net]
    set drives [$pin is_driver]
    set load 0
    if {$drives && $net ne "NULL"} {
      set load [expr {([$net pin_capacitance rise [sta::cmd_corner] max] + [$net pin_capacitance fall [sta::cmd_corner] max]) / 2}]
    }
    say pin [$pin port_name] [expr {$drives ? "o" : "i"}] [expr {$net eq "NULL" ? "" : [get_full_name $net]}] $load \
        [steepness $pin rise $second] [steepness $pin fall $second]
  }
  $pins finish
}

proc tell_box {cell} {
  say box [get_full_name $cell] [get_property $cell ref_name] [get_property [$cell parent] ref_name] [get_name $cell]
  set pins [$cell pin_iterator]
  while {[$pins has_next]} {
    set pin [$pins next]
    set net [$pin net]
    if {$net ne "NULL"} { say pin [$pin port_name] i [get_full_name $net] 0 0 0 }
  }
  $pins finish
}

proc tell_all {} {
  global period
  read_all
  set second [sta::time_ui_sta 1.0]
  make_clock [expr {$period / $second}]
  set inputs [driven_inputs]
  drive $inputs
  if {[llength $inputs]} { set_input_delay 0 -clock clock $inputs }
  find_timing_paths -path_delay max
  set cells [sta::leaf_instance_iterator]
  while {[$cells has_next]} {
    set cell [$cells next]
    if {[$cell liberty_cell] ne "NULL"} { tell_cell $cell $second } else { tell_box $cell }
  }
  $cells finish
}

answer_with tell_all
