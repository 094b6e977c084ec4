import { IconArrowsExchange } from '../../components/icons.ts'
import { panelClass } from '../../components/ui/classes.ts'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { type DashboardHandle, useDashboardText } from '../../lib/dashboard-text.ts'
import type { PageHandle } from '../../lib/page-meta.ts'
import { useSamplesText } from '../../lib/samples-text.ts'

export const handle: PageHandle & DashboardHandle = {
  title: 'reconciliationsPage',
  needs: 'balance.read',
  sample: true,
}

export default function Reconciliations() {
  const t = useSamplesText()
  const dashboard = useDashboardText()
  return (
    <>
      <PageHeader title={dashboard('reconciliationsPage')} />
      <section className={panelClass}>
        <EmptyState icon={IconArrowsExchange} title={t('noReconciliations')}>
          {t('noReconciliationsText')}
        </EmptyState>
      </section>
    </>
  )
}
