import { METHOD_COOKIE } from '@muripo/contract/checkout'

const cookiePattern = new RegExp(`(?:^|; ?)${METHOD_COOKIE}=([a-z]{1,20})(?:;|$)`)

/** The method of the payer's last payment in this browser; undefined when there was none. */
export const lastMethodIn = (cookies: string | null): string | undefined =>
  cookiePattern.exec(cookies ?? '')?.[1]
