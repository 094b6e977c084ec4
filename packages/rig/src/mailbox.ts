import { callOk } from './call.ts'
import { until } from './until.ts'

export interface ReceivedMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The emails in the development mailbox, newest first. @param to an address; otherwise all emails */
export const allMails = (url: string, to?: string): Promise<ReceivedMail[]> =>
  callOk('GET', `${url}/dev/mailbox/messages${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`)

/** The emails to an address, as soon as there is one. */
export const mailbox = (url: string, to: string): Promise<ReceivedMail[]> =>
  until(`An email to ${to}`, async () => {
    const mails = await allMails(url, to)
    return mails.length > 0 ? mails : undefined
  })

/** The codes in these emails, in their order. Most emails have none. */
export const codesIn = (mails: readonly Pick<ReceivedMail, 'text'>[]): string[] =>
  mails.flatMap(({ text }) => text.match(/\b\d{6}\b/)?.[0] ?? [])
