/** The formats of a downloaded roster. A file is `head`, the rendered keys, `tail`. */
import type { Policy } from '../../admin/report/policies.ts';
import { revokeColumns, revokeHeader, revokeRow } from '../../admin/report/worklist.ts';
import type { ApiKeyRecord } from '../../client/client.ts';
import { CSV_COLUMNS, csvHeader, declaredColumns, renderCsvRow } from '../../shared/formats/render-csv.ts';

export interface FileFormat {
  readonly type: string;
  readonly tail: string;
  /** Returns the function that renders keys after keys. The first key tells which declared fields there are. */
  renderer(
    first: ApiKeyRecord | undefined,
    brokenBy: (key: ApiKeyRecord) => readonly Policy[],
  ): {
    readonly head: string;
    render(keys: readonly ApiKeyRecord[], isFirst: boolean): string;
  };
}

/** Without it a spreadsheet reads UTF-8 as something else. */
const BYTE_ORDER_MARK = '\uFEFF';

const csv: FileFormat = {
  type: 'text/csv',
  tail: '',
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
  renderer: (first, brokenBy) => {
    const columns = revokeColumns(first);
    const rowOf = (key: ApiKeyRecord) => revokeRow({ key, policies: brokenBy(key) }, false, columns);
    return { head: BYTE_ORDER_MARK + revokeHeader(columns), render: keys => keys.map(rowOf).join('') };
  },
};

/** The names in it are unchanged. */
const json: FileFormat = {
  type: 'application/json',
  tail: '\n]\n',
  renderer: () => ({
    head: '[',
    render: (keys, isFirst) => (isFirst ? '\n' : ',\n') + keys.map(key => JSON.stringify(key)).join(',\n'),
  }),
};

export const fileFormats = { csv, json, revoke } as const;
export type FileFormatName = keyof typeof fileFormats;
