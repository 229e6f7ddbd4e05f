import type { StoreUnavailable } from '../store/contract/errors.ts';
import type { SubmissionStore } from '../store/contract/store.ts';

export interface StoreHealthParts {
  store: Pick<SubmissionStore, 'tryWrite'>;
  /** The first that could not be kept after one that could. */
  onFailed: (problem: string) => void;
  onWorking: () => void;
}

/** Whether requests can be kept, by what really happened to the last one. */
export interface StoreHealth {
  stored(): void;
  failed(error: StoreUnavailable): void;
  /**
   * What keeps requests from being kept, or null. After a failure it is tried in earnest: where a proxy takes a server
   * away that says it cannot, no request would ever come by to show that it can again.
   */
  findProblem(): Promise<string | null>;
  /** Whether a request could be kept now, by a trial alone: whatever became of those that people sent. */
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

  /** One for all who ask at a time: after a failure that is everybody who sends something. */
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
