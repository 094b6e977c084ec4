import { messageOf } from '../../startup-error.ts'

export type State = 'ok' | 'warning' | 'error'

/** One line of the doctor. */
export interface Finding {
  readonly check: string
  readonly state: State
  readonly text: string
}

const finding =
  (state: State) =>
  (check: string, text: string): Finding => ({ check, state, text })

export const ok = finding('ok')
export const warning = finding('warning')
export const failure = finding('error')

const LIMIT_MS = 20_000

/** The findings of a check, which ends in time and throws nothing. */
export async function bounded(
  check: string,
  work: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const { promise: late, resolve } = Promise.withResolvers<readonly Finding[]>()
  const timer = setTimeout(() => resolve([failure(check, `no answer within ${LIMIT_MS / 1000} s`)]), LIMIT_MS)
  try {
    return await Promise.race([work(), late])
  } catch (error) {
    return [failure(check, messageOf(error))]
  } finally {
    clearTimeout(timer)
  }
}
