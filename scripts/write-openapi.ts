/** Prints docs/openapi.json: `npm run openapi`. */
import { parseVendor } from '../src/roster/vendor.ts';
import { openApiDocument } from '../src/server/openapi.ts';

const vendor = parseVendor('vendor');
if (vendor) process.stdout.write(`${JSON.stringify(openApiDocument(vendor), null, 2)}\n`);
