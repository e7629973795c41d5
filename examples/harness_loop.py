"""An agent's loop over t4a's tools, with nothing but the standard library and the t4a module.

The model here is scripted, so that this runs offline (scripted_model.py); it has the shape of ``anthropic.messages.create``.
"""

import base64
import functools
import json
import os

import t4a
from scripted_model import person, scripted_model

MAX_TURNS = 20

connect = functools.partial(t4a.connect, t4a_command=json.loads(os.environ.get("T4A_COMMAND", '["t4a"]')))


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


# Where there is no client library: tools = json.loads(the output of "t4a tools --format anthropic").
messages = [{"role": "user", "content": "What is 6 * 7? Use a Python prompt to be sure."}]

# The name is for `ask`: a person sees who asks.
with connect(as_="model") as client:
    person(connect)
    tools = client.tools("anthropic")
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
