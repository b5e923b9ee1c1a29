"""An agent's loop with the official Python clients, streamed, until the model has said its last word.

Usage: clients.py URL. Writes one JSON object: the final text and the number of turns of each client.
"""

import json
import sys

from anthropic import Anthropic
from openai import OpenAI

URL = sys.argv[1]
TOOLS = ("read", "search", "run", "edit")
SCHEMA = {"type": "object", "properties": {}}
TASK = "Find out why the export is slow: é, 漢字."


def result(call_id):
    return "\n".join(f"{call_id}: row {row} has {row * 37} entries" for row in range(80))


def with_anthropic():
    client = Anthropic(api_key="test", base_url=URL, max_retries=0)
    tools = [{"name": name, "input_schema": SCHEMA} for name in TOOLS]
    messages = [{"role": "user", "content": TASK}]
    for turn in range(1, 1000):
        with client.messages.stream(
            model="claude-test", max_tokens=2000, system="You mend programs.", tools=tools, messages=messages
        ) as stream:
            answer = stream.get_final_message()
        content = [block.model_dump(exclude_none=True) for block in answer.content]
        messages.append({"role": "assistant", "content": content})
        calls = [block["id"] for block in content if block["type"] == "tool_use"]
        if not calls:
            return {"turns": turn, "text": content[-1]["text"]}
        results = [{"type": "tool_result", "tool_use_id": call, "content": result(call)} for call in calls]
        messages.append({"role": "user", "content": results})


def with_openai():
    client = OpenAI(api_key="test", base_url=f"{URL}/v1", max_retries=0)
    tools = [{"type": "function", "function": {"name": name, "parameters": SCHEMA}} for name in TOOLS]
    messages = [{"role": "system", "content": "You mend programs."}, {"role": "user", "content": TASK}]
    for turn in range(1, 1000):
        text = ""
        calls = {}
        stream = client.chat.completions.create(
            model="gpt-test", tools=tools, messages=messages, stream=True, stream_options={"include_usage": True}
        )
        for chunk in stream:
            if not chunk.choices:
                continue
            delta = chunk.choices[0].delta
            text += delta.content or ""
            for part in delta.tool_calls or []:
                call = calls.setdefault(part.index, {"id": "", "name": "", "arguments": ""})
                call["id"] += part.id or ""
                call["name"] += part.function.name or ""
                call["arguments"] += part.function.arguments or ""
        if not calls:
            return {"turns": turn, "text": text}
        functions = [
            {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": call["arguments"]}}
            for call in calls.values()
        ]
        messages.append({"role": "assistant", "content": text or None, "tool_calls": functions})
        messages += [{"role": "tool", "tool_call_id": call["id"], "content": result(call["id"])} for call in calls.values()]


print(json.dumps({"anthropic": with_anthropic(), "openai": with_openai()}))
