import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { Command } from 'commander';
import { program as adminsProgram } from '../../src/admin/cli/main.ts';
import { program as operatorsProgram } from '../../src/operator/main.ts';
import { buildCommand } from '../../src/shared/command/program.ts';
import { startAnsweringService } from '../support/answering-service.ts';
import { apiKeyCanary, assertNoTrace, mistyped } from '../support/canaries.ts';
import { OF_ADMIN, type ProgramName } from '../support/command-line.ts';
import type { CommandLine } from '../support/command-processes.ts';
import { embeddedStore } from '../support/embedded-store.ts';
import { runManyCommands } from '../support/run-many-commands.ts';
import { suiteScope, temporaryFolder } from '../support/scope.ts';

const PROXIES = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];

describe('a secret is never repeated,', () => {
  const scope = suiteScope();
  const apiKey = apiKeyCanary().key;
  let secret: string;
  let organization: string;
  let operators: Command;
  let admins: Command;
  let options: { env: Record<string, string>; cwd: string };
  before(async () => {
    const store = await embeddedStore(scope);
    ({ secret, organization } = store);
    operators = await buildCommand(operatorsProgram);
    admins = await buildCommand(adminsProgram);
    const url = await startAnsweringService(scope, (request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      // The command takes an admin key out of it; an API key may be in a parameter, and isn't repeated by a service of ours.
      const message = request.url?.includes(apiKey) ? 'a wrong parameter' : request.url;
      response.end(JSON.stringify({ error: { type: 'invalid_request_error', message } }));
    });
    const env = { KEYROSTER_BASE_URL: url, KEYROSTER_ADMIN_KEY: 'another', KEYROSTER_PORT: '0' };
    options = { env: { ...store.env, ...env }, cwd: temporaryFolder(scope) }; // a file may be made with the name that is given
  });

  /** Returns how many messages would have repeated one. */
  const assertNotRepeated = async (secrets: readonly string[], lines: readonly CommandLine[]) => {
    const { finished, log } = await runManyCommands(lines, options);
    const outputs = finished.map(({ stdout, stderr }) => stdout + stderr);
    for (const [number, output] of outputs.entries())
      assertNoTrace(secrets, output, JSON.stringify(lines[number]));
    assertNoTrace(secrets, log, 'the log');
    return outputs.filter(output => output.includes('[admin key]')).length;
  };

  test('where it is an admin key, in whatever argument, option or variable of whatever command', async () => {
    const forms = [secret, `sqlite:data/${mistyped(secret)}.db`];
    const lines = forms.flatMap(each =>
      [operators, admins].flatMap(program => linesWith(program, leaves(program), each, organization)),
    );
    assert(lines.length > 300, `${lines.length} command lines`);
    assert((await assertNotRepeated([secret, mistyped(secret)], lines)) > 10);
  });

  // An API key may be given to them by mistake.
  test("where it is an API key, of whatever of an admin's commands", async () => {
    const own = leaves(admins).filter(({ words: [word = ''] }) => OF_ADMIN.includes(word));
    assert.equal(own.length, OF_ADMIN.length);
    const forms = [apiKey, `http://user:${apiKey}@127.0.0.1:1`];
    const byProxy = PROXIES.flatMap(name => forms.map(form => ({ args: ['list'], env: { [name]: form } })));
    const lines = forms.flatMap(each => linesWith(admins, own, each, organization));
    await assertNotRepeated([apiKey], [...lines, ...byProxy]);
  });

  test('where it is in a file that is meant to have an admin key, policies or a roster, and is none', async () => {
    const file = join(options.cwd, 'secret.txt');
    const contents = [`${apiKey}\n${secret}`, `{"policies":"${apiKey}"}`, `id,${secret}\n1,2`];
    for (const content of contents) {
      writeFileSync(file, content, { mode: 0o600 });
      await assertNotRepeated(
        [apiKey, secret],
        [
          { args: ['list', '--admin-key-file', file], env: { KEYROSTER_ADMIN_KEY: '' } },
          { args: ['login', '--admin-key-file', file] },
          { args: ['report', '--policies', file] },
          { args: ['report', '--file', file] },
          { args: ['find', 'name', '--file', file] },
          { args: ['diff', file, file] },
        ],
      );
    }
  });
});

/** Command lines with the secret in every place that the program itself names, so that a new option is tested too. */
function linesWith(
  program: Command,
  called: readonly Leaf[],
  secret: string,
  organization: string,
): CommandLine[] {
  const alone = [
    [secret],
    [`--${secret}`],
    ['help', secret],
    ...groups(program).map(words => [...words, secret]),
  ];
  const lines = [
    ...alone.map(args => ({ args })),
    ...called.flatMap(leaf => linesOf(leaf, secret, organization)),
  ];
  return lines.map(line => ({ ...line, program: program.name() as ProgramName }));
}

interface Leaf {
  /** The words that call it. */
  readonly words: readonly string[];
  readonly command: Command;
}

const leaves = (command: Command, words: readonly string[] = []): Leaf[] =>
  command.commands.length === 0
    ? [{ words, command }]
    : command.commands.flatMap(each => leaves(each, [...words, each.name()]));

const groups = (program: Command) =>
  program.commands.filter(({ commands }) => commands.length > 0).map(group => [group.name()]);

function linesOf({ words, command }: Leaf, secret: string, organization: string): CommandLine[] {
  const { options, registeredArguments } = command;
  const filled = registeredArguments.flatMap(({ required }) => (required ? ['active'] : []));
  const mandatory = options.flatMap(({ mandatory, long }) => (mandatory ? [`${long}=${organization}`] : []));
  const whole = [...words, ...mandatory, ...filled];
  const tooMany = [...words, ...mandatory, ...registeredArguments.map(() => 'active'), secret, secret];
  const inArguments = registeredArguments.map((_, place) => [
    ...[...words, ...mandatory, ...registeredArguments.slice(0, place).map(() => 'active'), secret],
    ...filled.slice(place + 1),
  ]);
  const inOptions = options.map(({ long }) => [...whole, `${long}=${secret}`]);
  const unknown = [`--${secret}`, `-${secret}`, `--unknown=${secret}`].map(word => [...whole, word]);
  // A flag is on whatever its variable says, and the command would do its work.
  const inVariables = options.flatMap(({ envVar, required }) =>
    envVar === undefined ? [] : [{ args: required ? whole : tooMany, env: { [envVar]: secret } }],
  );
  return [...[tooMany, ...inArguments, ...inOptions, ...unknown].map(args => ({ args })), ...inVariables];
}
