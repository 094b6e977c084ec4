import { hkdfSync } from 'node:crypto'
import type { EncryptionKeys } from './encryption.ts'

/** The version byte of a head that an id follows. */
const VERSION_WITH_ID = 2
const VERSION_WITHOUT_ID = 1
const ID_BYTES = 8

/** The key of a purpose: no key decrypts the data of another purpose. */
export const derive = (secret: Buffer, purpose: string, bytes = 32): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `muripo/v1/${purpose}`, bytes))

/** Identifies a master key without revealing it. */
export const masterKeyId = (masterKey: Buffer): string =>
  derive(masterKey, 'fingerprint', ID_BYTES).toString('hex')

/** The key that encrypts, among keys that only decrypt. */
export interface ActiveKey {
  readonly activeId: string
  /** The key of values without an id; null when no value can lack one. */
  readonly firstId: string | null
}

/** The master keys of a process. All of them decrypt, and the active one encrypts. */
export interface KeyRing extends ActiveKey {
  /** The active master key first. */
  readonly masterKeys: readonly [Buffer, ...Buffer[]]
  has(id: string): boolean
  setActive(active: ActiveKey): void
  /** The keys that are derived for one purpose, one for each master key. */
  for(purpose: string): EncryptionKeys
}

export function createKeyRing(masterKeys: readonly Buffer[], active: ActiveKey): KeyRing {
  const byId = new Map(masterKeys.map((key) => [masterKeyId(key), key]))
  let { activeId, firstId } = active
  function activeKey(keys: ReadonlyMap<string, Buffer>): Buffer {
    const key = keys.get(activeId)
    if (key === undefined) throw new Error(`this process does not have the master key ${activeId}`)
    return key
  }

  return {
    get activeId() {
      return activeId
    },
    get firstId() {
      return firstId
    },
    get masterKeys(): readonly [Buffer, ...Buffer[]] {
      const active = activeKey(byId)
      return [active, ...byId.values().filter((key) => key !== active)]
    },
    has: (id) => byId.has(id),
    setActive(next) {
      ;({ activeId, firstId } = next)
    },
    for(purpose) {
      const keys = new Map([...byId].map(([id, key]) => [id, derive(key, purpose)]))
      return {
        get active() {
          return { head: headOf(activeId, firstId), key: activeKey(keys) }
        },
        keyOf(encrypted) {
          const isWithId = encrypted[0] === VERSION_WITH_ID
          if (!isWithId && encrypted[0] !== VERSION_WITHOUT_ID) return null
          const id = isWithId ? encrypted.subarray(1, 1 + ID_BYTES).toString('hex') : firstId
          const key = id === null ? undefined : keys.get(id)
          return key === undefined ? null : { headBytes: isWithId ? 1 + ID_BYTES : 1, key }
        },
      }
    },
  }
}

/** Values of the first key have no id: the earlier version, which may run beside this one, reads no other ones. */
const headOf = (activeId: string, firstId: string | null): Buffer =>
  activeId === firstId
    ? Buffer.of(VERSION_WITHOUT_ID)
    : Buffer.concat([Buffer.of(VERSION_WITH_ID), Buffer.from(activeId, 'hex')])
