/** A machine with Node, npm and a shell: an empty home folder, and no variables but those named here. */
import { execFile, spawn } from 'node:child_process';
import { constants, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endOf, outputOf } from './child.ts';
import { type Scope, temporaryFolder } from './scope.ts';
import { until } from './until.ts';

export type LoneMachine = ReturnType<typeof loneMachine>;

export function loneMachine(scope: Scope, variables: Readonly<Record<string, string>>) {
  const home = temporaryFolder(scope);
  const bin = join(home, 'bin');
  mkdirSync(bin);
  // A copy: npm installs for everyone beside the Node that runs it, wherever a link to that is.
  copyFileSync(process.execPath, join(bin, 'node'), constants.COPYFILE_FICLONE);
  // The certificates are for a registry behind a proxy with one of its own.
  const { NODE_EXTRA_CA_CERTS = '' } = process.env;
  const others = process.env.PATH?.replaceAll(/[^:]*node_modules[^:]*:/g, '');
  const env = { HOME: home, PATH: `${bin}:${others}`, NODE_EXTRA_CA_CERTS, ...variables };
  return {
    home,
    env,
    /** Runs a line of the shell, and returns what it prints. Rejects where it fails. */
    run: async (line: string) => (await promisify(execFile)('bash', ['-c', line], { cwd: home, env })).stdout,
    /** Starts a program, and waits until it prints this. `stop` resolves with its exit code. */
    start: async (line: string, printed: RegExp) => {
      const child = spawn('bash', ['-c', `exec ${line}`], { cwd: home, env });
      const [output, end] = [outputOf(child.stdout, child.stderr), endOf(scope, child)];
      await until(`${line} prints ${printed}`, () => printed.test(output()));
      return { output, stop: async () => child.kill('SIGTERM') && end };
    },
  };
}
