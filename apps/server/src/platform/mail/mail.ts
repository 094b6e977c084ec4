export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The address for replies; without it, the sender of all mails. */
  readonly replyTo?: string | undefined
}

/** Delivers mails to a mail server or a mailbox. */
export interface MailTransport {
  /**
   * @param id the same for each attempt to deliver a mail, so that a recipient recognises a duplicate
   * @throws MailRefused when this mail will never be accepted; any other error is temporary
   */
  deliver(mail: Mail, id: string): Promise<void>
}

/** The server's reply is not part of the error: it may quote the mail, and the mail may contain a code. */
export class MailRefused extends Error {
  readonly reply: number
  readonly command: string
  constructor(reply: number, command: string) {
    super(`the mail server refused a mail with ${reply} at ${command}`)
    this.reply = reply
    this.command = command
  }
}
