import type { Ctx } from '../../platform/ctx.ts'
import type { Targets } from '../../platform/outbound/targets.ts'

/** What the actions on endpoints need beyond the ground floor. */
export interface WebhooksCtx extends Ctx {
  readonly targets: Targets
}
