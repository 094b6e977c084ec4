/** The state of the history entry by which the password step tells the page of the code where the code was mailed to. */
interface SignInState {
  /** The masked address, "t***@example.co.zw": the history of a shared computer keeps it. */
  readonly address: string
  /** Whether the account has a passkey. */
  readonly passkey: boolean
  /** Whether the code is that of an authenticator app, and none was mailed. */
  readonly totp: boolean
}

export const signInState = (
  email: string,
  { passkey, totp }: { readonly passkey?: true | undefined; readonly totp?: true | undefined },
): SignInState => ({
  address: email.trim().replace(/^(.)[^@]*/, '$1***'),
  passkey: passkey ?? false,
  totp: totp ?? false,
})

const part = (state: unknown, name: keyof SignInState): unknown =>
  typeof state === 'object' && state !== null ? (state as Partial<SignInState>)[name] : undefined

export const asksForApp = (state: unknown): boolean => part(state, 'totp') === true

export const offersPasskey = (state: unknown): boolean => part(state, 'passkey') === true

/** Null on a page that was opened by its address. */
export function mailedAddress(state: unknown): string | null {
  const address = part(state, 'address')
  return typeof address === 'string' ? address : null
}
