import { hasCode } from '../api/api-error.ts'
import { useAccessText } from '../lib/access-text.ts'
import { notice } from './ui/classes.ts'

/** Beside a form whose role has lost its permission while it was open. The typed text stays. */
export function Refusal({ error }: { readonly error: Error | null }) {
  const t = useAccessText()
  return (
    hasCode(error, 'not_permitted') && (
      <p className={notice('failure', 'above16')} role="alert">
        {t('noLongerAllowed')}
      </p>
    )
  )
}
