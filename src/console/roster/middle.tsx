/** How much of an ID's end is always seen. */
const END_OF_ID = 4;

interface MiddleProps {
  readonly text: string;
  /** How many of the last characters are always seen. */
  readonly end?: number;
  /** Without it, the text. */
  readonly title?: string;
}

/** A text that is cut in its middle where it has no room. Screen readers, the title and a selection have the whole text. */
export function Middle({ text, end = END_OF_ID, title = text }: MiddleProps) {
  const at = Math.max(0, text.length - end);
  return (
    <span class="middle mono" title={title} style={end === END_OF_ID ? undefined : { '--end': `${end}ch` }}>
      <span>{text.slice(0, at)}</span>
      <span>{text.slice(at)}</span>
    </span>
  );
}

const DOTS = '...';
/** How much of a hint before its dots is always seen: of a key's random part. */
const SHOWN_BEFORE_DOTS = 3;

/** A partial key hint: what is around its dots is always seen, since it tells keys apart. What is before that often doesn't. */
export function Hint({ hint }: { readonly hint: string }) {
  return <Middle text={hint} end={hint.length - (hint.lastIndexOf(DOTS) - SHOWN_BEFORE_DOTS)} />;
}
