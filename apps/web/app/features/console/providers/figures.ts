import type { ConsoleProvider } from '@muripo/contract/console-operation'
import type { StatusBadge } from '../../../components/ui/status-badge.tsx'
import type { ConsoleText } from '../text.ts'

type Tone = Parameters<typeof StatusBadge>[0]['tone']

/** The state of an account in the words of the status page. */
export function stateOf({ state, health }: ConsoleProvider, t: ConsoleText): readonly [Tone, string] {
  if (state === 'disabled') return ['grey', t('providersPaused')]
  if (state === 'absent') return ['grey', t('providersAbsent')]
  if (health === 'down') return ['red', t('providersDown')]
  return health === 'degraded' ? ['yellow', t('providersSlow')] : ['green', t('providersWell')]
}

/** "99%"; nothing without calls. */
export const shareOf = (part: number, made: number): string =>
  made === 0 ? '–' : `${Math.floor((100 * part) / made)}%`

export const answered = ({ made, unanswered }: ConsoleProvider['calls']): string =>
  shareOf(made - unanswered, made)

export const seconds = (ms: number | null): string => (ms === null ? '–' : `${ms / 1000} s`)
