import { changePassword } from '@muripo/contract/account'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError, refusedFieldTexts } from '../../api/api-error.ts'
import { passwordErrors, passwordFieldErrors } from './password.tsx'

const shown = (body: unknown) =>
  passwordFieldErrors(
    refusedFieldTexts(new ApiError({ status: 422, message: null, error: '', body }, 'changePassword'), null),
  )

const current = 'a long sentence'
const typed = { currentPassword: current, newPassword: 'another long sentence' }

describe('the form that changes a password', () => {
  test.each([
    [{}, {}],
    [{ currentPassword: '' }, { currentPassword: 'Current password is required' }],
    [
      { currentPassword: '', newPassword: '' },
      { currentPassword: 'Current password is required', newPassword: 'New password is required' },
    ],
    [{ newPassword: '1234567' }, { newPassword: 'Password must be at least 8 characters' }],
    [{ newPassword: '💎'.repeat(129) }, { newPassword: 'Password must be at most 128 characters' }],
    [{ newPassword: current }, { newPassword: 'Please choose a password other than the current one' }],
  ])('has for %j: %j', (change, errors) => {
    expect(passwordErrors({ ...typed, ...change })).toEqual(errors)
  })

  test('has the errors of the server, for any input', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 140 }), fc.constantFrom('', current, 'pass'))
    fc.assert(
      fc.property(text, text, (currentPassword, newPassword) => {
        const passwords = { currentPassword, newPassword }
        const issues = changePassword.body.safeParse(passwords).error?.issues ?? []
        const errors = issues.map(({ path, message }) => ({ field: path.join('.'), message }))
        expect(passwordErrors(passwords)).toEqual(shown({ errors }))
      }),
    )
  })
})

describe('the errors of the server', () => {
  const message = 'The current password is not correct'

  test('are beside their fields', () => {
    expect(shown({ errors: [{ field: 'currentPassword', message }] })).toEqual({
      currentPassword: message,
    })
  })

  test.each([null, undefined, 'text', {}, { errors: 'none' }, { errors: [{ field: 'email', message }] }])(
    'are none in %j',
    (body) => expect(shown(body)).toEqual({}),
  )
})
