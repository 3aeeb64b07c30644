import { Option } from 'commander';
import type { ApiKeyRecord, ListParameters } from '../../../client/client.ts';
import { Command } from '../../../shared/command/command.ts';
import { numberOf } from '../../../shared/command/options.ts';
import { printAtEnd } from '../../../shared/command/terminal/print.ts';
import type { CreatorId } from '../../../shared/record/identifier.ts';
import { LIMIT } from '../../../shared/record/list-query.ts';
import { connect, type ServiceFlags, serviceOptions } from '../connection/connect.ts';
import { type DirectoryFlags, directoryOf, directoryOption } from '../connection/directory-file.ts';
import { WALK_LIMIT } from '../connection/walk-pages.ts';
import { type CreatorFlags, creatorIdsOf, creatorOptions } from '../list/creators.ts';
import {
  type FilterFlags,
  filterOptions,
  filterParameters,
  localFiltersOf,
  sentId,
} from '../list/filter-options.ts';
import { type OutputFlags, outputOptions, writerOf } from '../list/output-options.ts';
import { printKeys, whyEmpty } from '../list/print-keys.ts';

interface ListFlags extends ServiceFlags, FilterFlags, CreatorFlags, OutputFlags, DirectoryFlags {
  readonly limit?: string;
  readonly after?: string;
  readonly before?: string;
  readonly all?: boolean;
}

export function listCommand(): Command {
  return new Command('list')
    .description("lists the API keys of the admin key's organization, newest first, over HTTP")
    .addOptions(...filterOptions(), ...creatorOptions())
    .option(
      '--limit <number>',
      `keys per page, ${LIMIT.min} to ${LIMIT.max} (default: ${LIMIT.default}; ${WALK_LIMIT} with --all)`,
    )
    .option('--after <id>', 'the page after this key')
    .addOption(
      new Option(
        '--before <id>',
        'the page before this key; with --all, every page back to the newest key',
      ).conflicts('after'),
    )
    .option('--all', 'every page from there to the last')
    .addOptions(...outputOptions(), directoryOption(), ...serviceOptions())
    .example('keyroster-admin list --status active --older-than 365d --all --format csv > old.csv')
    .action(async (flags: ListFlags) => {
      const directory = directoryOf(flags);
      const creators = creatorIdsOf(flags, directory);
      const [only, ...others] = creators ?? [];
      // The service filters by one creator. For more the roster is read.
      const query = { ...queryOf(flags), ...(others.length === 0 && { created_by_user_id: only }) };
      const isTheirs = ({ created_by }: ApiKeyRecord) => creators?.has(created_by.id as CreatorId) ?? true;
      const filters = [...localFiltersOf(flags), ...(others.length > 0 ? [isTheirs] : [])];
      const writer = writerOf(flags, { directory });
      if (creators?.size === 0) {
        await writer.end(false);
        return printAtEnd('no key matches: the directory has no such creator');
      }
      const client = await connect(flags);
      const count = await printKeys(client, { query, filters, writer, ...flags });
      if (count === 0) printAtEnd(whyEmpty(query, filters, flags.name));
    });
}

function queryOf({ limit, after, before, all, ...flags }: ListFlags): ListParameters {
  if (after !== undefined) sentId('--after', after);
  if (before !== undefined) sentId('--before', before);
  const byDefault = all ? WALK_LIMIT : LIMIT.default;
  return {
    limit: limit === undefined ? byDefault : numberOf('--limit', limit, LIMIT.min, LIMIT.max),
    ...filterParameters(flags),
    ...(before === undefined ? { after_id: after } : { before_id: before }),
  };
}
