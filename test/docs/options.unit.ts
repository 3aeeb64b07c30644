import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Command } from 'commander';
import { program as adminProgram } from '../../src/admin/cli/main.ts';
import { serveCommand } from '../../src/operator/commands/serve.ts';
import { program as serviceProgram } from '../../src/operator/main.ts';
import { flagOf, type Setting, variableOf } from '../../src/service/serving-settings.ts';
import { SETTINGS } from '../../src/service/settings.ts';
import { buildCommand } from '../../src/shared/command/program.ts';
import { LIMIT } from '../../src/shared/record/list-query.ts';

/** The flags of a command and of its subcommands, and where they are told so, the values that they may have. */
function namesOf(command: Command, withValues: boolean): readonly string[] {
  const own = command.options.flatMap(({ long, argChoices = [] }) => [
    String(long),
    ...(withValues ? argChoices : []),
  ]);
  return [...own, ...command.commands.flatMap(each => namesOf(each, withValues))];
}

function assertInPages(names: readonly string[], ...pages: readonly string[]): void {
  const text = pages.map(page => readFileSync(page, 'utf8')).join('\n');
  const isThere = (name: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(text);
  const missing = names.filter(name => name !== '--help' && name !== '--version' && !isThere(name));
  assert.deepEqual(missing, []);
}

test('docs/admin.md has each option of keyroster-admin, with its values', async () => {
  assertInPages(namesOf(await buildCommand(adminProgram), true), 'docs/admin.md');
});

test('docs/ has each option of keyroster', async () => {
  assertInPages(namesOf(await buildCommand(serviceProgram), false), ...globSync('docs/*.md'));
});

test('docs/admin.md and docs/api.md have the default and the ends of the size of a page', () => {
  const { min, max, default: byDefault } = LIMIT;
  assert(readFileSync('docs/admin.md', 'utf8').includes(`${min} to ${max} (default: ${byDefault};`));
  assert(
    readFileSync('docs/api.md', 'utf8').includes(
      `from ${min} to ${max} in plain digits; ${byDefault} when absent`,
    ),
  );
});

test('docs/operations.md has each setting of serve, with its variable and its default, and so has serve --help', () => {
  const help = serveCommand().helpInformation().replaceAll(/\s+/g, ' ');
  const rows = readFileSync('docs/operations.md', 'utf8').split('\n');
  for (const setting of Object.values(SETTINGS) as Setting<unknown>[]) {
    const row = rows.find(line => line.startsWith(`| \`${flagOf(setting)}\``)) ?? '';
    const { byDefault, without } = setting;
    if (typeof byDefault !== 'boolean' && setting !== SETTINGS.tlsKey)
      assert(help.includes(`default: ${without ?? JSON.stringify(byDefault)}`), flagOf(setting));
    assert(help.includes(`env: ${variableOf(setting)})`), flagOf(setting));
    assert(row.includes(`\`${variableOf(setting)}\``), flagOf(setting));
    if (typeof byDefault !== 'boolean')
      assert(row.includes(`| \`${byDefault}\` |`) === (byDefault !== undefined), row);
  }
});
