import {
  type AdminKey,
  adminKeyRecord,
  EXPIRY_RULE,
  futureExpiry,
  newAdminKey,
} from '../../service/roster/admin-key.ts';
import { AdminKeySecret } from '../../service/roster/admin-key-secret.ts';
import { ADMIN_KEY_NETWORKS_RULE, parseAdminKeyNetworks } from '../../service/roster/network.ts';
import { Command } from '../../shared/command/command.ts';
import {
  jsonOption,
  nameOf,
  organizationOption,
  ownerIdOf,
  required,
  vendorOf,
} from '../../shared/command/options.ts';
import { jsonText, printNewAdminKey, tableText } from '../../shared/command/terminal/print.ts';
import type { OrganizationId, WorkspaceId } from '../../shared/record/identifier.ts';
import {
  parseTimestamp,
  TIMESTAMP_RULE,
  type Timestamp,
  timestampNow,
} from '../../shared/record/timestamp.ts';
import { type WriteFlags, withWriter, writeOptions } from '../options/database.ts';
import { vendorOption } from '../options/setting-option.ts';

interface CreateOptions extends WriteFlags {
  readonly organization: string;
  readonly workspace?: string;
  readonly name: string;
  readonly expiresAt?: string;
  readonly networks?: string;
  readonly vendor: string;
}

export function createCommand(): Command {
  return new Command('create')
    .description('creates an admin key and prints its secret, only this once: the store keeps a digest')
    .addOption(organizationOption().makeOptionMandatory())
    .option(
      '--workspace <id>',
      'the only workspace whose keys it lists; not the default one, which has no ID (default: the whole organization)',
    )
    .option('--name <name>', 'what it is for', 'admin key')
    .option('--expires-at <time>', 'RFC 3339 time at which it expires (default: never)')
    .option(
      '--networks <list>',
      'where it may come from: addresses or networks, separated by commas (default: anywhere)',
    )
    .addOptions(vendorOption(), ...writeOptions(), jsonOption())
    .example('keyroster admin-keys create --organization org_example --name audit --json')
    .action(create);
}

async function create(options: CreateOptions): Promise<void> {
  const secret = AdminKeySecret.issue(vendorOf(options.vendor));
  const key = adminKeyFor(secret, options);
  await withWriter(options, roster => roster.createAdminKey(key));
  printNewAdminKey(
    options.json
      ? jsonText({ ...adminKeyRecord(key), secret: secret.reveal() })
      : tableText(['ID', 'SECRET (shown only now)'], [[key.id, secret.reveal()]]),
  );
}

function adminKeyFor(
  secret: AdminKeySecret,
  { organization, workspace, name, expiresAt, networks }: CreateOptions,
): AdminKey {
  return newAdminKey(secret, {
    organizationId: ownerIdOf<OrganizationId>('--organization', organization),
    scope: workspace === undefined ? null : { workspaceId: ownerIdOf<WorkspaceId>('--workspace', workspace) },
    name: nameOf('--name', name),
    createdAt: timestampNow(),
    expiresAt: expiresAt === undefined ? null : expiryOf(expiresAt),
    networks:
      networks === undefined
        ? null
        : required('--networks', parseAdminKeyNetworks(networks), ADMIN_KEY_NETWORKS_RULE),
  });
}

function expiryOf(text: string): Timestamp {
  const time = required('--expires-at', parseTimestamp(text), TIMESTAMP_RULE);
  return required('--expires-at', futureExpiry(time, timestampNow()), EXPIRY_RULE);
}
