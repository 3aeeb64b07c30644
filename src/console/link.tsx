import type { ComponentChildren } from 'preact';
import { goTo } from './address.ts';

interface LinkProps {
  readonly to: string;
  readonly class?: string;
  readonly title?: string;
  readonly 'aria-current'?: 'page' | undefined;
  readonly children: ComponentChildren;
}

/** A real link: a plain click stays in this page, and a new tab or window is there for the asking. */
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
