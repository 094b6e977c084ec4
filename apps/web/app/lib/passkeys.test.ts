import { compiledTexts } from '@muripo/locales/catalogues'
import { translatorOf } from '@muripo/locales/translator'
import { expect, test } from 'vitest'
import { failedToMake, failedToShow } from './passkeys.ts'

const auth = translatorOf(await compiledTexts('auth', 'en'))
const settings = translatorOf(await compiledTexts('settings', 'en'))
const named = (name: string) => Object.assign(new Error('in the words of a browser'), { name })

test.each([
  ['NotAllowedError', /prompt was closed, or it took too long/],
  ['AbortError', /prompt was closed/],
  ['InvalidStateError', /already has a passkey for your account/],
  ['ConstraintError', /must be able to verify your fingerprint, face or PIN/],
  ['NotSupportedError', /cannot create a passkey/],
  ['SecurityError', /open Muripo at pay\.example/],
  ['UnknownError', /could not be created. Please try again/],
])('a passkey that was not created has a sentence for the error %s', (name, words) => {
  expect(failedToMake(named(name), 'pay.example', settings)).toMatch(words)
})

test.each([
  ['NotAllowedError', /closed, it took too long, or this device has none/],
  ['AbortError', /prompt was closed/],
  ['SecurityError', /open Muripo at pay\.example/],
  ['UnknownError', /could not be used. Please try again, or enter the code/],
])('a passkey that was not used has a sentence with the alternative for the error %s', (name, words) => {
  expect(failedToShow(named(name), 'pay.example', auth)).toMatch(words)
})

test('a value that is no error has a text', () => {
  expect(failedToMake('?', 'pay.example', settings)).toBe(
    'The passkey could not be created. Please try again.',
  )
})
