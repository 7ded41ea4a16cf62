-- SPDX-License-Identifier: Apache-2.0
-- A counter by commands, in a library of its own.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

library counters;
use counters.counter_pkg.all;

entity Vhdl_Counter is
  generic (
    WIDTH    : positive range 4 to 16 := 8;
    STEP     : integer range -8 to 7 := 3;
    SATURATE : boolean := false;                       -- stays at its ends
    START    : std_logic_vector(3 downto 0) := x"2";   -- after a reset and a rewind
    LABEL_OF : string := "counter"
  );
  port (
    Clk     : in  std_logic;
    Rst_N   : in  std_logic;
    Command : in  command_t;
    count   : out unsigned(WIDTH - 1 downto 0);
    wrapped : out std_logic;                           -- the last step left the range
    phase   : out natural range 0 to 4;                -- how often it did, modulo 5
    busy    : out boolean
  );
end entity;

architecture rtl of Vhdl_Counter is
  type state_t is (IDLE, RUNNING, REWOUND);
  signal state  : state_t;
  signal reg    : unsigned(WIDTH - 1 downto 0);
  signal leaves : std_logic;
begin
  assert WIDTH >= START'length report "WIDTH is less than that of START" severity failure;

  main : process (Clk, Rst_N)
    variable sum : integer;
  begin
    if Rst_N = '0' then
      reg    <= resize(unsigned(START), WIDTH);
      leaves <= '0';
      state  <= IDLE;
    elsif rising_edge(Clk) then
      assert not (Command.mode = MODE_LOAD and Command.value = 255) report "255 is never loaded" severity failure;
      leaves <= '0';
      case Command.mode is
        when MODE_LOAD =>
          reg   <= resize(Command.value, WIDTH);
          state <= IDLE;
        when MODE_COUNT =>
          sum := to_integer(reg) + STEP;
          if fits(sum, WIDTH) then
            reg <= to_unsigned(sum, WIDTH);
          else
            leaves <= '1';
            if not SATURATE then
              reg <= to_unsigned(sum mod 2 ** WIDTH, WIDTH);
            end if;
          end if;
          state <= RUNNING;
        when MODE_REWIND =>
          reg <= resize(unsigned(START), WIDTH);
          if state = RUNNING then
            state <= REWOUND;
          end if;
        when others =>
          null;
      end case;
    end if;
  end process;

  counts : entity counters.phases
    generic map (LIMIT => 5)
    port map (clk => Clk, rst_n => Rst_N, step => leaves, phase => phase);

  count   <= reg;
  wrapped <= leaves;
  busy    <= state /= IDLE;
end architecture;
