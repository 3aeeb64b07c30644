import { Option } from 'commander';
import type { ListParameters } from '../../../client/client.ts';
import type { ListedKey } from '../../../client/listed-key.ts';
import { Command, UsageError } from '../../../shared/command/command.ts';
import { EXIT_CODES } from '../../../shared/command/exit-codes.ts';
import { numberOf } from '../../../shared/command/options.ts';
import { printAtEnd } from '../../../shared/command/terminal/print.ts';
import type { CreatorId } from '../../../shared/record/identifier.ts';
import { LIMIT } from '../../../shared/record/list-query.ts';
import { knowsNobody } from '../../directory/directory.ts';
import { tells } from '../../find/told.ts';
import { oneOf } from '../../report/policies.ts';
import { connect, severalOptions } from '../connection/connect.ts';
import { type DirectoryFlags, directoryOf, directoryOptions } from '../connection/directory-file.ts';
import { WALK_LIMIT } from '../connection/walk-pages.ts';
import { askedCreators, type CreatorFlags, creatorOptions } from '../list/creators.ts';
import {
  type FilterFlags,
  filterOptions,
  filterParameters,
  localFiltersOf,
  sentId,
} from '../list/filter-options.ts';
import { type OutputFlags, outputOptions, writerOf } from '../list/output-options.ts';
import { printAll, printPage, whyEmpty } from '../list/print-keys.ts';
import { Source, type SourceFlags } from '../source.ts';

interface ListFlags extends SourceFlags, FilterFlags, CreatorFlags, OutputFlags, DirectoryFlags {
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
    .addOptions(...outputOptions(), ...directoryOptions(), ...severalOptions())
    .example('keyroster-admin list --status active --older-than 365d --all --format csv > old.csv')
    .action(async (flags: ListFlags, command: Command) => {
      const source = new Source(flags, command);
      if (source.profiles && (!flags.all || (flags.after ?? flags.before) !== undefined))
        throw new UsageError('several services are listed whole: give --all, without --after or --before');
      const directory = directoryOf(flags);
      const asked = askedCreators(flags, directory);
      // The service filters by one creator. For more the roster is read, and to tell how many of its creators the directory knows.
      const only = asked?.ids.size === 1 && !asked.byDirectory ? [...asked.ids][0] : undefined;
      const query = { ...queryOf(flags), created_by_user_id: only };
      const isTheirs = (key: ListedKey) =>
        tells(key, 'created_by.id') ? asked?.ids.has(key.created_by?.id as CreatorId) : undefined;
      const filters = [...localFiltersOf(flags), ...(asked && only === undefined ? [isTheirs] : [])];
      const writer = writerOf(flags, { directory, several: source.profiles !== undefined });
      const keys = { query, filters, writer };
      const count = flags.all
        ? await printAll(source, keys, flags.format)
        : await printPage(await connect(flags), keys);
      const knows = asked?.byDirectory ? directory : undefined;
      const isUnsure = knows
        ? knowsNobody(knows.coverage(writer.creatorIds))
        : asked?.byMail && (count === 0 || source.profiles !== undefined);
      const strangers = asked?.strangers.filter(mail => !writer.creatorIds.has(mail)) ?? [];
      if (isUnsure || strangers.length > 0) process.exitCode ||= EXIT_CODES.unsure;
      if (strangers.length > 0)
        printAtEnd(
          `nobody with an ID in the directory has the mail address ${oneOf(strangers, 'that are asked for')}`,
        );
      if (isUnsure) printAtEnd(knows ? KNOWS_NOBODY : NO_SUCH_ID);
      else if (count === 0) printAtEnd(whyEmpty(query, filters, flags.name));
    });
}

const NO_SUCH_ID =
  'a service whose creators have no mail addresses for IDs has no such key: with --directory FILE, which has both, it finds those of the person';

const KNOWS_NOBODY =
  'nothing can be told of these people: does the directory have the IDs that this service has for its creators?';

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
