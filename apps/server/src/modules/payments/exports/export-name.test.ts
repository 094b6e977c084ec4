import { AccountId } from '@muripo/contract/ids'
import { ExportQuery, MovementsQuery } from '@muripo/contract/payment-exports'
import { expect, test } from 'vitest'
import { exportName, movementsName } from './export-name.ts'

const accountId = AccountId.parse('mer_01h455vb4pex5vsknk084sn02q')

test.each([
  [{}, 'muripo-payments-tariro-moyo-all.csv'],
  [{ from: '2026-11-01', to: '2026-11-30' }, 'muripo-payments-tariro-moyo-2026-11-01-to-2026-11-30.csv'],
  [{ from: '2026-11-01' }, 'muripo-payments-tariro-moyo-from-2026-11-01.csv'],
  [{ to: '2026-11-30' }, 'muripo-payments-tariro-moyo-until-2026-11-30.csv'],
  [{ status: 'failed' }, 'muripo-payments-tariro-moyo-filtered.csv'],
  [{ to: '2026-11-30', search: 'x' }, 'muripo-payments-tariro-moyo-until-2026-11-30-filtered.csv'],
])('[PAY-04] the file for %j contains account and range', (query, name) => {
  expect(exportName(accountId, 'Tariro Moyo', ExportQuery.parse(query))).toBe(name)
})

test('the file of movements has a name of its own', () => {
  const november = MovementsQuery.parse({ from: '2026-11-01', to: '2026-11-30', texts: 'exact' })
  expect(movementsName(accountId, 'Tariro Moyo', november)).toBe(
    'muripo-movements-tariro-moyo-2026-11-01-to-2026-11-30.csv',
  )
})

test.each([
  ["Tendai's Crafts (Pvt) Ltd", 'tendais-crafts-pvt-ltd'],
  ['Café Ünïque', 'cafe-unique'],
  ['a"b\r\nc/../d', 'a-b-c-d'],
  ['商店', accountId],
  ['x'.repeat(200), 'x'.repeat(40)],
])('the account %j is a safe part of a file name', (fullname, account) => {
  expect(exportName(accountId, fullname, ExportQuery.parse({}))).toBe(`muripo-payments-${account}-all.csv`)
})
