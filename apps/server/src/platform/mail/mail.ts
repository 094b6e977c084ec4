export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Where an answer to this mail goes; without it, to the sender of all mails. */
  readonly replyTo?: string | undefined
}

/** Hands one mail to whatever carries mails here. */
export interface MailTransport {
  deliver(mail: Mail): Promise<void>
}
