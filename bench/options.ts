import { parseArgs } from 'node:util';

/** In the order of the document. */
const SECTIONS = [
  'pages',
  'compiled',
  'depth',
  'filters',
  'workers',
  'memory',
  'postgres',
  'import',
] as const;

export type SectionName = (typeof SECTIONS)[number];

const HELP = `npm run bench -- [options]
  --quick         a small roster and few rounds; doesn't write docs/benchmarks.md
  --only NAME     only this section; may be repeated; doesn't write docs/benchmarks.md. One of:
                  ${SECTIONS.join(', ')}
  --keys N        keys in the roster
  --rounds N      rounds of each comparison
  --seconds N     how long each side of a comparison is measured per round
`;

const QUICK = { keys: 50_000, rounds: 3, seconds: 0.12, warmUp: 0.5 };
const FULL: typeof QUICK = { keys: 1_000_000, rounds: 11, seconds: 0.25, warmUp: 3 };

/** What the command line asks for. Prints the help and exits if that is what it asks for. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
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
  const sizes = values.quick ? QUICK : FULL;
  return {
    quick: values.quick,
    only: values.only.map(sectionName),
    warmUp: sizes.warmUp,
    keys: Number(values.keys ?? sizes.keys),
    rounds: Number(values.rounds ?? sizes.rounds),
    seconds: Number(values.seconds ?? sizes.seconds),
  };
}

function sectionName(text: string): SectionName {
  const found = SECTIONS.find(name => name === text);
  if (found) return found;
  process.stderr.write(`--only ${text}: there is no such section; there are ${SECTIONS.join(', ')}\n`);
  process.exit(2);
}
