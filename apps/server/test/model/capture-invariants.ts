import { emitted, isPaid } from './facts.ts'
import type { Invariant } from './invariant.ts'

/** Invariants of authorisations, captures and voids. */
export const captureInvariants: readonly Invariant[] = [
  {
    title: 'of a capture, a void and the end of an authorisation one is carried out, and that one is booked',
    when: 'always',
    truths: (now, { sequence, script, attemptVerdicts }) => {
      const { payment, instructions, transfers } = now
      const [instruction] = instructions
      const banks = [...script.charges.values()].flatMap(({ bank }) => bank ?? [])
      const captured = banks.flatMap((bank) => bank.captured ?? [])
      const isManual = sequence.capture === 'manual'
      return {
        'one instruction, for manual capture alone': instructions.length <= (isManual ? 1 : 0),
        'carried out once': banks.every(({ calls }) => calls <= 1),
        'captured on instruction': captured.every(
          ({ minor }) => instruction?.kind === 'capture' && BigInt(instruction.amount_minor ?? 0) === minor,
        ),
        'within the amount': captured.every(({ minor }) => minor <= BigInt(payment.amount_minor)),
        'booked as captured':
          !isManual ||
          !isPaid(now) ||
          attemptVerdicts.has(true) ||
          captured.some(({ minor }) => BigInt(payment.captured_minor ?? 0) === minor),
        'recorded with manual capture alone':
          (payment.captured_minor !== null) === (isManual && payment.completed_at !== null),
        'nothing is booked before': payment.status !== 'authorized' || transfers.length === 0,
        'emitted once': emitted(now, 'payment.authorized') <= (isManual ? 1 : 0),
      }
    },
  },
  {
    title: 'at the end an authorisation is captured and booked, or released',
    when: 'end',
    truths: (now, { script, attemptVerdicts }) => ({
      ended: now.payment.status !== 'authorized',
      'none is left at a bank':
        // An operator's decision may be wrong.
        attemptVerdicts.size > 0 ||
        [...script.charges.values()].every(({ bank }) => bank?.state !== 'authorised'),
    }),
  },
]
