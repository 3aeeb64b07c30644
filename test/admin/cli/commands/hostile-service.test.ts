import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { AdminKeySecret } from '../../../../src/service/roster/admin-key-secret.ts';
import type { Vendor } from '../../../../src/shared/record/vendor.ts';
import { startAnsweringService } from '../../../support/answering-service.ts';
import { assertNoTrace } from '../../../support/canaries.ts';
import { type EmbeddedStore, embeddedStore } from '../../../support/embedded-store.ts';
import { exampleRecord } from '../../../support/example-record.ts';
import { runCommand, runOnTerminal } from '../../../support/run-many-commands.ts';
import { suiteScope } from '../../../support/scope.ts';

const ADMIN_KEY = AdminKeySecret.issue('vendor' as Vendor).reveal();
/** The admin key of a service that gives its keys another form. */
const OTHER_FORM = 'secret/of+another~form==';
const HOSTILE = '\x1b]0;title\x07\x1b[2J\x9b31m\r\n\t\u202e\u2066\u2028';
/** In a header there are only single bytes without the first 32. */
const HOSTILE_HEADER = 'org_\x9b31m\x85';

interface Hostile {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: object;
}

const pageOf = (record: object, more = false) => {
  const { id } = record as { id: string };
  return { data: [record], first_id: id, last_id: id, has_more: more };
};
const named = pageOf({ ...exampleRecord, name: `${HOSTILE} ${ADMIN_KEY} ${OTHER_FORM}` });
const errorAnswer = (type: string) => ({
  status: 400,
  body: { error: { type, message: `${HOSTILE} ${ADMIN_KEY}` }, request_id: HOSTILE + OTHER_FORM },
});

const answers: Record<string, Hostile> = {
  'a message and a request ID': errorAnswer('invalid_request_error'),
  'an unknown type of error': errorAnswer(`${HOSTILE} ${ADMIN_KEY}`),
  'a request ID in a header': { ...errorAnswer('api_error'), headers: { 'request-id': HOSTILE_HEADER } },
  'a cursor': { body: pageOf({ ...exampleRecord, id: `k${HOSTILE}` }, true) },
  'the ID of a record that is refused': {
    body: pageOf({ ...exampleRecord, id: `k${HOSTILE}`, status: undefined }),
  },
  'an unknown status': { body: pageOf({ ...exampleRecord, status: HOSTILE }) },
  'the time of a record': { body: pageOf({ ...exampleRecord, created_at: HOSTILE }) },
  'the organization and a name': {
    body: named,
    headers: { 'vendor-organization-id': HOSTILE_HEADER },
  },
  'the name of a field': { body: pageOf({ ...exampleRecord, [HOSTILE]: 1, [ADMIN_KEY]: 1 }) },
  'the admin key as an ID': { body: pageOf({ ...exampleRecord, id: ADMIN_KEY }) },
  'the admin key as the ID to continue from': { body: pageOf({ ...exampleRecord, id: ADMIN_KEY }, true) },
};

const tables = [['list'], ['report']];
const others = [
  ['list', '--all'],
  ...['json', 'jsonl', 'csv'].map(format => ['list', '--format', format]),
  ['report', '--format', 'json', '--no-default-workspace'],
  ['report', '--format', 'html', '--no-default-workspace'],
];

/** Asserts that there are no control characters but those with which the command line itself draws. */
function assertPrintable(output: string, where: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  const text = output.replace(/\x1b\[\d+m|\r\x1b\[K|\r?\n/g, '');
  assert.doesNotMatch(text, /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u, where);
}

describe('what a service answers is printable and has no admin key:', () => {
  const scope = suiteScope();
  const all = Object.entries(answers);
  let url: string;
  let store: EmbeddedStore;
  before(async () => {
    store = await embeddedStore(scope);
    url = await startAnsweringService(scope, (request, response) => {
      // The service of each answer has a path of its own.
      const [, answer] = all[Number(request.url?.split('/')[1])] ?? assert.fail();
      const { status = 200, headers = {}, body } = answer;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    });
  });

  for (const [number, [what, { body }]] of all.entries())
    test(what, async () => {
      const isNamed = body === named;
      for (const adminKey of isNamed ? [ADMIN_KEY, OTHER_FORM] : [ADMIN_KEY]) {
        const KEYROSTER_BASE_URL = `${url}/${number}`;
        const env = { ...store.env, KEYROSTER_BASE_URL, KEYROSTER_ADMIN_KEY: adminKey };
        for (const args of [...tables, ...(isNamed ? others : [])]) {
          const where = args.join(' ');
          const { stdout, stderr } = await runCommand(args, { env });
          assertPrintable(args.length > 1 ? stderr : stderr + stdout.replaceAll('\t', ''), where);
          const leaked = args.length === 1 ? [ADMIN_KEY, adminKey] : [adminKey];
          assertNoTrace(leaked, stdout + stderr, where);
          const shown = await runOnTerminal(args, { env, columns: 400 });
          assertPrintable(shown, `${where}, on a terminal`);
          assertNoTrace([ADMIN_KEY, adminKey], shown, `${where}, on a terminal`);
        }
      }
    });
});

test('only the file that makes text printable writes to the terminal, the bar, which draws numbers, and the prompt', () => {
  const folder = fileURLToPath(new URL('../../../../src/', import.meta.url));
  const writing = globSync('**/*.ts', { cwd: folder }).filter(file =>
    /process\.std(out|err)\.write|console\.\w+\(/.test(readFileSync(join(folder, file), 'utf8')),
  );
  assert.deepEqual(writing.sort(), [
    'admin/cli/bin.ts',
    'operator/bin.ts',
    'shared/command/terminal/print.ts',
    'shared/command/terminal/progress-bar.ts',
    'shared/command/terminal/prompt.ts',
  ]);
});
