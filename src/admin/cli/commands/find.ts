import type { ListedKey } from '../../../client/listed-key.ts';
import { Command, UsageError } from '../../../shared/command/command.ts';
import { EXIT_CODES } from '../../../shared/command/exit-codes.ts';
import { printAtEnd } from '../../../shared/command/terminal/print.ts';
import { withoutUsedAdminKey } from '../../../shared/command/terminal/shown.ts';
import { shownStatus } from '../../../shared/record/lifecycle.ts';
import { FoundKeys } from '../../find/found-keys.ts';
import { idsInText } from '../../find/ids-in-text.ts';
import { mayMiss, questionOf } from '../../find/question.ts';
import { knownOf, SAMPLE_SIZE } from '../../find/roster-forms.ts';
import { isOnStandardInput } from '../connection/admin-key-source.ts';
import { severalOptions } from '../connection/connect.ts';
import { type DirectoryFlags, directoryOf, directoryOptions } from '../connection/directory-file.ts';
import { answerOf } from '../find/answer.ts';
import { askedText, keyInArgument, MAX_MEGABYTES } from '../find/asked-text.ts';
import { verdictsOf } from '../find/verdicts.ts';
import { type OutputFlags, type OutputWriter, outputOptions, writerOf } from '../list/output-options.ts';
import { Source, type SourceFlags } from '../source.ts';

interface FindFlags extends SourceFlags, OutputFlags, DirectoryFlags {}

export function findCommand(): Command {
  return new Command('find')
    .description(
      `tells which API key a leaked text is: looks for a full key, a hint, an ID or a name; exits with ${EXIT_CODES.needsALook} when it finds none, and ${EXIT_CODES.unsure} when only a part fits or nothing can be told`,
    )
    .argument('[hint]', 'a hint, an ID, or a part of a name; a full key is read from standard input only')
    .option('--file <file>', 'look in a saved roster, and not in the service; - for standard input')
    .addOptions(...outputOptions('found_by, or age'), ...directoryOptions(), ...severalOptions())
    .addHelpText('after', '\nThe text is never sent: the roster is read, and looked through here.')
    .example('keyroster-admin find < leaked.txt')
    .action(async (hint: string | undefined, flags: FindFlags, command: Command) => {
      const source = new Source(flags, command);
      const several = source.profiles !== undefined;
      requireOneOnStandardInput(hint, flags);
      const directory = directoryOf(flags);
      const writer = writerOf(flags, {
        more: ['found_by'],
        readsFile: flags.file !== undefined,
        directory,
        several,
      });
      const { text, isCut } = await askedText(hint);
      const found = await findKeys(text, source, writer, hint !== undefined);
      process.exitCode ||= exitCodeOf(found, isCut); // before it prints: its reader may leave
      await print(found, flags, writer);
      for (const line of answerOf(found, directory, several)) printAtEnd(line);
      if (source.missing.length > 0) printAtEnd(`there may be more in ${source.missing.join(', ')}`);
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

/** Reads a whole roster for what the text asks for. Its newest keys tell an ID of it from a key of it. */
async function findKeys(
  asked: string,
  source: Source,
  writer: OutputWriter,
  isArgument: boolean,
): Promise<FoundKeys> {
  let sample: ListedKey[] = [];
  let found: FoundKeys | undefined;
  const begin = () => {
    const text = withoutUsedAdminKey(asked); // once it is known, which it is by the first page
    if (text !== asked) printAtEnd(ADMIN_KEY);
    const ofEach = Map.groupBy(sample, ({ profile }) => source.profiles && profile).values();
    const known = knownOf(...Array.from(ofEach, keys => keys.slice(0, SAMPLE_SIZE)));
    const question = questionOf(text, known);
    if (!question) throw new UsageError('there is nothing to look for: the text is empty');
    if (isArgument && question.kind === 'key' && sample.length > 0) throw keyInArgument();
    const begun = new FoundKeys(question, idsInText(text, known));
    begun.look(sample);
    sample = [];
    return begun;
  };
  for await (const { data } of source.pages()) {
    await writer.see(data); // a wrong option is told before the answer, also where nothing is found
    if (found) found.look(data);
    else for (const key of data) sample.push(key);
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
