import type { ComponentChildren } from 'preact';
import { goTo } from './address.ts';

interface LinkProps {
  readonly to: string;
  readonly id?: string;
  readonly class?: string | undefined;
  readonly title?: string;
  /** Where the text is in parts, which a screen reader would set apart. */
  readonly 'aria-label'?: string;
  readonly 'aria-current'?: 'page' | undefined;
  /** The main link of its row. */
  readonly 'data-row'?: boolean;
  readonly children: ComponentChildren;
}

/** A link that changes the view without a page load. Clicks with a modifier key, such as for a new tab, are left to the browser. */
export function Link({ to, children, ...attributes }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goTo(to);
  };
  return (
    <a {...attributes} href={to} onClick={follow}>
      {children}
    </a>
  );
}
