import {
  newOrganization,
  type Organization,
  organizationRecord,
  type StoredOrganization,
} from '../../service/roster/organization.ts';
import type { RosterWriter } from '../../service/roster/roster.ts';
import { walkByCreation } from '../../service/roster/walks.ts';
import { Command } from '../../shared/command/command.ts';
import { jsonOption, nameOf, ownerIdOf } from '../../shared/command/options.ts';
import { printJson, printJsonArray, printLine, printTable } from '../../shared/command/terminal/print.ts';
import { newId, type OrganizationId } from '../../shared/record/identifier.ts';
import { formatTimestamp, timestampNow } from '../../shared/record/timestamp.ts';
import {
  databaseOption,
  type WriteFlags,
  withOperatorReader,
  withWriter,
  writeOptions,
} from '../options/database.ts';
import { deleteCommand } from './organizations-delete.ts';

export function organizationsCommand(): Command {
  return new Command('organizations')
    .description('the tenants of the service')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(renameCommand())
    .addCommand(disableCommand())
    .addCommand(enableCommand())
    .addCommand(deleteCommand());
}

function createCommand(): Command {
  return new Command('create')
    .description('adds an organization and prints its ID')
    .argument('<name>', 'its display name')
    .option('--id <id>', 'its ID (default: a generated one)')
    .addOptions(...writeOptions(), jsonOption())
    .example('keyroster organizations create "Example Ltd" --id org_example')
    .action(async (name: string, options: WriteFlags & { id?: string }) => {
      const organization: Organization = {
        id: options.id === undefined ? newId('org') : ownerIdOf<OrganizationId>('--id', options.id),
        name: nameOf('name', name),
        createdAt: timestampNow(),
      };
      await withWriter(options, roster => roster.createOrganization(organization));
      if (options.json) await printJson(organizationRecord(newOrganization(organization)));
      else printLine(organization.id);
    });
}

function listCommand(): Command {
  return new Command('list')
    .description('lists the organizations, oldest first')
    .addOptions(databaseOption(), jsonOption())
    .example('keyroster organizations list --json')
    .action(async (options: { database: string; json?: boolean }) => {
      await withOperatorReader(options.database, roster => {
        const pages = walkByCreation((after, limit) => roster.listOrganizations(after, limit));
        return options.json
          ? printJsonArray(pages, organizationRecord)
          : printTable(['ID', 'NAME', 'CREATED', 'STATE'], pages, organizationRow);
      });
    });
}

function organizationRow(organization: StoredOrganization): string[] {
  const { id, name, createdAt } = organization;
  return [id, name, formatTimestamp(createdAt), stateOf(organization)];
}

function stateOf({ disabledAt, deletedAt }: StoredOrganization): string {
  if (deletedAt !== null) return 'being deleted';
  return disabledAt === null ? 'enabled' : 'disabled';
}

function renameCommand(): Command {
  return command('rename', 'gives an organization another display name')
    .argument('<name>', 'its new display name')
    .example('keyroster organizations rename org_example "Example GmbH"')
    .action((id: string, text: string, flags: WriteFlags) => {
      const name = nameOf('name', text);
      return change(id, flags, 'was renamed', (roster, of) => roster.renameOrganization(of, name));
    });
}

function disableCommand(): Command {
  return command('disable', "refuses an organization's admin keys, until it is enabled again")
    .example('keyroster organizations disable org_example')
    .action((id: string, flags: WriteFlags) =>
      change(id, flags, 'is disabled', (roster, of) => roster.disableOrganization(of, timestampNow())),
    );
}

function enableCommand(): Command {
  return command('enable', 'accepts the admin keys of a disabled organization again')
    .example('keyroster organizations enable org_example')
    .action((id: string, flags: WriteFlags) =>
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
  flags: WriteFlags,
  done: string,
  work: (roster: RosterWriter, id: OrganizationId) => Promise<StoredOrganization>,
): Promise<void> {
  const id = ownerIdOf<OrganizationId>('id', text);
  const organization = await withWriter(flags, roster => work(roster, id));
  if (flags.json) await printJson(organizationRecord(organization));
  else printLine(`${id} ${done}`);
}
