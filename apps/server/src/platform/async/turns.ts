/** The waiting items of one subject: those of its own subjects, or the items themselves in their order. */
interface Waiting<Item> {
  readonly subjects: Map<string, Waiting<Item>>
  readonly items: Set<Item>
}

const nobody = <Item>(): Waiting<Item> => ({ subjects: new Map(), items: new Set() })

/** Items that wait for their turn. */
export interface Turns<Item> {
  readonly size: number
  /**
   * Adds an item.
   * @param subjects from the widest to the narrowest, such as a merchant and its payer; each item has the same number of them
   * @returns a function that removes the item, if it still waits
   */
  add(subjects: readonly string[], item: Item): () => void
  /** Removes and returns the item whose turn it is. */
  take(): Item | undefined
}

/**
 * Items in the order of turns: one of each subject, and within a subject one of each narrower subject. So the waiting time of a subject depends
 * on the number of subjects and not on the number of another subject's items.
 */
export function createTurns<Item>(): Turns<Item> {
  const root = nobody<Item>()
  let size = 0

  function remove(subjects: readonly string[], item: Item, from = root): boolean {
    const [subject, ...narrower] = subjects
    if (subject === undefined) return from.items.delete(item)
    const inside = from.subjects.get(subject)
    if (inside === undefined || !remove(narrower, item, inside)) return false
    if (isEmpty(inside)) from.subjects.delete(subject)
    return true
  }

  /** A Map keeps the order of insertion: the subject that had its turn goes to the end. */
  function take(from: Waiting<Item>): Item | undefined {
    const [next] = from.subjects
    if (next === undefined) {
      const [item] = from.items
      if (item !== undefined) from.items.delete(item)
      return item
    }
    const [subject, inside] = next
    const item = take(inside)
    from.subjects.delete(subject)
    if (!isEmpty(inside)) from.subjects.set(subject, inside)
    return item
  }

  return {
    get size() {
      return size
    },
    add(subjects, item) {
      let into = root
      for (const subject of subjects) {
        const inside = into.subjects.get(subject) ?? nobody<Item>()
        into.subjects.set(subject, inside)
        into = inside
      }
      into.items.add(item)
      size += 1
      return () => {
        if (remove(subjects, item)) size -= 1
      }
    },
    take() {
      if (size === 0) return undefined
      size -= 1
      return take(root)
    },
  }
}

const isEmpty = <Item>({ subjects, items }: Waiting<Item>): boolean => subjects.size === 0 && items.size === 0
