/** Whose tries at an account count together: those of one known device, by its hash, or those of all strangers. */
export type Party = Buffer | null

export const nameOf = (party: Party): string =>
  party === null ? 'strangers' : `device ${party.toString('hex')}`
