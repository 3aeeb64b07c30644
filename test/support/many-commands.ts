/** The process of `runManyCommands`. */
import { main } from '../../src/cli/main.ts';
import type { CommandLine, Printed } from './run-many-commands.ts';

let printed = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const) {
  const stream = process[name];
  stream.setMaxListeners(0); // each command adds one
  stream.write = ((text: string) => {
    printed[name] += text;
    return true;
  }) as typeof stream.write;
}

process.once('message', async lines => {
  const all: Printed[] = [];
  const inherited = { ...process.env };
  for (const { args, env } of lines as CommandLine[]) {
    printed = { stdout: '', stderr: '' };
    process.env = { ...inherited, ...env };
    await main(['node', 'keyroster', ...args]);
    all.push(printed);
  }
  process.send?.(all, () => process.exit());
});
