/** These tests ask the real shells. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { BINS, type ProgramName, spawnOptions } from '../../support/command-line.ts';
import { runCommand } from '../../support/run-many-commands.ts';
import { suiteScope, temporaryFolder } from '../../support/scope.ts';

/** What is typed, and what a shell offers for its last word. */
const offered: readonly (readonly [typed: string, words: readonly string[]])[] = [
  ['keyroster ser', ['serve']],
  ['keyroster repo', []],
  ['keyroster-admin repo', ['report']],
  ['keyroster-admin list --stat', ['--status']],
  ['keyroster-admin list --status ', ['active', 'inactive', 'archived']],
  ['keyroster-admin list --all --status a', ['active', 'archived']],
  ['keyroster organizations dis', ['disable']],
  ['keyroster admin-keys create --na', ['--name']],
  ['keyroster completion z', ['zsh']],
  ['keyroster-admin completion z', ['zsh']],
  ['keyroster-admin list --workspace a', []],
  ['keyroster export --organization list --all-', ['--all-organizations']],
];

const PROGRAMS = Object.keys(BINS) as ProgramName[];
const programIn = (typed: string) => typed.replace(/ .*/, '');

/** The reason to skip what needs this shell; `false` where it is. */
const without = (shell: string) =>
  spawnSync(shell, ['-c', 'true']).status === 0 ? false : `needs the shell ${shell}`;

describe('completion', () => {
  const scope = suiteScope();
  let folder: string;
  const scriptOf = (shell: string, program: string) => join(folder, `${program}.${shell}`);
  /** A command of the shell that loads the completion of both. */
  const sourced = (shell: string) => PROGRAMS.map(program => `source ${scriptOf(shell, program)}`).join('; ');
  before(async () => {
    folder = temporaryFolder(scope);
    writeFileSync(join(folder, 'roster.jsonl'), '');
    for (const program of PROGRAMS) {
      const run = `#!/bin/sh\nexec '${process.execPath}' '${BINS[program]}' "$@"\n`;
      writeFileSync(join(folder, program), run, { mode: 0o755 });
      for (const shell of ['bash', 'zsh', 'fish']) {
        const { stdout, stderr, exitCode } = await runCommand(['completion', shell], { program });
        assert.deepEqual({ stderr, exitCode }, { stderr: '', exitCode: 0 });
        writeFileSync(scriptOf(shell, program), stdout);
      }
    }
  });
  const run = (shell: string, script: string, args: readonly string[] = []) => {
    const { stdout, stderr } = spawnSync(shell, ['-c', script, shell, ...args], {
      ...spawnOptions({ env: { PATH: `${folder}:${process.env.PATH}` } }),
      cwd: folder,
      encoding: 'utf8',
      timeout: 60_000,
    });
    assert.equal(stderr, '');
    return stdout.split('\n').filter(line => line !== '');
  };

  test('in bash offers commands, options and their values', { skip: without('bash') }, () => {
    const script = `${sourced('bash')}
      COMP_LINE=$1; COMP_POINT=\${#1}; _$2; printf '%s\\n' "\${COMPREPLY[@]}"`;
    for (const [typed, words] of offered)
      assert.deepEqual(run('bash', script, [typed, programIn(typed)]).toSorted(), words.toSorted(), typed);
    assert.deepEqual(run('bash', script, ['keyroster import ros', 'keyroster']), []); // readline offers files then
  });

  test('in fish offers the same, and files where one belongs', { skip: without('fish') }, () => {
    const script = `${sourced('fish')}; `;
    const completed = (typed: string) =>
      run('fish', `${script} complete -C '${typed}'`).map(line => line.split('\t')[0]);
    for (const [typed, words] of offered)
      assert.deepEqual(completed(typed).toSorted(), words.toSorted(), typed);
    assert.deepEqual(completed('keyroster import ros'), ['roster.jsonl']);
    assert.deepEqual(completed('keyroster-admin list --admin-key-file ros'), ['roster.jsonl']);
  });

  test('in zsh completes what is typed', { skip: without('zsh') }, () => {
    const lines = offered.filter(([, words]) => words.length === 1);
    const called = PROGRAMS.map(
      program =>
        `${program}() { if [[ $1 == completion && $# == 3 ]]; then command ${program} "$@"; else print -r -- "<${program} $*>"; fi }`,
    ).join('; ');
    const script = `zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell 'autoload -U compinit; compinit -D -u; ${sourced('zsh')}; ${called}; print rea\\dy'
      zpty -r shell out '*ready*'
      for line in "$@"; do zpty -w -n shell "$line"$'\\t\\n'; zpty -r shell out '*<*>*'; print -r -- "$out"; done`;
    const shown = run(
      'zsh',
      script,
      lines.map(([typed]) => typed),
    ).join('\n');
    for (const [typed, [word = '']] of lines) {
      const line = typed.replace(/[^ ]*$/, word);
      assert.ok(new RegExp(`<${line}=? ?>`).test(shown), `${typed}: ${shown}`);
    }
  });
});
