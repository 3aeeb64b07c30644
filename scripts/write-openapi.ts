/** Prints docs/openapi.json: `npm run openapi`. */

import { openApiDocument } from '../src/api/openapi.ts';
import { parseVendor } from '../src/roster/vendor.ts';

const vendor = parseVendor('vendor');
if (vendor) process.stdout.write(`${JSON.stringify(openApiDocument(vendor), null, 2)}\n`);
