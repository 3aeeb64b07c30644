/** The settings of `serve` that name standbys to read pages from. */
import { standby } from '../../stores.ts';
import { list, type Setting, wholeNumber } from './setting.ts';

export const readFromSetting = {
  flags: '--read-from <urls...>',
  variable: 'KEYROSTER_READ_FROM',
  description: 'PostgreSQL: standbys to read pages from, postgres://… URLs',
  kind: list(parseUrls, 'must be postgres://… URLs, each of them once and with %20 for a space', ' '),
  without: 'none',
  shown: async text => (await Promise.all(urlsIn(text).map(standby.shownUrl))).join(' '),
} as const satisfies Setting<readonly string[]>;

/** A standby seems behind by up to some tenths of a second, so less than a second would be in vain. */
const MAX_LAG = { min: 1, max: 3600 } as const;

export const maxLagSetting = {
  flags: '--max-lag <seconds>',
  variable: 'KEYROSTER_MAX_LAG',
  description: 'how far behind the primary a standby may be that pages are read from',
  kind: wholeNumber(MAX_LAG.min, MAX_LAG.max),
  byDefault: '5',
} as const satisfies Setting<number>;

function parseUrls(text: string): readonly string[] | undefined {
  const urls = urlsIn(text);
  const isOnce = new Set(urls).size === urls.length;
  return isOnce && urls.every(url => /^postgres(ql)?:\/\/[^\p{Cc}]*$/u.test(url)) ? urls : undefined;
}

function urlsIn(text: string): string[] {
  return text.split(/\s+/).filter(url => url !== '');
}
