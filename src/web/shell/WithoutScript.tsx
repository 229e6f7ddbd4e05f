import { useSite } from '../page-data-context.ts';
import { AlternativeContactText } from './AlternativeContact.tsx';
import { Words } from './Words.tsx';

/** Only where scripts do not run, so the form cannot be sent. */
export function WithoutScript() {
  const site = useSite();
  return (
    <noscript>
      <p>
        <strong>
          <Words phrase={site.form.noScript} />
        </strong>
      </p>
      <AlternativeContactText />
    </noscript>
  );
}
