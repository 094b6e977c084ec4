const invoiceStatuses = ['paid', 'pending', 'overdue', 'draft'] as const
type InvoiceStatus = (typeof invoiceStatuses)[number]

export const invoiceFilters = ['all', ...invoiceStatuses] as const
export type InvoiceFilter = (typeof invoiceFilters)[number]

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
