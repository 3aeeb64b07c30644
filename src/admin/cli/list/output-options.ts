/** How `list`, `get` and `find` print API keys. */
import { Option } from 'commander';
import type { ListedKey } from '../../../client/listed-key.ts';
import { UsageError } from '../../../shared/command/command.ts';
import { exactOption, requireCsv } from '../../../shared/command/options.ts';
import { printAtEnd } from '../../../shared/command/terminal/print.ts';
import { CSV_COLUMNS, declaredColumns } from '../../../shared/formats/render-csv.ts';
import { printableName } from '../../../shared/record/fields.ts';
import { shownCreator } from '../../report/creator.ts';
import { fieldsBeyond, sampleOf } from '../../report/readable-record.ts';
import { tellCoverage } from '../connection/directory-file.ts';
import { namesOf, type TableOptions } from './columns.ts';
import { LIST_FORMATS, type ListFormat, type ListText, listFormats, printList } from './formats.ts';

export interface OutputFlags {
  readonly format: ListFormat;
  readonly exact?: boolean;
  readonly columns?: string;
}

/** @param others columns besides the fields, in words. */
export const outputOptions = (others = 'or age') => [
  new Option('--format <format>', 'what to print').choices(LIST_FORMATS).default('table'),
  new Option(
    '--columns <names>',
    `only these, separated by commas: fields of the record, declared ones too, creator.name, .mail, .team and .manager and workspace.name of a directory, ${others}`,
  ),
  exactOption(),
];

export interface OutputWriter {
  /** Of all keys that it has seen. */
  readonly creatorIds: ReadonlySet<string>;
  /** Also keys that aren't written. Throws a `UsageError` for wrong columns, which the first of them tell. */
  see(records: readonly ListedKey[]): Promise<void>;
  write(records: readonly ListedKey[]): Promise<void>;
  end(...ending: Parameters<NonNullable<ListText['end']>>): Promise<void>;
}

/** `more`: columns of a table behind the usual ones; `readsFile`: `--exact` may be for what is read; `directory`: names columns. Throws a `UsageError`. */
export function writerOf(
  { format, exact = false, columns: text }: OutputFlags,
  { readsFile = false, ...table }: Omit<TableOptions, 'columns'> & { readsFile?: boolean } = {},
): OutputWriter {
  const { more = [], directory } = table;
  const columns = text?.split(',').map(name => name.trim());
  requireCsv(exact, format === 'csv' || readsFile);
  if (columns && new Set(columns).size < columns.length)
    throw new UsageError('--columns: must name each column once');
  if (columns && format !== 'table' && format !== 'csv')
    throw new UsageError('--columns: is for --format table and csv: others have all fields');
  const named = (key: ListedKey) => (directory && columns ? { ...key, ...namesOf(key, directory) } : key);
  const others = format === 'table' ? ['age', ...more] : more;
  const creatorIds = new Set<string>();
  let sample: ListedKey | undefined;
  const see: OutputWriter['see'] = async records => {
    if (directory) for (const key of records) creatorIds.add(shownCreator(key).id);
    if (sample && format === 'csv' && !columns)
      for (const name of fieldsBeyond(sample, records))
        printAtEnd(
          `the CSV lacks ${printableName(name)}, which keys of a later page have: --format jsonl has all`,
        );
    if (sample) return;
    sample = sampleOf(records);
    if (!sample || !columns) return;
    const names = directory ? Object.keys(namesOf(sample, directory)) : [];
    await requireColumns(columns, [...declaredColumns(sample), ...others, ...names]);
  };
  let list: ListText | undefined;
  const print = (textOf: (list: ListText) => string) => {
    const begun = list;
    list ??= listFormats[format]({ ...table, exact, columns }, sample);
    return printList(format, (begun ? '' : list.header) + textOf(list));
  };
  const write: OutputWriter['write'] = async records => {
    await see(records);
    await print(({ of }) => of(records.map(named)));
  };
  const end: OutputWriter['end'] = async (...ending) => {
    await print(({ end }) => end?.(...ending) ?? '');
    tellCoverage(directory, creatorIds);
  };
  return { creatorIds, see, write, end };
}

/** A name with a typing error must not be an empty column. */
async function requireColumns(names: readonly string[], others: readonly string[]): Promise<void> {
  const known = [...new Set([...CSV_COLUMNS, ...others])];
  const unknown = names.find(name => !known.includes(name));
  if (unknown === undefined) return;
  const { nameMeant } = await import('../../../shared/nearest-name.ts');
  const meant = nameMeant(unknown, known);
  const advice = meant === undefined ? `there are only ${known.join(', ')}` : `did you mean ${meant}?`;
  throw new UsageError(`--columns: no "${printableName(unknown)}": ${advice}`);
}
