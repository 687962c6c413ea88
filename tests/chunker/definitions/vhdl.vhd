library ieee;
use ieee.std_logic_1164.all;
-- A cart.
entity cart is
  generic (W : integer := 8);
  port (clk : in std_logic);
end entity;
architecture rtl of cart is
  signal r : std_logic;
  constant limit : integer := 9;
  type state_t is (open_s, closed_s);
  component sub is port (clk : in std_logic); end component;
  function inc(a : integer) return integer is
  begin
    return a + 1;
  end function;
begin
  main : process (clk)
  begin
  end process;
  u : entity work.sub port map (clk);
end architecture;
package cart_pkg is
  constant max : integer := 3;
  type line_t is record
    price : integer;
  end record;
  subtype id_t is integer range 0 to 9;
  function total(a : integer) return integer;
  procedure pay(a : integer);
end package;
package body cart_pkg is
  -- All.
  function total(a : integer) return integer is
  begin
    return a;
  end function;
  procedure pay(a : integer) is
  begin
  end procedure;
  impure function "+" (a : integer) return integer is begin return 1; end;
end package body;
