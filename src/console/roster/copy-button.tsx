import { useState } from 'preact/hooks';
import { announce } from '../shell/announce.ts';

const SHOWN_MS = 2_000;

interface CopyButtonProps {
  /** What is copied, such as "ID". */
  readonly what: string;
  readonly text: string;
}

/** Only over HTTPS and on localhost: elsewhere browsers have no `navigator.clipboard`. */
export function CopyButton({ what, text }: CopyButtonProps) {
  const [end, setEnd] = useState<string | null>(null);
  const tell = (now: string) => {
    setEnd(now);
    announce(now);
    setTimeout(() => setEnd(null), SHOWN_MS);
  };
  if (!navigator.clipboard) return null;
  return (
    <button
      type="button"
      class="quiet small muted"
      aria-label={`Copy ${what}`}
      onClick={() =>
        navigator.clipboard.writeText(text).then(
          () => tell('Copied'),
          () => tell('Not copied'),
        )
      }
    >
      {end ?? 'Copy'}
    </button>
  );
}
