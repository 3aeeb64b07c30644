// biome-ignore-all lint/a11y/useSemanticElements: the elements have these roles, but CSS that changes `display` takes them away
// biome-ignore-all lint/a11y/noRedundantRoles: as above
import { Component } from 'preact';
import type { ApiKeyRecord } from '../../client/client.ts';
import type { RosterQuery } from '../walk/query.ts';
import type { KeyColumn } from './key-columns.tsx';

export interface KeyRow {
  readonly apiKey: ApiKeyRecord;
  /** Of the list. */
  readonly query: RosterQuery;
  /** Whether its drawer is open. */
  readonly isOpen: boolean;
}

interface RowProps extends KeyRow {
  readonly columns: readonly KeyColumn[];
}

/** One line: what has no room is cut, and whole in the drawer. Of a page's 1,000 rows only those render again that have changed. */
export class ApiKeyRow extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    return (Object.keys(next) as (keyof RowProps)[]).some(name => next[name] !== this.props[name]);
  }

  override render({ apiKey, query, columns, isOpen }: RowProps) {
    return (
      <tr role="row" aria-current={isOpen || undefined}>
        {columns.map(({ field, heading, cell }, index) => (
          <td key={field} role="cell" class={`of-${field}`} data-label={index === 0 ? undefined : heading}>
            {cell(apiKey, query)}
          </td>
        ))}
      </tr>
    );
  }
}
