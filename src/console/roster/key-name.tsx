import type { ComponentChildren, JSX } from 'preact';
import { numberText } from '../walk/keys-text.ts';

/** More than any screen has room for in a line. */
const MAX_LINE = 200;

/** The begin of the name, as text. `bdi` keeps right-to-left text in it from reordering what is beside it. Where it has no room, CSS cuts it. */
export function KeyName({ name }: { readonly name: string }) {
  return name === '' ? <em class="muted">no name</em> : <bdi class="name">{visible(name)}</bdi>;
}

/**
 * The whole name with each hidden character as a number in a box, such as U+202E, so that no two different names look the same. One that
 * is repeated is in one box, with how often.
 */
export function VisibleName({ name, ...attributes }: { readonly name: string; readonly class?: string }) {
  return <bdi {...attributes}>{[...partsOf(name)]}</bdi>;
}

/** The same of a part of a name, as much of it as a line may have. No half of a character that takes two code units. */
export function visible(text: string): ComponentChildren {
  const begin = text.length > MAX_LINE ? text.slice(0, MAX_LINE).replace(/[\ud800-\udbff]$/, '') : text;
  return [...partsOf(begin), begin.length < text.length && '…'];
}

function* partsOf(text: string): Generator<string | JSX.Element> {
  let at = 0;
  for (const { 0: run, 1: character = '', index } of text.matchAll(SEEN.test(text) ? HIDDEN : HIDDEN_ALONE)) {
    if (index > at) yield text.slice(at, index);
    yield <span class="hidden-character">{boxText(character, run.length / character.length)}</span>;
    at = index + run.length;
  }
  if (at < text.length) yield text.slice(at);
}

const UNSEEN = String.raw`\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb`;
/** Hidden too, but parts of words and of emoji: joiners and variation selectors. */
const JOINING = String.raw`\u200c\u200d\ufe00-\ufe0f`;
const HIDDEN = new RegExp(String.raw`((?![\t\n\r${JOINING}])[${UNSEEN}])\1*`, 'gu');
/** Where nothing else can be seen: spaces too. U+2800 is the Braille pattern without dots. */
const HIDDEN_ALONE = new RegExp(String.raw`([\s\u2800${UNSEEN}])\1*`, 'gu');
const SEEN = new RegExp(String.raw`[^\s\u2800${UNSEEN}]`, 'u');

function boxText(character: string, times: number): string {
  const number = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return times === 1 ? number : `${number} × ${numberText(times)}`;
}
