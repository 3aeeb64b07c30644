/** What is used of `negotiator`. Its published types lack `preferred`. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { readonly headers: { readonly 'accept-encoding': string } });
    /** What the client accepts of these, best first; of two that it likes as much, the one that is preferred. */
    encodings<Coding extends string>(
      available: readonly Coding[],
      options: { readonly preferred: readonly Coding[] },
    ): Coding[];
  }
}
