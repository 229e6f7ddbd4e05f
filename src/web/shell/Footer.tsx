import { fill } from '../../model/phrase.ts';
import { nameOf } from '../../model/site-words.ts';
import { PageLink } from '../navigation/PageLink.tsx';
import { usePageData } from '../page-data-context.ts';
import { ShieldedSite } from '../safety/ShieldedSite.tsx';
import styles from './Footer.module.css';
import { MailIcon, PeopleIcon } from './icons.tsx';
import { Words } from './Words.tsx';

/** @param isForm a link that loads another page would empty a form that is half filled in */
export function Footer({ isForm = false }) {
  const { site, year, footer, menu = [] } = usePageData();
  const several = site.social.length > 1;
  return (
    <footer className={styles.footer}>
      <p>
        © {year} <Words phrase={site.owner} />
      </p>
      {site.shieldedSite && <ShieldedSite />}
      <ul className={styles.links}>
        {!isForm &&
          footer?.map(({ path, label }) => (
            <li
              key={path}
              className={several && menu.some((link) => link.label === label) ? styles.inBar : undefined}
            >
              <a href={path}>
                <Words phrase={label} />
              </a>
            </li>
          ))}
        {!isForm && (
          // Beside the mail link: a form leaves no sent mail.
          <li>
            <PageLink to="contact">
              <Words phrase={nameOf('contact', site)} />
            </PageLink>
          </li>
        )}
        <li>
          <a href={`mailto:${site.adminEmail}`}>
            <MailIcon />
            <Words phrase={site.shell.mailLink} />
          </a>
        </li>
        {site.social.map(({ name, url }) => (
          <li key={url}>
            <a href={url} rel="noreferrer">
              <PeopleIcon />
              {/* Several links have short labels, so that the footer fits one row at 960 px. */}
              <Words phrase={several ? name : fill(site.shell.socialLink, { social: name })} />
            </a>
          </li>
        ))}
      </ul>
    </footer>
  );
}
