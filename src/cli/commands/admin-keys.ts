import { Command } from 'commander';
import { type AdminKey, EXPIRY_RULE, futureExpiry, newAdminKey } from '../../roster/admin-key.ts';
import { adminKeyRecord } from '../../roster/admin-key-record.ts';
import { AdminKeySecret } from '../../roster/admin-key-secret.ts';
import type { AdminKeyId, OrganizationId } from '../../roster/identifier.ts';
import { ADMIN_KEY_NETWORKS_RULE, parseAdminKeyNetworks } from '../../roster/network.ts';
import { parseTimestamp, TIMESTAMP_RULE, type Timestamp, timestampOfDate } from '../../roster/timestamp.ts';
import { walkByCreation } from '../../roster/walk-by-creation.ts';
import { actorOption } from '../options/actor.ts';
import { databaseOption, type WriteFlags, withOperatorReader, withWriter } from '../options/database.ts';
import {
  idOf,
  jsonOption,
  nameOf,
  organizationOption,
  required,
  vendorOf,
  vendorOption,
} from '../options/shared-options.ts';
import {
  jsonText,
  printJson,
  printJsonArray,
  printLine,
  printNewAdminKey,
  printTable,
  tableText,
} from '../terminal/print.ts';
import { ADMIN_KEY_HEADINGS, adminKeyRow, timeOrNever } from './admin-key-output.ts';
import { rotateCommand } from './admin-keys-rotate.ts';
import { usedCommand } from './admin-keys-used.ts';

export function adminKeysCommand(): Command {
  return new Command('admin-keys')
    .description("the credentials that list an organization's API keys")
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(rotateCommand())
    .addCommand(revokeCommand())
    .addCommand(usedCommand());
}

interface CreateOptions extends WriteFlags {
  readonly organization: string;
  readonly name: string;
  readonly expiresAt?: string;
  readonly networks?: string;
  readonly vendor: string;
  readonly json?: boolean;
}

function createCommand(): Command {
  return new Command('create')
    .description('creates an admin key and prints its secret, only this once: the store keeps a digest')
    .addOption(organizationOption().makeOptionMandatory())
    .option('--name <name>', 'what it is for', 'admin key')
    .option('--expires-at <time>', 'RFC 3339 time at which it expires (default: never)')
    .option(
      '--networks <list>',
      'where it may come from: addresses or networks, separated by commas (default: anywhere)',
    )
    .addOption(vendorOption())
    .addOption(databaseOption())
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExample: keyroster admin-keys create --organization org_example --name audit --json',
    )
    .action(async (options: CreateOptions) => {
      const secret = AdminKeySecret.issue(vendorOf(options.vendor));
      const key = adminKeyFor(secret, options);
      await withWriter(options, roster => roster.createAdminKey(key));
      printNewAdminKey(
        options.json
          ? jsonText({ ...adminKeyRecord(key), secret: secret.reveal() })
          : tableText(['ID', 'SECRET (shown only now)'], [[key.id, secret.reveal()]]),
      );
    });
}

function adminKeyFor(
  secret: AdminKeySecret,
  { organization, name, expiresAt, networks }: CreateOptions,
): AdminKey {
  return newAdminKey(secret, {
    organizationId: idOf<OrganizationId>('--organization', organization),
    name: nameOf('--name', name),
    createdAt: now(),
    expiresAt: expiresAt === undefined ? null : expiryOf(expiresAt),
    networks:
      networks === undefined
        ? null
        : required('--networks', parseAdminKeyNetworks(networks), ADMIN_KEY_NETWORKS_RULE),
  });
}

function expiryOf(text: string): Timestamp {
  const time = required('--expires-at', parseTimestamp(text), TIMESTAMP_RULE);
  return required('--expires-at', futureExpiry(time, now()), EXPIRY_RULE);
}

const now = () => timestampOfDate(new Date());

function listCommand(): Command {
  return new Command('list')
    .description('lists admin keys, oldest first, never a secret')
    .addOption(organizationOption())
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample: keyroster admin-keys list --organization org_example')
    .action(async (options: { organization?: string; database: string; json?: boolean }) => {
      const organization =
        options.organization === undefined
          ? null
          : idOf<OrganizationId>('--organization', options.organization);
      await withOperatorReader(options.database, roster => {
        const pages = walkByCreation((after, limit) => roster.listAdminKeys(organization, after, limit));
        return options.json
          ? printJsonArray(pages, adminKeyRecord)
          : printTable(ADMIN_KEY_HEADINGS, pages, adminKeyRow);
      });
    });
}

function revokeCommand(): Command {
  return new Command('revoke')
    .description('revokes an admin key, for good')
    .argument('<id>', "the admin key's ID, as list shows it")
    .addOption(databaseOption())
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample: keyroster admin-keys revoke adminkey_6CkQWfKuQKPGpBEbBoGqVp')
    .action(async (id: string, options: WriteFlags & { json?: boolean }) => {
      const keyId = idOf<AdminKeyId>('id', id);
      const key = await withWriter(options, roster => roster.revokeAdminKey(keyId, now()));
      if (options.json) await printJson(adminKeyRecord(key));
      else printLine(`${key.id} was revoked at ${timeOrNever(key.revokedAt)}`);
    });
}
