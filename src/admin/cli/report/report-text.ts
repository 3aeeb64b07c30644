import type { ApiKeyRecord } from '../../../client/client.ts';
import { coloured } from '../../../shared/command/terminal/capabilities.ts';
import type { TableColumn } from '../../../shared/command/terminal/fitted-columns.ts';
import { shown } from '../../../shared/command/terminal/shown.ts';
import { ageOf, daysOld } from '../../report/age.ts';
import type { Breaches } from '../../report/breaches.ts';
import type { Policy } from '../../report/policies.ts';
import { notesOf, type ReportView, verdictOf } from '../../report/report-view.ts';
import { dayOf, figureTexts, MAX_SHOWN, number, sectionsOf, titleOf } from '../../report/sections.ts';
import { breachesByPerson, policyCounts } from '../../report/worklist.ts';
import { type Column, columnOf, tableColumns, timeColumn } from '../list/columns.ts';
import { tabbedLayout, terminalLayout } from './layouts.ts';

/** Of a policy: more than anybody reads, and few enough for a mail. JSON and CSV have all. */
const MAX_BREACHES = 1_000;

/** The report as text: on a terminal as wide as that is, elsewhere a row a line with tabs. */
export function* reportText(view: ReportView): Generator<string> {
  const { report, breaches, directory } = view;
  const { policies } = breaches;
  const layout = process.stdout.isTTY ? terminalLayout() : tabbedLayout;
  yield `${shown(titleOf(report))}, ${dayOf(report.generated_at)}\n`;
  const { active, ofWhichExpired, inDefault, activeInDefault, ofPeople } = figureTexts(report);
  yield `${number(report.keys)} ${report.keys === 1 ? 'key' : 'keys'}, ${active} of them active${ofWhichExpired}\n`;
  yield `${inDefault} in the default workspace, ${activeInDefault} of them active\n`;
  yield ofPeople && `${ofPeople}\n`;
  for (const section of sectionsOf(report, directory)) {
    yield heading(section.title);
    yield section.groups.length === 0 ? 'none\n' : layout.section(section);
    if (section.more > 0) yield `and ${number(section.more)} more\n`;
  }

  const columns = columnsOf(view);
  const rowOf = (key: ApiKeyRecord) => columns.map(({ cell }) => cell(key));
  const rowsOf = function* (batches: Iterable<readonly ApiKeyRecord[]>) {
    for (const batch of batches) yield batch.map(rowOf);
  };
  yield heading('Oldest active keys');
  yield* layout.table(columns, [report.oldest_active_keys.map(rowOf)], LEFT_OUT);

  yield policies.length > 0 ? '\n' : '';
  for (const policy of policies) yield `${policyLine(policy, breaches)}\n`;
  const people = breachesByPerson(breaches);
  if (people.length > 0) {
    yield heading('Breaches by creator');
    const rows = people
      .slice(0, MAX_SHOWN)
      .map(person => [
        directory?.creatorName(person.creator.id) ?? person.creator.id,
        ...(directory ? [directory.creator(person.creator.id)?.mail ?? ''] : []),
        ...[number(person.keys), policyCounts(person)],
      ]);
    yield* layout.table(directory ? PEOPLE : PEOPLE.toSpliced(1, 1), [rows], []);
    if (people.length > MAX_SHOWN) yield `and ${number(people.length - MAX_SHOWN)} more\n`;
  }
  for (const policy of policies) {
    const count = breaches.count(policy);
    if (count === 0) continue;
    const more = count > MAX_BREACHES ? `, the first ${number(MAX_BREACHES)} of ${number(count)}` : '';
    yield heading(`Breaches of ${policy.name}${more}`);
    yield* layout.table(columns, rowsOf(breaches.of(policy, MAX_BREACHES)), LEFT_OUT);
    if (more) yield 'the others are in --format csv and json\n';
  }
}

const PEOPLE: readonly TableColumn[] = [
  { name: 'creator', heading: 'CREATOR', cut: 'nothing', min: 0 },
  { name: 'mail', heading: 'MAIL', cut: 'middle', min: 12 },
  { name: 'keys', heading: 'KEYS', cut: 'nothing', min: 4 },
  { name: 'break', heading: 'BREAK', cut: 'end', min: 12 },
];

function policyLine(policy: Policy, breaches: Breaches): string {
  const { name, level, breach } = policy;
  const warning = level === 'warn' ? ' (warning)' : '';
  const colour = { kept: 'green', warned: 'yellow', broken: 'red' } as const;
  const text = [`${number(breaches.count(policy))} key(s) ${breach}`, ...notesOf(policy, breaches)].join(
    '; ',
  );
  return coloured(['bold', colour[verdictOf(policy, breaches)]], shown(`${name}${warning}: ${text}`));
}

/** Those of `list`, with the day of creation and the age in days. */
const columnsOf = (
  { report: { generated_at, expired }, directory }: ReportView,
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
  ...['partial_key_hint', 'created_by.id', 'workspace_id'].map(name => columnOf(name, directory)),
];
const LEFT_OUT = ['created_at', 'workspace_id', 'created_by.id', 'name'];

const heading = (title: string) => `\n${coloured('bold', title)}\n`;
