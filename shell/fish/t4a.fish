# Tells the terminal where each command starts and ends (OSC 133) and which directory it is in (OSC 7).
#
# fish runs this after the user's own files (--init-command). Event handlers see and leave $status and $pipestatus as
# they are. fish_prompt is called by a function of the same name that adds an invisible mark to what it prints.

if builtin status is-interactive
    # The proof of the next mark; HalfSipHash, four rounds.
    function __t4a_prove
        set --query __t4a_words[4]; or return
        set --local a $__t4a_words[1]
        set --local b $__t4a_words[2]
        set --local c $__t4a_words[3]
        set --local d $__t4a_words[4]
        for round in 1 2 3 4
            set a (builtin math "($a + $b) % 4294967296")
            set b (builtin math "bitxor($b * 32 % 4294967296 + floor($b / 134217728), $a)")
            set c (builtin math "($c + $d) % 4294967296")
            set d (builtin math "bitxor($d * 256 % 4294967296 + floor($d / 16777216), $c)")
            set a (builtin math "($a * 65536 % 4294967296 + floor($a / 65536) + $d) % 4294967296")
            set d (builtin math "bitxor($d * 128 % 4294967296 + floor($d / 33554432), $a)")
            set c (builtin math "($c + $b) % 4294967296")
            set b (builtin math "bitxor($b * 8192 % 4294967296 + floor($b / 524288), $c)")
            set c (builtin math "$c * 65536 % 4294967296 + floor($c / 65536)")
        end
        set --global __t4a_words $a $b $c $d
        set --global __t4a_proof ";proof="(builtin math "bitxor($a, $c)").(builtin math "bitxor($b, $d)")
    end

    function __t4a_preexec --on-event fish_preexec
        # Blanks and comments run nothing.
        builtin string match --quiet --regex '(?m)^\s*[^#\s]' -- "$argv[1]"; or return
        set --local line (builtin string sub --length 4096 -- "$argv[1]" | builtin string collect)
        set line (builtin string escape --style=url -- $line | builtin string collect)
        __t4a_prove
        builtin printf '\e]133;C;aid=%s%s;cmdline_url=%s\a' $fish_pid "$__t4a_proof" $line
    end

    function __t4a_postexec --on-event fish_postexec
        set --local code $status
        __t4a_prove
        builtin printf '\e]133;D;%s;aid=%s%s\a' $code $fish_pid "$__t4a_proof"
    end

    # Handlers run in the order of their definition. What those of the user's print comes after the end of the command.
    set --local handler
    for handler in (builtin functions --handlers-type generic 2>/dev/null | builtin string replace --filter --regex '^fish_postexec ' '')
        builtin string match --quiet '__t4a_*' -- $handler
        or builtin functions -- $handler | builtin source
    end

    # fish leaves a line on the command line that it cannot read, and sets no status.
    function __t4a_posterror --on-event fish_posterror
        __t4a_prove
        builtin printf '\e]133;D;;aid=%s%s;refused;kept\a' $fish_pid "$__t4a_proof"
    end

    function __t4a_prompt --on-event fish_prompt
        set --local directory (builtin string escape --style=url -- $PWD | builtin string collect)
        # One that was added at the prompt prints before the start of the command.
        set --local handlers (builtin functions --handlers-type generic 2>/dev/null | builtin string match 'fish_preexec *')
        set --query handlers[1]
        and test "$handlers[-1]" != 'fish_preexec __t4a_preexec'
        and builtin functions __t4a_preexec | builtin source
        __t4a_prove
        builtin printf '\e]7;file://%s%s\a\e]133;A;aid=%s%s\a' "$hostname" $directory $fish_pid "$__t4a_proof"
        __t4a_wrap_prompt; or builtin printf '\e]133;B;aid=%s%s;early\a' $fish_pid "$__t4a_proof"
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
            builtin printf '\e]133;B;aid=%s%s\a' $fish_pid "$__t4a_proof"
        end
    end

    # Files of the user may have set PATH anew.
    if set --query T4A_PATH_FIRST
        test "$PATH[1]" = "$T4A_PATH_FIRST"; or set --global --export --prepend PATH $T4A_PATH_FIRST
        set --erase T4A_PATH_FIRST
    end

    set --global __t4a_proof
    set --erase __t4a_words
    if set --query T4A_MARKS
        builtin read --delimiter ' ' --local a b c d <$T4A_MARKS
        and set --global __t4a_words $a $b $c $d
        set --erase T4A_MARKS
    end
    __t4a_prove
    # Before fish 4 the tabs of a paste are dropped.
    set --local __t4a_tabs
    builtin string match --quiet --regex '^[0-3]\.' -- $version; and set __t4a_tabs ';tabs=dropped'
    builtin printf '\e]7777;shell;fish%s%s\a' "$__t4a_tabs" "$__t4a_proof"
end
