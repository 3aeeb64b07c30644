import { deleteOrganization, type OrganizationContents } from '../../service/roster/organization.ts';
import type { RosterWriter } from '../../service/roster/roster.ts';
import { Command, UsageError } from '../../shared/command/command.ts';
import { jsonOption, ownerIdOf } from '../../shared/command/options.ts';
import { shellWord } from '../../shared/command/shell-word.ts';
import { printError, printJson, printLine } from '../../shared/command/terminal/print.ts';
import { ProgressBar } from '../../shared/command/terminal/progress-bar.ts';
import { Prompt } from '../../shared/command/terminal/prompt.ts';
import { Refused } from '../../shared/record/faults.ts';
import type { OrganizationId } from '../../shared/record/identifier.ts';
import { timestampNow } from '../../shared/record/timestamp.ts';
import { type WriteFlags, withWriter, writeOptions } from '../options/database.ts';

interface DeleteFlags extends WriteFlags {
  readonly confirm?: string;
}

export function deleteCommand(): Command {
  return new Command('delete')
    .description('deletes an organization with its API keys and admin keys, for good')
    .argument('<id>', "the organization's ID")
    .option(
      '--confirm <id>',
      'the same ID again: nothing is deleted without it (default: asked on a terminal)',
    )
    .addOptions(...writeOptions(), jsonOption())
    .example('keyroster organizations delete org_example --confirm org_example')
    .action(async (text: string, flags: DeleteFlags) => {
      const id = ownerIdOf<OrganizationId>('id', text);
      if (flags.confirm !== undefined && flags.confirm !== id)
        throw new UsageError("--confirm: must be the organization's ID");
      const contents = await withWriter(flags, roster => confirmAndDelete(roster, id, flags));
      if (flags.json) await printJson({ api_keys: contents.apiKeys, admin_keys: contents.adminKeys });
      else printLine(`${id} was deleted`);
    });
}

async function confirmAndDelete(
  roster: RosterWriter,
  id: OrganizationId,
  { confirm }: DeleteFlags,
): Promise<OrganizationContents> {
  const contents = await roster.findContents(id);
  const { apiKeys, adminKeys } = contents;
  if (confirm === undefined) {
    printError(
      `${id} has ${apiKeys} API key(s) and ${adminKeys} admin key(s): all are deleted with it, for good`,
    );
    if ((await typedId()) !== id)
      throw new Refused(`nothing was deleted: to delete it, run it again with --confirm ${shellWord(id)}`);
  }
  const bar = new ProgressBar();
  try {
    const onProgress = (deleted: number) => bar.draw(deleted / Math.max(apiKeys, 1), 'deleting', deleted);
    await deleteOrganization(roster, id, timestampNow(), onProgress);
  } finally {
    bar.clear();
  }
  return contents;
}

/** What a person types on a terminal; a script has none. */
async function typedId(): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const prompt = new Prompt();
  try {
    return await prompt.ask('Type its ID to delete it: ');
  } catch {
    return undefined; // the end of the input
  } finally {
    prompt.close();
  }
}
