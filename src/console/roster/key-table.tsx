// biome-ignore-all lint/a11y/useSemanticElements: the elements have these roles, but CSS that changes `display` takes them away
// biome-ignore-all lint/a11y/noRedundantRoles: as above
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { headingOf } from './declared-value.tsx';

const COLUMNS = ['Name', 'ID', 'Hint', 'Status', 'Workspace', 'Creator', 'Created'] as const;

interface KeyTableProps {
  readonly caption: string;
  /** The names of the declared fields, which have the last columns. */
  readonly declared: readonly string[];
  /** Each an `ApiKeyRow`. */
  readonly children: ComponentChildren;
}

/** On a narrow screen each row is a card. The CSS for that changes `display`, which takes the roles away: so they are explicit. */
export function KeyTable({ caption, declared, children }: KeyTableProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => scrollWhereNeeded(box.current), []);
  return (
    <div ref={box} class="table-box">
      <table role="table" class="table api-keys">
        <caption class="visually-hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {COLUMNS.map(heading => (
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
        <tbody role="rowgroup">{children}</tbody>
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
