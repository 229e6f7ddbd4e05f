import { expect, test } from 'vitest';
import { shippedContent } from '../../../test/support/forms.ts';
import { describeRetention } from './format-retention.ts';

test('the privacy notice promises what the server does, and leaves no placeholder', () => {
  const { privacy } = describeRetention(shippedContent.site, { retentionDays: 20, unseenRetentionDays: 80 });
  const promised =
    'This website deletes it 20 days after our team last dealt with it. If nobody has seen it, it is deleted 80 days after you sent it.';
  expect(privacy.short).toContain(promised);
  expect(privacy.kept).toContain(promised);
  expect(Object.values(privacy).join()).not.toMatch(/\{(deleted|retentionDays|unseenRetentionDays)\}/);
});

test('with REMINDERS=off it counts from the mail, because the website does not know what staff have seen', () => {
  const { privacy } = describeRetention(shippedContent.site, {
    retentionDays: 20,
    unseenRetentionDays: null,
  });
  expect(privacy.short).toContain('This website deletes it 20 days after it was sent to our team.');
  expect(privacy.kept).not.toContain('seen');
});

test('a trust’s own sentence from an earlier version is still filled in', () => {
  const own = {
    ...shippedContent.site,
    privacy: { ...shippedContent.site.privacy, kept: 'For {retentionDays} days.' },
  };
  expect(describeRetention(own, { retentionDays: 30, unseenRetentionDays: 90 }).privacy.kept).toBe(
    'For 30 days.',
  );
});
