import { userInfo } from 'node:os';
import { Option } from 'commander';
import { ACTOR_RULE, type Actor, parseActor } from '../../roster/actor.ts';
import { required } from './shared-options.ts';

/** For every command that writes. */
export const actorOption = () =>
  new Option('--actor <name>', 'who does this, for the audit log (default: the system user)').env(
    'KEYROSTER_ACTOR',
  );

export function actorOf(text: string | undefined): Actor {
  return text === undefined ? systemUser() : required('--actor', parseActor(text), ACTOR_RULE);
}

/** A container may run as a user that has no name, for which `userInfo` throws. */
export function systemUser(): Actor {
  const named = parseActor(systemUserName());
  return named ?? (`uid ${process.getuid?.() ?? 'unknown'}` as Actor);
}

function systemUserName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
