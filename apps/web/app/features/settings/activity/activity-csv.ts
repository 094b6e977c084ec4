import { BYTE_ORDER_MARK, neutralText } from '@muripo/contract/spreadsheet-text'
import type { Activity } from '../../../api/activity.ts'

const columns = [
  ['Time', ({ at }: Activity) => at],
  ['By', ({ by }: Activity) => by.kind],
  ['Name', ({ by }: Activity) => by.name ?? ''],
  ['ID', ({ by }: Activity) => by.id ?? ''],
  ['Action', ({ action }: Activity) => action],
  ['Subject', ({ subject }: Activity) => subject],
  ['Address', ({ address }: Activity) => address ?? ''],
  ['Details', ({ details }: Activity) => JSON.stringify(details)],
] as const

const line = (cells: readonly string[]): string =>
  `${cells.map((cell) => `"${neutralText(cell).replaceAll('"', '""')}"`).join(',')}\r\n`

/** For programs and spreadsheets, in English like the exports of payments. */
export const csvOf = (entries: readonly Activity[]): string =>
  BYTE_ORDER_MARK +
  line(columns.map(([title]) => title)) +
  entries.map((entry) => line(columns.map(([, cell]) => cell(entry)))).join('')
