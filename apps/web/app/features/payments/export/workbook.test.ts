import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { createWorkbook, MOST_ROWS } from './workbook.ts'

const head = '"Date","Time","Type","Amount","Purpose"\r\n'

async function sheetsOf(csv: string, size = 7) {
  const workbook = createWorkbook('Movements')
  const bytes = new TextEncoder().encode(`\ufeff${csv}`)
  for (let at = 0; at < bytes.length; at += size) workbook.add(bytes.subarray(at, at + size))
  const files = unzipSync(new Uint8Array(await workbook.end().arrayBuffer()))
  const part = (path: string) => strFromU8(files[path] ?? new Uint8Array())
  const sheet = (number: number) =>
    [...part(`xl/worksheets/sheet${number}.xml`).matchAll(/<row>(.*?)<\/row>/gs)].map(([, row]) =>
      [...(row ?? '').matchAll(/<c(?: s="(\d)")?(?: t="(\w+)")?(?:\/>|>(.*?)<\/c>)/gs)].map(
        ([, style, type, content]) => [type ?? style, content?.replace(/<[^>]+>/g, '')],
      ),
    )
  return { files: Object.keys(files).sort(), sheet, part }
}

test('a workbook has numbers, days and times in cells of their kinds, and texts that are no formulas', async () => {
  const { sheet, part, files } = await sheetsOf(
    `${head}2026-11-01,06:00:00,"Payment",-12.50,"=1+1 & ""<é>""\r\n_x0041_"\r\n2026-11-01 12:00:00,,"2026-11-01",0.00,\r\n`,
  )
  expect(sheet(1)).toEqual([
    ['Date', 'Time', 'Type', 'Amount', 'Purpose'].map((title) => ['inlineStr', title]),
    [
      ['3', '46327'],
      ['4', '0.25'],
      ['inlineStr', 'Payment'],
      ['2', '-12.50'],
      ['inlineStr', '=1+1 &amp; "&lt;é>"\r\n_x005F_x0041_'],
    ],
    [
      ['5', '46327.5'],
      [undefined, undefined],
      ['inlineStr', '2026-11-01'],
      ['2', '0.00'],
      [undefined, undefined],
    ],
  ])
  expect(files).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
  ])
  expect(part('xl/workbook.xml')).toContain('<sheet name="Movements" sheetId="1" r:id="rId1"/></sheets>')
})

test('the rows after an empty one are on a second sheet with the same head', async () => {
  const { sheet, part } = await sheetsOf(
    `${head}2026-11-01,06:00:00,"Payment",5.00,"x"\r\n\r\n,,"Total",5.00,\r\n`,
  )
  expect(sheet(1)).toHaveLength(2)
  expect(sheet(2).map((row) => row[2]?.[1])).toEqual(['Type', 'Total'])
  expect(part('xl/workbook.xml')).toContain('<sheet name="Totals" sheetId="2" r:id="rId2"/>')
  expect(part('[Content_Types].xml')).toContain('/xl/worksheets/sheet2.xml')
})

test('a workbook refuses more rows than it holds', () => {
  const workbook = createWorkbook('Payments')
  const rows = (count: number) => new TextEncoder().encode('1.00\r\n'.repeat(count))
  workbook.add(rows(1 + MOST_ROWS))
  expect(() => workbook.add(rows(1))).toThrow(RangeError)
})
