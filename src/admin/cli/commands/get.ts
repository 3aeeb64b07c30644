import type { ListParameters } from '../../../client/client.ts';
import { Command } from '../../../shared/command/command.ts';
import { EXIT_CODES } from '../../../shared/command/exit-codes.ts';
import { shellWord } from '../../../shared/command/shell-word.ts';
import { printAtEnd } from '../../../shared/command/terminal/print.ts';
import type { ApiKeyId } from '../../../shared/record/identifier.ts';
import { type KeyAtPlace, keyById } from '../../find/key-by-id.ts';
import { listedKeys } from '../../report/readable-record.ts';
import { connect, type ServiceFlags, serviceOptions } from '../connection/connect.ts';
import { type DirectoryFlags, directoryOf, directoryOptions } from '../connection/directory-file.ts';
import { readPage, Waits, waitedPages } from '../connection/waits.ts';
import { sentId } from '../list/filter-options.ts';
import { type OutputFlags, outputOptions, writerOf } from '../list/output-options.ts';

interface GetFlags extends ServiceFlags, OutputFlags, DirectoryFlags {}

export function getCommand(): Command {
  return new Command('get')
    .description(
      `prints the API keys with these IDs, over HTTP; exits with ${EXIT_CODES.needsALook} when there is no such key`,
    )
    .argument('<id...>', "the keys' IDs")
    .addOptions(...outputOptions(), ...directoryOptions(), ...serviceOptions())
    .example('keyroster-admin get apikey_01Rj2N8SVvo6BePZj99NhmiT --format json')
    .action(async (given: string[], flags: GetFlags) => {
      const ids = [...new Set(given.map(text => sentId<ApiKeyId>('<id>', text)))];
      const writer = writerOf(flags, { directory: directoryOf(flags) });
      const service = await connect(flags);
      const asking = {
        list: (parameters: ListParameters) => readPage(service, parameters),
        pages: (parameters: ListParameters) => waitedPages(service, parameters, new Waits(service)),
      };
      const found: (KeyAtPlace | null)[] = [];
      const lookUpAll = async () => {
        for (const id of ids) found.push(await keyById(asking, id));
      };
      // What was found before a failure isn't lost.
      const failure = await lookUpAll().catch((error: unknown) => ({ error }));
      if (found.includes(null)) process.exitCode = EXIT_CODES.needsALook; // before it prints: its reader may leave
      await writer.write(listedKeys(found.filter(each => each !== null).map(({ key }) => key)));
      await writer.end(false);
      for (const [index, each] of found.entries())
        if (each === null) printAtEnd(`no API key has the ID ${ids[index]}`);
      if (!failure) return;
      if (found.length > 0)
        printAtEnd(
          `${found.length} of ${ids.length} IDs were looked up; continue with ${shellWord(ids[found.length])}`,
        );
      throw failure.error;
    });
}
