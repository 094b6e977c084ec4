import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Mail, MailTransport } from './mail.ts'

export interface KeptMail extends Mail {
  readonly sentAt: string
}

/** The development mailbox: mails are kept in a file and can be read again. */
export interface Mailbox extends MailTransport {
  /** Newest first. */
  list(to?: string): Promise<KeptMail[]>
}

const KEPT = 500

export function createMailbox(dataDir: string, clock: Clock): Mailbox {
  const file = join(dataDir, 'mailbox.jsonl')

  async function all(): Promise<KeptMail[]> {
    const text = await readFile(file, 'utf8').catch(() => '')
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as KeptMail)
  }

  let count: number | null = null

  return {
    async deliver(mail) {
      if (count === null) await mkdir(dataDir, { recursive: true })
      await appendFile(file, `${JSON.stringify({ ...mail, sentAt: clock.now().toISOString() })}\n`, {
        mode: 0o600,
      })
      count = count === null ? (await all()).length : count + 1
      if (count > 2 * KEPT) {
        const mails = await all()
        count = KEPT
        await writeFile(
          file,
          mails
            .slice(-KEPT)
            .map((kept) => `${JSON.stringify(kept)}\n`)
            .join(''),
          { mode: 0o600 },
        )
      }
    },
    async list(to) {
      const mails = (await all()).reverse()
      return to === undefined ? mails : mails.filter((mail) => mail.to.toLowerCase() === to.toLowerCase())
    },
  }
}
