import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Option } from 'commander';
import { ADMIN_KEY_RULE, isVisibleAscii } from '../../../client/admin-key.ts';
import { UsageError } from '../../../shared/command/command.ts';
import { cannotRead, readableByAnyone } from '../../../shared/command/input/text-of-file.ts';
import { required } from '../../../shared/command/options.ts';
import { printError } from '../../../shared/command/terminal/print.ts';
import { Prompt } from '../../../shared/command/terminal/prompt.ts';
import { neverShow } from '../../../shared/command/terminal/shown.ts';
import { Refused } from '../../../shared/record/faults.ts';

const VARIABLE = 'KEYROSTER_ADMIN_KEY';
const FILE_VARIABLE = 'KEYROSTER_ADMIN_KEY_FILE';
const OPTION = '--admin-key-file';
const STANDARD_INPUT = '-';

/** No environment variable of commander's: `given` has to know which of them names a file. */
export const adminKeyFileOption = () =>
  new Option(
    `${OPTION} <file>`,
    `a file that holds the admin key, - for standard input (default: ${VARIABLE}, ${FILE_VARIABLE}, the profile, a prompt)`,
  );

/** Whether standard input is to have the admin key, so that it can have nothing else. */
export function isOnStandardInput(file: string | undefined): boolean {
  return (file ?? process.env[FILE_VARIABLE]) === STANDARD_INPUT;
}

/** `undefined` when neither the option nor a variable gives it. */
export async function givenAdminKey(file: string | undefined): Promise<string | undefined> {
  if (file !== undefined) return contentOf(OPTION, file);
  const { [VARIABLE]: inEnvironment, [FILE_VARIABLE]: fileInEnvironment } = process.env;
  if (inEnvironment && fileInEnvironment)
    throw new UsageError(`${VARIABLE} and ${FILE_VARIABLE}: only one of them may be set`);
  if (inEnvironment) return neverShow(inEnvironment);
  return fileInEnvironment ? contentOf(FILE_VARIABLE, fileInEnvironment) : undefined;
}

/** @param prompt one that is open already, for what was typed ahead. */
export async function promptForAdminKey(prompt = openPrompt()): Promise<string> {
  return neverShow(await prompt.askUnseen('Admin key: ').finally(() => prompt.close()));
}

function openPrompt(): Prompt {
  if (isInteractive()) return new Prompt();
  throw new UsageError(
    `an admin key is required: set ${VARIABLE}, or name a file that holds it with ${OPTION}, or keep it with keyroster-admin login`,
  );
}

/** Whether someone can be asked. */
export const isInteractive = () => Boolean(process.stdin.isTTY && process.stderr.isTTY);

async function contentOf(option: string, file: string): Promise<string> {
  if (file === STANDARD_INPUT) return isInteractive() ? promptForAdminKey() : readStandardInput();
  let adminKey: string;
  try {
    adminKey = neverShow(readFileSync(file, 'utf8').trim());
    if (readableByAnyone(file)) printError(`warning: ${option}: others can read ${file}: chmod 600 ${file}`);
  } catch (error) {
    throw new Refused(`${option}: ${cannotRead(file, error)}`, { cause: error });
  }
  const rule = adminKey === '' ? 'is empty: it must have the admin key' : ADMIN_KEY_RULE;
  return required(`${option}: ${file}`, isVisibleAscii(adminKey) ? adminKey : undefined, rule);
}

export async function readStandardInput(): Promise<string> {
  const adminKey = (await text(process.stdin)).trim();
  if (adminKey === '') throw new UsageError('standard input: must have the admin key');
  return neverShow(adminKey);
}
