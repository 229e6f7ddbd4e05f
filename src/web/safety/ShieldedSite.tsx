import { useRef, useState } from 'react';
import { asText } from '../../model/phrase.ts';
import { shieldedSiteAddress, shieldedSiteSize } from '../../model/shielded-site.ts';
import { ExitLink } from '../leave/ExitLink.tsx';
import { useSite } from '../page-data-context.ts';
import iconButton from '../shell/icon-button.module.css';
import { CloseIcon } from '../shell/icons.tsx';
import { Words } from '../shell/Words.tsx';

/** The Women's Refuge portal, in a dialog, with rules from server/pages/page-css.ts, which only a site with the portal sends. Its frame is rendered only while open: until then no other host is contacted. */
export function ShieldedSite() {
  const { shieldedText } = useSite();
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        id="shielded-button"
        aria-haspopup="dialog"
        onClick={() => {
          dialog.current?.showModal();
          setOpen(true);
        }}
      >
        <Words phrase={shieldedText.button} />
      </button>
      <dialog ref={dialog} id="shielded" aria-labelledby="shielded-site" onClose={() => setOpen(false)}>
        <div>
          <button type="button" className={iconButton.button} onClick={() => dialog.current?.close()}>
            <CloseIcon />
            <span className="visually-hidden">
              <Words phrase={shieldedText.close} />
            </span>
          </button>
          <ExitLink />
        </div>
        <h2 id="shielded-site">
          <Words phrase={shieldedText.heading} />
        </h2>
        {open && (
          <iframe
            src={shieldedSiteAddress}
            title={asText(shieldedText.heading)}
            {...shieldedSiteSize}
            referrerPolicy="no-referrer"
            sandbox="allow-forms allow-popups allow-same-origin allow-scripts"
          />
        )}
      </dialog>
    </>
  );
}
