// biome-ignore-all lint/a11y/useSemanticElements: the elements have these roles, but CSS that changes `display` takes them away
// biome-ignore-all lint/a11y/noRedundantRoles: as above
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { headingOf } from './declared-value.tsx';
import { useScrolls } from './use-scrolls.ts';

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
  useScrolls(box);
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
