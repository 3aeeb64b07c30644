/** The settings of `serve` that name standbys to read pages from. */
import { Refused } from '../../roster/errors.ts';
import { storeAt } from './database.ts';
import { list, type Setting, wholeNumber } from './setting.ts';

export const readFromSetting = {
  flags: '--read-from <urls...>',
  variable: 'KEYROSTER_READ_FROM',
  description: 'PostgreSQL: standbys to read pages from, postgres://… URLs',
  kind: list(parseUrls, 'must be postgres://… URLs', ' '),
  without: 'none',
  shown: async text => (await Promise.all(urlsIn(text).map(shownUrl))).join(' '),
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
  return urls.every(url => /^postgres(ql)?:\/\//.test(url)) ? urls : undefined;
}

async function shownUrl(url: string): Promise<string> {
  try {
    return await storeAt(url).shownUrl();
  } catch (error) {
    throw new Refused((error as Error).message.replace(/^database:/, '--read-from:'), { cause: error });
  }
}

function urlsIn(text: string): string[] {
  return text.split(/\s+/).filter(url => url !== '');
}
