import type { Breaches } from './breaches.ts';
import type { Policy } from './policies.ts';
import { policyText, type ReportView, verdictOf } from './report-view.ts';
import {
  dayText,
  figureTexts,
  type Group,
  MAX_SHOWN,
  number,
  type Section,
  sectionsOf,
  titleOf,
} from './sections.ts';
import { cutName, KINDS, keysTable, peopleTable, type ReportTable } from './tables.ts';

/** Of a policy, and in all: a page of a few MB opens in no browser at once. */
const MAX_BREACHES = 1_000;
const MAX_ROWS = 2_000;

/**
 * A self-contained HTML page: no script, no image, no font. The bars are SVG, since browsers don't print backgrounds.
 * Its Content-Security-Policy blocks every request, whatever a name contains. It is below 2 MB, however many keys there are.
 */
export function* renderHtml(view: ReportView): Generator<string> {
  const { report, breaches, directory, source, madeBy } = view;
  const { active, ofWhichExpired, inDefault, activeInDefault, ofPeople, untold } = figureTexts(report);
  const title = titleOf(report);
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
<p>${number(report.keys)} key(s) of ${escaped(source)} were looked at, as of ${escaped(report.generated_at)}. All of them are counted below.</p>
<dl>
<div><dt>keys</dt><dd>${number(report.keys)}</dd></div>
<div><dt>active</dt><dd>${active}${ofWhichExpired}</dd></div>
<div><dt>in the default workspace</dt><dd>${inDefault}, ${activeInDefault} active</dd></div>
</dl>
${ofPeople && `<p>${escaped(ofPeople)}</p>\n`}${untold && `<p>${escaped(untold)}</p>\n`}`;
  const { policies } = breaches;
  if (policies.length > 0) yield '<h2>Policies</h2>\n';
  for (const policy of policies) yield policyHtml(policy, breaches);
  const people = peopleTable(view);
  if (people) {
    yield '<h2>Breaches by creator</h2>\n';
    yield* tableHtml(people);
    if (people.more > 0) yield `<p>and ${number(people.more)} more</p>\n`;
  }
  for (const section of sectionsOf(report, directory)) yield sectionHtml(section);
  yield '<h2>Oldest active keys</h2>\n';
  yield* tableHtml(keysTable(view, report.oldest_active_keys));
  const broken = policies.filter(policy => breaches.count(policy) > 0);
  const max = Math.min(MAX_BREACHES, Math.floor(MAX_ROWS / Math.max(1, broken.length)));
  for (const policy of broken) {
    const count = breaches.count(policy);
    yield `<h2>Breaches of ${escaped(labelOf(policy))}</h2>\n`;
    if (count > max)
      yield `<p>the first ${number(max)} of ${number(count)}; all are in the report as --format csv</p>\n`;
    yield* tableHtml(keysTable(view, breaches.of(policy, max)));
  }
  const by = madeBy.map(text => `<li>${escaped(text)}</li>\n`);
  yield `<h2>Made by</h2>\n<ul>\n${by.join('')}</ul>\n</body>\n</html>\n`;
}

function* tableHtml({ columns, rows }: ReportTable): Generator<string> {
  const kinds = columns.map(name => KINDS[name] ?? 'whole');
  const headings = columns
    .map((name, column) => `<th scope="col" class="${kinds[column]}">${name}</th>`)
    .join('');
  yield `<table>\n<thead><tr>${headings}</tr></thead>\n<tbody>\n`;
  const cellOf = (text: string, column: number) => CELLS[kinds[column] ?? 'name'](text);
  for (const row of rows) yield `<tr>${row.map(cellOf).join('')}</tr>\n`;
  yield '</tbody>\n</table>\n';
}

const CELLS = {
  whole: text => `<td>${escaped(text)}</td>`,
  number: text => `<td class="number">${text}</td>`,
  name: text => `<td>${isolated(text)}</td>`,
} as const satisfies Readonly<Record<string, (text: string) => string>>;

function policyHtml(policy: Policy, breaches: Breaches): string {
  const verdict = verdictOf(policy, breaches);
  const text = policyText(policy, breaches);
  const all = [...policy.exceptions.values()];
  const exceptions = all.slice(0, MAX_SHOWN).map(({ key, reason, until }) => {
    return `<li>${escaped(key)} until ${dayText(until)}: <bdi>${escaped(reason)}</bdi></li>`;
  });
  if (all.length > MAX_SHOWN) exceptions.push(`<li>and ${number(all.length - MAX_SHOWN)} more</li>`);
  const list = exceptions.length > 0 ? `<ul>\n${exceptions.join('\n')}\n</ul>\n` : '';
  return `<p class="${verdict}"><strong>${escaped(labelOf(policy))}</strong>, ${verdict}: ${escaped(text)}</p>\n${list}`;
}

const labelOf = ({ name, level }: Policy) => (level === 'warn' ? `${name} (warning)` : name);

function sectionHtml({ title, groups, more }: Section): string {
  if (groups.length === 0) return `<h2>${title}</h2>\n<p>none</p>\n`;
  const max = Math.max(1, ...groups.map(({ keys }) => keys));
  const rows = groups.map(
    group =>
      `<tr><th scope="row">${isolated(group.label)}</th><td class="number">${number(group.keys)}</td>` +
      `<td class="number">${group.activeText}</td><td class="chart">${bar(group, max)}</td></tr>\n`,
  );
  const rest = more > 0 ? `<p>and ${number(more)} more</p>\n` : '';
  const legend = '<th scope="col" class="chart">active, and the rest lighter</th>';
  const counts = ['keys', 'active'].map(name => `<th scope="col" class="number">${name}</th>`);
  const heading = `<thead><tr><td></td>${counts.join('')}${legend}</tr></thead>\n`;
  return `<h2>${title}</h2>\n<table>\n${heading}<tbody>\n${rows.join('')}</tbody>\n</table>\n${rest}`;
}

function bar({ keys, active }: Group, max: number): string {
  const [whole, full] = [keys, active].map(count => ((100 * count) / max).toFixed(2));
  return (
    `<svg viewBox="0 0 100 1" preserveAspectRatio="none" role="img" aria-label="${active} of ${keys} active">` +
    `<rect class="rest" width="${whole}" height="1"/><rect class="active" width="${full}" height="1"/></svg>`
  );
}

/** For names, which anybody may choose: right-to-left text in a name must not reorder what is beside it. */
const isolated = (text: string) => `<bdi>${escaped(cutName(text))}</bdi>`;

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

/** Each cell is clipped: a name of combining marks is as high as it likes, and would draw over what is above and below. */
const STYLE = `
:root {
  color-scheme: light dark; --ink: light-dark(#1c2733, #e4e9ee); --paper: light-dark(#fff, #12181f); --line: light-dark(#cdd5dd, #3a4650);
  --active: light-dark(#17785a, #4fc59d); --rest: light-dark(#a9cfc0, #2d5c4c); --bad: light-dark(#b3261e, #ff8a80); --warning: light-dark(#9a6700, #e3b341);
}
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h1 { overflow: clip; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
dl { display: flex; flex-wrap: wrap; gap: .5rem 2.5rem; }
dt { font-size: .85rem; }
dd { margin: 0; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th, td { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; overflow: clip; }
th[scope=row] { font-weight: normal; width: 34%; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.chart { width: 40%; }
svg { display: block; width: 100%; height: .9rem; }
.active { fill: var(--active); }
.rest { fill: var(--rest); }
.broken { border-left: 4px solid var(--bad); padding-left: .7rem; }
.warned { border-left: 4px solid var(--warning); padding-left: .7rem; }
.kept { border-left: 4px solid var(--active); padding-left: .7rem; }
@media print {
  :root { color-scheme: light; }
  body { margin: 0; max-width: none; font-size: 10pt; }
  thead { display: table-header-group; }
  tr, h2 { break-inside: avoid; }
  h2 { break-after: avoid; }
}
`;
