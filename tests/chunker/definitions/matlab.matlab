% A cart.
classdef Cart < Base
    properties
        Total = 0
    end
    properties (Constant)
        Limit = 9
    end
    events
        Paid
    end
    enumeration
        Open
    end
    methods
        function obj = Cart(a)
            obj.Total = a;
        end
        % All.
        function r = total(obj, tax)
            r = 1;
        end
        function pay(obj)
        end
    end
    methods (Static)
        x = decl(a)
    end
end
function free(a)
  b = 1;
end
function [x, y] = two(a)
  x = 1;
end
