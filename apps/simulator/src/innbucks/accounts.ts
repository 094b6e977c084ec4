import { randomUUID } from 'node:crypto'

/** A merchant's account has one currency, which no request names. */
const accounts = {
  USD: { username: 'muripo-usd', password: 'simulator', apiKey: 'simulator-usd' },
  ZWG: { username: 'muripo-zwg', password: 'simulator', apiKey: 'simulator-zwg' },
} as const

export type AccountCurrency = keyof typeof accounts

const TOKEN_LIFE_MS = 15 * 60_000
const MAX_TOKENS = 1000

/** The log-in of merchants. Tokens are in memory: a restart makes every client log in again. */
export function createAccess(speed: number, now: () => number) {
  const tokens = new Map<string, { readonly currency: AccountCurrency; readonly until: number }>()
  const currencies = Object.keys(accounts) as AccountCurrency[]

  const ofKey = (apiKey: unknown): AccountCurrency | null =>
    currencies.find((currency) => accounts[currency].apiKey === apiKey) ?? null

  return {
    ofKey,
    /** A token, or null for wrong credentials. */
    logIn(apiKey: unknown, given: { username: string; password: string }): string | null {
      const currency = ofKey(apiKey)
      if (currency === null) return null
      const { username, password } = accounts[currency]
      if (given.username !== username || given.password !== password) return null
      const token = randomUUID()
      tokens.set(token, { currency, until: now() + TOKEN_LIFE_MS / speed })
      for (const [oldest] of tokens) {
        if (tokens.size <= MAX_TOKENS) break
        tokens.delete(oldest)
      }
      return token
    },
    /** The account of a call; null when its key or its token is not valid. */
    ofCall(apiKey: unknown, authorization: string | undefined): AccountCurrency | null {
      const token = tokens.get(/^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? '')
      const isValid = token !== undefined && token.until > now() && token.currency === ofKey(apiKey)
      return isValid ? token.currency : null
    },
    revokeAll: (): void => tokens.clear(),
  }
}
export type Access = ReturnType<typeof createAccess>
