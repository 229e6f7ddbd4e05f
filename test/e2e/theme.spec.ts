import { expect, expectNoViolations, test, visit } from './site.ts';

/** As light as they may be on the darkest ground they may have. */
const theme = `theme:
  primary: "#386ca3"
  secondary: "#386ca3"
  accent: "#ad4677"
  paper: "#fafafa"
  radius: 4
  fonts: { headings: Verdana, text: Georgia }
`;
const social = `social:
  - { name: Facebook, url: "https://social.example/one" }
  - { name: Instagram, url: "https://social.example/two" }
  - { name: Mastodon, url: "https://social.example/three" }
  - { name: YouTube, url: "https://social.example/four" }
`;

test("in a trust's own colours every word can be read, and four links still leave the footer one row", async ({
  openPage,
  ownSite,
}) => {
  const site = await ownSite({
    site: [
      ['pages:\n', `${theme}pages:\n`],
      ['social:\n  name: Facebook\n  url: https://social.example/kowhaifamilysupport\n', social],
    ],
  });
  const page = await openPage({ baseURL: site.url, viewport: { width: 390, height: 3_200 } });
  for (const path of ['/', '/help', '/contact']) {
    await visit(page, path);
    await expectNoViolations(page, path);
  }
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveCSS('color', 'rgb(56, 108, 163)');
  await expect(heading).toHaveCSS('font-family', 'Verdana, serif');

  await page.setViewportSize({ width: 960, height: 700 });
  await page.goto('/');
  const footer = page.getByRole('contentinfo');
  await expect(footer.getByRole('link')).toHaveText([
    'Accessibility',
    'Contact Us',
    'Email us',
    'Facebook',
    'Instagram',
    'Mastodon',
    'YouTube',
  ]);
  expect((await footer.boundingBox())?.height).toBeLessThanOrEqual(64);
});

test('a trust that is nowhere else has only its statement and its mail in the footer', async ({
  openPage,
  ownSite,
}) => {
  const site = await ownSite({
    site: [['social:\n  name: Facebook\n  url: https://social.example/kowhaifamilysupport\n', '']],
  });
  const page = await openPage({ baseURL: site.url });
  await page.goto('/');
  await expect(page.getByRole('contentinfo').getByRole('link')).toHaveText([
    'Accessibility',
    'Online safety',
    'Contact Us',
    'Email us',
  ]);
});
