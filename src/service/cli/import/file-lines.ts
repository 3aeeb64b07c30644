import { linesOfFile } from '../../../shared/command/input/input-file.ts';
import { decodeUtf8, type Format } from '../../../shared/formats/text.ts';
import type { LineOrganization } from '../../formats/line-organization.ts';
import type { CsvOptions } from '../../formats/read-csv.ts';
import { readJsonLines } from '../../formats/read-json-lines.ts';
import type { ImportLine } from '../../roster/imports.ts';

export function fileLines(
  file: string,
  organization: LineOrganization,
  format: Format,
  options: CsvOptions,
  progress: (bytes: number, records: number) => void,
): AsyncGenerator<readonly ImportLine[]> {
  const read = (plain: AsyncIterable<Buffer>) =>
    format === 'csv' ? csvLines(plain, organization, options) : readJsonLines(plain, organization, options);
  return linesOfFile(file, read, progress);
}

/** Loaded when it is used: the other commands shouldn't pay for the parser's memory. */
async function* csvLines(
  bytes: AsyncIterable<Buffer>,
  organization: LineOrganization,
  options: CsvOptions,
): AsyncGenerator<readonly ImportLine[]> {
  const { readCsv } = await import('../../formats/read-csv.ts');
  yield* readCsv(decodeUtf8(bytes), organization, options);
}
