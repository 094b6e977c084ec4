export type KeyValue = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * A store that never throws. With blocked cookies the browser refuses access to its storage, and with a full disk a write fails: such
 * values are in memory until the page is left.
 */
export function createStorage(open: () => KeyValue): KeyValue {
  /** Null for a value that was removed. */
  const refused = new Map<string, string | null>()
  const write = (key: string, value: string | null) => {
    try {
      if (value === null) open().removeItem(key)
      else open().setItem(key, value)
      refused.delete(key)
    } catch {
      refused.set(key, value)
    }
  }
  return {
    getItem(key) {
      const kept = refused.get(key)
      if (kept !== undefined) return kept
      try {
        return open().getItem(key)
      } catch {
        return null
      }
    },
    setItem: write,
    removeItem: (key) => write(key, null),
  }
}

const nowhere: KeyValue = { getItem: () => null, setItem: () => {}, removeItem: () => {} }

/** The browser's storage. The server has none: its memory is the same for all users. */
export const storage: KeyValue =
  typeof window === 'undefined' ? nowhere : createStorage(() => window.localStorage)
