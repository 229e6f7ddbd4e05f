import { expect, onTestFinished, test } from 'vitest';
import { forms } from '../src/model/forms.ts';
import { serverForms } from '../src/model/server-forms.ts';
import { temporaryFolder } from './support/temporary.ts';

/** A form that no code names: an entry in each of the two tables, and its words. Whatever walks the entries takes it. */
const order = 'order' as 'contact';
const operations = { form: 'getOrderForm', submit: 'submitOrder' };
Object.assign(forms, { order: { path: '/order', operations, mayBeInDanger: true } });
const ofServer = {
  ...(serverForms.contact as Record<keyof typeof serverForms.contact, unknown>),
  noun: 'parcel',
  plural: 'parcels',
  mailTo: 'MAIL_TO_ORDER',
};
Object.assign(serverForms, { order: ofServer });

// Once the entries are there, because modules read the tables when they are loaded.
const { defaults } = await import('../src/server/content/defaults.ts');
const site = structuredClone(defaults['site.yaml']) as Record<string, Record<string, object>>;
for (const part of [site.pages, site.remindAfter, site.form?.receipt] as Record<string, unknown>[])
  part.order = part.contact;
Object.assign(defaults, { 'site.yaml': site, 'forms/order.yaml': defaults['forms/contact.yaml'] });

const { shippedContent } = await import('./support/forms.ts');
const { mailOf, stored } = await import('./support/submission-mail.ts');
const { addresses, storeSubmission } = await import('./support/stored-submissions.ts');
const { prepareMailWatch } = await import('./support/mail-watch.ts');
const { healthy, readSeries } = await import('./support/metrics.ts');
const { readWeeklyLetterData } = await import('../src/server/self-checks/weekly-letter-data.ts');
const { writeWeeklyLetter } = await import('../src/server/self-checks/weekly-letter-wording.ts');
const { chartAsHtml, chartAsText } = await import('../src/server/self-checks/weekly-letter-chart.ts');
const { createMetrics } = await import('../src/server/metrics/metrics.ts');
const { openSqliteStore } = await import('../src/server/store/sqlite/sqlite-store.ts');
const { gatherSentences } = await import('../src/server/content/languages/gather-sentences.ts');
const { writeOpened } = await import('../src/server/delivery/letter/sealed-file.ts');
const { findUnsafeKeys, understandSubmission } = await import(
  '../src/server/delivery/letter/safe-contact.ts'
);
const { routes } = await import('../src/model/routes.ts');

const Email = 'visitor@visitor.example';
addresses.to = { ...addresses.to, [order]: ['order@trust.example'] };

test('a third form has an address and questions', () => {
  expect(routes[order].path).toBe('/order');
  expect(shippedContent.forms[order].name).toBe('order');
});

test('its words are translated, and a language needs those about being reached', () => {
  const sentence = (key: string) => shippedContent.sentences.find(({ context }) => context.startsWith(key));
  expect(sentence('order:FirstName.displayName')).toMatchObject({ note: 'A question of the form.' });
  const questions = { ...shippedContent.forms, order: shippedContent.forms.help };
  const rest = { tag: 'en-NZ', site: {}, helplines: {}, ownPages: [], pictures: [] };
  const needed = gatherSentences({ ...rest, forms: questions }).filter(({ isNeeded }) => isNeeded);
  expect(needed.map(({ context }) => context)).toContain('order:SafeContact.displayName');
  expect(sentence('site:form.receipt.order.heading')).toMatchObject({ isNeeded: true });
});

test('its mail has a banner, its own noun, and a reply where its entry allows one', async () => {
  const { mail } = await mailOf(stored(order, { Email }));
  expect(mail.subject).toMatch(/New parcel HK7W-3RQX$/);
  expect(mail.replyTo?.[0]?.address).toBe(Email);
  expect(mail.to?.[0]?.address).toBe('order@trust.example');
  const unreachable = await mailOf(stored(order));
  expect(unreachable.mail.text).toContain('A reply to this email does not reach them.');
});

test('without the permission in its entry nobody may reply', async () => {
  ofServer.mayReplyUnasked = false;
  onTestFinished(() => {
    ofServer.mayReplyUnasked = true;
  });
  const submission = stored(order, { Email, Phone: '021 000 000' });
  expect((await mailOf(submission)).mail.replyTo).toBeUndefined();
  expect(findUnsafeKeys(understandSubmission(submission), submission)).toContain('Email');
});

test('its sealed file is opened as what it is', () => {
  const { definition, answers, receivedAt, verdict } = stored(order, { Email });
  const about = { form: order, definition, receivedAt: receivedAt.toISOString(), verdict, urgent: false };
  const letter = writeOpened({ answers: answers as [], about: { ...about, language: null } }, 'HK7W-3RQX');
  expect(letter.title).toBe('New parcel from the order form');
});

test('the probe asks for its mailbox, and names its setting where that is refused', async () => {
  const { smtp, serve } = await prepareMailWatch();
  smtp.script.RCPT = () => (smtp.heard.at(-1)?.includes('order@') ? '550 5.1.1 nobody' : undefined);
  const watch = serve();
  await watch.probe();
  expect(smtp.heard.join()).toContain('RCPT TO:<order@trust.example>');
  expect(watch.problem()).toContain('MAIL_TO_ORDER');
});

test('metrics and the weekly letter count it', async () => {
  const dataDir = temporaryFolder();
  const store = await openSqliteStore(dataDir);
  onTestFinished(() => store.close());
  const at = new Date('2026-11-15T19:00:00Z');
  await storeSubmission(store, {
    form: order,
    answers: { Email },
    receivedAt: new Date('2026-11-12T00:00:00Z'),
  });
  const health = { ready: healthy, deliveries: healthy };
  const selfChecks = { canary: async () => null, mailAcceptedAt: () => null };
  const text = await createMetrics().gather({ health, ...selfChecks, store, dataDir, now: () => at });
  expect(readSeries(text, 'awhina_submissions_open{form="order"}')).toBe(1);
  expect(readSeries(text, 'awhina_submissions_stored_total{form="order"}')).toBe(0);
  const sources = { store, health, dataDir, contentDir: 'content', reminders: {} };
  const data = await readWeeklyLetterData(sources, at, at);
  expect(JSON.stringify(writeWeeklyLetter(data, []))).toContain('0 requests and 0 messages and 1 parcel');
  for (const chart of [chartAsText, chartAsHtml]) expect(chart(data.weeks)).toContain('1 parcel');
});
