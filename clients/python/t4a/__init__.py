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
import json
import os
import re
import shutil
import socket
import subprocess
import threading
from typing import (
    Any,
    AsyncIterator,
    Callable,
    Dict,
    Iterator,
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
    "EventStream",
    "Observation",
    "Picture",
    "ProgramEnd",
    "T4aError",
    "Terminal",
    "WaitFailure",
    "async_attach",
    "async_connect",
    "async_launch",
    "attach",
    "connect",
    "launch",
]

PROTOCOL_VERSION = 1

#: Fields of a reply; raw bytes that followed it are under "bytes".
Reply = Dict[str, Any]

#: One event, as it stands on the wire.
Event = Dict[str, Any]

_START_TIMEOUT_S = 30

#: What describes the caller's own terminal, not the one that is made.
_CALLERS_TERMINAL = ("TERM", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "COLUMNS", "LINES", "T4A_TERMINAL")


class T4aError(Exception):
    """What the daemon refused, or why it could not be asked. ``code`` is one of the protocol's errors."""

    def __init__(self, code: str, message: str, **details: str) -> None:
        hint = details.get("hint")
        super().__init__(message if hint is None else f"{message} Hint: {hint}")
        self.code = code
        self.message = message
        self.hint = hint
        self.closest = details.get("closest")
        self.field = details.get("field")


class WaitFailure(Exception):
    """What was waited for did not come. ``reply`` is the daemon's; its ``tail`` are the last lines of the screen."""

    def __init__(self, terminal: str, what: str, reply: Reply) -> None:
        why = {
            "timeout": f"it had not come after {reply.get('elapsed_ms')} ms",
            "failed": 'a condition of "fail" came first',
            "exited": "the program exited first",
        }.get(reply["outcome"], reply["outcome"])
        screen = "\n".join(f"  | {line}" for line in reply.get("tail", ())) or "  (the screen is blank)"
        super().__init__(f"Waited for {what} in {terminal}: {why}.\n{screen}")
        self.reply = reply


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


class ProgramEnd(NamedTuple):
    """How a program ended; ``signal`` is the name of the signal that did it, else None."""

    exit_code: Optional[int]
    signal: Optional[str]


def connect(
    socket_path: Optional[str] = None,
    *,
    auto_start: bool = True,
    t4a_command: Sequence[str] = ("t4a",),
) -> Client:
    """Connect to the daemon, which is started where none runs.

    socket_path: default ``$T4A_SOCKET``, else ``/tmp/t4a.sock``.
    auto_start: False: raise ``daemon_unreachable`` where none runs.
    t4a_command: the command line program that starts one.
    """
    client = Client(_Place(socket_path, auto_start, t4a_command))
    client.ping()
    return client


async def async_connect(
    socket_path: Optional[str] = None,
    *,
    auto_start: bool = True,
    t4a_command: Sequence[str] = ("t4a",),
) -> AsyncClient:
    """As :func:`connect`, for asyncio."""
    client = AsyncClient(_Place(socket_path, auto_start, t4a_command))
    await client.ping()
    return client


def launch(
    command: Optional[str] = None,
    *,
    cmd_args: Optional[Sequence[str]] = None,
    cwd: Optional[str] = None,
    env: Optional[Mapping[str, str]] = None,
    client: Optional[Client] = None,
    socket_path: Optional[str] = None,
    t4a_command: Sequence[str] = ("t4a",),
    **fields: Any,
) -> Terminal:
    """Create a terminal and hold it.

    command: a line for ``sh -c``; or cmd_args: program and arguments. Without either, a shell.
    cwd, env: default to the caller's directory and environment; ``env`` is set on top of that.
    client: whose connection to use; else one of its own, closed with the terminal.
    fields: further fields of ``create``: cols, rows, name, …
    """
    own = client is None
    client = client or connect(socket_path, t4a_command=t4a_command)
    try:
        reply = client.call("create", **_create_fields(command, cmd_args, cwd, env), **fields)
        return Terminal(client, reply["id"], reply["pid"], owns_client=own)
    except BaseException:
        if own:
            client.close()
        raise


async def async_launch(
    command: Optional[str] = None,
    *,
    cmd_args: Optional[Sequence[str]] = None,
    cwd: Optional[str] = None,
    env: Optional[Mapping[str, str]] = None,
    client: Optional[AsyncClient] = None,
    socket_path: Optional[str] = None,
    t4a_command: Sequence[str] = ("t4a",),
    **fields: Any,
) -> AsyncTerminal:
    """As :func:`launch`, for asyncio."""
    own = client is None
    client = client or await async_connect(socket_path, t4a_command=t4a_command)
    try:
        reply = await client.call("create", **_create_fields(command, cmd_args, cwd, env), **fields)
        return AsyncTerminal(client, reply["id"], reply["pid"], owns_client=own)
    except BaseException:
        if own:
            await client.close()
        raise


def attach(id: str, client: Optional[Client] = None, socket_path: Optional[str] = None) -> Terminal:
    """Hold a terminal that is there already. Closing it ends its program, as with any."""
    own = client is None
    client = client or connect(socket_path)
    try:
        status = client.call("status", id=id)
        return Terminal(client, status["id"], status["pid"], owns_client=own)
    except BaseException:
        if own:
            client.close()
        raise


async def async_attach(
    id: str, client: Optional[AsyncClient] = None, socket_path: Optional[str] = None
) -> AsyncTerminal:
    """As :func:`attach`, for asyncio."""
    own = client is None
    client = client or await async_connect(socket_path)
    try:
        status = await client.call("status", id=id)
        return AsyncTerminal(client, status["id"], status["pid"], owns_client=own)
    except BaseException:
        if own:
            await client.close()
        raise


# --- generated: commands ---
# --- end of generated ---


class Client(_ClientCommands):
    """A connection to the daemon, for one call at a time: threads take turns.

    A call that was under way when the daemon went fails with ``connection_lost`` and is not repeated; the next one
    connects anew, and ``on_reconnect`` tells that: terminals of the former daemon are gone with it.
    """

    def __init__(self, place: _Place) -> None:
        self._place = place
        self._connection: Optional[_Connection] = None
        self._turn = threading.RLock()
        self._closed = False
        #: Process id of the daemon that answers, or answered last.
        self.daemon_pid: Optional[int] = None
        #: Called with the former daemon's pid and the present one's.
        self.on_reconnect: Optional[Callable[[int, int], None]] = None

    @property
    def socket_path(self) -> str:
        return self._place.socket_path

    def call(self, cmd: str, **fields: Any) -> Reply:
        """Any command, with its fields as the protocol has them. None stands for a field that is not given."""
        with self._turn:
            connection = self._reach()
            try:
                return connection.call(cmd, _given(fields))
            except OSError as error:
                self._drop()
                raise _lost(cmd, error) from None
            except BaseException as error:
                # Interrupted between request and reply: what comes next on the wire is not the next call's answer.
                if not isinstance(error, T4aError) or error.code == "connection_lost":
                    self._drop()
                raise

    def events(
        self,
        terminal: Optional[str] = None,
        *,
        types: Optional[Sequence[str]] = None,
        since: Optional[int] = None,
    ) -> EventStream:
        """Events as they come, on a connection of its own. Subscribed when this returns."""
        self._reach()
        return EventStream(self._place, _given({"terminal": terminal, "types": types, "since": since}))

    def close(self) -> None:
        self._closed = True
        self._drop()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, cmd: str, fields: Mapping[str, Any]) -> Reply:
        return self.call(cmd, **fields)

    def _reach(self) -> _Connection:
        """The open connection, or a new one, whose daemon is told to be another if it is."""
        with self._turn:
            if self._connection is None:
                if self._closed:
                    raise T4aError("connection_lost", "The client was closed.")
                connection = _Connection(self._place.open())
                pid = _checked_pid(connection.call("ping", {}))
                former, self.daemon_pid, self._connection = self.daemon_pid, pid, connection
                if former is not None and self.on_reconnect is not None:
                    self.on_reconnect(former, pid)
            return self._connection

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
        self._daemon_pid = client.daemon_pid
        self._owns_client = owns_client

    def call(self, cmd: str, **fields: Any) -> Reply:
        """Any command on this terminal, with its reply in full."""
        self.client._reach()
        _check_same_daemon(self.id, self._daemon_pid, self.client.daemon_pid)
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

    def events(self, *, types: Optional[Sequence[str]] = None, since: Optional[int] = None) -> EventStream:
        """Its events as they come; ends after ``removed``."""
        return self.client.events(self.id, types=types, since=since)

    def close(self) -> None:
        """The terminal is gone after this, also if it was before."""
        try:
            self.call("kill")
        except T4aError as error:
            if error.code not in _GONE:
                raise
        finally:
            if self._owns_client:
                self.client.close()

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, cmd: str, fields: Mapping[str, Any]) -> Reply:
        return self.call(cmd, **fields)


class EventStream:
    """Events of a subscription: iterate over it, and close it, also from another thread."""

    def __init__(self, place: _Place, fields: Mapping[str, Any]) -> None:
        self._socket = place.open()
        self._file = self._socket.makefile("rb")
        self._terminal, self._types = _event_filter(fields)
        self._socket.sendall(_line({"cmd": "events", **_events_request(fields)}))
        #: ``seq`` of the last event before the subscription.
        self.subscribed: int = _accepted(_parsed(self._file.readline(), "events"))["seq"]

    def __iter__(self) -> Iterator[Event]:
        try:
            for line in self._file:
                event = json.loads(line)
                if self._types is None or event["event"] in self._types or event["event"] == "lagged":
                    yield event
                if self._terminal is not None and event["event"] == "removed":
                    return
        except (OSError, ValueError):
            return  # Closed meanwhile.
        finally:
            self.close()

    def close(self) -> None:
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

    def __init__(self, place: _Place) -> None:
        self._place = place
        self._connection: Optional[_AsyncConnection] = None
        self._opening: Optional[asyncio.Lock] = None
        self._closed = False
        self.daemon_pid: Optional[int] = None
        self.on_reconnect: Optional[Callable[[int, int], None]] = None

    @property
    def socket_path(self) -> str:
        return self._place.socket_path

    async def call(self, cmd: str, **fields: Any) -> Reply:
        """Any command. Cancelling it gives up the reply; what the daemon does for it goes on."""
        connection = await self._reach()
        return await connection.call(cmd, _given(fields))

    async def events(
        self,
        terminal: Optional[str] = None,
        *,
        types: Optional[Sequence[str]] = None,
        since: Optional[int] = None,
    ) -> AsyncEventStream:
        """Events as they come, on a connection of its own. Subscribed when this returns."""
        await self._reach()
        return await AsyncEventStream._open(
            self._place, _given({"terminal": terminal, "types": types, "since": since})
        )

    async def close(self) -> None:
        self._closed = True
        if self._connection is not None:
            await self._connection.close()

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
                opened = await asyncio.get_running_loop().run_in_executor(None, self._place.open)
                connection = await _AsyncConnection.of(opened)
                pid = _checked_pid(await connection.call("ping", {}))
                former, self.daemon_pid, self._connection = self.daemon_pid, pid, connection
                if former is not None and self.on_reconnect is not None:
                    self.on_reconnect(former, pid)
            return self._connection


class AsyncTerminal(_AsyncTerminalCommands):
    """As :class:`Terminal`, for asyncio."""

    def __init__(self, client: AsyncClient, id: str, pid: int, *, owns_client: bool = False) -> None:
        self.client = client
        self.id = id
        self.pid = pid
        self._daemon_pid = client.daemon_pid
        self._owns_client = owns_client

    async def call(self, cmd: str, **fields: Any) -> Reply:
        """Any command on this terminal, with its reply in full."""
        await self.client._reach()
        _check_same_daemon(self.id, self._daemon_pid, self.client.daemon_pid)
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

    async def events(self, *, types: Optional[Sequence[str]] = None, since: Optional[int] = None) -> AsyncEventStream:
        """Its events as they come; ends after ``removed``."""
        return await self.client.events(self.id, types=types, since=since)

    async def close(self) -> None:
        """The terminal is gone after this, also if it was before."""
        try:
            await self.call("kill")
        except T4aError as error:
            if error.code not in _GONE:
                raise
        finally:
            if self._owns_client:
                await self.client.close()

    async def __aenter__(self) -> AsyncTerminal:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _call(self, cmd: str, fields: Mapping[str, Any]) -> Reply:
        return await self.call(cmd, **fields)


class AsyncEventStream:
    """As :class:`EventStream`, for ``async for``."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, fields: Mapping[str, Any]) -> None:
        self._reader = reader
        self._writer = writer
        self._terminal, self._types = _event_filter(fields)
        self.subscribed: int = 0

    @classmethod
    async def _open(cls, place: _Place, fields: Mapping[str, Any]) -> AsyncEventStream:
        opened = await asyncio.get_running_loop().run_in_executor(None, place.open)
        reader, writer = await asyncio.open_unix_connection(sock=opened, limit=_MAX_LINE_BYTES)
        stream = cls(reader, writer, fields)
        try:
            writer.write(_line({"cmd": "events", **_events_request(fields)}))
            stream.subscribed = _accepted(_parsed(await reader.readline(), "events"))["seq"]
            return stream
        except BaseException:
            writer.close()
            raise

    async def __aiter__(self) -> AsyncIterator[Event]:
        try:
            while True:
                line = await self._reader.readline()
                if not line:
                    return
                event = json.loads(line)
                if self._types is None or event["event"] in self._types or event["event"] == "lagged":
                    yield event
                if self._terminal is not None and event["event"] == "removed":
                    return
        except (OSError, ValueError):
            return  # Closed meanwhile.
        finally:
            self.close()

    def close(self) -> None:
        self._writer.close()

    async def __aenter__(self) -> AsyncEventStream:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()


class _Place:
    """Where the daemon listens, and what starts it."""

    def __init__(self, socket_path: Optional[str], auto_start: bool, t4a_command: Sequence[str]) -> None:
        self.socket_path = os.path.abspath(socket_path or os.environ.get("T4A_SOCKET") or "/tmp/t4a.sock")
        self._auto_start = auto_start
        self._t4a_command = tuple(t4a_command)

    def open(self) -> socket.socket:
        opened = self._try()
        if opened is None and self._auto_start:
            self._start()
            opened = self._try()
        if opened is None:
            raise T4aError("daemon_unreachable", f"No daemon listens on {self.socket_path!r}.", hint="t4a daemon")
        return opened

    def _try(self) -> Optional[socket.socket]:
        self._check_owner()
        candidate = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            candidate.connect(self.socket_path)
            return candidate
        except (FileNotFoundError, ConnectionRefusedError):
            candidate.close()
            return None
        except OSError as error:
            candidate.close()
            hint = "Set T4A_SOCKET to a short path in a directory of your own."
            raise T4aError(
                "socket_path", f"The socket path {self.socket_path!r} cannot be used: {error}.", hint=hint
            ) from None

    def _check_owner(self) -> None:
        """Whoever owns the socket reads what is typed into it. That holds for root as well."""
        try:
            owner = os.lstat(self.socket_path).st_uid
        except OSError:
            return
        if owner != os.getuid():
            raise T4aError(
                "socket_owner",
                f"{self.socket_path!r} belongs to another user (uid {owner}).",
                hint="Set T4A_SOCKET to a path in a directory of your own.",
            )

    def _start(self) -> None:
        """The command line starts the daemon and waits for it; two that do so at once agree on one."""
        program = self._t4a_command[0]
        if shutil.which(program) is None:
            raise T4aError(
                "daemon_unreachable",
                f"No daemon listens on {self.socket_path!r}, and the program {program!r} that starts one is not on the PATH.",
                hint="npm install -g t4a, or pass t4a_command.",
            )
        try:
            done = subprocess.run(
                [*self._t4a_command, "--socket", self.socket_path, "list", "--json"],
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


class _Connection:
    """One request after the other."""

    def __init__(self, opened: socket.socket) -> None:
        self._socket = opened
        self._file = opened.makefile("rb")
        self._last_req = 0

    def call(self, cmd: str, fields: Mapping[str, Any]) -> Reply:
        # Numbered, so that the header of a picture is not filled up with spaces.
        self._last_req += 1
        self._socket.sendall(_line({"cmd": cmd, "req": self._last_req, **fields}))
        reply = _accepted(_parsed(self._file.readline(), cmd))
        length = reply.get("len", 0)
        if length > 0:
            reply["bytes"] = self._file.read(length)
            if len(reply["bytes"]) < length:
                raise _lost(cmd)
        return reply

    def close(self) -> None:
        self._file.close()
        self._socket.close()


class _AsyncConnection:
    """Any number of requests at once, told apart by their numbers."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._pending: Dict[int, Tuple[str, asyncio.Future[Reply]]] = {}
        self._last_req = 0
        self.is_open = True
        self._task = asyncio.ensure_future(self._read())

    @classmethod
    async def of(cls, opened: socket.socket) -> _AsyncConnection:
        return cls(*await asyncio.open_unix_connection(sock=opened, limit=_MAX_LINE_BYTES))

    async def call(self, cmd: str, fields: Mapping[str, Any]) -> Reply:
        if not self.is_open:
            raise _lost(cmd)
        self._last_req += 1
        req = self._last_req
        line = _line({"cmd": cmd, "req": req, **fields})
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._pending[req] = (cmd, future)
        self._writer.write(line)
        return _accepted(await future)

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
                reply = json.loads(line)
                if reply.get("ok") and reply.get("len", 0) > 0:
                    reply["bytes"] = await self._reader.readexactly(reply["len"])
                _, future = self._pending.pop(reply.get("req"), (None, None))
                if future is not None and not future.done():
                    future.set_result(reply)
        except (OSError, ValueError, EOFError):
            pass  # What is pending is told below.
        finally:
            self._finish()

    def _finish(self) -> None:
        self.is_open = False
        self._writer.close()
        pending, self._pending = self._pending, {}
        for cmd, future in pending.values():
            if not future.done():
                future.set_exception(_lost(cmd))


#: Longer than any line that the daemon writes.
_MAX_LINE_BYTES = 1 << 30

_GONE = ("terminal_not_found", "connection_lost")

_EVERYTHING = {"text": True, "cursor": True, "screenshot": True}


def _line(request: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(request).encode() + b"\n"
    except (TypeError, ValueError) as error:
        cmd = request.get("cmd")
        raise T4aError("invalid_field", f'A field of "{cmd}" cannot be sent: {error}.') from None


def _parsed(line: bytes, cmd: str) -> Reply:
    if not line.endswith(b"\n"):
        raise _lost(cmd)
    reply = _parsed_or_none(line)
    if reply is None:
        raise T4aError("daemon_unreachable", f"What answers is not t4a ({line[:60]!r}).")
    return reply


def _parsed_or_none(line: Union[bytes, str]) -> Optional[Reply]:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _accepted(reply: Reply) -> Reply:
    if reply.get("ok") is not True:
        raise _error_of(reply)
    return {name: value for name, value in reply.items() if name not in ("ok", "req")}


def _error_of(reply: Reply) -> T4aError:
    details = {name: str(reply[name]) for name in ("hint", "closest", "field") if name in reply}
    return T4aError(str(reply.get("code", "internal")), str(reply.get("error", reply)).strip(), **details)


def _lost(cmd: str, error: Optional[OSError] = None) -> T4aError:
    why = "" if error is None or error.strerror is None else f" ({error.strerror})"
    return T4aError(
        "connection_lost", f'The daemon closed the connection{why}. "{cmd}" was not answered.', hint="t4a ping"
    )


def _checked_pid(pong: Reply) -> int:
    if pong["protocol"] != PROTOCOL_VERSION:
        raise T4aError(
            "version_mismatch",
            f"The running daemon (t4a {pong['version']}, pid {pong['pid']}) speaks version {pong['protocol']} of the "
            f"protocol, this client version {PROTOCOL_VERSION}.",
            hint="t4a shutdown, or another T4A_SOCKET.",
        )
    return int(pong["pid"])


def _check_same_daemon(id: str, mine: Optional[int], now: Optional[int]) -> None:
    if mine != now:
        raise T4aError(
            "terminal_not_found",
            f'Terminal "{id}" is gone with its daemon (pid {mine}).',
            hint="Launch it again: another daemon answers now.",
        )


def _given(fields: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _create_fields(
    command: Optional[str],
    cmd_args: Optional[Sequence[str]],
    cwd: Optional[str],
    env: Optional[Mapping[str, str]],
) -> Dict[str, Any]:
    if command is not None and cmd_args is not None:
        raise TypeError("launch takes command or cmd_args, not both")
    inherited = {name: value for name, value in os.environ.items() if name not in _CALLERS_TERMINAL}
    return {
        "cmd_args": cmd_args if command is None else ["sh", "-c", command],
        "cwd": os.path.abspath(cwd or "."),
        "env": {**inherited, **(env or {})},
        "inherit_env": False,
    }


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


def _observation(reply: Reply) -> Observation:
    observed = reply["observed"]
    return Observation(reply["bytes"], "\n".join(observed["lines"]), observed["cursor"], observed["rev"])


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
