import { onTestFinished } from 'vitest';
import { awhinaShared, type Result } from './command.ts';
import { type OpenedStore, type StoreKind, sqlite } from './each-store.ts';

export interface Commands extends Omit<OpenedStore, 'close'> {
  ask(...args: string[]): Promise<Result>;
}

/** An empty store, and the commands that work on it. */
export async function prepareCommands(kind: StoreKind = sqlite): Promise<Commands> {
  const { close, ...opened } = await kind.open();
  onTestFinished(close);
  return { ...opened, ask: (...args) => awhinaShared(args, opened.environment) };
}
