import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readAmount } from './amounts.ts'
import { readMoment } from './dates.ts'
import { Mapping } from './mapping.ts'
import { readCamt } from './read-camt.ts'
import { readTable } from './read-table.ts'
import { rowsOfCsv, rowsOfSheet } from './rows.ts'
import type { StatementLine, StatementPart } from './statement.ts'

const point = { decimal: '.', thousands: ',', currency: 'USD' } as const
const comma = { decimal: ',', thousands: '.', currency: 'EUR' } as const

test.for([
  ['12.5', point, 1250n],
  ['1,234.50', point, 123450n],
  ['-1,234.50', point, -123450n],
  ['1,234.50-', point, -123450n],
  ['(1,234.50)', point, -123450n],
  ['12.00 DR', point, -1200n],
  ['12.00CR', point, 1200n],
  ['USD 12.00', point, 1200n],
  ['12.000', point, 1200n],
  ['+31070,11', comma, 3107011n],
  ['1.617,97 EUR', comma, 161797n],
  ['59\u00a0258,71', { ...comma, thousands: ' ' }, 5925871n],
  ['454331.99', point, 45433199n],
  ['5', { ...point, currency: 'JPY' }, 5n],
] as const)('reads the amount %s', ([text, style, minor]) => {
  expect(readAmount(text, style)).toBe(minor)
})

test.for([
  ['12.005', point],
  ['1,23.00', point],
  ['1.234,50', point],
  ['12,50', { ...point, thousands: '' }],
  ['EUR 12.00', point],
  ['--12.00', point],
  ['1e5', point],
  ['', point],
  ['.', point],
  ['123456789012345678', point],
] as const)('does not read %s as an amount', ([text, style]) => {
  expect(() => readAmount(text, style)).toThrow()
})

test.for([
  ['2026-11-28', 'DMY', '2026-11-28', null],
  ['2017-04-01+02:00', 'YMD', '2017-04-01', null],
  ['28/11/2026', 'DMY', '2026-11-28', null],
  ['11/28/26', 'MDY', '2026-11-28', null],
  ['3.5.17', 'DMY', '2017-05-03', null],
  ['28-Nov-2026 14:05', 'DMY', '2026-11-28', '14:05:00'],
  ['2026-11-28 14:05:09.0', 'YMD', '2026-11-28', '14:05:09'],
  ['2026-11-28T23:59:59.999+02:00', 'YMD', '2026-11-28', '23:59:59'],
  ['20261128', 'YMD', '2026-11-28', null],
] as const)('reads the date %s in the order %s', ([text, order, day, time]) => {
  expect(readMoment(text, order)).toEqual({ day, time })
})

test.for([
  ['28/11/2026', 'MDY'],
  ['2026-02-30', 'YMD'],
  ['today', 'DMY'],
  ['', 'DMY'],
  ['11/2026', 'DMY'],
  ['1/1/202', 'DMY'],
  ['2026-11-28 25:00', 'YMD'],
] as const)('does not read %s in the order %s', ([text, order]) => {
  expect(() => readMoment(text, order)).toThrow(/is not a date/)
})

const source = { currency: 'USD', account: '263-771' }

async function all(parts: AsyncIterable<StatementPart> | Iterable<StatementPart>): Promise<StatementPart[]> {
  const found: StatementPart[] = []
  for await (const part of parts) found.push(part)
  return found
}
const readCsv = (text: string | Buffer, mapping: object) => {
  const parsed = Mapping.parse(mapping)
  async function* bytes() {
    // A character of several bytes is cut in two.
    for (const byte of Buffer.from(text)) yield Buffer.of(byte)
  }
  return all(readTable(rowsOfCsv(bytes(), parsed), parsed, source))
}
const lines = (parts: readonly StatementPart[]): StatementLine[] =>
  parts.flatMap((part) => (part.is === 'line' ? [part.line] : []))
const headOf = (parts: readonly StatementPart[]) => parts.find((part) => part.is === 'end')?.head

test('reads a preamble, titles of another alphabet in windows-1251, continued rows and a footer', async () => {
  const text = `Счёт;263 771
Остаток;1.010,00 USD
;
Дата;Операция;Сумма
01.11.26;Оплата;12,50-
;продолжение;
;и ещё;
01.11.26;Оплата;12,50-
Итого списано;;25,00
`
  const letters = new Map(
    Array.from({ length: 256 }, (_, byte) => [new TextDecoder('windows-1251').decode(Buffer.of(byte)), byte]),
  )
  const bytes = Buffer.from([...text].map((letter) => letters.get(letter) ?? 0x3f))
  const parts = await readCsv(bytes, {
    encoding: 'windows-1251',
    separator: ';',
    header: 4,
    decimal: ',',
    thousands: '.',
    dateOrder: 'DMY',
    continued: true,
    bookedOn: ['Дата'],
    amount: { column: 'Сумма' },
    details: ['Операция'],
    order: 'newest first',
    facts: { closing: { label: 'Остаток', column: 2 }, debits: { label: 'Итого списано', column: 3 } },
  })
  expect(lines(parts)).toMatchObject([
    { row: 5, entry: 1, bookedOn: '2026-11-01', netMinor: -1250n, details: 'Оплата продолжение и ещё' },
    { row: 8, entry: 2, netMinor: -1250n, details: 'Оплата' },
  ])
  expect(headOf(parts)).toMatchObject({ closingMinor: 101000n, debits: { minor: 2500n } })
})

test('reads what a provider keeps, its words for kinds and states, and rows that are pending', async () => {
  const text = `Receipt,Completed,Clock,State,What,Paid,Charge,Balance,Ours
R1,28/11/2026,09:15,Done,Sale,100.00,2.00,98.00,pay_1
R2,28/11/2026,09:16,Waiting,Sale,50.00,1.00,147.00,pay_2
R3,28/11/2026,09:17,Done,Reversal,-100.00,0.00,47.00,pay_1
R4,28/11/2026,09:18,Lost,Sale,1.00,0.00,48.00,pay_3
`
  const parts = await readCsv(text, {
    dateOrder: 'DMY',
    bookedOn: ['Completed'],
    time: 'Clock',
    amount: { column: 'Paid' },
    amountIs: 'gross',
    fee: 'Charge',
    kind: { column: 'What', words: { charge: ['Sale'], reversal: ['Reversal'] } },
    status: { column: 'State', booked: ['Done'], skipped: ['Waiting'] },
    balance: { column: 'Balance', countsSkipped: true },
    reference: ['Receipt'],
    ourReference: 'Ours',
  })
  expect(parts.map(({ is }) => is)).toEqual(['line', 'skipped', 'line', 'unread', 'end'])
  expect(lines(parts)).toMatchObject([
    {
      kind: 'charge',
      time: '09:15:00',
      netMinor: 9800n,
      feeMinor: 200n,
      reference: 'R1',
      ourReference: 'pay_1',
    },
    { kind: 'reversal', netMinor: -10000n, feeMinor: 0n },
  ])
  expect(parts[1]).toEqual({ is: 'skipped', netMinor: 4900n })
  expect(parts[3]).toMatchObject({ unread: { row: 5, reason: 'the status "Lost" is not in the mapping' } })
})

test.for([
  [{ column: 2 }, 'x,-5.00', -500n],
  [{ column: 2, debits: 'positive' }, 'x,5.00', -500n],
  [{ credit: 2, debit: 3 }, 'x,,5.00', -500n],
  [{ credit: 2, debit: 3 }, 'x,5.00,0', 500n],
  [{ credit: 2, debit: 3, debits: 'negative' }, 'x,,-5.00', -500n],
  [{ column: 2, indicator: 3, creditWords: ['C'], debitWords: ['D'] }, 'x,5.00,D', -500n],
  [{ column: 2, indicator: 3, creditWords: ['C'], debitWords: ['D'] }, 'x,5.00,C', 500n],
] as const)('reads the sign by the mapping %j', async ([amount, row, minor]) => {
  const parts = await readCsv(row.replace('x', '2026-11-28'), {
    header: 0,
    dateOrder: 'YMD',
    bookedOn: [1],
    amount,
  })
  expect(lines(parts)).toMatchObject([{ netMinor: minor }])
})

test('refuses another account or currency than that of the source, and a fact that changes', async () => {
  const mapping = {
    dateOrder: 'YMD',
    bookedOn: ['D'],
    amount: { column: 'A' },
    facts: { account: { each: 'N' }, currency: { each: 'C' } },
  }
  const of = (...rows: string[]) => readCsv(['D,A,N,C', ...rows].join('\n'), mapping)
  expect(lines(await of('2026-11-28,1.00,263-771,USD'))).toHaveLength(1)
  await expect(of('2026-11-28,1.00,1263-771,USD')).rejects.toThrow(
    'is not the account of this source, which is 263-771',
  )
  await expect(of('2026-11-28,1.00,263-771,ZWG')).rejects.toThrow('ZWG is not the currency of this source')
  await expect(of('2026-11-28,1.00,263-771,USD', '2026-11-28,1.00,263-772,USD')).rejects.toThrow(
    'Row 3: the account is "263-772", and was "263-771" above.',
  )
})

test('reads a workbook with dates, numbers and texts', async () => {
  const mapping = Mapping.parse({
    header: 3,
    decimal: ',',
    dateOrder: 'DMY',
    bookedOn: ['Date'],
    amount: { column: 'Amount' },
    reference: ['Reference'],
    facts: { opening: { row: 1, column: 2 }, closing: { label: 'Closing', column: 2 } },
  })
  const file = readFileSync(path.resolve(import.meta.dirname, '../../../../test/statements/workbook.xlsx'))
  const parts = await all(readTable(rowsOfSheet(file, mapping), mapping, source))
  expect(lines(parts)).toMatchObject([
    { row: 4, bookedOn: '2026-11-27', netMinor: 1250n, reference: '00012' },
    { row: 5, bookedOn: '2026-11-28', netMinor: -30n, reference: 'R2' },
  ])
  expect(headOf(parts)).toMatchObject({ openingMinor: 10000n, closingMinor: 11220n })
  await expect(all(readTable(rowsOfSheet(file.subarray(0, 900), mapping), mapping, source))).rejects.toThrow(
    'The file is not a workbook',
  )
})

const entry = (
  amount: string,
  extra = '',
  status = 'BOOK',
) => `<Ntry><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd>
<Sts>${status}</Sts><BookgDt><Dt>2026-11-28</Dt></BookgDt><AcctSvcrRef>NONREF</AcctSvcrRef>${extra}</Ntry>`
const detail = (amount: string, id: string) =>
  `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></TxDtls>`
const camt = (body: string, namespace = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08') =>
  Buffer.from(`<?xml version="1.0"?>
<Document xmlns="${namespace}"><BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>263-771</Id></Othr></Id></Acct>
${body}
</Stmt></BkToCstmrStmt></Document>`)

test('reads the details of an entry as lines where they sum to it, and nothing that is not booked', async () => {
  const details = `<NtryDtls>${detail('3.00', 'a')}${detail('4.00', 'NOTPROVIDED')}</NtryDtls>`
  const read = lines(
    await all(
      readCamt(
        camt(entry('7.00', details) + entry('8.00', details) + entry('9', '', 'PDNG') + entry('1')),
        source,
      ),
    ),
  )
  expect(read).toMatchObject([
    { entry: 1, netMinor: 300n, ourReference: 'a', reference: 'NONREF' },
    { entry: 1, netMinor: 400n, ourReference: null },
    { entry: 2, netMinor: 800n },
    { entry: 3, netMinor: 100n },
  ])
})

test.for([
  ['another root', Buffer.from('<Report/>'), /its root is Report/],
  [
    'another namespace',
    camt('', 'urn:example:camt.053.001.08'),
    /in the namespace "urn:example:camt\.053\.001\.08"/,
  ],
  [
    'another version',
    camt('', 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.99'),
    /camt\.053\.001\.99 is not one of the versions/,
  ],
  [
    'an intraday report',
    camt('', 'urn:iso:std:iso:20022:tech:xsd:camt.052.001.08'),
    /camt\.052\.001\.08 is an intraday report/,
  ],
  ['an amount that is none', camt(entry('1,00')), /^Line 3: Amt "1,00" is not an amount\.$/],
  ['a negative amount', camt(entry('-1.00')), /^Line 3: Amt "-1\.00" is not an amount\.$/],
  [
    'an entry without a day',
    camt(entry('1.00').replace(/<BookgDt>.*<\/BookgDt>/, '')),
    /^Line 3: Ntry has no BookgDt\.$/,
  ],
  ['an unknown state', camt(entry('1.00', '', 'XXXX')), /^Line 4: Sts "XXXX" is not a status of an entry\.$/],
  ['another currency', camt(entry('1.00').replace('USD', 'ZWG')), /is in ZWG and not in USD/],
  ['a DOCTYPE', Buffer.from('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'), /^A DOCTYPE is not allowed/],
  [
    'a DOCTYPE in UTF-16',
    Buffer.from('\ufeff<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'utf16le'),
    /^A DOCTYPE is not allowed/,
  ],
  [
    'a file that is cut',
    camt(entry('1.00')).subarray(0, 300),
    /^The file is not complete or not well-formed XML: line \d/,
  ],
  ['no XML', Buffer.from('Id,Amount\n1,2\n'), /^The file is not .*well-formed XML: line 1/],
] as const)('refuses a camt file with %s', async ([, file, says]) => {
  await expect(all(readCamt(file, source))).rejects.toThrow(says)
})
