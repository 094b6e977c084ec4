import type { Locale } from '@muripo/contract/enums'
import { type GrantedRole, HAND_OVER_HOURS, INVITATION_DAYS } from '@muripo/contract/team'
import { translatorsFor } from '@muripo/locales/catalogues'
import type { EmailContent, Occasion } from '../../platform/mail/email-content.ts'
import { noticeTexts, noticeTo, type Recipient } from '../../platform/mail/recipient.ts'

/** The recipient of a code and the origin of the request. */
interface CodeRequest {
  readonly to: string
  readonly fullname: string
  readonly code: string
  readonly occasion: Occasion
  readonly locale: Locale
  /** The account has recognised devices, and the requesting device is none of them. */
  readonly isNewDevice: boolean
}

/** A request whose mail carries a link beside the code. */
interface LinkRequest extends CodeRequest {
  readonly link: string
}

const texts = await translatorsFor('codes')

/** The texts of an email with a code, and its warning of an unknown device. */
function codeTexts({ locale, isNewDevice }: Pick<CodeRequest, 'locale' | 'isNewDevice'>) {
  const t = texts[locale]
  return { t, warning: isNewDevice ? { warning: t('newDevice') } : {} }
}

interface SignInRequest extends CodeRequest {
  /** Whether the account has had a sign-in before. */
  readonly isProven: boolean
}

export function signInMail({ isNewDevice, isProven, ...request }: SignInRequest): EmailContent {
  const { t, warning } = codeTexts({ ...request, isNewDevice })
  return {
    ...request,
    ...warning,
    subject: t('signIn'),
    heading: t('signIn'),
    lines: [t('signInUse'), t('keepSecret'), t(isProven ? 'signInUnexpected' : 'signInConfirms')],
  }
}

export function passwordResetMail({ link, isNewDevice, ...request }: LinkRequest): EmailContent {
  const { t, warning } = codeTexts({ ...request, isNewDevice })
  return {
    ...request,
    ...warning,
    subject: t('reset'),
    heading: t('reset'),
    lines: [t('resetUse'), t('keepSecret'), t('resetUnexpected'), t('resetLink')],
    link: { label: t('setPassword'), url: link },
  }
}

/** For an unproven account: the person who opened it has not shown that the address is theirs. */
export function unprovenResetMail({ link, ...request }: LinkRequest): EmailContent {
  const { t } = codeTexts(request)
  const { to, locale, code, occasion } = request
  return {
    to,
    locale,
    code,
    occasion,
    subject: t('unconfirmed'),
    heading: t('unconfirmed'),
    lines: [
      t('unconfirmedSignIn'),
      t('unconfirmedRemove'),
      t('keepSecret'),
      t('unconfirmedLink'),
      t('unconfirmedExpires'),
    ],
    link: { label: t('removeAccount'), url: link },
  }
}

/** The email after "Forgot password". A thief may have made keys and endpoints before the password changed. */
export function passwordSetMail(to: Recipient, occasion: Occasion): EmailContent {
  const t = noticeTexts(to)
  return noticeTo(to, t('passwordChanged'), {
    occasion,
    lines: [t('passwordChangedByMail'), t('keysStay'), t('mailIsRead')],
  })
}

/** The email after a signed-in user replaced the old password. */
export function passwordChangedMail(to: Recipient, occasion: Occasion): EmailContent {
  const t = noticeTexts(to)
  return noticeTo(to, t('passwordChanged'), {
    occasion,
    lines: [t('passwordChangedInSettings'), t('keysStay'), t('passwordWasKnown')],
  })
}

/** The second step of the sign-in, beside the password. */
export type SecondStep = 'code' | 'passkey' | 'totp'

export function newDeviceMail(to: Recipient, occasion: Occasion, step: SecondStep = 'code'): EmailContent {
  const t = noticeTexts(to)
  return noticeTo(to, t('newSignIn'), {
    occasion,
    lines: [t('newSignInStep', { step }), t('newSignInExpected'), t('newSignInUnexpected', { step })],
  })
}

const roleTexts = {
  admin: 'roleAdmin',
  developer: 'roleDeveloper',
  finance: 'roleFinance',
  support: 'roleSupport',
  cashier: 'roleCashier',
  viewer: 'roleViewer',
} as const satisfies Readonly<Record<GrantedRole, string>>

interface InvitationMail {
  readonly to: string
  readonly inviter: Recipient
  readonly merchant: Pick<Recipient, 'fullname'>
  readonly role: GrantedRole
  readonly link: string
}

/** In the language of the inviter: that of the invited person is not known. */
export function invitationMail({ to, inviter, merchant, role, link }: InvitationMail): EmailContent {
  const t = noticeTexts(inviter)
  const subject = t('invitation')
  return {
    to,
    locale: inviter.locale ?? 'en',
    subject,
    heading: subject,
    facts: [
      [t('invitationFrom'), inviter.fullname],
      [t('invitationTo'), merchant.fullname],
      [t('invitationRole'), t(roleTexts[role])],
    ],
    lines: [t('invitationUse'), t('invitationExpires', { days: INVITATION_DAYS }), t('invitationUnexpected')],
    link: { label: t('invitationLink'), url: link },
  }
}

/** To the owner. */
export function memberJoinedMail(
  to: Recipient,
  { fullname, role }: { readonly fullname: string; readonly role: GrantedRole },
): EmailContent {
  const t = noticeTexts(to)
  return noticeTo(to, t('memberJoined'), {
    facts: [
      [t('memberName'), fullname],
      [t('invitationRole'), t(roleTexts[role])],
    ],
    lines: [t('memberJoinedUnexpected')],
  })
}

/** To the next owner. */
export function handOverMail(
  to: Recipient,
  { merchant, owner, link }: { readonly merchant: string; readonly owner: string; readonly link: string },
): EmailContent {
  const t = noticeTexts(to)
  return noticeTo(to, t('handOver'), {
    facts: [
      [t('invitationTo'), merchant],
      [t('handOverFrom'), owner],
    ],
    lines: [t('handOverUse'), t('handOverExpires', { hours: HAND_OVER_HOURS })],
    link: { label: t('handOverLink'), url: link },
  })
}

/** To the owner of before and to the new one. */
export function ownerChangedMail(to: Recipient, newOwner: string): EmailContent {
  const t = noticeTexts(to)
  return noticeTo(to, t('ownerChanged'), {
    facts: [[t('ownerChangedTo'), newOwner]],
    lines: [t('ownerChangedUse'), t('ownerChangedUnexpected')],
  })
}

export function passkeyAddedMail(to: Recipient, passkey: string, occasion: Occasion): EmailContent {
  const t = noticeTexts(to)
  return noticeTo(to, t('passkeyAdded'), {
    occasion,
    facts: [[t('passkey'), passkey]],
    lines: [t('passkeyAddedUse'), t('passkeyAddedUnexpected')],
  })
}

export function passkeyRemovedMail(to: Recipient, passkey: string, occasion: Occasion): EmailContent {
  const t = noticeTexts(to)
  return noticeTo(to, t('passkeyRemoved'), {
    occasion,
    facts: [[t('passkey'), passkey]],
    lines: [t('passkeyRemovedUse'), t('passkeyRemovedUnexpected')],
  })
}

export function totpAddedMail(to: Recipient, occasion: Occasion): EmailContent {
  const t = noticeTexts(to)
  return noticeTo(to, t('totpAdded'), { occasion, lines: [t('totpAddedUse'), t('totpAddedUnexpected')] })
}

export function totpRemovedMail(to: Recipient, occasion: Occasion): EmailContent {
  const t = noticeTexts(to)
  return noticeTo(to, t('totpRemoved'), {
    occasion,
    lines: [t('totpRemovedUse'), t('totpRemovedUnexpected')],
  })
}

export function totpRemovedByOperatorMail(to: Recipient, when: string): EmailContent {
  const t = noticeTexts(to)
  return noticeTo(to, t('totpRemoved'), {
    occasion: { when },
    lines: [t('totpRemovedByOperator'), t('totpRemovedUse'), t('totpRemovedUnexpected')],
  })
}

export function recoveryCodeUsedMail(to: Recipient, left: number, occasion: Occasion): EmailContent {
  const t = noticeTexts(to)
  return noticeTo(to, t('recoveryCodeUsed'), {
    occasion,
    lines: [t('recoveryCodesLeft', { left }), t('recoveryCodeUnexpected')],
  })
}
