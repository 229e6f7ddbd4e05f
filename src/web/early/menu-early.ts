/**
 * Opens the menu as a modal dialog: the browser then traps the focus, closes the dialog on Esc and restores the focus.
 * Inlined into the page, because a visitor in a hurry opens the menu before the client bundle has loaded.
 */

const openDialog = () => document.querySelector<HTMLDialogElement>('header dialog[open]');

addEventListener(
  'click',
  (event) => {
    const target = event.target as Element;
    const menu = target.closest<HTMLDetailsElement>('header details');
    const dialog = menu?.querySelector('dialog');
    // Safari before 15.4 has no showModal; there the `<details>` opens and closes by itself.
    if (!menu || !dialog?.showModal) return;
    if (target.closest('summary')) {
      event.preventDefault();
      menu.open = true;
      dialog.showModal();
    } else if (target === dialog || target.closest('a, button')) {
      // The backdrop, the close button or a link. Closed before React scrolls to a section that the dialog makes inert.
      dialog.close();
    }
  },
  true,
);

addEventListener(
  'close',
  ({ target }) => {
    const menu = (target as Element).closest<HTMLDetailsElement>('header details');
    if (menu) menu.open = false;
  },
  true,
);

// Above the menu's breakpoint an open dialog would be invisible, and the page behind it inert.
matchMedia('(min-width: 60em)').addEventListener('change', () => openDialog()?.close());
