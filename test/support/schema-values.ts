/** Generates text values of a parameter from its schema: valid, almost valid and arbitrary ones. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { anyCharacter } from './arbitraries.ts';

export interface ParameterSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

export interface GeneratedText {
  readonly text: string;
  readonly valid: boolean;
}

const ajv = new Ajv2020({ strictSchema: false });

/** `seen` are values from the service's answers. The schema decides what is valid, never the generator. */
export function textBy(schema: ParameterSchema, seen: readonly string[]): fc.Arbitrary<GeneratedText> {
  const isValid = ajv.compile(schema);
  const asValue = (text: string) => (schema.type === 'integer' && isPlain(text) ? Number(text) : text);
  const likely = fc.oneof(validBy(schema), fc.constantFrom(...seen)).filter(text => isValid(asValue(text)));
  const text = fc.oneof(
    { weight: 12, arbitrary: likely },
    { weight: 2, arbitrary: almostValid(likely) },
    { weight: 1, arbitrary: fc.constantFrom(...boundaryValues(schema)) },
    { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 140 }) },
  );
  return text.map(each => ({ text: each, valid: isValid(asValue(each)) }));
}

/** A number in a URL must be plain decimal digits, which the document can't express. */
const isPlain = (text: string) => /^(0|-?[1-9]\d*)$/.test(text);

function validBy({
  enum: all,
  type,
  minimum = -1e6,
  maximum = 1e6,
  pattern,
}: ParameterSchema): fc.Arbitrary<string> {
  if (all) return fc.constantFrom(...all);
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum }).map(String);
  return fc.stringMatching(new RegExp(pattern ?? '^.*$'));
}

/** Almost valid values: up to two characters replaced by another or none, or the text doubled, in upper case, or with extra digits. */
function almostValid(valid: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const character = fc.oneof(
    fc.constantFrom('', ...' \t\r\n\0+-.,;%&=#/"\'\\é٣５'),
    fc.string({ minLength: 1, maxLength: 1 }),
  );
  const edited = fc
    .tuple(valid, fc.nat({ max: 128 }), fc.nat({ max: 2 }), character)
    .map(([text, place, length, put]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + put + text.slice(at + length);
    });
  const changed = valid.chain(text =>
    fc.constantFrom(text + text, text.toUpperCase(), `0${text}`, `${text}.0`),
  );
  return fc.oneof(edited, changed);
}

/** Values at the schema's bounds and just beyond them. */
function boundaryValues({
  minimum = 0,
  maximum = 0,
  enum: all = [],
  pattern = '',
}: ParameterSchema): string[] {
  const numbers = [minimum - 1, minimum, maximum, maximum + 1, -minimum, 2 ** 31, 2 ** 53, 1e21].map(String);
  const longest = Number(/\{\d+,(\d+)\}/.exec(pattern)?.[1] ?? 0);
  const lengths = [longest - 1, longest, longest + 1].map(length => 'a'.repeat(Math.max(0, length)));
  return ['', 'null', 'NaN', '[]', 'true', ...numbers, ...lengths, ...all.map(each => `${each},${each}`)];
}
