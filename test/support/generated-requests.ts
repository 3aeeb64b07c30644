/** Requests made from the OpenAPI document that the service serves: what it declares is all that is known here. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { callerOf, type Sent } from './http.ts';
import { type GeneratedText, type ParameterSchema, textBy } from './schema-values.ts';
import type { Scope } from './scope.ts';
import { startTenantService, type Tenant } from './service-process.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'header' | 'query';
  readonly required?: boolean;
  readonly schema: ParameterSchema;
}

interface Operations {
  readonly get: { readonly parameters: readonly Parameter[] };
}

interface Made {
  readonly sent: Sent;
  /** Whether every parameter is as the document says, and there once. */
  readonly valid: boolean;
}

/** Sends this many. `send` holds each answer to the document; its status is held to what was sent. */
export async function sendGeneratedRequests(scope: Scope, numRuns: number, seed: number): Promise<void> {
  const service = await startTenantService(scope);
  const [{ secret }] = service.tenants as [Tenant];
  const caller = callerOf(service.port, secret);
  scope.after(() => caller.close());
  const { body: document } = await caller.send({ path: '/openapi.json' });
  const [[path, { get }]] = Object.entries(document.paths) as [[string, Operations]];
  const { body: page } = await caller.send({ path });
  const seen = [page.first_id, page.last_id, page.data[0].created_by.id, page.data[0].status];

  const pages = { empty: 0, full: 0, refused: 0 };
  const property = fc.asyncProperty(requestsBy(get.parameters, seen), async ({ sent, valid }) => {
    const { status, body } = await caller.send({ path, ...sent });
    pages[status !== 200 ? 'refused' : body.data.length > 0 ? 'full' : 'empty'] += 1;
    assert(status === 400 || (valid && status === 200), `answered with ${status}`);
    // What a schema doesn't say: a cursor has to name a key of the organization, and there may be one only.
    if (valid && status === 400) {
      assert.match(body.error.message, /^(after_id|before_id)(: not an API key of|, before_id: give one of)/);
    }
  });
  await fc.assert(property, { numRuns, seed });
  // The generator would prove little if it made one kind only.
  for (const count of Object.values(pages)) assert(count > numRuns / 50, JSON.stringify(pages));
  assert(service.running());
  assert.deepEqual(service.warnings(), []);
}

interface Given extends GeneratedText {
  readonly name: string;
  readonly in: 'header' | 'query';
}

function requestsBy(parameters: readonly Parameter[], seen: readonly string[]): fc.Arbitrary<Made> {
  const each = parameters.map(({ name, in: place, required, schema }) => {
    const given = textBy(schema, seen).map((text): Given => ({ ...text, name, in: place }));
    const missing: Given[] = required ? [{ name: '', text: '', valid: false, in: 'query' }] : [];
    // Most are left out, or next to no request would be valid.
    const left = fc.constant(missing);
    return fc.oneof(
      { weight: 1, arbitrary: left },
      { weight: required ? 20 : 1, arbitrary: given.map(one => [one]) },
    );
  });
  return fc
    .tuple(...each)
    .chain(all =>
      fc.tuple(
        fc.shuffledSubarray(all.flat(), { minLength: all.flat().length }),
        fc.integer({ min: -20, max: 5 }),
      ),
    )
    .map(([given, again]) => madeOf(given, given[again]));
}

/** With one of the query's parameters twice, if there is one to repeat. */
function madeOf(given: readonly Given[], repeated: Given | undefined): Made {
  const again = repeated?.in === 'query' && repeated.name ? [repeated] : [];
  const pairs = [...given, ...again].filter(one => one.in === 'query' && one.name);
  const query = pairs.map(({ name, text }) => `${name}=${encodeURIComponent(text)}`).join('&');
  const headers = given.filter(one => one.in === 'header').map(({ name, text }) => [name, asHeader(text)]);
  const valid = again.length === 0 && given.every(one => one.valid);
  return { sent: { query, headers: { 'vendor-version': undefined, ...Object.fromEntries(headers) } }, valid };
}

/** What can't stand in a header is sent as another wrong value. */
const asHeader = (text: string) => encodeURIComponent(text);
