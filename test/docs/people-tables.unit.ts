import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { HEADINGS } from '../../src/admin/directory/headings.ts';
import { FLAGS, STATE_WORDS } from '../../src/admin/directory/states.ts';

const page = readFileSync(new URL('../../docs/admin.md', import.meta.url), 'utf8');
const inCode = (texts: string) =>
  texts
    .split(/,\s+/)
    .map(text => `\`${text}\``)
    .join(', ');

test('the docs have each heading of a directory by what it tells', () => {
  for (const [meaning, headings] of Object.entries(HEADINGS))
    assert(
      page.includes(`| \`${meaning}\` | ${inCode(headings)} |\n`),
      `| \`${meaning}\` | ${inCode(headings)} |`,
    );
});

test('the docs have each word of a state', () => {
  for (const [state, words] of Object.entries(STATE_WORDS)) {
    const flags = Object.entries(FLAGS).flatMap(([heading, [yes, no]]) => [
      ...(yes === state ? [`yes under \`${heading}\``] : []),
      ...(no === state ? [`no under \`${heading}\``] : []),
    ]);
    const row = `| ${state} | ${[words.replaceAll(/\s+/g, ' '), ...flags].join(', ')} |\n`;
    assert(page.includes(row), row);
  }
});
