import { compiledTexts } from '@muripo/locales/catalogues'
import { translatorOf } from '@muripo/locales/translator'
import { expect, test } from 'vitest'
import { applicationStatus } from './status-dialog.tsx'

const t = translatorOf(await compiledTexts('applications', 'en'))

test.each([
  ['active', 'green', 'Active'],
  ['inactive', 'yellow', 'Inactive'],
  ['closed', 'yellow', 'Closed'],
  ['', 'yellow', 'Unknown'],
  [undefined, 'yellow', 'Unknown'],
])('[APPS-20] [APPS-21] [MANAGE-04] [MANAGE-05] the status %j is %s and reads %s', (status, tone, word) => {
  expect(applicationStatus(status === undefined ? {} : { status }, t)).toEqual({ tone, word })
})
