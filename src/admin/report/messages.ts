/** Texts to those who are asked about keys: for the command and for the console. Nothing is sent. */
import { type ListedKey, UNTOLD, workspaceOf } from '../../client/listed-key.ts';
import { lifecycleTime, shownStatus } from '../../shared/record/lifecycle.ts';
import { ABSENCES, type Directory } from '../directory/directory.ts';
import type { Breach } from './breaches.ts';
import { shownCreator } from './creator.ts';
import { dayOf, dayText, workspaceText } from './sections.ts';

interface Surroundings {
  readonly now: Date;
  readonly directory?: Directory | undefined;
  /** Whether the keys are of several services, of which a message then tells. */
  readonly several?: boolean;
}

export interface Message {
  /** A mail address, or else the ID of the creator; `''`: nobody is known. */
  readonly to: string;
  readonly text: string;
}

/** In the place of an address. */
export const NOBODY = 'nobody: ask around';

/** One message to each who is asked, about all of their keys that break a policy. Keeps their lines, and no key. */
export class Messages {
  readonly #around: Surroundings;
  readonly #lines = new Map<string, string[]>();

  constructor(around: Surroundings) {
    this.#around = around;
  }

  add(breach: Breach): void {
    const to = recipientOf(breach.key, this.#around);
    const lines = this.#lines.get(to) ?? [];
    this.#lines.set(to, lines);
    lines.push(keyLines(breach, this.#around));
  }

  /** Those about the most keys first, and the one for nobody last. */
  *all(): Generator<Message> {
    const inOrder = [...this.#lines].sort(
      ([a, ofA], [b, ofB]) =>
        Number(a === '') - Number(b === '') || ofB.length - ofA.length || (a < b ? -1 : 1),
    );
    for (const [to, lines] of inOrder) yield { to, text: textOf(lines) };
  }
}

function textOf(lines: readonly string[]): string {
  const many = lines.length > 1;
  return [
    many ? `Are these ${lines.length} API keys still needed?` : 'Is this API key still needed?',
    ...['', ...lines, ''],
    many
      ? 'Please have those archived that are not, and say what the others are for.'
      : 'Please have it archived if it is not, or say what it is for.',
  ].join('\n');
}

/** Who is asked about a key. Without a directory it is its creator, by the ID. */
export function recipientOf(key: ListedKey, { now, directory }: Surroundings): string {
  const { id } = shownCreator(key);
  if (id === UNTOLD) return '';
  return directory ? (directory.recipient(id, now.getTime()) ?? '') : id;
}

/** Which key it is, whose where they aren't here, and what it breaks. */
export function keyLines({ key, policies }: Breach, { now, directory, several }: Surroundings): string {
  const { id, name, profile, partial_key_hint, created_at } = key;
  const workspace = workspaceOf(key);
  const where = workspace === null ? 'the default workspace' : workspaceText(workspace, directory);
  const expiry = lifecycleTime(key, 'expires_at');
  const creator = shownCreator(key).id;
  return [
    `- ${oneLine(name) || '(no name)'} (${partial_key_hint ?? UNTOLD}), ${id}`,
    `  ${shownStatus(key, now.getTime())}, created ${dayOf(created_at)}, ${expiry ? `expires ${dayText(expiry)}, ` : ''}in ${oneLine(where)}${several ? ` of ${profile}` : ''}`,
    ...(directory ? absenceLines(creator, now.getTime(), directory) : []),
    ...policies.map(({ breach }) => `  ${breach}`),
  ].join('\n');
}

function absenceLines(creator: string, now: number, directory: Directory): readonly string[] {
  const absence = directory.absence(creator, now);
  if (absence === undefined) return [];
  const manager = directory.recipient(creator, now) === undefined && directory.creator(creator)?.manager;
  const nobody = manager ? `; no manager is known to be here: ${oneLine(manager)}` : '';
  return [`  of ${oneLine(directory.creatorName(creator))}, ${ABSENCES[absence]}${nobody}`];
}

/**
 * What is in an address of a page, a host, a mail or a network share, in any of the forms that programs take for it. A mail program makes
 * no link then of a name of a key, or of a person: whoever chooses it writes to whoever gets the message.
 */
const OF_ADDRESS = /[.:@\\\u2024\u3002\ufe52\ufe55\ufe6b\uff0e\uff1a\uff20\uff3c\uff61](?=\S)/gu;

/** A name can't add lines of its own to the message, nor turn the direction of what is behind it. */
function oneLine(name: string): string {
  const line = name.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ').trim();
  return line.replaceAll(OF_ADDRESS, '[$&]');
}
