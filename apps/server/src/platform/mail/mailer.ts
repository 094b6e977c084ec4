import { open, seal } from '../crypto/seal.ts'
import type { Tx } from '../db/database.ts'
import type { Job, Jobs } from '../jobs/jobs.ts'
import type { Mail, MailTransport } from './mail.ts'

/**
 * Mails go out as jobs: the caller's answer does not wait for a mail server, and its time says nothing of whether one was sent.
 * A mail may carry a code, so it waits in the database sealed.
 */
export interface Mailer {
  send(tx: Tx, mail: Mail): Promise<void>
}

const TASK = 'send-mail'
const CONTEXT = 'job:send-mail'

export function createMailer(jobs: Jobs, key: Buffer): Mailer {
  return {
    async send(tx, mail) {
      const sealed = seal(key, Buffer.from(JSON.stringify(mail)), CONTEXT).toString('base64')
      await jobs.enqueue(tx, TASK, { sealed }, { maxAttempts: 8 })
    },
  }
}

export function sendMailJob(transport: MailTransport, key: Buffer): Job {
  return {
    name: TASK,
    async run(payload) {
      const { sealed } = payload as { sealed: string }
      const plain = open(key, Buffer.from(sealed, 'base64'), CONTEXT)
      if (plain === null) throw new Error('a mail was sealed under another master key')
      await transport.deliver(JSON.parse(plain.toString()) as Mail)
    },
  }
}
