import type { PaymentsCtx } from '../context.ts'
import { changePayment } from '../payment/commit.ts'
import { instruct } from '../payment/decide/instruct.ts'
import { isAuthorisationOver } from '../payment/instruction.ts'
import type { Payment } from '../payment/payment.ts'
import { wholeOf } from '../payment/state.ts'

/** Voids an authorisation at its end, unless the merchant has given an instruction meanwhile. A cancellation stays the reason. */
export const endAuthorisation = (
  ctx: PaymentsCtx,
  payment: Pick<Payment, 'accountId' | 'id'>,
): Promise<void> =>
  changePayment(
    ctx,
    () => wholeOf(ctx.db.kysely, { accountId: payment.accountId, paymentId: payment.id }),
    (state) => {
      const isOver = state.attempts.some((each) => isAuthorisationOver(state, each))
      const effects = isOver
        ? instruct(state, { kind: 'void', amount: null, reason: 'expired' }).effects
        : null
      return { effects, result: () => undefined }
    },
  )
