/** Notes for translators: where a sentence is seen, what its placeholders stand for, and whether it must stay short. */

import { formNames } from '../../../model/form-field.ts';

const button = 'It is on a button or a link and must stay short.';

const ofForm = (part: string) => new RegExp(`^(${formNames.join('|')}):.*\\.${part}`);

/** By the beginning of the context; the first that fits. */
const places: readonly [beginning: RegExp, note: string][] = [
  [/^site:organisation/, 'The name of the trust, on every page and in the browser’s tab.'],
  [/^site:address/, 'The postal address of the trust.'],
  [/^site:hours/, 'When somebody answers the phone of the trust. Beside the number, and in {hours}.'],
  [/^site:answerWithin/, 'How soon the trust answers. It ends a sentence: “We answer …”'],
  [/^site:social/, 'The name of another website where the trust can be found.'],
  [/^site:closed\./, 'A notice of the trust, while it is closed.'],
  [
    /^site:closedText\.(hours|answerWithin)/,
    'While the trust is closed: takes the place of its usual words.',
  ],
  [/^site:closedText\.receipt/, 'On the receipt, while the trust is closed or about to close.'],
  [/^site:closedText/, 'On every page, while the trust is closed or about to close.'],
  [/^site:sectionLinks/, `A link to a part of the page, at the top of every page. ${button}`],
  [/^site:discreetTitle/, 'The title of every page, where the trust hides what the pages are about.'],
  [/^site:shieldedText/, `The portal of Women’s Refuge, at the foot of every page. ${button}`],
  [/^site:shell\.(skip|menu|closeMenu|mailLink|socialLink)/, `Around every page. ${button}`],
  [
    /^site:shell\.(pageList|sectionList|breadcrumb|languageList)/,
    'The name of a list of links, for people who cannot see it.',
  ],
  [/^site:shell\.charity/, 'In the footer of every page: that the trust is a registered charity.'],
  [/^site:shell\.photo/, 'Below photos of other people.'],
  [/^site:shell\.languageFailed/, 'Shown when a page could not be fetched in another language.'],
  [/^site:leave\.label/, `The way out in one touch, at the top of every page. ${button}`],
  [/^site:leave\.hint/, 'Read aloud after the label of the way out.'],
  [
    /^site:leave\.blank/,
    'In the browser’s tab, for the moment in which somebody leaves: nothing must give away what this site is.',
  ],
  [/^site:leave\.about\.text/, 'What the way out does and cannot do. People rely on it: be exact.'],
  [/^site:leave\.about/, `On the Get Help page: unfolds what the way out does. ${button}`],
  [/^site:leave/, 'Read aloud while somebody presses the Shift key to leave.'],
  [
    /^site:pages\.\w+\.breadcrumb/,
    'The name of the page, in the line at the top of a form. It must stay short.',
  ],
  [/^site:pages\.\w+\.heading/, 'The heading of the page, and its title in the browser’s tab.'],
  [/^site:pages\.\w+\.subtitle/, 'Below the heading of the page.'],
  [/^site:pages\.\w+\.description/, 'What search engines show of the page.'],
  [
    /^site:cover\.text/,
    'On the large picture of the home page. “ - ” separates the greeting from the rest: keep it.',
  ],
  [/^site:cards\.title/, `The name of a form: at the top of every page, and on the home page. ${button}`],
  [/^site:cards\.description/, 'On the home page, below the name of a form.'],
  [/^site:promises/, 'On the home page: what everyone who asks for help can count on. It must stay short.'],
  [
    /^site:privacy\.(heading|more)/,
    'Above the notice about privacy, and what unfolds all of it. It must stay short.',
  ],
  [
    /^site:privacy\.others/,
    'In the notice about privacy, and at the box “I am asking for someone else” once it is ticked. The law asks for it: be exact.',
  ],
  [
    /^site:(privacy|deletedText)/,
    'The notice about privacy, before somebody sends a form. The law asks for it: be exact.',
  ],
  [
    /^site:alternativeContact/,
    'Beside each form: how to tell that it was not sent, and another way to reach the trust.',
  ],
  [/^site:form\.(contactHeading|messageHeading)/, 'A heading in the form.'],
  [/^site:form\.optional/, 'In brackets behind a question that may be left empty.'],
  [/^site:form\.(required|tooLong)/, 'What is not right about an answer.'],
  [/^site:form\.noScript/, 'Below the form, in a browser without scripts. People rely on it: be exact.'],
  [/^site:form\.trap/, 'At a field that people do not see.'],
  [/^site:form\.(read|answered)/, 'Above the button that sends the form.'],
  [/^site:form\.(send|sending|goHome|again|close)\b/, button],
  [
    /^site:form\.receipt\.next\.meanwhile/,
    'On the receipt, and where somebody chose that they feel unsafe: whom to call now.',
  ],
  [/^site:form\.receipt\.next\.heading/, 'A heading on the receipt.'],
  [
    /^site:form\.receipt\.next/,
    'On the receipt: what the trust will do. Promise no more than the original does.',
  ],
  [/^site:form\.receipt/, 'On the receipt, once the form was sent.'],
  [/^site:form\.hints/, 'A gentle line beside an answer. It keeps nobody from sending.'],
  [/^site:form\.listSeparator/, 'Between two choices in a list, with its space: “, ” in English.'],
  [
    /^site:form\.answerNote/,
    'Write it in your own words, for your language: what people may write, and in which language the trust answers. Promise only what the trust can keep.',
  ],
  [/^site:form\.referenceLabel/, 'On the receipt, before a short code.'],
  [/^site:form/, 'At the form.'],
  [/^site:away/, 'While the website does not work.'],
  [/^helplines:(call|text)/, button],
  [/^helplines:danger/, 'First on the Get Help page and the home page. Lives depend on it: be exact.'],
  [/^helplines:sentence/, 'Makes a sentence of the words about a helpline: in English with a full stop.'],
  [/^helplines:(more|toForm)/, `On the Get Help page. ${button}`],
  [/^helplines:lines\.name/, 'The name of a helpline. Leave it empty to show it as it is.'],
  [/^helplines/, 'On the Get Help page, at the helplines.'],
  [ofForm('displayName'), 'A question of the form.'],
  [
    ofForm('description'),
    'Below a question of the form, or the question itself where several lines can be written.',
  ],
  [
    ofForm('choices'),
    'A choice at a question of the form. No two choices of a question may have the same words.',
  ],
  [/^page:.*\.menuLabel/, `The name of a page in the menu or the footer. ${button}`],
  [
    /^page:.*#/,
    'A piece of a page, in Markdown: keep **, [words](address) and the signs at the beginning of lines.',
  ],
  [/^page:/, 'The head of a page.'],
  [/^photos:/, 'What is to be seen in a picture, for people who cannot see it.'],
];

const placeholders: Readonly<Record<string, string>> = {
  organisation: 'the name of the trust',
  email: 'the e-mail address of the trust',
  address: 'the postal address of the trust',
  phone: 'the phone number of the trust',
  hours: 'when somebody answers the phone',
  answerWithin: 'how soon the trust answers',
  social: 'the name of another website',
  charityNumber: 'the number of the trust in the register of charities',
  from: 'the first day on which the trust is closed',
  until: 'the day on which somebody reads again',
  names: 'the names of photographers',
  service: 'the name of a photo service',
  deleted: 'a sentence that says when it is deleted',
  retentionDays: 'a number of days',
  unseenRetentionDays: 'a number of days',
  receipt: 'the heading of the receipt',
  question: 'the words of a question',
  most: 'a number',
  choices: 'the choices that somebody made, in your words for them',
  choice: 'a choice, in your words for it',
  refusal: 'the choice not to be contacted, in your words for it',
  helpline: 'the name of a helpline',
  number: 'a phone number',
  words: 'what a helpline is for, or its hours',
};

export function noteFor(context: string, text: string): string {
  const place = places.find(([beginning]) => beginning.test(context))?.[1] ?? '';
  const filled = [...new Set(text.match(/\{[a-zA-Z]+\}/g))].map((one) => {
    const meaning = placeholders[one.slice(1, -1)];
    return meaning ? `${one} is ${meaning}: keep it.` : `Keep ${one}.`;
  });
  const marks = /\{[a-z]{2,3}(-\w+)*:/.test(text)
    ? ['{mi:…} marks words in Māori, so that they are said properly.']
    : [];
  return [place, ...filled, ...marks].filter(Boolean).join(' ');
}
