import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { decodeUtf8, decompress, guessFormat } from '../../../src/shared/formats/text.ts';
import { Refused } from '../../../src/shared/record/faults.ts';
import { anyCharacter } from '../../support/arbitraries.ts';
import { chunksOf, cutAt } from '../../support/chunks.ts';

const SIZES = [1, 2, 3, 17, Infinity];

async function bytesOf(source: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function textOf(source: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of source) text += chunk;
  return text;
}

describe('unpacking', () => {
  const text = 'Łódź 🗝\n'.repeat(50);
  const packed = gzipSync(text);

  test('gzip is unpacked and anything else is left unchanged, however the bytes are split', async () => {
    const plain = ['', 'a', '\x1f', 'ab', '\x1fab', text];
    for (const size of SIZES) {
      assert.equal(await bytesOf(decompress(chunksOf(packed, size))), text);
      for (const each of plain) assert.equal(await bytesOf(decompress(chunksOf(each, size))), each);
    }
  });

  test('all members of a gzip file are unpacked, however the bytes are split', async () => {
    const members = Buffer.concat([packed, gzipSync(''), gzipSync('end')]);
    for (const size of SIZES) assert.equal(await bytesOf(decompress(chunksOf(members, size))), `${text}end`);
    const borders = [packed.length, packed.length + gzipSync('').length];
    for (const cuts of [borders, [packed.length + 1], [packed.length - 1, packed.length + 1]])
      assert.equal(await bytesOf(decompress(cutAt(members, cuts))), `${text}end`);
  });

  test('gzip that is truncated, damaged or followed by other data is refused', async () => {
    const damaged = Buffer.from(packed);
    damaged.writeUInt32LE(1, packed.length - 8); // the checksum
    const broken = [
      packed.subarray(0, 2),
      packed.subarray(0, 9),
      packed.subarray(0, -1),
      packed.subarray(0, packed.length / 2),
      damaged,
      Buffer.concat([packed, packed.subarray(0, -1)]),
      Buffer.concat([packed, Buffer.from('garbage')]),
    ];
    for (const [number, bytes] of broken.entries())
      for (const size of SIZES)
        await assert.rejects(
          bytesOf(decompress(chunksOf(bytes, size))),
          error => error instanceof Refused && /^gzip: /.test(error.message),
          `case ${number} in chunks of ${size}`,
        );
  });

  test('an error of the source is thrown unchanged, also in the middle of gzip', async () => {
    for (const start of ['plain', packed.subarray(0, 20)]) {
      const source = async function* () {
        yield* chunksOf(start);
        throw new Error('source failed');
      };
      await assert.rejects(bytesOf(decompress(source())), /^Error: source failed$/);
    }
  });
});

describe('decoding', () => {
  test('UTF-8 is decoded alike however it is split, and a byte-order mark is kept', async () => {
    const texts = fc.string({ unit: anyCharacter, maxLength: 60 });
    const property = fc.asyncProperty(texts, fc.array(fc.nat(), { maxLength: 8 }), async (text, cuts) => {
      assert.equal(await textOf(decodeUtf8(cutAt(text, cuts))), text);
    });
    await fc.assert(property, { examples: [['\uFEFFa\uFFFD🗝', [1, 2, 3, 4, 5, 6, 7, 8]]] });
  });

  test('what is not UTF-8 is refused, however the bytes are split', async () => {
    const before = Buffer.from('Łódź\n🗝 \uFFFD is a character too\n東京 ');
    const latin1 = [0xe9, 0x20];
    const surrogate = [0xed, 0xa0, 0x80];
    for (const bytes of [latin1, [0xf0, 0x9f, 0x97], surrogate, [0xc0, 0xaf], [0x80]])
      for (const after of ['', ' x', '\nŁódź\n'])
        for (const size of SIZES) {
          const content = Buffer.concat([before, Buffer.from(bytes), Buffer.from(after)]);
          await assert.rejects(
            textOf(decodeUtf8(chunksOf(content, size))),
            error => error instanceof Refused && /^the file is not UTF-8: /.test(error.message),
            `${bytes} before ${JSON.stringify(after)}, in chunks of ${size}`,
          );
        }
  });
});

test("the format is guessed from the file's name, with or without .gz", () => {
  for (const file of ['a.csv', '/b.jsonl/a.Csv.GZ']) assert.equal(guessFormat(file), 'csv');
  for (const file of ['-', 'a.jsonl.gz', 'csv', 'a.csv.old', 'a.csv/b'])
    assert.equal(guessFormat(file), 'jsonl');
});
