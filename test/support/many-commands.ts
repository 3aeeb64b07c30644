/** The process of `runCommand` and `runManyCommands`. It listens on the Unix socket of its argument. */
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { main as mainOfAdmin } from '../../src/admin/cli/main.ts';
import { main as mainOfService } from '../../src/operator/main.ts';
import { chunksOf } from './chunks.ts';
import { type Finished, programOf } from './command-line.ts';
import { type CommandLine, decoded, encoded } from './command-processes.ts';

let printed = { stdout: '', stderr: '', shown: '' };
for (const name of ['stdout', 'stderr'] as const) {
  const stream = process[name];
  stream.setMaxListeners(0); // each command adds one
  stream.write = ((text: string, written?: () => void) => {
    printed[name] += text;
    printed.shown += text;
    queueMicrotask(() => written?.());
    return true;
  }) as typeof stream.write;
}

/** How much of a pipe is read at once. */
const PIPE_BYTES = 65_536;

const inherited = { ...process.env };
const folder = process.cwd();

async function run(line: CommandLine): Promise<Finished> {
  const { args, program = programOf(args), env, cwd = folder, input = '', columns } = line;
  printed = { stdout: '', stderr: '', shown: '' };
  const isTTY = columns !== undefined;
  for (const stream of [process.stdout, process.stderr]) Object.assign(stream, { isTTY, columns });
  setEnvironment({ ...inherited, ...env });
  process.chdir(cwd);
  const stdin = Readable.from(chunksOf(input, PIPE_BYTES));
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  process.exitCode = 0;
  const main = program === 'keyroster' ? mainOfService : mainOfAdmin;
  await main(['node', program, ...args]);
  const { shown, ...streams } = printed;
  return { exitCode: Number(process.exitCode), ...streams, ...(isTTY && { shown }) };
}

/** In place: Node itself reads some of it, such as HOME. */
function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

/** One test file at a time; another one's connection is closed. */
const server = createServer(socket => {
  let isRunning = false;
  socket.once('close', () => isRunning && process.exit(1)); // what still runs would print among the next one's
  socket.on('error', () => {});
  createInterface({ input: socket }).on('line', async text => {
    isRunning = true;
    const finished = await run(decoded(text));
    isRunning = false;
    socket.write(encoded(finished));
  });
  socket.write(`${process.pid}\n`);
});
server.maxConnections = 1;
server.listen(process.argv[2], () => process.send?.('listening'));
process.once('disconnect', () => process.exit(0));
