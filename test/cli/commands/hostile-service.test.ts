import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { AdminKeySecret } from '../../../src/roster/admin-key-secret.ts';
import type { Vendor } from '../../../src/roster/vendor.ts';
import { startAnsweringService } from '../../support/answering-service.ts';
import { assertNoTrace } from '../../support/canaries.ts';
import type { Finished } from '../../support/command-line.ts';
import { embeddedStore } from '../../support/embedded-store.ts';
import { exampleRecord } from '../../support/example-record.ts';
import { runManyCommands } from '../../support/run-many-commands.ts';
import { type Scope, suiteScope } from '../../support/scope.ts';
import { lineOnTerminal, noTerminal, shellCommand } from '../../support/terminal.ts';

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

type Start = () => Promise<string>;

/** Starts a service for each answer. */
function services(scope: Scope): (readonly [what: string, body: object, start: Start])[] {
  return Object.entries(answers).map(([what, { status = 200, headers = {}, body }]) => {
    const start = () =>
      startAnsweringService(scope, (_, response) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(JSON.stringify(body));
      });
    return [what, body, start];
  });
}

describe('what a service answers is printable on a terminal and has no admin key:', {
  concurrency: 2,
  skip: noTerminal,
}, () => {
  for (const [what, body, start] of services(suiteScope())) {
    test(what, async () => {
      const url = await start();
      const show = async (adminKey: string, lines: string[][]) => {
        const line = [...lines.map(shellCommand), 'true'].join('; ');
        const env = { KEYROSTER_BASE_URL: url, KEYROSTER_ADMIN_KEY: adminKey };
        const output = await lineOnTerminal(line, env, { columns: 400 });
        assertPrintable(output, adminKey);
        assertNoTrace([ADMIN_KEY, adminKey], output, adminKey);
      };
      await show(ADMIN_KEY, body === named ? [...tables, ...others] : tables);
      if (body === named) await show(OTHER_FORM, tables);
    });
  }
});

describe('what a service answers is printable on standard error and has no admin key:', () => {
  const scope = suiteScope();
  const commands = [['list'], ['report'], ['list', '--format', 'csv'], ['import', '--from']];
  const all = services(scope);
  let finished: readonly Finished[];

  before(async () => {
    const lines = all.map(async ([, , start]) => {
      const url = await start();
      const store = await embeddedStore(scope);
      const env = { ...store.env, KEYROSTER_BASE_URL: url };
      return commands.map(args => ({
        args: args[0] === 'import' ? [...args, url, '--organization', store.organization] : args,
        env,
      }));
    });
    const ran = await runManyCommands((await Promise.all(lines)).flat(), {
      env: { KEYROSTER_ADMIN_KEY: ADMIN_KEY },
    });
    finished = ran.finished;
  });

  for (const [number, [what]] of all.entries()) {
    test(what, () => {
      for (const [index, args] of commands.entries()) {
        const { stdout, stderr } = finished[number * commands.length + index] as Finished;
        const where = args.join(' ');
        assertPrintable(stderr, where);
        assertNoTrace([ADMIN_KEY], stderr, where);
        if (args.length > 1) continue;
        assertPrintable(stdout.replaceAll('\t', ''), where);
        assertNoTrace([ADMIN_KEY], stdout, where);
      }
    });
  }
});

test('only the file that makes text printable writes to the terminal, the bar, which draws numbers, and the prompt', () => {
  const folder = fileURLToPath(new URL('../../../src/cli/', import.meta.url));
  const writing = globSync('**/*.ts', { cwd: folder }).filter(file =>
    /process\.std(out|err)\.write|console\.\w+\(/.test(readFileSync(join(folder, file), 'utf8')),
  );
  assert.deepEqual(writing.sort(), [
    'bin.ts',
    'terminal/print.ts',
    'terminal/progress-bar.ts',
    'terminal/prompt.ts',
  ]);
});
