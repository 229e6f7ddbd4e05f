import type { StoreUnavailable } from '../store/contract/errors.ts';
import type { SubmissionStore } from '../store/contract/store.ts';

interface StoreHealthParts {
  store: Pick<SubmissionStore, 'tryWrite'>;
  /** Called for the first failure after a success. */
  onFailed: (problem: string) => void;
  onWorking: () => void;
}

/** Whether submissions can be stored, judged by the last one. */
export interface StoreHealth {
  stored(): void;
  failed(error: StoreUnavailable): void;
  /**
   * The problem of the last write, or null. After a failure a trial write is made: where a proxy takes an unready
   * server away, no submission would come to show that the store works again.
   */
  findProblem(): Promise<string | null>;
  /** Whether a trial write succeeds, regardless of what happened to submissions. */
  probe(): Promise<boolean>;
}

export function createStoreHealth({ store, onFailed, onWorking }: StoreHealthParts): StoreHealth {
  let problem: string | null = null;
  let trial: Promise<boolean> | null = null;

  function stored(): void {
    if (problem === null) return;
    problem = null;
    onWorking();
  }

  function failed(error: StoreUnavailable): void {
    const isNew = problem === null;
    problem = error.problem;
    if (isNew) onFailed(problem);
  }

  /** Concurrent callers share one trial: after a failure every submission asks for one. */
  function probe(): Promise<boolean> {
    trial ??= store
      .tryWrite()
      .then(
        () => {
          stored();
          return true;
        },
        (error: StoreUnavailable) => {
          failed(error);
          return false;
        },
      )
      .finally(() => {
        trial = null;
      });
    return trial;
  }

  return {
    stored,
    failed,
    probe,
    async findProblem() {
      if (problem !== null) await probe();
      return problem;
    },
  };
}
