/** The formats of a downloaded roster. A file is `head`, the rendered pages, `tail`. */
import type { ApiKeyRecord } from '../client/client.ts';
import { spreadsheetText } from '../formats/spreadsheet-text.ts';

export interface FileFormat {
  readonly type: string;
  readonly head: string;
  readonly tail: string;
  render(keys: readonly ApiKeyRecord[], first: boolean): string;
}

const COLUMNS = [
  'id',
  'name',
  'created_at',
  'created_by.id',
  'created_by.type',
  'partial_key_hint',
  'status',
  'workspace_id',
] as const;

const csv: FileFormat = {
  type: 'text/csv',
  head: `${COLUMNS.join(',')}\r\n`,
  tail: '',
  render: keys => keys.map(csvRow).join(''),
};

const json: FileFormat = {
  type: 'application/json',
  head: '[',
  tail: '\n]\n',
  render: (keys, first) => (first ? '\n' : ',\n') + keys.map(key => JSON.stringify(key)).join(',\n'),
};

export const fileFormats = { csv, json } as const;
export type FileFormatName = keyof typeof fileFormats;

function csvRow(key: ApiKeyRecord): string {
  const { created_by, workspace_id } = key;
  const values = {
    ...key,
    'created_by.id': created_by.id,
    'created_by.type': created_by.type,
    workspace_id: workspace_id ?? '',
  };
  return `${COLUMNS.map(column => cell(values[column])).join(',')}\r\n`;
}

/** The JSON file has the names unchanged. */
function cell(text: string): string {
  const plain = spreadsheetText(text);
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
