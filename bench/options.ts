import { parseArgs } from 'node:util';
import { FEW } from './load/load.ts';

/** In the order of the document. */
const SECTIONS = [
  'pages',
  'compiled',
  'depth',
  'filters',
  'walk',
  'compression',
  'start',
  'size',
  'log',
  'export',
  'admin',
  'express-sqlite',
  'better-auth',
  'postgres',
  'vendor-table',
  'lanes',
  'express-postgres',
  'import',
  'disk',
] as const;

export type SectionName = (typeof SECTIONS)[number];

const HELP = `npm run bench -- [options]
  --quick         small rosters (the largest too) and few rounds: 2 minutes; doesn't write docs/benchmarks.md
  --only NAME     only this section; may be repeated; doesn't write docs/benchmarks.md. One of:
                  ${SECTIONS.slice(0, 10).join(', ')},
                  ${SECTIONS.slice(10).join(', ')}
  --ten-million   also a roster of 10,000,000 keys: 5 minutes more, 7 GB in the temporary folder
  --keys N        keys in the large roster
  --rounds N      rounds of each comparison
  --seconds N     how long each side of a comparison is measured per round
`;

const QUICK = {
  keys: 50_000,
  rounds: 3,
  seconds: 0.12,
  warmUp: 0.5,
  peerSeconds: 0.36,
  commandRounds: 1,
  importRounds: 1,
  adminRounds: 1,
  betterAuthKeys: 2_000,
  diskKeys: 20_000,
  smallKeys: 1_000,
  hugeKeys: 200_000,
};

const FULL: typeof QUICK = {
  keys: 1_000_000,
  rounds: 11,
  seconds: 0.25,
  warmUp: 3,
  peerSeconds: 1.5,
  commandRounds: 2,
  importRounds: 1,
  adminRounds: 1,
  betterAuthKeys: 100_000,
  diskKeys: 200_000,
  smallKeys: 10_000,
  hugeKeys: 10_000_000,
};

/** What the command line asks for. Prints the help and exits if that is what it asks for. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      'ten-million': { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      keys: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    process.exit();
  }
  const only = values.only.map(sectionName);
  const sizes = values.quick ? QUICK : FULL;
  const rounds = Number(values.rounds ?? sizes.rounds);
  return {
    ...sizes,
    quick: values.quick,
    only,
    tenMillion: values['ten-million'] || only.includes('size'),
    keys: Number(values.keys ?? sizes.keys),
    rounds,
    seconds: Number(values.seconds ?? sizes.seconds),
    /** A peer answers few requests per second: it needs longer rounds, and fewer of them are enough. */
    forPeers: { rounds: Math.min(rounds, 3), seconds: sizes.peerSeconds, clients: FEW },
  };
}

function sectionName(text: string): SectionName {
  const found = SECTIONS.find(name => name === text);
  if (found) return found;
  process.stderr.write(`--only ${text}: there is no such section; there are ${SECTIONS.join(', ')}\n`);
  process.exit(2);
}
