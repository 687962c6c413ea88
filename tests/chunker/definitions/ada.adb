with Ada.Text_IO; use Ada.Text_IO;
--  A cart.
package body Shop.Cart is
   Limit : constant Integer := 9;
   Counter : Integer := 0;
   type State is (Open, Closed);
   type Line is record
      Price : Float;
   end record;
   subtype Id is Integer range 1 .. 9;
   type Obj is tagged private;
   Empty : exception;
   --  All lines.
   function Total (Tax : Integer) return Integer is
      X : Integer;
      procedure Inner is
      begin
         null;
      end Inner;
   begin
      return X;
   end Total;
   procedure Pay (A : Integer);
   procedure Pay (A : Integer) is
   begin
      null;
   end Pay;
   function "+" (A, B : Line) return Line is (A);
   function Expr (A : Integer) return Integer is (A + 1);
   task type Worker is
      entry Start;
   end Worker;
   task body Worker is
   begin
      null;
   end Worker;
   protected Store is
      procedure Put;
   end Store;
   protected body Store is
      procedure Put is begin null; end Put;
   end Store;
   generic
      type T is private;
   procedure Swap (A, B : in out T);
   package Ints is new Gen (Integer);
   package Nested is
      procedure Deep;
   end Nested;
   procedure Ren renames Pay;
   function Sep return Integer is separate;
end Shop.Cart;
