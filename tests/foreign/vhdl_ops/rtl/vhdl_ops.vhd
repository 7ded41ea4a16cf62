-- SPDX-License-Identifier: Apache-2.0
-- Operators of numeric_std, selections and memories, each with an output of its own.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity vhdl_ops is
  port (
    clk, en     : in  std_logic;
    a, b        : in  signed(7 downto 0);
    u, v        : in  unsigned(7 downto 0);
    s           : in  unsigned(2 downto 0);
    i           : in  integer range -8 to 7;
    asr, div    : out signed(7 downto 0);
    modulo      : out signed(7 downto 0);
    remainder   : out signed(7 downto 0);
    magnitude   : out signed(7 downto 0);
    negative    : out signed(7 downto 0);
    product     : out signed(15 downto 0);
    udiv, umod  : out unsigned(7 downto 0);
    rol_by, lsl : out unsigned(7 downto 0);
    flags       : out std_logic_vector(5 downto 0);
    imod        : out integer range -8 to 7;
    greatest    : out unsigned(7 downto 0);
    least       : out signed(7 downto 0);
    chosen      : out unsigned(7 downto 0);
    wide        : out unsigned(63 downto 0);
    table_at    : out std_logic_vector(7 downto 0);
    bits        : out std_logic_vector(7 downto 0);
    stored      : out unsigned(7 downto 0); -- as the memory was before the edge
    passed      : out unsigned(7 downto 0); -- as it is behind it
    reg         : out std_logic             -- a name that Verilog keeps for itself
  );
end entity;

architecture rtl of vhdl_ops is
  type bytes_t is array (0 to 7) of unsigned(7 downto 0);
  type table_t is array (0 to 7) of std_logic_vector(7 downto 0);
  constant SOME : table_t := (x"de", x"ad", x"be", x"ef", x"12", x"34", x"56", x"78");
  signal kept : bytes_t := (0 => x"11", 1 => x"22", others => x"33");
  signal row  : std_logic_vector(7 downto 0) := x"3c";
  signal \odd name\ : std_logic;
begin
  asr       <= shift_right(a, to_integer(s));
  div       <= a / b when b /= 0 else a;
  modulo    <= a mod b when b /= 0 else a;
  remainder <= a rem b when b /= 0 else a;
  magnitude <= abs a;
  negative  <= -a;
  product   <= a * b;
  udiv      <= u / v when v /= 0 else u;
  umod      <= u mod v when v /= 0 else u;
  rol_by    <= rotate_left(u, to_integer(s));
  lsl       <= shift_left(u, to_integer(s));
  flags     <= (0 => xor u, 1 => or u, 2 => and u, 3 => a ?< b, 4 => u ?>= v, 5 => std_logic_vector(u) ?= "1--10--0");
  imod      <= i mod 3;
  greatest  <= maximum(u, v);
  least     <= minimum(a, b);
  wide      <= x"8000000100000002" when en = '1' else x"123456789abcdef0";
  table_at  <= SOME(to_integer(s));
  bits      <= row;
  \odd name\ <= u(0) xor v(0);
  reg       <= \odd name\;

  choose : process (all)
  begin
    case s is
      when "000"         => chosen <= x"01";
      when "001" | "010" => chosen <= u;
      when "111"         => chosen <= v;
      when others        => chosen <= x"ee";
    end case;
  end process;

  store : process (clk)
    variable moved : bytes_t := (others => x"00");
  begin
    if rising_edge(clk) then
      stored <= kept(to_integer(s));
      row    <= row(6 downto 0) & en;
      if en = '1' then
        kept(to_integer(u(2 downto 0))) <= v;
        moved(to_integer(u(2 downto 0))) := v;
      end if;
      passed <= moved(to_integer(s));
    end if;
  end process;
end architecture;
