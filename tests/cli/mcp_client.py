"""Asks `warpglass mcp` what the protocol's public client for Python (package mcp) asks a server: mcp_client.py COMMAND FOLDER"""
import asyncio
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


def field(thing, name):
    """Named as the protocol has it, or as Python does, which newer clients do."""
    snake = "".join("_" + c.lower() if c.isupper() else c for c in name)
    return getattr(thing, snake) if hasattr(thing, snake) else getattr(thing, name)


async def main(command, folder):
    async with stdio_client(StdioServerParameters(command=command, args=["mcp", folder])) as (read, write):
        async with ClientSession(read, write) as session:
            hello = await session.initialize()
            assert field(hello, "serverInfo").name == "warpglass"
            names = [tool.name for tool in (await session.list_tools()).tools]
            assert names == ["run", "check", "profile", "compare", "explain", "occupancy"], names
            # The client checks structured results against the tools' schemas.
            ran = await session.call_tool("run", {"files": ["put.cu"], "defines": ["STEP=1"]})
            assert field(ran, "structuredContent")["status"] == 0, ran
            found = await session.call_tool("check", {"files": ["put.cu"], "defines": ["STEP=9"]})
            assert field(found, "structuredContent")["report"]["findings"], found
            outside = await session.call_tool("run", {"files": ["/etc/passwd"]})
            assert field(outside, "isError"), outside
            fit = await session.call_tool("occupancy", {"threads": 256, "registers": 40})
            assert field(fit, "structuredContent")["report"], fit


asyncio.run(main(*sys.argv[1:]))
