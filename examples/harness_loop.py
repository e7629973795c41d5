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

SCRIPT = [
    ("", "I will start a prompt.", [("t4a_create", {"name": "repl", "cmd_args": ["python3", "-q"]})]),
    ('"id": "repl"', "Is it ready?", [("t4a_wait", {"id": "repl", "until": {"text": ">>>"}})]),
    ('"matched"', "It is.", [("t4a_type", {"id": "rpel", "text": "6 * 7", "submit": True})]),
    ("closest: repl", "A slip.", [("t4a_type", {"id": "repl", "text": "6 * 7", "submit": True})]),
    ('"bytes_sent"', "And now?", [("t4a_wait", {"id": "repl", "until": {"regex": "^42"}})]),
    ('"matched"', "Let me look.", [("t4a_screenshot", {"id": "repl"})]),
    ("[image]", "I see 42.", [("t4a_kill", {"id": "repl"})]),
    ('"ended"', "The answer is 42.", []),
]


def scripted_model(messages, tools, turn):
    """Reads what it was told: without the right results it does not go on."""
    expected, says, calls = SCRIPT[turn]
    told = json.dumps(messages[-1]["content"]).replace('\\"', '"')
    assert tools and expected in told, f"turn {turn} expected {expected!r}, and was told: {told[:500]}"
    uses = [{"type": "tool_use", "id": f"call-{turn}", "name": name, "input": given} for name, given in calls]
    return [{"type": "text", "text": says}, *uses]


def call_tool(client, name, given):
    """A tool is a command of the protocol; an error is a result that the model reads."""
    try:
        reply = client.call(name[len("t4a_") :], **given)
    except t4a.T4aError as error:
        text = f"{error.message} ({error.code}) hint: {error.hint} closest: {error.closest}"
        return {"content": [{"type": "text", "text": text}], "is_error": True}
    png = reply.pop("bytes", None)
    if png is None:
        return {"content": [{"type": "text", "text": json.dumps(reply)}]}
    data = base64.b64encode(png).decode()
    source = {"type": "base64", "media_type": "image/png", "data": data}
    return {"content": [{"type": "image", "source": source}, {"type": "text", "text": "[image]"}]}


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
