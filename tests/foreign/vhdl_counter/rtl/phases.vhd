-- SPDX-License-Identifier: Apache-2.0
-- Counts the wraps of a counter, modulo a number that is no power of two.
library ieee;
use ieee.std_logic_1164.all;

entity phases is
  generic (LIMIT : positive);
  port (
    clk   : in  std_logic;
    rst_n : in  std_logic;
    step  : in  std_logic;
    phase : out natural range 0 to LIMIT - 1
  );
end entity;

architecture rtl of phases is
  signal now : natural range 0 to LIMIT - 1;
begin
  process (clk, rst_n)
  begin
    if rst_n = '0' then
      now <= 0;
    elsif rising_edge(clk) then
      if step = '1' then
        if now = LIMIT - 1 then
          now <= 0;
        else
          now <= now + 1;
        end if;
      end if;
    end if;
  end process;
  phase <= now;
end architecture;
