!> A cart.
module cart
  use iso_fortran_env, only: int32
  implicit none
  integer, parameter :: limit = 9
  integer :: counter
  type, extends(base) :: line_t
    real :: price
  contains
    procedure :: total => line_total
    procedure, private :: add
  end type line_t
  type :: plain
    integer :: x
  end type
  interface total
    module procedure line_total
    module function other(x) result(y)
      integer, intent(in) :: x
    end function
  end interface
  abstract interface
    function f_i(x)
      real :: x
    end function
  end interface
  enum, bind(c)
    enumerator :: red = 1
  end enum
contains
  !> All lines.
  pure function line_total(self, tax) result(sum)
    class(line_t), intent(in) :: self
    integer :: i
    sum = 1
  contains
    subroutine inner()
    end subroutine
  end function line_total
  subroutine add(self)
  end subroutine add
end module cart
submodule (cart) cart_impl
contains
  module procedure other
    y = x
  end procedure
end submodule
program main
  use cart
  integer :: j
  print *, "x"
end program main
#:for kind in KINDS
${kind}$ function norm_${kind}$(a) result(b)
  ${kind}$, intent(in) :: a
  b = a
end function
#:endfor
subroutine free()
end subroutine
