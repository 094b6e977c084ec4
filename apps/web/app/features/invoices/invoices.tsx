import { useMay } from '../../api/may.ts'
import { IconReceipt } from '../../components/icons.ts'
import { Button } from '../../components/ui/button.tsx'
import { font, row } from '../../components/ui/classes.ts'
import { type Column, DataList } from '../../components/ui/data-list.tsx'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { StatusBadge } from '../../components/ui/status-badge.tsx'
import { Tabs } from '../../components/ui/tabs.tsx'
import { type DashboardHandle, useDashboardText } from '../../lib/dashboard-text.ts'
import { plainAmount } from '../../lib/format.ts'
import type { PageHandle } from '../../lib/page-meta.ts'
import { useSamplesText } from '../../lib/samples-text.ts'
import { useFormats } from '../../lib/use-formats.ts'
import { useTab } from '../../lib/use-tab.ts'
import styles from './invoices.module.css'

export const handle: PageHandle & DashboardHandle = {
  title: 'invoicesPage',
  needs: 'invoices.read',
  sample: true,
}

const labels = {
  all: 'invoiceAll',
  paid: 'invoicePaid',
  pending: 'invoicePending',
  overdue: 'invoiceOverdue',
  draft: 'invoiceDraft',
} as const

/** A preview with sample invoices. Its buttons have no functions yet. */
export default function Invoices() {
  const [filter, setFilter] = useTab('status', invoiceFilters)
  const t = useSamplesText()
  const dashboard = useDashboardText()
  const mayWrite = useMay('invoices.write')
  const columns = useInvoiceColumns(mayWrite)
  const invoices = invoicesFor(filter)
  return (
    <>
      <PageHeader title={dashboard('invoicesPage')} subtitle={t('invoicesIntro')}>
        {mayWrite && <Button>{t('createInvoice')}</Button>}
      </PageHeader>
      <Tabs
        label={t('invoicesByStatus')}
        tabs={invoiceFilters.map((name) => ({
          name,
          label: (
            <>
              {t(labels[name])} <small>{invoicesFor(name).length}</small>
            </>
          ),
        }))}
        current={filter}
        onOpen={setFilter}
      >
        {invoices.length > 0 ? (
          <DataList
            label={dashboard('invoicesPage')}
            className={styles.list}
            columns={columns}
            items={invoices}
            keyOf={({ id }) => id}
          />
        ) : (
          <EmptyState icon={IconReceipt} title={t('noInvoices')} />
        )}
      </Tabs>
    </>
  )
}

const tones = { paid: 'green', pending: 'yellow', overdue: 'red', draft: 'grey' } as const

function useInvoiceColumns(mayWrite: boolean): readonly Column<Invoice>[] {
  const t = useSamplesText()
  const dashboard = useDashboardText()
  const { dayText } = useFormats()
  return [
    { title: t('invoiceNumber'), area: 'number', cell: ({ invoiceNumber }) => invoiceNumber },
    {
      title: t('invoiceCustomer'),
      area: 'customer',
      className: font('medium', 'anywhere'),
      cell: ({ customerName }) => customerName,
    },
    {
      title: t('invoiceAmount'),
      area: 'amount',
      align: 'end',
      cardTitle: 'USD',
      cell: ({ amount }) => plainAmount(amount),
    },
    {
      title: dashboard('status'),
      area: 'status',
      align: 'endInCard',
      cell: ({ status }) => <StatusBadge tone={tones[status]}>{t(labels[status])}</StatusBadge>,
    },
    {
      title: t('issueDate'),
      area: 'issued',
      isQuiet: true,
      cardTitle: t('issued'),
      cell: ({ issueDate }) => dayText(issueDate),
    },
    {
      title: t('dueDate'),
      area: 'due',
      align: 'endInCard',
      isQuiet: true,
      cardTitle: t('due'),
      cell: ({ dueDate }) => dayText(dueDate),
    },
    {
      title: dashboard('actions'),
      area: 'actions',
      align: 'end',
      cell: ({ invoiceNumber: number }) => (
        <div className={`${styles.actions} ${row('gap8')}`}>
          <Action name={t('viewInvoice')} label={t('viewOneInvoice', { number })} />
          {mayWrite && <Action name={t('editInvoice')} label={t('editOneInvoice', { number })} />}
        </div>
      ),
    },
  ]
}

const Action = ({ name, label }: { readonly name: string; readonly label: string }) => (
  <Button kind="default" size="small" aria-label={label}>
    {name}
  </Button>
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

/** Samples for each status but one, so that the preview also shows an empty list. */
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
