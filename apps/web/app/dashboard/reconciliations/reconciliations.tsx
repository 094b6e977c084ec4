import type { PageHandle } from '../../lib/handle.ts'
import { IconArrowsExchange } from '../../ui/icons.ts'
import { EmptyState } from '../../ui/message.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import panel from '../../ui/panel.module.css'

export const meta = () => [{ title: 'Reconciliations · Muripo' }, { name: 'robots', content: 'noindex' }]

export const handle: PageHandle = { sample: true }

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
