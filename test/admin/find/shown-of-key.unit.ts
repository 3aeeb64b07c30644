import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Mask, maskText, shownMasks } from '../../../src/admin/find/mask.ts';
import { questionOf } from '../../../src/admin/find/question.ts';
import { knownOf } from '../../../src/admin/find/roster-forms.ts';
import { rounds } from '../../support/rounds.ts';

/** In characters of the random part, at any place of it. */
const MAX_SHOWN = 8;

const ALPHABETS = {
  base62: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  base64: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  base64url: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  hex: '0123456789abcdef',
};
const body = fc
  .constantFrom(...Object.values(ALPHABETS))
  .chain(letters =>
    fc.string({ unit: fc.constantFrom(...letters), minLength: 14, maxLength: 120, size: 'max' }),
  );
const around: readonly ((key: string) => string)[] = [
  key => key,
  key => `"${key}"`,
  key => `export API_KEY='${key}'\n`,
  key => `https://example.com/v1?key=${key}&page=2`,
  key => `https://example.com/${key}/x`,
  key => `A=1\nKEY=${key}\nB=2`,
  key => `My key is ${key}, and it leaked.`,
];
const broken = fc.oneof(
  fc.constant((key: string) => key),
  fc.tuple(fc.integer({ min: 2, max: 120 }), fc.constantFrom('\n', '\r\n  ', ' ', '\t')).map(
    ([width, by]) =>
      (key: string) =>
        (key.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(by),
  ),
  fc.tuple(fc.nat(140), fc.nat(140)).map(([first, second]) => (key: string) => {
    const [a, b] = [Math.min(first, second), Math.max(first, second)];
    return `${key.slice(0, a)} ${key.slice(a, b)} ${key.slice(b)}`;
  }),
  fc.tuple(fc.nat(60), fc.constantFrom('****', '[REDACTED]', '...')).map(
    ([at, by]) =>
      (key: string) =>
        `It was ${key.slice(0, at)}${by}${key.slice(Math.max(at, key.length - 8))}`,
  ),
);
const roster = fc.array(
  fc.record({
    label: fc.constantFrom('sk-ven-api03-', 'acme_', ''),
    id: fc.string({
      unit: fc.constantFrom(...ALPHABETS.base62),
      minLength: 20,
      maxLength: 24,
    }),
    hint: fc.string({ unit: fc.constantFrom(...ALPHABETS.base62), minLength: 7, maxLength: 7 }),
  }),
  { maxLength: 5 },
);

/** In characters, without what is no secret: a label, or the begin of one. */
const shownOf = (masks: readonly Mask[], label: string) =>
  masks
    .map(
      ({ start, end }) =>
        (label.startsWith(start) ? 0 : start.length - (start.startsWith(label) ? label.length : 0)) +
        end.length,
    )
    .reduce((sum, each) => sum + each, 0);

describe('of a full key', () => {
  test('the shown masks have at most 8 characters of the random part, however it is written', () => {
    fc.assert(
      fc.property(
        body,
        fc.constantFrom('', 'sk-ven-api03-', 'sk_live_', 'acme_'),
        fc.constantFrom(...around),
        broken,
        roster,
        (secret, label, put, cut, records) => {
          const known = knownOf(
            records.map(({ label, id, hint }) => ({
              id: `apikey_${id}`,
              partial_key_hint: `${label}${hint.slice(0, 3)}...${hint.slice(3)}`,
              created_by: { id: 'user_1', type: 'user' },
              workspace_id: null,
            })),
          );
          const question = questionOf(put(cut(label + secret)), known);
          if (question?.kind !== 'key') return;
          const shown = shownOf(shownMasks(question.masks), label);
          assert.ok(shown <= MAX_SHOWN, `${shown} are shown of ${put(cut(label + secret))}`);
        },
      ),
      { numRuns: rounds(1_500) },
    );
  });

  test('one mask is shown, also of one that is broken into lines, be it of a part', () => {
    const broken = 'sk-ven-api03-gLxGzJk\nBfjIJvZUWKlma_08IgRV\nELXzDNwPUcIcwAxzB4_0';
    for (const [key, mask] of [
      ['t_TTSNUwOTWNmv_hFZpmn_Id', 't_T...n_Id'],
      [broken, 'sk-ven-api03-gLx...k'],
    ] as const) {
      const question = questionOf(key, knownOf([]));
      assert.ok(question?.kind === 'key');
      assert.deepEqual(shownMasks(question.masks).map(maskText), [mask]);
    }
  });
});
