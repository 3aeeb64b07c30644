import { type Mask, maskText, shownMasks } from '../../find/mask.ts';
import { MAX_KEYS, type Question, questionText } from '../../find/question.ts';
import { ageOf, daysOld } from '../../report/age.ts';
import { dayOf, number } from '../../report/sections.ts';
import type { Status } from '../../roster/api-key.ts';
import { type Found, type FoundKeys, MAX_KEPT } from './found-keys.ts';

type AskedKeys = Question & { readonly kind: 'key' };

/** What it means that a leaked key has this status. */
const meanings: Readonly<Record<Status, string>> = {
  active:
    'It is ACTIVE: whoever has it can use it. Ask whoever issues the keys to deactivate it now: Keyroster only lists',
  inactive:
    'It is inactive: it gives no access now, but can be activated again. Ask whoever issues the keys to archive it',
  archived: 'It is archived: it gives no access, and never will again',
};

/** What was found, in words; of each asked key whose it is and what its status means. */
export function answerOf(result: FoundKeys): string[] {
  const { question, found, count, read } = result;
  const shown = count > MAX_KEPT ? `, ${number(MAX_KEPT)} are shown: ask for more of the text` : '';
  const keys = question.kind === 'key' ? shownMasks(question.masks).length : 0;
  const asked = keys === 1 ? ` that ${count > 1 ? 'fit' : 'fits'} ${questionText(question)}` : '';
  const sum =
    count === 0
      ? `no key was found${asked}: ${number(read)} were read`
      : `${number(count)} of ${number(read)} keys found${asked}${shown}`;
  if (question.kind === 'key') return [...answersOfMasks(question, result, count === 0 && keys === 1), sum];
  const exact = found.filter(({ by }) => by === 'hint' || by === 'ID');
  const lines = exact.map(answerOfKey).slice(0, exact.length === 1 ? 1 : 0);
  if (exact.length > 1 && question.kind === 'hint')
    lines.push(severalKeys(exact.length, exact.filter(({ key }) => key.status === 'active').length));
  return [...lines, sum];
}

function severalKeys(count: number, active: number): string {
  return `it is one of ${number(count)} keys, as hints can't tell them apart; ${number(active)} of them are ACTIVE`;
}

/** A line for each key that was asked for. */
function answersOfMasks(question: AskedKeys, { byMask }: FoundKeys, isOnlyUnknown: boolean): string[] {
  const { masks, hasMore } = question;
  const foundStarts = new Set([...byMask.keys()].map(({ start }) => start));
  const unknown = shownMasks(masks).filter(mask => !byMask.has(mask) && !foundStarts.has(mask.start));
  return [
    ...foundLines(masks, byMask),
    ...unknown.flatMap(mask => unknownLine(mask, question, isOnlyUnknown) ?? []),
    ...(hasMore
      ? [`only the first ${number(MAX_KEYS)} keys of the text were looked for: give it in parts`]
      : []),
  ];
}

/** Of what was put together or is a part of a key too, as it was found; of several masks of one key, once. */
function foundLines(masks: readonly Mask[], byMask: FoundKeys['byMask']): string[] {
  const told = new Set<string>();
  return Array.from(byMask).flatMap(([mask, { first, count, active }]) => {
    const { id, partial_key_hint } = first.key;
    if (told.has(id)) return [];
    told.add(id);
    if (count > 1) return [`${mask.id ?? partial_key_hint}: ${severalKeys(count, active)}`];
    const isPlain = masks.length === 1 || mask.id !== undefined;
    return [isPlain ? answerOfKey(first) : `${partial_key_hint}: ${answerOfKey(first)}`];
  });
}

/** `undefined` where what is said at the end says it. */
function unknownLine(mask: Mask, { beginsLikeId }: AskedKeys, isOnlyUnknown: boolean): string | undefined {
  const text = maskText(mask);
  if (mask.start.includes('-admin01-'))
    return `${text}: this is an admin key, not an API key: ask the operator to revoke it now`;
  if (beginsLikeId) return `${text}: begins like an ID of this roster, and no key has it`;
  return isOnlyUnknown ? undefined : `${mask.id ?? text}: none of this organization's`;
}

function answerOfKey({ key }: Found): string {
  const { id, name, status, created_at, created_by, workspace_id } = key;
  const age = ageOf(created_at, new Date());
  const days = age === undefined ? '' : ` (${number(daysOld(age))} days ago)`;
  const where = workspace_id === null ? 'the default workspace' : `the workspace ${workspace_id}`;
  const meaning = Object.hasOwn(meanings, status) ? meanings[status as Status] : `Its status is ${status}`;
  return `${id}, ${JSON.stringify(name)}, of ${created_by.id}, in ${where}, created ${dayOf(created_at)}${days}. ${meaning}.`;
}
