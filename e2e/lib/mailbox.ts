import { setTimeout as sleep } from 'node:timers/promises'

export interface ReceivedMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Enough for a busy machine. */
const timeoutMs = 60_000

/** Polls the development mailbox until it contains an email for this address. */
export async function mailbox(gatewayUrl: string, to: string): Promise<ReceivedMail[]> {
  const giveUpAt = performance.now() + timeoutMs
  for (;;) {
    const answer = await fetch(`${gatewayUrl}/dev/mailbox/messages?to=${encodeURIComponent(to)}`)
    if (!answer.ok) throw new Error(`The mailbox answers ${answer.status}`)
    const mails = (await answer.json()) as ReceivedMail[]
    if (mails.length > 0) return mails
    if (performance.now() > giveUpAt) throw new Error(`No mail for ${to} arrived`)
    await sleep(50)
  }
}

export async function allMails(gatewayUrl: string): Promise<ReceivedMail[]> {
  const answer = await fetch(`${gatewayUrl}/dev/mailbox/messages`)
  return (await answer.json()) as ReceivedMail[]
}

/** The codes in these emails, in their order. Most emails have none. */
export const codesIn = (mails: readonly Pick<ReceivedMail, 'text'>[]): string[] =>
  mails.flatMap(({ text }) => text.match(/\b\d{6}\b/)?.[0] ?? [])
