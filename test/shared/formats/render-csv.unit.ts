import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  CSV_COLUMNS,
  exactText,
  renderCsvRow,
  spreadsheetText,
} from '../../../src/shared/formats/render-csv.ts';
import type { ApiKeyRecord } from '../../../src/shared/record/api-key-record.ts';
import { exampleRecord } from '../../support/example-record.ts';

const awkward = fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n;,"\' a') });

test('no row has a cell that is a formula, whether cells are separated by a comma, a semicolon or a tab', () => {
  const property = fc.property(awkward, awkward, (name, workspace_id) => {
    const row = renderCsvRow({ ...exampleRecord, name, id: name, workspace_id } as ApiKeyRecord);
    for (const separator of [/[;\r\n]/, /[\t\r\n]/]) {
      for (const cell of row.slice(0, -1).split(separator)) assert.doesNotMatch(cell, /^["\s]*[=+\-@]/);
    }
    assert.doesNotMatch(spreadsheetText(name), /^["\s]*[=+\-@]/); // a cell between commas
  });
  fc.assert(property, { numRuns: 2_000 });
  assert.equal(CSV_COLUMNS[0], 'id');
});

test('what makes a text safe can be taken out again, even where the text has apostrophes', () => {
  fc.assert(
    fc.property(awkward, text => assert.equal(exactText(spreadsheetText(text)), text)),
    { numRuns: 5_000 },
  );
  for (const text of ["'Tis", "it's; 'quoted'", 'Billing - new', 'a=b', '']) {
    assert.equal(spreadsheetText(text), text);
    assert.equal(exactText(text), text);
  }
  assert.equal(spreadsheetText("'=1"), "''=1");
  assert.equal(spreadsheetText('x;=1'), "x;'=1");
});
