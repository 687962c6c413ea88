`define LIMIT 9
`include "a.svh"
// A cart.
package cart_pkg;
  parameter int WIDTH = 8;
  localparam MAX = 3;
  typedef enum logic [1:0] { OPEN, CLOSED } state_e;
  typedef struct packed { logic a; } line_t;
  function automatic int total(int a);
    return a;
  endfunction
  class Cart extends Base;
    int x;
    function new(); endfunction
    virtual task pay(int a); endtask
    extern function int sum();
  endclass
endpackage
module cart #(parameter W = 4) (input logic clk, output logic [W-1:0] q);
  logic [3:0] r;
  // All.
  function [3:0] inc(input [3:0] a);
    inc = a + 1;
  endfunction
  task run; begin end endtask
  always_ff @(posedge clk) begin q <= r; end
  sub #(.W(4)) u_sub (.clk(clk));
endmodule
module old(a, b);
  input a; output b;
endmodule
interface bus_if (input clk);
  modport master (input clk);
endinterface
program tb; endprogram
function int Cart::sum(); return 1; endfunction
