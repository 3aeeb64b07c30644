/** Prints docs/config.schema.json: `npm run config-schema`. */

import { settingsSchema } from '../src/service/cli/options/settings-file.ts';

process.stdout.write(`${JSON.stringify(settingsSchema(), null, 2)}\n`);
