import { questionText } from '../../find/question.ts';
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

/** What was found, in words; of one key, what its status means. */
export function answerOf({ question, found, count, read }: FoundKeys): string[] {
  const asked = question.kind === 'key' ? ` that fits ${questionText(question)}` : '';
  if (count === 0) return [`no key was found${asked}: ${number(read)} were read`];
  const exact = found.filter(({ by }) => by === 'hint' || by === 'ID');
  const lines = exact.map(answerOfKey).slice(0, exact.length === 1 ? 1 : 0);
  if (exact.length > 1 && question.kind !== 'text') {
    const active = exact.filter(({ key }) => key.status === 'active').length;
    lines.push(
      `it is one of ${number(exact.length)} keys, as hints tell no more; ${number(active)} of them are ACTIVE`,
    );
  }
  const shown = count > MAX_KEPT ? `, ${number(MAX_KEPT)} are shown: ask for more of the text` : '';
  return [...lines, `${number(count)} of ${number(read)} keys found${asked}${shown}`];
}

function answerOfKey({ key }: Found): string {
  const { id, name, status, created_at, created_by, workspace_id } = key;
  const age = ageOf(created_at, new Date());
  const days = age === undefined ? '' : ` (${number(daysOld(age))} days ago)`;
  const where = workspace_id === null ? 'the default workspace' : `the workspace ${workspace_id}`;
  const meaning = Object.hasOwn(meanings, status) ? meanings[status as Status] : `Its status is ${status}`;
  return `${id}, ${JSON.stringify(name)}, of ${created_by.id}, in ${where}, created ${dayOf(created_at)}${days}. ${meaning}.`;
}
