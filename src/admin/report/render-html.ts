import type { ApiKeyRecord } from '../../client/client.ts';
import { lifecycleTime } from '../../shared/record/lifecycle.ts';
import { ageOf, daysFrom, daysOld } from './age.ts';
import type { Breaches } from './breaches.ts';
import type { Policy } from './policies.ts';
import type { RosterReport } from './roster-report.ts';
import {
  DEFAULT_WORKSPACE,
  dayOf,
  figureTexts,
  type Group,
  number,
  type Section,
  sectionsOf,
  titleOf,
  unjudgedText,
} from './sections.ts';

/**
 * A self-contained HTML page: no script, no image, no font. The bars are SVG, since browsers don't print backgrounds.
 * Its Content-Security-Policy blocks every request, whatever a name contains.
 */
export function* renderHtml(
  report: RosterReport,
  policies: readonly Policy[],
  breaches: Breaches,
): Generator<string> {
  const { active, ofWhichExpired, inDefault, activeInDefault } = figureTexts(report);
  const title = titleOf(report);
  const cells = keyCells(report);
  const row = (key: ApiKeyRecord) => Object.values(cells).reduce((html, cellOf) => html + cellOf(key), '');
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
<p>${escaped(report.generated_at)}</p>
<dl>
<div><dt>keys</dt><dd>${number(report.keys)}</dd></div>
<div><dt>active</dt><dd>${active}${ofWhichExpired}</dd></div>
<div><dt>in the default workspace</dt><dd>${inDefault}, ${activeInDefault} active</dd></div>
</dl>
`;
  for (const policy of policies)
    yield policyHtml(policy, breaches.count(policy), unjudgedText(breaches.unjudged(policy)));
  for (const section of sectionsOf(report)) yield sectionHtml(section);
  yield `<h2>Oldest active keys</h2>\n<table>\n${head(Object.keys(cells))}<tbody>\n`;
  yield report.oldest_active_keys.map(key => `<tr>${row(key)}</tr>\n`).join('');
  yield '</tbody>\n</table>\n';
  if (breaches.total() > 0) {
    yield `<h2>Breaches</h2>\n<table>\n${head([...Object.keys(cells), 'policy'])}<tbody>\n`;
    for (const policy of policies)
      for (const batch of breaches.of(policy))
        yield batch.map(key => `<tr>${row(key)}<td>${escaped(labelOf(policy))}</td></tr>\n`).join('');
    yield '</tbody>\n</table>\n';
  }
  yield '</body>\n</html>\n';
}

/** The cells of a key by their headings. */
const keyCells = (
  { generated_at, expired }: RosterReport,
  now = new Date(generated_at),
): Readonly<Record<string, (key: ApiKeyRecord) => string>> => ({
  ID: key => cell(escaped(key.id)),
  name: key => cell(isolated(key.name)),
  created: key => cell(escaped(dayOf(key.created_at))),
  days: key => `<td class="number">${number(daysOld(ageOf(key.created_at, now) ?? 0))}</td>`,
  ...(expired !== undefined && { expires: key => cell(daysFrom(lifecycleTime(key, 'expires_at'), now)) }),
  hint: key => cell(escaped(key.partial_key_hint)),
  creator: key => cell(escaped(key.created_by.id)),
  workspace: key => cell(escaped(key.workspace_id ?? DEFAULT_WORKSPACE)),
});

const cell = (html: string) => `<td>${html}</td>`;

const head = (names: readonly string[]) =>
  `<thead><tr>${names.map(name => `<th scope="col">${name}</th>`).join('')}</tr></thead>\n`;

function policyHtml(policy: Policy, count: number, unjudged: string): string {
  const shows = count === 0 && unjudged === '' ? 'kept' : policy.level === 'warn' ? 'warned' : 'broken';
  return `<p class="${shows}"><strong>${escaped(labelOf(policy))}</strong>: ${number(count)} key(s) ${escaped(policy.breach + (unjudged && `; ${unjudged}`))}</p>\n`;
}

const labelOf = ({ name, level }: Policy) => (level === 'warn' ? `${name} (warning)` : name);

function sectionHtml({ title, groups, more }: Section): string {
  if (groups.length === 0) return `<h2>${title}</h2>\n<p>none</p>\n`;
  const max = Math.max(1, ...groups.map(({ keys }) => keys));
  const rows = groups.map(
    group =>
      `<tr><th scope="row">${isolated(group.label)}</th><td class="number">${number(group.keys)}</td>` +
      `<td class="number">${number(group.active)}</td><td class="chart">${bar(group, max)}</td></tr>\n`,
  );
  const rest = more > 0 ? `<p>and ${number(more)} more</p>\n` : '';
  const legend = '<th scope="col" class="chart">active, and the rest lighter</th>';
  const heading = `<thead><tr><td></td><th scope="col">keys</th><th scope="col">active</th>${legend}</tr></thead>\n`;
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
const isolated = (text: string) => `<bdi>${escaped(text)}</bdi>`;

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

/** Each cell is clipped: a name of combining marks is as high as it likes, and would draw over what is above and below. */
const STYLE = `
:root { color-scheme: light dark; --ink: #1c2733; --paper: #fff; --line: #cdd5dd; --active: #17785a; --rest: #a9cfc0; --bad: #b3261e; --warning: #9a6700; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e9ee; --paper: #12181f; --line: #3a4650; --active: #4fc59d; --rest: #2d5c4c; --bad: #ff8a80; --warning: #e3b341; }
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
  :root { --ink: #000; --paper: #fff; --line: #bbb; --active: #17785a; --rest: #a9cfc0; --bad: #b3261e; --warning: #9a6700; }
  body { margin: 0; max-width: none; font-size: 10pt; }
  thead { display: table-header-group; }
  tr, h2 { break-inside: avoid; }
  h2 { break-after: avoid; }
}
`;
