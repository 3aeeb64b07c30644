import { Command } from 'commander';
import { STATUSES } from '../../roster/api-key.ts';
import type { ApiKeyId, OrganizationId } from '../../roster/identifier.ts';
import { actorOption } from '../options/actor.ts';
import { databaseOption, type WriteFlags, withWriter } from '../options/database.ts';
import { idOf, jsonOption, organizationOption, required } from '../options/shared-options.ts';
import { printJson, printLine } from '../terminal/print.ts';

export function setStatusCommand(): Command {
  return new Command('set-status')
    .description('sets the status of API keys: all of them, or none; archived is final')
    .argument('<status>', STATUSES.join(', '))
    .argument('<id...>', "the API keys' IDs")
    .addOption(organizationOption().makeOptionMandatory())
    .addOption(databaseOption())
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExample: keyroster set-status archived apikey_1 apikey_2 --organization org_example',
    )
    .action(
      async (text: string, ids: string[], flags: WriteFlags & { organization: string; json?: boolean }) => {
        const organization = idOf<OrganizationId>('--organization', flags.organization);
        const known = STATUSES.find(status => status === text);
        const status = required('status', known, `must be one of ${STATUSES.join(', ')}`);
        const keys = ids.map(id => idOf<ApiKeyId>('id', id));
        const counts = await withWriter(flags, roster => roster.setStatus(organization, keys, status));
        if (flags.json) await printJson(counts);
        else printLine(`changed ${counts.changed}, unchanged ${counts.unchanged}`);
      },
    );
}
