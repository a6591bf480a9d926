// The MCP SDK's own client: no model, no agent.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { serve, target } from './probe.mjs';

const t = target();
const client = new Client({ name: 'probe-mcp-sdk', version: '1.0.0' });
let changes = 0;
client.setNotificationHandler(ToolListChangedNotificationSchema, () => { changes++; });
await client.connect(t.url ? new StreamableHTTPClientTransport(new URL(t.url)) : new StdioClientTransport(t));

await serve({
  list: async () => (await client.listTools()).tools.map((tool) => tool.name),
  call: (calls) => Promise.all(calls.map(async ({ tool, args }) =>
    JSON.stringify(await client.callTool({ name: tool, arguments: args }).catch((fault) => ({ fault: String(fault) }))))),
  notified: () => changes,
  close: () => client.close(),
});
