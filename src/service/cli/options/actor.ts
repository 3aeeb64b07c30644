import { Option } from 'commander';
import { required } from '../../../shared/command/options.ts';
import { ACTOR_RULE, type Actor, parseActor } from '../../roster/actor.ts';
import { systemUser } from '../../system-user.ts';

/** For every command that writes. */
export const actorOption = () =>
  new Option('--actor <name>', 'who does this, for the audit log (default: the system user)').env(
    'KEYROSTER_ACTOR',
  );

export function actorOf(text: string | undefined): Actor {
  return text === undefined ? systemUser() : required('--actor', parseActor(text), ACTOR_RULE);
}
