/** Checks an answer against the OpenAPI document: its body against the schema of its status, and its headers. */
import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Accepted, openApiDocument } from '../../src/service/api/openapi.ts';
import { LIST_API_KEYS_PATH } from '../../src/service/api/request.ts';
import type { Vendor } from '../../src/shared/record/vendor.ts';

interface CheckableAnswer {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; `undefined` for an answer to HEAD. */
  readonly body: unknown;
}

interface Declared {
  readonly headers?: Readonly<Record<string, { required?: boolean; schema: { type?: string } }>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

/** Paths for other programs than API callers, which the document doesn't describe. */
const UNDOCUMENTED = new Set(['/openapi.json', '/healthz', '/readyz']);

/** HTTP's own headers, which the document doesn't declare. */
const TRANSPORT = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'vary',
]);

/** Checks values against the document's schemas, which are named by JSON pointer. */
export function schemaChecker(document: object): (pointer: string, value: unknown) => void {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictSchema: false,
    // The document is no schema, and that of all schemas doesn't look at those within; to compile it takes 0.2 s.
    meta: false,
    validateSchema: false,
  });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  return function check(pointer, value) {
    const validate = ajv.getSchema(`document#${pointer}`);
    assert(validate, `the document has no schema at ${pointer}`);
    assert(validate(value), `${pointer}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`);
  };
}

export function answerChecker(vendor: Vendor, accepted?: Accepted): (answer: CheckableAnswer) => void {
  const document = JSON.parse(JSON.stringify(openApiDocument(vendor, accepted)));
  const checkSchema = schemaChecker(document);
  const responses: Record<string, Declared> = document.paths[LIST_API_KEYS_PATH].get.responses;

  return function check({ path, status, headers, body }) {
    if (UNDOCUMENTED.has(path) && status === 200) return;
    // The document doesn't declare the 404 of other paths, which must still have the form of the other errors.
    const documented = status === 404 ? 401 : status;
    const response = responses[documented];
    assert(response, `the document does not declare ${status}`);

    const pointer = `/paths/${LIST_API_KEYS_PATH.replaceAll('/', '~1')}/get/responses/${documented}`;
    if (body !== undefined) {
      const type = String(headers['content-type']).replace('/', '~1');
      checkSchema(`${pointer}/content/${type}/schema`, body);
    }
    for (const [name, { required, schema }] of Object.entries(response.headers ?? {})) {
      const value = headers[name];
      assert(value !== undefined || required !== true, `${status} lacks the header ${name}`);
      if (value === undefined) continue;
      checkSchema(`${pointer}/headers/${name}/schema`, schema.type === 'integer' ? Number(value) : value);
    }
    const undeclared = Object.keys(headers).filter(
      name => !TRANSPORT.has(name) && !(name in (response.headers ?? {})),
    );
    assert.deepEqual(undeclared, [], `headers of ${status} that the document does not declare`);
  };
}
