import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Option } from 'commander';
import { Refused } from '../../roster/errors.ts';
import { UsageError } from '../options/usage-error.ts';
import { printErrorText } from '../terminal/print.ts';
import { neverShow } from '../terminal/shown.ts';

const VARIABLE = 'KEYROSTER_ADMIN_KEY';
const OPTION = '--admin-key-file';

export const adminKeyFileOption = () =>
  new Option(`${OPTION} <file>`, `a file that holds the admin key (default: ${VARIABLE}, else a prompt)`);

/** Reads it from the file, or else the environment, or else a prompt; never from an argument, which `ps` shows. */
export async function readAdminKey(file: string | undefined): Promise<string> {
  const adminKey = await findAdminKey(file);
  neverShow(adminKey);
  return adminKey;
}

async function findAdminKey(file: string | undefined): Promise<string> {
  if (file !== undefined) return contentOf(file);
  const inEnvironment = process.env[VARIABLE];
  if (inEnvironment) return inEnvironment;
  if (process.stdin.isTTY && process.stderr.isTTY) return prompt('Admin key: ');
  throw new UsageError(
    `an admin key is required: set ${VARIABLE}, or name a file that holds it with ${OPTION}`,
  );
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Refused(`${OPTION}: can't read ${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** Asks on the terminal, without showing what is typed. */
function prompt(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  printErrorText(question); // after `createInterface`, from which on typing isn't shown
  return new Promise((resolve, reject) => {
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => reject(new Refused('no admin key was given')));
    lines.once('line', line => {
      resolve(line.trim());
      lines.close();
    });
  }).finally(() => printErrorText('\n')) as Promise<string>;
}
