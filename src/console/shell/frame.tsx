import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { scopeWords } from '../../shared/record/list-query.ts';
import { type View, views } from './address.ts';
import { announce } from './announce.ts';
import { focusContent, keepFocus } from './keep-focus.ts';
import { Link } from './link.tsx';
import { Menu } from './menu.tsx';
import type { Session } from './session.ts';

interface FrameProps {
  readonly view: View;
  readonly session: Session;
  readonly onSignOut: () => void;
  /** The view. */
  readonly children: ComponentChildren;
}

/** What is around each view, from sign-in to sign-out. */
export function Frame({ view, session, onSignOut, children }: FrameProps) {
  const { organizationId, scope } = session;
  const { title } = views[view];
  useEffect(keepFocus, []);
  useEffect(() => {
    document.title = `${title} · Keyroster`;
  }, [title]);
  useLayoutEffect(() => {
    focusContent(); // the field of the admin key is gone
    announce(`Signed in. ${title}`);
  }, []);

  return (
    <>
      <header class="header">
        <button type="button" class="skip" onClick={focusContent}>
          Skip to content
        </button>
        <strong class="brand">Keyroster</strong>
        <nav aria-label="Views">
          {Object.values(views).map(each => (
            <Link key={each.path} to={each.path} aria-current={each === views[view] ? 'page' : undefined}>
              {each.title}
            </Link>
          ))}
        </nav>
        <Menu
          label={<span class="truncate">{organizationId ?? 'Menu'}</span>}
          title={`The organization of your admin key: ${organizationId}`}
        >
          <button type="button" class="quiet" onClick={onSignOut}>
            Sign out
          </button>
        </Menu>
      </header>
      <main id="content" tabIndex={-1}>
        {scope && <p class="notice">Your admin key sees only {scopeWords(scope)}.</p>}
        {children}
      </main>
    </>
  );
}
