const KEY = 'rememberedEmail'

/** What "Remember me" remembers: the address for the next visit, and nothing else. */
export const rememberedEmail = (): string =>
  typeof window === 'undefined' ? '' : (window.localStorage.getItem(KEY) ?? '')

export function rememberEmail(email: string | null): void {
  if (email === null) window.localStorage.removeItem(KEY)
  else window.localStorage.setItem(KEY, email)
}
