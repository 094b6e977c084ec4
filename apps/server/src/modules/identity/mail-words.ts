import { browserName } from './browser-name.ts'
import type { Visitor } from './visitor.ts'

export const whereFrom = ({ userAgent, address }: Visitor): string =>
  `${browserName(userAgent)}, at the internet address ${address}`
