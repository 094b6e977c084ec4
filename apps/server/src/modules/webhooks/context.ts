import type { Ctx } from '../../platform/ctx.ts'
import type { Targets } from '../../platform/outbound/targets.ts'

/** The context of actions on endpoints: the platform's, with targets. */
export interface WebhooksCtx extends Ctx {
  readonly targets: Targets
}
