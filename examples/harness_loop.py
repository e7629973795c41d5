"""An agent's loop over t4a's tools, with nothing but the standard library and the t4a module.

The model here is scripted, so that this runs offline; it has the shape of ``anthropic.messages.create``.
"""

import base64
import json
import os
import subprocess

import t4a

T4A = json.loads(os.environ.get("T4A_COMMAND", '["t4a"]'))
MAX_TURNS = 20

ENDED = {"for": "done", "timeout_ms": 5000}
PROMPT = {"for": ">>>", "timeout_ms": 5000, "fresh": False}

SCRIPT = [
    ("", "Is Python there?", [("t4a_run", {"command": "python3 --version", "wait": ENDED, "observe": "image"})]),
    ('"image"', "I will start it.", [("t4a_create", {"name": "repl", "command": "python3 -q", "wait": PROMPT})]),
    ("Screen:", "A slip.", [("t4a_type", {"id": "rpel", "text": "6 * 7", "submit": True})]),
    ("Closest: repl", "Again.", [("t4a_type", {"id": "repl", "text": "6 * 7", "submit": True, "observe": "none"})]),
    ("Settled", "And now?", [("t4a_wait", {"id": "repl", "until": {"regex": "^42"}})]),
    ("matched", "Let me look.", [("t4a_screenshot", {"id": "repl"})]),
    ('"image"', "I see 42.", [("t4a_press", {"id": "repl", "keys": ["ctrl+d"], "wait": {"for": "exit"}})]),
    ("has ended", "I tidy up.", [("t4a_kill", {"id": "repl"})]),
    ("Ended repl", "The answer is 42.", []),
]


def scripted_model(messages, tools, turn):
    """Reads what it was told: without the right results it does not go on."""
    expected, says, calls = SCRIPT[turn]
    told = json.dumps(messages[-1]["content"]).replace('\\"', '"')
    assert tools and expected in told, f"turn {turn} expected {expected!r}, and was told: {told[:500]}"
    uses = [{"type": "tool_use", "id": f"call-{turn}", "name": name, "input": given} for name, given in calls]
    return [{"type": "text", "text": says}, *uses]


def call_tool(client, name, given):
    """The result in the form of this provider; an error is a result that the model reads."""

    def block_of(block):
        if block["type"] == "text":
            return block
        data = base64.b64encode(block["data"]).decode()
        return {"type": "image", "source": {"type": "base64", "media_type": block["mime_type"], "data": data}}

    # The profile whose tools the model has.
    result = client.call_tool(name, given, profile="default")
    return {"content": [block_of(block) for block in result.content], "is_error": result.is_error}


tools = json.loads(subprocess.check_output([*T4A, "tools", "--format", "anthropic"]))
messages = [{"role": "user", "content": "What is 6 * 7? Use a Python prompt to be sure."}]

with t4a.connect(t4a_command=T4A) as client:
    for turn in range(MAX_TURNS):
        content = scripted_model(messages, tools, turn)
        messages.append({"role": "assistant", "content": content})
        results = []
        for block in content:
            if block["type"] == "text":
                print("model:", block["text"])
            else:
                result = call_tool(client, block["name"], block["input"])
                print(block["name"], json.dumps(block["input"]), "->", "error" if result.get("is_error") else "ok")
                results.append({"type": "tool_result", "tool_use_id": block["id"], **result})
        if not results:
            break
        messages.append({"role": "user", "content": results})
