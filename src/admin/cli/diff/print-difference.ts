import type { ListedKey } from '../../../client/listed-key.ts';
import { EXIT_CODES } from '../../../shared/command/exit-codes.ts';
import { coloured, type Style } from '../../../shared/command/terminal/capabilities.ts';
import { batchedTable, type TableColumn } from '../../../shared/command/terminal/fitted-columns.ts';
import { printAtEnd, printData, printFitted } from '../../../shared/command/terminal/print.ts';
import { hasExpired, shownStatus } from '../../../shared/record/lifecycle.ts';
import type { Directory } from '../../directory/directory.ts';
import { batchesOf } from '../../report/batches.ts';
import { shownCreator } from '../../report/creator.ts';
import { dayOf, number, workspaceText } from '../../report/sections.ts';
import { type Change, KINDS, type Kind, valueText } from '../../saved/changes.ts';
import { tellCoverage } from '../connection/directory-file.ts';
import type { RosterDifference, Sides } from './roster-difference.ts';

const BATCH = 500;

const STYLES: Readonly<Partial<Record<Kind, Style>>> = {
  added: 'green',
  gone: 'red',
  activated: 'green',
  deactivated: 'yellow',
  archived: 'gray',
};

const printers = { table: printDifferenceTable, json: printDifferenceJson };
export type DifferenceFormat = keyof typeof printers;
export const DIFFERENCE_FORMATS = Object.keys(printers) as DifferenceFormat[];

interface Telling {
  readonly format: DifferenceFormat;
  /** Whose names stand for IDs, but in JSON. */
  readonly directory: Directory | undefined;
  /** Whether a difference needs a look. */
  readonly exitCode?: true;
}

/** Compares two rosters, and prints all that there is to say of their difference. Returns whether that needs a look. */
export async function tellDifference(
  sides: Sides,
  { format, directory, exitCode }: Telling,
): Promise<boolean> {
  const { RosterDifference } = await import('./roster-difference.ts'); // and SQLite, of which older Nodes warn
  const difference = await RosterDifference.between(sides);
  try {
    if (exitCode && difference.untold > 0) process.exitCode = EXIT_CODES.unsure; // before it prints: its reader may leave
    if (exitCode && !difference.isEmpty) process.exitCode = EXIT_CODES.needsALook;
    printAtEnd(summaryOf(difference));
    const warnings = warningsOf(difference, sides);
    for (const warning of warnings) printAtEnd(warning);
    await printers[format](difference, directory);
    return !difference.isEmpty || warnings.length > 0;
  } finally {
    difference.close();
  }
}

/** A line for each change: on a terminal as a table that fits it, elsewhere with tabs between the cells. */
async function printDifferenceTable(
  difference: RosterDifference,
  directory: Directory | undefined,
): Promise<void> {
  // What was found is as wide as its longest word, which may come later than the table's first rows.
  const min = Math.max(0, ...KINDS.filter(kind => difference.counts[kind] > 0).map(({ length }) => length));
  const columns: readonly TableColumn<Change>[] = [
    { name: 'id', heading: 'ID', cell: ({ id }) => id, cut: 'nothing', min: 0 },
    {
      name: 'what',
      heading: 'WHAT',
      cell: ({ kind }) => kind,
      styled: (text, { kind }) => coloured(STYLES[kind] ?? [], text),
      cut: 'nothing',
      min,
    },
    { name: 'name', heading: 'NAME', cell: ({ name }) => textOf(name), cut: 'middle', min: 9 },
    {
      name: 'change',
      heading: 'OLD -> NEW',
      cell: each => oldAndNew(each, directory),
      cut: 'middle',
      min: 14,
    },
  ];
  const text = batchedTable(columns, ['name']);
  const creatorIds = new Set<string>();
  for (const batch of batchesOf(difference.changes(), BATCH)) {
    for (const record of batch.map(wholeRecordOf)) if (record) creatorIds.add(shownCreator(record).id);
    await printFitted(text(batch));
  }
  tellCoverage(directory, creatorIds);
}

/** One JSON document with a change in each line: one that is cut off isn't JSON, so a job can't take it for all of them. */
async function printDifferenceJson(difference: RosterDifference): Promise<void> {
  let before = '{"changes":[\n';
  for (const batch of batchesOf(difference.changes(), BATCH)) {
    await printData(before + batch.map(change => JSON.stringify(change)).join(',\n'));
    before = ',\n';
  }
  const { counts, keys } = difference;
  const rest = JSON.stringify({ counts, keys }).slice(1);
  await printData(before === ',\n' ? `\n],${rest}\n` : `{"changes":[],${rest}\n`);
}

/** `12 added, 1 archived; 2,500 keys before, 2,512 now`. */
function summaryOf({ counts, keys, isEmpty, untold }: RosterDifference): string {
  const found = KINDS.filter(kind => counts[kind] > 0).map(kind => `${number(counts[kind])} ${kind}`);
  const none = untold > 0 ? 'no difference in what both tell' : 'no difference';
  return `${isEmpty ? none : found.join(', ')}; keys: ${number(keys.old)} before, ${number(keys.new)} now`;
}

const UNTOLD_CHANGES = "can't be told: changes of status or workspace of";

/** A line for each roster that lacks fields of the other one. */
function warningsOf({ lacked, untold }: RosterDifference, sides: Sides): string[] {
  const lines = (['old', 'new'] as const)
    .filter(side => lacked[side].size > 0)
    .map(side => {
      const counts = Array.from(lacked[side], ([field, count]) => `${field} in ${number(count)} key(s)`);
      return `warning: not compared, as ${sides[side].name} lacks it: ${counts.join(', ')}`;
    });
  return untold === 0
    ? lines
    : [...lines, `${UNTOLD_CHANGES} ${number(untold)} key(s), which don't tell them`];
}

/** Of a key that is added or gone. */
const wholeRecordOf = ({ field, old, new: current }: Change) =>
  field === null ? ((current ?? old) as ListedKey) : undefined;

function oldAndNew(change: Change, directory: Directory | undefined): string {
  const { kind, field, old, new: current, expires_at } = change;
  const record = wholeRecordOf(change);
  if (record) {
    const { id } = shownCreator(record);
    return `${shownStatus(record, Date.now())}, created ${dayOf(record.created_at)} by ${directory?.creatorName(id) ?? id}`;
  }
  const isExpired = hasExpired({ status: textOf(current), expires_at }, Date.now());
  const [before, now] = [old, isExpired ? 'expired' : current].map(value =>
    field === 'workspace_id' ? workspaceText(value as string | null, directory) : textOf(value),
  );
  return `${kind === 'changed' ? `${field}: ` : ''}${before} -> ${now}`;
}

/** `(none)` can't be mistaken for an ID, and rarely for another text. */
const textOf = (value: unknown) => valueText(value) || '(none)';
