import type { HTMLAttributes } from 'preact';
import { goTo } from './address.ts';

type LinkAttributes = 'class' | 'title' | 'aria-label' | 'aria-current' | 'children';

interface LinkProps extends Pick<HTMLAttributes<HTMLAnchorElement>, LinkAttributes> {
  readonly to: string;
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
