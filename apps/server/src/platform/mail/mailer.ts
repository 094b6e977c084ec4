import { createHash } from 'node:crypto'
import { open, seal } from '../crypto/seal.ts'
import type { Tx } from '../db/database.ts'
import type { Job, Jobs } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import { drawUp } from './draw-up.ts'
import type { Letter } from './letter.ts'
import { MailRefused, type MailTransport } from './mail.ts'

/**
 * Mails go out as jobs: the caller's answer does not wait for a mail server, and its time says nothing of whether one was sent.
 * A letter may carry a code, so it waits in the database sealed; it is drawn up by the job, for that takes a while.
 */
export interface Mailer {
  send(tx: Tx, letter: Letter): Promise<void>
}

const TASK = 'send-mail'
const CONTEXT = 'job:send-mail'

export function createMailer(jobs: Jobs, key: Buffer): Mailer {
  return {
    async send(tx, letter) {
      const sealed = seal(key, Buffer.from(JSON.stringify(letter)), CONTEXT).toString('base64')
      await jobs.enqueue(tx, TASK, { sealed })
    },
  }
}

export function sendMailJob(transport: MailTransport, key: Buffer, log: Log): Job {
  return {
    name: TASK,
    async run(payload) {
      const { sealed } = payload as { sealed: string }
      const plain = open(key, Buffer.from(sealed, 'base64'), CONTEXT)
      if (plain === null) throw new Error('a mail was sealed under another master key')
      const mail = drawUp(JSON.parse(plain.toString()) as Letter)
      // The seal is another for each mail, and the same for each try to send it.
      const id = createHash('sha256').update(sealed).digest('hex').slice(0, 32)
      try {
        await transport.deliver(mail, id)
      } catch (error) {
        if (!(error instanceof MailRefused)) throw error
        log.error({ reply: error.reply, command: error.command, mail: id }, 'a mail was refused for good')
      }
    },
  }
}
