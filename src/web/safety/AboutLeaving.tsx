import { useSite } from '../page-data-context.ts';
import { Words } from '../shell/Words.tsx';
import { Fold } from './Fold.tsx';

/** What the exit does and cannot do. Folded, so that the form is not pushed down. */
export function AboutLeaving() {
  const { heading, text } = useSite().leave.about;
  return (
    <Fold summary={heading}>
      <p>
        <Words phrase={text} />
      </p>
    </Fold>
  );
}
