import type { Fault } from '../../shared/record/faults.ts';
import { printableName } from '../../shared/record/fields.ts';
import { type DirectoryEntry, ENTRY_KINDS } from './directory.ts';
import type { Row } from './file-rows.ts';
import { foldedText, type Known, knownHeading, type Meaning } from './headings.ts';
import { DAY_RULE, momentOfText } from './moment-text.ts';
import { FLAGS, LEFT_FIRST, STATE_MEANINGS, stateOfWord } from './states.ts';

/** A person, service account or workspace, as one row of a file has it. */
export interface PersonRow extends Omit<DirectoryEntry, 'mail' | 'managerIn'> {
  readonly file: string;
  readonly place: string;
  /** `''`: none. It may be that of another system, and not well-formed. */
  readonly id: string;
  readonly mails: readonly string[];
  /** The one by which the person signs in. */
  readonly account?: string | undefined;
  /** The number of the employee, or the name. */
  readonly employee?: string | undefined;
}

const kindOf = (text: string) => {
  const word = foldedText(text).replace(/^user$/, 'person');
  return ENTRY_KINDS.find(kind => foldedText(kind) === word);
};
/** A mail address or an ID that was copied may have it. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
export const isMail = (text: string) => /^[^@\s]+@[^@\s]+$/.test(text);

/** It may have blanks, be in any language, and have SCIM's schema before it. A file without headings has values there, and more digits. */
const HEADING = /^(?:urn:[a-z:]+:\d\.\d:)?(?!(?:.*\d){3})\p{L}[\p{L}\p{M}\d _./()[\]'#-]{0,39}$/iu;
const printable = (text: string) => (HEADING.test(text) ? text : printableName(text));

/** A person from each row. What a heading means is decided once, however many rows have it. */
export class RowReader {
  readonly faults: Fault[] = [];
  readonly unknownWords = new Set<string>();
  readonly used = new Set<Meaning>();
  readonly #known = new Map<string, Known | undefined>();

  read(row: Row): Omit<PersonRow, 'file'> {
    const told = Object.groupBy(this.#told(row), ({ meaning }) => meaning);
    const texts = (meaning: Meaning) => (told[meaning] ?? []).map(({ text }) => text);
    const first = (meaning: Meaning) => texts(meaning)[0];
    const exact = (meaning: Meaning) => texts(meaning).map(text => text.replace(UNSEEN, '').trim());
    const managers = exact('manager').map(text => text.replace(/mailto:/i, ''));
    const words = <Word>(meaning: Meaning, wordOf: (text: string) => Word | undefined) =>
      texts(meaning).map(text => wordOf(text) ?? this.#tellUnknown(meaning, text));
    const leftOn = momentOfText(first('left_on') ?? '');
    if (leftOn === undefined) this.faults.push({ field: `${row.place}: left_on`, problem: DAY_RULE });
    // Of several flags, such as suspended and archived, each counts; of several words for a state the first one.
    const states = STATE_MEANINGS.flatMap(meaning => {
      const all = words(meaning, text => stateOfWord(meaning, text));
      return meaning in FLAGS ? all : all.slice(0, 1);
    });
    return {
      place: row.place,
      id: exact('id')[0] ?? '',
      kind: words('kind', kindOf)[0],
      name: first('name') ?? ([first('given'), first('family')].filter(Boolean).join(' ') || undefined),
      mails: [...exact('mail'), ...exact('account')].filter(isMail),
      account: exact('account').find(isMail),
      employee: first('employee'),
      team: first('team'),
      manager: managers.find(text => text.includes('@')) ?? managers[0],
      state:
        LEFT_FIRST.find(state => states.includes(state)) ?? (this.used.has('left_on') ? 'here' : undefined),
      leftOn: leftOn ?? undefined,
    };
  }

  headings(passes: (known: Known | undefined) => unknown = () => true): string[] {
    const names = Array.from(this.#known.keys()).filter(heading => passes(this.#known.get(heading)));
    return [...new Set(names.map(printable))];
  }

  #told({ cells }: Row) {
    const told: (Known & { readonly text: string })[] = [];
    for (const [heading, value] of cells) {
      if (!this.#known.has(heading)) this.#known.set(heading, knownHeading(heading));
      const known = this.#known.get(heading);
      const text = value.trim();
      if (known) this.used.add(known.meaning);
      if (known && text !== '') told.push({ ...known, text });
    }
    return told.sort((a, b) => a.rank - b.rank);
  }

  #tellUnknown(meaning: Meaning, text: string): undefined {
    // Of a flag some tell when it was set.
    if (meaning !== 'state_or_place' && !momentOfText(text)) this.unknownWords.add(printable(text));
  }
}
