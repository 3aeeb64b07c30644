/** Which of how many workers a process is, from 1. One that takes the place of a worker that has ended has its number. */
export interface Place {
  readonly number: number;
  readonly workers: number;
}

/** How the supervisor tells a worker its place. It is no setting. */
const VARIABLE = 'KEYROSTER_WORKER';

export function environmentOf({ number, workers }: Place): Record<string, string> {
  return { [VARIABLE]: `${number}/${workers}` };
}

/** `null`: this process isn't a worker. */
export function thisPlace(): Place | null {
  const [number, workers] = process.env[VARIABLE]?.split('/') ?? [];
  return number === undefined ? null : { number: Number(number), workers: Number(workers) };
}
