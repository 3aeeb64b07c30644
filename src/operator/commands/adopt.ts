import { Option } from 'commander';
import { Command, UsageError } from '../../shared/command/command.ts';
import { proposeMapping } from '../adopt/propose-mapping.ts';
import { type MappingFlags, removeAdoption, useMapping } from '../adopt/use-mapping.ts';
import { actorOption, databaseOption, type WriteFlags } from '../options/database.ts';

interface AdoptFlags extends WriteFlags, Omit<MappingFlags, 'mapping'> {
  readonly table?: string;
  readonly file: string;
  readonly mapping?: string;
  readonly remove?: boolean;
}

export function adoptCommand(): Command {
  return new Command('adopt')
    .description(
      'lists the API keys of a table of your own, in PostgreSQL, where they are: without a copy, read-only',
    )
    .addOption(
      new Option(
        '--table <name>',
        'look at this table, and write what its columns seem to be to --file',
      ).conflicts(['mapping', 'apply', 'remove']),
    )
    .addOption(
      new Option('--file <file>', 'the new file for what --table finds').default('keyroster.table.json'),
    )
    .addOption(new Option('--mapping <file>', 'print the SQL that serves the table of this file'))
    .addOption(new Option('--apply', 'run it, step by step'))
    .addOption(new Option('--remove', 'take back what --apply has made').conflicts(['mapping', 'apply']))
    .addOptions(databaseOption(), actorOption())
    .example('keyroster adopt --mapping keyroster.table.json --apply --database postgres://…')
    .action(async ({ table, file, mapping, remove, ...flags }: AdoptFlags) => {
      if (table !== undefined) return proposeMapping({ ...flags, table, file });
      if (remove) return removeAdoption(flags);
      if (mapping === undefined) throw new UsageError('adopt: give --table, --mapping or --remove');
      return useMapping({ ...flags, mapping });
    });
}
