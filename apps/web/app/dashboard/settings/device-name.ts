import { capitalise } from '../../lib/format.ts'

/** A session may be older than our knowing which browser it is. */
export const deviceName = (browser: string | null): string => capitalise(browser ?? 'an unknown browser')

export const isHandheld = (browser: string | null): boolean => / on (Android|iOS|iPadOS)$/.test(browser ?? '')
