# A cart.
package require Tcl 8.6
namespace eval ::shop {
    variable limit 9
    namespace export total
    proc inside {a} { return $a }
}
# All lines.
proc ::shop::total {lines {tax 0}} {
    set x 1
    proc inner {} {}
    return $x
}
proc free {} {}
oo::class create Cart {
    constructor {a} {}
    method total {tax} { return 1 }
}
oo::define Cart { method pay {} {} }
snit::type Line { 
    option -price 1
    method draw {} {}
    typemethod make {} {}
}
set global 1
interp alias {} a {} b
if {1} { proc cond {} {} }
snit::widget ::w { }
