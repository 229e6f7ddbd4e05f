import { expect } from 'vitest';
import type { SiteServer } from '../support/site-server.ts';
import { fill, filled } from './answers.ts';
import { test } from './engine-test.ts';
import { look } from './visitor.ts';

const kept = ({ output }: SiteServer) => output().split('"event":"submission stored"').length - 1;
const refused = { json: { data: null, errors: [{ message: 'No', extensions: { code: 'SOMETHING_ELSE' } }] } };

for (const form of ['help', 'contact'] as const) {
  test(`/${form} that is refused keeps the answers, shows the other way, and is sent by a second press`, async ({
    visitor,
    site,
    front,
  }) => {
    const before = kept(site);
    front.fail('/graphql', refused, 1);
    await visitor.open(`/${form}`);
    await fill[form](visitor);
    await visitor.press('Send Request');
    const focused = () => visitor.driver.run(() => document.activeElement?.textContent ?? '');
    await expect.poll(focused).toContain('Alternative Contact Information');
    expect((await look(visitor.driver)).answers).toEqual(filled[form]);
    await visitor.press('Send Request');
    await visitor.sees(/say this reference.* \S+/);
    expect(kept(site) - before).toBe(1);
  });
}

test('where the connection breaks, sending is tried again quietly, and the request is stored once', async ({
  visitor,
  site,
  front,
}) => {
  const before = kept(site);
  front.fail('/graphql', 'cut', 1);
  await visitor.open('/contact');
  await fill.contact(visitor);
  await visitor.press('Send Request');
  await visitor.sees(/say this reference.* \S+/);
  expect(kept(site) - before).toBe(1);
});

test('offline, sending goes on; a form that was given up is sent once when the network is back', async ({
  visitor,
  site,
  front,
}) => {
  const before = kept(site);
  await visitor.open('/contact');
  await fill.contact(visitor);
  await visitor.driver.run(hurryTries);
  front.fail('/', 'cut');
  await visitor.driver.setOffline(true);
  await visitor.press('Send Request');
  await visitor.sees('No internet. We will send this when you are back online.');
  // More than there are where there is a network.
  await expect.poll(() => visitor.driver.run(countTries)).toBeGreaterThan(6);
  await visitor.sees('Sending…');
  await visitor.driver.run(endTime);
  const focused = () => visitor.driver.run(() => document.activeElement?.textContent ?? '');
  await expect.poll(focused).toContain('Not sent yet?');
  await visitor.sees('Send Request');
  await visitor.sees('No internet. We will send this when you are back online.');
  expect((await look(visitor.driver)).answers).toEqual(filled.contact);
  front.mend();
  await visitor.driver.setOffline(false);
  await visitor.sees(/say this reference.* \S+/);
  expect(kept(site) - before).toBe(1);
});

interface Hurried {
  tries: number;
  passedMs: number;
}

/** The waits between the tries are a twentieth, each try is counted, and the clock can be put forward. */
function hurryTries(): void {
  const { fetch, setTimeout } = window;
  const { now } = Date;
  const hurried: Hurried = Object.assign(window, { tries: 0, passedMs: 0 });
  Date.now = () => now() + hurried.passedMs;
  Object.assign(window, {
    setTimeout: (run: () => void, ms = 0) => setTimeout(run, ms > 8_000 ? ms : ms / 20),
    fetch(...asked: Parameters<typeof fetch>) {
      hurried.tries++;
      return fetch(...asked);
    },
  });
}

const countTries = () => (window as unknown as Hurried).tries;

/** All the time that a send may take is over. */
const endTime = () => void Object.assign(window, { passedMs: 90_000 });

test('a press on the address that was most likely meant fills it in', async ({ visitor }) => {
  await visitor.open('/contact');
  const hydrated = () => visitor.driver.run(() => document.querySelector('form')?.noValidate ?? false);
  await expect.poll(hydrated).toBe(true);
  await visitor.answer('Email', 'sample@gmail,com');
  await visitor.answer('First name', 'Sample');
  await visitor.press('Did you mean sample@gmail.com?');
  await expect.poll(async () => (await look(visitor.driver)).answers).toContain('sample@gmail.com');
  const focused = () => visitor.driver.run(() => (document.activeElement as HTMLInputElement).name);
  expect(await focused()).toBe('Email');
  expect((await look(visitor.driver)).text).not.toContain('Did you mean');
});

test('what is typed before the script has started is sent', async ({ visitor, front }) => {
  front.fail('/assets/', 'stall');
  await visitor.open('/contact');
  await fill.contact(visitor);
  front.mend();
  await visitor.press('Send Request');
  await visitor.sees(/say this reference.* \S+/);
});

for (const part of ['entry-client', 'FormPage', 'altcha-worker']) {
  test(`a script of which ${part} was lost once gets it all the same, and sends the form`, async ({
    visitor,
    front,
  }) => {
    front.fail(`/assets/${part}`, 'cut', 1);
    await visitor.open('/contact');
    const isThere = () => visitor.driver.run(() => document.querySelector('form')?.noValidate ?? false);
    await expect.poll(isThere).toBe(true);
    await fill.contact(visitor);
    await visitor.press('Send Request');
    await visitor.sees(/say this reference.* \S+/);
    const byTheBrowser = await visitor.driver.run(() => document.documentElement.hasAttribute('data-posted'));
    expect(byTheBrowser).toBe(false);
  });
}
