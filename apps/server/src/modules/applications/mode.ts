import type { Config } from '../../platform/config.ts'
import type { KeyMode } from './key.ts'

/** A deployment deals in one kind of key: development moves simulated money only. */
export const keyModeOf = (config: Config): KeyMode => (config.mode === 'production' ? 'live' : 'test')
