-- SPDX-License-Identifier: Apache-2.0
-- What the counter and its users share.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

package counter_pkg is
  type command_t is record
    mode  : std_logic_vector(1 downto 0); -- hold, load, count, rewind
    value : unsigned(7 downto 0);         -- to be loaded
  end record;

  constant MODE_HOLD   : std_logic_vector(1 downto 0) := "00";
  constant MODE_LOAD   : std_logic_vector(1 downto 0) := "01";
  constant MODE_COUNT  : std_logic_vector(1 downto 0) := "10";
  constant MODE_REWIND : std_logic_vector(1 downto 0) := "11";

  function fits(value, width : integer) return boolean; -- is it a number of so many bits?
end package;

package body counter_pkg is
  function fits(value, width : integer) return boolean is
  begin
    return value >= 0 and value < 2 ** width;
  end function;
end package body;
