/**
 * Processes that run one command line after the other, each in milliseconds. To start one takes longer than most test files need
 * for all their commands, so those of a run are shared by all of its files.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import {
  type Finished,
  MAX_RUN_MS,
  type ProcessOptions,
  type ProgramName,
  spawnOptions,
} from './command-line.ts';

export interface CommandLine {
  readonly args: readonly string[];
  /** By default the one that has the command. */
  readonly program?: ProgramName;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  /** Of the terminal that the output is for; without it it is for a pipe. */
  readonly columns?: number;
}

/** What goes over the socket, in one line. */
export const encoded = (value: unknown): string => `${serialize(value).toString('base64')}\n`;
export const decoded = (text: string) => deserialize(Buffer.from(text, 'base64'));

export interface CommandProcess {
  /** Of the process's socket. */
  readonly path: string;
  readonly child: ChildProcess;
  end(): Promise<void>;
}

/** The environment variable with the sockets of the run's processes. */
export const COMMAND_PROCESSES = 'KEYROSTER_TEST_COMMANDS';

const MANY_COMMANDS = fileURLToPath(new URL('./many-commands.ts', import.meta.url));

export async function startCommandProcess(options: ProcessOptions): Promise<CommandProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'keyroster-commands-'));
  const path = join(folder, 'socket');
  const child = fork(MANY_COMMANDS, [path], {
    ...spawnOptions(options),
    execArgv: [], // the runner's own would run the tests in it
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  await once(child, 'message');
  return {
    path,
    child,
    async end() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.disconnect();
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What is written by other ways, such as a log, must not fill a pipe that nobody reads. */
export async function startSharedProcess(): Promise<CommandProcess> {
  const shared = await startCommandProcess({});
  for (const stream of [shared.child.stdout, shared.child.stderr]) stream?.resume();
  return shared;
}

export interface Commands {
  run(line: CommandLine): Promise<Finished>;
  leave(): void;
}

/** The process that listens there, for this file alone; `null` when it is another's, or has ended. */
export async function commandsAt(path: string): Promise<Commands | null> {
  const socket = connect(path);
  const lines = createInterface({ input: socket });
  socket.on('error', () => socket.destroy()).once('close', () => lines.close());
  const answers = lines[Symbol.asyncIterator]();
  const hello = await answers.next();
  if (hello.done) return null;
  const leave = () => void socket.destroy();
  socket.unref(); // a file whose tests are over ends
  return { run, leave };

  async function run(line: CommandLine): Promise<Finished> {
    const timer = setTimeout(() => process.kill(Number(hello.value), 'SIGKILL'), MAX_RUN_MS);
    socket.write(encoded(line));
    const answer = await answers.next();
    clearTimeout(timer);
    if (answer.done) throw new Error(`the process of keyroster ${line.args.join(' ').slice(0, 60)} ended`);
    return decoded(answer.value);
  }
}
