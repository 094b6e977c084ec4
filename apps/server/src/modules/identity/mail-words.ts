import { browserName } from './browser-name.ts'
import type { Visitor } from './visitor.ts'

export const when = (at: Date, timeZone: string): string => {
  const text = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone }).format(
    at,
  )
  return `${text} (${timeZone})`
}

export const whereFrom = ({ userAgent, address }: Visitor): string =>
  `${browserName(userAgent)}, at the internet address ${address}`
