# All lines.
function total -a lines --description "Total"
    set -l x 1
    function inner
    end
    echo $x
end
set -g limit 9
alias ll "ls -l"
function fish_prompt; echo x; end
if status is-interactive
    function cond
    end
end
abbr -a gs git status
