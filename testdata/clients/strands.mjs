// Strands Agents: an agent whose model is a script. It asks for the given tool uses in one turn, then says "done".
import { Agent, McpClient, Model } from '@strands-agents/sdk';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { serve, target } from './probe.mjs';

class Script extends Model {
  constructor(calls) { super(); this.calls = calls; this.turn = 0; }
  updateConfig() {}
  getConfig() { return { modelId: 'script' }; }
  async *stream(_messages, options) {
    this.tools = (options?.toolSpecs ?? []).map((spec) => spec.name);
    const uses = this.turn++ === 0 ? this.calls : [];
    yield { type: 'modelMessageStartEvent', role: 'assistant' };
    for (const [i, { tool, args }] of uses.entries()) {
      yield { type: 'modelContentBlockStartEvent', start: { type: 'toolUseStart', name: tool, toolUseId: `use${i}` } };
      yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'toolUseInputDelta', input: JSON.stringify(args) } };
      yield { type: 'modelContentBlockStopEvent' };
    }
    if (uses.length === 0) {
      yield { type: 'modelContentBlockStartEvent' };
      yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: 'done' } };
      yield { type: 'modelContentBlockStopEvent' };
    }
    yield { type: 'modelMessageStopEvent', stopReason: uses.length ? 'toolUse' : 'endTurn' };
  }
}

const t = target();
const mcp = new McpClient({ transport: t.url ? new StreamableHTTPClientTransport(new URL(t.url)) : new StdioClientTransport(t) });

async function run(calls) {
  const model = new Script(calls);
  const agent = new Agent({ model, tools: [mcp], printer: false });
  await agent.invoke('use the tools');
  const results = agent.messages.flatMap((m) => m.content).filter((b) => b.type === 'toolResultBlock');
  return { model, results: calls.map((_, i) => JSON.stringify(results.find((r) => r.toolUseId === `use${i}`))) };
}

await serve({
  list: async () => (await run([])).model.tools,
  call: async (calls) => (await run(calls)).results,
  close: () => mcp.disconnect?.(),
});
