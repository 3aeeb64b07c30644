/** The process of `runManyCommands`. */
import { main } from '../../src/cli/main.ts';
import type { Finished } from './command-line.ts';
import type { CommandLine } from './run-many-commands.ts';

let printed = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const) {
  const stream = process[name];
  stream.setMaxListeners(0); // each command adds one
  stream.write = ((text: string, written?: () => void) => {
    printed[name] += text;
    queueMicrotask(() => written?.());
    return true;
  }) as typeof stream.write;
}

process.once('message', async lines => {
  const all: Finished[] = [];
  const inherited = { ...process.env };
  for (const { args, env } of lines as CommandLine[]) {
    printed = { stdout: '', stderr: '' };
    process.env = { ...inherited, ...env };
    process.exitCode = 0;
    await main(['node', 'keyroster', ...args]);
    all.push({ exitCode: Number(process.exitCode), ...printed });
  }
  process.send?.(all, () => process.exit(0));
});
