import { Command, Option } from 'commander';
import type { ListParameters } from '../../client/client.ts';
import { LIMIT } from '../../roster/list-query.ts';
import { columnNames } from '../list/column-names.ts';
import { type FilterFlags, filterOptions, filterParameters } from '../list/filter-options.ts';
import { LIST_FORMATS, type ListFormat, listWriter } from '../list/formats.ts';
import { type LocalFilterFlags, localFilterOptions, localFilters } from '../list/local-filters.ts';
import { printKeys, whyEmpty } from '../list/print-keys.ts';
import { refuseFullKey } from '../options/full-key.ts';
import { exactOption, required } from '../options/shared-options.ts';
import { connect, type ServiceFlags, serviceOptions } from '../service/connect.ts';
import { WALK_LIMIT } from '../service/walk-pages.ts';
import { printAtEnd } from '../terminal/print.ts';

interface ListFlags extends ServiceFlags, FilterFlags, LocalFilterFlags {
  readonly limit?: string;
  readonly after?: string;
  readonly before?: string;
  readonly all?: boolean;
  readonly format: ListFormat;
  readonly exact?: boolean;
  readonly columns?: string;
}

export function listCommand(): Command {
  const command = new Command('list').description(
    "lists the API keys of the admin key's organization, newest first, over HTTP",
  );
  for (const option of [...filterOptions(), ...localFilterOptions()]) command.addOption(option);
  command
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
    .addOption(new Option('--format <format>', 'what to print').choices(LIST_FORMATS).default('table'))
    .option(
      '--columns <names>',
      'only these, separated by commas: fields of the record, declared ones too, or age',
    )
    .addOption(exactOption());
  for (const option of serviceOptions()) command.addOption(option);
  return command
    .addHelpText(
      'after',
      '\nExample: keyroster list --status active --older-than 365d --all --format csv > old.csv',
    )
    .action(async (flags: ListFlags) => {
      const query = queryOf(flags);
      const filters = localFilters(flags);
      const columns = flags.columns === undefined ? undefined : columnNames(flags.columns);
      const writer = listWriter(flags.format, { exact: flags.exact ?? false, columns });
      const client = await connect(flags);
      const count = await printKeys(client, { query, filters, writer, ...flags });
      if (count === 0) printAtEnd(whyEmpty(query, filters, flags.name));
    });
}

function queryOf({ limit, after, before, all, ...flags }: ListFlags): ListParameters {
  if (after !== undefined) refuseFullKey('--after', after);
  if (before !== undefined) refuseFullKey('--before', before);
  return {
    limit: limit === undefined ? (all ? WALK_LIMIT : LIMIT.default) : limitOf(limit),
    ...filterParameters(flags),
    ...(before === undefined ? { after_id: after } : { before_id: before }),
  };
}

function limitOf(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  const allowed = limit >= LIMIT.min && limit <= LIMIT.max ? limit : undefined;
  return required('--limit', allowed, `must be a whole number from ${LIMIT.min} to ${LIMIT.max}`);
}
