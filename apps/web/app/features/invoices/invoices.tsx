import { Button, Tabs } from '@mantine/core'
import { useState } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconReceipt } from '../../components/icons.ts'
import { PageHead } from '../../components/page-header.tsx'
import panel from '../../components/panel.module.css'
import { capitalise } from '../../lib/format.ts'
import type { PageHandle } from '../../lib/page-meta.ts'
import { InvoiceRows } from './invoice-rows.tsx'
import styles from './invoices.module.css'
import { type InvoiceFilter, invoiceFilters, invoicesFor } from './sample-invoices.ts'

export const meta = () => [{ title: 'Invoices · Muripo' }, { name: 'robots', content: 'noindex' }]

export const handle: PageHandle = { sample: true }

/** A preview of invoices: the functions of its buttons are not decided yet. */
export default function Invoices() {
  const [filter, setFilter] = useState<InvoiceFilter>('all')
  return (
    <>
      <PageHead title="Invoices" subtitle="Sample data, to show what this page will hold.">
        <Button>Create Invoice</Button>
      </PageHead>
      <Tabs
        value={filter}
        onChange={(value) => setFilter(value as InvoiceFilter)}
        className={panel.panel ?? ''}
        keepMounted={false}
      >
        <Tabs.List aria-label="Invoices by status" className={styles.tabs}>
          {invoiceFilters.map((name) => (
            <Tabs.Tab key={name} value={name} className={styles.tab}>
              {capitalise(name)} <span className={styles.count}>{invoicesFor(name).length}</span>
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {invoiceFilters.map((name) => (
          <Tabs.Panel key={name} value={name}>
            {invoicesFor(name).length > 0 ? (
              <InvoiceRows invoices={invoicesFor(name)} />
            ) : (
              <EmptyState icon={IconReceipt} title="No invoices found for the selected filter." />
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}
