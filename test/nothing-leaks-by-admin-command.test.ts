/** A secret that is given to an option, an argument or a variable of an admin's command is in no output of it. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { type CompletedCommand, completedCommands } from '../src/cli/completion/completed-command.ts';
import { buildProgram } from '../src/cli/main.ts';
import { AdminKeySecret } from '../src/roster/admin-key-secret.ts';
import { startAnsweringService } from './support/answering-service.ts';
import { apiKeyCanary, assertNoTrace } from './support/canaries.ts';
import { VENDOR } from './support/roster.ts';
import { type CommandLine, runManyCommands } from './support/run-many-commands.ts';
import { suiteScope, temporaryFolder } from './support/scope.ts';

const ADMINS = ['login', 'logout', 'profiles', 'list', 'get', 'find', 'report', 'diff'];
/** Each command with what it needs to get as far as a request. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = { get: ['k1'], find: ['name'], diff: [] };
const VARIABLES = [
  'KEYROSTER_ADMIN_KEY',
  'KEYROSTER_ADMIN_KEY_FILE',
  'KEYROSTER_BASE_URL',
  'KEYROSTER_PROFILE',
  'KEYROSTER_VENDOR',
  'KEYROSTER_PAGER',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
];

describe("a secret given to an admin's command", () => {
  const scope = suiteScope();
  const { key } = apiKeyCanary();
  const adminKey = AdminKeySecret.issue(VENDOR).reveal();
  const secrets = [key, adminKey, `http://user:${key}@127.0.0.1:1`, `/tmp/${key}`];
  let commands: readonly CompletedCommand[];
  let folder: string;
  let env: Record<string, string>;
  before(async () => {
    const url = await startAnsweringService(scope, (_, response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end('{"error":{"type":"authentication_error","message":"x-api-key: not a valid admin key"}}');
    });
    folder = temporaryFolder(scope);
    commands = completedCommands(await buildProgram()).filter(({ call }) => ADMINS.includes(call));
    env = { KEYROSTER_BASE_URL: url, KEYROSTER_ADMIN_KEY: 'an-ordinary-key', XDG_CONFIG_HOME: folder };
  });

  const assertNotRepeated = async (lines: readonly CommandLine[]) => {
    const { finished, log } = await runManyCommands(
      lines.map(({ args, env: more }) => ({ args, env: { ...env, ...more } })),
      {},
    );
    for (const [number, { stdout, stderr, exitCode }] of finished.entries()) {
      const line = lines[number] as CommandLine;
      const shownLine = [...line.args, ...Object.keys(line.env ?? {})].join(' ').slice(0, 60);
      assertNoTrace([key, adminKey], stdout + stderr, shownLine);
      assert.ok(exitCode !== null, shownLine);
    }
    assertNoTrace([key, adminKey], log, 'the log');
  };

  test('as the value of any option is in no output', async () => {
    assert.equal(commands.length, ADMINS.length);
    const lines = commands.flatMap(({ call, options }) =>
      options
        .filter(({ value }) => value !== 'none')
        .flatMap(({ names }) =>
          secrets.map(secret => ({ args: [call, ...(ARGUMENTS[call] ?? []), names[0] ?? '', secret] })),
        ),
    );
    assert.ok(lines.length > 150);
    await assertNotRepeated(lines);
  });

  test('as any argument is in no output', () =>
    assertNotRepeated(
      commands.flatMap(({ call }) =>
        secrets.flatMap(secret => [{ args: [call, secret] }, { args: [call, secret, secret] }]),
      ),
    ));

  test('as any variable is in no output', () =>
    assertNotRepeated(
      commands.flatMap(({ call }) =>
        VARIABLES.flatMap(variable =>
          secrets.map(secret => ({
            args: [call, ...(ARGUMENTS[call] ?? [])],
            env: {
              [variable]: secret,
              ...(variable === 'KEYROSTER_ADMIN_KEY_FILE' && { KEYROSTER_ADMIN_KEY: '' }),
            },
          })),
        ),
      ),
    ));

  test('in a file of an admin key, of policies or of a roster that is none is in no output', async () => {
    const file = join(folder, 'secret.txt');
    const contents = [
      key,
      `${key}\n${adminKey}`,
      `{"key":"${key}"}`,
      `{"policies":"${key}"}`,
      `id,${key}\n1,2`,
    ];
    for (const content of contents) {
      writeFileSync(file, content, { mode: 0o600 });
      await assertNotRepeated([
        { args: ['list', '--admin-key-file', file], env: { KEYROSTER_ADMIN_KEY: '' } },
        { args: ['login', '--admin-key-file', file] },
        { args: ['report', '--policies', file] },
        { args: ['report', '--file', file] },
        { args: ['find', 'name', '--file', file] },
        { args: ['diff', file, file] },
      ]);
    }
  });
});
