/**
 * Functions that the oldest supported browsers (README) lack, and functions that browsers lack on a page without TLS. Each page of the tests runs
 * without them. Playwright's own code in a page needs some others.
 */
export function removeNewerFunctions(): void {
  const remove = (owner: object | undefined, ...names: readonly string[]) => {
    for (const name of names) if (owner) Reflect.deleteProperty(owner, name)
  }
  const newer = globalThis as unknown as Record<string, object | undefined>
  remove(AbortSignal, 'any')
  remove(URL, 'canParse', 'parse')
  remove(Crypto.prototype, 'randomUUID')
  remove(Promise, 'withResolvers', 'try')
  remove(Object, 'groupBy')
  remove(Map, 'groupBy')
  remove(Array, 'fromAsync')
  remove(Array.prototype, 'toSorted', 'toReversed', 'toSpliced', 'with')
  remove(String.prototype, 'isWellFormed', 'toWellFormed')
  remove(
    Set.prototype,
    ...['union', 'intersection', 'difference', 'symmetricDifference'],
    ...['isSubsetOf', 'isSupersetOf', 'isDisjointFrom'],
  )
  remove(newer.Iterator && (newer.Iterator as { prototype: object }).prototype, 'map', 'filter', 'toArray')
  remove(globalThis, 'Iterator', 'URLPattern', 'CloseWatcher', 'navigation')
}
