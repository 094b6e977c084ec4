import { useDashboardText } from '../lib/dashboard-text.ts'
import { paths } from '../lib/paths.ts'
import { ButtonLink } from './ui/button.tsx'

/** The next step of a merchant who has no payment yet. */
export function HowToPay() {
  const t = useDashboardText()
  return (
    <ButtonLink to={paths.firstPayment} kind="default">
      {t('howToPay')}
    </ButtonLink>
  )
}
