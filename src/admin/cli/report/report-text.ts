import type { ApiKeyRecord } from '../../../client/client.ts';
import { coloured } from '../../../shared/command/terminal/capabilities.ts';
import { shown } from '../../../shared/command/terminal/shown.ts';
import { ageOf, daysOld } from '../../report/age.ts';
import type { Breaches } from '../../report/breaches.ts';
import type { Policy } from '../../report/policies.ts';
import type { RosterReport } from '../../report/roster-report.ts';
import { dayOf, figureTexts, number, sectionsOf, titleOf, unjudgedText } from '../../report/sections.ts';
import { type Column, tableColumns, timeColumn } from '../list/columns.ts';
import { tabbedLayout, terminalLayout } from './layouts.ts';

/** Of a policy: more than anybody reads, and few enough for a mail. JSON and CSV have all. */
const MAX_BREACHES = 1_000;

/** The report as text: on a terminal as wide as that is, elsewhere a row a line with tabs. */
export function* reportText(
  report: RosterReport,
  policies: readonly Policy[],
  breaches: Breaches,
): Generator<string> {
  const layout = process.stdout.isTTY ? terminalLayout() : tabbedLayout;
  yield `${shown(titleOf(report))}, ${dayOf(report.generated_at)}\n`;
  const { active, ofWhichExpired, inDefault, activeInDefault } = figureTexts(report);
  yield `${number(report.keys)} ${report.keys === 1 ? 'key' : 'keys'}, ${active} of them active${ofWhichExpired}\n`;
  yield `${inDefault} in the default workspace, ${activeInDefault} of them active\n`;
  for (const section of sectionsOf(report)) {
    yield heading(section.title);
    yield section.groups.length === 0 ? 'none\n' : layout.section(section);
    if (section.more > 0) yield `and ${number(section.more)} more\n`;
  }

  const columns = columnsOf(report);
  const leftOut = LEFT_OUT.map(name => columns.findIndex(column => column.name === name));
  const rowOf = (key: ApiKeyRecord) => columns.map(({ cell }) => cell(key));
  const rowsOf = function* (batches: Iterable<readonly ApiKeyRecord[]>) {
    for (const batch of batches) yield batch.map(rowOf);
  };
  yield heading('Oldest active keys');
  yield* layout.table(columns, [report.oldest_active_keys.map(rowOf)], leftOut);

  yield policies.length > 0 ? '\n' : '';
  for (const policy of policies)
    yield `${policyLine(policy, breaches.count(policy), unjudgedText(breaches.unjudged(policy)))}\n`;
  for (const policy of policies) {
    const count = breaches.count(policy);
    if (count === 0) continue;
    const more = count > MAX_BREACHES ? `, the first ${number(MAX_BREACHES)} of ${number(count)}` : '';
    yield heading(`Breaches of ${policy.name}${more}`);
    yield* layout.table(columns, rowsOf(breaches.of(policy, MAX_BREACHES)), leftOut);
    if (more) yield 'the others are in --format csv and json\n';
  }
}

function policyLine({ name, level, breach }: Policy, count: number, unjudged: string): string {
  const warning = level === 'warn' ? ' (warning)' : '';
  const colour = count === 0 && unjudged === '' ? 'green' : level === 'warn' ? 'yellow' : 'red';
  return coloured(
    ['bold', colour],
    shown(`${name}${warning}: ${number(count)} key(s) ${breach}${unjudged && `; ${unjudged}`}`),
  );
}

/** Those of `list`, with the day of creation and the age in days. */
const columnsOf = (
  { generated_at, expired }: RosterReport,
  now = new Date(generated_at),
): readonly Column[] => [
  ...tableColumns({ columns: ['id', 'name'] }),
  { name: 'created_at', heading: 'CREATED', cell: key => dayOf(key.created_at), cut: 'nothing', min: 0 },
  {
    name: 'days',
    heading: 'DAYS',
    cell: key => String(daysOld(ageOf(key.created_at, now) ?? 0)),
    cut: 'nothing',
    min: 4,
  },
  ...(expired === undefined ? [] : [timeColumn('expires_at', now)]),
  ...tableColumns({ columns: ['partial_key_hint', 'created_by.id', 'workspace_id'] }),
];
const LEFT_OUT = ['created_at', 'workspace_id', 'created_by.id', 'name'];

const heading = (title: string) => `\n${coloured('bold', title)}\n`;
