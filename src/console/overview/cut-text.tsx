/** Longer IDs are cut in the middle where there is no room: they differ at their ends. */
const END = 6;

export function CutId({ id }: { readonly id: string }) {
  if (id.length < 3 * END) return <span class="mono">{id}</span>;
  return (
    <span class="middle mono" title={id}>
      <span>{id.slice(0, -END)}</span>
      <span>{id.slice(-END)}</span>
    </span>
  );
}

/** `bdi` keeps right-to-left text in a name from reordering what is beside it. */
export function CutName({ name }: { readonly name: string }) {
  if (name.trim() === '') return <em class="muted">no name</em>;
  return (
    <bdi class="truncate" title={name}>
      {name}
    </bdi>
  );
}
