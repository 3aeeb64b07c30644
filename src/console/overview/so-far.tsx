/** Beside a number that may grow while the count goes on. */
export const SoFar = () => <span class="so-far"> so far</span>;

/** Instead of a number whose keys the count reads later: a 0 would look as if there were none. */
export const NotReached = () => <span class="so-far">not reached yet</span>;
