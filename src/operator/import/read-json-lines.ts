import { type DeclaredField, NO_FIELDS } from '../../service/roster/declared-fields.ts';
import { parseApiKey } from '../../service/roster/parse-api-key.ts';
import type { ImportLine } from '../../service/roster/writes/imports.ts';
import { readJsonLinesBy } from '../../shared/formats/json-lines.ts';
import { type LineOrganization, parseLineOf, type ValidLine } from './line-organization.ts';

/**
 * Reads API key records in JSON Lines (jsonlines.org): UTF-8, one record per line; a byte-order mark and empty lines are
 * allowed. Yields one batch for each chunk of the source, so memory doesn't grow with it. `node:readline` isn't used: it
 * also ends a line at U+2028, which is allowed in a JSON string.
 */
export async function* readJsonLines(
  source: AsyncIterable<Buffer>,
  organization: LineOrganization,
  { fields = NO_FIELDS }: { readonly fields?: readonly DeclaredField[] } = {},
): AsyncGenerator<readonly ImportLine[]> {
  const parse = (record: unknown) => parseLineOf(organization, record, each => parseApiKey(each, fields));
  const organizationId = 'id' in organization ? organization.id : null; // of a line that isn't a record
  for await (const batch of readJsonLinesBy<ValidLine>(parse, source))
    yield batch.map(line => ({ organizationId, ...line }));
}
