import type { ReactNode } from 'react'
import { test } from 'vitest'
import { checkDisguised, openDisguised } from '../../../test/pseudo-dashboard.tsx'
import Reconciliations from '../reconciliations/reconciliations.tsx'
import Invoices, { invoicesFor } from './invoices.tsx'

const values = [
  ...invoicesFor('all').flatMap(({ invoiceNumber, customerName }) => [invoiceNumber, customerName]),
  'USD',
  '1,250.00',
  '480.50',
  '2,100.00',
  '315.75',
  '4',
  '2',
  '1',
  '0',
]

test.each<[string, ReactNode]>([
  ['invoices', <Invoices key="page" />],
  ['reconciliations', <Reconciliations key="page" />],
])('every text of the page is translated and fits: %s', async (_name, content) => {
  await openDisguised(content)
  await checkDisguised(values)
})
