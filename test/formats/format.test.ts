import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessFormat } from '../../src/formats/format.ts';

test("the format is guessed from the file's name, with or without .gz", () => {
  for (const file of ['a.csv', 'A.CSV', 'a.csv.gz', '/b.jsonl/a.Csv.GZ'])
    assert.equal(guessFormat(file), 'csv');
  for (const file of ['-', 'a.jsonl', 'a.jsonl.gz', 'a', 'csv', 'a.csv.old', 'a.csv/b', '/dev/stdin'])
    assert.equal(guessFormat(file), 'jsonl');
});
