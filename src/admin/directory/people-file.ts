import { type Fault, problemTexts, Refused } from '../../shared/record/faults.ts';
import { parseOwnerId } from '../../shared/record/identifier.ts';
import { rowsOf } from './file-rows.ts';
import type { Meaning } from './headings.ts';
import { type PersonRow, RowReader } from './row-reader.ts';

/** A file, read. What is told of it has headings and words of states, and no other value. */
export interface PeopleFile {
  readonly file: string;
  readonly rows: readonly PersonRow[];
  readonly hasIds: boolean;
  /** Of a company's system, which has IDs of its own. */
  readonly isOfCompany: boolean;
  /** Whether it has days of leaving, or a word that means it. */
  readonly tellsLeft: boolean;
  readonly headings: readonly string[];
  readonly ignored: readonly string[];
  /** Words that mean nothing here where a state or a kind is told. */
  readonly unknownWords: readonly string[];
}

/** Why a file can't be used. */
export interface Problems {
  readonly file: string;
  readonly problems: readonly string[];
}

/** A row in each step, so that a page can draw between them. */
export function* peopleSteps(file: string, text: string): Generator<undefined, PeopleFile | Problems> {
  const reader = new RowReader();
  const rows: PersonRow[] = [];
  try {
    for (const row of rowsOf(text)) {
      rows.push({ file, ...reader.read(row) });
      yield;
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { file, problems: [error.message] };
  }
  const { used, faults } = reader;
  if (rows.length === 0) return { file, problems: ['has no entry'] };
  if (!used.has('id') && !used.has('mail') && !used.has('account'))
    faults.unshift({
      field: null,
      problem: `has no ID and no mail address: the headings are ${reader.headings().join(', ')}`,
    });
  if (faults.length > 0) return { file, problems: fewProblems(faults) };
  return {
    file,
    rows,
    hasIds: used.has('id'),
    isOfCompany:
      rows.every(mayBeCompanys) && (rows.every(isNoVendors) || OF_COMPANY.some(meaning => used.has(meaning))),
    tellsLeft: used.has('left_on') || rows.some(({ state }) => state === 'left'),
    headings: reader.headings(known => known !== undefined),
    ignored: reader.headings(known => known === undefined),
    unknownWords: [...reader.unknownWords].slice(0, MAX_PROBLEMS),
  };
}

const OF_COMPANY: readonly Meaning[] = ['account', 'employee', 'hired_on', 'manager'];
/** Only the vendor has service accounts and workspaces. */
const mayBeCompanys = ({ kind = 'person' }: PersonRow) => kind === 'person';
/** A mail address may be anybody's ID. */
const isNoVendors = ({ id }: PersonRow) => id.includes('@') || parseOwnerId(id) === undefined;

const MAX_PROBLEMS = 10;

export function fewProblems(faults: readonly Fault[]): readonly string[] {
  const problems = [...new Set(problemTexts(faults))];
  const more = problems.length - MAX_PROBLEMS;
  if (more > 0) problems.splice(MAX_PROBLEMS, more, `and ${more} more`);
  return problems;
}
