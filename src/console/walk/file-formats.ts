/** The formats of a downloaded roster. A file is `head`, the rendered pages, `tail`. */
import type { ApiKeyRecord } from '../../client/client.ts';
import { declaredColumns, declaredText } from '../../formats/declared-columns.ts';
import { spreadsheetText } from '../../formats/spreadsheet-text.ts';

export interface FileFormat {
  readonly type: string;
  readonly tail: string;
  /** Returns the function that renders page after page. The first one tells which declared fields there are. */
  renderer(first: readonly ApiKeyRecord[]): {
    readonly head: string;
    render(keys: readonly ApiKeyRecord[], first: boolean): string;
  };
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
  tail: '',
  renderer: ([first]) => {
    const declared = declaredColumns(first);
    return {
      head: `${[...COLUMNS, ...declared].join(',')}\r\n`,
      render: keys => keys.map(key => csvRow(key, declared)).join(''),
    };
  },
};

const json: FileFormat = {
  type: 'application/json',
  tail: '\n]\n',
  renderer: () => ({
    head: '[',
    render: (keys, first) => (first ? '\n' : ',\n') + keys.map(key => JSON.stringify(key)).join(',\n'),
  }),
};

export const fileFormats = { csv, json } as const;
export type FileFormatName = keyof typeof fileFormats;

function csvRow(key: ApiKeyRecord, declared: readonly string[]): string {
  const { created_by, workspace_id } = key;
  const values = {
    ...key,
    'created_by.id': created_by.id,
    'created_by.type': created_by.type,
    workspace_id: workspace_id ?? '',
  };
  const contract = COLUMNS.map(column => cell(values[column]));
  const more = declared.map(name => cell(declaredText(key, name)));
  return `${[...contract, ...more].join(',')}\r\n`;
}

/** The JSON file has the names unchanged. */
function cell(text: string): string {
  const plain = /^-?\d+$/.test(text) ? text : spreadsheetText(text); // a number is no formula
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
