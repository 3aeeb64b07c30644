import { maskText, shownMasks } from '../../find/mask.ts';
import { MAX_KEYS, type Question, questionText } from '../../find/question.ts';
import { ageOf, daysOld } from '../../report/age.ts';
import { dayOf, number } from '../../report/sections.ts';
import type { Status } from '../../roster/api-key.ts';
import { type Found, type FoundKeys, MAX_KEPT } from './found-keys.ts';

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

/** A line for each key that was asked for; of what was put together or is a part only where it was found. */
function answersOfMasks(
  { masks, hasMore, beginsLikeId }: Question & { readonly kind: 'key' },
  { byMask }: FoundKeys,
  isOnlyUnknown: boolean,
): string[] {
  const lines: string[] = [];
  const foundStarts = new Set<string>();
  const told = new Set<string>();
  for (const [mask, { first, count, active }] of byMask) {
    foundStarts.add(mask.start);
    if (told.has(first.key.id)) continue;
    told.add(first.key.id);
    const text = mask.id ?? first.key.partial_key_hint;
    if (count > 1) lines.push(`${text}: ${severalKeys(count, active)}`);
    else
      lines.push(
        masks.length === 1 || mask.id !== undefined ? answerOfKey(first) : `${text}: ${answerOfKey(first)}`,
      );
  }
  for (const mask of shownMasks(masks)) {
    if (byMask.has(mask) || foundStarts.has(mask.start)) continue;
    if (mask.start.includes('-admin01-'))
      lines.push(
        `${maskText(mask)}: this is an admin key, not an API key: ask the operator to revoke it now`,
      );
    else if (beginsLikeId)
      lines.push(`${maskText(mask)}: begins like an ID of this roster, and no key has it`);
    else if (!isOnlyUnknown) lines.push(`${mask.id ?? maskText(mask)}: none of this organization's`);
  }
  if (hasMore)
    lines.push(`only the first ${number(MAX_KEYS)} keys of the text were looked for: give it in parts`);
  return lines;
}

function answerOfKey({ key }: Found): string {
  const { id, name, status, created_at, created_by, workspace_id } = key;
  const age = ageOf(created_at, new Date());
  const days = age === undefined ? '' : ` (${number(daysOld(age))} days ago)`;
  const where = workspace_id === null ? 'the default workspace' : `the workspace ${workspace_id}`;
  const meaning = Object.hasOwn(meanings, status) ? meanings[status as Status] : `Its status is ${status}`;
  return `${id}, ${JSON.stringify(name)}, of ${created_by.id}, in ${where}, created ${dayOf(created_at)}${days}. ${meaning}.`;
}
