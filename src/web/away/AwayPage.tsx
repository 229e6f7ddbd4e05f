import type { Helplines } from '../../model/helplines.ts';
import type { PageData } from '../../model/page-data.ts';
import type { Site } from '../../model/site.ts';
import type { AwayPageProps } from '../../model/view.ts';
import app from '../App.module.css';
import exit from '../leave/ExitLink.module.css';
import { PageDataContext } from '../page-data-context.ts';
import helpNow from '../safety/HelpNow.module.css';
import { Line } from '../safety/HelpNow.tsx';
import { InDanger } from '../safety/InDanger.tsx';
import { TrustPhone } from '../safety/TrustPhone.tsx';
import contactStyles from '../shell/AlternativeContact.module.css';
import { CloseIcon } from '../shell/icons.tsx';
import bar from '../shell/TopBar.module.css';
import { Words } from '../shell/Words.tsx';
import buttons from '../styles/buttons.module.css';

/**
 * What the reverse proxy shows while the server is down. One file for every path, without a script and without anything to
 * fetch.
 */
export function AwayPage({ site, closed, helplines, logo, posted }: AwayPageProps) {
  const { away } = site;
  const text = posted ? away.notSent : away;
  const lines = (
    <section key="lines" className={`away-lines ${helpNow.block}`}>
      <h2>
        <Words phrase={helplines.heading} />
      </h2>
      <ul className={helpNow.lines}>
        {helplines.lines.map((line, index) => (
          <Line key={line.name} line={line} id={`line-${index}`} />
        ))}
      </ul>
    </section>
  );
  const contact = (
    <section key="contact" className={`away-contact ${contactStyles.block}`}>
      <h2>
        <Words phrase={away.contact.heading} />
      </h2>
      <TrustPhone />
      <p>
        <Words phrase={away.contact.message} />
      </p>
      <p>
        <Words phrase={site.alternativeContact.mailNote} />
      </p>
    </section>
  );
  return (
    <PageDataContext value={partialPageData(site, helplines)}>
      <header className={bar.bar}>
        <span className={bar.name}>
          <img className={bar.logo} src={logo} alt="" width="60" height="60" />
          <span>
            <Words phrase={site.organisation} />
          </span>
        </span>
        <Exit site={site} />
      </header>
      <main className={app.main}>
        <InDanger />
        {closed && (
          <p id="closed">
            <Words phrase={closed.notice} />
          </p>
        )}
        <div className="away">
          <section className="away-said">
            <h1>
              <Words phrase={text.heading} />
            </h1>
            <p>
              <Words phrase={text.message} />
            </p>
            {!posted && (
              // Not after a POST: the link would be a GET without the form.
              // biome-ignore lint/a11y/useValidAnchor: an empty href is the current URL
              <a href="" className={buttons.primary}>
                <Words phrase={away.tryAgain} />
              </a>
            )}
          </section>
          {/* A visitor who sent a form needs the trust's number first; any other visitor, the helplines. */}
          {posted ? [contact, lines] : [lines, contact]}
        </div>
      </main>
    </PageDataContext>
  );
}

/** The exit without its hint: three presses of Shift need a script. */
function Exit({ site }: { site: Site }) {
  return (
    <a href={site.leave.address} rel="nofollow noreferrer" className={exit.exit}>
      <CloseIcon />
      <Words phrase={site.leave.label} />
    </a>
  );
}

/** As much of the page data as the components used here need. */
const partialPageData = (site: Site, helplines: Helplines) =>
  ({ site, helplines, language: { ...site.language, prefix: '' } }) as unknown as PageData;
