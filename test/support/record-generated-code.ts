/**
 * Preloaded into a server (`--import`): writes down every file it loads, every time code is made from text, and, when
 * it ends, which ways to do so were still open. One JSON line each, into the file that RECORD_TO names.
 */
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

export type GeneratedCodeRecord = { loaded: string } | { generatedBy: string } | { stillOpen: string[] };

const write = (record: GeneratedCodeRecord) =>
  appendFileSync(process.env.RECORD_TO ?? '', `${JSON.stringify(record)}\n`);

registerHooks({
  load(url, context, next) {
    write({ loaded: url });
    return next(url, context);
  },
});

globalThis.Function = new Proxy(Function, {
  construct: (target, args) => {
    write({ generatedBy: String(new Error().stack) });
    return Reflect.construct(target, args);
  },
  apply: (target, self, args) => {
    write({ generatedBy: String(new Error().stack) });
    return Reflect.apply(target, self, args);
  },
});

const ways: Record<string, () => unknown> = {
  // biome-ignore lint/security/noGlobalEval: to see that it is refused
  eval: () => globalThis.eval('1'),
  Function: () => new Function('return 1'),
  'Function, called': () => Function('return 1'),
  'a constructor': () => (() => {}).constructor('return 1'),
  'an async constructor': () => (async () => {}).constructor('return 1'),
  'a generator’s constructor': () => function* () {}.constructor('yield 1'),
  'an async generator’s constructor': () => async function* () {}.constructor('yield 1'),
};
process.on('exit', () => {
  const isOpen = ([, attempt]: [string, () => unknown]) => {
    try {
      attempt();
      return true;
    } catch {
      return false;
    }
  };
  write({
    stillOpen: Object.entries(ways)
      .filter(isOpen)
      .map(([way]) => way),
  });
});
