import type { Shop, WorldCtx } from '../world.ts'

export interface ScenarioWorld {
  readonly ctx: WorldCtx
  readonly shop: Shop
  /** Another merchant, who must have no access. */
  readonly otherMerchant: Shop
  /** Work that waited too long on a slow machine was refused, and with it a reply of the provider, as after a crash. */
  readonly overload: { hasOccurred: boolean }
}
