"""A typical turn of an agent, in whole requests, with nothing but a socket.

    python3 turn.py DIRECTORY      (the directory holds hello.c, which does not compile)

A daemon must be running: `t4a list` starts one. Where it says that it is elsewhere, set T4A_SOCKET to that path.
"""

import json
import os
import re
import socket
import sys


def request(**fields):
    """One request; its reply, and the bytes of a picture if it came with one."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(os.environ.get("T4A_SOCKET", "/tmp/t4a.sock"))
        with connection.makefile("rwb") as stream:
            stream.write(json.dumps(fields).encode() + b"\n")
            stream.flush()
            reply = json.loads(stream.readline())
            picture = stream.read(reply.get("len") or 0)
    if not reply["ok"]:
        raise RuntimeError(reply["error"])
    return reply, picture


directory = sys.argv[1] if len(sys.argv) > 1 else "."
done = {"until": {"done": True}, "timeout_ms": 60000}

created, _ = request(cmd="create", cmd_args=["bash"], cwd=directory, wait=done)
terminal = created["id"]

# Act, wait, observe: the reply comes when the shell says that the command has ended, not after some silence.
build, picture = request(
    cmd="send",
    id=terminal,
    input="cc -o hello hello.c\r",
    wait=done,
    observe={"text": True, "screenshot": {"scale": 66}},
)
print(f"build: {build['wait']['outcome']}, exit code {build['wait']['code']}, picture of {len(picture)} bytes")

# What the compiler said, and nothing else, however long the screen is.
output, _ = request(cmd="text", id=terminal, command=-1, trim=True)
line, error = next(match.groups() for match in map(re.compile(r"hello\.c:(\d+):.*error: (.*)").match, output["lines"]) if match)
print(f"line {line}: {error}")

# An editor is up when it waits for keys; the shell is back when it is done.
request(
    cmd="send",
    id=terminal,
    input=f"vim -u NONE +{line} hello.c\r",
    wait={"until": {"awaiting_input": "raw"}, "fail": {"done": True}},
)
edit, _ = request(cmd="send", id=terminal, input=":s/$/;/\r:wq\r", wait=done)
print(f"editor: exit code {edit['wait']['code']}")

again, _ = request(
    cmd="send",
    id=terminal,
    input="cc -o hello hello.c && ./hello\r",
    wait={**done, "fail": {"regex": "error:"}},
    observe={"text": True},
)
print(f"build: {again['wait']['outcome']}, exit code {again['wait']['code']}")
print(again["observed"]["lines"][-2])

request(cmd="kill", id=terminal)
