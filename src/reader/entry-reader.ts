import { renderLetter } from '../server/delivery/letter/letter-html.ts';
import { findSealed, type SealedPart, writeOpened } from '../server/delivery/letter/sealed-file.ts';
import { createOpen } from '../server/submissions/seal.ts';
import { describeBadIdentity, isOtherKey } from '../server/submissions/seal-errors.ts';

/** Opens sealed mail on the computer of the person who has the key. Nothing is fetched, sent or stored. */

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const [sealed, key] = ['sealed', 'key'].map((id) => ({
  dropZone: element(`${id}-drop-zone`),
  input: element<HTMLInputElement>(id),
  text: element<HTMLTextAreaElement>(`${id}-text`),
  dropped: [] as File[],
})) as [Source, Source];
const status = element('status');
const letters = element('letters');

interface Source {
  dropZone: HTMLElement;
  input: HTMLInputElement;
  text: HTMLTextAreaElement;
  /** Files that were dropped onto the page; the file input does not show them. */
  dropped: File[];
}

async function filesOf({ input, text, dropped }: Source): Promise<{ name: string; bytes: Uint8Array }[]> {
  const files = [...(input.files ?? []), ...dropped].map(async (file) => ({
    name: file.name,
    bytes: new Uint8Array(await file.arrayBuffer()),
  }));
  const pasted = text.value.trim();
  return [
    ...(await Promise.all(files)),
    ...(pasted === '' ? [] : [{ name: '', bytes: new TextEncoder().encode(pasted) }]),
  ];
}

/** Numbers each attempt, so that a slower earlier one does not overwrite the result of a later one. */
let attempt = 0;

async function show(): Promise<void> {
  const current = ++attempt;
  const say = (words: string, html = '') => {
    if (current !== attempt) return;
    status.textContent = words;
    letters.innerHTML = html;
  };
  const [files, keys] = await Promise.all([filesOf(sealed), filesOf(key)]);
  if (files.length === 0 && keys.length === 0) return say('');
  if (files.length === 0) return say('Now choose the sealed file.');
  const parts = (await Promise.all(files.map(({ bytes, name }) => findSealed(bytes, name)))).flat();
  if (parts.length === 0) return say('There is nothing sealed in that file.');
  if (keys.length === 0) return say('Now choose your private key.');
  const identity = keys.map(({ bytes }) => new TextDecoder().decode(bytes)).join('\n');
  let openSealed: ReturnType<typeof createOpen>;
  try {
    openSealed = createOpen(identity);
  } catch {
    return say(describeBadIdentity(identity));
  }
  const opened = await Promise.all(parts.map((part) => openPart(openSealed, part)));
  const countOf = (outcome: Outcome) => opened.filter((one) => one.outcome === outcome).length;
  const [otherKey, damaged] = [countOf('other key'), countOf('damaged')];
  const some = (count: number) => (parts.length === 1 ? 'It' : `${count} of ${parts.length}`);
  const problems = [
    otherKey > 0
      ? `${some(otherKey)} could not be opened: the key is complete, but it was sealed to another one.`
      : '',
    damaged > 0
      ? `${some(damaged)} could not be opened: the file is incomplete. Save it from the mail again.`
      : '',
  ];
  say(problems.join(' ').trim() || `${parts.length} opened.`, opened.map(({ html }) => html).join(''));
}

type Outcome = 'opened' | 'other key' | 'damaged';

async function openPart(
  openSealed: ReturnType<typeof createOpen>,
  part: SealedPart,
): Promise<{ outcome: Outcome; html: string }> {
  try {
    return {
      outcome: 'opened',
      html: renderLetter(writeOpened(await openSealed(part.file), part.reference)),
    };
  } catch (error) {
    return { outcome: isOtherKey(error) ? 'other key' : 'damaged', html: '' };
  }
}

const update = () =>
  void show().catch(() => {
    status.textContent = 'That file could not be read.';
    letters.textContent = '';
  });

for (const source of [sealed, key]) {
  const { dropZone, input, text } = source;
  input.addEventListener('change', () => {
    source.dropped = [];
    update();
  });
  text.addEventListener('input', update);
  dropZone.addEventListener('dragover', (event) => {
    event.preventDefault();
    dropZone.classList.add('over');
  });
  dropZone.addEventListener('dragleave', () => dropZone.classList.remove('over'));
  dropZone.addEventListener('drop', (event) => {
    event.preventDefault();
    dropZone.classList.remove('over');
    source.dropped = [...(event.dataTransfer?.files ?? [])];
    input.value = '';
    update();
  });
}
// The browser would replace this page by a file that is dropped elsewhere.
for (const name of ['dragover', 'drop'] as const)
  document.addEventListener(name, (event) => event.preventDefault());

element('clear').addEventListener('click', () => {
  for (const source of [sealed, key]) {
    source.input.value = '';
    source.text.value = '';
    source.dropped = [];
  }
  update();
});
// After a reload a browser may restore what was typed or chosen.
update();
