import { hmac } from '../../../platform/crypto/keys.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { coarse } from '../../../platform/http/network.ts'

/**
 * The sender of an upload: the widest network that one subscriber gets easily, an IPv4 /24 or an IPv6 /48, so that a sender with many
 * addresses counts as one. The database stores a keyed hash of the network only.
 */
export interface Sender {
  readonly network: string
  readonly hash: Buffer
}

export function senderAt(ctx: Ctx, address: string): Sender {
  const network = coarse(address)
  return { network, hash: hmac(ctx.keys.limitKey, `uploads of ${network}`) }
}
