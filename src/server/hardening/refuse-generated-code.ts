/**
 * Nothing here turns text into code once it is open for requests, whoever might get hold of a name to write into it.
 * Fastify's router does so at the start, from the addresses in these files; Node's own flag against it,
 * --disallow-code-generation-from-strings, would refuse that too.
 */

const kindsOfFunction = [() => {}, async () => {}, function* () {}, async function* () {}];

/** From now on, in this thread: `eval` and every way to `Function` throw an EvalError. There is no way back. */
export function refuseGeneratedCode(): void {
  for (const prototype of kindsOfFunction.map((kind) => Object.getPrototypeOf(kind))) {
    const { name } = prototype.constructor;
    // By the same name and prototype, because others tell an async function by its constructor's name.
    const refusing = Object.defineProperty(createRefusing(name), 'prototype', { value: prototype });
    lock(prototype, 'constructor', refusing);
    if (name === 'Function') lock(globalThis, name, refusing);
  }
  lock(globalThis, 'eval', createRefusing('eval'));
}

function createRefusing(name: string): object {
  const refuse = function refuse() {
    throw new EvalError('No code is made from text here');
  };
  return Object.defineProperty(refuse, 'name', { value: name });
}

function lock(owner: object, name: string, value: object): void {
  Object.defineProperty(owner, name, { value, writable: false, configurable: false });
}
