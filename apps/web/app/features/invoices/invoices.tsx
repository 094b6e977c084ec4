import { Button, Tabs } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { type Column, DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconReceipt } from '../../components/icons.ts'
import { PageHead } from '../../components/page-header.tsx'
import panel from '../../components/panel.module.css'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { DashboardHandle } from '../../lib/dashboard-text.ts'
import { capitalise, dayText, plainAmount } from '../../lib/format.ts'
import type { PageHandle } from '../../lib/page-meta.ts'
import styles from './invoices.module.css'

export const handle: PageHandle & DashboardHandle = { title: 'invoicesPage', sample: true }

/** A preview of invoices: the functions of its buttons are not decided yet. */
export default function Invoices() {
  const [filter, setFilter] = useFilter()
  return (
    <>
      <PageHead title="Invoices" subtitle="Sample data, to show what this page will hold.">
        <Button>Create Invoice</Button>
      </PageHead>
      <Tabs value={filter} onChange={setFilter} className={panel.panel ?? ''} keepMounted={false}>
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

/** The open tab is in the address: a reload and the back button return to it. */
function useFilter() {
  const [search, setSearch] = useSearchParams()
  const named = invoiceFilters.find((name) => name === search.get('status')) ?? 'all'
  const open = (name: string | null) =>
    setSearch(name === null || name === 'all' ? {} : { status: name }, { preventScrollReset: true })
  return [named, open] as const
}

const tones = { paid: 'green', pending: 'yellow', overdue: 'red', draft: 'grey' } as const

const columns: readonly Column<Invoice>[] = [
  { title: 'Invoice #', area: 'number', cell: ({ invoiceNumber }) => invoiceNumber },
  {
    title: 'Customer',
    area: 'customer',
    className: styles.customer,
    cell: ({ customerName }) => customerName,
  },
  {
    title: 'Amount (USD)',
    area: 'amount',
    align: 'end',
    cardTitle: 'USD',
    cell: ({ amount }) => plainAmount(amount),
  },
  {
    title: 'Status',
    area: 'status',
    align: 'endInCard',
    cell: ({ status }) => <StatusBadge tone={tones[status]}>{capitalise(status)}</StatusBadge>,
  },
  {
    title: 'Issue Date',
    area: 'issued',
    isQuiet: true,
    cardTitle: 'Issued',
    cell: ({ issueDate }) => dayText(issueDate),
  },
  {
    title: 'Due Date',
    area: 'due',
    align: 'endInCard',
    isQuiet: true,
    cardTitle: 'Due',
    cell: ({ dueDate }) => dayText(dueDate),
  },
  {
    title: 'Actions',
    area: 'actions',
    align: 'end',
    cell: ({ invoiceNumber }) => (
      <div className={styles.actions}>
        {['View', 'Edit'].map((action) => (
          <Button
            key={action}
            variant="default"
            size="sm"
            className={panel.rowButton ?? ''}
            aria-label={`${action} ${invoiceNumber}`}
          >
            {action}
          </Button>
        ))}
      </div>
    ),
  },
]

const InvoiceRows = ({ invoices }: { readonly invoices: readonly Invoice[] }) => (
  <DataList
    label="Invoices"
    className={styles.list}
    columns={columns}
    items={invoices}
    keyOf={({ id }) => id}
  />
)

const invoiceStatuses = ['paid', 'pending', 'overdue', 'draft'] as const
type InvoiceStatus = (typeof invoiceStatuses)[number]

export const invoiceFilters = ['all', ...invoiceStatuses] as const
type InvoiceFilter = (typeof invoiceFilters)[number]

export interface Invoice {
  readonly id: string
  readonly invoiceNumber: string
  readonly customerName: string
  readonly amount: number
  readonly status: InvoiceStatus
  readonly issueDate: string
  readonly dueDate: string
}

/** Shows what the page will be like, a status without invoices included; nothing here is anybody's. */
const sampleInvoices: readonly Invoice[] = [
  {
    id: '1',
    invoiceNumber: 'INV-001',
    customerName: 'Mbare Fresh Produce',
    amount: 1250,
    status: 'paid',
    issueDate: '2026-01-05',
    dueDate: '2026-02-04',
  },
  {
    id: '2',
    invoiceNumber: 'INV-002',
    customerName: 'Sunrise Bakery',
    amount: 480.5,
    status: 'pending',
    issueDate: '2026-01-12',
    dueDate: '2026-02-11',
  },
  {
    id: '3',
    invoiceNumber: 'INV-003',
    customerName: 'Kariba Boat Hire',
    amount: 2100,
    status: 'overdue',
    issueDate: '2025-12-01',
    dueDate: '2025-12-31',
  },
  {
    id: '4',
    invoiceNumber: 'INV-004',
    customerName: 'Avondale Books',
    amount: 315.75,
    status: 'paid',
    issueDate: '2026-01-20',
    dueDate: '2026-02-19',
  },
]

export const invoicesFor = (filter: InvoiceFilter): readonly Invoice[] =>
  sampleInvoices.filter(({ status }) => filter === 'all' || status === filter)
