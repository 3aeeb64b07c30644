import type { ComponentChildren } from 'preact';

/** Shows the name as text. `bdi` keeps right-to-left text in it from reordering what is beside it. Where it has no room, CSS cuts it. */
export function KeyName({ name }: { readonly name: string }) {
  if (name.trim() === '') return <em class="muted">no name</em>;
  return <VisibleName name={name} class="name" />;
}

/** The name with each hidden character as a number in a box, such as U+202E, so that no two different names look the same. */
export function VisibleName({ name, ...attributes }: { readonly name: string; readonly class?: string }) {
  return <bdi {...attributes}>{visible(name)}</bdi>;
}

/** The same of a part of a name. */
export function visible(text: string): ComponentChildren {
  const hidden = SEEN.test(text) ? HIDDEN : HIDDEN_ALONE;
  return text
    .split(hidden)
    .map((part, index) => (index % 2 === 0 ? part : <span class="hidden-character">{numberOf(part)}</span>));
}

const UNSEEN = String.raw`\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb`;
/** Hidden too, but parts of words and of emoji: joiners and variation selectors. */
const JOINING = String.raw`\u200c\u200d\ufe00-\ufe0f`;
const HIDDEN = new RegExp(String.raw`((?![\t\n\r${JOINING}])[${UNSEEN}])`, 'u');
/** Where nothing else can be seen. U+2800 is the Braille pattern without dots. */
const HIDDEN_ALONE = new RegExp(String.raw`([${UNSEEN}\u2800])`, 'u');
const SEEN = new RegExp(String.raw`[^\s\u2800${UNSEEN}]`, 'u');

function numberOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
