"""Answers as a model would, from a script that uses every tool and field that is offered. It reads what it was told: without the right
results it does not go on. And a person, who answers its question."""

import json
import threading

SOON = {"for": "done", "timeout_ms": 10000}
#: Of the REPL, which may have printed it before the wait.
PROMPT = {"for": ">>>", "timeout_ms": 10000}

# What the last results must have in them, words, and calls.
SCRIPT = [
    (
        [],
        "Is Python there? And I want a prompt, a shell, and a place for a password.",
        [
            ("run", {"command": "python3 --version", "cwd": "/", "max_lines": 20, "wait": SOON, "observe": "image"}),
            ("create", {"name": "repl", "command": "python3 -q", "cwd": "/", "cols": 60, "rows": 10, "rules": "generic", "wait": PROMPT}),
            ("create", {"name": "sh", "cmd_args": ["bash"], "observe": "none"}),
            ("create", {"name": "login", "command": "printf 'PIN: '; stty -echo; read -r _; stty echo; echo; echo Welcome; cat", "wait": {"for": "input"}}),
        ],
    ),
    (['"image"', "Python 3", "Screen repl@", ">>>", "waits for input (password)"], "A slip.", [("type", {"id": "rpel", "text": "6 * 7"})]),
    (
        ["Closest: repl"],
        "Again.",
        [
            ("type", {"id": "repl", "text": "6 * 7", "submit": True, "observe": "none", "wait": {"for": "42", "timeout_ms": 10000}}),
            ("type", {"id": "login", "text": "1234", "secret": True, "submit": True, "wait": {"for": "Welcome"}}),
            ("press", {"id": "repl", "keys": ["Up"], "observe": "both", "wait": {"for": "settled", "timeout_ms": 10000}}),
            ("run", {"id": "sh", "command": "echo in the shell", "timeout_ms": 10000}),
        ],
    ),
    (
        ["Welcome", ">>> 6 * 7", "in the shell"],
        "Does each wait come true?",
        [
            ("wait", {"id": "repl", "for": "42", "timeout_ms": 10000}),
            ("wait", {"id": "repl", "until": {"regex": "^42$"}, "fail": {"regex": "^\\w+Error"}}),
            ("wait", {"id": "repl", "until": {"gone": "Traceback"}}),
            ("wait", {"id": "repl", "for": "settled"}),
            ("wait", {"id": "repl", "until": {"control": "free"}}),
            ("wait", {"id": "sh", "for": "done"}),
            ("wait", {"id": "login", "for": "input"}),
        ],
    ),
    (
        ["matched"],
        "Let me look.",
        [
            ("list", {}),
            ("screenshot", {"id": "repl", "max_tokens": 500, "region": {"row": 0, "col": 0, "rows": 4, "cols": 20}}),
            ("text", {"id": "repl", "region": "all"}),
            ("text", {"id": "repl", "last": 10}),
            ("text", {"id": "repl", "from_line": 0, "max_lines": 10}),
            ("text", {"id": "repl", "changed": True}),
            ("film", {"id": "sh", "from": "command:-1:start", "max_tokens": 500}),
            ("entries", {"id": "repl", "since": 0}),
            ("ask", {"id": "repl", "kind": "choice", "question": "Is 42 right?", "choices": ["yes", "no"]}),
            ("ask", {"resume": 1}),
        ],
    ),
    (
        ["repl: ", '"image"', "42", "next: ", "yes"],
        "I tidy up.",
        [
            ("press", {"id": "repl", "keys": ["ctrl+u", "ctrl+d"], "wait": {"for": "exit"}}),
            ("wait", {"id": "repl", "for": "exit"}),
            ("kill", {"id": "login", "signal": "SIGTERM"}),
            ("kill", {"id": ["repl", "sh", "login"]}),
        ],
    ),
    (["Ended: exit code", "Ended repl"], "The answer is 42.", []),
]

used = set()


def scripted_model(messages, tools, turn):
    """In the shape of ``anthropic.messages.create``: blocks of text, and calls of tools."""
    expected, says, calls = SCRIPT[turn]
    told = json.dumps(messages[-1]["content"]).replace('\\"', '"')
    for words in expected:
        assert words in told, f"turn {turn} expected {words!r}, and was told: {told[:2000]}"
    for name, given in calls:
        used.update(_fields(f"t4a_{name}", given))
    if not calls:
        unused = {field for tool in tools for field in _offered(tool["name"], tool["input_schema"])} - used
        assert not unused, f"the script uses no {', '.join(sorted(unused))}"
    uses = [{"type": "tool_use", "id": f"call-{turn}-{i}", "name": f"t4a_{name}", "input": given} for i, (name, given) in enumerate(calls)]
    return [{"type": "text", "text": says}, *uses]


def _fields(path, given):
    yield path
    if isinstance(given, dict):
        for name, value in given.items():
            yield from _fields(f"{path}.{name}", value)


def _offered(path, schema):
    yield path
    for name, field in schema.get("properties", {}).items():
        yield from _offered(f"{path}.{name}", field)


def person(connect):
    """Answers the next question; subscribed when this returns."""
    client = connect(as_="ann")
    asked = client.events(types=["asked"])

    def answer():
        with client:
            client.answer(ask=next(iter(asked))["ask"], text="yes")

    threading.Thread(target=answer, daemon=True).start()
