import { openJournal } from '../journal.ts'
import { createSchedule } from '../schedule.ts'
import type { AccountCurrency } from './accounts.ts'
import type { CodeBehaviour, Ending } from './behaviour.ts'

export interface PaymentCode {
  readonly sequence: number
  readonly code: string
  readonly reference: string
  readonly narration: string
  readonly minor: number
  readonly currency: AccountCurrency
  readonly authNumber: string
  readonly stan: string
  readonly createdAt: number
  readonly expiresAt: number
  state: 'New' | Ending
  closedAt: number | null
  /** The automatic end, and its time. */
  planned: { readonly state: Ending; readonly at: number } | null
  behaviour: CodeBehaviour
  inquiries: number
}

export interface CodesDeps {
  readonly folder: string | null
  readonly keep: number
  readonly speed: number
  readonly now: () => number
}

/** InnBucks does not publish the life of a code. */
const CODE_LIFE_MS = 10 * 60_000

export const isPaid = ({ state }: PaymentCode): boolean => state === 'Claimed' || state === 'Paid'

const identityOf = (sequence: number) => ({
  sequence,
  // Nine digits that do not look consecutive.
  code: String(700_000_000 + ((sequence * 61_356_757) % 99_999_989)),
  authNumber: String(500_000 + sequence),
  stan: String(sequence % 1_000_000).padStart(6, '0'),
})

const untouched = { state: 'New', closedAt: null, planned: null, inquiries: 0 } as const

/** The life of payment codes: a code is new until a payer claims it or its time is over. */
export function createCodes({ folder, keep, speed, now }: CodesDeps) {
  const idOf = ({ code }: PaymentCode) => code
  const journal = openJournal<PaymentCode>({ folder, file: 'innbucks.jsonl', keep, idOf })
  const schedule = createSchedule(journal, { idOf, speed, now, onDue: (code, { state }) => end(code, state) })
  let last = journal.all().at(-1)?.sequence ?? 0

  const plan = (state: Ending, afterMs: number) => ({ state, at: schedule.timeAfter(afterMs) })

  function save(code: PaymentCode): void {
    schedule.save(code)
    schedule.start(code)
  }

  function end(code: PaymentCode, state: Ending): void {
    const late = code.behaviour.lateClaimAfterMs
    Object.assign(code, { state, closedAt: now(), planned: null })
    if (!isPaid(code) && late !== undefined) code.planned = plan('Claimed', late)
    save(code)
  }

  return {
    get: journal.get,
    all: journal.all,

    open(
      input: Pick<PaymentCode, 'reference' | 'narration' | 'minor' | 'currency'>,
      behaviour: CodeBehaviour,
    ): PaymentCode {
      last += 1
      const lifeMs = behaviour.lifeMs ?? CODE_LIFE_MS
      const times = { createdAt: now(), expiresAt: schedule.timeAfter(lifeMs) }
      const code: PaymentCode = { ...input, ...identityOf(last), ...times, ...untouched, behaviour }
      const { state, afterMs } = behaviour.ending ?? { state: 'Expired', afterMs: lifeMs }
      if (behaviour.neverResolves !== true) code.planned = plan(state, afterMs)
      save(code)
      return code
    },

    /** The payer pays the code in the app, or leaves it; false when it is no longer new. */
    answer(code: PaymentCode, answer: 'approve' | 'decline'): boolean {
      if (code.state !== 'New' || code.behaviour.neverResolves === true) return false
      end(code, answer === 'approve' ? 'Claimed' : 'Timed Out')
      return true
    },

    /** Changes the behaviour of an existing code. */
    adjust(code: PaymentCode, behaviour: CodeBehaviour): void {
      code.behaviour = { ...code.behaviour, ...behaviour }
      code.inquiries = 0
      if (behaviour.neverResolves === true) code.planned = null
      else if (behaviour.ending !== undefined)
        code.planned = plan(behaviour.ending.state, behaviour.ending.afterMs)
      save(code)
    },

    resume: schedule.resume,
    stop: schedule.stop,
  }
}
export type Codes = ReturnType<typeof createCodes>
