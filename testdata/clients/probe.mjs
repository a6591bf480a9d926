// What all probes share: a probe is told on standard input what to do, one JSON object a line, and answers each with one
// line. It is started as
//   node X.mjs --url http://127.0.0.1:8080/mcp
//   node X.mjs -- toolspec serve -d tools
// and knows {"op":"list"}, {"op":"call","calls":[{tool,args}…]} (all in flight at once) and {"op":"notified"}.
import { createInterface } from 'node:readline';

export function target(argv = process.argv.slice(2)) {
  if (argv[0] === '--url') return { url: argv[1] };
  if (argv[0] === '--' && argv.length > 1) return { command: argv[1], args: argv.slice(2) };
  throw new Error('want --url URL or -- COMMAND');
}

export async function serve({ list, call, notified, close }) {
  const ops = {
    list: async () => ({ names: await list() }),
    call: async ({ calls }) => ({ results: await call(calls) }),
    notified: async () => ({ count: notified ? notified() : -1 }),
  };
  for await (const line of createInterface({ input: process.stdin })) {
    let answer;
    try {
      const order = JSON.parse(line);
      answer = await ops[order.op](order);
    } catch (fault) {
      answer = { fault: String(fault?.stack ?? fault) };
    }
    process.stdout.write(JSON.stringify(answer) + '\n');
  }
  await close?.();
  process.exit(0);
}
