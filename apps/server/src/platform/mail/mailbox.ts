import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Mail, MailTransport } from './mail.ts'

export interface StoredMail extends Mail {
  readonly sentAt: string
}

/** The development mailbox: mails are stored in a file and can be read again. */
export interface Mailbox extends MailTransport {
  /** The newest first. */
  list(to?: string): Promise<StoredMail[]>
}

const MOST_STORED = 500

const lineOf = (mail: StoredMail): string => `${JSON.stringify(mail)}\n`

export function createMailbox(dataDir: string, clock: Clock): Mailbox {
  const file = join(dataDir, 'mailbox.jsonl')

  /** A line without an end is still being written. */
  async function all(): Promise<StoredMail[]> {
    const text = await readFile(file, 'utf8').catch(() => '')
    return text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as StoredMail)
  }

  let count: number | null = null

  async function store(mail: StoredMail): Promise<void> {
    if (count === null) await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await appendFile(file, lineOf(mail), { mode: 0o600 })
    count = count === null ? (await all()).length : count + 1
    if (count <= 2 * MOST_STORED) return
    const newest = (await all()).slice(-MOST_STORED)
    await writeFile(`${file}.new`, newest.map(lineOf).join(''), { mode: 0o600 })
    await rename(`${file}.new`, file)
    count = MOST_STORED
  }

  // Changes run one after another: a mail that arrives while the file is rewritten would be lost.
  let last: Promise<void> = Promise.resolve()

  return {
    deliver(mail) {
      const stored = { ...mail, sentAt: clock.now().toISOString() }
      const done = last.then(() => store(stored))
      last = done.catch(() => undefined)
      return done
    },
    async list(to) {
      const mails = (await all()).reverse()
      return to === undefined ? mails : mails.filter((mail) => mail.to.toLowerCase() === to.toLowerCase())
    },
  }
}
