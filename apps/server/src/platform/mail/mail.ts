export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Hands one mail to whatever carries mails here. */
export interface MailTransport {
  deliver(mail: Mail): Promise<void>
}
