import { type AdminKey, adminKeyRecord, workspaceOf } from '../../service/roster/admin-key.ts';
import { walkByCreation } from '../../service/roster/walks.ts';
import { Command } from '../../shared/command/command.ts';
import { jsonOption, keyIdOf, organizationOf, organizationOption } from '../../shared/command/options.ts';
import { printJson, printJsonArray, printLine, printTable } from '../../shared/command/terminal/print.ts';
import type { AdminKeyId } from '../../shared/record/identifier.ts';
import { formatTimeOrNull, formatTimestamp, timestampNow } from '../../shared/record/timestamp.ts';
import {
  databaseOption,
  type WriteFlags,
  withOperatorReader,
  withWriter,
  writeOptions,
} from '../options/database.ts';
import { createCommand } from './admin-keys-create.ts';
import { rotateCommand } from './admin-keys-rotate.ts';

export function adminKeysCommand(): Command {
  return new Command('admin-keys')
    .description("the credentials that list an organization's API keys")
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(rotateCommand())
    .addCommand(revokeCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('lists admin keys, oldest first, never a secret')
    .addOptions(organizationOption(), databaseOption(), jsonOption())
    .example('keyroster admin-keys list --organization org_example')
    .action(async (options: { organization?: string; database: string; json?: boolean }) => {
      const organization = organizationOf(options.organization);
      await withOperatorReader(options.database, roster => {
        const pages = walkByCreation((after, limit) => roster.listAdminKeys(organization, after, limit));
        return options.json
          ? printJsonArray(pages, adminKeyRecord)
          : printTable(Object.keys(columns), pages, rowOf);
      });
    });
}

/** Never a secret. */
const columns = {
  ID: key => key.id,
  ORGANIZATION: key => key.organizationId,
  NAME: key => key.name,
  'ENDS IN': key => key.lastCharacters,
  CREATED: key => formatTimestamp(key.createdAt),
  EXPIRES: key => formatTimeOrNull(key.expiresAt) ?? '-',
  REVOKED: key => formatTimeOrNull(key.revokedAt) ?? '-',
  NETWORKS: key => key.networks?.join(',') ?? '-',
  WORKSPACE: key => workspaceOf(key) ?? '-',
} as const satisfies Record<string, (key: AdminKey) => string>;

const rowOf = (key: AdminKey) => Object.values(columns).map(cell => cell(key));

function revokeCommand(): Command {
  return new Command('revoke')
    .description('revokes an admin key, for good')
    .argument('<id>', "the admin key's ID, as list shows it")
    .addOptions(...writeOptions(), jsonOption())
    .example('keyroster admin-keys revoke adminkey_6CkQWfKuQKPGpBEbBoGqVp')
    .action(async (id: string, options: WriteFlags) => {
      const keyId = keyIdOf<AdminKeyId>('id', id);
      const key = await withWriter(options, roster => roster.revokeAdminKey(keyId, timestampNow()));
      if (options.json) await printJson(adminKeyRecord(key));
      else printLine(`${key.id} was revoked at ${formatTimeOrNull(key.revokedAt)}`);
    });
}
