# Tells the terminal where each command starts and ends (OSC 133) and which directory it is in (OSC 7).
#
# fish runs this after the user's own files (--init-command). Event handlers see and leave $status and $pipestatus as
# they are. fish_prompt is called by a function of the same name that adds an invisible mark to what it prints.

if builtin status is-interactive
    function __t4a_preexec --on-event fish_preexec
        # Blanks and comments run nothing.
        builtin string match --quiet --regex '(?m)^\s*[^#\s]' -- "$argv[1]"; or return
        set --local line (builtin string sub --length 4096 -- "$argv[1]" | builtin string collect)
        set line (builtin string escape --style=url -- $line | builtin string collect)
        builtin printf '\e]133;C;aid=%s;cmdline_url=%s\a' $fish_pid $line
    end

    function __t4a_postexec --on-event fish_postexec
        builtin printf '\e]133;D;%s;aid=%s\a' $status $fish_pid
    end

    # fish leaves a line on the command line that it cannot read, and sets no status.
    function __t4a_posterror --on-event fish_posterror
        builtin printf '\e]133;D;;aid=%s;refused;kept\a' $fish_pid
    end

    function __t4a_prompt --on-event fish_prompt
        set --local directory (builtin string escape --style=url -- $PWD | builtin string collect)
        builtin printf '\e]7;file://%s%s\a\e]133;A;aid=%s\a' "$hostname" $directory $fish_pid
        __t4a_wrap_prompt; or builtin printf '\e]133;B;aid=%s\a' $fish_pid
    end

    # Before each prompt: people set it anew. Fails where there is none. The name is a new one each time, since what is
    # set may call what was there before (as virtual environments do).
    function __t4a_wrap_prompt
        builtin functions --query fish_prompt; or return
        builtin functions fish_prompt | builtin string match --quiet '*$__t4a_wrapped*'; and return
        set --global --append __t4a_wraps x
        set --local __t4a_wrapped __t4a_user_prompt_(builtin count $__t4a_wraps)
        builtin functions --copy fish_prompt $__t4a_wrapped; or return
        function fish_prompt --inherit-variable __t4a_wrapped
            $__t4a_wrapped
            builtin printf '\e]133;B;aid=%s\a' $fish_pid
        end
    end

    builtin printf '\e]7777;shell;fish\a'
end
