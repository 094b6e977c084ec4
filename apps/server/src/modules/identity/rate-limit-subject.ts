/** Attempts at an account are counted for each recognised device, by its hash, and together for all unrecognised devices, as null. */
export type RateLimitSubject = Buffer | null

export const subjectName = (subject: RateLimitSubject): string =>
  subject === null ? 'unrecognised devices' : `device ${subject.toString('hex')}`
