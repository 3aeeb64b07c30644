/** What a walk returns in the end, where nobody has to be served between its steps. */
export function resultOf<Result>(steps: Iterator<unknown, Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
