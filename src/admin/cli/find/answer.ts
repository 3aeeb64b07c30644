import type { ApiKeyRecord } from '../../../client/client.ts';
import { shownStatus } from '../../../shared/record/lifecycle.ts';
import type { Status } from '../../../shared/record/status.ts';
import type { Directory } from '../../directory/directory.ts';
import { type FoundKeys, MAX_KEPT } from '../../find/found-keys.ts';
import { type Mask, maskText, shownMasks } from '../../find/mask.ts';
import { MAX_KEYS, questionText } from '../../find/question.ts';
import { ageOf, daysOld } from '../../report/age.ts';
import { dayOf, number } from '../../report/sections.ts';

/** What it means that a leaked key has this status. */
const meanings: Readonly<Record<Status | 'expired', string>> = {
  active:
    'It is ACTIVE: whoever has it can use it. Ask whoever issues the keys to deactivate it now: Keyroster only lists',
  inactive:
    'It is inactive: it gives no access now, but can be activated again. Ask whoever issues the keys to archive it',
  archived: 'It is archived: it gives no access, and never will again',
  expired:
    'It has expired: it gives no access, unless its time is made longer. Ask whoever issues the keys to archive it',
};

/** What was found, in words; of each asked key whose it is and what its status means. */
export function answerOf(found: FoundKeys, directory?: Directory): string[] {
  const { question, exact, count, read } = found;
  const isOneKey = question.kind === 'key' && shownMasks(question.masks).length === 1;
  const asked = isOneKey ? ` that ${count > 1 ? 'fit' : 'fits'} ${questionText(question)}` : '';
  const shown = count > MAX_KEPT ? `, ${number(MAX_KEPT)} are shown: ask for more of the text` : '';
  const sum =
    count === 0
      ? `no key was found${asked}: ${number(read)} were read`
      : `${number(count)} of ${number(read)} keys found${asked}${shown}`;
  if (question.kind === 'key')
    return [...linesOfMasks(question.masks, found, isOneKey, directory), ...cutOff(found), sum];
  const [first, second] = exact;
  if (first && !second) return [answerOfKey(first.key, directory), sum];
  const active = exact.filter(({ key }) => shownStatus(key, Date.now()) === 'active').length;
  return first && question.kind === 'hint' ? [severalKeys(exact.length, active), sum] : [sum];
}

function severalKeys(count: number, active: number): string {
  return `it is one of ${number(count)} keys, as hints can't tell them apart; ${number(active)} of them are ACTIVE`;
}

function cutOff({ question }: FoundKeys): string[] {
  const isCut = question.kind === 'key' && question.hasMore;
  return isCut
    ? [`only the first ${number(MAX_KEYS)} keys of the text were looked for: give it in parts`]
    : [];
}

/** A line for each key that was found, be it put together of parts, and for each that may be shown and is unknown. */
function linesOfMasks(
  masks: readonly Mask[],
  { byMask, count }: FoundKeys,
  isOneKey: boolean,
  directory: Directory | undefined,
): string[] {
  const told = new Map<string, string>();
  for (const [mask, { first, count, active }] of byMask) {
    const { id, partial_key_hint } = first.key;
    const line = count > 1 ? severalKeys(count, active) : answerOfKey(first.key, directory);
    const isPlain = count === 1 && (masks.length === 1 || mask.id !== undefined);
    told.set(id, isPlain ? line : `${mask.id ?? partial_key_hint}: ${line}`);
  }
  const foundStarts = new Set(Array.from(byMask.keys(), ({ start }) => start));
  const unknown = shownMasks(masks).filter(mask => !byMask.has(mask) && !foundStarts.has(mask.start));
  const isSaid = isOneKey && count === 0; // by the sum
  return [...told.values(), ...unknown.flatMap(mask => unknownLine(mask, isSaid) ?? [])];
}

function unknownLine(mask: Mask, isSaid: boolean): string | undefined {
  const text = mask.id ?? maskText(mask);
  if (mask.start.includes('-admin01-'))
    return `${text}: this is an admin key, not an API key: ask the operator to revoke it now`;
  return isSaid ? undefined : `${text}: none of the keys that were read`;
}

function answerOfKey(key: ApiKeyRecord, directory: Directory | undefined): string {
  const { id, name, created_at, created_by, workspace_id } = key;
  const status = shownStatus(key, Date.now());
  const age = ageOf(created_at, new Date());
  const days =
    age === undefined ? '' : ` (${number(daysOld(age))} ${daysOld(age) === 1 ? 'day' : 'days'} ago)`;
  const where =
    workspace_id === null
      ? 'the default workspace'
      : `the workspace ${directory?.workspaceName(workspace_id) ?? workspace_id}`;
  const left = directory?.hasLeft(created_by.id, Date.now()) ? ', who has left' : '';
  const mail = directory?.creator(created_by.id)?.mail;
  const whose = `${directory?.creatorName(created_by.id) ?? created_by.id}${mail ? ` <${mail}>` : ''}${left}`;
  const meaning = Object.hasOwn(meanings, status) ? meanings[status as Status] : `Its status is ${status}`;
  return `${id}, ${JSON.stringify(name)}, of ${whose}, in ${where}, created ${dayOf(created_at)}${days}. ${meaning}.`;
}
