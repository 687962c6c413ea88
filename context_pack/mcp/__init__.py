"""`ctxpack mcp`: the tools of ctxpack for agents, over the Model Context Protocol.

server     speaks the protocol on stdin and stdout; it and `repair` alone import the SDK
repair     answers lines that the SDK cannot read
engine     what a tool call does: wait for a fresh index, ask a worker, keep to the time limit
served     one repository: watched, refreshed in the background
workers    processes that can be killed: what ends a call ends its work
asker      (a process) keeps indexes in memory and answers
refresher  (a process) brings one index up to date and exits
tools      the tools as data
"""
