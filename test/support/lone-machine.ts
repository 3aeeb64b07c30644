/** A machine with Node, npm and a shell: an empty home folder, and no variables but two. */
import { execFile, spawn } from 'node:child_process';
import { constants, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endOf, outputOf } from './child.ts';
import { type Scope, temporaryFolder } from './scope.ts';
import { until } from './until.ts';

export type LoneMachine = ReturnType<typeof loneMachine>;

/** @param more variables */
export function loneMachine(scope: Scope, more: Readonly<Record<string, string>> = {}) {
  const home = temporaryFolder(scope);
  const bin = join(home, 'bin');
  mkdirSync(bin);
  // A copy: npm installs for everyone beside the Node that runs it, wherever a link to that is.
  copyFileSync(process.execPath, join(bin, 'node'), constants.COPYFILE_FICLONE);
  const ofTheSystem = String(process.env.PATH)
    .split(':')
    .filter(path => !path.includes('node_modules'));
  const env: Readonly<Record<string, string>> = {
    HOME: home,
    PATH: [bin, ...ofTheSystem].join(':'),
    ...registryOf(process.env),
    ...more,
  };
  return {
    home,
    env,
    /** Runs a line of the shell to its end, and returns what it prints. Rejects where it fails. */
    run: async (line: string): Promise<string> => {
      const { stdout } = await promisify(execFile)('bash', ['-c', line], { cwd: home, env });
      return stdout;
    },
    /** Starts a program, and waits until it prints this. */
    start: async (line: string, printed: RegExp) => {
      const child = spawn('bash', ['-c', `exec ${line}`], { cwd: home, env });
      const [output, end] = [outputOf(child.stdout, child.stderr), endOf(scope, child)];
      await until(`${line} prints ${printed}`, () => {
        if (child.exitCode !== null) throw new Error(`${line} ended: ${output()}`);
        return printed.test(output());
      });
      const stop = () => {
        child.kill('SIGTERM');
        return end;
      };
      /** `stop` resolves with the exit code. */
      return { output, stop };
    },
  };
}

/** Where a registry is reached by a proxy with a certificate of its own. */
const registryOf = ({ NODE_EXTRA_CA_CERTS }: NodeJS.ProcessEnv) =>
  NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS };
