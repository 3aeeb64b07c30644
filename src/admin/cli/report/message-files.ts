import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../../shared/command/command.ts';
import { printAtEnd } from '../../../shared/command/terminal/print.ts';
import { withoutUsedAdminKey } from '../../../shared/command/terminal/shown.ts';
import { makePrivateFolder, OWNER_ONLY_FOLDER_MODE } from '../../../shared/files.ts';
import { csvCell } from '../../../shared/formats/render-csv.ts';
import type { Breaches } from '../../report/breaches.ts';
import { Messages } from '../../report/messages.ts';
import { number } from '../../report/sections.ts';
import { writePrivately } from '../private-file.ts';

/** The table of who gets which. It is written last, so all of the texts are there. */
export const TABLE = 'messages.csv';

/** Before anything is read. Throws a `UsageError`. */
export function requireEmptyFolder(folder: string): void {
  let problem = "isn't empty: give a new folder, so that no text of another day is sent again";
  try {
    makePrivateFolder(folder);
    if (readdirSync(folder).length === 0) return;
  } catch (error) {
    problem = `can't be used: ${(error as Error).message}`;
  }
  throw new UsageError(`--messages: ${folder}: ${problem}`);
}

/** A file for each, whose name is a number: a name of a person would be of any form. Tells how many there are. */
export async function writeMessages(
  folder: string,
  breaches: Breaches,
  { exact, ...around }: ConstructorParameters<typeof Messages>[0] & { readonly exact: boolean },
): Promise<void> {
  chmodSync(folder, OWNER_ONLY_FOLDER_MODE); // it may have been there
  const messages = new Messages(around);
  for (const breach of breaches.all()) messages.add(breach);
  const rows = ['to,file\n'];
  for (const { to, text } of messages.all()) {
    const file = `${rows.length}.txt`;
    await writePrivately(join(folder, file), [withoutUsedAdminKey(`${text}\n`)]);
    rows.push(`${csvCell(to, exact)},${file}\n`);
  }
  await writePrivately(join(folder, TABLE), rows);
  const count = number(rows.length - 1);
  printAtEnd(`${count} message(s) in ${folder}: ${TABLE} says who gets which. Nothing is sent`);
}
