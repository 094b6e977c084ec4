import { proposalKinds } from '@muripo/contract/console-permissions'
import { lineLabels } from '@muripo/contract/proposal-lines'
import { catalogues } from '@muripo/locales/catalogues'
import { expect, test } from 'vitest'
import type { ConsoleText } from '../text.ts'
import { kindText } from './kinds.ts'
import { lineName, lineWord } from './lines.ts'

const texts: Readonly<Record<string, string>> = {
  ...catalogues.console,
  ...catalogues.consolePages,
  ...catalogues.consoleOperation,
  ...catalogues.consoleMoney,
  ...catalogues.consoleRecords,
}
const t = ((key: string, values?: object) =>
  JSON.stringify([texts[key], ...(values ? [values] : [])])) as unknown as ConsoleText
const written = expect.stringMatching(/^\["[^"]+"\]$/)

test.each(proposalKinds)('%s has a text', (kind) => {
  expect(kindText(kind, t)).toEqual(written)
})

test.each(lineLabels)('the line %s has a text, and no kind has another line', (label) => {
  expect(lineName(label, t)).toEqual(written)
})

test('a name, an amount or an id stays in a line', () => {
  for (const text of ['Kumusha Dairy, rfd_1', 'USD 5.00', 'toString'])
    expect([lineName(text, t), lineWord('Review', text, t)]).toEqual([text, text])
  expect(lineWord('Payers see', 'paid', t)).toBe('paid')
})

test('words of the server are texts, with the reason in them', () => {
  expect(lineWord('Status', 'approved', t)).toBe('["Approved"]')
  expect(lineWord('Role', 'finance', t)).toBe('["Finance"]')
  expect(lineWord('Refund', 'awaiting_operator', t)).toBe('["to send by hand"]')
  expect(lineWord('Application', 'stopped: complaints', t)).toBe('["stopped: {text}",{"text":"complaints"}]')
})
