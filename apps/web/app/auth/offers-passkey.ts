/** What the password step has learned of the account goes to the page of the code with the visit, and lasts as long as it. */
export const passkeyOffer = { passkey: true } as const

export const offersPasskey = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'passkey' in state && state.passkey === true
