import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ApiKeyPage } from '../client/client.ts';
import { addressOf, goTo, listParametersOf, type Parameters } from './address.ts';
import type { Session } from './session.ts';

/** A page, and what it answers. */
export interface ShownPage {
  readonly page: ApiKeyPage;
  readonly parameters: Parameters;
}

interface Outcome {
  /** Which question this answers; absent: none yet. */
  readonly asked?: string;
  /** The last page that came: it stays in sight while the next is on its way. */
  readonly shown: ShownPage | null;
  readonly error: unknown;
}

export interface PageState extends Omit<Outcome, 'asked'> {
  readonly loading: boolean;
  reload(): void;
}

/** The page that these parameters ask for. An answer that comes after they changed is dropped. */
export function usePage({ client }: Session, parameters: Parameters): PageState {
  const [attempt, setAttempt] = useState(0);
  const [{ asked, shown, error }, setOutcome] = useState<Outcome>({ shown: null, error: null });
  const question = JSON.stringify([parameters, attempt]);

  useEffect(() => {
    const controller = new AbortController();
    const [wanted]: [Parameters] = JSON.parse(question);
    const end = (outcome: Omit<Outcome, 'asked'>) => setOutcome({ asked: question, ...outcome });
    client.apiKeys.list(listParametersOf(wanted), { signal: controller.signal }).then(
      page => {
        if (controller.signal.aborted) return;
        const came = { page, parameters: wanted };
        if (isFirst(came)) goTo(addressOf('roster', withoutCursor(wanted)), { replace: true });
        else end({ shown: came, error: null });
      },
      failure => controller.signal.aborted || end({ shown: null, error: failure }),
    );
    return () => controller.abort();
  }, [client, question]);

  const reload = useCallback(() => setAttempt(count => count + 1), []);
  return { shown, error, loading: asked !== question, reload };
}

/** Reached backwards, it need not be full, and keys that are added would push it on. So it is asked for as what it is. */
function isFirst({ page, parameters }: ShownPage): boolean {
  return parameters.before_id !== undefined && !page.has_more;
}

function withoutCursor({ after_id: _after, before_id: _before, ...rest }: Parameters): Parameters {
  return rest;
}
