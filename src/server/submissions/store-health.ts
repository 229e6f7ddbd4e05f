import type { StoreUnavailable } from '../store/contract/errors.ts';
import type { SubmissionStore } from '../store/contract/store.ts';

interface StoreHealthParts {
  store: Pick<SubmissionStore, 'tryWrite'>;
  /** Called for the first failure after a success. */
  onFailed: (problem: string) => void;
  onWorking: () => void;
}

/** Whether submissions can be stored, judged by the last write. */
export function createStoreHealth({ store, onFailed, onWorking }: StoreHealthParts) {
  let problem: string | null = null;
  let trial: Promise<boolean> | null = null;

  function recordSuccess(): void {
    if (problem === null) return;
    problem = null;
    onWorking();
  }

  function recordFailure(error: StoreUnavailable): void {
    const isNew = problem === null;
    problem = error.problem;
    if (isNew) onFailed(problem);
  }

  /**
   * Whether a trial write succeeds, regardless of what happened to submissions. Concurrent callers share one trial: after
   * a failure every submission asks for one.
   */
  function probe(): Promise<boolean> {
    trial ??= store
      .tryWrite()
      .then(
        () => {
          recordSuccess();
          return true;
        },
        (error: StoreUnavailable) => {
          recordFailure(error);
          return false;
        },
      )
      .finally(() => {
        trial = null;
      });
    return trial;
  }

  return {
    recordSuccess,
    recordFailure,
    probe,
    /**
     * The problem of the last write, or null. After a failure a trial write is made: where a proxy sends no
     * visitors to an unready server, no submission would show that the store works again.
     */
    async findProblem(): Promise<string | null> {
      if (problem !== null) await probe();
      return problem;
    },
  };
}

export type StoreHealth = ReturnType<typeof createStoreHealth>;
