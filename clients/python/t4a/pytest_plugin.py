"""Fixtures of pytest for tests of terminal programs; pip makes them known, a copy is named in ``pytest_plugins``.

    def test_help(t4a_launch, assert_screen):
        terminal = t4a_launch("less --help")
        terminal.wait_for_text("SUMMARY")
        assert_screen(terminal)                    # its text
        assert_screen(terminal, picture=True)      # its pixels

A snapshot lies in ``__snapshots__`` beside the test; ``pytest --t4a-update`` writes it, and one that is missing fails. What a failed test
showed is left in ``.t4a-failures`` (``--t4a-failures DIR``): the text, a picture and the recording of each of its terminals, and of a picture
that differs the one that was expected and the difference in red.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import struct
import zlib
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import pytest

import t4a

_FAILED = pytest.StashKey[bool]()
_MAX_NAME_LENGTH = 100
#: Signature of a PNG, and the chunk of its header, which is always the first.
_HEAD_BYTES = 8 + 25

#: Rows of pixels, each three bytes a pixel.
_Pixels = List[bytes]


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("t4a")
    group.addoption("--t4a-update", action="store_true", help="Write the snapshots of assert_screen anew.")
    group.addoption("--t4a-failures", default=".t4a-failures", help="Where failed tests leave what their terminals showed.")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: Any, call: Any) -> Iterator[None]:
    outcome = yield
    if call.when == "call":
        item.stash[_FAILED] = outcome.get_result().failed


@pytest.fixture
def t4a_client(request: Any) -> Iterator[t4a.Client]:
    """A connection of the test; ``T4A_COMMAND`` names another command than ``t4a``, as a JSON list."""
    with t4a.connect(t4a_command=json.loads(os.environ.get("T4A_COMMAND", '["t4a"]'))) as client:
        yield client


@pytest.fixture
def t4a_launch(request: Any, t4a_client: t4a.Client) -> Iterator[Callable[..., t4a.Terminal]]:
    """As ``t4a.launch``. The terminals are tied: they end with the test, also if its process is killed."""
    terminals: List[t4a.Terminal] = []

    def launch(command: Optional[Union[str, Sequence[str]]] = None, **fields: Any) -> t4a.Terminal:
        terminals.append(t4a.launch(command, client=t4a_client, **{"tied": True, **fields}))
        return terminals[-1]

    yield launch
    for terminal in terminals:
        if request.node.stash.get(_FAILED, False):
            _keep(request, terminal)
        terminal.close()


@pytest.fixture
def assert_screen(request: Any) -> Callable[..., None]:
    """``assert_screen(terminal, name=None, picture=False, tolerance=0)``: the screen is that of the snapshot. Wait first for what shall be there.

    ``picture`` may be a dict, fields of ``screenshot`` such as ``{"cursor": False}``; ``tolerance`` is how many pixels may differ.
    """
    taken: Dict[str, int] = {}

    def check(
        terminal: t4a.Terminal,
        name: Optional[str] = None,
        *,
        picture: Union[bool, Dict[str, Any]] = False,
        tolerance: int = 0,
    ) -> None:
        __tracebackhide__ = True
        if isinstance(tolerance, bool) or not isinstance(tolerance, int) or tolerance < 0:
            raise ValueError(f"tolerance is {tolerance!r}: expected a number of pixels, from 0.")
        drawn = picture is not False
        ending = "png" if drawn else "txt"
        label = _file_name(f"{request.node.name} {name or ''}")
        taken[label + ending] = taken.get(label + ending, 0) + 1
        label += f"-{taken[label + ending]}" if taken[label + ending] > 1 else ""
        snapshot = Path(request.node.path).parent / "__snapshots__" / Path(request.node.path).stem / f"{label}.{ending}"
        if drawn:
            shown = _with_facts(terminal, terminal.screenshot(**(picture if isinstance(picture, dict) else {})))
        else:
            shown = f"{terminal.text()}\n".encode()
        if request.config.getoption("--t4a-update"):
            snapshot.parent.mkdir(parents=True, exist_ok=True)
            snapshot.write_bytes(shown)
        elif not snapshot.exists():
            pytest.fail(f"There is no snapshot {snapshot}: pytest --t4a-update writes it.\n{terminal.text()}", pytrace=False)
        elif snapshot.read_bytes() != shown:
            differs = _picture_differs if drawn else _text_differs
            words = differs(snapshot.read_bytes(), shown, _artefact(request, label), tolerance)
            if words is not None:
                pytest.fail(f"{terminal!r} does not show {snapshot}: {words}", pytrace=False)

    return check


def _file_name(text: str) -> str:
    return re.sub(r"\W+", "-", text).strip("-")[:_MAX_NAME_LENGTH]


def _artefact(request: Any, label: str) -> Path:
    folder = Path(request.config.rootpath, request.config.getoption("--t4a-failures"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{Path(request.node.path).stem}-{label}"


def _keep(request: Any, terminal: t4a.Terminal) -> None:
    base = _artefact(request, _file_name(f"{request.node.name} {terminal.id}"))
    try:
        # As recordings: it may show secrets.
        for ending, shown in (("txt", f"{terminal.text()}\n".encode()), ("png", terminal.screenshot().bytes)):
            _write(Path(f"{base}.{ending}"), shown)
        _write(Path(f"{base}.cast"), terminal.export()["bytes"])
        words = f"What {terminal.id} showed: {base}.txt, {base}.png; to play it: t4a play {base}.cast"
    except (t4a.T4aError, OSError) as error:
        words = f"What {terminal.id} showed is not kept: {error}"
    request.node.add_report_section("teardown", "t4a", words)


def _write(path: Path, content: bytes) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)


def _text_differs(expected: bytes, shown: bytes, base: Path, tolerance: int) -> str:
    sides = (side.decode(errors="replace").splitlines() for side in (expected, shown))
    return "\n" + "\n".join(difflib.unified_diff(*sides, "snapshot", "screen", lineterm=""))


def _picture_differs(expected: bytes, shown: bytes, base: Path, tolerance: int) -> Optional[str]:
    """None if the pixels are the same, written another way, or as good as that."""
    kept = f"See {base}.actual.png and {base}.expected.png"
    words = None
    try:
        before, drawn = _pixels(expected), _facts(expected)
    except (ValueError, KeyError, IndexError, struct.error, zlib.error) as error:
        words = f"the snapshot cannot be read as a picture ({error}). {kept}."
    else:
        (width, height, rows), now = _pixels(shown), _facts(shown)
        words = _other_cells(drawn, now)
        if words is None and before[:2] != (width, height):
            words = f"it has {width}x{height} pixels, and the snapshot {before[0]}x{before[1]}"
        if words is not None:
            words = f"{words}. {kept}."
        else:
            count, difference = _difference(before[2], rows)
            if count <= tolerance:
                return None
            allowed = f", and {tolerance} may" if tolerance > 0 else ""
            versions = (drawn.get("version"), now["version"])
            other = f"; t4a {versions[0]} drew the snapshot, and this is {versions[1]}, whose fonts may differ" if versions[0] not in (None, versions[1]) else ""
            _write(Path(f"{base}.diff.png"), _png(width, height, difference))
            words = f"{count} of {width * height} pixels differ{allowed}{other}. {kept}; in red in {base}.diff.png."
    _write(Path(f"{base}.actual.png"), shown)
    _write(Path(f"{base}.expected.png"), expected)
    return words


_FACTS = ("cols", "rows", "cell_width", "cell_height")


def _with_facts(terminal: t4a.Terminal, picture: Any) -> bytes:
    """The picture with the size of its cells, and the version that drew it, as a text after the header."""
    facts = {**{name: picture.reply[name] for name in _FACTS}, "version": terminal.client.ping()["version"]}
    png: bytes = picture.bytes
    return png[:_HEAD_BYTES] + _chunk(b"tEXt", b"t4a\0" + json.dumps(facts).encode()) + png[_HEAD_BYTES:]


def _facts(png: bytes) -> Dict[str, Any]:
    """Empty for a picture that has it not."""
    text = _chunks(png).get(b"tEXt", b"")
    return json.loads(text[4:]) if text.startswith(b"t4a\0") else {}


def _other_cells(before: Dict[str, Any], now: Dict[str, Any]) -> Optional[str]:
    if not before:
        return None
    fonts = [f"{facts.get('cell_width')}x{facts.get('cell_height')}" for facts in (now, before)]
    if fonts[0] != fonts[1]:
        return f"its font has another size: cells of {fonts[0]} pixels, and the snapshot has cells of {fonts[1]} pixels"
    cells = [f"{facts.get('cols')}x{facts.get('rows')} cells" for facts in (now, before)]
    return None if cells[0] == cells[1] else f"the terminal has another size: {cells[0]}, and the snapshot has {cells[1]}"


def _difference(before: _Pixels, after: _Pixels) -> Tuple[int, _Pixels]:
    """What differs in red, over the screen in pale grey."""
    count = 0
    rows = []
    for old, new in zip(before, after):
        row = bytearray()
        for at in range(0, len(new), 3):
            if old[at : at + 3] != new[at : at + 3]:
                count += 1
                row += b"\xff\x00\x00"
            else:
                row += bytes([192 + sum(new[at : at + 3]) // 12]) * 3
        rows.append(bytes(row))
    return count, rows


def _pixels(png: bytes) -> Tuple[int, int, _Pixels]:
    """https://www.w3.org/TR/png-3/: of its forms those that t4a writes, eight bits a channel, not interlaced."""
    chunks = _chunks(png)
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    channels = {2: 3, 3: 1, 6: 4}.get(colour)
    if depth != 8 or channels is None or interlaced:
        raise ValueError(f"a PNG of {depth} bits and colour type {colour}")
    raw = zlib.decompress(chunks[b"IDAT"])
    stride = width * channels
    line = bytearray(stride)
    rows = []
    for y in range(height):
        start = y * (stride + 1)
        line = _unfiltered(raw[start], bytearray(raw[start + 1 : start + 1 + stride]), line, channels)
        rows.append(_colours(line, channels, chunks.get(b"PLTE", b"")))
    return width, height, rows


def _chunks(png: bytes) -> Dict[bytes, bytes]:
    chunks: Dict[bytes, bytes] = {}
    at = 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        kind = png[at + 4 : at + 8]
        chunks[kind] = chunks.get(kind, b"") + png[at + 8 : at + 8 + length]
        at += length + 12
    return chunks


def _unfiltered(kind: int, line: bytearray, above: bytearray, channels: int) -> bytearray:
    if kind == 0:
        return line
    for at, byte in enumerate(line):
        left = line[at - channels] if at >= channels else 0
        corner = above[at - channels] if at >= channels else 0
        line[at] = (byte + (0, left, above[at], (left + above[at]) // 2, _paeth(left, above[at], corner))[kind]) & 255
    return line


def _paeth(left: int, above: int, corner: int) -> int:
    estimate = left + above - corner
    return min((left, above, corner), key=lambda one: abs(estimate - one))


def _colours(line: bytearray, channels: int, palette: bytes) -> bytes:
    if channels == 3:
        return bytes(line)
    if channels == 1:
        return b"".join(palette[3 * index : 3 * index + 3] for index in line)
    return b"".join(line[at : at + 3] for at in range(0, len(line), 4))


def _png(width: int, height: int, rows: _Pixels) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    content = zlib.compress(b"".join(b"\x00" + row for row in rows))
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", content) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
