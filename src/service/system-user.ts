import { userInfo } from 'node:os';
import { type Actor, parseActor } from './roster/actor.ts';

/** Who does an act where nobody is named. A container may run as a user that has no name, for which `userInfo` throws. */
export function systemUser(): Actor {
  const named = parseActor(systemUserName());
  return named ?? (`uid ${process.getuid?.() ?? 'unknown'}` as Actor);
}

/** `undefined` for a user without a name. */
export function systemUserName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
