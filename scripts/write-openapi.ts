/** Prints docs/openapi.json: `npm run openapi`. */

import { openApiDocument } from '../src/service/api/openapi.ts';
import { parseVendor } from '../src/shared/record/vendor.ts';

const vendor = parseVendor('vendor');
if (vendor) process.stdout.write(`${JSON.stringify(openApiDocument(vendor), null, 2)}\n`);
