import { Option } from 'commander';
import { Command, UsageError } from '../../../shared/command/command.ts';
import {
  idOf,
  jsonOption,
  nameOf,
  organizationOption,
  required,
  vendorOf,
} from '../../../shared/command/options.ts';
import { jsonText, printNewAdminKey, tableText } from '../../../shared/command/terminal/print.ts';
import type { OrganizationId, WorkspaceId } from '../../../shared/record/identifier.ts';
import {
  parseTimestamp,
  TIMESTAMP_RULE,
  type Timestamp,
  timestampOfDate,
} from '../../../shared/record/timestamp.ts';
import {
  type AdminKey,
  adminKeyRecord,
  EXPIRY_RULE,
  futureExpiry,
  newAdminKey,
} from '../../roster/admin-key.ts';
import { AdminKeySecret } from '../../roster/admin-key-secret.ts';
import { ADMIN_KEY_NETWORKS_RULE, parseAdminKeyNetworks } from '../../roster/network.ts';
import { createFromFile } from '../import/create-admin-keys.ts';
import { printCounts } from '../import/print-counts.ts';
import { type WriteFlags, withWriter, writeOptions } from '../options/database.ts';
import { vendorOption } from '../options/setting-option.ts';

interface CreateOptions extends WriteFlags {
  readonly organization?: string;
  readonly workspace?: string;
  readonly name: string;
  readonly expiresAt?: string;
  readonly networks?: string;
  readonly from?: string;
  readonly to?: string;
  readonly vendor: string;
  readonly json?: boolean;
}

const OF_ONE_KEY = ['organization', 'workspace', 'name', 'expiresAt', 'networks'];

export function createCommand(): Command {
  return new Command('create')
    .description('creates an admin key and prints its secret, only this once: the store keeps a digest')
    .addOption(organizationOption())
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
    .addOption(
      new Option(
        '--from <file>',
        'instead: many, one for each line of organization_id, name, expires_at, networks and workspace_id; - is standard input',
      ).conflicts(OF_ONE_KEY),
    )
    .option('--to <file>', 'with --from: the new file for the keys with their secrets')
    .addOptions(vendorOption(), ...writeOptions(), jsonOption())
    .example('keyroster admin-keys create --organization org_example --name audit --json')
    .action(async (options: CreateOptions) => {
      if ((options.from === undefined) !== (options.to === undefined))
        throw new UsageError('create: --from and --to belong together');
      if (options.from === undefined || options.to === undefined) await createOne(options);
      else await createMany(options, options.from, options.to);
    });
}

async function createMany(options: CreateOptions, from: string, to: string): Promise<void> {
  const vendor = vendorOf(options.vendor);
  const counts = await withWriter(options, roster => createFromFile(roster, { from, to, vendor }));
  await printCounts(counts, options);
}

async function createOne(options: CreateOptions): Promise<void> {
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
  if (organization === undefined)
    throw new UsageError('create: give --organization, or a file of many with --from and --to');
  return newAdminKey(secret, {
    organizationId: idOf<OrganizationId>('--organization', organization),
    scope: workspace === undefined ? null : { workspaceId: idOf<WorkspaceId>('--workspace', workspace) },
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
