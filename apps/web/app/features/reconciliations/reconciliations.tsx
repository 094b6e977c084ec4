import { EmptyState } from '../../components/empty-state.tsx'
import { IconArrowsExchange } from '../../components/icons.ts'
import { PageHeader } from '../../components/page-header.tsx'
import panel from '../../components/panel.module.css'
import { type DashboardHandle, useDashboardText } from '../../lib/dashboard-text.ts'
import type { PageHandle } from '../../lib/page-meta.ts'
import { useSamplesText } from '../../lib/samples-text.ts'

export const handle: PageHandle & DashboardHandle = { title: 'reconciliationsPage', sample: true }

export default function Reconciliations() {
  const t = useSamplesText()
  const dashboard = useDashboardText()
  return (
    <>
      <PageHeader title={dashboard('reconciliationsPage')} />
      <section className={panel.panel}>
        <EmptyState icon={IconArrowsExchange} title={t('noReconciliations')}>
          {t('noReconciliationsText')}
        </EmptyState>
      </section>
    </>
  )
}
