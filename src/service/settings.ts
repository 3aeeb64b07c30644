/** All settings of the service. */
import { type ParsedOptions, text } from './options.ts';
import { SERVING_SETTINGS, type Setting } from './serving-settings.ts';
import { parseStore, STORE_RULE } from './stores.ts';

export const SETTINGS = {
  database: {
    ...text(parseStore, STORE_RULE),
    flags: '--database <url>',
    variable: 'KEYROSTER_DATABASE_URL',
    description: 'the store: sqlite:FILE or postgres://…',
    byDefault: 'sqlite:data/keyroster.db',
  },
  ...SERVING_SETTINGS,
  // biome-ignore lint/suspicious/noExplicitAny: any setting's type
} as const satisfies Record<string, Setting<any>>;

export type SettingName = keyof typeof SETTINGS;
export type Settings = ParsedOptions<typeof SETTINGS>;
