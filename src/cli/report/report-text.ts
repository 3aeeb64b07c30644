import type { ApiKeyRecord } from '../../client/client.ts';
import { ageOf, daysOld } from '../../report/age.ts';
import type { Breaches } from '../../report/breaches.ts';
import type { Policy } from '../../report/policies.ts';
import type { RosterReport } from '../../report/roster-report.ts';
import { DEFAULT_WORKSPACE, dayOf, number, sectionsOf } from '../../report/sections.ts';
import { coloured } from '../terminal/colour.ts';
import { shown } from '../terminal/shown.ts';
import { tabbedLayout } from './tabbed-layout.ts';
import { terminalLayout } from './terminal-layout.ts';

/** The breaches that are shown: more than anybody reads, and few enough for a mail. JSON and CSV have all. */
const MAX_BREACHES = 10_000;

/** The report as text: on a terminal as wide as that is, elsewhere a row a line with tabs. */
export function* reportText(
  report: RosterReport,
  policies: readonly Policy[],
  breaches: Breaches,
): Generator<string> {
  const layout = process.stdout.isTTY ? terminalLayout() : tabbedLayout;
  const { keys, active, default_workspace } = report;
  yield `API keys${report.organization_id ? ` of ${shown(report.organization_id)}` : ''}, ${dayOf(report.generated_at)}\n`;
  yield `${number(keys)} keys, ${number(active)} of them active\n`;
  yield `${number(default_workspace.keys)} in the default workspace, ${number(default_workspace.active)} of them active\n`;
  for (const section of sectionsOf(report)) {
    yield heading(section.title);
    yield section.groups.length === 0 ? 'none\n' : layout.section(section);
    if (section.more > 0) yield `and ${number(section.more)} more\n`;
  }

  const rowOf = keyRow(new Date(report.generated_at));
  yield heading('Oldest active keys');
  yield* layout.table(HEADING, [report.oldest_active_keys.map(rowOf)]);

  for (const policy of policies) {
    const count = breaches.count(policy);
    const text = `${policy.name}: ${number(count)} key(s) ${policy.breach}`;
    yield `\n${coloured(count > 0 ? ['bold', 'red'] : ['bold', 'green'], text)}\n`;
  }
  if (breaches.total === 0) return;
  yield heading('Breaches');
  const rows = function* () {
    let left = MAX_BREACHES;
    for (const batch of breaches) {
      yield batch.slice(0, left).map(({ policy, api_key }) => [...rowOf(api_key), policy]);
      left -= batch.length;
      if (left <= 0) return;
    }
  };
  yield* layout.table([...HEADING, 'POLICY'], rows());
  if (breaches.total > MAX_BREACHES)
    yield `the first ${number(MAX_BREACHES)} of ${number(breaches.total)} breaches; --format json has all\n`;
}

const HEADING = ['ID', 'NAME', 'CREATED', 'DAYS', 'HINT', 'CREATOR', 'WORKSPACE'];

const keyRow = (now: Date) => (key: ApiKeyRecord) => [
  key.id,
  key.name,
  dayOf(key.created_at),
  String(daysOld(ageOf(key.created_at, now) ?? 0)),
  key.partial_key_hint,
  key.created_by.id,
  key.workspace_id ?? DEFAULT_WORKSPACE,
];

const heading = (title: string) => `\n${coloured('bold', title)}\n`;
