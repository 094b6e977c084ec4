export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Where an answer to this mail goes; without it, to the sender of all mails. */
  readonly replyTo?: string | undefined
}

/** Hands mails to whatever carries them here. */
export interface MailTransport {
  /**
   * @param id the same whenever the same mail is handed over again, so that whoever receives it twice can tell
   * @throws MailRefused when this mail will never be taken; anything else may go well another time
   */
  deliver(mail: Mail, id: string): Promise<void>
}

/** What a server answered with is not told: it may quote the mail, and the mail may hold a code. */
export class MailRefused extends Error {
  readonly reply: number
  readonly command: string
  constructor(reply: number, command: string) {
    super(`the mail server refused a mail with ${reply} at ${command}`)
    this.reply = reply
    this.command = command
  }
}
