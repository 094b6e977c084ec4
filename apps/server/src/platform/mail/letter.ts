/** What a mail says. It waits in the queue as this, and is drawn up when it is sent. */
export interface Letter {
  readonly to: string
  readonly subject: string
  /** Where an answer to this mail goes; without it, to the sender of all mails. */
  readonly replyTo?: string
  /** What the mail is, in a few words. */
  readonly heading: string
  readonly code?: string
  /** Who is greeted. */
  readonly fullname?: string
  /** What should make the reader stop. */
  readonly warning?: string
  readonly occasion?: Occasion
  /** Names and values. Somebody may have chosen a value to be read here: one that could be a link is not shown. */
  readonly facts?: readonly (readonly [name: string, value: string])[]
  readonly lines: readonly string[]
  /** A page of this gateway. Never an address that somebody else chose. */
  readonly link?: Link
  /** What somebody else wrote, line by line as it was written. */
  readonly quote?: string
}

export interface Link {
  readonly label: string
  readonly url: string
}

/** What the mail is about was asked for or done then, with that and from there. */
export interface Occasion {
  readonly when: string
  readonly device?: string
  readonly network?: string
}

/** "21 November 2026 at 00:30 (Africa/Harare)". */
export function momentText(at: Date, timeZone: string): string {
  const format = formats.get(timeZone) ?? formatIn(timeZone)
  formats.set(timeZone, format)
  return `${format.format(at)} (${timeZone})`
}

// One takes as long to make as everything else that a mail says.
const formats = new Map<string, Intl.DateTimeFormat>()
const formatIn = (timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone })

/** Whether a mail program may make a link of a text that a stranger chose. */
export const couldBeLink = (text: string): boolean => /[/:@\\]|\.\p{L}{2}/u.test(text)
