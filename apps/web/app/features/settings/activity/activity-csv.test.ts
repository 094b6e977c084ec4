import type { AuditId, PersonId } from '@muripo/contract/ids'
import { expect, test } from 'vitest'
import type { Activity } from '../../../api/activity.ts'
import { csvOf } from '../../../lib/csv-text.ts'
import { columns } from './activity-csv.ts'

const entry: Activity = {
  id: 'aud_1' as AuditId,
  at: '2026-11-20T08:30:00.000Z',
  by: { kind: 'person', name: '=HYPERLINK("x")', id: 'per_1' as PersonId },
  action: 'application.key_created',
  subject: 'key_1',
  address: null,
  details: { name: 'Say "till", please' },
}

test('a file has a line for each entry, and no text of a person runs in a spreadsheet or ends its cell', () => {
  expect(csvOf(columns, [entry]).split('\r\n')).toEqual([
    '\ufeff"Time","By","Name","ID","Action","Subject","Address","Details"',
    `"2026-11-20T08:30:00.000Z","person","'=HYPERLINK(""x"")","per_1","application.key_created","key_1","","{""name"":""Say \\""till\\"", please""}"`,
    '',
  ])
})
