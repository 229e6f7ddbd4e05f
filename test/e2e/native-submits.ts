import type { Page } from '@playwright/test';

/** Stands for the server's answer to a plain post. Returns what was posted. */
export async function takePosts(page: Page): Promise<URLSearchParams[]> {
  const posts: URLSearchParams[] = [];
  await page.route('**/contact', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    posts.push(new URLSearchParams(route.request().postData() ?? ''));
    return route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><title>Kept</title><h1>Kept</h1>',
    });
  });
  return posts;
}
