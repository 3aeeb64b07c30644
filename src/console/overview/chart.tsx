import type { ComponentChildren } from 'preact';

interface ChartProps {
  readonly title: string;
  readonly note?: string | null;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}

export function Chart({ title, note, wide = false, children }: ChartProps) {
  return (
    <section class={wide ? 'card wide' : 'card'} aria-label={title}>
      <h2>{title}</h2>
      {children}
      {note && <p class="small muted">{note}</p>}
    </section>
  );
}
