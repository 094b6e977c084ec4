import { hmac } from '../../../platform/crypto/keys.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { coarse } from '../../../platform/http/network.ts'

/**
 * Who uploads, for sharing what is scarce: the widest network that one subscriber gets easily, an IPv4 /24 or an IPv6 /48, so that a
 * sender with many addresses is one sender. Nobody reads the network back from the database.
 */
export interface Sender {
  readonly network: string
  readonly hash: Buffer
}

export function senderAt(ctx: Ctx, address: string): Sender {
  const network = coarse(address)
  return { network, hash: hmac(ctx.keys.limitKey, `uploads of ${network}`) }
}
