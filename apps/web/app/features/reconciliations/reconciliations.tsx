import { EmptyState } from '../../components/empty-state.tsx'
import { IconArrowsExchange } from '../../components/icons.ts'
import { PageHead } from '../../components/page-header.tsx'
import panel from '../../components/panel.module.css'
import type { DashboardHandle } from '../../lib/dashboard-text.ts'
import type { PageHandle } from '../../lib/page-meta.ts'

export const handle: PageHandle & DashboardHandle = { title: 'reconciliationsPage', sample: true }

export default function Reconciliations() {
  return (
    <>
      <PageHead title="Reconciliations" />
      <section className={panel.panel}>
        <EmptyState icon={IconArrowsExchange} title="You have no reconciliations as of yet">
          We will update you when you have pending reconciliations.
        </EmptyState>
      </section>
    </>
  )
}
