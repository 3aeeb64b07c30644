// biome-ignore-all lint/a11y/useSemanticElements: the elements have these roles, but CSS that changes `display` takes them away
// biome-ignore-all lint/a11y/noRedundantRoles: as above
import { useMemo, useRef } from 'preact/hooks';
import { declaredColumns } from '../../formats/declared-columns.ts';
import type { LoadedPage } from '../walk/load-page.ts';
import { ApiKeyRow } from './api-key-row.tsx';
import { ExactTimes } from './created.tsx';
import { headingOf } from './declared-value.tsx';
import { useScrolls } from './use-scrolls.ts';

/** Those of every row; declared fields follow. */
export const KEY_COLUMNS = ['Name', 'ID', 'Hint', 'Status', 'Workspace', 'Creator', 'Created'] as const;

interface ApiKeyTableProps extends LoadedPage {
  /** Whether times are shown with their microseconds. */
  readonly exact: boolean;
  /** The key whose drawer is open. */
  readonly openKey: string | null;
}

/** On a narrow screen each row is a card. The CSS for that changes `display`, which takes the roles away: so they are explicit. */
export function ApiKeyTable({ keys, query, exact, openKey }: ApiKeyTableProps) {
  const declared = useMemo(() => declaredColumns(keys[0]), [keys[0]]);
  const box = useRef<HTMLDivElement>(null);
  useScrolls(box);
  return (
    <div ref={box} class="table-box">
      <table role="table" class="table api-keys">
        <caption class="visually-hidden">API keys, newest first</caption>
        <thead role="rowgroup">
          <tr role="row">
            {KEY_COLUMNS.map(heading => (
              <th key={heading} role="columnheader" class={`of-${heading.toLowerCase()}`}>
                {heading}
              </th>
            ))}
            {declared.map(name => (
              <th key={name} role="columnheader">
                {headingOf(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
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
        </tbody>
      </table>
    </div>
  );
}
