import { Command } from '../../../shared/command/command.ts';
import { idOf, jsonOption, nameOf } from '../../../shared/command/options.ts';
import { printJson, printJsonArray, printLine, printTable } from '../../../shared/command/terminal/print.ts';
import { newId, type OrganizationId } from '../../../shared/record/identifier.ts';
import { formatTimestamp, timestampOfDate } from '../../../shared/record/timestamp.ts';
import {
  newOrganization,
  type Organization,
  organizationRecord,
  type StoredOrganization,
} from '../../roster/organization.ts';
import { walkByCreation } from '../../roster/walks.ts';
import {
  databaseOption,
  type WriteFlags,
  withOperatorReader,
  withWriter,
  writeOptions,
} from '../options/database.ts';
import { disableCommand, enableCommand, renameCommand } from './organizations-change.ts';
import { deleteCommand } from './organizations-delete.ts';
import { importCommand } from './organizations-import.ts';

export function organizationsCommand(): Command {
  return new Command('organizations')
    .description('the tenants of the service')
    .addCommand(createCommand())
    .addCommand(importCommand())
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
    .action(async (name: string, options: WriteFlags & { id?: string; json?: boolean }) => {
      const organization: Organization = {
        id: options.id === undefined ? newId('org') : idOf<OrganizationId>('--id', options.id),
        name: nameOf('name', name),
        createdAt: timestampOfDate(new Date()),
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
