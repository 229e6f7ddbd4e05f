import { testMistakes } from '../../../test/support/content-mistakes.ts';

testMistakes([
  {
    mistake: 'a meaning misspelt',
    file: 'forms/help.yaml',
    was: 'means: urgent }',
    became: 'means: urgnt }',
    on: '    - { label: Feeling unsafe',
    says: '#9 › choices › #2 › means: urgnt is not known: did you mean urgent?',
  },
  {
    mistake: 'a meaning in capitals',
    file: 'forms/help.yaml',
    was: 'means: none }',
    became: 'means: None }',
    on: `    - { label: "Please don't`,
    says: '#4 › choices › #4 › means: None is not known: did you mean none?',
  },
  {
    mistake: 'a meaning that nobody knows',
    file: 'forms/help.yaml',
    was: 'means: urgent }',
    became: 'means: red }',
    on: '    - { label: Feeling unsafe',
    says: '#9 › choices › #2 › means: red is not known: it is one of call, text, email, post, none, urgent, time, no-message',
  },
]);
