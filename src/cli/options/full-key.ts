import { shownLabelOf } from '../../find/mask.ts';
import { idLooksLikeKey } from '../../roster/looks-like-key.ts';
import { UsageError } from './usage-error.ts';

/** For an ID that is sent: what isn't one would be in the logs of the service and of what stands before it. */
export function refuseFullKey(option: string, text: string): void {
  if (!text.includes('-admin01-') && !idLooksLikeKey(text) && !beginsAsKey(text)) return;
  throw new UsageError(
    `${option}: looks like a full key, and not like an ID, so it isn't sent. Remove it from the shell's history, and give it to ` +
      'keyroster find on standard input',
  );
}

/** In characters: the random parts of keys are at least as long. */
const MIN_RANDOM = 14;

/** Whether it begins as keys of well-known vendors do, and is as long. */
function beginsAsKey(text: string): boolean {
  const label = shownLabelOf(text, []);
  return /^AKIA[A-Z\d]{16}$/.test(text) || (label !== '' && text.length - label.length >= MIN_RANDOM);
}
