import * as calls from 'virtual:calls/application-keys'
import type { NamedKey } from '@muripo/contract/application-keys'
import type { KeyPreset } from '@muripo/contract/permissions'
import { useQuery } from '@tanstack/react-query'
import { send } from '../session/session.ts'
import { read, throwIfFailed, unwrap } from './api-error.ts'
import { queryKeys } from './query-keys.ts'

export const useKeys = (applicationId: string) =>
  useQuery({
    queryKey: queryKeys.namedKeys(applicationId),
    queryFn: async ({ signal }) => {
      const result = await send(calls.listKeys, { params: { applicationId }, signal })
      return read(result, 'loadKeys', (body) => body?.keys)
    },
    meta: { quiet: true },
  })

export interface KeyRequest {
  readonly name: string
  readonly preset: KeyPreset
  readonly mode: NamedKey['mode']
  readonly expiresAt: string | null
  readonly allowedAddresses: string[]
}

/** @returns the text of the key, which no call returns again */
export async function createKey(applicationId: string, body: KeyRequest): Promise<string> {
  return unwrap(await send(calls.createKey, { params: { applicationId }, body }), 'createKey').secret
}

/** @returns the text of the new key */
export async function rotateKey(
  applicationId: string,
  keyId: string,
  overlapSeconds: number,
): Promise<string> {
  const result = await send(calls.rotateKey, { params: { applicationId, keyId }, body: { overlapSeconds } })
  return unwrap(result, 'rotateKey').secret
}

export async function revokeKey(applicationId: string, keyId: string): Promise<void> {
  throwIfFailed(await send(calls.revokeNamedKey, { params: { applicationId, keyId } }), 'revokeKey')
}
