import type { ApiKeyRecord } from '../../client/client.ts';
import { ageOf, daysOld } from '../../report/age.ts';
import type { Breaches } from '../../report/breaches.ts';
import type { Policy } from '../../report/policies.ts';
import type { RosterReport } from '../../report/roster-report.ts';
import {
  DEFAULT_WORKSPACE,
  dayOf,
  type Group,
  number,
  type Section,
  sectionsOf,
} from '../../report/sections.ts';
import { coloured } from '../terminal/colour.ts';
import { DEFAULT_WIDTH, fit, fittedLine, fittingWidths } from '../terminal/fitted-table.ts';
import { shown } from '../terminal/shown.ts';

/** A longer label would leave too little room for the bar. */
const MAX_LABEL = 36;
const MIN_BAR = 10;
const COUNT_WIDTH = 10;

/** The report as text. On a terminal its tables are cut to fit; elsewhere they are as wide as their content. */
export function* reportText(
  report: RosterReport,
  policies: readonly Policy[],
  breaches: Breaches,
): Generator<string> {
  const terminalWidth = process.stdout.isTTY ? process.stdout.columns || DEFAULT_WIDTH : undefined;
  const { keys, active, default_workspace } = report;
  yield `API keys${report.organization_id ? ` of ${shown(report.organization_id)}` : ''}, ${dayOf(report.generated_at)}\n`;
  yield `${number(keys)} keys, ${number(active)} of them active\n`;
  yield `${number(default_workspace.keys)} in the default workspace, ${number(default_workspace.active)} of them active\n`;
  for (const section of sectionsOf(report)) yield sectionText(section, terminalWidth ?? DEFAULT_WIDTH);

  const rowOf = keyRow(new Date(report.generated_at));
  yield heading('Oldest active keys');
  yield* table(OLDEST_HEADING, [report.oldest_active_keys.map(rowOf)], terminalWidth ?? Infinity);

  for (const policy of policies) {
    const count = breaches.count(policy);
    const text = `${policy.name}: ${number(count)} key(s) ${policy.breach}`;
    yield `\n${coloured(count > 0 ? ['bold', 'red'] : ['bold', 'green'], text)}\n`;
  }
  if (breaches.total === 0) return;
  const rows = function* () {
    for (const batch of breaches) yield batch.map(({ policy, api_key }) => [...rowOf(api_key), policy]);
  };
  yield heading('Breaches');
  yield* table([...OLDEST_HEADING, 'POLICY'], rows(), terminalWidth ?? Infinity);
}

const OLDEST_HEADING = ['ID', 'NAME', 'CREATED', 'DAYS', 'CREATOR', 'WORKSPACE'];

const keyRow = (now: Date) => (key: ApiKeyRecord) => [
  key.id,
  key.name,
  dayOf(key.created_at),
  String(daysOld(ageOf(key.created_at, now) ?? 0)),
  key.created_by.id,
  key.workspace_id ?? DEFAULT_WORKSPACE,
];

const heading = (title: string) => `\n${coloured('bold', title)}\n`;

/** Each batch has its own widths, so that nothing is cut that fits. */
function* table(head: readonly string[], batches: Iterable<string[][]>, width: number): Generator<string> {
  let first = true;
  for (const rows of batches) {
    const widths = fittingWidths([head, ...rows], width);
    yield (first ? [head, ...rows] : rows).map(row => fittedLine(row, widths)).join('');
    first = false;
  }
}

function sectionText({ title, groups, more }: Section, width: number): string {
  if (groups.length === 0) return `${heading(title)}none\n`;
  const labelWidth = Math.min(
    MAX_LABEL,
    Math.max(
      ...fittingWidths(
        groups.map(({ label }) => [label]),
        Infinity,
      ),
    ),
  );
  const barWidth = Math.max(MIN_BAR, width - labelWidth - 2 * (COUNT_WIDTH + 1) - 2);
  const max = Math.max(1, ...groups.map(({ keys }) => keys));
  const counts = (keys: string, active: string) =>
    `${keys.padStart(COUNT_WIDTH)} ${active.padStart(COUNT_WIDTH)}`;
  const lines = groups.map(
    group =>
      `${fit(group.label, labelWidth)} ${counts(number(group.keys), number(group.active))}  ${bar(group, max, barWidth)}`,
  );
  const head = `${' '.repeat(labelWidth)} ${counts('keys', 'active')}`;
  const rest = more > 0 ? [`and ${number(more)} more`] : [];
  return (
    heading(title) + [head, ...lines.map(line => line.trimEnd()), ...rest].map(line => `${line}\n`).join('')
  );
}

/** The active part is solid, the rest shaded. A number above 0 is at least one character. */
function bar({ keys, active }: Group, max: number, width: number): string {
  const length = keys === 0 ? 0 : Math.max(1, Math.round((keys / max) * width));
  const full = active === 0 ? 0 : Math.max(1, Math.round((active / keys) * length));
  return coloured('green', '█'.repeat(full)) + coloured('gray', '░'.repeat(length - full));
}
