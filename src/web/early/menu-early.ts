/**
 * Makes a modal dialog of the open menu: the browser then keeps the focus in it, closes it on Esc and gives the focus
 * back. It travels inside the page, because whoever is in a hurry opens the menu before the rest has been fetched.
 */

const openDialog = () => document.querySelector<HTMLDialogElement>('header dialog[open]');

addEventListener(
  'click',
  (event) => {
    const target = event.target as Element;
    const menu = target.closest<HTMLDetailsElement>('header details');
    const dialog = menu?.querySelector('dialog');
    // Before Safari 15.4 there is no such thing; the menu then opens and closes as the browser has it.
    if (!menu || !dialog?.showModal) return;
    if (target.closest('summary')) {
      event.preventDefault();
      menu.open = true;
      dialog.showModal();
    } else if (target === dialog || target.closest('a, button')) {
      // Beside it, its own button, or a choice: before React sees it, which scrolls to what a modal dialog would bar.
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

// Where the window grows past the menu's breakpoint, an open one would leave the page unreachable behind it.
matchMedia('(min-width: 60em)').addEventListener('change', () => openDialog()?.close());
