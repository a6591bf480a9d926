// Vercel AI SDK: generateText with a model that is a script. It asks for the given tools in one step, then says "done".
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { serve, target } from './probe.mjs';

const t = target();
const client = await createMCPClient({ transport: t.url ? { type: 'http', url: t.url } : new Experimental_StdioMCPTransport(t) });
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

await serve({
  list: async () => Object.keys(await client.tools()),
  call: async (calls) => {
    const uses = calls.map(({ tool, args }, i) => ({ type: 'tool-call', toolCallId: `use${i}`, toolName: tool, input: JSON.stringify(args) }));
    const model = new MockLanguageModelV4({
      doGenerate: [
        { content: uses, finishReason: { unified: 'tool-calls' }, usage, warnings: [] },
        { content: [{ type: 'text', text: 'done' }], finishReason: { unified: 'stop' }, usage, warnings: [] },
      ],
    });
    const run = await generateText({ model, tools: await client.tools(), prompt: 'use the tools', stopWhen: stepCountIs(3) });
    const parts = run.steps[0].content.filter((c) => c.type === 'tool-result' || c.type === 'tool-error');
    return calls.map((_, i) => {
      const part = parts.find((p) => p.toolCallId === `use${i}`);
      return JSON.stringify(part?.output ?? { fault: String(part?.error) });
    });
  },
  close: () => client.close(),
});
