import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface MenuProps {
  /** What is seen of it while it is closed. */
  readonly label: ComponentChildren;
  readonly title?: string;
  readonly children: ComponentChildren;
}

/** What is seldom needed, behind one button. A button in it, Escape, a click elsewhere and Tab out of it close it. */
export function Menu({ label, title, children }: MenuProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const isWithin = (target: EventTarget | null) => details.current?.contains(target as Node | null) === true;
  const close = () => {
    if (!details.current?.open) return;
    if (isWithin(document.activeElement)) details.current.querySelector('summary')?.focus();
    details.current.open = false;
  };
  useEffect(() => {
    const closeElsewhere = ({ target }: Event) => isWithin(target) || close();
    for (const type of ['pointerdown', 'focusin']) addEventListener(type, closeElsewhere);
    return () => {
      for (const type of ['pointerdown', 'focusin']) removeEventListener(type, closeElsewhere);
    };
  }, []);
  return (
    <details ref={details} class="menu" onKeyDown={({ key }) => key === 'Escape' && close()}>
      <summary title={title}>{label}</summary>
      {/* biome-ignore lint/a11y: the buttons in it take keys and clicks */}
      <div class="menu-body" onClick={({ target }) => (target as Element).closest('button, a') && close()}>
        {children}
      </div>
    </details>
  );
}
