import { useMemo } from 'preact/hooks';
import { declaredColumns } from '../../formats/render-csv.ts';
import type { LoadedPage } from '../walk/load-page.ts';
import { ApiKeyRow } from './api-key-row.tsx';
import { ExactTimes } from './created.tsx';
import { KeyTable } from './key-table.tsx';

interface ApiKeyTableProps extends LoadedPage {
  /** Whether times are shown with their microseconds. */
  readonly exact: boolean;
  /** The key whose drawer is open. */
  readonly openKey: string | null;
}

/** The keys of a page. */
export function ApiKeyTable({ keys, query, exact, openKey }: ApiKeyTableProps) {
  const declared = useMemo(() => declaredColumns(keys[0]), [keys[0]]);
  return (
    <KeyTable caption="API keys, newest first" declared={declared}>
      <ExactTimes value={exact}>
        {keys.map(key => (
          <ApiKeyRow
            key={key.id}
            apiKey={key}
            query={query}
            declared={declared}
            isOpen={key.id === openKey}
          />
        ))}
      </ExactTimes>
    </KeyTable>
  );
}
