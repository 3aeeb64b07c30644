import { Command, Option } from 'commander';
import { keyById } from '../../find/key-by-id.ts';
import type { ApiKeyId } from '../../roster/identifier.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { columnNames } from '../list/column-names.ts';
import { LIST_FORMATS, type ListFormat, listWriter } from '../list/formats.ts';
import { refuseFullKey } from '../options/full-key.ts';
import { exactOption, idOf } from '../options/shared-options.ts';
import { RecordReader } from '../service/checked-records.ts';
import { connect, type ServiceFlags, serviceOptions } from '../service/connect.ts';
import { readPage } from '../service/walk-pages.ts';
import { printAtEnd } from '../terminal/print.ts';

interface GetFlags extends ServiceFlags {
  readonly format: ListFormat;
  readonly exact?: boolean;
  readonly columns?: string;
}

export function getCommand(): Command {
  const command = new Command('get')
    .description(
      `prints the API keys with these IDs, over HTTP; exits with ${EXIT_CODES.needsALook} when there is no such key`,
    )
    .argument('<id...>', "the keys' IDs")
    .addOption(new Option('--format <format>', 'what to print').choices(LIST_FORMATS).default('table'))
    .option('--columns <names>', 'only these, separated by commas: fields of the record, declared ones too')
    .addOption(exactOption());
  for (const option of serviceOptions()) command.addOption(option);
  return command
    .addHelpText('after', '\nExample: keyroster get apikey_01Rj2N8SVvo6BePZj99NhmiT --format json')
    .action(async (given: string[], flags: GetFlags) => {
      const ids = [...new Set(given.map(keyIdOf))];
      const columns = flags.columns === undefined ? undefined : columnNames(flags.columns);
      const writer = listWriter(flags.format, { exact: flags.exact ?? false, columns });
      const client = await connect(flags);
      const { found, failure } = await lookUp(ids, id =>
        keyById(parameters => readPage(client, parameters), id),
      );
      if (found.includes(null)) process.exitCode = EXIT_CODES.needsALook; // before it prints: its reader may leave
      const reader = new RecordReader();
      await writer.write(reader.read(found.filter(each => each !== null).map(({ key }) => key)));
      await writer.end(false);
      for (const [index, each] of found.entries())
        if (each === null) printAtEnd(`no API key has the ID ${ids[index]}`);
      reader.printWarning();
      if (failure === undefined) return;
      if (found.length > 0)
        printAtEnd(`${found.length} of ${ids.length} IDs were looked up; continue with ${ids[found.length]}`);
      throw failure;
    });
}

/** In their order; `failure` is why those that are left out weren't looked up. What was found before isn't lost. */
async function lookUp<Found>(ids: readonly ApiKeyId[], find: (id: ApiKeyId) => Promise<Found>) {
  const found: Found[] = [];
  try {
    for (const id of ids) found.push(await find(id));
  } catch (failure) {
    return { found, failure };
  }
  return { found, failure: undefined };
}

function keyIdOf(text: string): ApiKeyId {
  refuseFullKey('<id>', text);
  return idOf<ApiKeyId>('<id>', text);
}
