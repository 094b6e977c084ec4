import { type EmailContent, momentText, type Occasion } from '../../platform/mail/email-content.ts'
import {
  contactLines,
  type NoticeText,
  noticeTexts,
  noticeTo,
  type Recipient,
} from '../../platform/mail/recipient.ts'
import type { KeyMode } from '../../platform/settings.ts'
import type { MerchantMove, MerchantProfile } from '../identity/index.ts'

interface Gateway {
  readonly keyMode: KeyMode
  readonly contactEmail: string | null
}

const titles = {
  approve: 'accountApproved',
  suspend: 'accountSuspended',
  resume: 'accountResumed',
  close: 'accountClosed',
} as const satisfies Readonly<Record<MerchantMove, string>>

function linesOf(
  t: NoticeText,
  move: MerchantMove,
  { keyMode, contactEmail: contact }: Gateway,
): readonly string[] {
  switch (move) {
    case 'approve':
      return keyMode === 'live' ? [t('liveKeys'), t('namesChecked')] : [t('nothingToDo')]
    case 'suspend':
      return [t('nothingFromNow'), t('confirmedCompleted'), ...contactLines(t, 'questions', contact)]
    case 'resume':
      return [t('keysWorkAgain')]
    case 'close':
      return [t('nothingAnyMore'), t('confirmedCompleted'), ...contactLines(t, 'questions', contact)]
  }
}

/** The email about the operator's decision on the account, with its reason. */
export function statusMail(
  merchant: MerchantProfile,
  move: MerchantMove,
  reason: string,
  at: Date,
  gateway: Gateway,
): EmailContent {
  const t = noticeTexts(merchant)
  return noticeTo(merchant, t(titles[move]), {
    occasion: { when: momentText(at, merchant.timeZone, merchant.locale) },
    facts: [[t('reason'), reason]],
    lines: linesOf(t, move, gateway),
  })
}

/** @param names of the applications whose name, logo or colour is approved now */
export function namesApprovedMail(merchant: MerchantProfile, names: readonly string[]): EmailContent {
  const t = noticeTexts(merchant)
  return noticeTo(merchant, t('namesApproved'), {
    facts: names.map((name): [string, string] => [t('application'), name]),
    lines: [t('namesShown')],
  })
}

export function applicationStoppedMail(
  merchant: MerchantProfile,
  applicationName: string,
  reason: string,
  { contactEmail }: Gateway,
): EmailContent {
  const t = noticeTexts(merchant)
  return noticeTo(merchant, t('applicationStopped'), {
    facts: [
      [t('application'), applicationName],
      [t('reason'), reason],
    ],
    lines: [t('applicationStoppedEffect'), ...contactLines(t, 'questions', contactEmail)],
  })
}

export function applicationResumedMail(
  merchant: MerchantProfile,
  applicationName: string,
  reason: string,
): EmailContent {
  const t = noticeTexts(merchant)
  return noticeTo(merchant, t('applicationResumed'), {
    facts: [
      [t('application'), applicationName],
      [t('reason'), reason],
    ],
    lines: [t('applicationResumedEffect')],
  })
}

export function keyShownMail(
  merchant: MerchantProfile,
  shown: {
    readonly applicationName: string
    readonly occasion: Occasion
    readonly contactEmail: string | null
  },
): EmailContent {
  const t = noticeTexts(merchant)
  return noticeTo(merchant, t('keyShown'), {
    occasion: shown.occasion,
    facts: [[t('application'), shown.applicationName]],
    lines: [t('keyShownWhere'), t('keyShownUnexpected'), ...contactLines(t, 'writeThen', shown.contactEmail)],
  })
}

export function keyEndsMail(
  merchant: MerchantProfile,
  key: { readonly application: string; readonly name: string; readonly at: string },
): EmailContent {
  const t = noticeTexts(merchant)
  return noticeTo(merchant, t('keyEnds'), {
    facts: [
      [t('application'), key.application],
      [t('key'), key.name],
      [t('keyEndsAt'), key.at],
    ],
    lines: [t('keyEndsNext')],
  })
}

export function keyLeakedMail(to: Recipient, applicationName: string, mode: KeyMode): EmailContent {
  const t = noticeTexts(to)
  return noticeTo(to, t('keyLeaked'), {
    facts: [
      [t('application'), applicationName],
      [t('key'), t('keyOfMode', { mode })],
    ],
    lines: [t('keyLeakedWhy'), t('keyRevokedNext'), t('checkEndpoints')],
  })
}

export function keyRevokedMail(
  merchant: MerchantProfile,
  applicationName: string,
  mode: KeyMode,
  reason: string,
): EmailContent {
  const t = noticeTexts(merchant)
  return noticeTo(merchant, t('keyRevoked'), {
    facts: [
      [t('application'), applicationName],
      [t('key'), t('keyOfMode', { mode })],
      [t('reason'), reason],
    ],
    lines: [t('keyRevokedNext'), t('checkEndpoints')],
  })
}
