/** For errors that the user cannot act on. */
export function logProblem(what: string, cause: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the browser's console is the only log that a page has
  console.warn(what, cause)
}
