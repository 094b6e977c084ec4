import type { Activity } from '../../../api/activity.ts'
import type { CsvColumns } from '../../../lib/csv-text.ts'

export const columns: CsvColumns<Activity> = [
  ['Time', ({ at }) => at],
  ['By', ({ by }) => by.kind],
  ['Name', ({ by }) => by.name ?? ''],
  ['ID', ({ by }) => by.id ?? ''],
  ['Action', ({ action }) => action],
  ['Subject', ({ subject }) => subject],
  ['Address', ({ address }) => address ?? ''],
  ['Details', ({ details }) => JSON.stringify(details)],
]
