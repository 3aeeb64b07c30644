import type { ListedKey } from '../../../client/listed-key.ts';
import { Command, UsageError } from '../../../shared/command/command.ts';
import { EXIT_CODES } from '../../../shared/command/exit-codes.ts';
import { requireCsv } from '../../../shared/command/options.ts';
import { printAtEnd } from '../../../shared/command/terminal/print.ts';
import { withoutUsedAdminKey } from '../../../shared/command/terminal/shown.ts';
import { shownStatus } from '../../../shared/record/lifecycle.ts';
import { FoundKeys } from '../../find/found-keys.ts';
import { knownOf, SAMPLE_SIZE } from '../../find/known.ts';
import { mayMiss, questionOf } from '../../find/question.ts';
import { isOnStandardInput } from '../connection/admin-key-source.ts';
import { connect, refuseServiceOptions, type ServiceFlags, serviceOptions } from '../connection/connect.ts';
import { type DirectoryFlags, directoryOf, directoryOptions } from '../connection/directory-file.ts';
import { type WalkedPage, walkPages } from '../connection/walk-pages.ts';
import { answerOf } from '../find/answer.ts';
import { askedText, keyInArgument, MAX_MEGABYTES } from '../find/asked-text.ts';
import { verdictsOf } from '../find/verdicts.ts';
import { type OutputFlags, type OutputWriter, outputOptions, writerOf } from '../list/output-options.ts';
import { savedPages } from '../saved/saved-roster.ts';

interface FindFlags extends ServiceFlags, OutputFlags, DirectoryFlags {
  readonly file?: string;
}

export function findCommand(): Command {
  return new Command('find')
    .description(
      `tells which API key a leaked text is: looks for a full key, a hint, an ID or a name; exits with ${EXIT_CODES.needsALook} when it finds none, and ${EXIT_CODES.unsure} when only a part fits or nothing can be told`,
    )
    .argument('[hint]', 'a hint, an ID, or a part of a name; a full key is read from standard input only')
    .option('--file <file>', 'look in a saved roster, and not in the service; - for standard input')
    .addOptions(...outputOptions('found_by, or age'), ...directoryOptions(), ...serviceOptions())
    .addHelpText('after', '\nThe text is never sent: the roster is read, and looked through here.')
    .example('keyroster-admin find < leaked.txt')
    .action(async (hint: string | undefined, flags: FindFlags, command: Command) => {
      if (flags.file !== undefined) refuseServiceOptions(command, 'is of a service, and --file asks none');
      requireOneOnStandardInput(hint, flags);
      const directory = directoryOf(flags);
      const writer = writerOf(flags, { more: ['found_by'], readsFile: flags.file !== undefined, directory });
      const { text, isCut } = await askedText(hint);
      const found = await findKeys(text, await pagesOf(flags), writer, hint !== undefined);
      process.exitCode = exitCodeOf(found, isCut); // before it prints: its reader may leave
      await print(found, flags, writer);
      for (const line of answerOf(found, directory)) printAtEnd(line);
      if (isCut)
        printAtEnd(
          `only the first ${MAX_MEGABYTES} MB of the text were looked at: what is behind may have keys. Give it in parts`,
        );
    });
}

/** 0 where one is surely found. */
function exitCodeOf({ question, count, maybe, unseen }: FoundKeys, isCut: boolean): number {
  if (isCut || (question.kind === 'key' && question.hasMore)) return EXIT_CODES.failed;
  if (count > maybe) return 0;
  return count > 0 || unseen > 0 || mayMiss(question) ? EXIT_CODES.unsure : EXIT_CODES.needsALook;
}

function requireOneOnStandardInput(hint: string | undefined, { file, adminKeyFile }: FindFlags): void {
  const isAdminKey = file === undefined && isOnStandardInput(adminKeyFile);
  if ([hint === undefined, file === '-', isAdminKey].filter(Boolean).length > 1)
    throw new UsageError('standard input can be only one of the text, the roster and the admin key');
}

async function pagesOf({ file, exact, ...flags }: FindFlags): Promise<AsyncIterable<WalkedPage>> {
  if (file === undefined) return walkPages(await connect(flags));
  return savedPages(file, { exact, whenNotCsv: () => requireCsv(exact, flags.format === 'csv') });
}

/** Reads a whole roster for what the text asks for. Its newest keys tell an ID of it from a key of it. */
async function findKeys(
  asked: string,
  pages: AsyncIterable<WalkedPage>,
  writer: OutputWriter,
  isArgument: boolean,
): Promise<FoundKeys> {
  const text = withoutUsedAdminKey(asked);
  if (text !== asked) printAtEnd(ADMIN_KEY);
  let sample: ListedKey[] = [];
  let found: FoundKeys | undefined;
  const begin = () => {
    const question = questionOf(text, knownOf(sample.slice(0, SAMPLE_SIZE)));
    if (!question) throw new UsageError('there is nothing to look for: the text is empty');
    if (isArgument && question.kind === 'key' && sample.length > 0) throw keyInArgument();
    const begun = new FoundKeys(question);
    begun.look(sample);
    sample = [];
    return begun;
  };
  for await (const { data } of pages) {
    await writer.see(data); // a wrong option is told before the answer, also where nothing is found
    if (found) found.look(data);
    else sample.push(...data);
    if (sample.length >= SAMPLE_SIZE) found = begin();
  }
  return found ?? begin();
}

const ADMIN_KEY =
  'the text has the admin key that is used here, which is no API key: ask whoever issues admin keys to revoke it now';

/** Those that give access first, and of each the newest first. */
async function print(found: FoundKeys, { format }: FindFlags, writer: OutputWriter): Promise<void> {
  const now = Date.now();
  const rank = ({ key }: (typeof found.all)[number]) => (shownStatus(key, now) === 'active' ? 0 : 1);
  const inOrder = found.all.toSorted((a, b) => rank(a) - rank(b));
  const records = inOrder.map(({ key, by }) => ({ ...key, found_by: by }));
  if (records.length > 0) await writer.write(records);
  if (records.length > 0 || format === 'json') await writer.end(false, { findings: verdictsOf(found) });
}
