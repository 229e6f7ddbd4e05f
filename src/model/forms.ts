interface FormEntry {
  path: `/${string}`;
  /** The GraphQL operations: one answers with the questions, one takes the answers. */
  operations: { form: string; submit: string };
  /** The page names 111 and the helplines, and a choice should mean that the request is urgent. */
  mayBeInDanger: boolean;
}

/** The forms of the site are one feature. What differs stands here, and in server-forms.ts what browsers need not know. */
export const forms = {
  help: {
    path: '/help',
    operations: { form: 'getHelpForm', submit: 'submitHelpRequest' },
    mayBeInDanger: true,
  },
  contact: {
    path: '/contact',
    operations: { form: 'getContactForm', submit: 'submitContactRequest' },
    mayBeInDanger: false,
  },
} as const satisfies Record<string, FormEntry>;
