/** Requests generated from nothing but the OpenAPI document that the service serves. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { callerOf, type Sent } from './http.ts';
import { retryOverloaded } from './retry-overloaded.ts';
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

interface GeneratedRequest {
  readonly sent: Sent;
  /** Whether every parameter follows the document and is given once. */
  readonly valid: boolean;
}

/** Sends this many requests. `send` checks each answer against the document; here its status is checked against the request. */
export async function sendGeneratedRequests(scope: Scope, numRuns: number, seed: number): Promise<void> {
  const service = await startTenantService(scope);
  const [{ secret }] = service.tenants as [Tenant];
  const caller = callerOf(service.port, secret);
  scope.after(() => caller.close());
  // The first requests of a process take longest, so a busy machine sheds them most easily.
  const send = (sent: Sent) => retryOverloaded(() => caller.send(sent));
  const { body: document } = await send({ path: '/openapi.json' });
  const [[path, { get }]] = Object.entries(document.paths) as [[string, Operations]];
  const { body: page } = await send({ path });
  const seen = [page.first_id, page.last_id, page.data[0].created_by.id, page.data[0].status];

  const pages = { empty: 0, full: 0, refused: 0 };
  const property = fc.asyncProperty(requestsBy(get.parameters, seen), async ({ sent, valid }) => {
    const { status, body } = await send({ path, ...sent });
    pages[status !== 200 ? 'refused' : body.data.length > 0 ? 'full' : 'empty'] += 1;
    assert(status === 400 || (valid && status === 200), `answered with ${status}`);
    // Rules that a schema can't express: a cursor must be a key of the organization, and only one may be given.
    if (valid && status === 400) {
      assert.match(body.error.message, /^(after_id|before_id)(: not an API key of|, before_id: give one of)/);
    }
  });
  await fc.assert(property, { numRuns, seed });
  // The test is worth little if the generator makes only one kind of request.
  for (const count of Object.values(pages)) assert(count > numRuns / 50, JSON.stringify(pages));
  assert(service.running());
  assert.deepEqual(service.warnings(), []);
}

interface GeneratedParameter extends GeneratedText {
  readonly name: string;
  readonly in: 'header' | 'query';
}

function requestsBy(
  parameters: readonly Parameter[],
  seen: readonly string[],
): fc.Arbitrary<GeneratedRequest> {
  const each = parameters.map(({ name, in: place, required, schema }) => {
    const generated = textBy(schema, seen).map((text): GeneratedParameter => ({ ...text, name, in: place }));
    const missing: GeneratedParameter[] = required ? [{ name: '', text: '', valid: false, in: 'query' }] : [];
    // Optional parameters are often left out, or almost no request would be valid.
    const leftOut = fc.constant(missing);
    return fc.oneof(
      { weight: 1, arbitrary: leftOut },
      { weight: required ? 20 : 1, arbitrary: generated.map(one => [one]) },
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
    .map(([parameters, repeated]) => requestOf(parameters, parameters[repeated]));
}

/** The request, in which one query parameter may be repeated. */
function requestOf(
  parameters: readonly GeneratedParameter[],
  repeated: GeneratedParameter | undefined,
): GeneratedRequest {
  const again = repeated?.in === 'query' && repeated.name ? [repeated] : [];
  const pairs = [...parameters, ...again].filter(one => one.in === 'query' && one.name);
  const query = pairs.map(({ name, text }) => `${name}=${encodeURIComponent(text)}`).join('&');
  const headers = parameters
    .filter(one => one.in === 'header')
    .map(({ name, text }) => [name, asHeader(text)]);
  const valid = again.length === 0 && parameters.every(one => one.valid);
  return { sent: { query, headers: { 'vendor-version': undefined, ...Object.fromEntries(headers) } }, valid };
}

/** Characters that a header can't contain are encoded, which is another invalid value. */
const asHeader = (text: string) => encodeURIComponent(text);
