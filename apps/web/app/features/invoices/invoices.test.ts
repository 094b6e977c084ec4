import { expect, test } from 'vitest'
import { invoiceFilters, invoicesFor } from './invoices.tsx'

test('[INV-01] there are four sample invoices', () => expect(invoicesFor('all')).toHaveLength(4))

test('[INV-11] each invoice has these fields', () => {
  for (const invoice of invoicesFor('all')) {
    expect(Object.keys(invoice).sort()).toEqual(
      ['id', 'invoiceNumber', 'customerName', 'amount', 'status', 'dueDate', 'issueDate'].sort(),
    )
    expect(invoice.dueDate > invoice.issueDate).toBe(true)
  }
})

test('[INV-03] [INV-04] each invoice is listed under all and under its own status', () => {
  expect(invoiceFilters).toEqual(['all', 'paid', 'pending', 'overdue', 'draft'])
  const [, ...statuses] = invoiceFilters
  expect(statuses.flatMap((status) => invoicesFor(status)).length).toBe(4)
  for (const status of statuses) expect(invoicesFor(status).every((one) => one.status === status)).toBe(true)
})
