// biome-ignore-all lint/a11y/useSemanticElements: the elements have these roles, but CSS that changes `display` takes them away
// biome-ignore-all lint/a11y/noRedundantRoles: as above
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { ApiKeyRow, type KeyRow } from './api-key-row.tsx';
import { columnsOf } from './key-columns.tsx';

interface KeyTableProps {
  readonly caption: string;
  readonly rows: readonly KeyRow[];
}

/** On a narrow screen each row is a card. The CSS for that changes `display`, which takes the roles away: so they are explicit. */
export function KeyTable({ caption, rows }: KeyTableProps) {
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
              <th key={field} role="columnheader" class={`of-${field}`}>
                {heading}
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
