/**
 * No code is generated from text once the server accepts requests. Node's own flag for that,
 * --disallow-code-generation-from-strings, cannot be used: Fastify's router generates code from the routes at the start.
 */

const kindsOfFunction = [() => {}, async () => {}, function* () {}, async function* () {}];

/** Makes `eval` and every way to `Function` throw an EvalError in this thread, for good. */
export function refuseGeneratedCode(): void {
  for (const prototype of kindsOfFunction.map((kind) => Object.getPrototypeOf(kind))) {
    const { name } = prototype.constructor;
    // The same name and prototype, because libraries recognise an async function by its constructor's name.
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
