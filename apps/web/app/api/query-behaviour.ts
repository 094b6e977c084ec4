import type { DefaultOptions } from '@tanstack/react-query'
import { jittered } from '../lib/timing.ts'
import { ApiError } from './api-error.ts'

/** For reads only: after a lost response it is unknown whether a write took place. */
const READ_RETRIES = 2
const FIRST_RETRY_MS = 500

/** The behaviour of every query and every change. */
export const queryBehaviour = {
  queries: {
    retry: (failures, error) => failures < READ_RETRIES && error instanceof ApiError && error.isTemporary,
    retryDelay: (failures) => jittered(FIRST_RETRY_MS * 2 ** failures),
    refetchOnWindowFocus: false,
    refetchOnReconnect: true,
    networkMode: 'always',
  },
  mutations: { networkMode: 'always' },
} satisfies DefaultOptions
