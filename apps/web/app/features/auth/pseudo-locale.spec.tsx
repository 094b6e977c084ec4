import translations from 'virtual:translations/auth'
import { languageNames } from '@muripo/locales/languages'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { clipped, PSEUDO, photograph, untranslated } from '../../../test/pseudo-locale.ts'
import { renderComponent } from '../../../test/render-component.tsx'
import { stubFetch } from '../../../test/stub-fetch.ts'
import { LanguageLinks } from '../../components/language-links.tsx'
import { PublicHeader } from '../../shell/public-header.tsx'
import { SignOutDialog } from '../../shell/sign-out.tsx'
import { AccountCreated } from './account-created.tsx'
import { AppCode } from './app-code.tsx'
import ForgotPassword, { CheckYourEmail } from './forgot-password.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import ResetPassword from './reset-password.tsx'
import SetNewPassword from './set-new-password.tsx'
import SignIn from './sign-in.tsx'
import SignUp from './sign-up.tsx'
import VerifyOtp from './verify-otp.tsx'

const language = { locale: PSEUDO, translation: translations[PSEUDO].texts, isLoading: false } as const

const values = [...Object.values(languageNames), 'Muripo', 'someone@example.co.zw', 'id.pdf', '1 kB · ']

const open = (content: ReactNode) => renderComponent(content, language)

async function check(): Promise<void> {
  expect(document.body.innerHTML).toContain('⟦')
  await photograph()
  expect(untranslated('body', values)).toEqual([])
  expect(clipped('body')).toEqual([])
}

const ERROR = '[data-error], [role=alert]:not([hidden])'

const withCode = { params: { otpId: 'otp_1' } } as Parameters<typeof VerifyOtp>[0] &
  Parameters<typeof SetNewPassword>[0]
const withoutCode = { params: {} } as Parameters<typeof SetNewPassword>[0]

test.each<[string, ReactNode]>([
  ['sign-in', <SignIn key="page" />],
  ['the code', <VerifyOtp key="page" {...withCode} />],
  [
    'the code of an app',
    <AppCode key="page" otpId="otp_1" onSignedIn={() => {}}>
      {null}
    </AppCode>,
  ],
  ['the forgotten password', <ForgotPassword key="page" />],
  ['the new password', <SetNewPassword key="page" {...withCode} />],
  ['the new password of a link', <ResetPassword key="page" />],
  ['sign-up', <SignUp key="page" />],
])(
  'every text of the form is translated and fits, as are those about its empty fields: %s',
  async (_name, form) => {
    await open(form)
    await check()
    document.querySelector('form')?.requestSubmit()
    await expect.poll(() => document.querySelector(ERROR)).not.toBeNull()
    await check()
  },
)

test.each<[string, ReactNode]>([
  ['the bar', <PublicHeader key="part" solid />],
  ['the languages', <LanguageLinks key="part" />],
  [
    'the mail that was sent',
    <CheckYourEmail key="part" email="someone@example.co.zw" onTryAgain={() => {}} />,
  ],
  ['a new password without a code', <SetNewPassword key="part" {...withoutCode} />],
  ['the passkey', <PasskeyButton key="part" otpId="otp_1" onSignedIn={() => {}} />],
  ['the new account', <AccountCreated key="part" />],
  ['signing out', <SignOutDialog key="part" opened onClose={() => {}} />],
])('every text is translated and fits: %s', async (_name, part) => {
  await open(part)
  await check()
})

test('every text of a recovery code is translated', async () => {
  await open(
    <AppCode otpId="otp_1" onSignedIn={() => {}}>
      {null}
    </AppCode>,
  )
  await page.getByRole('button').nth(1).click()
  await check()
  document.querySelector('form')?.requestSubmit()
  await expect.poll(() => document.querySelector(ERROR)).not.toBeNull()
  await check()
})

test('a refusal has the text of its code, with its values', async () => {
  stubFetch({
    'POST /v1/auth/signin': {
      status: 429,
      body: {
        code: 'rate_limited',
        message: 'Please wait 20 seconds before you try again',
        reason: { code: 'waitToTry', values: { count: 20, unit: 'second' } },
      },
    },
  })
  await open(<SignIn />)
  await page.getByRole('textbox').first().fill('someone@example.co.zw')
  for (const field of document.querySelectorAll<HTMLInputElement>('input[type=password]'))
    await page.elementLocator(field).fill('a long sentence')
  document.querySelector('form')?.requestSubmit()
  await expect.element(page.getByRole('alert')).toBeVisible()
  expect(document.querySelector('[role=alert]')?.textContent).toMatch(/^⟦.*20.*⟧$/)
  await check()
})

test('a chosen document and its error are in the page’s language', async () => {
  await open(<SignUp />)
  const file = page.elementLocator(document.querySelector('input[type=file]') as Element)
  await file.upload(new File(['%PDF-1.7'], 'id.pdf', { type: 'application/pdf' }))
  await check()
  await file.upload(new File(['png'], 'id.pdf', { type: 'image/png' }))
  await expect.poll(() => document.querySelector(ERROR)).not.toBeNull()
  await check()
})
