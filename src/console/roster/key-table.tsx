// biome-ignore-all lint/a11y/useSemanticElements: the elements have these roles, but CSS that changes `display` takes them away
// biome-ignore-all lint/a11y/noRedundantRoles: as above
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { ApiKeyRecord } from '../../client/client.ts';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { orderNames, orderText } from '../walk/orders.ts';
import { type RosterQuery, withFilter } from '../walk/query.ts';
import { columnsOf, type KeyColumn } from './key-columns.tsx';

interface KeyRow {
  readonly apiKey: ApiKeyRecord;
  /** Of the list. */
  readonly query: RosterQuery;
  /** Whether its drawer is open. */
  readonly isOpen: boolean;
}

interface KeyTableProps {
  readonly caption: string;
  readonly rows: readonly KeyRow[];
  /** The list that its headings sort. */
  readonly sorts?: RosterQuery;
}

/** On a narrow screen each row is a card. The CSS for that changes `display`, which takes the roles away: so they are explicit. */
export function KeyTable({ caption, rows, sorts }: KeyTableProps) {
  const first = rows[0]?.apiKey;
  const columns = useMemo(() => columnsOf(first), [first]);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => scrollWhereNeeded(box.current), []);
  return (
    <div ref={box} class="table-box">
      <table role="table" class="table api-keys">
        <caption class="visually-hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ field, heading }) => (
              <th
                key={field}
                role="columnheader"
                class={`of-${field}`}
                aria-sort={sorts?.oldest_by === field ? 'ascending' : undefined}
              >
                {sorts ? <Heading field={field} heading={heading} list={sorts} /> : heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map(row => (
            <ApiKeyRow key={row.apiKey.id} columns={columns} {...row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type HeadingProps = Pick<KeyColumn, 'field' | 'heading'> & { readonly list: RosterQuery };

/** That of a time sorts the list by it, the oldest first, and back. */
function Heading({ field, heading, list }: HeadingProps) {
  if (!orderNames.includes(field)) return <>{heading}</>;
  const to = withFilter(list, 'oldest_by', list.oldest_by === field ? '' : field);
  return (
    <Link class="sort" to={rosterAddress(to)} title={`Show them ${orderText(to)}`}>
      {heading}
    </Link>
  );
}

/**
 * Gives the box the class `scrolls` while its table is wider. A box that needn't scroll doesn't: the head of a table sticks to the nearest
 * box that scrolls, and to the window only where there is none. Returns what ends it.
 */
function scrollWhereNeeded(box: HTMLElement | null): (() => void) | undefined {
  const table = box?.firstElementChild;
  if (!(box && table instanceof HTMLElement)) return;
  const observer = new ResizeObserver(() =>
    box.classList.toggle('scrolls', table.offsetWidth > box.offsetWidth - 2 * box.clientLeft),
  );
  observer.observe(box);
  observer.observe(table);
  return () => observer.disconnect();
}

/** One line: what has no room is cut, and whole in the drawer. Of a page's 1,000 rows only those render again that have changed. */
function ApiKeyRow({ apiKey, query, columns, isOpen }: KeyRow & { readonly columns: readonly KeyColumn[] }) {
  const row = () => (
    <tr role="row" aria-current={isOpen || undefined}>
      {columns.map(({ field, cell }) => (
        <td key={field} role="cell" class={`of-${field}`}>
          {cell(apiKey, query)}
        </td>
      ))}
    </tr>
  );
  return useMemo(row, [apiKey, query, columns, isOpen]);
}
