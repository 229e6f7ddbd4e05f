import { expect, test } from 'vitest';
import { findMistake } from './translation-mistakes.ts';

/** What a reader or a browser takes for an address, in any script, and what it is not. */

const original = 'Write to {email}, or call {number} at any time, and we will answer you as soon as we can.';
const findIn = (words: string) => findMistake(original, `${words} {email} {number}`);

test.each([
  'помощь.рф',
  'help.онлайн',
  'evil.cом',
  '求助.中国',
  '求助。中国',
  '求助｡com',
  'evil。中国',
  'помощь。рф',
  'evil.c̦om',
  'evil․com',
  'xn--80ak.xn--p1ai',
  '도움.한국',
  'مساعدة.شبكة',
  'मदद.भारत',
  'मदद.कॉम',
  'http:evil',
  'https:\\\\evil',
  'mailto:x',
  'tel:911',
  'tel:+64911',
  'sms:evil',
  '请用tel:911',
  '{email}.com',
])('an address is refused: %s', (words) => {
  expect(findIn(words)).toMatch(/an address that the original does not have: take it out, or put a space/);
});

test.each([
  ['Chinese', '如果您有危险，请马上拨打111。我们会为您保密。中国人也可以用中文写。Facebook上也能找到我们。'],
  ['Chinese of Taiwan', '請告訴我們怎樣聯絡您。手機、電郵都可以。'],
  [
    'Chinese with a helpline’s own name',
    '请拨打求助热线。Women’s Refuge 为妇女和儿童服务。NZ Relay 也可以。',
  ],
  [
    'Japanese',
    '危険なときは111に電話してください。秘密は守ります。あなたの言葉で書けます。メール：可能です。',
  ],
  ['Korean', '위험하면 111로 전화하세요. 비밀을 지킵니다. 한국어로 쓰셔도 됩니다.'],
  ['Arabic', 'إذا كنت في خطر فاتصل بالرقم 111. نحن نحفظ سرّك. اكتب بلغتك، وسنردّ عليك.'],
  [
    'Russian',
    'Если вам грозит опасность, звоните 111. Мы никому не скажем, т.е. всё останется между нами и т.д.',
  ],
  ['Hindi', 'ख़तरे में हों तो 111 पर फ़ोन करें। एन.जी.ओ. और एच.आई.वी. के बारे में भी पूछें। डॉ. शर्मा'],
  ['Samoan', 'Afai o e i se tulaga matautia, telefoni le 111. O le a matou le ta’uina atu i se isi.'],
  ['Finnish', 'Soita: 111. Tekstiviesti (SMS): 4334, tel: {number}, sähköposti: {email}.'],
  ['German', 'z.B. um 9.30 Uhr, d.h. am Morgen. Hotel: nein.'],
])('an honest sentence has no address: %s', (_language, words) => {
  expect(findIn(words)).toBeNull();
});

test('an address of the original stays, with words of a script without spaces right behind it', () => {
  const asked = 'Call us, or go to privacy.org.nz.';
  for (const words of [
    '请访问 privacy.org.nz。',
    'privacy.org.nzをご覧ください。',
    'Alu i le privacy.org.nz.',
  ])
    expect(findMistake(asked, words)).toBeNull();
  expect(findMistake(asked, '请访问坏privacy.org.nz。')).toContain('put a space');
});
