-module(cart).
-record(line, {price}).
-type id() :: binary().
-define(LIMIT, 9).
%% All lines.
-spec total(list()) -> integer().
total([]) -> 0;
total([Line | Rest]) -> Line + total(Rest).
