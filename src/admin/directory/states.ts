/** Whether somebody is here, by the words of a file. docs/admin.md has the table. */
import { foldedText, type Meaning } from './headings.ts';

export type State = 'here' | 'disabled' | 'left';

/** Who is disabled may come back: none of these words says that somebody has left. */
export const STATE_WORDS = {
  here: `active, enabled, activated, employed, current, here, provisioned, staged, recovery, password expired, locked out,
    pending, invited, approved, confirmed, onboarding, on leave, leave, leave of absence, full time, part time,
    contractor, member, admin, owner, guest`,
  disabled: `suspended, disabled, inactive, not active, deactivated, blocked, banned, locked, archived, closed, deleted,
    expired`,
  left: `left, deprovisioned, terminated, former, former employee, leaver, departed, offboarded, resigned, retired,
    dismissed, separated, deceased`,
} as const satisfies Readonly<Record<State, string>>;

const BY_WORD: ReadonlyMap<string, State> = new Map(
  Object.entries(STATE_WORDS).flatMap(([state, words]) =>
    words.split(/,\s+/).map(word => [foldedText(word), state as State] as const),
  ),
);
const YES: ReadonlySet<string> = new Set(['true', 'yes', 'y', '1']);
const NO: ReadonlySet<string> = new Set(['false', 'no', 'n', '0']);

/** What yes and no mean under each heading. */
export const FLAGS = {
  active: ['here', 'disabled'],
  suspended: ['disabled', 'here'],
  terminated: ['left', 'here'],
} as const satisfies { readonly [Name in Meaning]?: readonly [yes: State, no: State] };
export const STATE_MEANINGS = ['state', 'state_or_place', 'active', 'suspended', 'terminated'] as const;

/** `undefined`: the word means nothing. */
export function stateOfWord(meaning: (typeof STATE_MEANINGS)[number], text: string): State | undefined {
  const word = foldedText(text);
  const [yes, no] = meaning in FLAGS ? FLAGS[meaning as keyof typeof FLAGS] : [];
  return (YES.has(word) ? yes : NO.has(word) ? no : undefined) ?? BY_WORD.get(word);
}

/** What counts of what several columns of a row say. */
export const LEFT_FIRST = ['left', 'disabled', 'here'] as const;
/** What counts of several rows of a person: an old account beside the one in use says nothing. */
export const HERE_FIRST = ['here', 'left', 'disabled'] as const;
