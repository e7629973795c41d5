# Tells the terminal where each command starts and ends (OSC 133) and which directory it is in (OSC 7).
#
# fish runs this after the user's own files (--init-command). Event handlers see and leave $status and $pipestatus as
# they are. fish_prompt is called by a function of the same name that adds an invisible mark to what it prints.

if status is-interactive; and not functions --query __t4a_preexec
    function __t4a_preexec --on-event fish_preexec
        # Blanks and comments run nothing.
        string match --quiet --regex '(?m)^\s*[^#\s]' -- "$argv[1]"; or return
        set --local line (string sub --length 4096 -- "$argv[1]" | string collect)
        printf '\e]133;C;aid=%s;cmdline_url=%s\a' $fish_pid (string escape --style=url -- $line | string collect)
    end

    function __t4a_postexec --on-event fish_postexec
        printf '\e]133;D;%s;aid=%s\a' $status $fish_pid
    end

    function __t4a_prompt --on-event fish_prompt
        printf '\e]7;file://%s%s\a\e]133;A;aid=%s\a' $hostname (string escape --style=url -- $PWD | string collect) $fish_pid
    end

    if functions --query fish_prompt; and functions --copy fish_prompt __t4a_user_prompt
        function fish_prompt
            __t4a_user_prompt
            printf '\e]133;B;aid=%s\a' $fish_pid
        end
    else
        function __t4a_input --on-event fish_prompt
            printf '\e]133;B;aid=%s\a' $fish_pid
        end
    end

    printf '\e]7777;shell;fish\a'
end
