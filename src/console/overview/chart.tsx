import type { ComponentChildren } from 'preact';
import { SoFar } from './so-far.tsx';

interface ChartProps {
  readonly title: string;
  readonly note?: string | null;
  readonly wide?: boolean;
  /** Whether all its numbers may grow. */
  readonly isSoFar?: boolean;
  readonly children: ComponentChildren;
}

export function Chart({ title, note, wide = false, isSoFar = false, children }: ChartProps) {
  return (
    <section class={wide ? 'card wide' : 'card'} aria-label={title}>
      <h2>
        {title}
        {isSoFar && <SoFar />}
      </h2>
      {children}
      {note && <p class="small muted">{note}</p>}
    </section>
  );
}
