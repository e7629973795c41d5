"""Client of t4a, a terminal daemon made to be watched by language models.

    import t4a

    with t4a.launch(command="htop") as terminal:
        terminal.press("F5")
        terminal.wait_for_text("CPU")
        glance = terminal.observe()   # glance.png, glance.text: one instant

The same in asyncio: ``async with await t4a.async_launch(command="htop") as terminal``, with ``await`` before each call.

Standard library only, Python 3.9 or newer. The daemon is started by the ``t4a`` command where none runs. The methods
between the marks "generated" follow from the protocol; this file may be copied into a project as it is.
"""

from __future__ import annotations

import asyncio
import base64
import concurrent.futures
import errno
import json
import os
import re
import select
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from typing import (
    Any,
    AsyncIterator,
    Callable,
    Dict,
    Iterator,
    List,
    Literal,
    Mapping,
    NamedTuple,
    Optional,
    Pattern,
    Sequence,
    Tuple,
    Union,
)

__all__ = [
    "AsyncClient",
    "AsyncEventStream",
    "AsyncTerminal",
    "Client",
    "CommandEnd",
    "EventStream",
    "Observation",
    "Picture",
    "ProgramEnd",
    "T4aError",
    "Terminal",
    "ToolResult",
    "WaitFailure",
    "async_attach",
    "async_connect",
    "async_launch",
    "attach",
    "connect",
    "launch",
    "succeeded",
]

PROTOCOL_VERSION = 1

#: Fields of a reply; raw bytes that followed it are under "bytes".
Reply = Dict[str, Any]

#: One event, as it stands on the wire.
Event = Dict[str, Any]

_START_TIMEOUT_S = 30
#: Of schemas and of calls alike, as in the TypeScript library.
_DEFAULT_PROFILE = "default"
#: A daemon that stands still takes connections, and answers none.
_ANSWER_TIMEOUT_S = 15
_RETRY_S = 0.02
#: A socket that was deleted is there again within a second.
_AWAY_S = 3
_AWAY_RETRY_S = 0.05

#: A call without an answer by then, which is long for most, is looked after once.
_LOOK_AFTER_S = 0.25

#: What describes the caller's own terminal, not the one that is made.
_CALLERS_TERMINAL = ("TERM", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "COLUMNS", "LINES")


class T4aError(Exception):
    """What the daemon refused, or why it could not be asked. ``code`` is one of the protocol's errors."""

    def __init__(self, code: str, message: str, **details: Any) -> None:
        hint = details.get("hint")
        super().__init__(message if hint is None else f"{message} Hint: {hint}")
        self.code = code
        self.message = message
        self.hint = hint
        self.closest = details.get("closest")
        self.field = details.get("field")
        #: The first offset that can be read, for ``offset_gone``.
        self.first: Optional[int] = details.get("first")
        #: Of ``replaced``: whether the request had begun to change something, and the request that goes on.
        self.acted: Optional[bool] = details.get("acted")
        self.resume: Optional[Dict[str, Any]] = details.get("resume")


class WaitFailure(Exception):
    """What was waited for did not come. ``reply`` is the daemon's; its ``tail`` are the last lines of the screen."""

    def __init__(self, terminal: str, what: str, reply: Reply) -> None:
        match = reply.get("match")
        why = {
            "timeout": f"it had not come after {reply.get('elapsed_ms')} ms",
            "failed": 'a condition of "fail" came first' + (f" ({match['text']})" if match else ""),
            "exited": "the program exited first",
            "awaiting_input": _waiting_words(reply.get("awaiting_input")),
            "nothing_ran": reply.get("warning", "nothing ran"),
        }.get(reply["outcome"], reply["outcome"])
        screen = "\n".join(f"  | {line}" for line in reply.get("tail", ())) or "  (the screen is blank)"
        super().__init__(f"Waited for {what} in {terminal}: {why}.\n{screen}")
        self.reply = reply


def _waiting_words(reader: Optional[Dict[str, Any]]) -> str:
    """``sh waits for input (line)``, ``ssh probably waits for input (raw)``."""
    if reader is None:
        return "the program waits for input"
    probably = "" if reader.get("certain", True) else "probably "
    return f"{reader['process']} {probably}waits for input ({reader['kind']})"


class Picture(NamedTuple):
    """A picture, and the fields that came with it: ``width``, ``height``, ``rev``, ``tokens``, …"""

    bytes: bytes
    reply: Reply


class Observation(NamedTuple):
    """A glance: all of one instant and one revision."""

    png: bytes
    text: str
    cursor: Dict[str, Any]
    rev: int


class ToolResult(NamedTuple):
    """What a model reads of its call of a tool. An error of the call is a result, too: the model reads it and goes on."""

    #: ``{"type": "text", "text": …}``, and ``{"type": "image", "mime_type": "image/png", "data": …}`` with bytes.
    content: List[Dict[str, Any]]
    is_error: bool


class ProgramEnd(NamedTuple):
    """How a program ended; ``signal`` is the name of the signal that did it, else None."""

    exit_code: Optional[int]
    signal: Optional[str]

    @property
    def succeeded(self) -> Optional[bool]:
        """As the function :func:`succeeded`."""
        return _succeeded(self.exit_code, self.signal)


class CommandEnd(NamedTuple):
    """How a command of a shell ended; ``command`` is its line, None if unknown."""

    exit_code: Optional[int]
    signal: Optional[str]
    command: Optional[str]

    @property
    def succeeded(self) -> Optional[bool]:
        """As the function :func:`succeeded`; None also if no command has run yet."""
        return _succeeded(self.exit_code, self.signal)


def succeeded(reply: Mapping[str, Any]) -> Optional[bool]:
    """Whether what a reply reports, as that of ``run``, ended with exit code 0. None if that is unknown: no success."""
    return _succeeded(reply.get("exit_code"), reply.get("signal"))


def _succeeded(exit_code: Optional[int], signal: Optional[str]) -> Optional[bool]:
    if signal is not None:
        return False
    return None if exit_code is None else exit_code == 0


def connect(
    socket_path: Optional[str] = None,
    *,
    auto_start: bool = True,
    t4a_command: Sequence[str] = ("t4a",),
    scope: Optional[str] = None,
    as_: Optional[str] = None,
    on: Optional[str] = None,
) -> Client:
    """Connect to the daemon, which is started where none runs.

    socket_path: default ``$T4A_SOCKET``, else ``socket`` in the configuration file, else ``/tmp/t4a.sock``, or
        where another user has that a path of your own.
    auto_start: False: raise ``daemon_unreachable`` where none runs.
    t4a_command: the command line program that starts one.
    scope: group of requests whose ``@`` is the terminal that one of them made or named last. Default: this client's.
    as_: name of the author, which is kept with input.
    on: another host, reached by ``t4a stdio``: a name of hosts.json, or a route such as ``ssh://me@web1``.
    """
    client = Client(_place(socket_path, auto_start, t4a_command, on), scope=scope, as_=as_)
    client.ping()
    return client


async def async_connect(
    socket_path: Optional[str] = None,
    *,
    auto_start: bool = True,
    t4a_command: Sequence[str] = ("t4a",),
    scope: Optional[str] = None,
    as_: Optional[str] = None,
    on: Optional[str] = None,
) -> AsyncClient:
    """As :func:`connect`, for asyncio."""
    client = AsyncClient(_place(socket_path, auto_start, t4a_command, on), scope=scope, as_=as_)
    await client.ping()
    return client


def launch(
    command: Optional[Union[str, Sequence[str]]] = None,
    *,
    cmd_args: Optional[Sequence[str]] = None,
    cwd: Optional[str] = None,
    env: Optional[Mapping[str, str]] = None,
    client: Optional[Client] = None,
    socket_path: Optional[str] = None,
    t4a_command: Sequence[str] = ("t4a",),
    scope: Optional[str] = None,
    as_: Optional[str] = None,
    on: Optional[str] = None,
    **fields: Any,
) -> Terminal:
    """Create a terminal and hold it.

    command: a str is a line for ``sh -c``, and a list program and arguments, as cmd_args. Without either, a shell.
    cwd, env: default to the caller's directory and environment; ``env`` is set on top of that. Another host gets
        neither of the caller's: its daemon's are the default, and ``cwd`` is absolute.
    client: whose connection to use; else one of its own, closed with the terminal.
    scope, as_, on: as in :func:`connect`, for a connection of its own.
    fields: further fields of ``create``: cols, rows, name, …
    """
    own = client is None
    client = client or connect(socket_path, t4a_command=t4a_command, scope=scope, as_=as_, on=on)
    try:
        reply = client.call("create", **_create_fields(command, cmd_args, cwd, env, client.is_far), **fields)
        return Terminal(client, reply["id"], reply["pid"], owns_client=own)
    except BaseException:
        if own:
            client.close()
        raise


async def async_launch(
    command: Optional[Union[str, Sequence[str]]] = None,
    *,
    cmd_args: Optional[Sequence[str]] = None,
    cwd: Optional[str] = None,
    env: Optional[Mapping[str, str]] = None,
    client: Optional[AsyncClient] = None,
    socket_path: Optional[str] = None,
    t4a_command: Sequence[str] = ("t4a",),
    scope: Optional[str] = None,
    as_: Optional[str] = None,
    on: Optional[str] = None,
    **fields: Any,
) -> AsyncTerminal:
    """As :func:`launch`, for asyncio."""
    own = client is None
    client = client or await async_connect(socket_path, t4a_command=t4a_command, scope=scope, as_=as_, on=on)
    try:
        reply = await client.call("create", **_create_fields(command, cmd_args, cwd, env, client.is_far), **fields)
        return AsyncTerminal(client, reply["id"], reply["pid"], owns_client=own)
    except BaseException:
        if own:
            await client.close()
        raise


def attach(
    id: str,
    client: Optional[Client] = None,
    socket_path: Optional[str] = None,
    *,
    t4a_command: Sequence[str] = ("t4a",),
    scope: Optional[str] = None,
    as_: Optional[str] = None,
    on: Optional[str] = None,
) -> Terminal:
    """Hold a terminal that is there already. Closing it ends its program, as with any.

    scope, as_, on: as in :func:`connect`, for a connection of its own.
    """
    own = client is None
    client = client or connect(socket_path, t4a_command=t4a_command, scope=scope, as_=as_, on=on)
    try:
        status = client.call("status", id=id)
        return Terminal(client, status["id"], status["pid"], owns_client=own)
    except BaseException:
        if own:
            client.close()
        raise


async def async_attach(
    id: str,
    client: Optional[AsyncClient] = None,
    socket_path: Optional[str] = None,
    *,
    t4a_command: Sequence[str] = ("t4a",),
    scope: Optional[str] = None,
    as_: Optional[str] = None,
    on: Optional[str] = None,
) -> AsyncTerminal:
    """As :func:`attach`, for asyncio."""
    own = client is None
    client = client or await async_connect(socket_path, t4a_command=t4a_command, scope=scope, as_=as_, on=on)
    try:
        status = await client.call("status", id=id)
        return AsyncTerminal(client, status["id"], status["pid"], owns_client=own)
    except BaseException:
        if own:
            await client.close()
        raise


# --- generated: commands ---


class _ClientCommands:
    def _call(self, cmd: str, fields: Mapping[str, Any]) -> Reply:
        raise NotImplementedError

    def create(
        self,
        command: Optional[Union[str, Sequence[str]]] = None,
        *,
        cols: Optional[int] = None,
        rows: Optional[int] = None,
        cmd_args: Optional[Sequence[str]] = None,
        cwd: Optional[str] = None,
        env: Optional[Mapping[str, Any]] = None,
        inherit_env: Optional[bool] = None,
        keep_agent_env: Optional[bool] = None,
        scrollback: Optional[int] = None,
        term: Optional[str] = None,
        term_program: Optional[str] = None,
        shell_integration: Optional[bool] = None,
        idle_timeout_ms: Optional[int] = None,
        name: Optional[str] = None,
        reuse: Optional[bool] = None,
        record: Optional[bool] = None,
        record_input: Optional[bool] = None,
        set_env: Optional[Mapping[str, Any]] = None,
        keep_cleared: Optional[bool] = None,
        labels: Optional[Mapping[str, Any]] = None,
        parent: Optional[str] = None,
        tied: Optional[Union[bool, Mapping[str, Any]]] = None,
        rules: Optional[str] = None,
        activity: Optional[Literal["memory", "disk"]] = None,
        if_file: Optional[Mapping[str, Any]] = None,
        title: Optional[str] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Create a terminal and start a program in it.

        cols: Columns of the grid.
        rows: Rows of the grid.
        cmd_args: Program and arguments, in place of `command`. Without either: $SHELL, else bash, else sh.
        cwd: Working directory. Default: the daemon's.
        env: Variables merged over the daemon's environment.
        inherit_env: Start from the daemon's environment. If false, `env` is the whole environment.
        keep_agent_env: Also inherit the variables by which a coding agent marks what runs within it (CLAUDECODE, CODEX_CI, …), and NO_COLOR, PAGER=cat and the like beside them.
        scrollback: Lines kept above the viewport. Default: 10000.
        term: TERM for the program.
        term_program: Name, or name/version, in TERM_PROGRAM and TERM_PROGRAM_VERSION. Default: the configuration's.
        shell_integration: Make an interactive bash, zsh, fish or sh report its prompts and commands.
        idle_timeout_ms: Silence before `idle` is published; it ends nothing. Default: the configuration's.
        command: A str is a line for `sh -c`, or for the shell of the terminal; a list is program and arguments.
        name: Id of the terminal. Default: t1, t2, …
        reuse: Return the live terminal of that name instead of an error.
        record: Record from the first byte on, see `record`. Default: the configuration's.
        record_input: Record, and with what is typed and certain to be shown. Default: the configuration's.
        set_env: Variables set last, over those that describe the terminal: TERM, TMUX and the like; none that begins with T4A_.
        keep_cleared: What a program clears goes into the scrollback, as in tmux, and is not lost.
        labels: Labels by which requests find the terminal.
        parent: Terminal that it is created from within, for `tree` of `kill`. Default: `T4A_TERMINAL` of `env`, if its `T4A_SOCKET` is that of the daemon.
        tied: End the terminal when this connection has gone, or that process.
        rules: Rules for `entries`: "generic", a profile of the rules file, or "none".
        activity: Keep `entries` in memory alone, or in a file as well. Default: the configuration's.
        if_file: Start only if this file holds this text at the instant of the start, else `file_changed`.
        title: Title until the program sets one.
        wait: Wait after the act. The wait starts before it, so that nothing is missed; only what comes after the act counts.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: id, cols, rows, pid, warning, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return self._call(
            "create",
            {
                **_program(command, cmd_args),
                "cols": cols,
                "rows": rows,
                "cwd": cwd,
                "env": env,
                "inherit_env": inherit_env,
                "keep_agent_env": keep_agent_env,
                "scrollback": scrollback,
                "term": term,
                "term_program": term_program,
                "shell_integration": shell_integration,
                "idle_timeout_ms": idle_timeout_ms,
                "name": name,
                "reuse": reuse,
                "record": record,
                "record_input": record_input,
                "set_env": set_env,
                "keep_cleared": keep_cleared,
                "labels": labels,
                "parent": parent,
                "tied": tied,
                "rules": rules,
                "activity": activity,
                "if_file": if_file,
                "title": title,
                "wait": wait,
                "observe": observe,
            },
        )

    def run(
        self,
        command: Optional[Union[str, Sequence[str]]] = None,
        *,
        id: Optional[str] = None,
        cols: Optional[int] = None,
        rows: Optional[int] = None,
        cmd_args: Optional[Sequence[str]] = None,
        cwd: Optional[str] = None,
        env: Optional[Mapping[str, Any]] = None,
        inherit_env: Optional[bool] = None,
        keep_agent_env: Optional[bool] = None,
        scrollback: Optional[int] = None,
        term: Optional[str] = None,
        term_program: Optional[str] = None,
        shell_integration: Optional[bool] = None,
        idle_timeout_ms: Optional[int] = None,
        timeout_ms: Optional[int] = None,
        on_timeout: Optional[Literal["end", "keep"]] = None,
        stdin: Optional[str] = None,
        stream: Optional[str] = None,
        max_lines: Optional[int] = None,
        max_length: Optional[int] = None,
        screenshot: Optional[Union[bool, Mapping[str, Any]]] = None,
        if_inputs: Optional[int] = None,
        if_hold: Optional[int] = None,
        resume: Optional[Mapping[str, Any]] = None,
        keep: Optional[bool] = None,
        keep_omitted: Optional[bool] = None,
    ) -> Reply:
        """Run a command to its end, in a new terminal or at the prompt of a shell; return its output.

        Exactly one of `cmd_args` and `command`. The output is the text in the screen and its scrollback at the end: head and tail if it is longer than `max_lines`. A program that has read its terminal for a second, or has probably waited for a key for four (`certain` is then false), ends it with the outcome `awaiting_input`; the terminal stays. With `screenshot` the header line is followed by `len` bytes of PNG. With `id` the command is typed at the prompt of the shell in that terminal. The shell must report its prompts and commands and be at its prompt, else the error is `shell_busy`; a shell that is still starting is waited for. Text of a client there is `shell_busy`; the shell's own (`print -z`) is taken away first, with a `warning`. `outcome` is `done` if the command has ended, `exited` if the shell has ended with it, and `not_run` if nothing ran (a syntax error, only a comment): `lines` is then the shell's own output.

        id: Terminal whose shell runs the command: its id or name, or "@" for the one used last. Default: a new terminal.
        cols: Columns of the grid. Default: 80.
        rows: Rows of the grid. Default: 24.
        cmd_args: Program and arguments, in place of `command`.
        cwd: Working directory. Default: the daemon's.
        env: Variables merged over the daemon's environment.
        inherit_env: Start from the daemon's environment. If false, `env` is the whole environment.
        keep_agent_env: Also inherit the variables by which a coding agent marks what runs within it (CLAUDECODE, CODEX_CI, …), and NO_COLOR, PAGER=cat and the like beside them.
        scrollback: Lines kept above the viewport. Default: 10000.
        term: TERM for the program. Default: xterm-256color.
        term_program: Name, or name/version, in TERM_PROGRAM and TERM_PROGRAM_VERSION. Default: the configuration's.
        shell_integration: Make an interactive bash, zsh, fish or sh report its prompts and commands.
        idle_timeout_ms: Silence before `idle` is published; it ends nothing. Default: the configuration's.
        command: A str is a line for `sh -c`, or for the shell of the terminal; a list is program and arguments.
        timeout_ms: Deadline: the outcome is then `timeout`. What happens to the command then says `on_timeout`.
        on_timeout: At the deadline: end the command, or let it go on in its terminal, which stays. Default: `end`, and with `id` always `keep`.
        stdin: A file or FIFO that is the standard input of the command. Default: the terminal. Not with `id`. Output and errors stay on the terminal.
        stream: A key of your choice, by which `output` reads the output while the command runs. Not with `id`. Nothing is lost: some 512 KiB that are not read stop the program until they are, and the reply comes once all has been read.
        max_lines: Lines of output returned: the first half and the last half.
        max_length: Characters of output returned, likewise: a line that has no room is cut between two rows.
        screenshot: Attach a picture of the final screen: true, or an object with the options of the picture.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.
        if_hold: Write only while this hold lasts (`hold` of `control`), else `not_holder`.
        resume: From the error `replaced`: goes on with the run of this terminal, and starts nothing.
        keep: Keep the terminal for reading, or remove it. Default: a given terminal stays, a new one is removed unless its command goes on.
        keep_omitted: Also keep a new terminal if lines of its output were left out: `text` reads them.

        Reply: id, outcome, exit_code, signal, awaiting_input, duration_ms, output_bytes, lines, omitted_lines, omitted_after, omitted, lost_lines, kept, ended_processes, living_processes, n, modes_left, shell_level, cwd, rev, warning, observed, seq, len, format, width, height, cell_width, cell_height, cols, rows, region, fitted, legibility, tokens.
        """
        return self._call(
            "run",
            {
                **_program(command, cmd_args),
                "id": id,
                "cols": cols,
                "rows": rows,
                "cwd": cwd,
                "env": env,
                "inherit_env": inherit_env,
                "keep_agent_env": keep_agent_env,
                "scrollback": scrollback,
                "term": term,
                "term_program": term_program,
                "shell_integration": shell_integration,
                "idle_timeout_ms": idle_timeout_ms,
                "timeout_ms": timeout_ms,
                "on_timeout": on_timeout,
                "stdin": stdin,
                "stream": stream,
                "max_lines": max_lines,
                "max_length": max_length,
                "screenshot": screenshot,
                "if_inputs": if_inputs,
                "if_hold": if_hold,
                "resume": resume,
                "keep": keep,
                "keep_omitted": keep_omitted,
            },
        )

    def kill(
        self,
        id: Optional[Union[str, Sequence[str]]] = None,
        *,
        exited: Optional[bool] = None,
        all: Optional[bool] = None,
        where: Optional[Mapping[str, Any]] = None,
        signal: Optional[Union[str, int]] = None,
        grace_ms: Optional[int] = None,
        keep: Optional[bool] = None,
        tree: Optional[bool] = None,
        force: Optional[bool] = None,
    ) -> Reply:
        """End terminals, or send a signal to the programs in them.

        Without `signal`: SIGHUP, then SIGTERM, then SIGKILL after a grace period each, to each process of the session once; then the kernel hangs up and the terminal is removed. A program in the foreground that handles SIGHUP gets it as at a hang-up: from the kernel as the first process ends, or from its shell. Output that is not parsed by then is dropped. With `signal`: only that signal, to the foreground process group; the terminal stays. Exactly one of `id`, `exited`, `where` and `all` is needed. If one of several ids names no terminal, or another name has control of one of several terminals that are alive, none is ended.

        id: The terminal, or several: an id or name each, or "@" for the one used last.
        exited: Every terminal whose program has ended.
        all: Every terminal of the daemon.
        where: Every terminal that these things are true of.
        signal: Name ("SIGINT", "int") or number.
        grace_ms: Time that a program has to end by itself, after SIGHUP and after SIGTERM. Default: the configuration's.
        keep: End the program, and keep the terminal for reading.
        tree: Also the terminals that were created from within it, those first.
        force: Also while another name has control. A person alone may.

        Reply: ended, survivors.
        """
        return self._call(
            "kill",
            {
                "id": id,
                "exited": exited,
                "all": all,
                "where": where,
                "signal": signal,
                "grace_ms": grace_ms,
                "keep": keep,
                "tree": tree,
                "force": force,
            },
        )

    def replace(
        self,
        *,
        exec: Optional[str] = None,
        entry: Optional[str] = None,
        check: Optional[bool] = None,
        history: Optional[bool] = None,
        scrollback: Optional[int] = None,
        within_ms: Optional[int] = None,
    ) -> Reply:
        """Put another version of the daemon in the place of this one; terminals and programs go on.

        The new daemon is started, gets all terminals with their screens, scrollback, shells and events, and serves the same socket. Until it has all of them nothing is changed: a new daemon that does not start, hangs or differs leaves the old one as it was. Requests under way are answered with the error `replaced`, and connections are closed; waits, runs and streams are asked again. Recordings, opened ones too, terminals that are kept on disk, holds (one of a connection for 10 s), questions to persons, triggers, receipts of deliveries, rules with their entries, and reports go along. What is tied to a connection stays if a request with the same `scope` comes within 10 s. Actions of triggers and deliveries under way are awaited for 2.5 s; then it is refused. The old process stays until its programs have ended, as their parent: see `exits`.

        exec: Absolute path of the Node that runs it. Default: the caller's on the command line, else the daemon's.
        entry: Absolute path of the program `daemon.cjs` of an installed t4a, which is yours or root's, and which no other user may write. Default: the caller's on the command line, else the daemon's.
        check: Start the new one, ask it whether it could take over, and end it.
        history: Whether what `at` and handles can read of the time before goes along; without it the state is smaller.
        scrollback: Lines above each viewport that go along, the newest ones. Default: all. Fewer take less memory, and a shorter pause; limits stay as they are.
        within_ms: Bound of the pause; beyond it the old one goes on.

        Reply: from, to, terminals, pause_ms, state_bytes, history, left_lines, exits.
        """
        return self._call(
            "replace",
            {
                "exec": exec,
                "entry": entry,
                "check": check,
                "history": history,
                "scrollback": scrollback,
                "within_ms": within_ms,
            },
        )

    def shutdown(self) -> Reply:
        """End every terminal and the daemon itself.

        The reply comes when all children have ended, or twice `kill_grace_ms` and some seconds later; the socket is gone when the connection closes.

        Reply: survivors.
        """
        return self._call(
            "shutdown",
            {},
        )

    def list(
        self,
        *,
        recordings: Optional[bool] = None,
        where: Optional[Mapping[str, Any]] = None,
        owner: Optional[str] = None,
    ) -> Reply:
        """List all terminals.

        recordings: Opened recordings as well.
        where: Only these terminals.
        owner: Only terminals that requests of this author (`as`) have made.

        Reply: terminals, unreachable, aliases.
        """
        return self._call(
            "list",
            {
                "recordings": recordings,
                "where": where,
                "owner": owner,
            },
        )

    def output(
        self,
        id: Optional[str] = None,
        *,
        run: Optional[str] = None,
        since: Optional[int] = None,
        max_bytes: Optional[int] = None,
        wait_ms: Optional[int] = None,
        inline: Optional[bool] = None,
    ) -> Reply:
        """Read the raw output of the program, from a byte offset.

        The reply is a header line, then exactly `len` raw bytes: what the program printed, with its escape sequences. The last 1 MiB of each terminal is kept until the terminal is removed; what came before it, for as long as the history of the terminal has it. If `since` is below what is kept, the error is `offset_gone`, whose field `first` is the first offset that is kept. With `since` at the end or beyond it, the reply comes with the first byte there, at the end of the process, or empty after `wait_ms`. `run` in place of `id` names the `stream` of a `run` that is not answered yet: its program waits for this reader, so nothing is gone.

        id: Terminal: its id or name, or "@" for the one used last.
        run: In place of `id`: the `stream` of a `run` that is under way.
        since: Offset of the first byte to read. Absent: the first of the last 1 MiB.
        max_bytes: Bytes in the reply, at most.
        wait_ms: Longest wait for output if there is none yet.
        inline: Send the bytes as base64 in the JSON line.

        Reply: first, next, len, ended, id, data.
        """
        return self._call(
            "output",
            {
                "id": id,
                "run": run,
                "since": since,
                "max_bytes": max_bytes,
                "wait_ms": wait_ms,
                "inline": inline,
            },
        )

    def ask(
        self,
        question: Optional[str] = None,
        *,
        id: Optional[str] = None,
        kind: Optional[Literal["text", "choice", "confirm", "secret", "hand"]] = None,
        choices: Optional[Sequence[str]] = None,
        submit: Optional[bool] = None,
        timeout_ms: Optional[int] = None,
        expires_ms: Optional[int] = None,
        resume: Optional[int] = None,
        withdraw: Optional[int] = None,
        elicited: Optional[str] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Ask a person a question, and wait for the answer.

        Persons see the question in `asks`, and where they watch the terminal. At the deadline the outcome is "open": the question stays, and `resume` waits on. The answer to a "secret" is typed into the terminal and is in no reply; if the terminal would show it, the person must insist. A "hand" is accepted by a person who takes control of the terminal, and answered by its release, with a note. The answer to a text or a choice may also come from the interface of the asker itself (`elicited`): it counts if it is the first, and is not known to be that of a person. Outcomes: "answered", "declined", "open", "withdrawn" by the asker (`withdraw`, or the end of its first request), "expired" after `expires_ms`, "exited" with the terminal. At most 64 questions are open, 16 of one connection and 4 of one name. One whose connection has gone, and for which no request waits, gives way to a new one: it is "withdrawn".

        id: Terminal that it is about.
        question: Words for a person.
        kind: Kind of the answer.
        choices: With "choice": the answers.
        submit: With "secret": press Enter after it.
        timeout_ms: Longest wait of this request; the question then stays open.
        expires_ms: The question is dropped after this time.
        resume: Number of an open question of your name to wait for, in place of a new one.
        withdraw: Drop this question of your name.
        elicited: With `resume` of an own question, "text" or "choice": what the interface of the asker was answered. Ignored if the question has ended.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: ask, outcome, answer, note, by, person, watchers, changed, rev, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return self._call(
            "ask",
            {
                "question": question,
                "id": id,
                "kind": kind,
                "choices": choices,
                "submit": submit,
                "timeout_ms": timeout_ms,
                "expires_ms": expires_ms,
                "resume": resume,
                "withdraw": withdraw,
                "elicited": elicited,
                "observe": observe,
            },
        )

    def asks(self) -> Reply:
        """List the open questions to persons.

        Reply: asks.
        """
        return self._call(
            "asks",
            {},
        )

    def answer(
        self,
        ask: int,
        text: Optional[str] = None,
        *,
        decline: Optional[bool] = None,
        note: Optional[str] = None,
        even_if_shown: Optional[bool] = None,
        undo: Optional[bool] = None,
    ) -> Reply:
        """Answer a question of `ask`.

        For persons: no tool of a model has this command. A "secret" is typed only while the program that was in the foreground at the question reads a line without echo, else `would_echo`. A "hand" is answered by taking control and releasing it; it can be declined here.

        ask: Number of the question.
        text: The answer; of a choice its words or its number, of a confirmation yes or no.
        decline: Give no answer.
        note: For the asker.
        even_if_shown: Type the secret although the terminal may show it.
        undo: Take back what this name has answered: the question is open again. Refused once `undo_ms` are over or the asker has read it.

        Reply: ask, outcome, undo_ms.
        """
        return self._call(
            "answer",
            {
                "ask": ask,
                "text": text,
                "decline": decline,
                "note": note,
                "even_if_shown": even_if_shown,
                "undo": undo,
            },
        )

    def recordings(self) -> Reply:
        """List recordings: those of live terminals, the files of the folder for them, and those that are open.

        The folder is `$XDG_STATE_HOME/t4a/recordings`, by default `~/.local/state/t4a/recordings`, for the environment of the daemon.

        Reply: recordings.
        """
        return self._call(
            "recordings",
            {},
        )

    def open(
        self,
        path: str,
        *,
        name: Optional[str] = None,
        at: Optional[str] = None,
        timing: Optional[str] = None,
        cols: Optional[int] = None,
        rows: Optional[int] = None,
    ) -> Reply:
        """Open a recording as a terminal that is not alive: everything that reads works on it.

        Reads asciicasts (v1, v2, v3, also compressed), ttyrec and typescripts of script(1). The terminal shows the end of the recording, or the moment `at`; reads take an `at` of their own. It has no process (`pid` is null, `recording` is the path), is in `list` only with `recordings`, and is never meant by "@". Input and changes of size get `read_only`. It publishes no events and answers no queries. `kill` closes it.

        path: The file.
        name: Name of the terminal. Default: t1, t2, …
        at: Moment that is shown: `12.5s`, `1500ms` or `1:02.5` since the start, `-5s` before the end, `start`, `end`, or `marker:NAME`.
        timing: Timing file of a typescript.
        cols: Columns, if the file does not say: a ttyrec. Default: 80.
        rows: Rows, if the file does not say. Default: 24.

        Reply: id, cols, rows, format, duration_ms, at_ms, complete, repaired.
        """
        return self._call(
            "open",
            {
                "path": path,
                "name": name,
                "at": at,
                "timing": timing,
                "cols": cols,
                "rows": rows,
            },
        )

    def wait(
        self,
        until: Union[Mapping[str, Any], Sequence[Mapping[str, Any]]],
        id: Optional[str] = None,
        *,
        where: Optional[Mapping[str, Any]] = None,
        fail: Optional[Union[Mapping[str, Any], Sequence[Mapping[str, Any]]]] = None,
        timeout_ms: Optional[int] = None,
        fresh: Optional[bool] = None,
        at_cursor: Optional[bool] = None,
        tail: Optional[int] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Wait for a condition, then report the screen.

        A condition that is true already counts. The reply comes with the first condition of `fail` or `until` that is true, at the deadline, or when the process has exited; `outcome` is the reason. With `where` the first terminal whose wait is met or failed ends it; else the last that exits, or the deadline. Conditions `published` alone need no terminal: without `id` and `where` the reply has no lines. Text and regular expressions are searched in each line on the screen and in each line that scrolls by, with wrapped rows joined.

        id: Terminal: its id or name, or "@" for the one used last.
        where: In place of `id`: the first of the terminals that these things are true of now, and that are alive.
        until: Conditions, each an object with one field; the first that is true ends the wait.
        fail: Conditions that end the wait as failed; they are checked first.
        timeout_ms: Deadline; it is an outcome, not an error.
        fresh: Count only what comes after the request, as commands that act always do.
        at_cursor: `text` and `regex` of `until` are looked for in the line of the cursor alone, while the program waits for input: a question, and no line of a log. Linux only.
        tail: Number of last lines of the screen in the reply.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: id, outcome, index, match, code, exit_code, shell_level, nothing_ran, signal, command, event, awaiting_input, doing, ignored, warning, elapsed_ms, rev, tail, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return self._call(
            "wait",
            {
                "until": until,
                "id": id,
                "where": where,
                "fail": fail,
                "timeout_ms": timeout_ms,
                "fresh": fresh,
                "at_cursor": at_cursor,
                "tail": tail,
                "observe": observe,
            },
        )

    def publish(
        self,
        name: str,
        data: Optional[str] = None,
        *,
        warn: Optional[bool] = None,
    ) -> Reply:
        """Publish an event of your own, so that others need not poll.

        All subscribers of `events` get it as `published`. Its `seq` is the one from which a subscriber may read on.

        name: What it is.
        data: Up to 4 KiB of text.
        warn: As a `warning` instead, for the operator: its message is the name and `data`.

        Reply: seq.
        """
        return self._call(
            "publish",
            {
                "name": name,
                "data": data,
                "warn": warn,
            },
        )

    def triggers(
        self,
        id: Optional[str] = None,
    ) -> Reply:
        """List triggers: what each waits for, how often it fired, and what failed last.

        id: Terminal: its id or name, or "@" for the one used last.

        Reply: triggers.
        """
        return self._call(
            "triggers",
            {
                "id": id,
            },
        )

    def untrigger(
        self,
        trigger: int,
        *,
        force: Optional[bool] = None,
    ) -> Reply:
        """Remove a trigger.

        trigger: Number of the trigger, for `untrigger`.
        force: Also that of another name while another has control of the terminal. A person alone may.
        """
        return self._call(
            "untrigger",
            {
                "trigger": trigger,
                "force": force,
            },
        )

    def config(
        self,
        *,
        idle_timeout_ms: Optional[int] = None,
        scrollback: Optional[int] = None,
        log_level: Optional[Literal["error", "warn", "info", "debug"]] = None,
        max_terminals: Optional[int] = None,
        max_terminals_per_owner: Optional[int] = None,
        max_trigger_runs: Optional[int] = None,
        max_scrollback: Optional[int] = None,
        output_buffer_bytes: Optional[int] = None,
        input_buffer_bytes: Optional[int] = None,
        ended_ttl_ms: Optional[int] = None,
        ended_max: Optional[int] = None,
        kill_grace_ms: Optional[int] = None,
        max_connections: Optional[int] = None,
        client_buffer_bytes: Optional[int] = None,
        max_requests_in_flight: Optional[int] = None,
        max_line_bytes: Optional[int] = None,
        event_queue: Optional[int] = None,
        max_waits: Optional[int] = None,
        max_image_side: Optional[int] = None,
        atlas_bytes: Optional[int] = None,
        max_memory_bytes: Optional[int] = None,
        history_bytes: Optional[int] = None,
        history_total_bytes: Optional[int] = None,
        record: Optional[Literal["off", "on", "input"]] = None,
        activity: Optional[Literal["memory", "disk"]] = None,
        persist: Optional[str] = None,
        lc_ctype: Optional[str] = None,
        program_status: Optional[Literal["answer", "read", "off"]] = None,
        term_program: Optional[str] = None,
        redact: Optional[Mapping[str, Any]] = None,
        theme: Optional[str] = None,
        themes: Optional[Mapping[str, Any]] = None,
        sources: Optional[bool] = None,
    ) -> Reply:
        """Read or change the daemon's configuration: its defaults and all of its limits.

        Sources, each overriding those before it: the defaults; the file `$XDG_CONFIG_HOME/t4a/config.json` (an object of these fields and of the settings of the command line); the environment (`T4A_SCROLLBACK` is `scrollback`); a request, until the daemon ends.

        idle_timeout_ms: Silence before `idle` is published, for terminals without a setting of their own.
        scrollback: Lines kept above the viewport, for new terminals.
        log_level: Lowest level of the entries in the daemon's log.
        max_terminals: Terminals that may exist at once. Beyond: `too_many_terminals`.
        max_terminals_per_owner: Terminals that requests of one author (`as`) have made and that exist, ended ones included; 0: no bound. Beyond: `too_many_terminals`.
        max_trigger_runs: Running programs of the action `run` of one trigger; 0: no bound. Beyond, the action fails with `too_many_terminals`.
        max_scrollback: Lines that a terminal may ask to keep above the viewport. Beyond: `over_limit`.
        output_buffer_bytes: Output of a terminal that is read but not parsed yet, for new terminals. Beyond, its program waits.
        input_buffer_bytes: Input that a program has not read yet, for new terminals. Beyond: `input_blocked`.
        ended_ttl_ms: Time for which ended terminals are kept; 0: for ever.
        ended_max: Ended terminals that are kept. Beyond, the oldest is dropped.
        kill_grace_ms: Time that a program has to end by itself, after SIGHUP and after SIGTERM, however its terminal is ended.
        max_connections: Connections at once. Beyond: `too_many_connections`.
        client_buffer_bytes: Replies that a client has not read yet, for new connections. Beyond, its requests wait.
        max_requests_in_flight: Unanswered requests of a new connection. Beyond: `too_many_requests`; requests without `req` wait.
        max_line_bytes: Length of a request line, for new connections. Beyond: `line_too_long`.
        event_queue: Events queued for a new subscriber. Beyond, the oldest are dropped, and `lagged` counts them.
        max_waits: Waits on one terminal at once, for new terminals. Beyond: `too_many_waits`.
        max_image_side: Pixels of a side of a picture. Beyond: `image_too_large`.
        atlas_bytes: Drawn glyphs that are kept. Beyond, the least recently used are dropped.
        max_memory_bytes: Memory of the daemon; 0 is half of the machine's. `memory.pressure` of `stats` warns near the limit; beyond: `memory_low`.
        history_bytes: Memory of the history of a terminal, which `at` and `film` read: packed, its output is some 3 to 20 percent of it. Beyond, the oldest is dropped; 0: new terminals have none.
        history_total_bytes: Memory of the histories of all terminals, and at most an eighth of `max_memory_bytes`.
        record: Record new terminals, each to a file of the folder that `recordings` lists; `input`: with what is typed and certain to be shown.
        activity: Where new terminals keep their entries: in memory alone, or in a file as well.
        persist: Folder in which new terminals are kept beyond the daemon, each in a folder of its own that `open` shows: its session, its output byte for byte, its entries; empty: none are kept.
        lc_ctype: LC_CTYPE of new terminals whose environment names no character set (LC_ALL, LC_CTYPE and LANG); empty: none. Default: C.UTF-8, on macOS UTF-8.
        program_status: Reports of programs in new terminals about what they are doing (OSC 7501): "answer" also those that ask whether reports are read, "read" them without an answer, or ignore them ("off").
        term_program: Terminal that new terminals name to their programs, `ghostty/1.3.0` (TERM_PROGRAM, TERM_PROGRAM_VERSION); empty: t4a and its version. Some programs use extensions of terminals that they know by name.
        redact: Secrets that are masked in recordings that begin from now on and in exports, each character as "*". Off if it is empty. `docs/recordings.md` says what it cannot see.
        theme: Colours of pictures, and of the replies to programs that query colours.
        themes: Custom themes by name, beside dark, light, tokyo-night, solarized, gruvbox and xterm.
        sources: Include the source of each value.

        Reply: idle_timeout_ms, scrollback, log_level, max_terminals, max_terminals_per_owner, max_trigger_runs, max_scrollback, output_buffer_bytes, input_buffer_bytes, ended_ttl_ms, ended_max, kill_grace_ms, max_connections, client_buffer_bytes, max_requests_in_flight, max_line_bytes, event_queue, max_waits, max_image_side, atlas_bytes, max_memory_bytes, history_bytes, history_total_bytes, record, activity, persist, lc_ctype, program_status, term_program, redact, theme, themes, sources, file.
        """
        return self._call(
            "config",
            {
                "idle_timeout_ms": idle_timeout_ms,
                "scrollback": scrollback,
                "log_level": log_level,
                "max_terminals": max_terminals,
                "max_terminals_per_owner": max_terminals_per_owner,
                "max_trigger_runs": max_trigger_runs,
                "max_scrollback": max_scrollback,
                "output_buffer_bytes": output_buffer_bytes,
                "input_buffer_bytes": input_buffer_bytes,
                "ended_ttl_ms": ended_ttl_ms,
                "ended_max": ended_max,
                "kill_grace_ms": kill_grace_ms,
                "max_connections": max_connections,
                "client_buffer_bytes": client_buffer_bytes,
                "max_requests_in_flight": max_requests_in_flight,
                "max_line_bytes": max_line_bytes,
                "event_queue": event_queue,
                "max_waits": max_waits,
                "max_image_side": max_image_side,
                "atlas_bytes": atlas_bytes,
                "max_memory_bytes": max_memory_bytes,
                "history_bytes": history_bytes,
                "history_total_bytes": history_total_bytes,
                "record": record,
                "activity": activity,
                "persist": persist,
                "lc_ctype": lc_ctype,
                "program_status": program_status,
                "term_program": term_program,
                "redact": redact,
                "theme": theme,
                "themes": themes,
                "sources": sources,
            },
        )

    def rules(
        self,
        action: Optional[Literal["show", "check", "set", "apply"]] = None,
        rules: Optional[str] = None,
        *,
        name: Optional[str] = None,
        terminal: Optional[str] = None,
        profile: Optional[str] = None,
        from_: Optional[Union[int, str]] = None,
        with_text: Optional[bool] = None,
        if_version: Optional[int] = None,
    ) -> Reply:
        """Show, check or change the rules by which terminals have entries.

        The file is `$XDG_CONFIG_HOME/t4a/rules.json`. It is read when a terminal is created and again whenever it changes; while it is broken, the last good rules stay, and a `warning` names the place. After a change of rules, the entries of a terminal are corrected: later versions and deletions follow, nothing is rewritten.

        action: "check" reads `rules`, and with `terminal` reports the entries that they would find, without keeping them. "set" uses `rules` until the daemon ends or the file changes, or chooses the `profile` of a terminal. "apply" reads all lines of a terminal again, or with `from` all of its past.
        rules: Text of a rules file, to check or to set.
        name: Name of that text in errors.
        terminal: Terminal: its id or name, or "@" for the one used last.
        profile: Profile of rules: "generic", one of the rules file, or "none".
        from_: With "check": run `rules` through the history of the terminal, without an effect. With "apply": run the rules through the history of the terminal, as if they had been its rules; corrections of what changed since this moment follow. "start": of all that is kept.
        with_text: With "show": the text of the rules in use as well.
        if_version: Refuse to set them (`rules_changed`) if the rules have another version.

        Reply: version, file, text, profiles, profile, corrections, entries, snapshot, differences.
        """
        return self._call(
            "rules",
            {
                "action": action,
                "rules": rules,
                "name": name,
                "terminal": terminal,
                "profile": profile,
                "from": from_,
                "with_text": with_text,
                "if_version": if_version,
            },
        )

    def ping(self) -> Reply:
        """Check that the daemon answers; return its version and pid.

        Reply: version, protocol, pid, socket, uptime_ms, terminals, replaced, instance, features.
        """
        return self._call(
            "ping",
            {},
        )

    def restrict(
        self,
        reach: Literal["read", "use", "create", "admin"],
        *,
        person: Optional[Literal[False]] = None,
        turns: Optional[str] = None,
        as_long_as: Optional[Sequence[Mapping[str, Any]]] = None,
    ) -> Reply:
        """Lower what this connection may do, for good.

        It holds for every later line of the connection, also for requests that overtake it. Requests above it are answered with `not_allowed`. A later `restrict` lowers further, and never raises. A new connection is not restricted.

        reach: Highest reach of commands and fields: to look, to type, to start and end programs, to change the daemon.
        person: False: without what a person alone may decide.
        turns: Connections that say the same here take turns with others as one, however many they are: a text that others cannot guess. The first one counts.
        as_long_as: The connection is a door, which lets others in: what it types ends with it. It may do what it may as long as all of these files are so; after that its requests are answered with `not_allowed`, and no further key is typed for those under way. Refused if one is not so now. Later ones are added.

        Reply: reach, person.
        """
        return self._call(
            "restrict",
            {
                "reach": reach,
                "person": person,
                "turns": turns,
                "as_long_as": as_long_as,
            },
        )

    def stats(
        self,
        *,
        terminals: Optional[bool] = None,
        rules: Optional[bool] = None,
    ) -> Reply:
        """Show the figures of the daemon: memory, queues, lag, losses.

        terminals: Include the figures of each terminal.
        rules: Include what each rule has found, see `entries`.

        Reply: version, pid, node, uptime_ms, memory, pictures, event_loop, terminals, output, input, connections, events, descriptors, timers, listeners, faults, widths, predecessor, per_terminal, rules.
        """
        return self._call(
            "stats",
            {
                "terminals": terminals,
                "rules": rules,
            },
        )

    def schema(self) -> Reply:
        """Print the JSON Schema of every command, reply, event and error.

        Reply: schema.
        """
        return self._call(
            "schema",
            {},
        )


class _TerminalCommands:
    def _call(self, cmd: str, fields: Mapping[str, Any]) -> Reply:
        raise NotImplementedError

    def run(
        self,
        command: Optional[Union[str, Sequence[str]]] = None,
        *,
        cmd_args: Optional[Sequence[str]] = None,
        timeout_ms: Optional[int] = None,
        on_timeout: Optional[Literal["end", "keep"]] = None,
        stdin: Optional[str] = None,
        stream: Optional[str] = None,
        max_lines: Optional[int] = None,
        max_length: Optional[int] = None,
        screenshot: Optional[Union[bool, Mapping[str, Any]]] = None,
        if_inputs: Optional[int] = None,
        if_hold: Optional[int] = None,
        resume: Optional[Mapping[str, Any]] = None,
        keep: Optional[bool] = None,
        keep_omitted: Optional[bool] = None,
    ) -> Reply:
        """Run a command to its end, in a new terminal or at the prompt of a shell; return its output.

        Exactly one of `cmd_args` and `command`. The output is the text in the screen and its scrollback at the end: head and tail if it is longer than `max_lines`. A program that has read its terminal for a second, or has probably waited for a key for four (`certain` is then false), ends it with the outcome `awaiting_input`; the terminal stays. With `screenshot` the header line is followed by `len` bytes of PNG. With `id` the command is typed at the prompt of the shell in that terminal. The shell must report its prompts and commands and be at its prompt, else the error is `shell_busy`; a shell that is still starting is waited for. Text of a client there is `shell_busy`; the shell's own (`print -z`) is taken away first, with a `warning`. `outcome` is `done` if the command has ended, `exited` if the shell has ended with it, and `not_run` if nothing ran (a syntax error, only a comment): `lines` is then the shell's own output.

        cmd_args: Program and arguments, in place of `command`.
        command: A str is a line for `sh -c`, or for the shell of the terminal; a list is program and arguments.
        timeout_ms: Deadline: the outcome is then `timeout`. What happens to the command then says `on_timeout`.
        on_timeout: At the deadline: end the command, or let it go on in its terminal, which stays. Default: `end`, and with `id` always `keep`.
        stdin: A file or FIFO that is the standard input of the command. Default: the terminal. Not with `id`. Output and errors stay on the terminal.
        stream: A key of your choice, by which `output` reads the output while the command runs. Not with `id`. Nothing is lost: some 512 KiB that are not read stop the program until they are, and the reply comes once all has been read.
        max_lines: Lines of output returned: the first half and the last half.
        max_length: Characters of output returned, likewise: a line that has no room is cut between two rows.
        screenshot: Attach a picture of the final screen: true, or an object with the options of the picture.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.
        if_hold: Write only while this hold lasts (`hold` of `control`), else `not_holder`.
        resume: From the error `replaced`: goes on with the run of this terminal, and starts nothing.
        keep: Keep the terminal for reading, or remove it. Default: a given terminal stays, a new one is removed unless its command goes on.
        keep_omitted: Also keep a new terminal if lines of its output were left out: `text` reads them.

        Reply: id, outcome, exit_code, signal, awaiting_input, duration_ms, output_bytes, lines, omitted_lines, omitted_after, omitted, lost_lines, kept, ended_processes, living_processes, n, modes_left, shell_level, cwd, rev, warning, observed, seq, len, format, width, height, cell_width, cell_height, cols, rows, region, fitted, legibility, tokens.
        """
        return self._call(
            "run",
            {
                **_program(command, cmd_args),
                "timeout_ms": timeout_ms,
                "on_timeout": on_timeout,
                "stdin": stdin,
                "stream": stream,
                "max_lines": max_lines,
                "max_length": max_length,
                "screenshot": screenshot,
                "if_inputs": if_inputs,
                "if_hold": if_hold,
                "resume": resume,
                "keep": keep,
                "keep_omitted": keep_omitted,
            },
        )

    def kill(
        self,
        *,
        exited: Optional[bool] = None,
        all: Optional[bool] = None,
        where: Optional[Mapping[str, Any]] = None,
        signal: Optional[Union[str, int]] = None,
        grace_ms: Optional[int] = None,
        keep: Optional[bool] = None,
        tree: Optional[bool] = None,
        force: Optional[bool] = None,
    ) -> Reply:
        """End terminals, or send a signal to the programs in them.

        Without `signal`: SIGHUP, then SIGTERM, then SIGKILL after a grace period each, to each process of the session once; then the kernel hangs up and the terminal is removed. A program in the foreground that handles SIGHUP gets it as at a hang-up: from the kernel as the first process ends, or from its shell. Output that is not parsed by then is dropped. With `signal`: only that signal, to the foreground process group; the terminal stays. Exactly one of `id`, `exited`, `where` and `all` is needed. If one of several ids names no terminal, or another name has control of one of several terminals that are alive, none is ended.

        exited: Every terminal whose program has ended.
        all: Every terminal of the daemon.
        where: Every terminal that these things are true of.
        signal: Name ("SIGINT", "int") or number.
        grace_ms: Time that a program has to end by itself, after SIGHUP and after SIGTERM. Default: the configuration's.
        keep: End the program, and keep the terminal for reading.
        tree: Also the terminals that were created from within it, those first.
        force: Also while another name has control. A person alone may.

        Reply: ended, survivors.
        """
        return self._call(
            "kill",
            {
                "exited": exited,
                "all": all,
                "where": where,
                "signal": signal,
                "grace_ms": grace_ms,
                "keep": keep,
                "tree": tree,
                "force": force,
            },
        )

    def status(self) -> Reply:
        """Show the state of one terminal.

        Reply: id, cols, rows, pid, recording, alive, title, cmd, cwd, labels, parent, owner, doing, asks, created_at, exit_code, signal, exited_at, output_bytes, idle_ms, rev, foreground, alt_screen, modes, cursor, generation, restarting, scrollback_lines, scrollback_limit, state, has_shell, shell_cwd, last_command, shell_level, warning, awaiting_input, inputs, control, watchers, persisted, progress, reported, report.
        """
        return self._call(
            "status",
            {},
        )

    def explain(
        self,
        *,
        at: Optional[Union[int, str]] = None,
    ) -> Reply:
        """Explain what a program is doing: every signal, those that disagree included.

        The first kind of signal that there is decides: the end of the process, or a password or a line that it has read for a second (`kernel`); what the program says by OSC 7501 (`7501`, a claim); what its hooks say (`report`, a claim, too); what rules read off its screen (`rules`); its progress by OSC 9;4 (`progress`); marks of its shell (`shell`); and last, as a guess, its output of the last two seconds, or that it would take a key (`kernel`, not `sure`). A question that one of these three has half a second after another wins over "working". The past (`at`) has what was known then, for as long as the history of the terminal reaches back.

        at: The answer as it was at this moment, as `at` of `text` has it.

        Reply: doing, for_ms, signals, left_out, records, asks, at, warning.
        """
        return self._call(
            "explain",
            {
                "at": at,
            },
        )

    def screenshot(
        self,
        *,
        cursor: Optional[bool] = None,
        profile: Optional[Literal["llm", "cheap", "exact", "human"]] = None,
        scale: Optional[float] = None,
        pad: Optional[int] = None,
        max_tokens: Optional[int] = None,
        model: Optional[Literal["claude", "gpt", "gemini"]] = None,
        format: Optional[Literal["png", "webp", "jpeg", "svg", "html"]] = None,
        theme: Optional[str] = None,
        region: Optional[Mapping[str, Any]] = None,
        scrollback: Optional[int] = None,
        rulers: Optional[bool] = None,
        mark: Optional[Sequence[Union[str, Mapping[str, Any]]]] = None,
        since: Optional[Union[int, str]] = None,
        minimum_contrast: Optional[float] = None,
        bold_as_bright: Optional[bool] = None,
        wait: Optional[Mapping[str, Any]] = None,
        at: Optional[Union[int, str]] = None,
    ) -> Picture:
        """Draw the screen as a picture.

        The reply is a header line, then exactly `len` raw bytes. With `inline` the picture is in the line, as base64 in `data`, and `len` is 0. Glyphs are drawn at the size of the cell, and no picture is scaled down: 80x24 at `scale` 66 has 560x336 pixels and some 240 tokens, where `legibility` is `no_ids`, and by default 640x384 and some 322. If `if_rev` is the current revision, the reply is `{"ok":true,"unchanged":true,"rev":n,"len":0}`.

        cursor: Draw the cursor.
        profile: Cell size by purpose: llm 8x16 (the default), cheap 7x14, exact 10x20, human 20x40 with a margin.
        scale: Cell size in percent of 10x20 pixels, in whole pixels: 66 gives 7x14 (80x24: 560x336), too small for ids; 80 gives 8x16, the default. Overrides `profile`.
        pad: Blank pixels on every side.
        max_tokens: Budget: the largest legible cell whose picture costs `model` at most this many tokens; `scale` and `profile` limit its size. If not even cells of 6x12 fit, a part: the rows changed after `since`, else around the cursor.
        model: Model family: its tokens are counted (default claude), and its limit on the size of pictures is kept.
        format:
        theme: Name of a theme. Default: the configuration's.
        region: Only this part of the screen.
        scrollback: Lines above the viewport to show, if there are as many.
        rulers: Number the rows and columns in a margin.
        mark: Draw boxes around text, around matches of `{"regex":…}`, rows `{"changed_since":rev}`, or a region.
        since: Fade the rows that did not change after this revision or moment.
        minimum_contrast: Minimum contrast of text against its background (WCAG). Default: 4.5, for dim text 3; 1 changes no colour.
        bold_as_bright: Draw bold text of the colours 0 to 7 in 8 to 15.
        wait: Wait first; the reading is of the instant at which the wait ended. What holds already counts, unless `fresh`.
        at: Read the screen as it was at this moment: a revision, `-5s`, `1:02.5` (since the start), `ts:MS` or an ISO time, `seq:N` (an event), `command:-1:start` or `:end`, `input` or `input:-2`, `marker:NAME`, `start`, `end`; with `^` just before it. Not with `wait` and `observe`. A revision may also stand in `id`, as `t1@42`.

        Reply: len, format, width, height, cell_width, cell_height, cols, rows, region, fitted, legibility, rev, tokens, unchanged, data, inputs, warning, wait, at.
        """
        return _picture(self._call(
            "screenshot",
            {
                "cursor": cursor,
                "profile": profile,
                "scale": scale,
                "pad": pad,
                "max_tokens": max_tokens,
                "model": model,
                "format": format,
                "theme": theme,
                "region": region,
                "scrollback": scrollback,
                "rulers": rulers,
                "mark": mark,
                "since": since,
                "minimum_contrast": minimum_contrast,
                "bold_as_bright": bold_as_bright,
                "wait": wait,
                "at": at,
            },
        ))

    def text(
        self,
        *,
        start: Optional[int] = None,
        end: Optional[int] = None,
        trim: bool = True,
        last: Optional[int] = None,
        region: Optional[Literal["viewport", "scrollback", "all"]] = None,
        command: Optional[int] = None,
        screen: Optional[Literal["main", "alternate"]] = None,
        format: Optional[Literal["plain", "ansi", "cells", "runs", "html"]] = None,
        from_line: Optional[int] = None,
        max_lines: Optional[int] = None,
        join_wrapped: Optional[bool] = None,
        since: Optional[Union[int, str]] = None,
        changed: Optional[bool] = None,
        selection: Optional[bool] = None,
        max_bytes: Optional[int] = None,
        highlights: Optional[bool] = None,
        links: Optional[bool] = None,
        at: Optional[Union[int, str]] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
        blank_lines: bool = False,
    ) -> str:
        """Read lines of text.

        `start` and `end` count lines from the bottom of the region: 0 is the last line, and `end` is not included, so 0 and 5 are the last five lines. Lines come top to bottom. The reply holds the range that was read. Lines also have lasting numbers, which stay when the scrollback grows or is cut: 0 is the first line that the terminal ever had (the alternate screen counts from its top, and a new width lays out all lines anew). Each `ansi` line begins and ends with default attributes; printed in order, the lines give the same grid.

        start: First line, counted from the bottom.
        end: Line after the last one, counted from the bottom.
        trim: Remove blanks at the ends of lines.
        last: The last lines with text, of the screen and its scrollback, in place of `start` and `end`.
        region: Default: the viewport; with `last`, or where `start` or `end` reach above it, all.
        command: The output of this shell command, in place of a region: its number in `commands`, or -1 for the last, -2 for the one before.
        screen: main: the screen with the scrollback, also while an editor or pager shows the alternate one; alternate: that one, or an error while it is not shown. Default: the one that is shown.
        format: plain; ansi: with colours as escape sequences; cells: runs of equal cells; runs: the same in the short form of `watch`; html: one `<pre>`.
        from_line: Lasting number of the first row, in place of `start`, `end` and `region`: the same rows after more output.
        max_lines: With `from_line`: number of rows at most; 1000 if absent.
        join_wrapped: Join rows that were printed as one line.
        since: Only lines that changed after this revision or moment, with their `numbers`; all lines if `complete` is true.
        changed: Only the rows that differ from the last look at the text by the same `scope` and `as`, and new lines that scrolled by; above one row that differs also the row before it. See `changed` of the reply.
        selection: Mark the selection of a list, a menu or an editor, which is colour alone, with ⟦ and ⟧ in the lines. A guess: the span whose background differs from that of its neighbours, or the entry of a list whose text has another colour.
        max_bytes: Size limit: keep whole lines of the head and the tail; `omitted` counts the others.
        highlights: Include the spans that stand out: inverse, or on another background.
        links: Include the hyperlinks. Targets of more than 2083 characters make none.
        at: Read the screen as it was at this moment: a revision, `-5s`, `1:02.5` (since the start), `ts:MS` or an ISO time, `seq:N` (an event), `command:-1:start` or `:end`, `input` or `input:-2`, `marker:NAME`, `start`, `end`; with `^` just before it. Not with `wait` and `observe`. A revision may also stand in `id`, as `t1@42`.
        wait: Wait first; the reading is of the instant at which the wait ended. What holds already counts, unless `fresh`.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: lines, region, start, end, total_lines, lost_lines, rev, cursor, first_line, numbers, complete, cells, rows, html, changed, omitted, highlights, warning, links, at, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return _text(self._call(
            "text",
            {
                "start": start,
                "end": end,
                "trim": trim,
                "last": last,
                "region": region,
                "command": command,
                "screen": screen,
                "format": format,
                "from_line": from_line,
                "max_lines": max_lines,
                "join_wrapped": join_wrapped,
                "since": since,
                "changed": changed,
                "selection": selection,
                "max_bytes": max_bytes,
                "highlights": highlights,
                "links": links,
                "at": at,
                "wait": wait,
                "observe": observe,
            },
        ), blank_lines)

    def grep(
        self,
        pattern: str,
        *,
        fixed: Optional[bool] = None,
        ignore_case: Optional[bool] = None,
        before: Optional[int] = None,
        after: Optional[int] = None,
        context: Optional[int] = None,
        max: Optional[int] = None,
        last: Optional[bool] = None,
        region: Optional[Literal["viewport", "scrollback", "all"]] = None,
        at: Optional[Union[int, str]] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Search the scrollback and the viewport for a pattern.

        RE2 syntax: the time grows with the length of the text and is independent of the shape of the pattern. Rows that were printed as one line are searched as one line and have the number of their first row. Context lines of two matches are listed once, with the earlier match.

        pattern: Regular expression.
        fixed: The pattern is text, not a regular expression.
        ignore_case:
        before: Context lines before each match.
        after: Context lines after each match.
        context: Context lines before and after each match, unless `before` or `after` is given.
        max: Matching lines returned.
        last: Return the last `max` matching lines instead of the first.
        region:
        at: Read the screen as it was at this moment: a revision, `-5s`, `1:02.5` (since the start), `ts:MS` or an ISO time, `seq:N` (an event), `command:-1:start` or `:end`, `input` or `input:-2`, `marker:NAME`, `start`, `end`; with `^` just before it. Not with `wait` and `observe`. A revision may also stand in `id`, as `t1@42`.
        wait: Wait first; the reading is of the instant at which the wait ended. What holds already counts, unless `fresh`.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: matches, total, lines, lost_lines, first_line, rev, at, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return self._call(
            "grep",
            {
                "pattern": pattern,
                "fixed": fixed,
                "ignore_case": ignore_case,
                "before": before,
                "after": after,
                "context": context,
                "max": max,
                "last": last,
                "region": region,
                "at": at,
                "wait": wait,
                "observe": observe,
            },
        )

    def find(
        self,
        text: Optional[str] = None,
        *,
        regex: Optional[str] = None,
        ignore_case: Optional[bool] = None,
        max: Optional[int] = None,
        pad: Optional[int] = None,
        scale: Optional[float] = None,
        profile: Optional[Literal["llm", "cheap", "exact", "human"]] = None,
        at: Optional[Union[int, str]] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Find text in the viewport: its cells, and its pixels in a screenshot.

        Exactly one of `text` and `regex` (RE2 syntax). Text that wraps over rows is found as one match with a span for each row. Boxes are in pixels of a screenshot with the same `pad`, `scale` and `profile`.

        text: Text to find, as it is on the screen.
        regex: Regular expression to find.
        ignore_case:
        max: Matches returned.
        pad: Blank pixels on every side.
        scale: Cell size in percent of 10x20 pixels, in whole pixels: 66 gives 7x14 (80x24: 560x336), too small for ids; 80 gives 8x16, the default. Overrides `profile`.
        profile: Cell size by purpose: llm 8x16 (the default), cheap 7x14, exact 10x20, human 20x40 with a margin.
        at: Read the screen as it was at this moment: a revision, `-5s`, `1:02.5` (since the start), `ts:MS` or an ISO time, `seq:N` (an event), `command:-1:start` or `:end`, `input` or `input:-2`, `marker:NAME`, `start`, `end`; with `^` just before it. Not with `wait` and `observe`. A revision may also stand in `id`, as `t1@42`.
        wait: Wait first; the reading is of the instant at which the wait ended. What holds already counts, unless `fresh`.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: at, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region, matches, total, rev.
        """
        return self._call(
            "find",
            {
                "text": text,
                "regex": regex,
                "ignore_case": ignore_case,
                "max": max,
                "pad": pad,
                "scale": scale,
                "profile": profile,
                "at": at,
                "wait": wait,
                "observe": observe,
            },
        )

    def film(
        self,
        *,
        from_: Optional[Union[int, str]] = None,
        to: Optional[Union[int, str]] = None,
        max_frames: Optional[int] = None,
        max_tokens: Optional[int] = None,
        model: Optional[Literal["claude", "gpt", "gemini"]] = None,
        profile: Optional[Literal["llm", "cheap", "exact", "human"]] = None,
        theme: Optional[str] = None,
        format: Optional[Literal["png", "text"]] = None,
        sheet: Optional[bool] = None,
    ) -> Reply:
        """Show what happened in a terminal since the last input, in a few screens.

        Frames are screens that stood still, and screens before input, before they were cleared, and at events, chosen so that together they show most of what was shown, by the time for which it stood; the last screen is always one. With the format png the reply is followed by one picture of all of them, with captions; with `sheet` false by a picture of each, at `offset`.

        from_: Moment, such as "-30s". Default: the last input.
        to:
        max_frames:
        max_tokens: Budget of all frames: smaller cells, then fewer frames.
        model: Model family: its tokens are counted (default claude), and its limit on the size of pictures is kept.
        profile: Cell size by purpose: llm 8x16 (the default), cheap 7x14, exact 10x20, human 20x40 with a margin.
        theme: Name of a theme. Default: the configuration's.
        format: text: the rows that the frame before does not have.
        sheet: One picture of all frames.

        Reply: frames, left_out, format, width, height, tokens, len.
        """
        return self._call(
            "film",
            {
                "from": from_,
                "to": to,
                "max_frames": max_frames,
                "max_tokens": max_tokens,
                "model": model,
                "profile": profile,
                "theme": theme,
                "format": format,
                "sheet": sheet,
            },
        )

    def seek(
        self,
        text: Optional[str] = None,
        *,
        regex: Optional[str] = None,
        gone: Optional[str] = None,
        ignore_case: Optional[bool] = None,
        from_: Optional[Union[int, str]] = None,
        to: Optional[Union[int, str]] = None,
        last: Optional[bool] = None,
    ) -> Reply:
        """Find the moment at which something appeared on the screen, or was gone.

        Exactly one of `text`, `regex` and `gone`. Looks at every screen from `from` to `to`, but not within synchronized updates. What is on the screen of `from` already counts.

        text: Until this text is on the screen.
        regex: Until this regular expression (RE2 syntax) matches.
        gone: Until this text, which was on the screen, is not any more.
        ignore_case:
        from_: Default: the oldest that is kept.
        to:
        last: The last time in place of the first.

        Reply: outcome, total, at, match.
        """
        return self._call(
            "seek",
            {
                "text": text,
                "regex": regex,
                "gone": gone,
                "ignore_case": ignore_case,
                "from": from_,
                "to": to,
                "last": last,
            },
        )

    def marker(
        self,
        label: str,
    ) -> Reply:
        """Name the present moment of a terminal: `marker:NAME` of `at` finds it.

        A recording of the terminal has it as a marker, and the event `marker` is published.

        label: The name.

        Reply: seq.
        """
        return self._call(
            "marker",
            {
                "label": label,
            },
        )

    def export(
        self,
        *,
        from_: Optional[Union[int, str]] = None,
        to: Optional[Union[int, str]] = None,
        format: Optional[Literal["asciicast-v3", "asciicast-v2"]] = None,
        title: Optional[str] = None,
    ) -> Reply:
        """Return what a terminal showed in some time as an asciicast, from its history.

        The reply is a header line, then exactly `len` bytes. The cast plays alone: one that begins later than the terminal begins with a repaint of the whole state of the screen, without its scrollback. It has the output, changes of size, markers, and the command lines of a shell with marks as markers. No recording is needed. `t4a export` makes films and pages of it.

        from_: Moment, such as "-10s" or "command:-1:start". Default: the oldest that is kept.
        to:
        format:
        title: Title of the cast.

        Reply: format, cols, rows, duration_ms, first, last, masked, len.
        """
        return self._call(
            "export",
            {
                "from": from_,
                "to": to,
                "format": format,
                "title": title,
            },
        )

    def forget(
        self,
        *,
        from_: Optional[Union[int, str]] = None,
        to: Optional[Union[int, str]] = None,
        force: Optional[bool] = None,
    ) -> Reply:
        """Drop some time of what the daemon remembers of a terminal, such as a secret that was printed.

        Dropped are the history of that time, in whole pieces of up to 512 screens, so that some before and after it may go as well; all that `output` and `debug` have so far; rebuilt screens; and entries of rules that are not open. What is still on the screen or in the scrollback stays there; events and command lines stay. Moments of that time get `moment_lost`.

        from_: Moment, such as "-30s". Default: the oldest that is kept.
        to:
        force: Also while another name has control. A person alone may.

        Reply: first, last, files.
        """
        return self._call(
            "forget",
            {
                "from": from_,
                "to": to,
                "force": force,
            },
        )

    def cursor(
        self,
        *,
        at: Optional[Union[int, str]] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Show the place and the look of the cursor.

        at: Read the screen as it was at this moment: a revision, `-5s`, `1:02.5` (since the start), `ts:MS` or an ISO time, `seq:N` (an event), `command:-1:start` or `:end`, `input` or `input:-2`, `marker:NAME`, `start`, `end`; with `^` just before it. Not with `wait` and `observe`. A revision may also stand in `id`, as `t1@42`.
        wait: Wait first; the reading is of the instant at which the wait ended. What holds already counts, unless `fresh`.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: row, col, visible, shape, blink, rev, at, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return self._call(
            "cursor",
            {
                "at": at,
                "wait": wait,
                "observe": observe,
            },
        )

    def commands(
        self,
        *,
        last: Optional[int] = None,
    ) -> Reply:
        """List the commands that the shell ran, oldest first.

        Needs shell integration, or hooks of OSC 133, 633 or 7777. Marks of the injected scripts carry `proof=X.Y`, which is used once a command: while such a shell runs a command, a mark without it, or with one that was used, is neither a start nor an end of it. A prompt without a proof counts once a shell is seen to read within the command, or a program that passes keys on to one elsewhere (ssh); the commands of that shell have a `shell_level`, and end nothing of the shell around it. In raw output, a client that reads marks itself may ignore the field. The last 1,000 of a terminal are kept.

        last: Number of commands, counted from the last.

        Reply: commands.
        """
        return self._call(
            "commands",
            {
                "last": last,
            },
        )

    def ports(self) -> Reply:
        """List the TCP ports that the programs of a terminal listen on, and the URLs that they printed.

        Asks the system for the processes of the terminal: those of its session, and their descendants; Linux only, elsewhere and where a process belongs to another user `listeners` lacks them. `urls` are read off the scrollback and the viewport, the latest last, each once.

        Reply: listeners, urls.
        """
        return self._call(
            "ports",
            {},
        )

    def output(
        self,
        *,
        run: Optional[str] = None,
        since: Optional[int] = None,
        max_bytes: Optional[int] = None,
        wait_ms: Optional[int] = None,
        inline: Optional[bool] = None,
    ) -> Reply:
        """Read the raw output of the program, from a byte offset.

        The reply is a header line, then exactly `len` raw bytes: what the program printed, with its escape sequences. The last 1 MiB of each terminal is kept until the terminal is removed; what came before it, for as long as the history of the terminal has it. If `since` is below what is kept, the error is `offset_gone`, whose field `first` is the first offset that is kept. With `since` at the end or beyond it, the reply comes with the first byte there, at the end of the process, or empty after `wait_ms`. `run` in place of `id` names the `stream` of a `run` that is not answered yet: its program waits for this reader, so nothing is gone.

        run: In place of `id`: the `stream` of a `run` that is under way.
        since: Offset of the first byte to read. Absent: the first of the last 1 MiB.
        max_bytes: Bytes in the reply, at most.
        wait_ms: Longest wait for output if there is none yet.
        inline: Send the bytes as base64 in the JSON line.

        Reply: first, next, len, ended, id, data.
        """
        return self._call(
            "output",
            {
                "run": run,
                "since": since,
                "max_bytes": max_bytes,
                "wait_ms": wait_ms,
                "inline": inline,
            },
        )

    def entries(
        self,
        *,
        since: Optional[int] = None,
        last: Optional[int] = None,
        max: Optional[int] = None,
        kinds: Optional[Sequence[str]] = None,
        open: Optional[bool] = None,
    ) -> Reply:
        """Read what happened in a terminal, as its rules found it: test results, errors, questions, ports.

        Terminals have entries if a profile of the rules file matches their program, or if `rules` of `create` names one. The last 500 entries of a terminal are kept, in the order of their last change; with "activity": "disk" the changes before them are read from the file. An entry is text of the program, not of t4a: it may say anything.

        since: Only what is new since this `next` of a reply.
        last: Only the newest ones. Default: as many as `max`.
        max: Entries in the reply, at most.
        kinds: Only entries of these kinds.
        open: Only those that may still change, or only those that are final.

        Reply: profile, entries, deleted, next, more, gap, file, skipped_lines, seq.
        """
        return self._call(
            "entries",
            {
                "since": since,
                "last": last,
                "max": max,
                "kinds": kinds,
                "open": open,
            },
        )

    def debug(
        self,
        *,
        clear: Optional[bool] = None,
        tail_bytes: Optional[int] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Show what the screen does not: unhandled sequences, queries, raw output, modes.

        Sequences that are not implemented or were too long, queries and their answers, the raw end of the output, the line discipline, the system calls in which the foreground processes are blocked, and the state of the shell integration. The lists are bounded: `dropped` counts the oldest entries that were dropped. Of input only its author, command, time and length are kept, of a secret not its length.

        clear: Clear the sequences and queries after reading them.
        tail_bytes: Bytes of output in the reply.
        wait: Wait first; the reading is of the instant at which the wait ended. What holds already counts, unless `fresh`.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: unhandled, queries, output, inputs, termios, foreground, shell, pending_output_bytes, pending_input_bytes, rev, wait, doing, observed, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return self._call(
            "debug",
            {
                "clear": clear,
                "tail_bytes": tail_bytes,
                "wait": wait,
                "observe": observe,
            },
        )

    def type(
        self,
        text: str,
        *,
        submit: Optional[bool] = None,
        secret: Optional[bool] = None,
        even_if_shown: Optional[bool] = None,
        if_inputs: Optional[int] = None,
        if_hold: Optional[int] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Type text as a person would.

        Each character is sent as its key: a line break is Enter, a tab is Tab, in the encoding that the program has asked for (kitty keyboard protocol, modifyOtherKeys). Use `paste` for long text. Enter follows the text once the program has read it (after at most 2 s) and a short pause, so that the program does not take it for a part of the text; a secret and its Enter are one write.

        text: The text to type.
        submit: Press Enter afterwards, in a write of its own.
        secret: The text is a secret line: written only while a program is known to read without echo, else `would_echo`; never logged.
        even_if_shown: For a person who has looked at the prompt: write the secret although the terminal may show it. No tool of a model has this field.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.
        if_hold: Write only while this hold lasts (`hold` of `control`), else `not_holder`.
        wait: Wait after the act. The wait starts before it, so that nothing is missed; only what comes after the act counts.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: bytes_sent, warning, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return self._call(
            "type",
            {
                "text": text,
                "submit": submit,
                "secret": secret,
                "even_if_shown": even_if_shown,
                "if_inputs": if_inputs,
                "if_hold": if_hold,
                "wait": wait,
                "observe": observe,
            },
        )

    def deliver(
        self,
        text: str,
        *,
        key: Optional[str] = None,
        submit: Optional[bool] = None,
        on_question: Optional[Literal["fail", "wait"]] = None,
        on_draft: Optional[Literal["wait", "fail"]] = None,
        timeout_ms: Optional[int] = None,
        if_inputs: Optional[int] = None,
    ) -> Reply:
        """Deliver a prompt to an agent, and prove that it has arrived.

        Waits until the agent takes prompts: its box is open (a rule on `box`, see activity.md) and empty, it asks nothing, and no other name has control. Then the text is pasted. Enter follows as a write of its own once the program has read the text and shows it in the box, and only while that box stands, no question does, and no other input has come. `submitted` needs a proof; every other outcome has a `hint`, and what was pasted stays in the box. Input of others waits until Enter, for at most 2 s: then there is no Enter. Without such a rule the row of the cursor counts as the box, Enter is pressed once, and only a report of the program (OSC 7501) or a line that it has read is a proof. Line breaks at the end are left out, and control characters removed. The same `key` and text again return the first receipt, until `restart`; a delivery that wrote nothing leaves its key free.

        text: The prompt, of up to 64 KiB in UTF-8.
        key: A name for this delivery: the same again, also at the same time, delivers nothing more.
        submit: Press Enter; else the text is left in the box (outcome "shown").
        on_question: While the agent asks something: end with the outcome "question", or wait until it is answered.
        on_draft: While there is other text in the box: wait until it is gone, or end with the outcome "draft".
        timeout_ms: For all of it.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.

        Reply: outcome, delivered, written, box, while_working, question, inputs, elapsed_ms, removed, tail, hint, repeated.
        """
        return self._call(
            "deliver",
            {
                "text": text,
                "key": key,
                "submit": submit,
                "on_question": on_question,
                "on_draft": on_draft,
                "timeout_ms": timeout_ms,
                "if_inputs": if_inputs,
            },
        )

    def press(
        self,
        keys: Union[str, Sequence[str]],
        *,
        gap_ms: Optional[int] = None,
        if_entry: Optional[str] = None,
        if_inputs: Optional[int] = None,
        if_hold: Optional[int] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Press keys, by name.

        Names are case-insensitive: `Enter`, `Esc`, `PgUp`, `F1` to `F24`, `KP0`, `Ctrl+Shift+Left`; also `C-c`, `M-x`, `^C`, `<C-w>`, `BSpace`. A single character is the key that types it. Keys are encoded for the modes that the program has set (cursor and keypad modes, modifyOtherKeys, the kitty keyboard protocol). An unknown name is an error, and nothing is sent. A short pause follows Escape, so that the program does not read the next key as Alt with that key. Ctrl+C, Ctrl+\\ and Ctrl+Z as the first key overtake input that the program has not read yet.

        keys: Names of keys, in order.
        gap_ms: Pause between keys.
        if_entry: Press only while this entry is open and of this version, by a look right before, else `entry_changed`.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.
        if_hold: Write only while this hold lasts (`hold` of `control`), else `not_holder`.
        wait: Wait after the act. The wait starts before it, so that nothing is missed; only what comes after the act counts.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: bytes_sent, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return self._call(
            "press",
            {
                "keys": _keys(keys),
                "gap_ms": gap_ms,
                "if_entry": if_entry,
                "if_inputs": if_inputs,
                "if_hold": if_hold,
                "wait": wait,
                "observe": observe,
            },
        )

    def restart(
        self,
        *,
        signal: Optional[Union[str, int]] = None,
        grace_ms: Optional[int] = None,
        if_file: Optional[Mapping[str, Any]] = None,
        force: Optional[bool] = None,
    ) -> Reply:
        """Start the program of a terminal again, in the same terminal.

        The program is ended as by `kill` if it still runs (with `signal`, that signal comes first); then the same program starts with the same arguments, directory and environment, at the size of now. The terminal keeps its id, labels, parent, triggers and control; revisions, line numbers and counts of input and output go on. Its screen and scrollback are emptied. If the program cannot start any more, for example since it is not installed any more, nothing is ended.

        signal: Sent to the foreground process group first: name ("SIGINT", "int") or number.
        grace_ms: Time to end by itself after each signal. Default: the configuration's.
        if_file: Start only if this file holds this text at the instant of the start, else `file_changed`.
        force: Also while another name has control. A person alone may.

        Reply: pid, generation, warning.
        """
        return self._call(
            "restart",
            {
                "signal": signal,
                "grace_ms": grace_ms,
                "if_file": if_file,
                "force": force,
            },
        )

    def send(
        self,
        input: Union[str, bytes],
        *,
        secret: Optional[bool] = None,
        even_if_shown: Optional[bool] = None,
        if_inputs: Optional[int] = None,
        if_hold: Optional[int] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Write input to a terminal, exactly as given.

        Exactly one of `input` and `input_base64`, at most 1 MiB. A line ends with "\\r" or "\\n". Ctrl+C alone (0x03; also 0x1a and 0x1c) overtakes input that the program has not read yet.

        input: Text, written as UTF-8.
        secret: The text is a secret line: written only while a program is known to read without echo, else `would_echo`; never logged.
        even_if_shown: For a person who has looked at the prompt: write the secret although the terminal may show it. No tool of a model has this field.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.
        if_hold: Write only while this hold lasts (`hold` of `control`), else `not_holder`.
        wait: Wait after the act. The wait starts before it, so that nothing is missed; only what comes after the act counts.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return self._call(
            "send",
            {
                **_input(input),
                "secret": secret,
                "even_if_shown": even_if_shown,
                "if_inputs": if_inputs,
                "if_hold": if_hold,
                "wait": wait,
                "observe": observe,
            },
        )

    def paste(
        self,
        text: Optional[str] = None,
        *,
        text_base64: Optional[str] = None,
        submit: Optional[bool] = None,
        secret: Optional[bool] = None,
        even_if_shown: Optional[bool] = None,
        if_inputs: Optional[int] = None,
        if_hold: Optional[int] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Paste text, as from a clipboard.

        Exactly one of `text` and `text_base64`, at most 1 MiB. The paste is bracketed if the program has asked for that (mode 2004). Line breaks are sent as CR, as terminals do. Control characters except tab and line break are removed, so that pasted text can neither act as a key nor end the bracket. Ctrl+C by `press` or `send` interrupts a paste.

        text: The text to paste.
        text_base64: The text as UTF-8 in base64.
        submit: Press Enter afterwards, in a write of its own.
        secret: The text is a secret line: written only while a program is known to read without echo, else `would_echo`; never logged.
        even_if_shown: For a person who has looked at the prompt: write the secret although the terminal may show it. No tool of a model has this field.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.
        if_hold: Write only while this hold lasts (`hold` of `control`), else `not_holder`.
        wait: Wait after the act. The wait starts before it, so that nothing is missed; only what comes after the act counts.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: bytes_sent, bracketed, removed, warning, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return self._call(
            "paste",
            {
                "text": text,
                "text_base64": text_base64,
                "submit": submit,
                "secret": secret,
                "even_if_shown": even_if_shown,
                "if_inputs": if_inputs,
                "if_hold": if_hold,
                "wait": wait,
                "observe": observe,
            },
        )

    def mouse(
        self,
        action: Literal["click", "press", "release", "move", "drag", "scroll"],
        *,
        row: Optional[int] = None,
        col: Optional[int] = None,
        on_text: Optional[str] = None,
        on_regex: Optional[str] = None,
        match_index: Optional[int] = None,
        to_row: Optional[int] = None,
        to_col: Optional[int] = None,
        button: Optional[Literal["left", "middle", "right", "back", "forward"]] = None,
        modifiers: Optional[Sequence[str]] = None,
        clicks: Optional[int] = None,
        direction: Optional[Literal["up", "down", "left", "right"]] = None,
        steps: Optional[int] = None,
        if_inputs: Optional[int] = None,
        if_hold: Optional[int] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Click, drag or turn the wheel.

        The place is a cell (`row` and `col`) or the middle of a match (`on_text` or `on_regex`). The action is encoded for the mouse mode that the program has set. If it has set none, or one that does not report the action, the error is `mouse_off` and names the mode.

        action: The action; a click is a press and a release.
        row: 0-based row.
        col: 0-based column.
        on_text: The middle of this text, in place of row and col.
        on_regex: The middle of a match, in place of row and col.
        match_index: Which match, from the top; -1 is the last one.
        to_row: Row where a drag ends.
        to_col: Column where a drag ends.
        button: Default: left; none for a move.
        modifiers: Keys held during the action: shift, alt, ctrl.
        clicks: 2 for a double click.
        direction: Direction of a scroll.
        steps: Steps of a scroll.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.
        if_hold: Write only while this hold lasts (`hold` of `control`), else `not_holder`.
        wait: Wait after the act. The wait starts before it, so that nothing is missed; only what comes after the act counts.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: row, col, text, reports, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return self._call(
            "mouse",
            {
                "action": action,
                "row": row,
                "col": col,
                "on_text": on_text,
                "on_regex": on_regex,
                "match_index": match_index,
                "to_row": to_row,
                "to_col": to_col,
                "button": button,
                "modifiers": modifiers,
                "clicks": clicks,
                "direction": direction,
                "steps": steps,
                "if_inputs": if_inputs,
                "if_hold": if_hold,
                "wait": wait,
                "observe": observe,
            },
        )

    def focus(
        self,
        *,
        focused: Optional[bool] = None,
        if_inputs: Optional[int] = None,
        if_hold: Optional[int] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Report to the program that its terminal has gained or lost the focus.

        The error is `focus_off` if the program has not asked for focus events (mode 1004).

        focused: Report that the terminal gained the focus; false: that it lost it.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.
        if_hold: Write only while this hold lasts (`hold` of `control`), else `not_holder`.
        wait: Wait after the act. The wait starts before it, so that nothing is missed; only what comes after the act counts.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return self._call(
            "focus",
            {
                "focused": focused,
                "if_inputs": if_inputs,
                "if_hold": if_hold,
                "wait": wait,
                "observe": observe,
            },
        )

    def resize(
        self,
        cols: int,
        rows: int,
        *,
        if_inputs: Optional[int] = None,
        if_hold: Optional[int] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Change the size of the grid; the program gets SIGWINCH.

        cols: Columns of the grid.
        rows: Rows of the grid.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.
        if_hold: Write only while this hold lasts (`hold` of `control`), else `not_holder`.
        wait: Wait after the act. The wait starts before it, so that nothing is missed; only what comes after the act counts.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: cols, rows, rev, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return self._call(
            "resize",
            {
                "cols": cols,
                "rows": rows,
                "if_inputs": if_inputs,
                "if_hold": if_hold,
                "wait": wait,
                "observe": observe,
            },
        )

    def clear(
        self,
        *,
        scrollback: Optional[bool] = None,
        screen: Optional[bool] = None,
        reset: Optional[bool] = None,
        if_inputs: Optional[int] = None,
        if_hold: Optional[int] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Clear the scrollback or the screen; the program gets no notice.

        It needs at least one of its switches. A program that draws, as a shell does with its prompt, does not know of it: `press` Ctrl+L makes a shell clear its screen itself. Recordings and the past keep what was cleared.

        scrollback: Drop the lines above the screen.
        screen: Erase the screen; the cursor goes to its first cell.
        reset: Also end what a program has left: the alternate screen, modes of mouse, keyboard and paste, margins, colours.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.
        if_hold: Write only while this hold lasts (`hold` of `control`), else `not_holder`.
        wait: Wait after the act. The wait starts before it, so that nothing is missed; only what comes after the act counts.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: rev, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return self._call(
            "clear",
            {
                "scrollback": scrollback,
                "screen": screen,
                "reset": reset,
                "if_inputs": if_inputs,
                "if_hold": if_hold,
                "wait": wait,
                "observe": observe,
            },
        )

    def control(
        self,
        action: Literal["show", "take", "release", "give", "deny"],
        *,
        to: Optional[str] = None,
        person: Optional[bool] = None,
        reason: Optional[str] = None,
        note: Optional[str] = None,
        lease_ms: Optional[int] = None,
        connected: Optional[bool] = None,
        exclusive: Optional[bool] = None,
        wait_ms: Optional[int] = None,
        force: Optional[bool] = None,
    ) -> Reply:
        """Take the keyboard of a terminal, give it back, or hand it over.

        A name (`as` of the request) has control, not a connection, unless it takes it with `exclusive`. By default no name has it, and all may type. While one has it, input of all others is refused with `control_held`, and never queued; so are `kill`, `restart`, `forget`, changes of labels, new triggers that act on the terminal, and the removal of triggers of others, unless a person sends them with `force`. Commands that read are not refused, nor are ends that no request asks for: of a tied terminal, of `run`, of the daemon, and by triggers on "disconnected". An agent takes control that is free; while another agent has it, it waits in line for `wait_ms`; while a person has it, the take becomes a request, which the person gives or denies. A person takes it from an agent at once, and from another person with `force`. A take comes between two requests, never between a text and its Enter; with `force` it cuts them short, and closes a paste. Control of an agent ends 60 s after its last input, but neither in an unfinished line nor at a prompt that hides the input or may hide it; where a person has a lease, an unfinished line counts for 20 s after the last key. Then the first in line has it. Names are cooperative, and no protection against programs of the same user.

        action: "release" also withdraws a request; "give" and "deny" answer one.
        to: With "give" and "deny": whose request. Default: the first one.
        person: With "take": the author is a person.
        reason: With "take": shown to the others.
        note: With "release", "give" and "deny": for the next one.
        lease_ms: With "take": time after the last input at which control ends. An agent that leaves it out has 60 s, a person no end.
        connected: With "take": ends 10 s after this connection has gone, too.
        exclusive: With "take": for this connection alone. To it, the same name on another connection is another name. Implies `connected`; for 10 s after the end of the connection all of the name have it.
        wait_ms: With "take": longest wait in line while another name has control.
        force: With "take" and `person`: also from a person, in the middle of input.

        Reply: holder, hold, requests, expires_in_ms, rev, inputs.
        """
        return self._call(
            "control",
            {
                "action": action,
                "to": to,
                "person": person,
                "reason": reason,
                "note": note,
                "lease_ms": lease_ms,
                "connected": connected,
                "exclusive": exclusive,
                "wait_ms": wait_ms,
                "force": force,
            },
        )

    def ask(
        self,
        question: Optional[str] = None,
        *,
        kind: Optional[Literal["text", "choice", "confirm", "secret", "hand"]] = None,
        choices: Optional[Sequence[str]] = None,
        submit: Optional[bool] = None,
        timeout_ms: Optional[int] = None,
        expires_ms: Optional[int] = None,
        resume: Optional[int] = None,
        withdraw: Optional[int] = None,
        elicited: Optional[str] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Ask a person a question, and wait for the answer.

        Persons see the question in `asks`, and where they watch the terminal. At the deadline the outcome is "open": the question stays, and `resume` waits on. The answer to a "secret" is typed into the terminal and is in no reply; if the terminal would show it, the person must insist. A "hand" is accepted by a person who takes control of the terminal, and answered by its release, with a note. The answer to a text or a choice may also come from the interface of the asker itself (`elicited`): it counts if it is the first, and is not known to be that of a person. Outcomes: "answered", "declined", "open", "withdrawn" by the asker (`withdraw`, or the end of its first request), "expired" after `expires_ms`, "exited" with the terminal. At most 64 questions are open, 16 of one connection and 4 of one name. One whose connection has gone, and for which no request waits, gives way to a new one: it is "withdrawn".

        question: Words for a person.
        kind: Kind of the answer.
        choices: With "choice": the answers.
        submit: With "secret": press Enter after it.
        timeout_ms: Longest wait of this request; the question then stays open.
        expires_ms: The question is dropped after this time.
        resume: Number of an open question of your name to wait for, in place of a new one.
        withdraw: Drop this question of your name.
        elicited: With `resume` of an own question, "text" or "choice": what the interface of the asker was answered. Ignored if the question has ended.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: ask, outcome, answer, note, by, person, watchers, changed, rev, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return self._call(
            "ask",
            {
                "question": question,
                "kind": kind,
                "choices": choices,
                "submit": submit,
                "timeout_ms": timeout_ms,
                "expires_ms": expires_ms,
                "resume": resume,
                "withdraw": withdraw,
                "elicited": elicited,
                "observe": observe,
            },
        )

    def record(
        self,
        action: Optional[Literal["start", "stop", "mark", "flush", "status"]] = None,
        *,
        path: Optional[str] = None,
        title: Optional[str] = None,
        input: Optional[bool] = None,
        label: Optional[str] = None,
    ) -> Reply:
        """Record a terminal as an asciicast (v3), which asciinema and its players read.

        The file has the output, changes of size, markers, the command lines of a shell with marks as markers, and the exit status; input only with `input`. It is new, and its owner alone may read it. A recording that starts late begins with the state of the screen: both buffers, without the scrollback, and all that changes how later output is shown. It ends with `stop`, with the program, or with a `warning` when the disk is full. Output that a slow disk has no room for is left out, with a `warning`, a marker "gap" and a repaint of the screen.

        action: `mark` adds a marker. "flush" replies once all so far is in the file; with `redact` a word that has no end yet is masked. `status` only reports.
        path: With `start`: the new file, with .gz compressed. Default: one in the folder that `recordings` lists.
        title: With `start`: title of the recording.
        input: With `start`: also input that is certain to be shown, of reads with echo and at the prompt of a shell with marks; never a `secret`, and nothing that is typed while echo is off.
        label: With `mark`: text of the marker.

        Reply: path, live, size, duration_ms, gaps, masked.
        """
        return self._call(
            "record",
            {
                "action": action,
                "path": path,
                "title": title,
                "input": input,
                "label": label,
            },
        )

    def wait(
        self,
        until: Union[Mapping[str, Any], Sequence[Mapping[str, Any]]],
        *,
        where: Optional[Mapping[str, Any]] = None,
        fail: Optional[Union[Mapping[str, Any], Sequence[Mapping[str, Any]]]] = None,
        timeout_ms: Optional[int] = None,
        fresh: Optional[bool] = None,
        at_cursor: Optional[bool] = None,
        tail: Optional[int] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Wait for a condition, then report the screen.

        A condition that is true already counts. The reply comes with the first condition of `fail` or `until` that is true, at the deadline, or when the process has exited; `outcome` is the reason. With `where` the first terminal whose wait is met or failed ends it; else the last that exits, or the deadline. Conditions `published` alone need no terminal: without `id` and `where` the reply has no lines. Text and regular expressions are searched in each line on the screen and in each line that scrolls by, with wrapped rows joined.

        where: In place of `id`: the first of the terminals that these things are true of now, and that are alive.
        until: Conditions, each an object with one field; the first that is true ends the wait.
        fail: Conditions that end the wait as failed; they are checked first.
        timeout_ms: Deadline; it is an outcome, not an error.
        fresh: Count only what comes after the request, as commands that act always do.
        at_cursor: `text` and `regex` of `until` are looked for in the line of the cursor alone, while the program waits for input: a question, and no line of a log. Linux only.
        tail: Number of last lines of the screen in the reply.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: id, outcome, index, match, code, exit_code, shell_level, nothing_ran, signal, command, event, awaiting_input, doing, ignored, warning, elapsed_ms, rev, tail, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return self._call(
            "wait",
            {
                "until": until,
                "where": where,
                "fail": fail,
                "timeout_ms": timeout_ms,
                "fresh": fresh,
                "at_cursor": at_cursor,
                "tail": tail,
                "observe": observe,
            },
        )

    def report(
        self,
        state: Literal["idle", "working", "done", "blocked", "error", "clear"],
        *,
        kind: Optional[Literal["permission", "question", "auth"]] = None,
        path: Optional[str] = None,
        app: Optional[str] = None,
        msg: Optional[str] = None,
        title: Optional[str] = None,
        progress: Optional[int] = None,
        pid: Optional[int] = None,
        ttl_ms: Optional[int] = None,
    ) -> Reply:
        """Report what a program does, as a hook of it: for `doing`, after what it says by OSC 7501.

        A claim, with the grammar and the limits of OSC 7501: each report replaces the one of the same `path` whole, and "clear" drops it and those below; without `path` all. With a `pid` it ends with that process. It ends with `restart`, after `ttl_ms`, and all but "done" and "error" with the program of the terminal. It stands in `status` (`report`), and as a signal in `explain`.

        state: What the program does now; "clear": nothing is said any more.
        kind: With "blocked": what it asks for.
        path: Part of the program that does it, such as "build/tests", of up to 8 levels. Absent: the program itself.
        app: Name of the program: letters, digits, "_.+-".
        msg: Words without control characters, of up to 2,048 bytes.
        title: As `msg`, of up to 192 bytes.
        progress: Percent, with "working" and "blocked".
        pid: Process that does it, of the session of the terminal: the report ends with it.
        ttl_ms: The report ends after this time.

        Reply: report, doing.
        """
        return self._call(
            "report",
            {
                "state": state,
                "kind": kind,
                "path": path,
                "app": app,
                "msg": msg,
                "title": title,
                "progress": progress,
                "pid": pid,
                "ttl_ms": ttl_ms,
            },
        )

    def trigger(
        self,
        when: Union[Mapping[str, Any], Sequence[Mapping[str, Any]]],
        do: Sequence[Mapping[str, Any]],
        *,
        name: Optional[str] = None,
        once: Optional[bool] = None,
        fresh: Optional[bool] = None,
        reading: Optional[bool] = None,
        anywhere: Optional[bool] = None,
        with_connection: Optional[bool] = None,
    ) -> Reply:
        """Let the daemon act by itself whenever a condition becomes true.

        A trigger fires once for each appearance of its condition, and what holds already is one, unless `fresh`. Each firing is an event `triggered`. Keys and text go to a program that waits for input alone, for a `text` or `regex` only if the match stands in the line of the cursor then (unless `anywhere`), never to a password prompt, and under the name of the author of the request (`as`): while another name has control they are refused, and so is a trigger with actions on the terminal. An action that fails is a `warning`. A trigger that fires more than 50 times within a second is stopped, as is one that restarts its program more than 10 times within a minute; of a chain of triggers that fire each other eight fire. It ends with its terminal, and goes on when the program is started again.

        when: A condition of `wait`, `entry`, `after_ms` or `disconnected`; or several: any.
        do: Actions, one after the other; the first that fails is the last.
        name: For events and lists.
        once: It ends with its first firing.
        fresh: Only what comes after the request counts.
        reading: It fires only when the program waits for input, at most once for each input; then text in the line of the cursor counts again, although it never was gone. With `text` and `regex` alone. Linux only.
        anywhere: With `text` and `regex`: keys and text are sent wherever the match stands. Without it they are sent only if it stands in the line of the cursor while the program reads, and does so anew: in another line than at the last time, or as a new match in it.
        with_connection: It ends with the connection of the request.

        Reply: trigger, warning.
        """
        return self._call(
            "trigger",
            {
                "when": when,
                "do": do,
                "name": name,
                "once": once,
                "fresh": fresh,
                "reading": reading,
                "anywhere": anywhere,
                "with_connection": with_connection,
            },
        )

    def triggers(self) -> Reply:
        """List triggers: what each waits for, how often it fired, and what failed last.

        Reply: triggers.
        """
        return self._call(
            "triggers",
            {},
        )

    def watch(
        self,
        *,
        since: Optional[int] = None,
        state: Optional[int] = None,
        gather_ms: Optional[int] = None,
        at: Optional[Union[int, str]] = None,
        timeout_ms: Optional[int] = None,
    ) -> Reply:
        """Return what has changed on the screen since the last frame.

        A live view asks again and again, with the `rev` and the `state` of the frame that it has. The reply comes when one of the two differs, and has the difference: first `copied` rows of that frame, then `drawn` rows. Nothing is queued for a slow reader: it gets what the screen is when it asks. A frame with `complete` replaces all rows; those that are not in `drawn` are blank. It comes without `since`, if the daemon no longer has that frame (the last 8 frames are kept, for 10 s), and after a change of the size or of the screen. At the deadline the reply has the same `rev` and `state`, and empty lists. The fields from `cols` to `asks` are there if the frame is complete or `state` differs. The command does not change the meaning of "@".

        since: The `rev` of the frame that the asker has. Absent: reply at once.
        state: The `state` of that frame. Absent: the present one.
        gather_ms: After a change, longest wait until all output that has arrived is on the screen.
        at: Reply at once with the complete frame of this moment, as `at` of `text` has it. `state` is that of the request.
        timeout_ms:

        Reply: rev, state, complete, first_line, oldest, cursor, cols, rows, title, alt_screen, modes, colors, alive, bells, control, watchers, doing, asks, at, copied, drawn.
        """
        return self._call(
            "watch",
            {
                "since": since,
                "state": state,
                "gather_ms": gather_ms,
                "at": at,
                "timeout_ms": timeout_ms,
            },
        )

    def label(
        self,
        *,
        set: Optional[Mapping[str, Any]] = None,
        unset: Optional[Sequence[str]] = None,
        force: Optional[bool] = None,
    ) -> Reply:
        """Set and remove labels of a terminal, by which requests find it.

        A terminal has at most 32 labels, each of at most 1,024 characters. What they mean is up to their users.

        set: Labels to set.
        unset: Names of labels to remove.
        force: Also while another name has control. A person alone may.

        Reply: labels, parent.
        """
        return self._call(
            "label",
            {
                "set": set,
                "unset": unset,
                "force": force,
            },
        )


class _AsyncClientCommands:
    async def _call(self, cmd: str, fields: Mapping[str, Any]) -> Reply:
        raise NotImplementedError

    async def create(
        self,
        command: Optional[Union[str, Sequence[str]]] = None,
        *,
        cols: Optional[int] = None,
        rows: Optional[int] = None,
        cmd_args: Optional[Sequence[str]] = None,
        cwd: Optional[str] = None,
        env: Optional[Mapping[str, Any]] = None,
        inherit_env: Optional[bool] = None,
        keep_agent_env: Optional[bool] = None,
        scrollback: Optional[int] = None,
        term: Optional[str] = None,
        term_program: Optional[str] = None,
        shell_integration: Optional[bool] = None,
        idle_timeout_ms: Optional[int] = None,
        name: Optional[str] = None,
        reuse: Optional[bool] = None,
        record: Optional[bool] = None,
        record_input: Optional[bool] = None,
        set_env: Optional[Mapping[str, Any]] = None,
        keep_cleared: Optional[bool] = None,
        labels: Optional[Mapping[str, Any]] = None,
        parent: Optional[str] = None,
        tied: Optional[Union[bool, Mapping[str, Any]]] = None,
        rules: Optional[str] = None,
        activity: Optional[Literal["memory", "disk"]] = None,
        if_file: Optional[Mapping[str, Any]] = None,
        title: Optional[str] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Create a terminal and start a program in it.

        cols: Columns of the grid.
        rows: Rows of the grid.
        cmd_args: Program and arguments, in place of `command`. Without either: $SHELL, else bash, else sh.
        cwd: Working directory. Default: the daemon's.
        env: Variables merged over the daemon's environment.
        inherit_env: Start from the daemon's environment. If false, `env` is the whole environment.
        keep_agent_env: Also inherit the variables by which a coding agent marks what runs within it (CLAUDECODE, CODEX_CI, …), and NO_COLOR, PAGER=cat and the like beside them.
        scrollback: Lines kept above the viewport. Default: 10000.
        term: TERM for the program.
        term_program: Name, or name/version, in TERM_PROGRAM and TERM_PROGRAM_VERSION. Default: the configuration's.
        shell_integration: Make an interactive bash, zsh, fish or sh report its prompts and commands.
        idle_timeout_ms: Silence before `idle` is published; it ends nothing. Default: the configuration's.
        command: A str is a line for `sh -c`, or for the shell of the terminal; a list is program and arguments.
        name: Id of the terminal. Default: t1, t2, …
        reuse: Return the live terminal of that name instead of an error.
        record: Record from the first byte on, see `record`. Default: the configuration's.
        record_input: Record, and with what is typed and certain to be shown. Default: the configuration's.
        set_env: Variables set last, over those that describe the terminal: TERM, TMUX and the like; none that begins with T4A_.
        keep_cleared: What a program clears goes into the scrollback, as in tmux, and is not lost.
        labels: Labels by which requests find the terminal.
        parent: Terminal that it is created from within, for `tree` of `kill`. Default: `T4A_TERMINAL` of `env`, if its `T4A_SOCKET` is that of the daemon.
        tied: End the terminal when this connection has gone, or that process.
        rules: Rules for `entries`: "generic", a profile of the rules file, or "none".
        activity: Keep `entries` in memory alone, or in a file as well. Default: the configuration's.
        if_file: Start only if this file holds this text at the instant of the start, else `file_changed`.
        title: Title until the program sets one.
        wait: Wait after the act. The wait starts before it, so that nothing is missed; only what comes after the act counts.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: id, cols, rows, pid, warning, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return await self._call(
            "create",
            {
                **_program(command, cmd_args),
                "cols": cols,
                "rows": rows,
                "cwd": cwd,
                "env": env,
                "inherit_env": inherit_env,
                "keep_agent_env": keep_agent_env,
                "scrollback": scrollback,
                "term": term,
                "term_program": term_program,
                "shell_integration": shell_integration,
                "idle_timeout_ms": idle_timeout_ms,
                "name": name,
                "reuse": reuse,
                "record": record,
                "record_input": record_input,
                "set_env": set_env,
                "keep_cleared": keep_cleared,
                "labels": labels,
                "parent": parent,
                "tied": tied,
                "rules": rules,
                "activity": activity,
                "if_file": if_file,
                "title": title,
                "wait": wait,
                "observe": observe,
            },
        )

    async def run(
        self,
        command: Optional[Union[str, Sequence[str]]] = None,
        *,
        id: Optional[str] = None,
        cols: Optional[int] = None,
        rows: Optional[int] = None,
        cmd_args: Optional[Sequence[str]] = None,
        cwd: Optional[str] = None,
        env: Optional[Mapping[str, Any]] = None,
        inherit_env: Optional[bool] = None,
        keep_agent_env: Optional[bool] = None,
        scrollback: Optional[int] = None,
        term: Optional[str] = None,
        term_program: Optional[str] = None,
        shell_integration: Optional[bool] = None,
        idle_timeout_ms: Optional[int] = None,
        timeout_ms: Optional[int] = None,
        on_timeout: Optional[Literal["end", "keep"]] = None,
        stdin: Optional[str] = None,
        stream: Optional[str] = None,
        max_lines: Optional[int] = None,
        max_length: Optional[int] = None,
        screenshot: Optional[Union[bool, Mapping[str, Any]]] = None,
        if_inputs: Optional[int] = None,
        if_hold: Optional[int] = None,
        resume: Optional[Mapping[str, Any]] = None,
        keep: Optional[bool] = None,
        keep_omitted: Optional[bool] = None,
    ) -> Reply:
        """Run a command to its end, in a new terminal or at the prompt of a shell; return its output.

        Exactly one of `cmd_args` and `command`. The output is the text in the screen and its scrollback at the end: head and tail if it is longer than `max_lines`. A program that has read its terminal for a second, or has probably waited for a key for four (`certain` is then false), ends it with the outcome `awaiting_input`; the terminal stays. With `screenshot` the header line is followed by `len` bytes of PNG. With `id` the command is typed at the prompt of the shell in that terminal. The shell must report its prompts and commands and be at its prompt, else the error is `shell_busy`; a shell that is still starting is waited for. Text of a client there is `shell_busy`; the shell's own (`print -z`) is taken away first, with a `warning`. `outcome` is `done` if the command has ended, `exited` if the shell has ended with it, and `not_run` if nothing ran (a syntax error, only a comment): `lines` is then the shell's own output.

        id: Terminal whose shell runs the command: its id or name, or "@" for the one used last. Default: a new terminal.
        cols: Columns of the grid. Default: 80.
        rows: Rows of the grid. Default: 24.
        cmd_args: Program and arguments, in place of `command`.
        cwd: Working directory. Default: the daemon's.
        env: Variables merged over the daemon's environment.
        inherit_env: Start from the daemon's environment. If false, `env` is the whole environment.
        keep_agent_env: Also inherit the variables by which a coding agent marks what runs within it (CLAUDECODE, CODEX_CI, …), and NO_COLOR, PAGER=cat and the like beside them.
        scrollback: Lines kept above the viewport. Default: 10000.
        term: TERM for the program. Default: xterm-256color.
        term_program: Name, or name/version, in TERM_PROGRAM and TERM_PROGRAM_VERSION. Default: the configuration's.
        shell_integration: Make an interactive bash, zsh, fish or sh report its prompts and commands.
        idle_timeout_ms: Silence before `idle` is published; it ends nothing. Default: the configuration's.
        command: A str is a line for `sh -c`, or for the shell of the terminal; a list is program and arguments.
        timeout_ms: Deadline: the outcome is then `timeout`. What happens to the command then says `on_timeout`.
        on_timeout: At the deadline: end the command, or let it go on in its terminal, which stays. Default: `end`, and with `id` always `keep`.
        stdin: A file or FIFO that is the standard input of the command. Default: the terminal. Not with `id`. Output and errors stay on the terminal.
        stream: A key of your choice, by which `output` reads the output while the command runs. Not with `id`. Nothing is lost: some 512 KiB that are not read stop the program until they are, and the reply comes once all has been read.
        max_lines: Lines of output returned: the first half and the last half.
        max_length: Characters of output returned, likewise: a line that has no room is cut between two rows.
        screenshot: Attach a picture of the final screen: true, or an object with the options of the picture.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.
        if_hold: Write only while this hold lasts (`hold` of `control`), else `not_holder`.
        resume: From the error `replaced`: goes on with the run of this terminal, and starts nothing.
        keep: Keep the terminal for reading, or remove it. Default: a given terminal stays, a new one is removed unless its command goes on.
        keep_omitted: Also keep a new terminal if lines of its output were left out: `text` reads them.

        Reply: id, outcome, exit_code, signal, awaiting_input, duration_ms, output_bytes, lines, omitted_lines, omitted_after, omitted, lost_lines, kept, ended_processes, living_processes, n, modes_left, shell_level, cwd, rev, warning, observed, seq, len, format, width, height, cell_width, cell_height, cols, rows, region, fitted, legibility, tokens.
        """
        return await self._call(
            "run",
            {
                **_program(command, cmd_args),
                "id": id,
                "cols": cols,
                "rows": rows,
                "cwd": cwd,
                "env": env,
                "inherit_env": inherit_env,
                "keep_agent_env": keep_agent_env,
                "scrollback": scrollback,
                "term": term,
                "term_program": term_program,
                "shell_integration": shell_integration,
                "idle_timeout_ms": idle_timeout_ms,
                "timeout_ms": timeout_ms,
                "on_timeout": on_timeout,
                "stdin": stdin,
                "stream": stream,
                "max_lines": max_lines,
                "max_length": max_length,
                "screenshot": screenshot,
                "if_inputs": if_inputs,
                "if_hold": if_hold,
                "resume": resume,
                "keep": keep,
                "keep_omitted": keep_omitted,
            },
        )

    async def kill(
        self,
        id: Optional[Union[str, Sequence[str]]] = None,
        *,
        exited: Optional[bool] = None,
        all: Optional[bool] = None,
        where: Optional[Mapping[str, Any]] = None,
        signal: Optional[Union[str, int]] = None,
        grace_ms: Optional[int] = None,
        keep: Optional[bool] = None,
        tree: Optional[bool] = None,
        force: Optional[bool] = None,
    ) -> Reply:
        """End terminals, or send a signal to the programs in them.

        Without `signal`: SIGHUP, then SIGTERM, then SIGKILL after a grace period each, to each process of the session once; then the kernel hangs up and the terminal is removed. A program in the foreground that handles SIGHUP gets it as at a hang-up: from the kernel as the first process ends, or from its shell. Output that is not parsed by then is dropped. With `signal`: only that signal, to the foreground process group; the terminal stays. Exactly one of `id`, `exited`, `where` and `all` is needed. If one of several ids names no terminal, or another name has control of one of several terminals that are alive, none is ended.

        id: The terminal, or several: an id or name each, or "@" for the one used last.
        exited: Every terminal whose program has ended.
        all: Every terminal of the daemon.
        where: Every terminal that these things are true of.
        signal: Name ("SIGINT", "int") or number.
        grace_ms: Time that a program has to end by itself, after SIGHUP and after SIGTERM. Default: the configuration's.
        keep: End the program, and keep the terminal for reading.
        tree: Also the terminals that were created from within it, those first.
        force: Also while another name has control. A person alone may.

        Reply: ended, survivors.
        """
        return await self._call(
            "kill",
            {
                "id": id,
                "exited": exited,
                "all": all,
                "where": where,
                "signal": signal,
                "grace_ms": grace_ms,
                "keep": keep,
                "tree": tree,
                "force": force,
            },
        )

    async def replace(
        self,
        *,
        exec: Optional[str] = None,
        entry: Optional[str] = None,
        check: Optional[bool] = None,
        history: Optional[bool] = None,
        scrollback: Optional[int] = None,
        within_ms: Optional[int] = None,
    ) -> Reply:
        """Put another version of the daemon in the place of this one; terminals and programs go on.

        The new daemon is started, gets all terminals with their screens, scrollback, shells and events, and serves the same socket. Until it has all of them nothing is changed: a new daemon that does not start, hangs or differs leaves the old one as it was. Requests under way are answered with the error `replaced`, and connections are closed; waits, runs and streams are asked again. Recordings, opened ones too, terminals that are kept on disk, holds (one of a connection for 10 s), questions to persons, triggers, receipts of deliveries, rules with their entries, and reports go along. What is tied to a connection stays if a request with the same `scope` comes within 10 s. Actions of triggers and deliveries under way are awaited for 2.5 s; then it is refused. The old process stays until its programs have ended, as their parent: see `exits`.

        exec: Absolute path of the Node that runs it. Default: the caller's on the command line, else the daemon's.
        entry: Absolute path of the program `daemon.cjs` of an installed t4a, which is yours or root's, and which no other user may write. Default: the caller's on the command line, else the daemon's.
        check: Start the new one, ask it whether it could take over, and end it.
        history: Whether what `at` and handles can read of the time before goes along; without it the state is smaller.
        scrollback: Lines above each viewport that go along, the newest ones. Default: all. Fewer take less memory, and a shorter pause; limits stay as they are.
        within_ms: Bound of the pause; beyond it the old one goes on.

        Reply: from, to, terminals, pause_ms, state_bytes, history, left_lines, exits.
        """
        return await self._call(
            "replace",
            {
                "exec": exec,
                "entry": entry,
                "check": check,
                "history": history,
                "scrollback": scrollback,
                "within_ms": within_ms,
            },
        )

    async def shutdown(self) -> Reply:
        """End every terminal and the daemon itself.

        The reply comes when all children have ended, or twice `kill_grace_ms` and some seconds later; the socket is gone when the connection closes.

        Reply: survivors.
        """
        return await self._call(
            "shutdown",
            {},
        )

    async def list(
        self,
        *,
        recordings: Optional[bool] = None,
        where: Optional[Mapping[str, Any]] = None,
        owner: Optional[str] = None,
    ) -> Reply:
        """List all terminals.

        recordings: Opened recordings as well.
        where: Only these terminals.
        owner: Only terminals that requests of this author (`as`) have made.

        Reply: terminals, unreachable, aliases.
        """
        return await self._call(
            "list",
            {
                "recordings": recordings,
                "where": where,
                "owner": owner,
            },
        )

    async def output(
        self,
        id: Optional[str] = None,
        *,
        run: Optional[str] = None,
        since: Optional[int] = None,
        max_bytes: Optional[int] = None,
        wait_ms: Optional[int] = None,
        inline: Optional[bool] = None,
    ) -> Reply:
        """Read the raw output of the program, from a byte offset.

        The reply is a header line, then exactly `len` raw bytes: what the program printed, with its escape sequences. The last 1 MiB of each terminal is kept until the terminal is removed; what came before it, for as long as the history of the terminal has it. If `since` is below what is kept, the error is `offset_gone`, whose field `first` is the first offset that is kept. With `since` at the end or beyond it, the reply comes with the first byte there, at the end of the process, or empty after `wait_ms`. `run` in place of `id` names the `stream` of a `run` that is not answered yet: its program waits for this reader, so nothing is gone.

        id: Terminal: its id or name, or "@" for the one used last.
        run: In place of `id`: the `stream` of a `run` that is under way.
        since: Offset of the first byte to read. Absent: the first of the last 1 MiB.
        max_bytes: Bytes in the reply, at most.
        wait_ms: Longest wait for output if there is none yet.
        inline: Send the bytes as base64 in the JSON line.

        Reply: first, next, len, ended, id, data.
        """
        return await self._call(
            "output",
            {
                "id": id,
                "run": run,
                "since": since,
                "max_bytes": max_bytes,
                "wait_ms": wait_ms,
                "inline": inline,
            },
        )

    async def ask(
        self,
        question: Optional[str] = None,
        *,
        id: Optional[str] = None,
        kind: Optional[Literal["text", "choice", "confirm", "secret", "hand"]] = None,
        choices: Optional[Sequence[str]] = None,
        submit: Optional[bool] = None,
        timeout_ms: Optional[int] = None,
        expires_ms: Optional[int] = None,
        resume: Optional[int] = None,
        withdraw: Optional[int] = None,
        elicited: Optional[str] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Ask a person a question, and wait for the answer.

        Persons see the question in `asks`, and where they watch the terminal. At the deadline the outcome is "open": the question stays, and `resume` waits on. The answer to a "secret" is typed into the terminal and is in no reply; if the terminal would show it, the person must insist. A "hand" is accepted by a person who takes control of the terminal, and answered by its release, with a note. The answer to a text or a choice may also come from the interface of the asker itself (`elicited`): it counts if it is the first, and is not known to be that of a person. Outcomes: "answered", "declined", "open", "withdrawn" by the asker (`withdraw`, or the end of its first request), "expired" after `expires_ms`, "exited" with the terminal. At most 64 questions are open, 16 of one connection and 4 of one name. One whose connection has gone, and for which no request waits, gives way to a new one: it is "withdrawn".

        id: Terminal that it is about.
        question: Words for a person.
        kind: Kind of the answer.
        choices: With "choice": the answers.
        submit: With "secret": press Enter after it.
        timeout_ms: Longest wait of this request; the question then stays open.
        expires_ms: The question is dropped after this time.
        resume: Number of an open question of your name to wait for, in place of a new one.
        withdraw: Drop this question of your name.
        elicited: With `resume` of an own question, "text" or "choice": what the interface of the asker was answered. Ignored if the question has ended.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: ask, outcome, answer, note, by, person, watchers, changed, rev, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return await self._call(
            "ask",
            {
                "question": question,
                "id": id,
                "kind": kind,
                "choices": choices,
                "submit": submit,
                "timeout_ms": timeout_ms,
                "expires_ms": expires_ms,
                "resume": resume,
                "withdraw": withdraw,
                "elicited": elicited,
                "observe": observe,
            },
        )

    async def asks(self) -> Reply:
        """List the open questions to persons.

        Reply: asks.
        """
        return await self._call(
            "asks",
            {},
        )

    async def answer(
        self,
        ask: int,
        text: Optional[str] = None,
        *,
        decline: Optional[bool] = None,
        note: Optional[str] = None,
        even_if_shown: Optional[bool] = None,
        undo: Optional[bool] = None,
    ) -> Reply:
        """Answer a question of `ask`.

        For persons: no tool of a model has this command. A "secret" is typed only while the program that was in the foreground at the question reads a line without echo, else `would_echo`. A "hand" is answered by taking control and releasing it; it can be declined here.

        ask: Number of the question.
        text: The answer; of a choice its words or its number, of a confirmation yes or no.
        decline: Give no answer.
        note: For the asker.
        even_if_shown: Type the secret although the terminal may show it.
        undo: Take back what this name has answered: the question is open again. Refused once `undo_ms` are over or the asker has read it.

        Reply: ask, outcome, undo_ms.
        """
        return await self._call(
            "answer",
            {
                "ask": ask,
                "text": text,
                "decline": decline,
                "note": note,
                "even_if_shown": even_if_shown,
                "undo": undo,
            },
        )

    async def recordings(self) -> Reply:
        """List recordings: those of live terminals, the files of the folder for them, and those that are open.

        The folder is `$XDG_STATE_HOME/t4a/recordings`, by default `~/.local/state/t4a/recordings`, for the environment of the daemon.

        Reply: recordings.
        """
        return await self._call(
            "recordings",
            {},
        )

    async def open(
        self,
        path: str,
        *,
        name: Optional[str] = None,
        at: Optional[str] = None,
        timing: Optional[str] = None,
        cols: Optional[int] = None,
        rows: Optional[int] = None,
    ) -> Reply:
        """Open a recording as a terminal that is not alive: everything that reads works on it.

        Reads asciicasts (v1, v2, v3, also compressed), ttyrec and typescripts of script(1). The terminal shows the end of the recording, or the moment `at`; reads take an `at` of their own. It has no process (`pid` is null, `recording` is the path), is in `list` only with `recordings`, and is never meant by "@". Input and changes of size get `read_only`. It publishes no events and answers no queries. `kill` closes it.

        path: The file.
        name: Name of the terminal. Default: t1, t2, …
        at: Moment that is shown: `12.5s`, `1500ms` or `1:02.5` since the start, `-5s` before the end, `start`, `end`, or `marker:NAME`.
        timing: Timing file of a typescript.
        cols: Columns, if the file does not say: a ttyrec. Default: 80.
        rows: Rows, if the file does not say. Default: 24.

        Reply: id, cols, rows, format, duration_ms, at_ms, complete, repaired.
        """
        return await self._call(
            "open",
            {
                "path": path,
                "name": name,
                "at": at,
                "timing": timing,
                "cols": cols,
                "rows": rows,
            },
        )

    async def wait(
        self,
        until: Union[Mapping[str, Any], Sequence[Mapping[str, Any]]],
        id: Optional[str] = None,
        *,
        where: Optional[Mapping[str, Any]] = None,
        fail: Optional[Union[Mapping[str, Any], Sequence[Mapping[str, Any]]]] = None,
        timeout_ms: Optional[int] = None,
        fresh: Optional[bool] = None,
        at_cursor: Optional[bool] = None,
        tail: Optional[int] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Wait for a condition, then report the screen.

        A condition that is true already counts. The reply comes with the first condition of `fail` or `until` that is true, at the deadline, or when the process has exited; `outcome` is the reason. With `where` the first terminal whose wait is met or failed ends it; else the last that exits, or the deadline. Conditions `published` alone need no terminal: without `id` and `where` the reply has no lines. Text and regular expressions are searched in each line on the screen and in each line that scrolls by, with wrapped rows joined.

        id: Terminal: its id or name, or "@" for the one used last.
        where: In place of `id`: the first of the terminals that these things are true of now, and that are alive.
        until: Conditions, each an object with one field; the first that is true ends the wait.
        fail: Conditions that end the wait as failed; they are checked first.
        timeout_ms: Deadline; it is an outcome, not an error.
        fresh: Count only what comes after the request, as commands that act always do.
        at_cursor: `text` and `regex` of `until` are looked for in the line of the cursor alone, while the program waits for input: a question, and no line of a log. Linux only.
        tail: Number of last lines of the screen in the reply.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: id, outcome, index, match, code, exit_code, shell_level, nothing_ran, signal, command, event, awaiting_input, doing, ignored, warning, elapsed_ms, rev, tail, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return await self._call(
            "wait",
            {
                "until": until,
                "id": id,
                "where": where,
                "fail": fail,
                "timeout_ms": timeout_ms,
                "fresh": fresh,
                "at_cursor": at_cursor,
                "tail": tail,
                "observe": observe,
            },
        )

    async def publish(
        self,
        name: str,
        data: Optional[str] = None,
        *,
        warn: Optional[bool] = None,
    ) -> Reply:
        """Publish an event of your own, so that others need not poll.

        All subscribers of `events` get it as `published`. Its `seq` is the one from which a subscriber may read on.

        name: What it is.
        data: Up to 4 KiB of text.
        warn: As a `warning` instead, for the operator: its message is the name and `data`.

        Reply: seq.
        """
        return await self._call(
            "publish",
            {
                "name": name,
                "data": data,
                "warn": warn,
            },
        )

    async def triggers(
        self,
        id: Optional[str] = None,
    ) -> Reply:
        """List triggers: what each waits for, how often it fired, and what failed last.

        id: Terminal: its id or name, or "@" for the one used last.

        Reply: triggers.
        """
        return await self._call(
            "triggers",
            {
                "id": id,
            },
        )

    async def untrigger(
        self,
        trigger: int,
        *,
        force: Optional[bool] = None,
    ) -> Reply:
        """Remove a trigger.

        trigger: Number of the trigger, for `untrigger`.
        force: Also that of another name while another has control of the terminal. A person alone may.
        """
        return await self._call(
            "untrigger",
            {
                "trigger": trigger,
                "force": force,
            },
        )

    async def config(
        self,
        *,
        idle_timeout_ms: Optional[int] = None,
        scrollback: Optional[int] = None,
        log_level: Optional[Literal["error", "warn", "info", "debug"]] = None,
        max_terminals: Optional[int] = None,
        max_terminals_per_owner: Optional[int] = None,
        max_trigger_runs: Optional[int] = None,
        max_scrollback: Optional[int] = None,
        output_buffer_bytes: Optional[int] = None,
        input_buffer_bytes: Optional[int] = None,
        ended_ttl_ms: Optional[int] = None,
        ended_max: Optional[int] = None,
        kill_grace_ms: Optional[int] = None,
        max_connections: Optional[int] = None,
        client_buffer_bytes: Optional[int] = None,
        max_requests_in_flight: Optional[int] = None,
        max_line_bytes: Optional[int] = None,
        event_queue: Optional[int] = None,
        max_waits: Optional[int] = None,
        max_image_side: Optional[int] = None,
        atlas_bytes: Optional[int] = None,
        max_memory_bytes: Optional[int] = None,
        history_bytes: Optional[int] = None,
        history_total_bytes: Optional[int] = None,
        record: Optional[Literal["off", "on", "input"]] = None,
        activity: Optional[Literal["memory", "disk"]] = None,
        persist: Optional[str] = None,
        lc_ctype: Optional[str] = None,
        program_status: Optional[Literal["answer", "read", "off"]] = None,
        term_program: Optional[str] = None,
        redact: Optional[Mapping[str, Any]] = None,
        theme: Optional[str] = None,
        themes: Optional[Mapping[str, Any]] = None,
        sources: Optional[bool] = None,
    ) -> Reply:
        """Read or change the daemon's configuration: its defaults and all of its limits.

        Sources, each overriding those before it: the defaults; the file `$XDG_CONFIG_HOME/t4a/config.json` (an object of these fields and of the settings of the command line); the environment (`T4A_SCROLLBACK` is `scrollback`); a request, until the daemon ends.

        idle_timeout_ms: Silence before `idle` is published, for terminals without a setting of their own.
        scrollback: Lines kept above the viewport, for new terminals.
        log_level: Lowest level of the entries in the daemon's log.
        max_terminals: Terminals that may exist at once. Beyond: `too_many_terminals`.
        max_terminals_per_owner: Terminals that requests of one author (`as`) have made and that exist, ended ones included; 0: no bound. Beyond: `too_many_terminals`.
        max_trigger_runs: Running programs of the action `run` of one trigger; 0: no bound. Beyond, the action fails with `too_many_terminals`.
        max_scrollback: Lines that a terminal may ask to keep above the viewport. Beyond: `over_limit`.
        output_buffer_bytes: Output of a terminal that is read but not parsed yet, for new terminals. Beyond, its program waits.
        input_buffer_bytes: Input that a program has not read yet, for new terminals. Beyond: `input_blocked`.
        ended_ttl_ms: Time for which ended terminals are kept; 0: for ever.
        ended_max: Ended terminals that are kept. Beyond, the oldest is dropped.
        kill_grace_ms: Time that a program has to end by itself, after SIGHUP and after SIGTERM, however its terminal is ended.
        max_connections: Connections at once. Beyond: `too_many_connections`.
        client_buffer_bytes: Replies that a client has not read yet, for new connections. Beyond, its requests wait.
        max_requests_in_flight: Unanswered requests of a new connection. Beyond: `too_many_requests`; requests without `req` wait.
        max_line_bytes: Length of a request line, for new connections. Beyond: `line_too_long`.
        event_queue: Events queued for a new subscriber. Beyond, the oldest are dropped, and `lagged` counts them.
        max_waits: Waits on one terminal at once, for new terminals. Beyond: `too_many_waits`.
        max_image_side: Pixels of a side of a picture. Beyond: `image_too_large`.
        atlas_bytes: Drawn glyphs that are kept. Beyond, the least recently used are dropped.
        max_memory_bytes: Memory of the daemon; 0 is half of the machine's. `memory.pressure` of `stats` warns near the limit; beyond: `memory_low`.
        history_bytes: Memory of the history of a terminal, which `at` and `film` read: packed, its output is some 3 to 20 percent of it. Beyond, the oldest is dropped; 0: new terminals have none.
        history_total_bytes: Memory of the histories of all terminals, and at most an eighth of `max_memory_bytes`.
        record: Record new terminals, each to a file of the folder that `recordings` lists; `input`: with what is typed and certain to be shown.
        activity: Where new terminals keep their entries: in memory alone, or in a file as well.
        persist: Folder in which new terminals are kept beyond the daemon, each in a folder of its own that `open` shows: its session, its output byte for byte, its entries; empty: none are kept.
        lc_ctype: LC_CTYPE of new terminals whose environment names no character set (LC_ALL, LC_CTYPE and LANG); empty: none. Default: C.UTF-8, on macOS UTF-8.
        program_status: Reports of programs in new terminals about what they are doing (OSC 7501): "answer" also those that ask whether reports are read, "read" them without an answer, or ignore them ("off").
        term_program: Terminal that new terminals name to their programs, `ghostty/1.3.0` (TERM_PROGRAM, TERM_PROGRAM_VERSION); empty: t4a and its version. Some programs use extensions of terminals that they know by name.
        redact: Secrets that are masked in recordings that begin from now on and in exports, each character as "*". Off if it is empty. `docs/recordings.md` says what it cannot see.
        theme: Colours of pictures, and of the replies to programs that query colours.
        themes: Custom themes by name, beside dark, light, tokyo-night, solarized, gruvbox and xterm.
        sources: Include the source of each value.

        Reply: idle_timeout_ms, scrollback, log_level, max_terminals, max_terminals_per_owner, max_trigger_runs, max_scrollback, output_buffer_bytes, input_buffer_bytes, ended_ttl_ms, ended_max, kill_grace_ms, max_connections, client_buffer_bytes, max_requests_in_flight, max_line_bytes, event_queue, max_waits, max_image_side, atlas_bytes, max_memory_bytes, history_bytes, history_total_bytes, record, activity, persist, lc_ctype, program_status, term_program, redact, theme, themes, sources, file.
        """
        return await self._call(
            "config",
            {
                "idle_timeout_ms": idle_timeout_ms,
                "scrollback": scrollback,
                "log_level": log_level,
                "max_terminals": max_terminals,
                "max_terminals_per_owner": max_terminals_per_owner,
                "max_trigger_runs": max_trigger_runs,
                "max_scrollback": max_scrollback,
                "output_buffer_bytes": output_buffer_bytes,
                "input_buffer_bytes": input_buffer_bytes,
                "ended_ttl_ms": ended_ttl_ms,
                "ended_max": ended_max,
                "kill_grace_ms": kill_grace_ms,
                "max_connections": max_connections,
                "client_buffer_bytes": client_buffer_bytes,
                "max_requests_in_flight": max_requests_in_flight,
                "max_line_bytes": max_line_bytes,
                "event_queue": event_queue,
                "max_waits": max_waits,
                "max_image_side": max_image_side,
                "atlas_bytes": atlas_bytes,
                "max_memory_bytes": max_memory_bytes,
                "history_bytes": history_bytes,
                "history_total_bytes": history_total_bytes,
                "record": record,
                "activity": activity,
                "persist": persist,
                "lc_ctype": lc_ctype,
                "program_status": program_status,
                "term_program": term_program,
                "redact": redact,
                "theme": theme,
                "themes": themes,
                "sources": sources,
            },
        )

    async def rules(
        self,
        action: Optional[Literal["show", "check", "set", "apply"]] = None,
        rules: Optional[str] = None,
        *,
        name: Optional[str] = None,
        terminal: Optional[str] = None,
        profile: Optional[str] = None,
        from_: Optional[Union[int, str]] = None,
        with_text: Optional[bool] = None,
        if_version: Optional[int] = None,
    ) -> Reply:
        """Show, check or change the rules by which terminals have entries.

        The file is `$XDG_CONFIG_HOME/t4a/rules.json`. It is read when a terminal is created and again whenever it changes; while it is broken, the last good rules stay, and a `warning` names the place. After a change of rules, the entries of a terminal are corrected: later versions and deletions follow, nothing is rewritten.

        action: "check" reads `rules`, and with `terminal` reports the entries that they would find, without keeping them. "set" uses `rules` until the daemon ends or the file changes, or chooses the `profile` of a terminal. "apply" reads all lines of a terminal again, or with `from` all of its past.
        rules: Text of a rules file, to check or to set.
        name: Name of that text in errors.
        terminal: Terminal: its id or name, or "@" for the one used last.
        profile: Profile of rules: "generic", one of the rules file, or "none".
        from_: With "check": run `rules` through the history of the terminal, without an effect. With "apply": run the rules through the history of the terminal, as if they had been its rules; corrections of what changed since this moment follow. "start": of all that is kept.
        with_text: With "show": the text of the rules in use as well.
        if_version: Refuse to set them (`rules_changed`) if the rules have another version.

        Reply: version, file, text, profiles, profile, corrections, entries, snapshot, differences.
        """
        return await self._call(
            "rules",
            {
                "action": action,
                "rules": rules,
                "name": name,
                "terminal": terminal,
                "profile": profile,
                "from": from_,
                "with_text": with_text,
                "if_version": if_version,
            },
        )

    async def ping(self) -> Reply:
        """Check that the daemon answers; return its version and pid.

        Reply: version, protocol, pid, socket, uptime_ms, terminals, replaced, instance, features.
        """
        return await self._call(
            "ping",
            {},
        )

    async def restrict(
        self,
        reach: Literal["read", "use", "create", "admin"],
        *,
        person: Optional[Literal[False]] = None,
        turns: Optional[str] = None,
        as_long_as: Optional[Sequence[Mapping[str, Any]]] = None,
    ) -> Reply:
        """Lower what this connection may do, for good.

        It holds for every later line of the connection, also for requests that overtake it. Requests above it are answered with `not_allowed`. A later `restrict` lowers further, and never raises. A new connection is not restricted.

        reach: Highest reach of commands and fields: to look, to type, to start and end programs, to change the daemon.
        person: False: without what a person alone may decide.
        turns: Connections that say the same here take turns with others as one, however many they are: a text that others cannot guess. The first one counts.
        as_long_as: The connection is a door, which lets others in: what it types ends with it. It may do what it may as long as all of these files are so; after that its requests are answered with `not_allowed`, and no further key is typed for those under way. Refused if one is not so now. Later ones are added.

        Reply: reach, person.
        """
        return await self._call(
            "restrict",
            {
                "reach": reach,
                "person": person,
                "turns": turns,
                "as_long_as": as_long_as,
            },
        )

    async def stats(
        self,
        *,
        terminals: Optional[bool] = None,
        rules: Optional[bool] = None,
    ) -> Reply:
        """Show the figures of the daemon: memory, queues, lag, losses.

        terminals: Include the figures of each terminal.
        rules: Include what each rule has found, see `entries`.

        Reply: version, pid, node, uptime_ms, memory, pictures, event_loop, terminals, output, input, connections, events, descriptors, timers, listeners, faults, widths, predecessor, per_terminal, rules.
        """
        return await self._call(
            "stats",
            {
                "terminals": terminals,
                "rules": rules,
            },
        )

    async def schema(self) -> Reply:
        """Print the JSON Schema of every command, reply, event and error.

        Reply: schema.
        """
        return await self._call(
            "schema",
            {},
        )


class _AsyncTerminalCommands:
    async def _call(self, cmd: str, fields: Mapping[str, Any]) -> Reply:
        raise NotImplementedError

    async def run(
        self,
        command: Optional[Union[str, Sequence[str]]] = None,
        *,
        cmd_args: Optional[Sequence[str]] = None,
        timeout_ms: Optional[int] = None,
        on_timeout: Optional[Literal["end", "keep"]] = None,
        stdin: Optional[str] = None,
        stream: Optional[str] = None,
        max_lines: Optional[int] = None,
        max_length: Optional[int] = None,
        screenshot: Optional[Union[bool, Mapping[str, Any]]] = None,
        if_inputs: Optional[int] = None,
        if_hold: Optional[int] = None,
        resume: Optional[Mapping[str, Any]] = None,
        keep: Optional[bool] = None,
        keep_omitted: Optional[bool] = None,
    ) -> Reply:
        """Run a command to its end, in a new terminal or at the prompt of a shell; return its output.

        Exactly one of `cmd_args` and `command`. The output is the text in the screen and its scrollback at the end: head and tail if it is longer than `max_lines`. A program that has read its terminal for a second, or has probably waited for a key for four (`certain` is then false), ends it with the outcome `awaiting_input`; the terminal stays. With `screenshot` the header line is followed by `len` bytes of PNG. With `id` the command is typed at the prompt of the shell in that terminal. The shell must report its prompts and commands and be at its prompt, else the error is `shell_busy`; a shell that is still starting is waited for. Text of a client there is `shell_busy`; the shell's own (`print -z`) is taken away first, with a `warning`. `outcome` is `done` if the command has ended, `exited` if the shell has ended with it, and `not_run` if nothing ran (a syntax error, only a comment): `lines` is then the shell's own output.

        cmd_args: Program and arguments, in place of `command`.
        command: A str is a line for `sh -c`, or for the shell of the terminal; a list is program and arguments.
        timeout_ms: Deadline: the outcome is then `timeout`. What happens to the command then says `on_timeout`.
        on_timeout: At the deadline: end the command, or let it go on in its terminal, which stays. Default: `end`, and with `id` always `keep`.
        stdin: A file or FIFO that is the standard input of the command. Default: the terminal. Not with `id`. Output and errors stay on the terminal.
        stream: A key of your choice, by which `output` reads the output while the command runs. Not with `id`. Nothing is lost: some 512 KiB that are not read stop the program until they are, and the reply comes once all has been read.
        max_lines: Lines of output returned: the first half and the last half.
        max_length: Characters of output returned, likewise: a line that has no room is cut between two rows.
        screenshot: Attach a picture of the final screen: true, or an object with the options of the picture.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.
        if_hold: Write only while this hold lasts (`hold` of `control`), else `not_holder`.
        resume: From the error `replaced`: goes on with the run of this terminal, and starts nothing.
        keep: Keep the terminal for reading, or remove it. Default: a given terminal stays, a new one is removed unless its command goes on.
        keep_omitted: Also keep a new terminal if lines of its output were left out: `text` reads them.

        Reply: id, outcome, exit_code, signal, awaiting_input, duration_ms, output_bytes, lines, omitted_lines, omitted_after, omitted, lost_lines, kept, ended_processes, living_processes, n, modes_left, shell_level, cwd, rev, warning, observed, seq, len, format, width, height, cell_width, cell_height, cols, rows, region, fitted, legibility, tokens.
        """
        return await self._call(
            "run",
            {
                **_program(command, cmd_args),
                "timeout_ms": timeout_ms,
                "on_timeout": on_timeout,
                "stdin": stdin,
                "stream": stream,
                "max_lines": max_lines,
                "max_length": max_length,
                "screenshot": screenshot,
                "if_inputs": if_inputs,
                "if_hold": if_hold,
                "resume": resume,
                "keep": keep,
                "keep_omitted": keep_omitted,
            },
        )

    async def kill(
        self,
        *,
        exited: Optional[bool] = None,
        all: Optional[bool] = None,
        where: Optional[Mapping[str, Any]] = None,
        signal: Optional[Union[str, int]] = None,
        grace_ms: Optional[int] = None,
        keep: Optional[bool] = None,
        tree: Optional[bool] = None,
        force: Optional[bool] = None,
    ) -> Reply:
        """End terminals, or send a signal to the programs in them.

        Without `signal`: SIGHUP, then SIGTERM, then SIGKILL after a grace period each, to each process of the session once; then the kernel hangs up and the terminal is removed. A program in the foreground that handles SIGHUP gets it as at a hang-up: from the kernel as the first process ends, or from its shell. Output that is not parsed by then is dropped. With `signal`: only that signal, to the foreground process group; the terminal stays. Exactly one of `id`, `exited`, `where` and `all` is needed. If one of several ids names no terminal, or another name has control of one of several terminals that are alive, none is ended.

        exited: Every terminal whose program has ended.
        all: Every terminal of the daemon.
        where: Every terminal that these things are true of.
        signal: Name ("SIGINT", "int") or number.
        grace_ms: Time that a program has to end by itself, after SIGHUP and after SIGTERM. Default: the configuration's.
        keep: End the program, and keep the terminal for reading.
        tree: Also the terminals that were created from within it, those first.
        force: Also while another name has control. A person alone may.

        Reply: ended, survivors.
        """
        return await self._call(
            "kill",
            {
                "exited": exited,
                "all": all,
                "where": where,
                "signal": signal,
                "grace_ms": grace_ms,
                "keep": keep,
                "tree": tree,
                "force": force,
            },
        )

    async def status(self) -> Reply:
        """Show the state of one terminal.

        Reply: id, cols, rows, pid, recording, alive, title, cmd, cwd, labels, parent, owner, doing, asks, created_at, exit_code, signal, exited_at, output_bytes, idle_ms, rev, foreground, alt_screen, modes, cursor, generation, restarting, scrollback_lines, scrollback_limit, state, has_shell, shell_cwd, last_command, shell_level, warning, awaiting_input, inputs, control, watchers, persisted, progress, reported, report.
        """
        return await self._call(
            "status",
            {},
        )

    async def explain(
        self,
        *,
        at: Optional[Union[int, str]] = None,
    ) -> Reply:
        """Explain what a program is doing: every signal, those that disagree included.

        The first kind of signal that there is decides: the end of the process, or a password or a line that it has read for a second (`kernel`); what the program says by OSC 7501 (`7501`, a claim); what its hooks say (`report`, a claim, too); what rules read off its screen (`rules`); its progress by OSC 9;4 (`progress`); marks of its shell (`shell`); and last, as a guess, its output of the last two seconds, or that it would take a key (`kernel`, not `sure`). A question that one of these three has half a second after another wins over "working". The past (`at`) has what was known then, for as long as the history of the terminal reaches back.

        at: The answer as it was at this moment, as `at` of `text` has it.

        Reply: doing, for_ms, signals, left_out, records, asks, at, warning.
        """
        return await self._call(
            "explain",
            {
                "at": at,
            },
        )

    async def screenshot(
        self,
        *,
        cursor: Optional[bool] = None,
        profile: Optional[Literal["llm", "cheap", "exact", "human"]] = None,
        scale: Optional[float] = None,
        pad: Optional[int] = None,
        max_tokens: Optional[int] = None,
        model: Optional[Literal["claude", "gpt", "gemini"]] = None,
        format: Optional[Literal["png", "webp", "jpeg", "svg", "html"]] = None,
        theme: Optional[str] = None,
        region: Optional[Mapping[str, Any]] = None,
        scrollback: Optional[int] = None,
        rulers: Optional[bool] = None,
        mark: Optional[Sequence[Union[str, Mapping[str, Any]]]] = None,
        since: Optional[Union[int, str]] = None,
        minimum_contrast: Optional[float] = None,
        bold_as_bright: Optional[bool] = None,
        wait: Optional[Mapping[str, Any]] = None,
        at: Optional[Union[int, str]] = None,
    ) -> Picture:
        """Draw the screen as a picture.

        The reply is a header line, then exactly `len` raw bytes. With `inline` the picture is in the line, as base64 in `data`, and `len` is 0. Glyphs are drawn at the size of the cell, and no picture is scaled down: 80x24 at `scale` 66 has 560x336 pixels and some 240 tokens, where `legibility` is `no_ids`, and by default 640x384 and some 322. If `if_rev` is the current revision, the reply is `{"ok":true,"unchanged":true,"rev":n,"len":0}`.

        cursor: Draw the cursor.
        profile: Cell size by purpose: llm 8x16 (the default), cheap 7x14, exact 10x20, human 20x40 with a margin.
        scale: Cell size in percent of 10x20 pixels, in whole pixels: 66 gives 7x14 (80x24: 560x336), too small for ids; 80 gives 8x16, the default. Overrides `profile`.
        pad: Blank pixels on every side.
        max_tokens: Budget: the largest legible cell whose picture costs `model` at most this many tokens; `scale` and `profile` limit its size. If not even cells of 6x12 fit, a part: the rows changed after `since`, else around the cursor.
        model: Model family: its tokens are counted (default claude), and its limit on the size of pictures is kept.
        format:
        theme: Name of a theme. Default: the configuration's.
        region: Only this part of the screen.
        scrollback: Lines above the viewport to show, if there are as many.
        rulers: Number the rows and columns in a margin.
        mark: Draw boxes around text, around matches of `{"regex":…}`, rows `{"changed_since":rev}`, or a region.
        since: Fade the rows that did not change after this revision or moment.
        minimum_contrast: Minimum contrast of text against its background (WCAG). Default: 4.5, for dim text 3; 1 changes no colour.
        bold_as_bright: Draw bold text of the colours 0 to 7 in 8 to 15.
        wait: Wait first; the reading is of the instant at which the wait ended. What holds already counts, unless `fresh`.
        at: Read the screen as it was at this moment: a revision, `-5s`, `1:02.5` (since the start), `ts:MS` or an ISO time, `seq:N` (an event), `command:-1:start` or `:end`, `input` or `input:-2`, `marker:NAME`, `start`, `end`; with `^` just before it. Not with `wait` and `observe`. A revision may also stand in `id`, as `t1@42`.

        Reply: len, format, width, height, cell_width, cell_height, cols, rows, region, fitted, legibility, rev, tokens, unchanged, data, inputs, warning, wait, at.
        """
        return _picture(await self._call(
            "screenshot",
            {
                "cursor": cursor,
                "profile": profile,
                "scale": scale,
                "pad": pad,
                "max_tokens": max_tokens,
                "model": model,
                "format": format,
                "theme": theme,
                "region": region,
                "scrollback": scrollback,
                "rulers": rulers,
                "mark": mark,
                "since": since,
                "minimum_contrast": minimum_contrast,
                "bold_as_bright": bold_as_bright,
                "wait": wait,
                "at": at,
            },
        ))

    async def text(
        self,
        *,
        start: Optional[int] = None,
        end: Optional[int] = None,
        trim: bool = True,
        last: Optional[int] = None,
        region: Optional[Literal["viewport", "scrollback", "all"]] = None,
        command: Optional[int] = None,
        screen: Optional[Literal["main", "alternate"]] = None,
        format: Optional[Literal["plain", "ansi", "cells", "runs", "html"]] = None,
        from_line: Optional[int] = None,
        max_lines: Optional[int] = None,
        join_wrapped: Optional[bool] = None,
        since: Optional[Union[int, str]] = None,
        changed: Optional[bool] = None,
        selection: Optional[bool] = None,
        max_bytes: Optional[int] = None,
        highlights: Optional[bool] = None,
        links: Optional[bool] = None,
        at: Optional[Union[int, str]] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
        blank_lines: bool = False,
    ) -> str:
        """Read lines of text.

        `start` and `end` count lines from the bottom of the region: 0 is the last line, and `end` is not included, so 0 and 5 are the last five lines. Lines come top to bottom. The reply holds the range that was read. Lines also have lasting numbers, which stay when the scrollback grows or is cut: 0 is the first line that the terminal ever had (the alternate screen counts from its top, and a new width lays out all lines anew). Each `ansi` line begins and ends with default attributes; printed in order, the lines give the same grid.

        start: First line, counted from the bottom.
        end: Line after the last one, counted from the bottom.
        trim: Remove blanks at the ends of lines.
        last: The last lines with text, of the screen and its scrollback, in place of `start` and `end`.
        region: Default: the viewport; with `last`, or where `start` or `end` reach above it, all.
        command: The output of this shell command, in place of a region: its number in `commands`, or -1 for the last, -2 for the one before.
        screen: main: the screen with the scrollback, also while an editor or pager shows the alternate one; alternate: that one, or an error while it is not shown. Default: the one that is shown.
        format: plain; ansi: with colours as escape sequences; cells: runs of equal cells; runs: the same in the short form of `watch`; html: one `<pre>`.
        from_line: Lasting number of the first row, in place of `start`, `end` and `region`: the same rows after more output.
        max_lines: With `from_line`: number of rows at most; 1000 if absent.
        join_wrapped: Join rows that were printed as one line.
        since: Only lines that changed after this revision or moment, with their `numbers`; all lines if `complete` is true.
        changed: Only the rows that differ from the last look at the text by the same `scope` and `as`, and new lines that scrolled by; above one row that differs also the row before it. See `changed` of the reply.
        selection: Mark the selection of a list, a menu or an editor, which is colour alone, with ⟦ and ⟧ in the lines. A guess: the span whose background differs from that of its neighbours, or the entry of a list whose text has another colour.
        max_bytes: Size limit: keep whole lines of the head and the tail; `omitted` counts the others.
        highlights: Include the spans that stand out: inverse, or on another background.
        links: Include the hyperlinks. Targets of more than 2083 characters make none.
        at: Read the screen as it was at this moment: a revision, `-5s`, `1:02.5` (since the start), `ts:MS` or an ISO time, `seq:N` (an event), `command:-1:start` or `:end`, `input` or `input:-2`, `marker:NAME`, `start`, `end`; with `^` just before it. Not with `wait` and `observe`. A revision may also stand in `id`, as `t1@42`.
        wait: Wait first; the reading is of the instant at which the wait ended. What holds already counts, unless `fresh`.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: lines, region, start, end, total_lines, lost_lines, rev, cursor, first_line, numbers, complete, cells, rows, html, changed, omitted, highlights, warning, links, at, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return _text(await self._call(
            "text",
            {
                "start": start,
                "end": end,
                "trim": trim,
                "last": last,
                "region": region,
                "command": command,
                "screen": screen,
                "format": format,
                "from_line": from_line,
                "max_lines": max_lines,
                "join_wrapped": join_wrapped,
                "since": since,
                "changed": changed,
                "selection": selection,
                "max_bytes": max_bytes,
                "highlights": highlights,
                "links": links,
                "at": at,
                "wait": wait,
                "observe": observe,
            },
        ), blank_lines)

    async def grep(
        self,
        pattern: str,
        *,
        fixed: Optional[bool] = None,
        ignore_case: Optional[bool] = None,
        before: Optional[int] = None,
        after: Optional[int] = None,
        context: Optional[int] = None,
        max: Optional[int] = None,
        last: Optional[bool] = None,
        region: Optional[Literal["viewport", "scrollback", "all"]] = None,
        at: Optional[Union[int, str]] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Search the scrollback and the viewport for a pattern.

        RE2 syntax: the time grows with the length of the text and is independent of the shape of the pattern. Rows that were printed as one line are searched as one line and have the number of their first row. Context lines of two matches are listed once, with the earlier match.

        pattern: Regular expression.
        fixed: The pattern is text, not a regular expression.
        ignore_case:
        before: Context lines before each match.
        after: Context lines after each match.
        context: Context lines before and after each match, unless `before` or `after` is given.
        max: Matching lines returned.
        last: Return the last `max` matching lines instead of the first.
        region:
        at: Read the screen as it was at this moment: a revision, `-5s`, `1:02.5` (since the start), `ts:MS` or an ISO time, `seq:N` (an event), `command:-1:start` or `:end`, `input` or `input:-2`, `marker:NAME`, `start`, `end`; with `^` just before it. Not with `wait` and `observe`. A revision may also stand in `id`, as `t1@42`.
        wait: Wait first; the reading is of the instant at which the wait ended. What holds already counts, unless `fresh`.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: matches, total, lines, lost_lines, first_line, rev, at, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return await self._call(
            "grep",
            {
                "pattern": pattern,
                "fixed": fixed,
                "ignore_case": ignore_case,
                "before": before,
                "after": after,
                "context": context,
                "max": max,
                "last": last,
                "region": region,
                "at": at,
                "wait": wait,
                "observe": observe,
            },
        )

    async def find(
        self,
        text: Optional[str] = None,
        *,
        regex: Optional[str] = None,
        ignore_case: Optional[bool] = None,
        max: Optional[int] = None,
        pad: Optional[int] = None,
        scale: Optional[float] = None,
        profile: Optional[Literal["llm", "cheap", "exact", "human"]] = None,
        at: Optional[Union[int, str]] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Find text in the viewport: its cells, and its pixels in a screenshot.

        Exactly one of `text` and `regex` (RE2 syntax). Text that wraps over rows is found as one match with a span for each row. Boxes are in pixels of a screenshot with the same `pad`, `scale` and `profile`.

        text: Text to find, as it is on the screen.
        regex: Regular expression to find.
        ignore_case:
        max: Matches returned.
        pad: Blank pixels on every side.
        scale: Cell size in percent of 10x20 pixels, in whole pixels: 66 gives 7x14 (80x24: 560x336), too small for ids; 80 gives 8x16, the default. Overrides `profile`.
        profile: Cell size by purpose: llm 8x16 (the default), cheap 7x14, exact 10x20, human 20x40 with a margin.
        at: Read the screen as it was at this moment: a revision, `-5s`, `1:02.5` (since the start), `ts:MS` or an ISO time, `seq:N` (an event), `command:-1:start` or `:end`, `input` or `input:-2`, `marker:NAME`, `start`, `end`; with `^` just before it. Not with `wait` and `observe`. A revision may also stand in `id`, as `t1@42`.
        wait: Wait first; the reading is of the instant at which the wait ended. What holds already counts, unless `fresh`.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: at, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region, matches, total, rev.
        """
        return await self._call(
            "find",
            {
                "text": text,
                "regex": regex,
                "ignore_case": ignore_case,
                "max": max,
                "pad": pad,
                "scale": scale,
                "profile": profile,
                "at": at,
                "wait": wait,
                "observe": observe,
            },
        )

    async def film(
        self,
        *,
        from_: Optional[Union[int, str]] = None,
        to: Optional[Union[int, str]] = None,
        max_frames: Optional[int] = None,
        max_tokens: Optional[int] = None,
        model: Optional[Literal["claude", "gpt", "gemini"]] = None,
        profile: Optional[Literal["llm", "cheap", "exact", "human"]] = None,
        theme: Optional[str] = None,
        format: Optional[Literal["png", "text"]] = None,
        sheet: Optional[bool] = None,
    ) -> Reply:
        """Show what happened in a terminal since the last input, in a few screens.

        Frames are screens that stood still, and screens before input, before they were cleared, and at events, chosen so that together they show most of what was shown, by the time for which it stood; the last screen is always one. With the format png the reply is followed by one picture of all of them, with captions; with `sheet` false by a picture of each, at `offset`.

        from_: Moment, such as "-30s". Default: the last input.
        to:
        max_frames:
        max_tokens: Budget of all frames: smaller cells, then fewer frames.
        model: Model family: its tokens are counted (default claude), and its limit on the size of pictures is kept.
        profile: Cell size by purpose: llm 8x16 (the default), cheap 7x14, exact 10x20, human 20x40 with a margin.
        theme: Name of a theme. Default: the configuration's.
        format: text: the rows that the frame before does not have.
        sheet: One picture of all frames.

        Reply: frames, left_out, format, width, height, tokens, len.
        """
        return await self._call(
            "film",
            {
                "from": from_,
                "to": to,
                "max_frames": max_frames,
                "max_tokens": max_tokens,
                "model": model,
                "profile": profile,
                "theme": theme,
                "format": format,
                "sheet": sheet,
            },
        )

    async def seek(
        self,
        text: Optional[str] = None,
        *,
        regex: Optional[str] = None,
        gone: Optional[str] = None,
        ignore_case: Optional[bool] = None,
        from_: Optional[Union[int, str]] = None,
        to: Optional[Union[int, str]] = None,
        last: Optional[bool] = None,
    ) -> Reply:
        """Find the moment at which something appeared on the screen, or was gone.

        Exactly one of `text`, `regex` and `gone`. Looks at every screen from `from` to `to`, but not within synchronized updates. What is on the screen of `from` already counts.

        text: Until this text is on the screen.
        regex: Until this regular expression (RE2 syntax) matches.
        gone: Until this text, which was on the screen, is not any more.
        ignore_case:
        from_: Default: the oldest that is kept.
        to:
        last: The last time in place of the first.

        Reply: outcome, total, at, match.
        """
        return await self._call(
            "seek",
            {
                "text": text,
                "regex": regex,
                "gone": gone,
                "ignore_case": ignore_case,
                "from": from_,
                "to": to,
                "last": last,
            },
        )

    async def marker(
        self,
        label: str,
    ) -> Reply:
        """Name the present moment of a terminal: `marker:NAME` of `at` finds it.

        A recording of the terminal has it as a marker, and the event `marker` is published.

        label: The name.

        Reply: seq.
        """
        return await self._call(
            "marker",
            {
                "label": label,
            },
        )

    async def export(
        self,
        *,
        from_: Optional[Union[int, str]] = None,
        to: Optional[Union[int, str]] = None,
        format: Optional[Literal["asciicast-v3", "asciicast-v2"]] = None,
        title: Optional[str] = None,
    ) -> Reply:
        """Return what a terminal showed in some time as an asciicast, from its history.

        The reply is a header line, then exactly `len` bytes. The cast plays alone: one that begins later than the terminal begins with a repaint of the whole state of the screen, without its scrollback. It has the output, changes of size, markers, and the command lines of a shell with marks as markers. No recording is needed. `t4a export` makes films and pages of it.

        from_: Moment, such as "-10s" or "command:-1:start". Default: the oldest that is kept.
        to:
        format:
        title: Title of the cast.

        Reply: format, cols, rows, duration_ms, first, last, masked, len.
        """
        return await self._call(
            "export",
            {
                "from": from_,
                "to": to,
                "format": format,
                "title": title,
            },
        )

    async def forget(
        self,
        *,
        from_: Optional[Union[int, str]] = None,
        to: Optional[Union[int, str]] = None,
        force: Optional[bool] = None,
    ) -> Reply:
        """Drop some time of what the daemon remembers of a terminal, such as a secret that was printed.

        Dropped are the history of that time, in whole pieces of up to 512 screens, so that some before and after it may go as well; all that `output` and `debug` have so far; rebuilt screens; and entries of rules that are not open. What is still on the screen or in the scrollback stays there; events and command lines stay. Moments of that time get `moment_lost`.

        from_: Moment, such as "-30s". Default: the oldest that is kept.
        to:
        force: Also while another name has control. A person alone may.

        Reply: first, last, files.
        """
        return await self._call(
            "forget",
            {
                "from": from_,
                "to": to,
                "force": force,
            },
        )

    async def cursor(
        self,
        *,
        at: Optional[Union[int, str]] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Show the place and the look of the cursor.

        at: Read the screen as it was at this moment: a revision, `-5s`, `1:02.5` (since the start), `ts:MS` or an ISO time, `seq:N` (an event), `command:-1:start` or `:end`, `input` or `input:-2`, `marker:NAME`, `start`, `end`; with `^` just before it. Not with `wait` and `observe`. A revision may also stand in `id`, as `t1@42`.
        wait: Wait first; the reading is of the instant at which the wait ended. What holds already counts, unless `fresh`.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: row, col, visible, shape, blink, rev, at, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return await self._call(
            "cursor",
            {
                "at": at,
                "wait": wait,
                "observe": observe,
            },
        )

    async def commands(
        self,
        *,
        last: Optional[int] = None,
    ) -> Reply:
        """List the commands that the shell ran, oldest first.

        Needs shell integration, or hooks of OSC 133, 633 or 7777. Marks of the injected scripts carry `proof=X.Y`, which is used once a command: while such a shell runs a command, a mark without it, or with one that was used, is neither a start nor an end of it. A prompt without a proof counts once a shell is seen to read within the command, or a program that passes keys on to one elsewhere (ssh); the commands of that shell have a `shell_level`, and end nothing of the shell around it. In raw output, a client that reads marks itself may ignore the field. The last 1,000 of a terminal are kept.

        last: Number of commands, counted from the last.

        Reply: commands.
        """
        return await self._call(
            "commands",
            {
                "last": last,
            },
        )

    async def ports(self) -> Reply:
        """List the TCP ports that the programs of a terminal listen on, and the URLs that they printed.

        Asks the system for the processes of the terminal: those of its session, and their descendants; Linux only, elsewhere and where a process belongs to another user `listeners` lacks them. `urls` are read off the scrollback and the viewport, the latest last, each once.

        Reply: listeners, urls.
        """
        return await self._call(
            "ports",
            {},
        )

    async def output(
        self,
        *,
        run: Optional[str] = None,
        since: Optional[int] = None,
        max_bytes: Optional[int] = None,
        wait_ms: Optional[int] = None,
        inline: Optional[bool] = None,
    ) -> Reply:
        """Read the raw output of the program, from a byte offset.

        The reply is a header line, then exactly `len` raw bytes: what the program printed, with its escape sequences. The last 1 MiB of each terminal is kept until the terminal is removed; what came before it, for as long as the history of the terminal has it. If `since` is below what is kept, the error is `offset_gone`, whose field `first` is the first offset that is kept. With `since` at the end or beyond it, the reply comes with the first byte there, at the end of the process, or empty after `wait_ms`. `run` in place of `id` names the `stream` of a `run` that is not answered yet: its program waits for this reader, so nothing is gone.

        run: In place of `id`: the `stream` of a `run` that is under way.
        since: Offset of the first byte to read. Absent: the first of the last 1 MiB.
        max_bytes: Bytes in the reply, at most.
        wait_ms: Longest wait for output if there is none yet.
        inline: Send the bytes as base64 in the JSON line.

        Reply: first, next, len, ended, id, data.
        """
        return await self._call(
            "output",
            {
                "run": run,
                "since": since,
                "max_bytes": max_bytes,
                "wait_ms": wait_ms,
                "inline": inline,
            },
        )

    async def entries(
        self,
        *,
        since: Optional[int] = None,
        last: Optional[int] = None,
        max: Optional[int] = None,
        kinds: Optional[Sequence[str]] = None,
        open: Optional[bool] = None,
    ) -> Reply:
        """Read what happened in a terminal, as its rules found it: test results, errors, questions, ports.

        Terminals have entries if a profile of the rules file matches their program, or if `rules` of `create` names one. The last 500 entries of a terminal are kept, in the order of their last change; with "activity": "disk" the changes before them are read from the file. An entry is text of the program, not of t4a: it may say anything.

        since: Only what is new since this `next` of a reply.
        last: Only the newest ones. Default: as many as `max`.
        max: Entries in the reply, at most.
        kinds: Only entries of these kinds.
        open: Only those that may still change, or only those that are final.

        Reply: profile, entries, deleted, next, more, gap, file, skipped_lines, seq.
        """
        return await self._call(
            "entries",
            {
                "since": since,
                "last": last,
                "max": max,
                "kinds": kinds,
                "open": open,
            },
        )

    async def debug(
        self,
        *,
        clear: Optional[bool] = None,
        tail_bytes: Optional[int] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Show what the screen does not: unhandled sequences, queries, raw output, modes.

        Sequences that are not implemented or were too long, queries and their answers, the raw end of the output, the line discipline, the system calls in which the foreground processes are blocked, and the state of the shell integration. The lists are bounded: `dropped` counts the oldest entries that were dropped. Of input only its author, command, time and length are kept, of a secret not its length.

        clear: Clear the sequences and queries after reading them.
        tail_bytes: Bytes of output in the reply.
        wait: Wait first; the reading is of the instant at which the wait ended. What holds already counts, unless `fresh`.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: unhandled, queries, output, inputs, termios, foreground, shell, pending_output_bytes, pending_input_bytes, rev, wait, doing, observed, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return await self._call(
            "debug",
            {
                "clear": clear,
                "tail_bytes": tail_bytes,
                "wait": wait,
                "observe": observe,
            },
        )

    async def type(
        self,
        text: str,
        *,
        submit: Optional[bool] = None,
        secret: Optional[bool] = None,
        even_if_shown: Optional[bool] = None,
        if_inputs: Optional[int] = None,
        if_hold: Optional[int] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Type text as a person would.

        Each character is sent as its key: a line break is Enter, a tab is Tab, in the encoding that the program has asked for (kitty keyboard protocol, modifyOtherKeys). Use `paste` for long text. Enter follows the text once the program has read it (after at most 2 s) and a short pause, so that the program does not take it for a part of the text; a secret and its Enter are one write.

        text: The text to type.
        submit: Press Enter afterwards, in a write of its own.
        secret: The text is a secret line: written only while a program is known to read without echo, else `would_echo`; never logged.
        even_if_shown: For a person who has looked at the prompt: write the secret although the terminal may show it. No tool of a model has this field.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.
        if_hold: Write only while this hold lasts (`hold` of `control`), else `not_holder`.
        wait: Wait after the act. The wait starts before it, so that nothing is missed; only what comes after the act counts.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: bytes_sent, warning, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return await self._call(
            "type",
            {
                "text": text,
                "submit": submit,
                "secret": secret,
                "even_if_shown": even_if_shown,
                "if_inputs": if_inputs,
                "if_hold": if_hold,
                "wait": wait,
                "observe": observe,
            },
        )

    async def deliver(
        self,
        text: str,
        *,
        key: Optional[str] = None,
        submit: Optional[bool] = None,
        on_question: Optional[Literal["fail", "wait"]] = None,
        on_draft: Optional[Literal["wait", "fail"]] = None,
        timeout_ms: Optional[int] = None,
        if_inputs: Optional[int] = None,
    ) -> Reply:
        """Deliver a prompt to an agent, and prove that it has arrived.

        Waits until the agent takes prompts: its box is open (a rule on `box`, see activity.md) and empty, it asks nothing, and no other name has control. Then the text is pasted. Enter follows as a write of its own once the program has read the text and shows it in the box, and only while that box stands, no question does, and no other input has come. `submitted` needs a proof; every other outcome has a `hint`, and what was pasted stays in the box. Input of others waits until Enter, for at most 2 s: then there is no Enter. Without such a rule the row of the cursor counts as the box, Enter is pressed once, and only a report of the program (OSC 7501) or a line that it has read is a proof. Line breaks at the end are left out, and control characters removed. The same `key` and text again return the first receipt, until `restart`; a delivery that wrote nothing leaves its key free.

        text: The prompt, of up to 64 KiB in UTF-8.
        key: A name for this delivery: the same again, also at the same time, delivers nothing more.
        submit: Press Enter; else the text is left in the box (outcome "shown").
        on_question: While the agent asks something: end with the outcome "question", or wait until it is answered.
        on_draft: While there is other text in the box: wait until it is gone, or end with the outcome "draft".
        timeout_ms: For all of it.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.

        Reply: outcome, delivered, written, box, while_working, question, inputs, elapsed_ms, removed, tail, hint, repeated.
        """
        return await self._call(
            "deliver",
            {
                "text": text,
                "key": key,
                "submit": submit,
                "on_question": on_question,
                "on_draft": on_draft,
                "timeout_ms": timeout_ms,
                "if_inputs": if_inputs,
            },
        )

    async def press(
        self,
        keys: Union[str, Sequence[str]],
        *,
        gap_ms: Optional[int] = None,
        if_entry: Optional[str] = None,
        if_inputs: Optional[int] = None,
        if_hold: Optional[int] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Press keys, by name.

        Names are case-insensitive: `Enter`, `Esc`, `PgUp`, `F1` to `F24`, `KP0`, `Ctrl+Shift+Left`; also `C-c`, `M-x`, `^C`, `<C-w>`, `BSpace`. A single character is the key that types it. Keys are encoded for the modes that the program has set (cursor and keypad modes, modifyOtherKeys, the kitty keyboard protocol). An unknown name is an error, and nothing is sent. A short pause follows Escape, so that the program does not read the next key as Alt with that key. Ctrl+C, Ctrl+\\ and Ctrl+Z as the first key overtake input that the program has not read yet.

        keys: Names of keys, in order.
        gap_ms: Pause between keys.
        if_entry: Press only while this entry is open and of this version, by a look right before, else `entry_changed`.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.
        if_hold: Write only while this hold lasts (`hold` of `control`), else `not_holder`.
        wait: Wait after the act. The wait starts before it, so that nothing is missed; only what comes after the act counts.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: bytes_sent, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return await self._call(
            "press",
            {
                "keys": _keys(keys),
                "gap_ms": gap_ms,
                "if_entry": if_entry,
                "if_inputs": if_inputs,
                "if_hold": if_hold,
                "wait": wait,
                "observe": observe,
            },
        )

    async def restart(
        self,
        *,
        signal: Optional[Union[str, int]] = None,
        grace_ms: Optional[int] = None,
        if_file: Optional[Mapping[str, Any]] = None,
        force: Optional[bool] = None,
    ) -> Reply:
        """Start the program of a terminal again, in the same terminal.

        The program is ended as by `kill` if it still runs (with `signal`, that signal comes first); then the same program starts with the same arguments, directory and environment, at the size of now. The terminal keeps its id, labels, parent, triggers and control; revisions, line numbers and counts of input and output go on. Its screen and scrollback are emptied. If the program cannot start any more, for example since it is not installed any more, nothing is ended.

        signal: Sent to the foreground process group first: name ("SIGINT", "int") or number.
        grace_ms: Time to end by itself after each signal. Default: the configuration's.
        if_file: Start only if this file holds this text at the instant of the start, else `file_changed`.
        force: Also while another name has control. A person alone may.

        Reply: pid, generation, warning.
        """
        return await self._call(
            "restart",
            {
                "signal": signal,
                "grace_ms": grace_ms,
                "if_file": if_file,
                "force": force,
            },
        )

    async def send(
        self,
        input: Union[str, bytes],
        *,
        secret: Optional[bool] = None,
        even_if_shown: Optional[bool] = None,
        if_inputs: Optional[int] = None,
        if_hold: Optional[int] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Write input to a terminal, exactly as given.

        Exactly one of `input` and `input_base64`, at most 1 MiB. A line ends with "\\r" or "\\n". Ctrl+C alone (0x03; also 0x1a and 0x1c) overtakes input that the program has not read yet.

        input: Text, written as UTF-8.
        secret: The text is a secret line: written only while a program is known to read without echo, else `would_echo`; never logged.
        even_if_shown: For a person who has looked at the prompt: write the secret although the terminal may show it. No tool of a model has this field.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.
        if_hold: Write only while this hold lasts (`hold` of `control`), else `not_holder`.
        wait: Wait after the act. The wait starts before it, so that nothing is missed; only what comes after the act counts.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return await self._call(
            "send",
            {
                **_input(input),
                "secret": secret,
                "even_if_shown": even_if_shown,
                "if_inputs": if_inputs,
                "if_hold": if_hold,
                "wait": wait,
                "observe": observe,
            },
        )

    async def paste(
        self,
        text: Optional[str] = None,
        *,
        text_base64: Optional[str] = None,
        submit: Optional[bool] = None,
        secret: Optional[bool] = None,
        even_if_shown: Optional[bool] = None,
        if_inputs: Optional[int] = None,
        if_hold: Optional[int] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Paste text, as from a clipboard.

        Exactly one of `text` and `text_base64`, at most 1 MiB. The paste is bracketed if the program has asked for that (mode 2004). Line breaks are sent as CR, as terminals do. Control characters except tab and line break are removed, so that pasted text can neither act as a key nor end the bracket. Ctrl+C by `press` or `send` interrupts a paste.

        text: The text to paste.
        text_base64: The text as UTF-8 in base64.
        submit: Press Enter afterwards, in a write of its own.
        secret: The text is a secret line: written only while a program is known to read without echo, else `would_echo`; never logged.
        even_if_shown: For a person who has looked at the prompt: write the secret although the terminal may show it. No tool of a model has this field.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.
        if_hold: Write only while this hold lasts (`hold` of `control`), else `not_holder`.
        wait: Wait after the act. The wait starts before it, so that nothing is missed; only what comes after the act counts.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: bytes_sent, bracketed, removed, warning, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return await self._call(
            "paste",
            {
                "text": text,
                "text_base64": text_base64,
                "submit": submit,
                "secret": secret,
                "even_if_shown": even_if_shown,
                "if_inputs": if_inputs,
                "if_hold": if_hold,
                "wait": wait,
                "observe": observe,
            },
        )

    async def mouse(
        self,
        action: Literal["click", "press", "release", "move", "drag", "scroll"],
        *,
        row: Optional[int] = None,
        col: Optional[int] = None,
        on_text: Optional[str] = None,
        on_regex: Optional[str] = None,
        match_index: Optional[int] = None,
        to_row: Optional[int] = None,
        to_col: Optional[int] = None,
        button: Optional[Literal["left", "middle", "right", "back", "forward"]] = None,
        modifiers: Optional[Sequence[str]] = None,
        clicks: Optional[int] = None,
        direction: Optional[Literal["up", "down", "left", "right"]] = None,
        steps: Optional[int] = None,
        if_inputs: Optional[int] = None,
        if_hold: Optional[int] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Click, drag or turn the wheel.

        The place is a cell (`row` and `col`) or the middle of a match (`on_text` or `on_regex`). The action is encoded for the mouse mode that the program has set. If it has set none, or one that does not report the action, the error is `mouse_off` and names the mode.

        action: The action; a click is a press and a release.
        row: 0-based row.
        col: 0-based column.
        on_text: The middle of this text, in place of row and col.
        on_regex: The middle of a match, in place of row and col.
        match_index: Which match, from the top; -1 is the last one.
        to_row: Row where a drag ends.
        to_col: Column where a drag ends.
        button: Default: left; none for a move.
        modifiers: Keys held during the action: shift, alt, ctrl.
        clicks: 2 for a double click.
        direction: Direction of a scroll.
        steps: Steps of a scroll.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.
        if_hold: Write only while this hold lasts (`hold` of `control`), else `not_holder`.
        wait: Wait after the act. The wait starts before it, so that nothing is missed; only what comes after the act counts.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: row, col, text, reports, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return await self._call(
            "mouse",
            {
                "action": action,
                "row": row,
                "col": col,
                "on_text": on_text,
                "on_regex": on_regex,
                "match_index": match_index,
                "to_row": to_row,
                "to_col": to_col,
                "button": button,
                "modifiers": modifiers,
                "clicks": clicks,
                "direction": direction,
                "steps": steps,
                "if_inputs": if_inputs,
                "if_hold": if_hold,
                "wait": wait,
                "observe": observe,
            },
        )

    async def focus(
        self,
        *,
        focused: Optional[bool] = None,
        if_inputs: Optional[int] = None,
        if_hold: Optional[int] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Report to the program that its terminal has gained or lost the focus.

        The error is `focus_off` if the program has not asked for focus events (mode 1004).

        focused: Report that the terminal gained the focus; false: that it lost it.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.
        if_hold: Write only while this hold lasts (`hold` of `control`), else `not_holder`.
        wait: Wait after the act. The wait starts before it, so that nothing is missed; only what comes after the act counts.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return await self._call(
            "focus",
            {
                "focused": focused,
                "if_inputs": if_inputs,
                "if_hold": if_hold,
                "wait": wait,
                "observe": observe,
            },
        )

    async def resize(
        self,
        cols: int,
        rows: int,
        *,
        if_inputs: Optional[int] = None,
        if_hold: Optional[int] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Change the size of the grid; the program gets SIGWINCH.

        cols: Columns of the grid.
        rows: Rows of the grid.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.
        if_hold: Write only while this hold lasts (`hold` of `control`), else `not_holder`.
        wait: Wait after the act. The wait starts before it, so that nothing is missed; only what comes after the act counts.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: cols, rows, rev, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return await self._call(
            "resize",
            {
                "cols": cols,
                "rows": rows,
                "if_inputs": if_inputs,
                "if_hold": if_hold,
                "wait": wait,
                "observe": observe,
            },
        )

    async def clear(
        self,
        *,
        scrollback: Optional[bool] = None,
        screen: Optional[bool] = None,
        reset: Optional[bool] = None,
        if_inputs: Optional[int] = None,
        if_hold: Optional[int] = None,
        wait: Optional[Mapping[str, Any]] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Clear the scrollback or the screen; the program gets no notice.

        It needs at least one of its switches. A program that draws, as a shell does with its prompt, does not know of it: `press` Ctrl+L makes a shell clear its screen itself. Recordings and the past keep what was cleared.

        scrollback: Drop the lines above the screen.
        screen: Erase the screen; the cursor goes to its first cell.
        reset: Also end what a program has left: the alternate screen, modes of mouse, keyboard and paste, margins, colours.
        if_inputs: Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.
        if_hold: Write only while this hold lasts (`hold` of `control`), else `not_holder`.
        wait: Wait after the act. The wait starts before it, so that nothing is missed; only what comes after the act counts.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: rev, wait, doing, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return await self._call(
            "clear",
            {
                "scrollback": scrollback,
                "screen": screen,
                "reset": reset,
                "if_inputs": if_inputs,
                "if_hold": if_hold,
                "wait": wait,
                "observe": observe,
            },
        )

    async def control(
        self,
        action: Literal["show", "take", "release", "give", "deny"],
        *,
        to: Optional[str] = None,
        person: Optional[bool] = None,
        reason: Optional[str] = None,
        note: Optional[str] = None,
        lease_ms: Optional[int] = None,
        connected: Optional[bool] = None,
        exclusive: Optional[bool] = None,
        wait_ms: Optional[int] = None,
        force: Optional[bool] = None,
    ) -> Reply:
        """Take the keyboard of a terminal, give it back, or hand it over.

        A name (`as` of the request) has control, not a connection, unless it takes it with `exclusive`. By default no name has it, and all may type. While one has it, input of all others is refused with `control_held`, and never queued; so are `kill`, `restart`, `forget`, changes of labels, new triggers that act on the terminal, and the removal of triggers of others, unless a person sends them with `force`. Commands that read are not refused, nor are ends that no request asks for: of a tied terminal, of `run`, of the daemon, and by triggers on "disconnected". An agent takes control that is free; while another agent has it, it waits in line for `wait_ms`; while a person has it, the take becomes a request, which the person gives or denies. A person takes it from an agent at once, and from another person with `force`. A take comes between two requests, never between a text and its Enter; with `force` it cuts them short, and closes a paste. Control of an agent ends 60 s after its last input, but neither in an unfinished line nor at a prompt that hides the input or may hide it; where a person has a lease, an unfinished line counts for 20 s after the last key. Then the first in line has it. Names are cooperative, and no protection against programs of the same user.

        action: "release" also withdraws a request; "give" and "deny" answer one.
        to: With "give" and "deny": whose request. Default: the first one.
        person: With "take": the author is a person.
        reason: With "take": shown to the others.
        note: With "release", "give" and "deny": for the next one.
        lease_ms: With "take": time after the last input at which control ends. An agent that leaves it out has 60 s, a person no end.
        connected: With "take": ends 10 s after this connection has gone, too.
        exclusive: With "take": for this connection alone. To it, the same name on another connection is another name. Implies `connected`; for 10 s after the end of the connection all of the name have it.
        wait_ms: With "take": longest wait in line while another name has control.
        force: With "take" and `person`: also from a person, in the middle of input.

        Reply: holder, hold, requests, expires_in_ms, rev, inputs.
        """
        return await self._call(
            "control",
            {
                "action": action,
                "to": to,
                "person": person,
                "reason": reason,
                "note": note,
                "lease_ms": lease_ms,
                "connected": connected,
                "exclusive": exclusive,
                "wait_ms": wait_ms,
                "force": force,
            },
        )

    async def ask(
        self,
        question: Optional[str] = None,
        *,
        kind: Optional[Literal["text", "choice", "confirm", "secret", "hand"]] = None,
        choices: Optional[Sequence[str]] = None,
        submit: Optional[bool] = None,
        timeout_ms: Optional[int] = None,
        expires_ms: Optional[int] = None,
        resume: Optional[int] = None,
        withdraw: Optional[int] = None,
        elicited: Optional[str] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Ask a person a question, and wait for the answer.

        Persons see the question in `asks`, and where they watch the terminal. At the deadline the outcome is "open": the question stays, and `resume` waits on. The answer to a "secret" is typed into the terminal and is in no reply; if the terminal would show it, the person must insist. A "hand" is accepted by a person who takes control of the terminal, and answered by its release, with a note. The answer to a text or a choice may also come from the interface of the asker itself (`elicited`): it counts if it is the first, and is not known to be that of a person. Outcomes: "answered", "declined", "open", "withdrawn" by the asker (`withdraw`, or the end of its first request), "expired" after `expires_ms`, "exited" with the terminal. At most 64 questions are open, 16 of one connection and 4 of one name. One whose connection has gone, and for which no request waits, gives way to a new one: it is "withdrawn".

        question: Words for a person.
        kind: Kind of the answer.
        choices: With "choice": the answers.
        submit: With "secret": press Enter after it.
        timeout_ms: Longest wait of this request; the question then stays open.
        expires_ms: The question is dropped after this time.
        resume: Number of an open question of your name to wait for, in place of a new one.
        withdraw: Drop this question of your name.
        elicited: With `resume` of an own question, "text" or "choice": what the interface of the asker was answered. Ignored if the question has ended.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: ask, outcome, answer, note, by, person, watchers, changed, rev, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return await self._call(
            "ask",
            {
                "question": question,
                "kind": kind,
                "choices": choices,
                "submit": submit,
                "timeout_ms": timeout_ms,
                "expires_ms": expires_ms,
                "resume": resume,
                "withdraw": withdraw,
                "elicited": elicited,
                "observe": observe,
            },
        )

    async def record(
        self,
        action: Optional[Literal["start", "stop", "mark", "flush", "status"]] = None,
        *,
        path: Optional[str] = None,
        title: Optional[str] = None,
        input: Optional[bool] = None,
        label: Optional[str] = None,
    ) -> Reply:
        """Record a terminal as an asciicast (v3), which asciinema and its players read.

        The file has the output, changes of size, markers, the command lines of a shell with marks as markers, and the exit status; input only with `input`. It is new, and its owner alone may read it. A recording that starts late begins with the state of the screen: both buffers, without the scrollback, and all that changes how later output is shown. It ends with `stop`, with the program, or with a `warning` when the disk is full. Output that a slow disk has no room for is left out, with a `warning`, a marker "gap" and a repaint of the screen.

        action: `mark` adds a marker. "flush" replies once all so far is in the file; with `redact` a word that has no end yet is masked. `status` only reports.
        path: With `start`: the new file, with .gz compressed. Default: one in the folder that `recordings` lists.
        title: With `start`: title of the recording.
        input: With `start`: also input that is certain to be shown, of reads with echo and at the prompt of a shell with marks; never a `secret`, and nothing that is typed while echo is off.
        label: With `mark`: text of the marker.

        Reply: path, live, size, duration_ms, gaps, masked.
        """
        return await self._call(
            "record",
            {
                "action": action,
                "path": path,
                "title": title,
                "input": input,
                "label": label,
            },
        )

    async def wait(
        self,
        until: Union[Mapping[str, Any], Sequence[Mapping[str, Any]]],
        *,
        where: Optional[Mapping[str, Any]] = None,
        fail: Optional[Union[Mapping[str, Any], Sequence[Mapping[str, Any]]]] = None,
        timeout_ms: Optional[int] = None,
        fresh: Optional[bool] = None,
        at_cursor: Optional[bool] = None,
        tail: Optional[int] = None,
        observe: Optional[Mapping[str, Any]] = None,
    ) -> Reply:
        """Wait for a condition, then report the screen.

        A condition that is true already counts. The reply comes with the first condition of `fail` or `until` that is true, at the deadline, or when the process has exited; `outcome` is the reason. With `where` the first terminal whose wait is met or failed ends it; else the last that exits, or the deadline. Conditions `published` alone need no terminal: without `id` and `where` the reply has no lines. Text and regular expressions are searched in each line on the screen and in each line that scrolls by, with wrapped rows joined.

        where: In place of `id`: the first of the terminals that these things are true of now, and that are alive.
        until: Conditions, each an object with one field; the first that is true ends the wait.
        fail: Conditions that end the wait as failed; they are checked first.
        timeout_ms: Deadline; it is an outcome, not an error.
        fresh: Count only what comes after the request, as commands that act always do.
        at_cursor: `text` and `regex` of `until` are looked for in the line of the cursor alone, while the program waits for input: a question, and no line of a log. Linux only.
        tail: Number of last lines of the screen in the reply.
        observe: Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.

        Reply: id, outcome, index, match, code, exit_code, shell_level, nothing_ran, signal, command, event, awaiting_input, doing, ignored, warning, elapsed_ms, rev, tail, observed, inputs, len, format, width, height, cell_width, cell_height, fitted, legibility, tokens, picture_region.
        """
        return await self._call(
            "wait",
            {
                "until": until,
                "where": where,
                "fail": fail,
                "timeout_ms": timeout_ms,
                "fresh": fresh,
                "at_cursor": at_cursor,
                "tail": tail,
                "observe": observe,
            },
        )

    async def report(
        self,
        state: Literal["idle", "working", "done", "blocked", "error", "clear"],
        *,
        kind: Optional[Literal["permission", "question", "auth"]] = None,
        path: Optional[str] = None,
        app: Optional[str] = None,
        msg: Optional[str] = None,
        title: Optional[str] = None,
        progress: Optional[int] = None,
        pid: Optional[int] = None,
        ttl_ms: Optional[int] = None,
    ) -> Reply:
        """Report what a program does, as a hook of it: for `doing`, after what it says by OSC 7501.

        A claim, with the grammar and the limits of OSC 7501: each report replaces the one of the same `path` whole, and "clear" drops it and those below; without `path` all. With a `pid` it ends with that process. It ends with `restart`, after `ttl_ms`, and all but "done" and "error" with the program of the terminal. It stands in `status` (`report`), and as a signal in `explain`.

        state: What the program does now; "clear": nothing is said any more.
        kind: With "blocked": what it asks for.
        path: Part of the program that does it, such as "build/tests", of up to 8 levels. Absent: the program itself.
        app: Name of the program: letters, digits, "_.+-".
        msg: Words without control characters, of up to 2,048 bytes.
        title: As `msg`, of up to 192 bytes.
        progress: Percent, with "working" and "blocked".
        pid: Process that does it, of the session of the terminal: the report ends with it.
        ttl_ms: The report ends after this time.

        Reply: report, doing.
        """
        return await self._call(
            "report",
            {
                "state": state,
                "kind": kind,
                "path": path,
                "app": app,
                "msg": msg,
                "title": title,
                "progress": progress,
                "pid": pid,
                "ttl_ms": ttl_ms,
            },
        )

    async def trigger(
        self,
        when: Union[Mapping[str, Any], Sequence[Mapping[str, Any]]],
        do: Sequence[Mapping[str, Any]],
        *,
        name: Optional[str] = None,
        once: Optional[bool] = None,
        fresh: Optional[bool] = None,
        reading: Optional[bool] = None,
        anywhere: Optional[bool] = None,
        with_connection: Optional[bool] = None,
    ) -> Reply:
        """Let the daemon act by itself whenever a condition becomes true.

        A trigger fires once for each appearance of its condition, and what holds already is one, unless `fresh`. Each firing is an event `triggered`. Keys and text go to a program that waits for input alone, for a `text` or `regex` only if the match stands in the line of the cursor then (unless `anywhere`), never to a password prompt, and under the name of the author of the request (`as`): while another name has control they are refused, and so is a trigger with actions on the terminal. An action that fails is a `warning`. A trigger that fires more than 50 times within a second is stopped, as is one that restarts its program more than 10 times within a minute; of a chain of triggers that fire each other eight fire. It ends with its terminal, and goes on when the program is started again.

        when: A condition of `wait`, `entry`, `after_ms` or `disconnected`; or several: any.
        do: Actions, one after the other; the first that fails is the last.
        name: For events and lists.
        once: It ends with its first firing.
        fresh: Only what comes after the request counts.
        reading: It fires only when the program waits for input, at most once for each input; then text in the line of the cursor counts again, although it never was gone. With `text` and `regex` alone. Linux only.
        anywhere: With `text` and `regex`: keys and text are sent wherever the match stands. Without it they are sent only if it stands in the line of the cursor while the program reads, and does so anew: in another line than at the last time, or as a new match in it.
        with_connection: It ends with the connection of the request.

        Reply: trigger, warning.
        """
        return await self._call(
            "trigger",
            {
                "when": when,
                "do": do,
                "name": name,
                "once": once,
                "fresh": fresh,
                "reading": reading,
                "anywhere": anywhere,
                "with_connection": with_connection,
            },
        )

    async def triggers(self) -> Reply:
        """List triggers: what each waits for, how often it fired, and what failed last.

        Reply: triggers.
        """
        return await self._call(
            "triggers",
            {},
        )

    async def watch(
        self,
        *,
        since: Optional[int] = None,
        state: Optional[int] = None,
        gather_ms: Optional[int] = None,
        at: Optional[Union[int, str]] = None,
        timeout_ms: Optional[int] = None,
    ) -> Reply:
        """Return what has changed on the screen since the last frame.

        A live view asks again and again, with the `rev` and the `state` of the frame that it has. The reply comes when one of the two differs, and has the difference: first `copied` rows of that frame, then `drawn` rows. Nothing is queued for a slow reader: it gets what the screen is when it asks. A frame with `complete` replaces all rows; those that are not in `drawn` are blank. It comes without `since`, if the daemon no longer has that frame (the last 8 frames are kept, for 10 s), and after a change of the size or of the screen. At the deadline the reply has the same `rev` and `state`, and empty lists. The fields from `cols` to `asks` are there if the frame is complete or `state` differs. The command does not change the meaning of "@".

        since: The `rev` of the frame that the asker has. Absent: reply at once.
        state: The `state` of that frame. Absent: the present one.
        gather_ms: After a change, longest wait until all output that has arrived is on the screen.
        at: Reply at once with the complete frame of this moment, as `at` of `text` has it. `state` is that of the request.
        timeout_ms:

        Reply: rev, state, complete, first_line, oldest, cursor, cols, rows, title, alt_screen, modes, colors, alive, bells, control, watchers, doing, asks, at, copied, drawn.
        """
        return await self._call(
            "watch",
            {
                "since": since,
                "state": state,
                "gather_ms": gather_ms,
                "at": at,
                "timeout_ms": timeout_ms,
            },
        )

    async def label(
        self,
        *,
        set: Optional[Mapping[str, Any]] = None,
        unset: Optional[Sequence[str]] = None,
        force: Optional[bool] = None,
    ) -> Reply:
        """Set and remove labels of a terminal, by which requests find it.

        A terminal has at most 32 labels, each of at most 1,024 characters. What they mean is up to their users.

        set: Labels to set.
        unset: Names of labels to remove.
        force: Also while another name has control. A person alone may.

        Reply: labels, parent.
        """
        return await self._call(
            "label",
            {
                "set": set,
                "unset": unset,
                "force": force,
            },
        )


# --- end of generated ---


class Client(_ClientCommands):
    """A connection to the daemon, for one call at a time: threads take turns.

    A call that was under way when the daemon went fails with ``connection_lost`` and is not repeated; the next one
    connects anew, and ``on_reconnect`` tells that: terminals of the former daemon are gone with it. Where another daemon
    takes its place (``replace``), terminals, calls and streams of events go on; what has acted is not repeated.
    """

    def __init__(self, place: _Place, *, scope: Optional[str] = None, as_: Optional[str] = None) -> None:
        self._place = place
        self._envelope = _Envelope(scope, as_)
        self._connection: Optional[_Connection] = None
        self._tools: Optional[_ToolProcess] = None
        self._turn = threading.RLock()
        self._closed = False
        #: Another daemon has taken over since the last connection was made.
        self._was_replaced = False
        #: Process id of the daemon that answers, or answered last.
        self.daemon_pid: Optional[int] = None
        #: What no other daemon has, where processes in containers share their numbers. None: an older daemon.
        self.daemon_instance: Optional[str] = None
        #: Called with the former daemon's pid and the present one's.
        self.on_reconnect: Optional[Callable[[int, int], None]] = None

    @property
    def socket_path(self) -> str:
        return self._place.socket_path

    @property
    def is_far(self) -> bool:
        """Whether the daemon is that of another host, which gets neither directory nor environment of this process."""
        return isinstance(self._place, _Route)

    def call(self, cmd: str, **fields: Any) -> Reply:
        """Any command, with its fields as the protocol has them. None stands for a field that is not given."""
        while True:
            try:
                reply = self._call_once(cmd, fields)
                resume = _resume_of(reply)
                return reply if resume is None else _whole(reply, self.call(**resume))
            except T4aError as error:
                cmd, fields = _request_again(error, cmd, fields)
                with self._turn:
                    self._drop()
                    self._was_replaced = True

    def _call_once(self, cmd: str, fields: Mapping[str, Any]) -> Reply:
        with self._turn:
            connection = self._reach()
            line = connection.line(cmd, {**self._envelope.understood, **_given(fields)})
            try:
                reply = connection.exchange(cmd, line)
            except OSError as error:
                self._drop()
                raise _lost(cmd, error) from None
            except BaseException:
                # Interrupted between request and reply: what comes next on the wire is not the next call's answer.
                self._drop()
                raise
        return _accepted(reply)

    def events(
        self,
        terminal: Optional[str] = None,
        *,
        types: Optional[Sequence[str]] = None,
        since: Optional[int] = None,
    ) -> EventStream:
        """Events as they come, on a connection of its own. Subscribed when this returns."""
        self._reach()
        fields = _given({"terminal": terminal, "types": types, "since": since})
        return EventStream(self._place, fields, self._envelope.understood)

    def tools(
        self,
        format: str = "anthropic",
        profile: str = _DEFAULT_PROFILE,
        *,
        allow: str = "create",
        tools: Optional[Sequence[str]] = None,
    ) -> List[Dict[str, Any]]:
        """The tools of a model, as ``tools`` in a request to that provider.

        format: "anthropic", "openai", "gemini" or "mcp".
        profile: "default": those that nearly every task needs, with the fields it needs; or "full".
        allow: "read", "use" or "create": tools and fields that need more are left out.
        tools: exactly these, also those that the profile does not have.
        """
        return _tool_schemas(self._place, format, profile, allow, tools)

    def call_tool(
        self,
        name: str,
        input: Optional[Mapping[str, Any]] = None,
        *,
        profile: str = _DEFAULT_PROFILE,
        allow: str = "create",
        tools: Optional[Sequence[str]] = None,
        run_deadline_ms: Optional[int] = None,
        tied: bool = False,
    ) -> ToolResult:
        """Execute a model's call of a tool: as ``callTool`` of the TypeScript library, which a process of its own runs.

        name: with or without its prefix ``t4a_``.
        profile, allow, tools: as of :meth:`tools`; what the model was not offered is refused.
        run_deadline_ms: longest ``timeout_ms`` of ``run``, and its default.
        tied: terminals of ``create`` end with this client.
        """
        self._reach()
        call = _tool_call(self._place, name, input, profile, allow, tools, run_deadline_ms, tied)
        with self._turn:
            if self._closed:
                raise T4aError("connection_lost", "The client was closed.")
            self._tools = tools = _tool_process(self._tools, self._place, self._envelope)
        answer = tools.ask(call)
        try:
            return _tool_result(answer.result())
        finally:
            # Interrupted: nobody waits for it any more.
            answer.cancel()

    def close(self) -> None:
        self._closed = True
        self._drop()
        if self._tools is not None:
            self._tools.close()

    def __repr__(self) -> str:
        return _repr_of_client(self)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, cmd: str, fields: Mapping[str, Any]) -> Reply:
        return self.call(cmd, **fields)

    def _reach(self) -> _Connection:
        """The open connection, or a new one, whose daemon is told to be another if it is."""
        with self._turn:
            if self._connection is not None and self._connection.has_ended():
                self._was_replaced = self._connection.was_replaced
                self._drop()
            if self._connection is None:
                if self._closed:
                    raise T4aError("connection_lost", "The client was closed.")
                before = (self.daemon_pid, self.daemon_instance)
                self._connection, pid, instance = self._shake_hands()
                self.daemon_pid, self.daemon_instance = now = (pid, instance)
                if before[0] is not None and self.on_reconnect is not None and not _is_successor(before, now):
                    self.on_reconnect(before[0], pid)
            return self._connection

    def _shake_hands(self) -> Tuple[_Connection, int, Optional[str]]:
        deadline = time.monotonic() + _START_TIMEOUT_S
        while True:
            opened = self._place.reopen(self._was_replaced)
            connection = _Connection(opened, self._place)
            try:
                opened.settimeout(_ANSWER_TIMEOUT_S)
                pong = _accepted(connection.exchange("ping", connection.line("ping", {})))
                opened.settimeout(None)
                pid = _checked_pid(pong)
                self._envelope.learn(pong)
                self._was_replaced = False
                return connection, pid, pong.get("instance")
            except socket.timeout:
                connection.close()
                raise _silent(self.socket_path) from None
            except (T4aError, OSError) as error:
                connection.close()
                if not _is_leaving(error) or time.monotonic() > deadline:
                    raise
                self._was_replaced = _says_replaced(error)
            except BaseException:
                connection.close()
                raise
            time.sleep(_RETRY_S)

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


class Terminal(_TerminalCommands):
    """One terminal, to be typed into and looked at. Leaving its ``with`` block ends its program."""

    def __init__(self, client: Client, id: str, pid: int, *, owns_client: bool = False) -> None:
        self.client = client
        self.id = id
        self.pid = pid
        self._daemon = (client.daemon_pid, client.daemon_instance)
        self._owns_client = owns_client

    def call(self, cmd: str, **fields: Any) -> Reply:
        """Any command on this terminal, with its reply in full."""
        self.client._reach()
        _check_same_daemon(self.id, self._daemon, (self.client.daemon_pid, self.client.daemon_instance))
        return self.client.call(cmd, id=self.id, **fields)

    def observe(self) -> Observation:
        """A glance: picture, text and cursor of one and the same instant."""
        return _observation(self.call("wait", until={"cursor": {}}, observe=_EVERYTHING))

    def wait_for(self, until: Any, *, timeout_ms: Optional[int] = None, fail: Any = None) -> Reply:
        """As ``wait``, but what does not come (within 30 s unless told otherwise) raises :class:`WaitFailure`."""
        return _matched(self.id, until, self.call("wait", until=until, timeout_ms=timeout_ms, fail=fail))

    def wait_for_text(
        self, text: Union[str, Pattern[str]], *, timeout_ms: Optional[int] = None, fail: Any = None
    ) -> Reply:
        """The text is on the screen, or has scrolled by. Patterns are RE2's; of their flags IGNORECASE counts."""
        return self.wait_for(_text_condition(text), timeout_ms=timeout_ms, fail=fail)

    def wait_for_exit(self, *, timeout_ms: Optional[int] = None) -> ProgramEnd:
        """The process has ended, and all of its output is on the screen."""
        self.wait_for({"exit": True}, timeout_ms=timeout_ms)
        status = self.call("status")
        return ProgramEnd(status["exit_code"], status["signal"])

    def wait_for_done(self, *, timeout_ms: Optional[int] = None) -> CommandEnd:
        """The shell has no command under way. ``exit_code`` is None where the shell reports none, ``succeeded`` too."""
        return _command_end(self.wait_for({"done": True}, timeout_ms=timeout_ms))

    def events(self, *, types: Optional[Sequence[str]] = None, since: Optional[int] = None) -> EventStream:
        """Its events as they come; ends after ``removed``."""
        return self.client.events(self.id, types=types, since=since)

    def close(self, *, force: bool = False) -> None:
        """The terminal is gone after this, also if it was before.

        force: also while another name has control of it. A person alone may.
        """
        try:
            self.call("kill", **_given({"force": force or None}))
        except T4aError as error:
            if error.code not in _GONE:
                raise
        finally:
            if self._owns_client:
                self.client.close()

    def __repr__(self) -> str:
        return _repr_of_terminal(self)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, cmd: str, fields: Mapping[str, Any]) -> Reply:
        return self.call(cmd, **fields)


class EventStream:
    """Events of a subscription: iterate over it, and close it, also from another thread.

    The iteration of one terminal's events ends after ``removed``. It raises ``connection_lost`` when the daemon ends.
    """

    def __init__(self, place: _Place, fields: Mapping[str, Any], envelope: Mapping[str, str] = {}) -> None:
        #: Why it has ended: "removed" (the terminal of the subscription) or "closed"; None before, and after an error.
        self.ended: Optional[str] = None
        self._place = place
        self._request = {**envelope, **_events_request(fields)}
        self._terminal, self._types = _event_filter(fields)
        #: ``seq`` of the last event before the subscription.
        self.subscribed: int = self._subscribe(was_replaced=False)
        self._last_seq = fields.get("since", self.subscribed)

    def _subscribe(self, was_replaced: bool) -> int:
        place = self._place
        self._socket = place.reopen(was_replaced)
        self._file = self._socket.makefile("rb")
        try:
            self._socket.settimeout(_ANSWER_TIMEOUT_S)
            self._socket.sendall(_line({"cmd": "events", **self._request}))
            subscribed = int(_accepted(_parsed(self._file.readline(), "events"))["seq"])
            self._socket.settimeout(None)
            return subscribed
        except socket.timeout:
            self.close()
            raise _silent(place.socket_path) from None
        except OSError as error:
            self.close()
            raise _lost("events", error) from None
        except BaseException:
            self.close()
            raise

    def __iter__(self) -> Iterator[Event]:
        try:
            while True:
                line = self._next_line()
                if line is None:
                    return
                event, is_asked_for, end = _read_event(line, self._terminal, self._types, self.subscribed)
                self._last_seq = event.get("seq", self._last_seq)
                self.ended = self.ended or end
                if is_asked_for:
                    yield event
                if self.ended is not None:
                    return
                _raise_if_host_lost(event, self._terminal)
        finally:
            self._shut()

    def _next_line(self) -> Optional[bytes]:
        """None once it is closed. A line that is cut is none."""
        try:
            line = self._file.readline()
        except (OSError, ValueError):
            line = b""
        if _is_replaced(line) and self.ended is None:
            self._shut()
            self._request["since"] = self._last_seq
            self._subscribe(was_replaced=True)
            return self._next_line()
        if line.endswith(b"\n"):
            return line
        if self.ended == "closed":
            return None
        raise _daemon_ended()

    def close(self) -> None:
        self.ended = self.ended or "closed"
        self._shut()

    def _shut(self) -> None:
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()

    def __enter__(self) -> EventStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(_AsyncClientCommands):
    """As :class:`Client`, for asyncio: with any number of calls under way."""

    def __init__(self, place: _Place, *, scope: Optional[str] = None, as_: Optional[str] = None) -> None:
        self._place = place
        self._envelope = _Envelope(scope, as_)
        self._connection: Optional[_AsyncConnection] = None
        self._tools: Optional[_ToolProcess] = None
        self._opening: Optional[asyncio.Lock] = None
        self._closed = False
        self.daemon_pid: Optional[int] = None
        self.daemon_instance: Optional[str] = None
        self.on_reconnect: Optional[Callable[[int, int], None]] = None

    @property
    def socket_path(self) -> str:
        return self._place.socket_path

    @property
    def is_far(self) -> bool:
        """Whether the daemon is that of another host, which gets neither directory nor environment of this process."""
        return isinstance(self._place, _Route)

    async def call(self, cmd: str, **fields: Any) -> Reply:
        """Any command. Cancelling it gives up the reply; what the daemon does for it goes on."""
        while True:
            connection = await self._reach()
            try:
                reply = await connection.call(cmd, {**self._envelope.understood, **_given(fields)})
                resume = _resume_of(reply)
                return reply if resume is None else _whole(reply, await self.call(**resume))
            except T4aError as error:
                cmd, fields = _request_again(error, cmd, fields)

    async def events(
        self,
        terminal: Optional[str] = None,
        *,
        types: Optional[Sequence[str]] = None,
        since: Optional[int] = None,
    ) -> AsyncEventStream:
        """Events as they come, on a connection of its own. Subscribed when this returns."""
        await self._reach()
        fields = _given({"terminal": terminal, "types": types, "since": since})
        return await AsyncEventStream._open(self._place, fields, self._envelope.understood)

    async def tools(
        self,
        format: str = "anthropic",
        profile: str = _DEFAULT_PROFILE,
        *,
        allow: str = "create",
        tools: Optional[Sequence[str]] = None,
    ) -> List[Dict[str, Any]]:
        """As :meth:`Client.tools`."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(None, _tool_schemas, self._place, format, profile, allow, tools)

    async def call_tool(
        self,
        name: str,
        input: Optional[Mapping[str, Any]] = None,
        *,
        profile: str = _DEFAULT_PROFILE,
        allow: str = "create",
        tools: Optional[Sequence[str]] = None,
        run_deadline_ms: Optional[int] = None,
        tied: bool = False,
    ) -> ToolResult:
        """As :meth:`Client.call_tool`, any number at once. Cancelling it gives the call up."""
        await self._reach()
        call = _tool_call(self._place, name, input, profile, allow, tools, run_deadline_ms, tied)
        if self._closed:
            raise T4aError("connection_lost", "The client was closed.")
        self._tools = tools = _tool_process(self._tools, self._place, self._envelope)
        return _tool_result(await asyncio.wrap_future(tools.ask(call)))

    async def close(self) -> None:
        self._closed = True
        if self._tools is not None:
            self._tools.close()
        if self._connection is not None:
            await self._connection.close()

    def __repr__(self) -> str:
        return _repr_of_client(self)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _call(self, cmd: str, fields: Mapping[str, Any]) -> Reply:
        return await self.call(cmd, **fields)

    async def _reach(self) -> _AsyncConnection:
        # Made here: before Python 3.10 a lock belongs to the loop that runs when it is made.
        self._opening = self._opening or asyncio.Lock()
        async with self._opening:
            if self._connection is None or not self._connection.is_open:
                if self._closed:
                    raise T4aError("connection_lost", "The client was closed.")
                before = (self.daemon_pid, self.daemon_instance)
                self._connection, pid, instance = await self._shake_hands()
                self.daemon_pid, self.daemon_instance = now = (pid, instance)
                if before[0] is not None and self.on_reconnect is not None and not _is_successor(before, now):
                    self.on_reconnect(before[0], pid)
            return self._connection


    async def _shake_hands(self) -> Tuple[_AsyncConnection, int, Optional[str]]:
        deadline = time.monotonic() + _START_TIMEOUT_S
        was_replaced = self._connection is not None and self._connection.was_replaced
        while True:
            opened = await asyncio.get_running_loop().run_in_executor(None, self._place.reopen, was_replaced)
            connection = await _AsyncConnection.of(opened, self._place)
            try:
                pong = await asyncio.wait_for(connection.call("ping", {}), _ANSWER_TIMEOUT_S)
                pid = _checked_pid(pong)
                self._envelope.learn(pong)
                return connection, pid, pong.get("instance")
            except asyncio.TimeoutError:
                await connection.close()
                raise _silent(self.socket_path) from None
            except (T4aError, OSError) as error:
                await connection.close()
                if not _is_leaving(error) or time.monotonic() > deadline:
                    raise
                was_replaced = _says_replaced(error)
            await asyncio.sleep(_RETRY_S)


class AsyncTerminal(_AsyncTerminalCommands):
    """As :class:`Terminal`, for asyncio."""

    def __init__(self, client: AsyncClient, id: str, pid: int, *, owns_client: bool = False) -> None:
        self.client = client
        self.id = id
        self.pid = pid
        self._daemon = (client.daemon_pid, client.daemon_instance)
        self._owns_client = owns_client

    async def call(self, cmd: str, **fields: Any) -> Reply:
        """Any command on this terminal, with its reply in full."""
        await self.client._reach()
        _check_same_daemon(self.id, self._daemon, (self.client.daemon_pid, self.client.daemon_instance))
        return await self.client.call(cmd, id=self.id, **fields)

    async def observe(self) -> Observation:
        """A glance: picture, text and cursor of one and the same instant."""
        return _observation(await self.call("wait", until={"cursor": {}}, observe=_EVERYTHING))

    async def wait_for(self, until: Any, *, timeout_ms: Optional[int] = None, fail: Any = None) -> Reply:
        """As ``wait``, but what does not come (within 30 s unless told otherwise) raises :class:`WaitFailure`."""
        return _matched(self.id, until, await self.call("wait", until=until, timeout_ms=timeout_ms, fail=fail))

    async def wait_for_text(
        self, text: Union[str, Pattern[str]], *, timeout_ms: Optional[int] = None, fail: Any = None
    ) -> Reply:
        """The text is on the screen, or has scrolled by. Patterns are RE2's; of their flags IGNORECASE counts."""
        return await self.wait_for(_text_condition(text), timeout_ms=timeout_ms, fail=fail)

    async def wait_for_exit(self, *, timeout_ms: Optional[int] = None) -> ProgramEnd:
        """The process has ended, and all of its output is on the screen."""
        await self.wait_for({"exit": True}, timeout_ms=timeout_ms)
        status = await self.call("status")
        return ProgramEnd(status["exit_code"], status["signal"])

    async def wait_for_done(self, *, timeout_ms: Optional[int] = None) -> CommandEnd:
        """The shell has no command under way. ``exit_code`` is None where the shell reports none, ``succeeded`` too."""
        return _command_end(await self.wait_for({"done": True}, timeout_ms=timeout_ms))

    async def events(self, *, types: Optional[Sequence[str]] = None, since: Optional[int] = None) -> AsyncEventStream:
        """Its events as they come; ends after ``removed``."""
        return await self.client.events(self.id, types=types, since=since)

    async def close(self, *, force: bool = False) -> None:
        """As :meth:`Terminal.close`."""
        try:
            await self.call("kill", **_given({"force": force or None}))
        except T4aError as error:
            if error.code not in _GONE:
                raise
        finally:
            if self._owns_client:
                await self.client.close()

    def __repr__(self) -> str:
        return _repr_of_terminal(self)

    async def __aenter__(self) -> AsyncTerminal:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _call(self, cmd: str, fields: Mapping[str, Any]) -> Reply:
        return await self.call(cmd, **fields)


class AsyncEventStream:
    """As :class:`EventStream`, for ``async for``."""

    _reader: asyncio.StreamReader
    _writer: asyncio.StreamWriter

    def __init__(self, place: _Place, fields: Mapping[str, Any], envelope: Mapping[str, str]) -> None:
        self._place = place
        self._request = {**envelope, **_events_request(fields)}
        self._terminal, self._types = _event_filter(fields)
        self._last_seq: int = 0
        self.subscribed: int = 0
        #: As of :class:`EventStream`.
        self.ended: Optional[str] = None

    @classmethod
    async def _open(
        cls, place: _Place, fields: Mapping[str, Any], envelope: Mapping[str, str] = {}
    ) -> AsyncEventStream:
        stream = cls(place, fields, envelope)
        stream.subscribed = await stream._subscribe(was_replaced=False)
        stream._last_seq = fields.get("since", stream.subscribed)
        return stream

    async def _subscribe(self, was_replaced: bool) -> int:
        place = self._place
        opened = await asyncio.get_running_loop().run_in_executor(None, place.reopen, was_replaced)
        reader, writer = await asyncio.open_unix_connection(sock=opened, limit=_MAX_LINE_BYTES)
        self._reader, self._writer = reader, writer
        try:
            writer.write(_line({"cmd": "events", **self._request}))
            acknowledged = await asyncio.wait_for(reader.readline(), _ANSWER_TIMEOUT_S)
            return int(_accepted(_parsed(acknowledged, "events"))["seq"])
        except asyncio.TimeoutError:
            writer.close()
            raise _silent(place.socket_path) from None
        except BaseException:
            writer.close()
            raise

    async def __aiter__(self) -> AsyncIterator[Event]:
        try:
            while True:
                line = await self._next_line()
                if line is None:
                    return
                event, is_asked_for, end = _read_event(line, self._terminal, self._types, self.subscribed)
                self._last_seq = event.get("seq", self._last_seq)
                self.ended = self.ended or end
                if is_asked_for:
                    yield event
                if self.ended is not None:
                    return
                _raise_if_host_lost(event, self._terminal)
        finally:
            self._writer.close()

    async def _next_line(self) -> Optional[bytes]:
        try:
            line = await self._reader.readline()
        except (OSError, ValueError):
            line = b""
        if _is_replaced(line) and self.ended is None:
            self._writer.close()
            self._request["since"] = self._last_seq
            await self._subscribe(was_replaced=True)
            return await self._next_line()
        if line.endswith(b"\n"):
            return line
        if self.ended == "closed":
            return None
        raise _daemon_ended()

    def close(self) -> None:
        self.ended = self.ended or "closed"
        self._writer.close()

    async def __aenter__(self) -> AsyncEventStream:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()


class _Envelope:
    """What goes with every request, to a daemon that announces it: an older one refuses unknown fields."""

    def __init__(self, scope: Optional[str], as_: Optional[str]) -> None:
        self._fields = _given({"scope": scope or os.urandom(8).hex(), "as": as_})
        #: Of those the ones that the daemon understands, once it has answered ``ping``.
        self.understood: Dict[str, str] = {}

    def flags(self) -> List[str]:
        """The author of a command line."""
        return [f"--as={self._fields['as']}"] if "as" in self._fields else []

    def variables(self) -> Dict[str, str]:
        return {"T4A_SCOPE": self._fields["scope"]}

    def learn(self, pong: Reply) -> None:
        features = pong.get("features") or ()
        self.understood = {name: value for name, value in self._fields.items() if name in features}


class _ToolProcess:
    """``t4a tools --serve``, which executes calls of tools: what it says is that of every other harness."""

    def __init__(self, place: _Place, envelope: _Envelope) -> None:
        command_line = place.command_line("tools", "--serve", "--json", *envelope.flags())
        self._last_req = 0
        self._pending: Dict[int, concurrent.futures.Future[Reply]] = {}
        self._turn = threading.Lock()
        #: Apart from the turn: while a write waits for the process, what that says has to be read.
        self._writing = threading.Lock()
        self.is_open = True
        self._complaints = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            command_line,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            env={**os.environ, **envelope.variables()},
            # A key that interrupts this program is not for the process.
            start_new_session=True,
        )
        threading.Thread(target=self._read, daemon=True).start()

    def ask(self, call: Mapping[str, Any]) -> concurrent.futures.Future[Reply]:
        """The answer to come; cancelling it gives the call up."""
        answer: concurrent.futures.Future[Reply] = concurrent.futures.Future()
        with self._turn:
            self._last_req += 1
            req = self._last_req
            line = _line({"req": req, **call})
            if self.is_open:
                self._pending[req] = answer
            else:
                answer.set_exception(self._ended())
        self._write(line)
        answer.add_done_callback(lambda done: self._cancel(req) if done.cancelled() else None)
        return answer

    def _cancel(self, req: int) -> None:
        with self._turn:
            is_under_way = self._pending.pop(req, None) is not None
        if is_under_way:
            self._write(_line({"cancel": req}))

    def _write(self, line: bytes) -> None:
        with self._writing:
            try:
                self._process.stdin.write(line)
                self._process.stdin.flush()
            except (OSError, ValueError):
                pass  # It has ended, and the reader says so.

    def _read(self) -> None:
        for line in self._process.stdout:
            reply = _parsed_or_none(line) or {}
            with self._turn:
                answer = self._pending.pop(reply.get("req"), None)
            # From now on it cannot be cancelled.
            if answer is not None and answer.set_running_or_notify_cancel():
                answer.set_result(reply)
        self._process.wait()
        with self._turn:
            self.is_open = False
            pending, self._pending = self._pending, {}
            ended = self._ended()
        for answer in pending.values():
            if answer.set_running_or_notify_cancel():
                answer.set_exception(ended)
        self._complaints.close()
        self._process.stdout.close()
        try:
            self._process.stdin.close()
        except OSError:
            pass

    def _ended(self) -> T4aError:
        said = ""
        if not self._complaints.closed:
            self._complaints.seek(0)
            said = self._complaints.read().decode(errors="replace").strip()
        message = f'"t4a tools --serve" has ended. {said}'.strip()
        return _error_of(_parsed_or_none(said) or {"code": "connection_lost", "error": message})

    def close(self) -> None:
        """Calls under way fail, and its tied terminals end."""
        if self._process.poll() is None:
            self._process.terminate()
        self._process.wait()


def _tool_process(present: Optional[_ToolProcess], place: _Place, envelope: _Envelope) -> _ToolProcess:
    return present if present is not None and present.is_open else _ToolProcess(place, envelope)


def _tool_call(
    place: _Place,
    name: str,
    input: Optional[Mapping[str, Any]],
    profile: str,
    allow: str,
    tools: Optional[Sequence[str]],
    run_deadline_ms: Optional[int],
    tied: bool,
) -> Dict[str, Any]:
    call = {"name": name, "input": {} if input is None else input, "profile": profile, "allow": allow}
    more = {"tools": None if tools is None else list(tools), "run_deadline_ms": run_deadline_ms, "tied": tied or None}
    call.update(_given(more))
    if not isinstance(place, _Route):
        # As they are now: programs start in them.
        call.update(cwd=os.getcwd(), env=dict(os.environ))
    return call


def _tool_result(reply: Reply) -> ToolResult:
    if "content" not in reply:
        raise _error_of(reply)
    return ToolResult([_tool_content(block) for block in reply["content"]], reply["is_error"])


def _tool_content(block: Dict[str, Any]) -> Dict[str, Any]:
    if block["type"] != "image":
        return block
    return {"type": "image", "mime_type": block["mimeType"], "data": base64.b64decode(block["data"])}


def _tool_schemas(
    place: _Place, format: str, profile: str, allow: str, tools: Optional[Sequence[str]]
) -> List[Dict[str, Any]]:
    flags = [f"--format={format}", f"--profile={profile}", f"--allow={allow}"]
    if tools is not None:
        flags.append(f"--tools={','.join(tools)}")
    done = subprocess.run(
        place.command_line("tools", "--json", *flags),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=_START_TIMEOUT_S,
        text=True,
    )
    if done.returncode != 0:
        raise _error_of(_parsed_or_none(done.stderr) or {"code": "usage", "error": done.stderr})
    schemas: List[Dict[str, Any]] = json.loads(done.stdout)
    return schemas


#: t4a is not in a registry yet.
_INSTALL = "In a checkout of t4a: npm pack, then npm install -g with the .tgz that it writes; or pass t4a_command."


class _Place:
    """Where the daemon listens, and what starts it."""

    def __init__(self, socket_path: Optional[str], auto_start: bool, t4a_command: Sequence[str]) -> None:
        named = socket_path or os.environ.get("T4A_SOCKET") or _configured_socket()
        self._named = os.path.abspath(named) if named else None
        #: Where the daemon was found last; before that, where it is expected.
        self.socket_path = self._named or "/tmp/t4a.sock"
        self._auto_start = auto_start
        self._t4a_command = tuple(t4a_command)

    def open(self) -> socket.socket:
        opened = self._try()
        if opened is None and self._auto_start:
            self._start()
            opened = self._try()
        if opened is None:
            raise T4aError("daemon_unreachable", f"{self._nobody_listens()}.", hint="t4a daemon")
        try:
            # Before anything is sent, which a stopped daemon would do when it is continued.
            self.check_not_stopped()
        except T4aError:
            opened.close()
            raise
        return opened

    def reopen(self, was_replaced: bool) -> socket.socket:
        """As :meth:`open`. Where another daemon has just taken over, a socket that was deleted is waited for."""
        end = time.monotonic() + (_AWAY_S if was_replaced else 0)
        while True:
            try:
                return self.open()
            except T4aError as error:
                if error.code != "daemon_unreachable" or time.monotonic() >= end:
                    raise
            time.sleep(_AWAY_RETRY_S)

    def command_line(self, *words: str) -> List[str]:
        """That command of t4a for this daemon."""
        self._check_program()
        return [*self._t4a_command, *words, f"--socket={self.socket_path}"]

    def _check_program(self) -> None:
        program = self._t4a_command[0]
        if shutil.which(program) is None:
            raise T4aError(
                "usage",
                f"The program {program!r}, which has the tools, is not on the PATH.",
                hint=_INSTALL,
            )

    def check_not_stopped(self, asked: Optional[str] = None) -> None:
        """A daemon that is stopped (SIGSTOP) answers nobody. On Linux that can be told from one that is slow."""
        pid = _stopped_holder(self.socket_path + ".lock")
        if pid is not None:
            message = f"The daemon (pid {pid}) is stopped by SIGSTOP and answers no requests."
            sent = "" if asked is None else f' "{asked}" reaches it once it is continued.'
            raise T4aError("daemon_stopped", message + sent, hint=f"kill -CONT {pid}")

    def _try(self) -> Optional[socket.socket]:
        if self._named is not None:
            self._check_owner()
            return self._connect(self._named)
        for path in _own_sockets():
            opened = self._connect(path)
            if opened is not None:
                self.socket_path = path
                return opened
        return None

    def _connect(self, path: str) -> Optional[socket.socket]:
        try:
            candidate = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        except OSError as error:
            raise _refused_sockets(error) from None
        try:
            candidate.connect(path)
            return candidate
        except (FileNotFoundError, ConnectionRefusedError):
            candidate.close()
            return None
        except OSError as error:
            candidate.close()
            hint = "Set T4A_SOCKET to a short path in a directory of your own."
            raise T4aError(
                "socket_path", f"The socket path {path!r} cannot be used: {error}.", hint=hint
            ) from None

    def _check_owner(self) -> None:
        """Whoever owns the socket reads what is typed into it. That holds for root as well."""
        try:
            found = os.lstat(self.socket_path)
        except OSError:
            return
        if not _is_ours(self.socket_path, found):
            raise T4aError(
                "socket_owner",
                f"{self.socket_path!r} belongs to another user (uid {found.st_uid}).",
                hint="Set T4A_SOCKET to a path in a directory of your own.",
            )

    def _start(self) -> None:
        """The command line starts the daemon and waits for it; two that do so at once agree on one."""
        program = self._t4a_command[0]
        if shutil.which(program) is None:
            raise T4aError(
                "daemon_unreachable",
                f"{self._nobody_listens()}, and the program {program!r} that starts one is not on the PATH.",
                hint=_INSTALL,
            )
        try:
            done = subprocess.run(
                # Where nobody names a path, the command line chooses one that is free.
                [*self._t4a_command, *(("--socket", self._named) if self._named else ()), "list", "--json"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=_START_TIMEOUT_S,
                text=True,
            )
        except subprocess.TimeoutExpired:
            raise T4aError(
                "daemon_unreachable", f"The daemon had not started after {_START_TIMEOUT_S} s."
            ) from None
        if done.returncode != 0:
            raise _error_of(_parsed_or_none(done.stderr) or {"code": "daemon_unreachable", "error": done.stderr})

    def _nobody_listens(self) -> str:
        elsewhere = "" if self._named else ", nor in a directory of your own"
        return f"No daemon listens on {self._named or '/tmp/t4a.sock'!r}{elsewhere}"


class _Route(_Place):
    """The way to the daemon of another host: ``t4a stdio`` at the other end of a pair of sockets, one for each connection."""

    def __init__(self, on: str, t4a_command: Sequence[str]) -> None:
        self.socket_path = on
        self._on = on
        self._t4a_command = tuple(t4a_command)

    def open(self) -> socket.socket:
        program = self._t4a_command[0]
        if shutil.which(program) is None:
            raise T4aError(
                "host_unreachable",
                f"The program {program!r} that leads to other hosts is not on the PATH.",
                hint=_INSTALL,
            )
        own, other = socket.socketpair()
        with other, tempfile.TemporaryFile() as complaints:
            process = subprocess.Popen(
                [*self._t4a_command, "stdio", "--json", f"--on={self._on}"],
                stdin=other,
                stdout=other,
                stderr=complaints,
                # A key that interrupts this program is not for the route.
                start_new_session=True,
            )
            other.close()
            opened = _RouteSocket(own, process)
            try:
                self._greet(opened)
            except (OSError, T4aError):
                opened.close()
                process.wait()
                complaints.seek(0)
                says = complaints.read().decode(errors="replace").strip()
                raise _error_of(
                    _parsed_or_none(says) or {"code": "host_unreachable", "error": says or f"{self._on!r} does not answer."}
                ) from None
            except BaseException:
                opened.close()
                raise
        return opened

    def command_line(self, *words: str) -> List[str]:
        self._check_program()
        return [*self._t4a_command, *words, f"--on={self._on}"]

    def check_not_stopped(self, asked: Optional[str] = None) -> None:
        """A process of another host cannot be looked at."""

    def _greet(self, opened: socket.socket) -> None:
        """Returns when the daemon has answered: until then, what ends the route is why there is none."""
        opened.settimeout(_START_TIMEOUT_S)
        opened.sendall(_line({"cmd": "ping"}))
        # To the end of the line and no further: what follows is for who asks next.
        said = b""
        while not said.endswith(b"\n"):
            byte = opened.recv(1)
            if byte == b"":
                raise _lost("ping")
            said += byte
        opened.settimeout(None)


class _RouteSocket(socket.socket):
    """One end of a pair; the process at the other ends with it."""

    def __init__(self, own: socket.socket, process: subprocess.Popen[bytes]) -> None:
        super().__init__(own.family, own.type, own.proto, own.detach())
        self._process = process
        # Whenever it ends, it is waited for.
        threading.Thread(target=process.wait, daemon=True).start()

    def close(self) -> None:
        super().close()
        if self._process.poll() is None:
            self._process.terminate()


def _place(socket_path: Optional[str], auto_start: bool, t4a_command: Sequence[str], on: Optional[str]) -> _Place:
    if on is None:
        return _Place(socket_path, auto_start, t4a_command)
    if socket_path is not None:
        raise TypeError("socket_path is of this machine, and on of another host: give one of them")
    return _Route(on, t4a_command)


def _own_sockets(tmp: str = "/tmp", run: str = "/run/user") -> List[str]:
    """Sockets of this user's, in the order in which a daemon is looked for where nobody names its path."""
    user = os.getuid()
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    directories = [os.path.join(tmp, f"t4a-{user}"), os.path.join(run, str(user))]
    if runtime.startswith("/"):
        directories.append(os.path.normpath(runtime))
    return [
        os.path.join(directory, "t4a.sock")
        for directory in [*filter(_is_own_directory, dict.fromkeys(directories)), tmp]
        if _is_own(os.path.join(directory, "t4a.sock"), stat.S_ISSOCK)
    ]


def _is_own_directory(path: str) -> bool:
    """Whoever else may write to it could swap the socket between the look and the use."""
    return _is_own(path, lambda mode: stat.S_ISDIR(mode) and not mode & 0o022)


def _is_own(path: str, is_fit: Callable[[int], bool]) -> bool:
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return _is_ours(path, found) and is_fit(found.st_mode)


#: The kernel's default for all users whom a user namespace does not know.
_OVERFLOW_UID = 65534


def _is_ours(path: str, found: os.stat_result) -> bool:
    """Where the caller's own number may stand for others as well, it is asked for what only an owner may do."""
    if found.st_uid != os.getuid():
        return False
    if found.st_uid != _OVERFLOW_UID or sys.platform != "linux":
        return True
    try:
        with open("/proc/self/uid_map", encoding="ascii") as file:
            if file.read().split() == ["0", "0", "4294967295"]:
                return True
    except OSError:
        pass  # No /proc: it may be so.
    try:
        os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns), follow_symlinks=False)
        return True
    except OSError:
        return False


def _refused_sockets(error: OSError) -> T4aError:
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return T4aError("daemon_unreachable", "Too many files are open.", hint="Raise the limit (ulimit -n).")
    name = errno.errorcode.get(error.errno or 0, str(error))
    return T4aError(
        "daemon_unreachable",
        f"No daemon can be started or reached: a sandbox refuses Unix sockets here ({name}).",
        hint="Allow Unix sockets (AF_UNIX) in the settings of the sandbox, or use t4a outside of it.",
    )


def _configured_socket() -> Optional[str]:
    """``socket`` in ``$XDG_CONFIG_HOME/t4a/config.json``, if that is there and may be read."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    if not base.startswith("/"):
        # A user of a container need not be in the list of users.
        home = os.path.expanduser("~")
        base = os.path.join(home if home.startswith("/") else "/", ".config")
    path = os.path.join(base, "t4a", "config.json")
    try:
        with open(path, encoding="utf-8") as file:
            fields = json.load(file)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return None
    except json.JSONDecodeError as error:
        raise T4aError("usage", f"In {path!r}, line {error.lineno}: {error.msg}.") from None
    except (OSError, UnicodeDecodeError, RecursionError) as error:
        raise T4aError("usage", f"{path!r} cannot be read ({error}).") from None
    given = fields.get("socket") if isinstance(fields, dict) else None
    if given is None or (isinstance(given, str) and given.startswith("/")):
        return given
    raise T4aError("usage", f"In {path!r}: \"socket\" is {given!r}: expected an absolute path.", field="socket")


def _stopped_holder(lock_path: str) -> Optional[int]:
    """Process id in the lock of a daemon, if that very process is stopped now."""
    try:
        # Non-blocking, so that a FIFO of that name cannot hold us up.
        with open(os.open(lock_path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            lock = _parsed_or_none(file.read(1024)) or {}
        pid, started = int(lock["pid"]), str(lock["started"])
        with open(f"/proc/{pid}/stat", "rb") as file:
            # Field 2, the program's name, may itself hold blanks and parentheses; 3 is the state, 22 the time of its start.
            state, *rest = file.read().rpartition(b")")[2].decode().split()
        return pid if state == "T" and started.endswith(f"/{rest[18]}") else None
    except (OSError, KeyError, TypeError, ValueError):
        return None


def _readable(opened: socket.socket, timeout_s: float) -> bool:
    poll = select.poll()
    poll.register(opened, select.POLLIN)
    return bool(poll.poll(timeout_s * 1000))


class _Connection:
    """One request after the other."""

    def __init__(self, opened: socket.socket, place: _Place) -> None:
        self._socket = opened
        self._place = place
        self._file = opened.makefile("rb")
        self._last_req = 0
        #: Whether it has ended because another daemon takes over.
        self.was_replaced = False

    def line(self, cmd: str, fields: Mapping[str, Any]) -> bytes:
        # Numbered, so that the header of a picture is not filled up with spaces.
        self._last_req += 1
        return _request(cmd, self._last_req, fields)

    def exchange(self, cmd: str, line: bytes) -> Reply:
        """The reply to that line, a refusal too. After an error nothing more can be asked."""
        try:
            self._socket.sendall(line)
        except BrokenPipeError:
            pass  # What the daemon said before it closed the connection is there to be read.
        if not _readable(self._socket, _LOOK_AFTER_S):
            self._place.check_not_stopped(cmd)
        while True:
            reply = _parsed(self._file.readline(), cmd)
            length = _length(reply)
            if length > 0:
                reply["bytes"] = self._file.read(length)
                if len(reply["bytes"]) < length:
                    raise _lost(cmd)
            # Without a number: what the daemon could not read.
            if reply.get("req", self._last_req) == self._last_req:
                return reply

    def has_ended(self) -> bool:
        """Whether the daemon has closed it since the last reply, or another takes over: nothing that is sent now reaches it."""
        self._socket.setblocking(False)
        try:
            self.was_replaced = _is_replaced(self._file.peek().partition(b"\n")[0])
            return self.was_replaced or self._socket.recv(1, socket.MSG_PEEK) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True
        finally:
            self._socket.setblocking(True)

    def close(self) -> None:
        self._file.close()
        self._socket.close()


class _AsyncConnection:
    """Any number of requests at once, told apart by their numbers."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, place: _Place) -> None:
        self._reader = reader
        self._writer = writer
        self._place = place
        self._pending: Dict[int, Tuple[str, asyncio.Future[Reply]]] = {}
        self._last_req = 0
        self.is_open = True
        #: Why nothing can be asked any more, where it is not that the daemon has gone.
        self._failure: Optional[T4aError] = None
        self._task = asyncio.ensure_future(self._read())

    @classmethod
    async def of(cls, opened: socket.socket, place: _Place) -> _AsyncConnection:
        return cls(*await asyncio.open_unix_connection(sock=opened, limit=_MAX_LINE_BYTES), place)

    @property
    def was_replaced(self) -> bool:
        """Whether it has ended because another daemon takes over."""
        return self._failure is not None and _says_replaced(self._failure)

    async def call(self, cmd: str, fields: Mapping[str, Any]) -> Reply:
        if not self.is_open:
            raise self._failure or _lost(cmd)
        self._last_req += 1
        req = self._last_req
        line = _request(cmd, req, fields)
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._pending[req] = (cmd, future)
        self._writer.write(line)
        try:
            if not (await asyncio.wait([future], timeout=_LOOK_AFTER_S))[0]:
                self._place.check_not_stopped(cmd)
            return _accepted(await future)
        finally:
            future.cancel()  # Nobody waits for it any more.

    async def close(self) -> None:
        self._task.cancel()
        self._finish()
        try:
            await self._writer.wait_closed()
        except OSError:
            pass

    async def _read(self) -> None:
        try:
            while True:
                line = await self._reader.readline()
                if not line.endswith(b"\n"):
                    return
                reply = _parsed(line, "")
                length = _length(reply)
                if length > 0:
                    reply["bytes"] = await self._reader.readexactly(length)
                if "req" not in reply and reply.get("code") == "replaced":
                    self._failure = _error_of(reply)
                    return
                _, future = self._pending.pop(reply.get("req"), (None, None))
                if future is not None and not future.done():
                    future.set_result(reply)
        except T4aError as error:
            self._failure = error
        except (OSError, ValueError, EOFError, RecursionError):
            pass  # What is pending is told below.
        finally:
            self._finish()

    def _finish(self) -> None:
        self.is_open = False
        self._writer.close()
        pending, self._pending = self._pending, {}
        for cmd, future in pending.values():
            if not future.done():
                future.set_exception(self._failure or _lost(cmd))


#: Longer than any line that the daemon writes.
_MAX_LINE_BYTES = 1 << 30

_GONE = ("terminal_not_found", "connection_lost")

_EVERYTHING = {"text": True, "cursor": True, "screenshot": True}


def _request(cmd: str, req: int, fields: Mapping[str, Any]) -> bytes:
    """No field of a caller replaces the command or the number."""
    return _line({"cmd": cmd, **fields, "cmd": cmd, "req": req})


def _line(request: Mapping[str, Any]) -> bytes:
    try:
        # JSON has no NaN: its line would be refused without a word on the field.
        return json.dumps(request, allow_nan=False).encode() + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        cmd = request.get("cmd")
        raise T4aError("invalid_field", f'A field of "{cmd}" cannot be sent: {error}.') from None


def _parsed(line: bytes, cmd: str) -> Reply:
    if not line.endswith(b"\n"):
        raise _lost(cmd)
    reply = _parsed_or_none(line)
    if reply is None:
        raise _not_t4a(line)
    return reply


def _length(reply: Reply) -> int:
    """Raw bytes that follow it."""
    length = reply.get("len", 0) if reply.get("ok") is True else 0
    if type(length) is not int or length < 0:
        raise _not_t4a(json.dumps(reply))
    return length


def _parsed_or_none(line: Union[bytes, str]) -> Optional[Reply]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _accepted(reply: Reply) -> Reply:
    if reply.get("ok") is not True:
        raise _error_of(reply)
    return {name: value for name, value in reply.items() if name not in ("ok", "req")}


def _error_of(reply: Reply) -> T4aError:
    details: Dict[str, Any] = {name: str(reply[name]) for name in ("hint", "closest", "field") if name in reply}
    if isinstance(reply.get("first"), int):
        details["first"] = reply["first"]
    if isinstance(reply.get("acted"), bool):
        details["acted"] = reply["acted"]
    if isinstance(reply.get("resume"), dict):
        details["resume"] = reply["resume"]
    return T4aError(str(reply.get("code", "internal")), str(reply.get("error", reply)).strip(), **details)


def _read_event(
    line: bytes, terminal: Optional[str], types: Optional[Sequence[str]], subscribed: int
) -> Tuple[Event, bool, Optional[str]]:
    """The event, whether it was asked for, and the end that it is. One from before the subscription is no end."""
    try:
        event = json.loads(line)
        name = event["event"]
    except (ValueError, RecursionError, KeyError, TypeError):
        raise _not_t4a(line) from None
    is_end = terminal is not None and name == "removed" and event.get("seq", 0) > subscribed
    return event, types is None or name in types or name in ("lagged", "host"), "removed" if is_end else None


def _raise_if_host_lost(event: Event, terminal: Optional[str]) -> None:
    """By a gateway: the host of the terminal is not reached any more."""
    if terminal is not None and event["event"] == "host" and event.get("state") == "down":
        raise T4aError("host_unreachable", f"The host {event.get('host')!r} is not reached any more.")


def _daemon_ended() -> T4aError:
    message = "The daemon has closed the stream of events: it has ended, or is shutting down."
    return T4aError("connection_lost", message, hint="t4a ping")


def _lost(cmd: str, error: Optional[OSError] = None) -> T4aError:
    why = "" if error is None or error.strerror is None else f" ({error.strerror})"
    return T4aError(
        "connection_lost", f'The daemon closed the connection{why}. "{cmd}" was not answered.', hint="t4a ping"
    )


def _not_t4a(said: Union[bytes, str]) -> T4aError:
    return T4aError("daemon_unreachable", f"What answers is not t4a ({said[:60]!r}).")


def _silent(socket_path: str) -> T4aError:
    return T4aError(
        "daemon_unreachable",
        f"The daemon on {socket_path!r} did not answer within {_ANSWER_TIMEOUT_S} s.",
        hint=f"Its log is {socket_path + '.log'!r}.",
    )


def _checked_pid(pong: Reply) -> int:
    if type(pong.get("protocol")) is not int or type(pong.get("pid")) is not int:
        raise _not_t4a(json.dumps(pong))
    if pong["protocol"] != PROTOCOL_VERSION:
        raise T4aError(
            "version_mismatch",
            f"The running daemon (t4a {pong.get('version')}, pid {pong['pid']}) speaks version {pong['protocol']} of the "
            f"protocol, this client version {PROTOCOL_VERSION}.",
            hint="t4a shutdown, or another T4A_SOCKET.",
        )
    return int(pong["pid"])


def _is_leaving(error: Exception) -> bool:
    """A daemon that has just ended, or is ending, may still take a connection: another will answer soon."""
    return isinstance(error, OSError) or (
        isinstance(error, T4aError) and error.code in ("connection_lost", "shutting_down", "replaced")
    )


def _says_replaced(error: Exception) -> bool:
    return isinstance(error, T4aError) and error.code == "replaced"


_Daemon = Tuple[Optional[int], Optional[str]]


def _is_successor(before: _Daemon, now: _Daemon) -> bool:
    """It has taken the place of the one before, with its terminals."""
    return before[1] is not None and before[1] == now[1] and before[0] != now[0]


def _request_again(error: T4aError, cmd: str, fields: Mapping[str, Any]) -> Tuple[str, Dict[str, Any]]:
    """What is asked of the daemon that has taken over. Raises the error, if it is another, or the request has acted."""
    # Security: the reply may be that of another host, which must not choose what is asked here.
    if _says_replaced(error) and isinstance(error.resume, dict) and error.resume.get("cmd") == cmd:
        request = dict(error.resume)
        return str(request.pop("cmd")), request
    if _says_replaced(error) and error.acted is False:
        return cmd, dict(fields)
    raise error


def _resume_of(reply: Reply) -> Optional[Dict[str, Any]]:
    """The wait that goes on, of an act that was done."""
    observed = reply.get("observed")
    if not isinstance(observed, dict) or observed.get("code") != "replaced":
        return None
    resume = observed.get("resume")
    # Security: as below.
    return resume if isinstance(resume, dict) and resume.get("cmd") == "wait" else None


def _whole(acted: Reply, waited: Reply) -> Reply:
    beside = {name: waited.pop(name) for name in ("observed", "inputs", "bytes", "len") if name in waited}
    wait = {name: value for name, value in waited.items() if name not in ("ok", "req")}
    return {**{name: value for name, value in acted.items() if name != "observed"}, "wait": wait, **beside}


def _is_replaced(line: bytes) -> bool:
    """Whether a line of a stream says that it goes on in another daemon."""
    parsed = _parsed_or_none(line) if line.startswith(b'{"ok":false') else None
    return parsed is not None and parsed.get("code") == "replaced"


def _check_same_daemon(id: str, mine: _Daemon, now: _Daemon) -> None:
    if mine != now and not _is_successor(mine, now):
        raise T4aError(
            "terminal_not_found",
            f'Terminal "{id}" is gone with its daemon (pid {mine[0]}).',
            hint="Launch it again: another daemon answers now.",
        )


def _repr_of_client(client: Union[Client, AsyncClient]) -> str:
    closed = " closed" if client._closed else ""
    return f"<t4a.{type(client).__name__} {client.socket_path!r} daemon_pid={client.daemon_pid}{closed}>"


def _repr_of_terminal(terminal: Union[Terminal, AsyncTerminal]) -> str:
    return f"<t4a.{type(terminal).__name__} {terminal.id!r} pid={terminal.pid} of {terminal.client.socket_path!r}>"


def _given(fields: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _program(
    command: Optional[Union[str, Sequence[str]]], cmd_args: Optional[Sequence[str]]
) -> Dict[str, Any]:
    if command is not None and cmd_args is not None:
        raise TypeError("takes command or cmd_args, not both")
    if isinstance(command, str):
        return {"command": command}
    return {"cmd_args": cmd_args if command is None else list(command)}


def _create_fields(
    command: Optional[Union[str, Sequence[str]]],
    cmd_args: Optional[Sequence[str]],
    cwd: Optional[str],
    env: Optional[Mapping[str, str]],
    is_far: bool,
) -> Dict[str, Any]:
    program = _program(["sh", "-c", command] if isinstance(command, str) else command, cmd_args)
    if is_far:
        # Security: what the caller's environment holds, keys among it, is not for other hosts.
        return _given({**program, "cwd": cwd, "env": env})
    inherited = {name: value for name, value in _without_npx(os.environ).items() if name not in _CALLERS_TERMINAL}
    return {
        **program,
        "cwd": os.path.abspath(cwd or "."),
        "env": {**inherited, **(env or {})},
        "inherit_env": False,
    }


def _without_npx(env: Mapping[str, str]) -> Mapping[str, str]:
    """The environment of who came through ``npx``, as it was before."""
    if env.get("npm_command") != "exec":
        return env
    set_by_npx = {
        "INIT_CWD": env.get("INIT_CWD"),
        "NODE": env.get("npm_node_execpath"),
        "COLOR": env.get("COLOR") if env.get("COLOR") in ("0", "1") else None,
        "EDITOR": env.get("VISUAL") or "vi",
    }
    kept = {
        name: value
        for name, value in env.items()
        if not name.startswith("npm_") and not (name in set_by_npx and value == set_by_npx[name])
    }
    if "PATH" in kept:
        # Its folders come first, and the one of node-gyp last of them.
        kept["PATH"] = re.sub(r"^(?:[^:]*/node_modules/\.bin/?(?::|$))*(?:[^:]*/node-gyp-bin/?(?::|$))?", "", kept["PATH"])
    return kept


def _keys(keys: Union[str, Sequence[str]]) -> Sequence[str]:
    return [keys] if isinstance(keys, str) else list(keys)


def _input(input: Union[str, bytes]) -> Dict[str, str]:
    if isinstance(input, bytes):
        return {"input_base64": base64.b64encode(input).decode()}
    return {"input": input}


def _text_condition(text: Union[str, Pattern[str]]) -> Dict[str, str]:
    if isinstance(text, str):
        return {"text": text}
    return {"regex": f"(?i){text.pattern}" if text.flags & re.IGNORECASE else text.pattern}


def _matched(id: str, until: Any, reply: Reply) -> Reply:
    if reply["outcome"] != "matched":
        raise WaitFailure(id, json.dumps(until), reply)
    return reply


def _command_end(reply: Reply) -> CommandEnd:
    return CommandEnd(reply.get("exit_code"), reply.get("signal"), reply.get("command"))


def _observation(reply: Reply) -> Observation:
    observed = reply["observed"]
    return Observation(reply["bytes"], "\n".join(observed["lines"]), observed["cursor"], observed["rev"])


def _text(reply: Reply, blank_lines: bool) -> str:
    lines = list(reply["lines"])
    while lines and lines[-1] == "" and not blank_lines:
        lines.pop()
    return "\n".join(lines)


def _picture(reply: Reply) -> Picture:
    return Picture(reply.pop("bytes", b""), reply)


def _event_filter(fields: Mapping[str, Any]) -> Tuple[Optional[str], Optional[Sequence[str]]]:
    return fields.get("terminal"), fields.get("types")


def _events_request(fields: Mapping[str, Any]) -> Dict[str, Any]:
    """``removed`` is asked for in any case: it is the end of a terminal's events."""
    types = fields.get("types")
    if types is None or fields.get("terminal") is None:
        return {**fields, "ack": True}
    return {**fields, "types": [*types, *(() if "removed" in types else ("removed",))], "ack": True}
