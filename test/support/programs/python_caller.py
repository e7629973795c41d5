"""Makes the calls that it is told on standard input, a command a line, and prints the outcome of each as a line of JSON.

Arguments: the socket, "sync" or "async", and whether a daemon may be started, as a JSON list of the program that does.
"""

import asyncio
import json
import sys

import t4a

SOCKET, HOW, STARTER = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
PLACE = {"t4a_command": STARTER} if STARTER else {"auto_start": False}


def outcome_of(error):
    return {"code": error.code, "message": str(error)}


def fields_of(line):
    request = json.loads(line)
    return request.pop("cmd"), request


def sync():
    client = None
    for line in sys.stdin:
        cmd, fields = fields_of(line)
        try:
            client = client or t4a.connect(SOCKET, **PLACE)
            client.call(cmd, **fields)
            outcome = {}
        except t4a.T4aError as error:
            outcome = outcome_of(error)
        print(json.dumps(outcome), flush=True)


async def asynchronous():
    client = None
    loop = asyncio.get_running_loop()
    while True:
        line = await loop.run_in_executor(None, sys.stdin.readline)
        if not line:
            return
        cmd, fields = fields_of(line)
        try:
            client = client or await t4a.async_connect(SOCKET, **PLACE)
            await client.call(cmd, **fields)
            outcome = {}
        except t4a.T4aError as error:
            outcome = outcome_of(error)
        print(json.dumps(outcome), flush=True)


if HOW == "async":
    asyncio.run(asynchronous())
else:
    sync()
