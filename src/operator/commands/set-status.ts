import { refusedStatuses } from '../../service/roster/writes/refusals.ts';
import { Command, UsageError } from '../../shared/command/command.ts';
import {
  jsonOption,
  keyIdOf,
  organizationOption,
  ownerIdOf,
  required,
} from '../../shared/command/options.ts';
import { printJson, printLine } from '../../shared/command/terminal/print.ts';
import { Refused } from '../../shared/record/faults.ts';
import type { ApiKeyId, OrganizationId } from '../../shared/record/identifier.ts';
import { STATUSES } from '../../shared/record/status.ts';
import { idLines } from '../import/id-lines.ts';
import { type WriteFlags, withWriter, writeOptions } from '../options/database.ts';

interface SetStatusFlags extends WriteFlags {
  readonly organization: string;
  readonly from?: string;
}

export function setStatusCommand(): Command {
  return new Command('set-status')
    .description('sets the status of API keys: all of them, or none; archived is final')
    .argument('<status>', STATUSES.join(', '))
    .argument('[id...]', "the API keys' IDs")
    .option('--from <file>', 'a file with more IDs, one a line; - is standard input')
    .addOption(organizationOption().makeOptionMandatory())
    .addOptions(...writeOptions(), jsonOption())
    .example('keyroster set-status archived apikey_1 apikey_2 --organization org_example')
    .action(async (text: string, ids: string[], flags: SetStatusFlags) => {
      const organization = ownerIdOf<OrganizationId>('--organization', flags.organization);
      const known = STATUSES.find(status => status === text);
      const status = required('status', known, `must be one of ${STATUSES.join(', ')}`);
      if (ids.length === 0 && flags.from === undefined)
        throw new UsageError('id: give at least one, or a file of IDs with --from');
      const named = ids.map(id => keyIdOf<ApiKeyId>('id', id));
      const lines = flags.from === undefined ? [] : await idLines(flags.from);
      const keys = [...named, ...lines.map(({ id }) => id)];
      const counts = await withWriter(flags, roster => roster.setStatus(organization, keys, status)).catch(
        error => {
          throw withLines(error, index => lines[index - named.length]?.line);
        },
      );
      if (flags.json) await printJson(counts);
      else printLine(`changed ${counts.changed}, unchanged ${counts.unchanged}`);
    });
}

/** The same refusal, with the line of each key that came from a file. */
function withLines(error: unknown, lineOf: (index: number) => number | undefined): unknown {
  if (!(error instanceof Refused) || error.faults.every(({ field }) => field === 'organization_id'))
    return error;
  return refusedStatuses(error.faults, index => {
    const line = lineOf(index);
    return line === undefined ? '' : `line ${line}: `;
  });
}
