/** The formats of a download. A file is `head`, the rendered keys, `tail`. */
import { Messages, NOBODY } from '../../admin/report/messages.ts';
import { revokeColumns, revokeHeader, revokeRow } from '../../admin/report/worklist.ts';
import type { ApiKeyRecord } from '../../client/client.ts';
import { CSV_COLUMNS, csvHeader, declaredColumns, renderCsvRow } from '../../shared/formats/render-csv.ts';
import type { FilteredBy } from './local-filter.ts';

export interface FileFormat {
  readonly type: string;
  readonly extension: string;
  /** Returns the function that renders keys after keys. The first key tells which declared fields there are. */
  renderer(
    first: ApiKeyRecord | undefined,
    by: Pick<FilteredBy, 'brokenBy' | 'directory'>,
  ): {
    readonly head: string;
    render(keys: readonly ApiKeyRecord[]): string;
    tail?(): string;
  };
}

/** Without it a spreadsheet reads UTF-8 as something else. */
const BYTE_ORDER_MARK = '\uFEFF';

const csv: FileFormat = {
  type: 'text/csv',
  extension: 'csv',
  renderer: first => {
    const columns = [...CSV_COLUMNS, ...declaredColumns(first)];
    return {
      head: BYTE_ORDER_MARK + csvHeader(columns),
      render: keys => keys.map(key => renderCsvRow(key, { columns })).join(''),
    };
  },
};

/** For the vendor, to revoke: also the level and the policies of each key. */
const revoke: FileFormat = {
  ...csv,
  renderer: (first, { brokenBy }) => {
    const columns = revokeColumns(first);
    const rowOf = (key: ApiKeyRecord) => revokeRow({ key, policies: brokenBy(key) }, false, columns);
    return { head: BYTE_ORDER_MARK + revokeHeader(columns), render: keys => keys.map(rowOf).join('') };
  },
};

/** The names in it are unchanged. */
const json: FileFormat = {
  type: 'application/json',
  extension: 'json',
  renderer: () => {
    let before = '\n';
    const lineOf = (key: ApiKeyRecord) => {
      const line = before + JSON.stringify(key);
      before = ',\n';
      return line;
    };
    return { head: '[', render: keys => keys.map(lineOf).join(''), tail: () => '\n]\n' };
  },
};

/** The texts of `report --messages`, one after another. */
const messages: FileFormat = {
  type: 'text/plain',
  extension: 'txt',
  renderer: (_, { brokenBy, directory }) => {
    const all = new Messages({ now: new Date(), directory });
    return {
      head: '',
      render: keys => {
        for (const key of keys) all.add({ key, policies: brokenBy(key) });
        return '';
      },
      tail: () => Array.from(all.all(), ({ to, text }) => `To: ${to || NOBODY}\n\n${text}\n`).join(SEPARATOR),
    };
  },
};
/** No line of a text begins so. */
const SEPARATOR = `\n${'-'.repeat(70)}\n\n`;

export const fileFormats = { csv, json, revoke, messages } as const;
export type FileFormatName = keyof typeof fileFormats;
