import { UsageError } from '../../../shared/command/command.ts';
import { looksLikeFullKey } from '../../find/mask.ts';

/** For an ID that is sent: what isn't one would be in the logs of the service and of what stands before it. */
export function refuseFullKey(option: string, text: string): void {
  if (!looksLikeFullKey(text)) return;
  throw new UsageError(
    `${option}: looks like a full key, and not like an ID, so it isn't sent. Remove it from the shell's history, and give it to ` +
      'keyroster-admin find on standard input',
  );
}
