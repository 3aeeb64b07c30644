/** What a migration tells while it runs, each as a person reads it. */
export interface MigrationListener {
  /** That it waits, and for whom. */
  readonly onWaiting: (message: string) => void;
  /** What is done next to a table with rows, and what that means meanwhile. */
  readonly onStep: (what: string) => void;
}
