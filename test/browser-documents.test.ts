import { expect, onTestFinished, test, vi } from 'vitest';
import { formNames } from '../src/model/form-field.ts';
import { createDocuments } from '../src/server/graphql/documents.ts';
import { fetchDefinition, postSubmission } from '../src/web/form/sending/calls.ts';

test('the server knows the very text in which a browser sends a form, from the start', async () => {
  const sent: string[] = [];
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body).query);
    return Response.json({ data: null });
  });
  for (const form of formNames) {
    await fetchDefinition(form, null, 60_000).catch(() => {});
    await postSubmission(form, [], 'x', null, 1_000);
  }
  const documents = createDocuments();
  expect(sent.map((text) => documents.isOwnSubmission(text))).toEqual([false, true, false, true]);
});
