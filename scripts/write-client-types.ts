/** Prints src/client/openapi.ts: `npm run client-types`. */
import { readFileSync } from 'node:fs';
import { clientTypes } from './client-types.ts';

const document = readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8');
process.stdout.write(await clientTypes(JSON.parse(document)));
