import { userInfo } from 'node:os';
import { type Actor, parseActor } from './roster/actor.ts';

/** Who does an act where nobody is named: who ran sudo, else the user, which in a container may have no name. */
export function systemUser(): Actor {
  const named = parseActor(process.env.SUDO_USER) ?? parseActor(systemUserName());
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
