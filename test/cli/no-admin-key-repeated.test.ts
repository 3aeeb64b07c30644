import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import { buildProgram } from '../../src/cli/main.ts';
import { startAnsweringService } from '../support/answering-service.ts';
import { assertNoTrace, mistyped } from '../support/canaries.ts';
import { embeddedStore } from '../support/embedded-store.ts';
import { type CommandLine, runManyCommands } from '../support/run-many-commands.ts';
import { temporaryFolder } from '../support/scope.ts';

test('an admin key is never repeated, in whatever argument, option or variable of whatever command it is', async t => {
  const { env, organization, secret } = await embeddedStore(t);
  const url = await startAnsweringService(t, (request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { type: 'invalid_request_error', message: request.url } }));
  });
  const cutOff = secret.slice(0, -3);
  const secrets = [secret, mistyped(secret), cutOff, `sqlite:data/${secret}.db`, `folder/${secret}.csv`];
  const program = await buildProgram();
  const lines = secrets.flatMap(each => linesWith(program, each, organization));
  assert(lines.length > 700, `${lines.length} command lines`);

  const { finished, log } = await runManyCommands(lines, {
    env: { ...env, KEYROSTER_BASE_URL: url, KEYROSTER_ADMIN_KEY: 'another', KEYROSTER_PORT: '0' },
    cwd: temporaryFolder(t), // a file may be made with the name that is given
  });
  const outputs = finished.map(({ stdout, stderr }) => stdout + stderr);
  for (const [number, output] of outputs.entries()) {
    const where = JSON.stringify(lines[number]);
    assertNoTrace([secret, mistyped(secret)], output, where);
  }
  assertNoTrace([secret, mistyped(secret)], log, 'the log');
  const redacted = outputs.filter(output => output.includes('[admin key]')).length;
  assert(redacted > 30, `${redacted} messages would have repeated it`);
});

/** Command lines with the secret in every place that the program itself names, so that a new option is tested too. */
function linesWith(program: Command, secret: string, organization: string): CommandLine[] {
  const alone = [
    [secret],
    [`--${secret}`],
    ['help', secret],
    ...groups(program).map(words => [...words, secret]),
  ];
  return [
    ...alone.map(args => ({ args })),
    ...leaves(program).flatMap(leaf => linesOf(leaf, secret, organization)),
  ];
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
