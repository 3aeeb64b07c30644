/** Whose keys are asked for: creators by their IDs or mail addresses, those of a team, and those who have left. */
import { Option } from 'commander';
import { UsageError } from '../../../shared/command/command.ts';
import { textOfOption } from '../../../shared/command/input/text-of-file.ts';
import type { CreatorId } from '../../../shared/record/identifier.ts';
import type { Directory } from '../../directory/directory.ts';
import { requireDirectory } from '../connection/directory-file.ts';
import { sentId } from './filter-options.ts';

export interface CreatorFlags {
  readonly creator?: readonly string[];
  readonly team?: string;
  readonly left?: true;
}

export const creatorOptions = () => [
  new Option(
    '--creator <id...>',
    'only keys of these users or service accounts: IDs, mail addresses of the directory, or @FILE with one a line',
  ),
  new Option('--team <name>', 'only keys of this team of the directory'),
  new Option('--left', 'only keys of people who have left, by the directory'),
];

/**
 * `undefined`: those of anybody. `byDirectory`: it says who they are, and may have other IDs than the service. `strangers`: mail
 * addresses that nobody has there, though the service may have them as IDs. Throws a
 * `UsageError`.
 */
export function askedCreators({ creator, team, left }: CreatorFlags, directory: Directory | undefined) {
  const sets: (readonly string[])[] = [];
  const idsWhere = (option: string, passes: (known: Directory, id: string) => boolean) => {
    const known = requireDirectory(directory, option);
    return Array.from(known.entries, ({ id }) => id).filter(id => passes(known, id));
  };
  const texts = creator?.flatMap(linesOf);
  if (texts) sets.push(texts.flatMap(text => creatorIdsOfText(text, directory)));
  if (team !== undefined) {
    sets.push(idsWhere('--team', (known, id) => known.isOfTeam(id, team)));
    if (sets.at(-1)?.length === 0) throw new UsageError('--team: nobody in the directory is of this team');
  }
  if (left && directory?.tellsLeft === false) throw new UsageError(NO_LEAVING_DATES);
  if (left) sets.push(idsWhere('--left', (known, id) => known.hasLeft(id, Date.now())));
  const [first, ...others] = sets.map(ids => new Set(ids));
  if (!first) return undefined;
  const ids = new Set([...first].filter(id => others.every(set => set.has(id))) as CreatorId[]);
  const byMail = texts?.some(isMail) === true;
  return {
    ids,
    strangers: directory
      ? (texts ?? []).filter(text => isMail(text) && directory.idsOf(text).length === 0)
      : [],
    byMail,
    byDirectory: left === true || team !== undefined || (byMail && directory !== undefined),
  };
}

const NO_LEAVING_DATES =
  "--left: the directory doesn't tell who has left: it has no day of leaving and no state such as Terminated (docs/admin.md#people)";

function linesOf(text: string): string[] {
  if (!text.startsWith('@')) return [text];
  const lines = textOfOption('--creator', text.slice(1))
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
  if (lines.length === 0) throw new UsageError('--creator: the file names nobody');
  return lines;
}

const isMail = (text: string) => text.includes('@');

/** An ID, or a mail address, which may be an ID too: those who have it in the directory, and whom the service knows by it. */
function creatorIdsOfText(text: string, directory: Directory | undefined): readonly string[] {
  const ids = isMail(text) ? (directory?.idsOf(text) ?? []) : [];
  return ids.length > 0 ? [...ids, text] : [sentId<CreatorId>('--creator', text)];
}
