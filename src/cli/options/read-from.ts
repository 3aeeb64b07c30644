/** The options of `serve` that name standbys to read pages from. */
import { Option } from 'commander';
import { numberOf, required } from './shared-options.ts';

export const readFromOptions = () => [
  new Option(
    '--read-from <urls...>',
    'PostgreSQL: standbys to read pages from, postgres://… URLs, separated by spaces (default: none)',
  ).env('KEYROSTER_READ_FROM'),
  new Option('--max-lag <seconds>', 'how far behind the primary a standby may be that pages are read from')
    .env('KEYROSTER_MAX_LAG')
    .default('5'),
];

export interface ReadFromOptions {
  readonly readFrom?: readonly string[];
  readonly maxLag: string;
}

/** A standby seems behind by up to some tenths of a second, so less than a second would be in vain. */
const MAX_LAG = { min: 1, max: 3600 } as const;

/** `undefined`: no standbys. */
export function standbysOf({ readFrom = [], maxLag }: ReadFromOptions) {
  const maxLagSeconds = numberOf('--max-lag', maxLag, MAX_LAG.min, MAX_LAG.max);
  // The environment has all of them in one text.
  const urls = readFrom.flatMap(text => text.split(/\s+/)).filter(url => url !== '');
  const areUrls = urls.every(url => /^postgres(ql)?:\/\//.test(url));
  required('--read-from', areUrls || undefined, 'must be postgres://… URLs, separated by spaces');
  return urls.length === 0 ? undefined : { urls, maxLagSeconds };
}
