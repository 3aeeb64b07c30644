import { coloured } from '../../../shared/command/terminal/capabilities.ts';
import type { Fitting } from '../../../shared/command/terminal/fitted-columns.ts';
import { shown } from '../../../shared/command/terminal/shown.ts';
import type { Breaches } from '../../report/breaches.ts';
import type { Policy } from '../../report/policies.ts';
import { policyText, type ReportView, verdictOf } from '../../report/report-view.ts';
import { dayOf, figureTexts, number, sectionsOf, titleOf } from '../../report/sections.ts';
import { keysTable, peopleTable, type ReportTable } from '../../report/tables.ts';
import { columnOf } from '../list/columns.ts';
import { sectionText, tableText, whole } from './layouts.ts';

/** Of a policy: more than anybody reads, and few enough for a mail. JSON and CSV have all. */
const MAX_BREACHES = 1_000;

/** The report as text: on a terminal as wide as that is, elsewhere a row a line with tabs. */
export function* reportText(view: ReportView): Generator<string> {
  const { report, breaches, directory } = view;
  const { policies } = breaches;
  yield `${shown(titleOf(report))}, ${dayOf(report.generated_at)}\n`;
  const { active, ofWhichExpired, inDefault, activeInDefault, ofPeople, untold } = figureTexts(report);
  yield `${number(report.keys)} ${report.keys === 1 ? 'key' : 'keys'}, ${active} of them active${ofWhichExpired}\n`;
  yield `${inDefault} in the default workspace, ${activeInDefault} of them active\n`;
  yield ofPeople && `${ofPeople}\n`;
  yield untold && `${untold}\n`;
  for (const section of sectionsOf(report, directory)) {
    yield heading(section.title);
    yield section.groups.length === 0 ? 'none\n' : sectionText(section);
    if (section.more > 0) yield `and ${number(section.more)} more\n`;
  }
  yield heading('Oldest active keys');
  yield* rowsOf(keysTable(view, report.oldest_active_keys));

  yield policies.length > 0 ? '\n' : '';
  for (const policy of policies) yield `${policyLine(policy, breaches)}\n`;
  const people = peopleTable(view);
  if (people) {
    yield heading('Breaches by creator');
    yield* rowsOf(people);
    if (people.more > 0) yield `and ${number(people.more)} more\n`;
  }
  for (const policy of policies) {
    const count = breaches.count(policy);
    if (count === 0) continue;
    const more = count > MAX_BREACHES ? `, the first ${number(MAX_BREACHES)} of ${number(count)}` : '';
    yield heading(`Breaches of ${policy.name}${more}`);
    yield* rowsOf(keysTable(view, breaches.of(policy, MAX_BREACHES)));
    if (more) yield 'the others are in --format csv and json\n';
  }
}

function policyLine(policy: Policy, breaches: Breaches): string {
  const { name, level } = policy;
  const warning = level === 'warn' ? ' (warning)' : '';
  const colour = { kept: 'green', warned: 'yellow', broken: 'red' } as const;
  const text = shown(`${name}${warning}: ${policyText(policy, breaches)}`);
  return coloured(['bold', colour[verdictOf(policy, breaches)]], text);
}

/** How columns give way on a narrow terminal; others don't. */
const FITTINGS: Readonly<Record<string, Fitting>> = {
  name: { cut: 'middle', min: 9 },
  creator: { cut: 'middle', min: 12, first: 13 },
  workspace: { cut: 'middle', min: 12, first: 13 },
  mail: { cut: 'middle', min: 12 },
  break: { cut: 'end', min: 12 },
};
const LEFT_OUT = ['created', 'workspace', 'creator', 'name'];

function rowsOf({ columns, rows }: ReportTable): Iterable<string> {
  const fittingOf = (name: string) =>
    name === 'hint' ? columnOf('partial_key_hint') : (FITTINGS[name] ?? whole);
  const all = columns.map((name, index) => ({
    ...fittingOf(name),
    ...{ name, heading: name.toUpperCase(), cell: (row: readonly string[]) => row[index] ?? '' },
  }));
  return tableText(all, rows, LEFT_OUT);
}

const heading = (title: string) => `\n${coloured('bold', title)}\n`;
