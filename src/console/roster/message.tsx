import type { ComponentChildren } from 'preact';
import { CopyButton } from './copy-button.tsx';

interface MessageProps {
  readonly title: string;
  readonly text: string;
  readonly children?: ComponentChildren;
}

/** A text to copy and send to someone. */
export function Message({ title, text, children }: MessageProps) {
  return (
    <section aria-label={title}>
      <div class="row">
        <h3>{title}</h3>
        <CopyButton what="message" text={text} />
      </div>
      {children}
      <pre class="message">{text}</pre>
    </section>
  );
}
