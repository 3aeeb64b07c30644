export const STATUSES = ['active', 'inactive', 'archived'] as const;
export type Status = (typeof STATUSES)[number];
export const STATUS_RULE = `must be one of ${STATUSES.join(', ')}`;

export function parseStatus(text: unknown): Status | undefined {
  return (STATUSES as readonly unknown[]).includes(text) ? (text as Status) : undefined;
}

/** The statuses that each status can change to (docs/api.md#the-record). */
const TRANSITIONS: Readonly<Record<Status, readonly Status[]>> = {
  active: ['inactive', 'archived'],
  inactive: ['active', 'archived'],
  archived: [],
};

/** Setting the same status again is always allowed. */
export function isAllowedTransition(from: Status, to: Status): boolean {
  return from === to || TRANSITIONS[from].includes(to);
}

/** Every change of a status that is not allowed. */
export const FORBIDDEN_TRANSITIONS = STATUSES.flatMap(from =>
  STATUSES.filter(to => !isAllowedTransition(from, to)).map(to => ({ from, to })),
);

/** Why a key with this status can't get the other one. */
export function transitionProblem(from: Status, to: Status): string {
  return TRANSITIONS[from].length === 0 ? `${from} is final` : `${from} cannot become ${to}`;
}
