import { useState } from 'preact/hooks';

/** A longer name is cut, with a button that shows all of it. In characters. */
const MAX_UNCUT_NAME = 120;

/** Shows the name as text. `bdi` keeps right-to-left text in it from reordering what is beside it. */
export function KeyName({ name }: { readonly name: string }) {
  const [whole, setWhole] = useState(false);
  if (name.trim() === '') return <em class="muted">no name</em>;
  if (name.length <= MAX_UNCUT_NAME) return <bdi class="name">{name}</bdi>;
  return (
    <>
      <bdi class={whole ? 'name' : 'name cut'}>{name}</bdi>
      <button type="button" class="plain small" aria-expanded={whole} onClick={() => setWhole(!whole)}>
        {whole ? 'Show less' : 'Show the whole name'}
      </button>
    </>
  );
}
