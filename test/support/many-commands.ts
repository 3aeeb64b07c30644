/** Runs many command lines one after the other in one process, which takes milliseconds each. A test starts it with `fork`. */
import { main } from '../../src/cli/main.ts';

export interface CommandLine {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

let output = '';
for (const stream of [process.stdout, process.stderr]) {
  stream.setMaxListeners(0); // each command adds one
  stream.write = ((text: string) => {
    output += text;
    return true;
  }) as typeof stream.write;
}

process.once('message', async lines => {
  const outputs: string[] = [];
  const inherited = { ...process.env };
  for (const { args, env } of lines as CommandLine[]) {
    output = '';
    process.env = { ...inherited, ...env };
    await main(['node', 'keyroster', ...args]);
    outputs.push(output);
  }
  process.send?.(outputs, () => process.exit());
});
