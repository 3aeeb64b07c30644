import type { Fault } from '../../shared/record/faults.ts';
import { printableName } from '../../shared/record/fields.ts';
import { ENTRY_KINDS, type EntryKind } from './directory.ts';
import type { Row } from './file-rows.ts';
import { foldedText, type Known, knownHeading, type Meaning } from './headings.ts';
import { DAY_RULE, momentOfText } from './moment-text.ts';
import { LEFT_FIRST, STATE_MEANINGS, type State, stateOfWord } from './states.ts';

/** A person, service account or workspace, as one row of a file has it. */
export interface PersonRow {
  readonly file: string;
  readonly place: string;
  /** `''`: none. It may be that of another system, and not well-formed. */
  readonly id: string;
  readonly kind?: EntryKind | undefined;
  readonly name?: string | undefined;
  readonly mails: readonly string[];
  readonly team?: string | undefined;
  readonly manager?: string | undefined;
  /** By its words. `undefined`: it doesn't say; a file with days of leaving does. */
  readonly state?: State | undefined;
  /** In milliseconds since 1970. */
  readonly leftOn?: number | undefined;
}

const kindOf = (text: string) => {
  const word = foldedText(text).replace(/^user$/, 'person');
  return ENTRY_KINDS.find(kind => foldedText(kind) === word);
};
const isMail = (text: string) => /^[^@\s]+@[^@\s]+$/.test(text);

/** It may have blanks, and be in any language. A file without headings has values there, and more digits. */
const HEADING = /^(?!(?:.*\d){3})\p{L}[\p{L}\p{M}\d _./()[\]'-]{0,39}$/u;
const printable = (text: string) => (HEADING.test(text) ? text : printableName(text));

type Columns = { readonly [Name in Meaning]?: readonly { readonly index: number }[] };

/** A person from each row. What a heading means is decided once, however many rows have it. */
export class RowReader {
  readonly faults: Fault[] = [];
  readonly unknownWords = new Set<string>();
  readonly used = new Set<Meaning>();
  readonly #known = new Map<string, Known | undefined>();
  #columns: Columns = {};
  #headings: readonly string[] | undefined;

  read(row: Row): Omit<PersonRow, 'file'> {
    if (row.headings !== this.#headings) this.#decide(row.headings);
    const texts = (meaning: Meaning) =>
      (this.#columns[meaning] ?? []).map(({ index }) => row.textAt(index)).filter(text => text !== '');
    const first = (meaning: Meaning) => texts(meaning)[0];
    const words = <Word>(meaning: Meaning, wordOf: (text: string) => Word | undefined) =>
      texts(meaning).map(text => wordOf(text) ?? this.#tellUnknown(meaning, text));
    const leftOn = first('left_on') === undefined ? null : momentOfText(first('left_on') ?? '');
    if (leftOn === undefined) this.faults.push({ field: `${row.place}: left_on`, problem: DAY_RULE });
    const states = STATE_MEANINGS.flatMap(meaning => words(meaning, text => stateOfWord(meaning, text)));
    return {
      place: row.place,
      id: first('id') ?? '',
      kind: words('kind', kindOf)[0],
      name: first('name') ?? ([first('given'), first('family')].filter(Boolean).join(' ') || undefined),
      mails: [...texts('mail'), ...texts('account')].filter(isMail),
      team: first('team'),
      manager: first('manager'),
      state:
        LEFT_FIRST.find(state => states.includes(state)) ?? (this.used.has('left_on') ? 'here' : undefined),
      leftOn: leftOn ?? undefined,
    };
  }

  headings(passes: (known: Known | undefined) => unknown = () => true): string[] {
    const names = Array.from(this.#known.keys()).filter(heading => passes(this.#known.get(heading)));
    return [...new Set(names.map(printable))];
  }

  #decide(headings: readonly string[]): void {
    for (const heading of headings)
      if (!this.#known.has(heading)) this.#known.set(heading, knownHeading(heading));
    const columns = headings.flatMap((heading, index) => {
      const known = this.#known.get(heading);
      return known ? [{ ...known, index }] : [];
    });
    columns.sort((a, b) => a.rank - b.rank);
    this.#columns = Object.groupBy(columns, ({ meaning }) => meaning);
    this.#headings = headings;
    for (const { meaning } of columns) this.used.add(meaning);
  }

  #tellUnknown(meaning: Meaning, text: string): undefined {
    if (meaning !== 'state_or_place') this.unknownWords.add(printable(text));
  }
}
