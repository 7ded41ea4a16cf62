# SPDX-License-Identifier: Apache-2.0
#
# Static timing of a mapped netlist by OpenSTA, for `lockstack area --timing` (harness/verify/timing). sta.tcl goes before.
#
# An input changes with the clock's edge, by a cell like `driver`, the reset at once; an output is wanted at the next edge. Wires
# have no load, the clock arrives everywhere at once.

proc bare {name} { return [string map {\\ {}} $name] }

# Pins of a register are told by the net that it drives, which has the RTL's name.
proc is_port {pin} { global ports; return [info exists ports([get_full_name $pin])] }

proc nets_of {pin} {
  if {[is_port $pin]} { return [get_nets [get_full_name $pin]] }
  return [lsearch -all -inline -not -exact [get_nets -of_objects $pin] NULL]
}

proc net_of {pin} {
  set nets [nets_of $pin]
  if {[llength $nets] == 0} { return "" }
  return [bare [get_full_name [lindex $nets 0]]]
}

proc register_of {pin} {
  foreach other [get_pins "[file dirname [get_full_name $pin]]/*"] {
    if {[get_property $other direction] eq "output" && [net_of $other] ne ""} { return [net_of $other] }
  }
  return [bare [get_full_name $pin]]
}

proc name_of {pin} { if {[is_port $pin]} { return [bare [get_full_name $pin]] } else { return [register_of $pin] } }

proc cell_of {pin} {
  if {[is_port $pin]} { return "port" }
  return [get_property [get_cells [file dirname [get_full_name $pin]]] ref_name]
}

# Pins of cells, also of those in other modules than its own.
proc fanout_of {pin} {
  set count 0
  foreach net [nets_of $pin] {
    set others [$net connected_pin_iterator]
    while {[$others has_next]} {
      set other [$others next]
      if {[$other is_leaf] && [get_full_name $other] ne [get_full_name $pin]} { incr count }
    }
    $others finish
  }
  return $count
}

proc show {kind end} {
  set start [get_property $end startpoint]
  set last [get_property $end endpoint]
  set class "[expr {[is_port $start] ? "in" : "reg"}]-[expr {[is_port $last] ? "out" : "reg"}]"
  say path $kind $class [get_property $end slack] [name_of $start] [name_of $last]
  foreach point [get_property $end points] {
    set pin [get_property $point pin]
    if {[get_property $pin direction] eq "output" || [is_port $pin]} {
      say point [get_property $point arrival] [bare [get_full_name $pin]] [cell_of $pin] [net_of $pin] [fanout_of $pin]
    }
  }
}

proc constrain {period} {
  global timed
  if {[llength [all_clocks]]} { delete_clock [all_clocks] }
  make_clock $period
  if {[llength $timed]} { set_input_delay -max 0 -clock clock $timed }
  set_output_delay -max 0 -clock clock [all_outputs]
}

# The slack of a path grows with the period, by one or, where an edge of the other kind is waited for, by a half: so does the worst one's, ever slower.
proc find_period {start} {
  set before $start
  constrain $before
  if {[llength [find_timing_paths -path_delay max]] == 0} { return 0 }
  set slack [worst_slack -max]
  set period [expr {$before - $slack}]
  for {set i 0} {$i < 12 && $period > 0} {incr i} {
    constrain $period
    set now [worst_slack -max]
    if {abs($now) <= 1e-6 * $period || $now == $slack} { break }
    set next [expr {$period - $now * ($before - $period) / ($slack - $now)}]
    set before $period
    set slack $now
    set period $next
  }
  return $period
}

proc slack_of {kind from to} {
  if {[llength $from] == 0 || [llength $to] == 0} { return }
  foreach end [find_timing_paths -path_delay $kind -from $from -to $to] { show [expr {$kind eq "max" ? "class" : "hold"}] $end }
}

proc slacks {kind name} {
  global paths
  set rounding [expr {1e-6 * [get_property [lindex [all_clocks] 0] period]}]
  set late [find_timing_paths -path_delay $kind -slack_max 0 -group_count 100000]
  set violated 0
  foreach end $late { if {[get_property $end slack] < -$rounding} { incr violated } }
  set worst [find_timing_paths -path_delay $kind]
  if {[llength $worst] == 0} { say slack $name none 0; return }
  set slack [worst_slack -$kind]
  say slack $name [expr {abs($slack) < $rounding ? 0 : $slack}] $violated
  foreach end [find_timing_paths -path_delay $kind -group_count $paths] { show $name $end }
}

# An output that is a constant is no end of a path.
proc is_constant {name} {
  global ports
  if {![info exists ports($name)]} { return 0 }
  foreach start [get_fanin -to [get_ports $name] -startpoints_only -flat] {
    if {[get_full_name $start] ne $name} { return 0 }
  }
  return 1
}

# The clock's port needs no time at which it comes.
proc is_clock {name} {
  foreach one [all_clocks] {
    foreach pin [get_property $one sources] { if {[get_full_name $pin] eq $name} { return 1 } }
  }
  return 0
}

# What the constraints leave out, by OpenSTA's own check: pins of registers without a clock, ends without a time that is wanted, inputs
# without one.
proc tell_loose {} {
  foreach {kind checks} {unclocked {0 0 0 1 0 0 0} unwanted {0 0 0 0 1 0 0} undelayed {1 0 0 0 0 0 0}} {
    set found {}
    foreach name [lrange [lindex [sta::check_timing_cmd {*}$checks] 0] 1 end] {
      if {($kind ne "unwanted" || ![is_constant $name]) && ($kind ne "undelayed" || ![is_clock $name])} { lappend found $name }
    }
    if {[llength $found]} { say loose $kind [llength $found] [bare [lindex $found 0]] }
  }
}

proc time_block {} {
  global clock timed ports sdc period
  read_all
  say unit [sta::time_ui_sta 1.0]
  set timed {}
  foreach port [concat [all_inputs] [all_outputs]] { set ports([get_full_name $port]) 1 }
  foreach port [all_inputs] { if {[get_full_name $port] ne $clock} { lappend timed $port } }
  if {$sdc eq ""} { drive [driven_inputs] }
  set scale [sta::time_ui_sta 1.0]
  if {$sdc ne ""} {
    read_sdc $sdc
    foreach one [all_clocks] { say clock [get_property $one name] [get_property $one period] }
  } else {
    set shortest [find_period [expr {1e-9 / $scale}]]
    say shortest $shortest
    constrain [expr {$period > 0 ? $period / $scale : $shortest > 0 ? $shortest : 1e-9 / $scale}]
    slack_of max [all_registers -clock_pins] [all_registers -data_pins]
    slack_of max $timed [all_registers -data_pins]
    slack_of max [all_registers -clock_pins] [all_outputs]
    slack_of max $timed [all_outputs]
  }
  if {[llength [all_clocks]] == 0} { return }
  slacks max setup
  slacks min hold
  tell_loose
}

answer_with time_block
