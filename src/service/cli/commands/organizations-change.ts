import { Command } from '../../../shared/command/command.ts';
import { idOf, jsonOption, nameOf } from '../../../shared/command/options.ts';
import { printJson, printLine } from '../../../shared/command/terminal/print.ts';
import type { OrganizationId } from '../../../shared/record/identifier.ts';
import { timestampOfDate } from '../../../shared/record/timestamp.ts';
import { organizationRecord, type StoredOrganization } from '../../roster/organization.ts';
import type { RosterWriter } from '../../roster/roster.ts';
import { type WriteFlags, withWriter, writeOptions } from '../options/database.ts';

type Flags = WriteFlags & { readonly json?: boolean };

export function renameCommand(): Command {
  return command('rename', 'gives an organization another display name')
    .argument('<name>', 'its new display name')
    .example('keyroster organizations rename org_example "Example GmbH"')
    .action((id: string, text: string, flags: Flags) => {
      const name = nameOf('name', text);
      return change(id, flags, 'was renamed', (roster, of) => roster.renameOrganization(of, name));
    });
}

export function disableCommand(): Command {
  return command('disable', "refuses an organization's admin keys, until it is enabled again")
    .example('keyroster organizations disable org_example')
    .action((id: string, flags: Flags) =>
      change(id, flags, 'is disabled', (roster, of) =>
        roster.disableOrganization(of, timestampOfDate(new Date())),
      ),
    );
}

export function enableCommand(): Command {
  return command('enable', 'accepts the admin keys of a disabled organization again')
    .example('keyroster organizations enable org_example')
    .action((id: string, flags: Flags) =>
      change(id, flags, 'is enabled', (roster, of) => roster.enableOrganization(of)),
    );
}

function command(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('<id>', "the organization's ID")
    .addOptions(...writeOptions(), jsonOption());
}

async function change(
  text: string,
  flags: Flags,
  done: string,
  work: (roster: RosterWriter, id: OrganizationId) => Promise<StoredOrganization>,
): Promise<void> {
  const id = idOf<OrganizationId>('id', text);
  const organization = await withWriter(flags, roster => work(roster, id));
  if (flags.json) await printJson(organizationRecord(organization));
  else printLine(`${id} ${done}`);
}
